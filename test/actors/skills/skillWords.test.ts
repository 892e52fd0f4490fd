import { expect, it } from "vitest";
import { skillWords } from "../../../src/actors/skills/skillWords.ts";

const nothing = { skills: 0, migrated: [], filesAlone: [], rowsAlone: [], fault: null };
const says = (found: object) =>
  skillWords["store.found"]?.(
    { type: "store.found", ...nothing, ...found } as never,
    {} as never,
    {} as never,
  );

it.each([
  ["files without a row: stray, other", { filesAlone: ["stray", "other"] }],
  ["rows without a file: news", { rowsAlone: ["news"] }],
  ["copied from the sandbox: news", { migrated: ["news"] }],
  ["files changed behind their rows: news", { changed: ["news"] }],
  [
    'rows that cannot be taken: news (its status is "odd")',
    { unfit: [{ skill: "news", why: 'its status is "odd"' }] },
  ],
  ["the registry is no JSON", { fault: "the registry is no JSON" }],
])("[SK48] what a start finds of the store is told: %s", (words, found) => {
  expect(says({ skills: 1, ...found })).toContain(words);
  expect(says(found)).toContain(words);
});

it("[SK48] of a store with nothing in it nothing is told, of one with skills how many there are", () => {
  expect(says({})).toBe(null);
  expect(says({ skills: 1 })).not.toContain(";");
});
