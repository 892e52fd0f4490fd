// Logs written by hand of agents of whose goals none was completed, and what is said of it.
import { expect, it } from "vitest";
import { fruitless } from "../../../src/actors/agents/fruitless.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { modelUse } from "../../builtIn.ts";
import { delivery, goalEnded, goalStarted } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

const found = (deliveries: readonly Delivery[], soFar = "") =>
  fruitless({ deliveries, use: modelUse(deliveries, []), soFar });
const requested = (seq: number, path: unknown, to = "engine") =>
  delivery({
    ...{ seq, to, from: "agent/cedar" },
    event: strangeEvent("call.requested", { agent: "cedar", params: { path } }),
  });
const ended = (seq: number, given: object) =>
  delivery({
    ...{ seq, to: "agent/cedar", re: seq - 1 },
    event: strangeEvent("call.finished", {
      ok: true,
      nothing: false,
      capability: "look",
      ...given,
    }),
  });
const missed = (seq: number, reason: string, to = "goal/cedar/1") =>
  delivery({ seq, to, event: strangeEvent("goalGate.judged", { passed: false, reason }) });
const begun = (seq: number, n: number, artifact = "/a.md") =>
  goalStarted(seq, { agent: "cedar", n, artifact });

it("[VB30] nothing is said where a goal was completed, or no agent acted", () => {
  expect(found([begun(1, 1), requested(2, "/a"), goalEnded(3, "completed")])).toEqual([]);
  expect(found([begun(1, 1), goalEnded(2, "abandoned")])).toEqual([]);
  expect(found([])).toEqual([]);
});

it("[VB30] it is said of goals, with those that had not ended; without a reason, that none came to its gate", () => {
  const what = (...log: readonly Delivery[]) => found([requested(1, "/a"), ...log], " so far")[0];

  expect(what()).toEqual({
    what: "Nothing came of what the agents did so far: no goal was begun.",
    reasons: ["No agent's goal came to its gate."],
  });
  expect(what(begun(2, 1), goalEnded(3, "abandoned"))).toEqual({
    what: "Nothing came of what the agents did so far: the only goal was not completed.",
    reasons: ["No agent's goal came to its gate."],
  });
  expect(what(begun(2, 1), goalEnded(3, "abandoned"), begun(4, 2))).toEqual({
    what: "Nothing came of what the agents did so far: none of 2 goals was completed.",
    reasons: ["1 of 2 goals had not ended when the run did."],
  });
});

it("[VB30] places that nothing fills are counted, in artifacts and in what the engine was asked", () => {
  const log = [
    begun(1, 1, "/agentOS/{agent}/{n}.md"),
    ...[requested(2, "/x/{agent}.md"), requested(3, "/{other}", "clerk"), requested(4, 7)],
  ];

  expect(found(log)[0]?.reasons.slice(0, 2)).toEqual([
    "{agent} stands in 2 paths and nothing fills it.",
    "{n} stands in 1 path and nothing fills it.",
  ]);
});

it("[VB30] steps that failed or returned nothing are counted, alike but for what differs from call to call", () => {
  const failed = (seq: number, error?: string) => ended(seq, { ok: false, error });
  const reasons = (...log: readonly Delivery[]) =>
    found([requested(1, "/a"), ...log.flatMap((one) => [requested(one.seq - 1, "/a"), one])])[0]
      ?.reasons;

  expect(
    reasons(
      failed(3, 'no "a" in /agentOS/workspace/a/b.md after 12 s.'),
      failed(5, 'no "b" in /agentOS/workspace/c.md after 1.5 s'),
      failed(7),
    ),
  ).toEqual([
    "3 steps, none served.",
    '2 steps failed: no "…" in /agentOS/workspace/… after N s.',
    "1 step failed: no reason given.",
  ]);
  expect(reasons(ended(3, {}), failed(5, "v2 of tool_3 is gone"))).toEqual([
    "1 step failed: v2 of tool_3 is gone.",
  ]);
  expect(
    reasons(ended(3, { nothing: true }), ended(5, { nothing: true, capability: "b" })),
  ).toEqual([...["1 call of look returned nothing.", "1 call of b returned nothing."]]);
  expect(reasons(ended(3, { nothing: true, ok: false, error: "none" }))).toEqual([
    ...["1 step, none served.", "1 step failed: none."],
  ]);
});

it("[VB30] gates that were missed are counted once, and of reasons the three most frequent are told", () => {
  const log = [
    requested(1, "/a"),
    ...[missed(2, "too short: 12 characters"), missed(3, "too short: 7 characters.")],
    ...[
      missed(4, "no file"),
      missed(5, "no file", "lessons/cedar"),
      missed(6, "b"),
      missed(7, "c"),
    ],
  ];

  expect(found(log)[0]?.reasons).toEqual([
    "2 gates missed: too short: N characters.",
    ...["1 gate missed: no file.", "1 gate missed: b."],
  ]);
});
