// Sections of SPEC.md: Blame and prevent. Who is suspected of an outcome, from logs written by hand.
import { expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import type { MailEvent } from "../../src/machines/letter.ts";
import { changeText } from "../../src/run/causes/changes.ts";
import { type Effect, measured } from "../../src/run/causes/effect.ts";
import { type Suspect, suspectsOf, toolAnswering } from "../../src/run/causes/suspects.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import type { Input } from "../../src/substrate/port.ts";
import { loadScenario } from "../builtInScenarios.ts";
import { choosing, delivery, felt, goalEnded } from "../handLog.ts";
import { strangeEvent } from "../mail.ts";

const { scenario } = loadScenario("lock-feedback");
const failed = (value = 1): Effect =>
  measured({ metric: "goals.abandoned", actor: null, op: ">=", value, at: "end" });

const outside = (seq: number, id: string, event: MailEvent = said) =>
  delivery({ seq, from: `outside/${id}`, cause: null, event });
const said: MailEvent = { type: "host.message", agent: "cedar", text: "Go" };
const asked = (seq: number, cause: number) =>
  delivery({ seq, to: "port/llm.chat", from: "agent/cedar", cause, event: choosing() });
const answered = (seq: number, re: number) =>
  delivery({
    ...{ seq, from: "port/llm.chat", cause: re, re },
    event: { type: "llm.replied", text: "{}" },
  });
const reply = (seq: number, choice: string | undefined, nth = 1): Input => ({
  ...{ kind: "reply", seq, port: "port/llm.chat", from: "agent/cedar", purpose: "goal.choose" },
  ...{ nth, request: "r", latencyMs: 1, deliveredAt: seq * 1_000 },
  ...(choice !== undefined && { choice }),
  event: { type: "llm.replied", text: "{}" },
});

const suspected = (
  deliveries: readonly Delivery[],
  inputs: readonly Input[] = [],
  effect: Effect = failed(),
  untilMs = 99_000,
) => suspectsOf(parts, { scenario, deliveries, inputs }, effect, untilMs);
const brief = (all: readonly Suspect[]) =>
  all.map(({ change, first, atMs, place, behind }) => [
    changeText(change),
    first,
    atMs,
    place,
    behind,
  ]);

/** Asked at 1, answered at 3, failed at 6; what came at 4 and 7 is connected with nothing. */
const log = [
  outside(1, "ask"),
  asked(2, 1),
  answered(3, 2),
  outside(4, "other"),
  delivery({ seq: 5, cause: 3, event: { type: "tools.asked" } }),
  goalEnded(6, "abandoned", { cause: 5 }),
  outside(7, "late"),
];

it("[BL13] what an outcome rests on is suspected from where it could make a difference: a choice from its question on", () => {
  const { suspects, besides, starts } = suspected(log, [reply(3, "goal:a")], failed(), 6_500);

  expect(brief(suspects)).toEqual([
    ["without goal:a", "agent/cedar, goal.choose, call 1", 3_000, 1, 1],
    ["without ask", null, 1_000, 0, 1],
  ]);
  expect(brief(besides)).toEqual([["without other", null, 4_000, 3, 0]]);
  expect(starts).toBe(1);
});

it("[BL31] an input beside it is suspected as long as the outcome was not certain, the later ones first", () => {
  const ids = (untilMs: number) =>
    suspected(log, [], failed(), untilMs).besides.map(({ change }) => changeText(change));

  expect(ids(7_000)).toEqual(["without late", "without other"]);
  expect(ids(6_999)).toEqual(["without other"]);
  // What makes the outcome came by then.
  expect(suspected(log, [], failed(), 5_999)).toMatchObject({ suspects: [], starts: 0 });
});

it("[BL13] those behind more of the outcome come first, each by where it came first", () => {
  const more = [
    ...log.slice(0, 6),
    ...[outside(8, "ask"), asked(9, 8), answered(10, 9), goalEnded(11, "abandoned", { cause: 10 })],
  ];
  const { suspects, starts } = suspected(more, [reply(3, "goal:a"), reply(10, "goal:b goal:a", 2)]);

  expect(brief(suspects)).toEqual([
    ["without goal:a", "agent/cedar, goal.choose, call 1", 3_000, 1, 2],
    ["without ask", null, 1_000, 0, 2],
    ["without goal:b", "agent/cedar, goal.choose, call 2", 10_000, 7, 1],
  ]);
  expect(starts).toBe(2);
});

it("[BL13] nobody is suspected who cannot be left out: the stage, the first actors, answers that nobody made", () => {
  const born = (seq: number, dueMs: number) => ({
    ...outside(seq, "cedar", { type: "actor.start", machine: "agent", address: "a", input: {} }),
    dueMs,
  });
  const behind = (...first: readonly Delivery[]) => {
    const end = goalEnded(9, "abandoned", { because: first.map(({ seq }) => seq) });
    return suspected([...first, end], [reply(3, "synt:nothing person:nobody")]).suspects;
  };

  expect(behind(outside(1, "stage"), born(2, 0), { ...answered(3, 2), cause: 1 })).toEqual([]);
  expect(brief(behind(born(2, 5)))).toEqual([["without cedar", null, 5, 0, 1]]);
});

it("[BL21] a tool that answered as if all were well is suspected, from its call on", () => {
  const called = (seq: number, purpose = "call") =>
    delivery({
      ...{ seq, to: "port/sandbox.run", from: "engine", cause: 1 },
      event: strangeEvent("sandbox.run", { purpose, name: "find" }),
    });
  const came = (seq: number, ok: boolean, re = 2) =>
    delivery({
      ...{ seq, to: "engine", from: "port/sandbox.run", re },
      event: strangeEvent("sandbox.replied", { ok, result: 1 }),
    });
  const toolOf = (...all: readonly Delivery[]) =>
    all.map(toolAnswering(all)).filter((tool) => tool !== undefined);
  const own = reply(3, undefined);

  expect(toolOf(called(2), came(3, true))).toEqual(["find"]);
  expect(toolOf(called(2), came(3, false))).toEqual([]);
  expect(toolOf(called(2, "test"), came(3, true))).toEqual([]);
  expect(toolOf(called(2), came(3, true, 7))).toEqual([]);
  expect(toolOf(called(2), { ...came(3, true), from: "engine" })).toEqual([]);
  // What answers without naming its question answers what caused it.
  const { re: _, ...unnamed } = came(3, true);
  expect(toolOf(called(2), { ...unnamed, cause: 2 })).toEqual(["find"]);
  expect(
    brief(
      suspected(
        [outside(1, "ask"), called(2), came(3, true), goalEnded(4, "abandoned", { cause: 3 })],
        [own],
      ).suspects,
    ),
  ).toEqual([
    ["with the fault fails@find", "agent/cedar, goal.choose, call 1", 3_000, 1, 1],
    ["without ask", null, 1_000, 0, 1],
  ]);
});

it("[BL29] mail is suspected by its name from the common point on, what makes the outcome not", () => {
  const birth = (seq: number, address: string, cause: number | null = 1) =>
    delivery({
      ...{ seq, to: "kernel", from: "daemon", cause },
      event: { type: "actor.start", machine: "goal", address, input: {} },
    });
  const { mailFrom } = suspected([
    outside(1, "ask"),
    birth(2, "agent/a"),
    birth(3, "agent/b", 2),
    goalEnded(4, "abandoned", { cause: 3 }),
  ]);

  expect(brief(mailFrom(0))).toEqual([
    ["without birth:agent/b", "from daemon", 3_000, 2, 1],
    ["without birth:agent/a", "from daemon", 2_000, 1, 1],
  ]);
  expect(mailFrom(2).map(({ change }) => changeText(change))).toEqual(["without birth:agent/b"]);
  expect(mailFrom(3)).toEqual([]);
  const log = [outside(1, "ask"), birth(2, "agent/a"), birth(3, "agent/b", 2)];
  const broken = suspected(log, [], {
    ...failed(),
    ...{ kind: "broken", property: "x" },
  } as Effect);
  expect(brief(broken.mailFrom(0)).map(([first]) => first)).toEqual(["without birth:agent/a"]);
});

it("[BL13] of more than 60 deliveries that make the outcome 60 are looked at, the first and the last among them", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => [
      outside(2 * n + 1, `ask-${n}`),
      goalEnded(2 * n + 2, "abandoned", { cause: 2 * n + 1, event: { n } }),
    ]).flat();
  const looked = (count: number) => {
    const { suspects, starts } = suspected(many(count), [], failed(), 999_000);
    return [starts, suspects.at(-1)?.change, suspects[0]?.change];
  };

  expect(looked(60)).toEqual([60, { kind: "event", id: "ask-0" }, { kind: "event", id: "ask-59" }]);
  expect(looked(61)).toEqual([60, { kind: "event", id: "ask-0" }, { kind: "event", id: "ask-60" }]);
});

it("[BL1] a question rests on what `why` answers it with, a broken promise on the last delivery", () => {
  const felt5 = felt(5, 5_000, { cause: 3 });
  const all = [...log.slice(0, 4), felt5, outside(6, "last")];
  const question: Effect = { kind: "asked", question: "stressor:cedar/repeated_failure", says: "" };
  const broken: Effect = { kind: "broken", property: "P1", says: "" };
  const of = (effect: Effect, untilMs = 99_000) =>
    suspected(all, [], effect, untilMs).suspects.map(({ change }) => changeText(change));

  expect(of(question)).toEqual(["without ask"]);
  expect(of(broken)).toEqual(["without last"]);
  expect(of(broken, 5_999)).toEqual(["without ask"]);
});

it("[BL13] what an outcome rests on at several places counts from the first, behind one start or several", () => {
  const twice = [outside(1, "ask"), outside(2, "ask")];
  const ended = (seq: number, cause: number, because: readonly number[] = []) =>
    goalEnded(seq, "abandoned", { cause, because });
  const found = (...ends: readonly Delivery[]) =>
    brief(suspected([...twice, ...ends], [], failed(ends.length)).suspects);

  expect(found(ended(3, 2, [1]))).toEqual([["without ask", null, 1_000, 0, 1]]);
  expect(found(ended(3, 2), ended(4, 1))).toEqual([["without ask", null, 1_000, 0, 2]]);
});
