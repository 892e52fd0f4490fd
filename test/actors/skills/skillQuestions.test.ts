// What can be asked of a log of skills, and where the answers lead.

import { expect, it } from "vitest";
import { firstFew } from "../../../src/actors/skills/firstFew.ts";
import { trail } from "../../../src/actors/skills/questions.ts";
import { sentence } from "../../../src/actors/skills/skillPast.ts";
import type { MailEvent, MailOf } from "../../../src/machines/letter.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { questions, why } from "../../builtIn.ts";
import { delivery, finished, goalEnded, routed } from "../../handLog.ts";

const input = {
  ...{ name: "news", agent: "cedar", keeper: "skills", description: "Gets the news.", kept: null },
  ...{ parametersSchema: { type: "object", properties: { limit: {} } }, payload: "{}" },
  code: "import sys\nprint(1)\n",
};
const born = (seq: number, kept: "active" | null = null) =>
  delivery({
    ...{ seq, to: "kernel", from: "skills" },
    event: {
      ...{ type: "actor.start", machine: "skill", address: "skill/news" },
      input: { ...input, kept },
    },
  });
const toKeeper = (seq: number, event: MailEvent, cause = seq - 1) =>
  delivery({ seq, to: "skills", from: "skill/news", cause, event });
const stepped = (seq: number, stage: "normalising" | "testing", detail: string) =>
  toKeeper(seq, { type: "skill.stepped", skill: "news", agent: "cedar", stage, detail });
const printed = (seq: number) =>
  delivery({
    ...{ seq, to: "skill/news", from: "port/sandbox.run" },
    event: {
      ...{ type: "sandbox.replied", functionName: "run", isNone: false, needsArguments: false },
      ...{ ok: true, timedOut: false, result: { exitCode: 0, stdout: "1\n", stderr: "" } },
    },
  });
const toSkill = (seq: number, event: MailEvent, cause = seq - 1) =>
  delivery({ seq, to: "skill/news", from: "skills", cause, event });
const counted = (seq: number, failureCount: number, cause = seq - 1) => {
  const event: MailOf<"skill.counted"> = {
    ...{ type: "skill.counted", skill: "news", agent: "cedar", usageCount: 0, failureCount },
    outcome: failureCount === 0 ? "success" : "failure",
    ...{ cause: "IndexError", status: failureCount < 3 ? "active" : "degraded" },
  };
  return toSkill(seq, event, cause);
};
const failed = (
  seq: number,
  capability: string | null,
  given: Partial<Delivery>,
  error: string,
) => ({
  ...finished(seq, false, { capability, error }),
  ...given,
});
const asked = (seq: number) =>
  delivery({
    seq,
    event: {
      ...{ type: "call.requested", agent: "cedar", cycle: 1, intent: "news, please", params: {} },
    },
  });

/** Written, tested and registered as #7; of use to goal 2; then failing until it is degraded by #15. */
const made = [
  born(1),
  stepped(2, "normalising", "a CDATA wrapper is off"),
  printed(3),
  stepped(4, "testing", "it ran to its end"),
  toKeeper(5, {
    ...{ type: "skill.registering", skill: "news", agent: "cedar", code: input.code },
    ...{ description: "Gets the news.", parametersSchema: {} },
  }),
  toSkill(7, { type: "skill.registered", ok: true, status: "active", saving: "new" }, 5),
  counted(8, 0),
  delivery({
    ...{ seq: 9, to: "goal/cedar/2" },
    event: {
      ...{ type: "step.ended", ok: true, capability: "news", wrote: [], nothing: false, fact: 8 },
      ...{ error: null, kind: "skill" },
    },
  }),
  routed(10, "news", {
    event: { intent: "news, please" },
  }),
];
const worn = [
  ...made,
  counted(13, 1, 12),
  counted(15, 3, 14),
  delivery({
    ...{ seq: 16, to: "engine", from: "skills", cause: 14 },
    event: { type: "capability.answered", ok: false, error: "news: IndexError" },
  }),
  failed(17, "news", { cause: 16, because: [16] }, "news: IndexError"),
  goalEnded(18, "abandoned", { because: [17] }),
];

const chainOf = (log: readonly Delivery[], question: string) =>
  why(log, [], question)?.chain.map(({ seq, says }) => [seq, says]);
const startOf = (log: readonly Delivery[]) => why(log, [], "skill:news")?.chain[0];

const creation = [
  [
    7,
    "news is a skill now. In this run it was called 3 times: 1 went well, 2 failed; it served goal cedar/2.",
  ],
  [5, "news is in the store; its row is written last."],
  [4, "news passed its test run with {}: exit code 0, and it printed 1."],
  [2, "news passed normalising: a CDATA wrapper is off."],
  [
    1,
    "cedar wrote news (Gets the news.): 2 lines of code, parameters limit, to be tested with {}.",
  ],
];

it("[SK51] a goal that failed because of a skill leads to the skill, and from there to its creation", () => {
  expect(chainOf(worn, "goal:cedar/1")).toEqual([
    [18, expect.stringMatching(/^cedar failed goal 1/)],
    [17, expect.stringMatching(/call of news failed: news: IndexError/)],
    [15, "news failed: IndexError. It is degraded after 3 failures in a row."],
    ...creation,
  ]);
});

it("[SK51] a call that nothing serves any more leads to the skill that served it", () => {
  const log = [...worn, asked(20), failed(21, null, { re: 20 }, "no match")];

  expect(chainOf(log, "21")?.slice(1)).toEqual([
    [15, "news failed: IndexError. It is degraded after 3 failures in a row."],
    ...creation,
  ]);
});

it("[SK51] a call of a skill that swallowed what it was given leads to the skill", () => {
  const log = [...made, finished(12, true, { capability: "news", kind: "skill", nothing: true })];

  expect(chainOf(log, "12")?.[1]).toEqual([
    7,
    "news is a skill now. In this run it was called 1 time: 1 went well, but 1 of these came to nothing; it served goal cedar/2.",
  ]);
});

it("[SK51] what another capability of its name did is not the skill's", () => {
  const stranger = delivery({
    ...{ seq: 32, to: "goal/cedar/2" },
    event: {
      ...{ type: "step.ended", ok: true, capability: "news", wrote: [], nothing: false, fact: 31 },
      error: null,
    },
  });
  const log = [
    born(31, "active"),
    stranger,
    finished(33, true, { capability: "news", nothing: true }),
  ];

  expect(startOf(log)?.says).toBe(
    "news was a skill from the start: Gets the news. In this run it was never called by its name.",
  );
  expect(trail.rests?.(log).get(33)).toBeUndefined();
});

it("[SK51] why skill:NAME begins at what went wrong last, else at how it came to be", () => {
  expect(startOf(made)).toMatchObject({
    seq: 7,
    says: "news is a skill now. In this run it was called 1 time: 1 went well; it served goal cedar/2.",
  });
  const brokenOff = [13, 14].map((seq) => {
    const one = counted(seq, 0);
    return { ...one, event: { ...one.event, outcome: "infra" } } as Delivery;
  });
  expect(startOf([...made, ...brokenOff])?.says).toContain(
    "called 3 times: 1 went well, 2 were broken off by the machine;",
  );
  expect(startOf(worn)?.seq).toBe(15);
  expect(startOf([born(1, "active")])?.says).toBe(
    "news was a skill from the start: Gets the news. In this run it was never called by its name.",
  );
  expect(() => startOf([])).toThrow(/nothing in this run/);
});

it("[SK51] of a long description 120 characters are told", () => {
  const says = (length: number) => {
    const one = born(1, "active");
    const given = { ...input, kept: "active", description: `${"x".repeat(length - 1)}.` };
    return startOf([{ ...one, event: { ...one.event, input: given } } as Delivery])?.says;
  };

  expect(says(120)).toContain(`: ${"x".repeat(119)}. In this run`);
  expect(says(121)).toContain(`: ${"x".repeat(120)}… In this run`);
});

it("[SK51] a description without a mark at its end gets one, so that it runs into nothing", () => {
  expect(["Gets news", "Gets news.", "Any news?", "Said “so.”"].map(sentence)).toEqual([
    "Gets news.",
    "Gets news.",
    "Any news?",
    "Said “so.”",
  ]);
});

it("[SK51] a skill that was refused and then created is asked about as the skill that it is", () => {
  const refusal = toKeeper(32, {
    ...{ type: "skill.refused", skill: "news", agent: "cedar", stage: "testing" },
    ...{ cause: "test-run", found: "exit code 1", todo: "Mend it." },
  });

  expect(startOf([born(31), refusal])?.seq).toBe(32);
  expect(startOf([...made, born(31), refusal])?.seq).toBe(7);
});

it("[SK51] a program that was run to reach a skill is told where it failed, until the skill is called well", () => {
  const log = [
    born(1, "active"),
    failed(3, "shell_exec", { re: 2 }, "no python."),
    delivery({
      seq: 4,
      to: "skills",
      event: {
        ...{ type: "call.reported", agent: "cedar", cycle: 1, caller: "agent/cedar", call: 2 },
        ...{ intent: "run", params: {}, capability: "shell_exec", ok: false, result: null },
        ...{ error: "no python.", nothing: false, wrote: [] },
      },
    }),
    toKeeper(5, {
      type: "skill.wrapped",
      skill: "news",
      agent: "cedar",
      wrap: "import",
      isTold: true,
    }),
  ];

  expect(chainOf(log, "3")?.[0]?.[1]).toBe(
    "cedar's call of shell_exec failed, by which it reached for the skill news instead of calling it by its name: no python.",
  );
  expect(startOf(log)?.seq).toBe(5);
  expect(startOf([...log, counted(6, 0)])?.says).toContain("1 program was run to reach it");
  const again = log.slice(-1).map((one) => ({ ...one, seq: 7 }));
  expect(startOf([...log, ...again])?.seq).toBe(7);
  expect(startOf([...log, ...again, counted(8, 0)])?.says).toContain(
    "2 programs were run to reach it.",
  );
  // Of a log that was made up, nothing may be known of the call.
  const alone = log.slice(-1).map((one) => ({ ...one, cause: null }));
  expect(startOf([...log.slice(0, -1), ...alone])?.seq).toBe(5);
});

it("[SK51] a failure leads to who changed last what the call read, since a call of it went well", () => {
  const write = (seq: number) =>
    delivery({ seq, to: "files", event: { type: "files.list", path: "/" } as never });
  const read = (seq: number, because: readonly number[]) => [
    delivery({ seq, to: "skill/news", because, event: { type: "files.view" } as never }),
    delivery({
      seq: seq + 1,
      to: "port/sandbox.run",
      cause: seq,
      event: { type: "sandbox.run" } as never,
    }),
    { ...printed(seq + 2), cause: seq + 1 },
    counted(seq + 3, 1),
  ];
  const restsOn = (...log: readonly Delivery[]) => trail.rests?.(log).get(15);

  expect(restsOn(...made, write(11), ...read(12, [6, 11]))).toBe(11);
  // After it was registered, and before it went well.
  expect(restsOn({ ...write(6), dueMs: 7_500 }, ...made, ...read(12, [6]))).toBe(7);
});

it("[SC10] a registration is what need not have been, and nothing else of skills", () => {
  const otherwise = (one: Delivery) => trail.otherwise?.(one);
  const found = made.flatMap((one) => otherwise(one) ?? []);

  expect(found).toEqual([{ id: "registration:news", event: null }]);
});

it("[SK51] that a skill is retired rests on what went wrong with it, and no other end does", () => {
  const left = (how: "retired" | "lost" | "replaced") =>
    toSkill(19, { type: "skill.left", skill: "news", how, because: "it failed" } as MailEvent);
  const restsOn = (...log: readonly Delivery[]) => trail.rests?.(log).get(19);

  expect(restsOn(...worn, left("retired"))).toBe(15);
  expect(restsOn(...made, left("retired"))).toBe(7);
  expect(chainOf([...worn, left("retired")], "skill:news")).toContainEqual([
    ...[7, expect.stringContaining("Until it ended it was called 3 times")],
  ]);
  expect([restsOn(...worn, left("lost")), restsOn(...worn, left("replaced"))]).toEqual([
    ...[undefined, undefined],
  ]);
  const begins = (["retired", "lost", "replaced"] as const).map(
    (how) => startOf([...worn, left(how)])?.seq,
  );
  expect(begins).toEqual([19, 19, 15]);
  const again = [
    ...[...made, born(31)],
    toSkill(33, { type: "skill.registered", ok: true, status: "active", saving: "changed" }),
  ];
  expect(startOf(again)?.seq).toBe(33);
  expect(chainOf(again, "7")?.[0]?.[1]).toContain("Until it ended it was called 1 time");
});

it("[SK51] every skill can be asked about; what went wrong with one is told first", () => {
  expect(questions(made)).toEqual(["skill:news"]);
  expect(why(worn.slice(0, -2), [])?.chain[0]?.seq).toBe(15);
  expect(why(made, [])).toBeUndefined();
});

it.each([
  [["a"], "goal a"],
  [["a", "b", "c"], "goals a, b, c"],
  [["a", "b", "c", "d"], "4 goals (a, b, c, …)"],
])("[SK51] of the goals %j a skill or a lesson served %s", (names, says) => {
  expect(firstFew(names, "goal")).toBe(says);
});
