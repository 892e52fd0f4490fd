// A study of several scenarios as it is read: which one is played is a factor like any other.
import { expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { BadInput } from "../../../src/edges/errors.ts";
import { parseStudy } from "../../../src/edges/studies/studyFile.ts";
import { promisedBy } from "../../../src/run/check/promises.ts";
import { BOTH, severalLines as lines } from "./severalScenarios.ts";

const lists = { ...builtIn, promised: await promisedBy(builtIn.parts) };

it("[ST246] its variants are those of all, and it is regretted over its scenarios", () => {
  const study = (more: string) => parseStudy(lists, lines(BOTH, more).join("\n"), "mine.yaml");

  expect(() => study("variants: [no-feedback]")).toThrow(BadInput);
  expect(study("baseline: {}").baseline["scenario"]).toBe("lock-feedback");
  expect(study("baseline: { scenario: null-stub }").baseline["scenario"]).toBe("null-stub");
  expect(() => study("baseline: { scenario: lessons }")).toThrow(
    "the name of a scenario of the study",
  );
});

it.each([
  ["[lock-feedback, lock-feedback]", "files of different names"],
  ["[lock-feedback, lok-feedback]", "mine.yaml:2"],
  ["[lock-feedback]", "a list of 2 … "],
])("[ST246] scenario: %s is refused", (scenario, says) => {
  expect(() => parseStudy(lists, lines(scenario).join("\n"), "mine.yaml")).toThrow(says);
});

it("[ST246] an actor that is measured is one of every scenario", () => {
  const of = (scenario: string, actor: string) => () =>
    parseStudy(
      lists,
      lines(scenario, `  own: { metric: load, actor: ${actor}, reduce: max }`).join("\n"),
      "a.yaml",
    );

  // Each has one that the other lacks.
  for (const [scenario, actor] of [
    ["lock-feedback", "vault"],
    ["null-stub", "cedar"],
  ] as const) {
    expect(of(scenario, actor)).not.toThrow();
    expect(of(BOTH, actor)).toThrow(actor);
  }
});
