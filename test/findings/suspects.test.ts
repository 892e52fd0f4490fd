// A ranking of what agents said and did.
import { expect, it } from "vitest";
import type { TraceFact } from "../../src/contract/trace.ts";
import { type GuessRule, standsText, suspectsIn } from "../../src/findings/suspects.ts";
import { type Marked, shareRows } from "../../tools/suspectShares.ts";
import { called, returned, said } from "./facts.ts";

const long = (words: string): string => `${words} ${"so it is ".repeat(80)}`;
const order = (facts: readonly TraceFact[]) => suspectsIn(facts).suspects.map(({ step }) => step);
const reasonOf = (facts: readonly TraceFact[], step: number): string =>
  suspectsIn(facts).suspects.find((one) => one.step === step)?.reason ?? "";
const by = (speaker: string) => ({ speaker });

it("[FI40] what failed first comes first, then the longest, the first with code, and the others by length", () => {
  const facts = [
    said(1, "Short.", by("ann")),
    said(2, "```python\nprint(1)\n```", by("bob")),
    said(3, long("Well,"), by("cat")),
    said(4, "I ask for it.", by("dan")),
    called(5, "look", { agent: "dan" }),
    returned(6, "look", "Error: no such thing", { agent: "dan" }),
    said(7, "Somewhat longer than the others.", by("eve")),
  ];

  // The call stands in the words before it only where both are of one step.
  expect(order(facts)).toEqual([5, 3, 2, 7, 4, 1]);
  expect(suspectsIn(facts).suspects[0]).toMatchObject({ agent: "dan", score: 1 });
  expect(reasonOf(facts, 5)).toMatch(/^its call of look failed: "Error: no such thing"; nothing/);
});

it("[FI40] of two that failed the first comes first, however many fail later", () => {
  const failing = [1, 3, 5].flatMap((seq) => [
    called(seq, "look"),
    returned(seq + 1, "look", "Error: no such thing"),
  ]);

  expect(order([...failing, said(7, "It is the longest.")])).toEqual([1, 7, 3, 5]);
});

it("[FI40] the call that failed comes first, whatever was called before its result came", () => {
  const facts = [called(1, "look"), called(2, "peek"), returned(3, "look", "Error", { call: 1 })];

  expect(order(facts)).toEqual([1, 2]);
  expect(order([...facts.slice(0, 2), returned(3, "peek", "Error", { call: 2 })])).toEqual([2, 1]);
  const late = returned(4, "look", "Error", { call: 2 });
  expect(order([called(1, "peek"), called(2, "look"), called(3, "peek"), late])).toEqual([2, 1, 3]);
});

it("[FI40] without a failure the longest comes first, and people are no suspects", () => {
  const facts = [
    said(1, long("A person asks for something."), { speaker: "user", role: "user" }),
    said(0, long("What holds for all of you."), { speaker: "system", role: "system" }),
    said(2, "Yes.", by("ann")),
    said(3, "It is done as you wished.", by("bob")),
  ];

  expect(order(facts)).toEqual([3, 2]);
});

it("[FI40] code that a speaker ran and that failed is the fault of the message that gave it", () => {
  const facts = [
    said(1, "```python\nprint(x)\n```", by("ann")),
    said(2, "exitcode: 1 (execution failed)\nCode output: NameError: x", by("terminal")),
    said(3, long("Then I guess"), by("ann")),
  ];

  expect(order(facts)[0]).toBe(1);
  expect(reasonOf(facts, 1)).toContain("the code that it gave failed");
});

it("[FI40] a call is of the step of the words beside it where agent and step are the same", () => {
  const seqs = (words: Parameters<typeof said>[2], given: Parameters<typeof called>[2], seq = 2) =>
    suspectsIn([said(1, "I look.", words), called(seq, "look", given)]).suspects.map(
      (one) => one.seq,
    );
  const none = { step: null };

  expect(seqs({}, { step: 1 })).toEqual([1]);
  expect(seqs({}, { step: 2 })).toEqual([1, 2]);
  expect(seqs(by("ann"), { step: 1, agent: "bob" })).toEqual([1, 2]);
  // Where the log counts no steps, it is the words right before it.
  expect(seqs(none, none)).toEqual([1]);
  expect(seqs(none, none, 3)).toEqual([1, 3]);
});

it("[FI40] the first with a call stands after the longest", () => {
  const facts = [
    said(1, "Short.", by("ann")),
    said(2, "It is the longest of them.", by("bob")),
    called(3, "look", { agent: "cat" }),
    called(4, "look", { agent: "dan" }),
  ];

  expect(order(facts)).toEqual([2, 3, 1, 4]);
});

it("[FI41] a message is repeated, too, and what another one called is no repetition", () => {
  const facts = [
    said(1, "Hello there.", by("ann")),
    said(2, "Hello there.", by("ann")),
    said(3, "Hello there.", by("bob")),
    called(4, "look", { agent: "cat" }),
    called(5, "look", { agent: "dan" }),
    called(6, "look", { agent: "dan" }),
  ];

  expect([2, 3, 5, 6].map((step) => reasonOf(facts, step).includes("it repeats"))).toEqual([
    ...[true, false, false, true],
  ]);
  expect(reasonOf(facts, 6)).toContain("it repeats step 5 to the letter");
  const isRepeated = (...those: readonly TraceFact[]) =>
    suspectsIn(those).suspects.some(({ reason }) => reason.includes("it repeats"));
  const torn = (seq: number, raw: string) => called(seq, "look", { args: null, raw });
  expect([
    isRepeated(torn(1, "{1"), torn(2, "{1")),
    isRepeated(torn(1, "{1"), torn(2, "{2")),
  ]).toEqual([true, false]);
  expect(isRepeated(said(1, " "), said(2, " "))).toBe(false);
  // Both stand beside the same words.
  expect(
    isRepeated(said(1, "I look."), ...[2, 3].map((seq) => called(seq, "look", { step: 1 }))),
  ).toBe(false);
});

it("[FI41] a figure has three digits or more, is no year, and one of a call has support", () => {
  const isTold = (figure: string, ...before: readonly TraceFact[]) =>
    reasonOf(
      [
        ...before,
        said(3, `It is ${figure} in all.`, by("ann")),
        said(4, `Then ${figure}.`, by("bob")),
      ],
      3,
    ).includes("stands in no result");

  expect(["471", "47", "2024"].map((figure) => isTold(figure))).toEqual([true, false, false]);
  expect(isTold("471", called(1, "look", { args: { of: 471 } }))).toBe(false);
  expect(isTold("471", called(1, "look", { args: null, raw: "{471" }))).toBe(false);
  expect(isTold("471", said(1, "471, why?", { speaker: "user", role: "user" }))).toBe(false);
});

it("[FI41] who speaks long does not check itself, and a result that comes does", () => {
  const first = said(1, long("I know."), by("ann"));
  const own = [first, said(2, "Let me verify that.", by("ann"))];
  const result = [first, called(2, "look", { agent: "bob" }), returned(3, "look", "4 rows")];

  expect(reasonOf(own, 1)).toContain("nobody checked it");
  expect(reasonOf(result, 1)).not.toContain("nobody checked it");
});

it("[FI41] a mended error is not one that nothing mended, and a call that is repeated names the first", () => {
  const again = [
    called(1, "look"),
    returned(2, "look", "Error: busy"),
    called(3, "look"),
    returned(4, "look", "found it"),
  ];

  expect(reasonOf(again, 1)).not.toContain("nothing of that kind worked");
  const laterBy = (tool: string, agent: string) =>
    reasonOf(
      [...again.slice(0, 2), called(3, tool, { agent }), returned(4, tool, "found it", { agent })],
      1,
    );
  for (const [tool, agent] of [
    ["peek", "cedar"],
    ["look", "vault"],
  ] as const) {
    expect(laterBy(tool, agent)).toContain("nothing of that kind worked");
  }
  expect(laterBy("look", "cedar")).not.toContain("nothing of that kind worked");
  expect(reasonOf(again, 3)).toContain("it repeats step 1 to the letter");
});

it("[FI41] an empty result that is talked over is told, and one that is owned up to is not", () => {
  const empty = [called(1, "look"), returned(2, "look", "[]")];
  const facts = (words: string) => [...empty, said(3, words)];
  const found = [...empty, called(3, "peek"), returned(4, "peek", "4 rows"), said(5, "It opens.")];

  expect(reasonOf(facts("The grocer opens at nine."), 1)).toContain("as if it had");
  expect(reasonOf(facts("There is nothing about it."), 1)).not.toContain("as if it had");
  expect(reasonOf(found, 1)).not.toContain("as if it had");
  const other = said(3, "The grocer opens at nine.", by("vault"));
  expect(reasonOf([...empty, other], 1)).not.toContain("as if it had");
  expect(reasonOf([...empty, other, said(4, "It opens.")], 1)).toContain("cedar went on as if");
});

it("[FI41] a figure without support that others use is told of who brought it in, and one of a result is not", () => {
  const facts = (result: string) => [
    called(1, "look"),
    returned(2, "look", result),
    said(3, "It costs 4711 in all.", by("ann")),
    said(4, "Then I pay 4,711.", by("bob")),
  ];

  expect(reasonOf(facts("closed"), 3)).toContain('its "4711" stands in no result');
  expect(reasonOf(facts("the price is 4711"), 3)).not.toContain("4711");
});

it("[FI41] a long first word is told as unchecked unless somebody looks into it", () => {
  const facts = (next: string) => [said(1, long("I know."), by("ann")), said(2, next, by("bob"))];

  expect(reasonOf(facts("Fine, thank you."), 1)).toContain("nobody checked it");
  expect(reasonOf(facts("Let me verify that."), 1)).not.toContain("nobody checked it");
});

it("[FI41] a first word is long from 500 characters on, and a later one is none", () => {
  const x = (count: number) => "x".repeat(count);
  const first = (count: number) => [said(1, x(count), by("ann")), said(2, "Fine.", by("bob"))];

  expect(reasonOf(first(500), 1)).toContain("nobody checked it");
  expect(reasonOf(first(499), 1)).not.toContain("nobody checked it");
  expect(reasonOf([...first(7), said(3, x(900), by("ann"))], 3)).not.toContain("nobody checked it");
});

it("[FI41] its place by length stands in the reason", () => {
  const facts = [said(1, "Short.", by("ann")), said(2, "Somewhat longer.", by("bob"))];

  expect(reasonOf(facts, 2)).toContain("the longest of what agents said (16 characters)");
  expect(reasonOf(facts, 1)).toContain("number 2 by length of what agents said (6 characters)");
});

it("[FI41] no reason changes the order", () => {
  const facts = (next: string) => [
    said(1, long("I know."), by("ann")),
    said(2, next, by("bob")),
    said(3, long("It is longer than the first word."), by("ann")),
  ];

  expect(reasonOf(facts("Fine, thank you."), 1)).toContain("nobody checked it");
  expect(order(facts("Fine, thank you."))).toEqual([3, 1, 2]);
  expect(order(facts("Let me verify that."))).toEqual([3, 1, 2]);
  // The second of them repeats the first: it stays behind what is longer and has nothing against it.
  const words = ["Yes.", "Yes.", "It is so.", "It is the longest of them."];
  const repeating = words.map((text, at) => said(at + 1, text, by("ann")));
  expect(reasonOf(repeating, 2)).toContain("it repeats step 1");
  expect(reasonOf(repeating, 3)).toMatch(/^number 2 by length/);
  expect(order(repeating)).toEqual([4, 3, 1, 2]);
});

it("[FI40] a log without agents has no suspects, and the same log the same ones", () => {
  const facts = [said(1, "b"), said(2, "a"), said(3, "b")];

  expect(suspectsIn([said(1, "Hi", { role: "user" })]).suspects).toEqual([]);
  expect(suspectsIn(facts)).toEqual(suspectsIn(facts));
  // Of equals the earlier one.
  expect(order(facts)).toEqual([1, 2, 3]);
  expect(suspectsIn([returned(2, "look", "a")]).suspects).toEqual([]);
});

it("[FI43] a score is a share of the longest, and evidence is named", () => {
  const told = (facts: readonly TraceFact[]) =>
    suspectsIn(facts).suspects.map(({ score, evidence }) => [score, evidence]);
  const failing = (seq: number, tool: string) => [
    called(seq, tool),
    returned(seq + 1, tool, "Error: no"),
  ];

  expect(told([said(1, "abc"), said(2, "a")])).toEqual([
    [1, ["long"]],
    [0.333, []],
  ]);
  expect(told([said(1, "a")])).toEqual([[1, ["long"]]]);
  expect(told([...failing(1, "look"), ...failing(3, "peek"), said(5, "ab")])).toEqual([
    [1, ["failed-first", "not-mended"]],
    [1, ["long"]],
    [0, ["failed", "not-mended"]],
  ]);
  expect(suspectsIn([called(1, "look")]).suspects).toMatchObject([
    { score: 0, reason: "nothing speaks against it" },
  ]);
  expect([null, 2].map((step) => standsText({ step, seq: 4 }))).toEqual(["#4", "step 2 (#4)"]);
});

it("[FI43] each rule names three steps", () => {
  const guesses = (facts: readonly TraceFact[]) =>
    Object.fromEntries(
      suspectsIn(facts).guesses.map(({ rule, places }) => [rule, places.map(({ seq }) => seq)]),
    );
  const words = [
    ...[said(1, "aaaa", by("ann")), said(2, "bb", by("bob")), said(3, "aaaa", by("ann"))],
    said(4, "ddddd", by("cat")),
  ];
  const failed = [called(5, "look"), returned(6, "look", "Error: no")];

  expect(guesses(words)).toEqual({
    ...{ longest: [4, 1, 3], "failed-else-longest": [4, 1, 3], last: [4, 3, 2] },
    ...{ "most-frequent": [1, 3], shipped: [4, 1, 3], evidence: [3, 4, 1] },
  });
  expect(guesses([...words, ...failed])).toMatchObject({
    ...{ longest: [4, 1, 3], "failed-else-longest": [5, 4, 1], evidence: [5, 3, 4] },
  });
});

it("[FI42] shares count first places, first three and agents, and hold each rule against the order", () => {
  const places = (...steps: readonly number[]) =>
    steps.map((step) => ({ seq: step, step, agent: `agent-${step}` }));
  const log = (shipped: readonly number[], longest: readonly number[]): Marked => ({
    ...{ group: "one", mistake: { step: 1, agent: "agent-1" } },
    guesses: [
      { rule: "shipped", places: places(...shipped) },
      { rule: "longest", places: places(...longest) },
    ],
  });
  const rows = shareRows([log([1, 2, 3], [2, 3, 1]), log([1], [4])]);
  const row = (rule: GuessRule) => rows.find((one) => one.rule === rule);

  expect(row("shipped")).toMatchObject({ step: { estimate: 1 }, agent: { estimate: 1 } });
  expect(row("longest")).toMatchObject({
    ...{ step: { estimate: 0 }, three: { estimate: 0.5 }, agent: { estimate: 0 } },
    stepOver: { estimate: -1 },
  });
  expect(row("last")?.step.estimate).toBe(0);
});
