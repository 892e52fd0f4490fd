// Macros: templates, faults, inputs, and the sequences they are mined from.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../../src/machines/letter.ts";
import {
  type MacroStep,
  macroFault,
  macroInputs,
  macroName,
  resolveParams,
  savedText,
  shownResult,
} from "../../../src/machines/skills/macro.ts";
import { mineSequences, proposeMacros } from "../../../src/machines/skills/macroMining.ts";
import { lessonPolicy } from "./lessonPolicy.ts";

const step = (params: { [name: string]: Json }, some: Partial<MacroStep> = {}): MacroStep => ({
  ...{ tool: "fetch", description: "fetch it", params },
  ...some,
});

const values = { n: 5, city: "Athens", rows: [1, 2] };

it("[SK32] a text that is one name becomes its value", () => {
  expect(resolveParams({ a: ` $\{n} `, f: "$rows" }, values)).toEqual({ a: 5, f: [1, 2] });
});

it("[SK32] a text that holds names is filled in, with nothing for one without a value", () => {
  expect(resolveParams({ b: "$city!", c: "$gone", d: `x$\{gone}y` }, values)).toEqual({
    ...{ b: "Athens!", c: "", d: "xy" },
  });
  expect(resolveParams({ a: "n is $n, rows $rows" }, values)).toEqual({ a: "n is 5, rows [1,2]" });
  expect(resolveParams({ a: "$constructor" }, {})).toEqual({ a: "" });
});

it("[SK32] what is no text stays", () => {
  expect(resolveParams({ e: ["$n"], g: 7, h: null }, values)).toEqual({ e: ["$n"], g: 7, h: null });
});

it("[SK32] results are shown and saved whole up to the cap, and cut with a mark beyond it", () => {
  expect(shownResult({ rows: [1] }, 12)).toEqual({ rows: [1] });
  expect(shownResult("x".repeat(10), 10)).toBe("x".repeat(10));
  expect(shownResult("x".repeat(11), 10)).toMatch(/^x{10}\n…\[truncated 1 chars/);
  expect(savedText("x".repeat(10), 10)).toBe("x".repeat(10));
  expect(savedText({ a: "xxxxxxxxxxxx" }, 4)).toMatch(/^\{"a"\n…\[cut/);
});

it("[SK33] results flow forward only, and each has a name of its own", () => {
  const fault = (steps: readonly MacroStep[], branches = {}) => macroFault({ steps, branches });
  const saves = step({}, { saveAs: "page" });
  const uses = step({ text: "sum up $page" });
  expect(fault([saves, uses])).toBe(null);
  expect(fault([uses, saves])).toMatchObject({ cause: "uses-later-result", step: 1, name: "page" });
  expect(fault([{ ...uses, saveAs: "page" }])).toMatchObject({
    ...{ cause: "uses-own-result", step: 1 },
  });
  expect(fault([saves, saves])).toMatchObject({ cause: "saved-twice", step: 2 });
  expect(fault([saves], { other: [uses] })).toBe(null);
  expect(fault([step({})], { other: [uses, saves] })).toMatchObject({ branch: "other" });
  expect(fault([step({})], { other: [{ ...uses, saveAs: "page" }] })).toMatchObject({
    ...{ cause: "uses-own-result", branch: "other" },
  });
});

it("[SK33] without steps it is refused", () => {
  expect(macroFault({ steps: [], branches: {} })).toMatchObject({ cause: "no-steps" });
});

it("[SK33] names are made callable", () => {
  expect(macroName("3 news, a→b")).toBe("m_3_news__a_b");
  expect(macroName("x".repeat(70))).toHaveLength(64);
});

it("[SK33] a caller gives what no earlier step saves", () => {
  const steps = [step({ q: "$topic $who" }, { saveAs: "page" }), step({ t: "$page" })];
  const branches = {
    else: [step({ t: "$page for $whom" }, { saveAs: "draft" }), step({ t: "$draft" })],
  };
  expect(macroInputs({ steps, branches })).toEqual(["topic", "who", "whom"]);
});

const { macros: by } = lessonPolicy();

it("[SK34] a sequence recurs in three trajectories; its parts are told when they recur more often", () => {
  const abc = ["a", "b", "c"];
  const mined = (...some: string[][]) => mineSequences(some, by).map(({ tools }) => tools.join(""));
  expect(mined(abc, abc)).toEqual([]);
  expect(mined(abc, abc, abc)).toEqual(["abc"]);
  expect(mined(abc, abc, abc, ["a", "b"])).toEqual(["ab", "abc"]);
  expect(mined(["a", "a"], ["a", "a"], ["a", "a"])).toEqual([]);
  expect(mined([...abc, ...abc, ...abc])).toEqual([]);
  expect(mineSequences([abc, abc, abc], by, new Set(abc))).toEqual([]);
  expect(mineSequences([abc, abc, abc], by, new Set(["a", "b"]))).toHaveLength(1);
});

it("[SK34] four calls in a row are mined, five and one alone are not", () => {
  const mined = (...tools: readonly string[]) =>
    mineSequences([tools, tools, tools], by).map((one) => one.tools.join(""));

  expect(mined("a")).toEqual([]);
  expect(mined("a", "b")).toEqual(["ab"]);
  expect(mined("a", "b", "c", "d")).toEqual(["abcd"]);
  expect(mined("a", "b", "c", "d", "e")).toEqual(["abcd", "bcde"]);
});

it("[SK34] at most three are mined, the most frequent first", () => {
  const often = [
    ["a", "b"],
    ["c", "d"],
    ["e", "f"],
    ["g", "h"],
  ].flatMap((tools, index) => Array.from({ length: 3 + index }, () => tools));

  const mined = mineSequences(often, by).map(({ tools }) => tools.join(""));

  expect(mined).toEqual(["gh", "ef", "cd"]);
});

it("[SK34] every mined sequence stands where it is said to, in as many trajectories as wanted", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 8 })), (some) => {
      const mined = mineSequences(some, by);
      expect(mined.length).toBeLessThanOrEqual(by.minedMax);
      for (const { tools, at } of mined) {
        expect(at.length).toBeGreaterThanOrEqual(by.support);
        expect(new Set(at.map(({ trajectory }) => trajectory)).size).toBe(at.length);
        for (const { trajectory, start } of at) {
          expect(some[trajectory]?.slice(start, start + tools.length)).toEqual(tools);
        }
      }
    }),
  );
});

it("[SK90] a mined macro is called by its calls, in 60 characters, with the first number that is free", () => {
  const named = (tools: readonly string[], ...taken: readonly string[]) => {
    const steps = tools.map((tool) => ({ tool, intent: tool, params: {} }));
    const completed = [1, 2, 3].map((n) => ({ goal: `cedar/${n}`, endedMs: n, fact: n, steps }));
    const book = taken.map((name) => ({
      ...{ name, description: name, branches: {} },
      steps: [step({}, { tool: name })],
    }));
    return proposeMacros(completed, book, {}, by).map(({ macro }) => macro.name);
  };
  const long = ["x".repeat(40), "y".repeat(40)];
  const cut = `auto_${"x".repeat(40)}_${"y".repeat(14)}`;

  expect(named(["a", "b"])).toEqual(["auto_a_b"]);
  expect(named(["a", "b"], "auto_a_b")).toEqual(["auto_a_b_2"]);
  expect(named(["a", "b"], "auto_a_b", "auto_a_b_2")).toEqual(["auto_a_b_3"]);
  expect(named(long)).toEqual([cut]);
  expect(named(long, cut)).toEqual([`${cut.slice(0, 58)}_2`]);
});
