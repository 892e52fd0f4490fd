import { expect, it } from "vitest";
import type { MailOf } from "../src/machines/letter.ts";
import { UnknownQuestion } from "../src/run/why.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { Input } from "../src/substrate/port.ts";
import { narrate, nothingToAsk, questionForms, questions, why } from "./builtIn.ts";
import { choosing, delivery, felt, finished, goalEnded, routed } from "./handLog.ts";

const reply: Input = {
  ...{ kind: "reply", seq: 2, port: "port/llm.chat", from: "agent/cedar", purpose: "goal.choose" },
  ...{ nth: 1, request: "r", latencyMs: 1, deliveredAt: 2_000, choice: "goal:note" },
  event: { type: "llm.replied", text: "{}" },
};

/** A message, an answer, a call that was routed by an old fact, and a goal that failed. */
const log = [
  delivery({
    ...{ seq: 1, from: "outside/ask", cause: null },
    event: { type: "host.message", agent: "cedar", text: "Do it." },
  }),
  delivery({
    ...{ seq: 2, from: "port/llm.chat", cause: 1 },
    event: { type: "llm.replied", text: '{"action":"goal","content":"Do it"}' },
  }),
  delivery({ seq: 3, event: { type: "tools.asked" } }),
  delivery({
    ...{ seq: 4, to: "engine", from: "outside/operator", cause: null },
    event: { type: "folder.changed", path: "/tools/ghost.json", text: null },
  }),
  routed(5, "ghost", { cause: 3, because: [4] }),
  {
    ...finished(6, true, { capability: "ghost", nothing: true }),
    ...{ re: 3, cause: 5, because: [5] },
  },
  goalEnded(7, "abandoned", { cause: 6, because: [6, 3] }),
  felt(8, 8_000, { cause: 7, because: [7] }),
];

const seqs = (question?: string) => why(log, [reply], question)?.chain.map(({ seq }) => seq);

it("[VB12] follows facts before triggers, from the effect back to what came from outside", () => {
  expect(why(log, [reply], "goal:cedar/1")).toMatchObject({
    question: "goal:cedar/1",
    origins: [{ kind: "outside", id: "operator", seq: 4 }],
    alike: 1,
  });
  expect(seqs("goal:cedar/1")).toEqual([7, 6, 5, 4]);
});

it("[VB12] an answer that was cut off goes back to its choice, by the name that can be taken out", () => {
  const cut: Input = { ...reply, choice: "goal:note (cut off)" };

  expect(why(log, [cut], "2")?.origins).toMatchObject([
    { kind: "choice", id: "goal:note", seq: 2 },
    { kind: "outside", id: "ask", seq: 1 },
  ]);
});

it("[VB12] follows triggers where no fact is named, and names the model's choice on its way", () => {
  expect(why(log, [reply], "3")).toMatchObject({
    chain: [
      { seq: 2, type: "llm.replied", atMs: 2_000, actor: "agent/cedar" },
      { seq: 1, says: 'The host told cedar: "Do it."' },
    ],
    origins: [
      { kind: "choice", id: "goal:note", seq: 2 },
      { kind: "outside", id: "ask", seq: 1 },
    ],
  });
});

it("[VB12, VB56] without a question it explains a failed goal, and a stressor only where nothing failed", () => {
  const felt = log.slice(0, 6).concat(log.slice(7));

  expect(why(log, [reply])?.question).toBe("goal:cedar/1");
  expect(why(log.slice(0, 7), [reply])?.question).toBe("goal:cedar/1");
  expect(why(felt, [reply])?.question).toBe("stressor:cedar/repeated_failure");
  expect(why(log.slice(0, 6), [reply])).toBeUndefined();
});

it("[VB12] where nothing failed, an install comes before a skill, a lesson, a run of a macro that failed, and a stressor", () => {
  const run = { name: "tidy", agent: "cedar", cycle: 1, run: 1, ran: 1, total: 2 };
  const stressor = felt(1, 1_000, { cause: null });
  const macro = delivery({
    seq: 2,
    event: { type: "macro.ended", ...run, ok: false, reason: "x" },
  });
  const well = delivery({ seq: 2, event: { type: "macro.ended", ...run, ok: true, reason: null } });
  const expired = delivery({
    seq: 3,
    event: { type: "approval.expired", approval: "apr-1", agent: "cedar" },
  });
  const lesson = delivery({
    seq: 4,
    event: {
      ...{ type: "playbook.changed", lesson: "lesson-3", how: "dropped", cause: "never-helpful" },
      ...{ trigger: "sums", source: "self_play", challenge: "c", verified: true },
      ...{ utility: 1, size: 3, pins: 3 },
    },
  });
  const skill = delivery({
    seq: 5,
    event: {
      ...{ type: "skill.refused", skill: "news", agent: "cedar", stage: "testing" },
      ...{ cause: "test-run", found: "exit code 1", todo: "Mend it." },
    },
  });
  const install = delivery({
    seq: 6,
    event: { type: "install.refused", tool: "agent.spawn", by: "cedar", reasons: ["x"] },
  });
  const explained = (...those: Delivery[]) => why(those, [])?.question;

  expect(explained(stressor, well)).toBe("stressor:cedar/repeated_failure");
  expect(explained(stressor, macro)).toBe("2");
  expect(explained(stressor, macro, expired)).toBe("approval:apr-1");
  const starts = (...those: Delivery[]) => why(those, [])?.chain[0]?.seq;
  expect(starts(stressor, macro, lesson)).toBe(4);
  expect(starts(stressor, macro, lesson, skill)).toBe(5);
  expect(starts(stressor, macro, lesson, skill, install)).toBe(6);
});

it("[VB56] what went wrong first is the deepest of what went wrong, and no failure by itself", () => {
  const [, , , ...rest] = log;
  const alone = [goalEnded(7, "abandoned", { cause: null })];

  expect(why(rest, [])?.first).toMatchObject({ seq: 6, type: "call.finished" });
  expect(why(alone, [])?.chain.map(({ seq }) => seq)).toEqual([7]);
  expect(why(alone, [])).not.toHaveProperty("first");
});

it("[VB56] of several failures the first of those is explained to whose origin most go back, though it came later", () => {
  const failing = (seq: number, from: string, n: number): Delivery[] => [
    delivery({
      ...{ seq, to: "engine", from: `outside/${from}`, cause: null },
      event: { type: "folder.changed", path: `/tools/${from}.json`, text: "{}" },
    }),
    ...Array.from({ length: n }, (_, nth) =>
      goalEnded(seq + 1 + nth, "abandoned", { cause: null, because: [seq] }),
    ),
  ];
  const both = [...failing(10, "early", 1), ...failing(20, "late", 2)];

  expect(why(both, [])).toMatchObject({
    first: { seq: 20 },
    failures: { all: 3, alike: 2, origin: { kind: "outside", id: "late" } },
  });
  expect(why(both, [])?.chain[0]?.seq).toBe(21);
  expect(why(both.slice(0, -1), [])).toMatchObject({ first: { seq: 10 }, failures: { all: 2 } });
});

it("[VB56] the first 200 failures count", () => {
  const origin = (seq: number, from: string): Delivery =>
    delivery({
      ...{ seq, to: "engine", from: `outside/${from}`, cause: null },
      event: { type: "folder.changed", path: `/tools/${from}.json`, text: "{}" },
    });
  const failures = (of: number, n: number, first: number): Delivery[] =>
    Array.from({ length: n }, (_, nth) =>
      goalEnded(first + nth, "abandoned", { cause: null, because: [of] }),
    );
  const origins = [origin(10, "early"), origin(20, "late")];
  const firstOf = (...more: Delivery[][]) => why([...origins, ...more.flat()], [])?.first?.seq;

  // As many of both are early's, which went wrong first: the 201st of late does not count, the 200th of early does.
  expect(firstOf(failures(10, 100, 100), failures(20, 101, 200))).toBe(10);
  expect(firstOf(failures(20, 100, 100), failures(10, 100, 200))).toBe(10);
  expect(firstOf(failures(20, 100, 100), failures(10, 99, 200))).toBe(20);
});

it("[VB12] takes a delivery, a goal, a stressor, or a call by the seq of its request", () => {
  expect(seqs("5")).toEqual([5, 4]);
  expect(seqs("stressor:cedar/repeated_failure")).toEqual([8, 7, 6, 5, 4]);
  expect(seqs("call:3")).toEqual([6, 5, 4]);
  expect(seqs("call:5")).toEqual([5, 4]);
});

it.each([
  "goal:cedar/2",
  "goal:vault/1",
  "stressor:cedar/x",
  "call:99",
  "99",
  "why",
  "",
  "-1",
  "1.5",
])("[VB12] %j fits nothing, and what could be asked is named", (question) => {
  const known = ["goal:cedar/1", "stressor:cedar/repeated_failure"];

  expect(questions(log)).toEqual(known);
  expect(() => why(log, [reply], question)).toThrow(
    expect.objectContaining({ constructor: UnknownQuestion, known }),
  );
});

it("[VB12] every kind of question belongs to one part, and agents are spoken of before synt", () => {
  const kinds = questionForms.map((form) => form.split(":")[0]);

  expect(new Set(kinds).size).toBe(kinds.length);
  expect(kinds).toEqual([
    ...["goal", "stressor", "call", "revision", "approval"],
    ...["skill", "lesson", "macro", "request", "executor", "turn"],
  ]);
  expect(nothingToAsk.at(-1)).toBe("nothing was asked of synt");
});

it("[VB12] ends where the log ends: a cause that is not there is no error", () => {
  expect(why(log.slice(5, 7), [], "goal:cedar/1")?.chain.map(({ seq }) => seq)).toEqual([7, 6]);
});

it("[VB12] what a model chose goes back to what it was told, not to what it happened to see", () => {
  const asked = (because: number[]) =>
    delivery({
      ...{ seq: 9, to: "port/llm.chat", from: "agent/cedar", cause: 8, because },
      event: choosing(),
    });
  const originsOf = (because: number[]) => why([...log, asked(because)], [], "9")?.origins;

  expect(originsOf([1, 7])).toEqual([{ kind: "outside", id: "ask", seq: 1 }]);
  expect(originsOf([7])).toEqual([]);
});

it("[VB12, GO6] an end is asked for once, and shown once, though the keeper of lessons hears it too", () => {
  const log = [
    goalEnded(1, "abandoned", { to: "goalLedger" }),
    goalEnded(2, "abandoned", { to: "lessons/cedar" }),
  ];

  expect(questions(log)).toEqual(["goal:cedar/1"]);
  expect(log.map((one) => narrate(one) !== null)).toEqual([true, false]);
});

it("[VB12, GA1] a missed gate, a judgement and a lesson read as sentences", () => {
  const said = (event: Delivery["event"], to = "goalLedger") =>
    narrate(delivery({ seq: 1, to, event }));
  const missed: MailOf<"goalGate.judged"> = {
    ...{ type: "goalGate.judged", agent: "cedar", n: 3, part: "facts", verdict: "no" },
    ...{ passed: false, reason: "it names what is not there" },
  };
  const noted: Omit<MailOf<"lesson.noted">, "outcome"> = {
    ...{ type: "lesson.noted", agent: "cedar", n: 3, lesson: "Rest at night" },
    ...{ category: "tools", candidates: 1, promoted: 0 },
  };
  const reply = (answer: object): MailOf<"llm.replied"> => ({
    ...{ type: "llm.replied", text: JSON.stringify(answer) },
  });

  expect([
    said(missed),
    said({ ...missed, passed: true }),
    said({ ...noted, outcome: "promoted" }),
    said({ ...noted, outcome: "candidate" }),
    said({ ...noted, outcome: "none", lesson: null }),
    said(reply({ passes: false, reason: "nothing there" }), "goal/cedar/3"),
    said(reply({ lesson: null }), "lessons/cedar"),
  ]).toEqual([
    "cedar's goal 3 missed its gate (facts): it names what is not there.",
    null,
    "cedar learnt a rule: Rest at night",
    "cedar noted, from goal 3: Rest at night",
    null,
    "cedar's judge did not pass the goal: nothing there.",
    "cedar's model drew no lesson",
  ]);
});
