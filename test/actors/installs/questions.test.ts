// What can be asked of a log of installs, and where a chain of causes goes on.
import { expect, it } from "vitest";
import { hindsight, questions, trail } from "../../../src/actors/installs/questions.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { delivery, finished, goalEnded } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

const one = (seq: number, type: string, fields: object = {}, given: Partial<Delivery> = {}) =>
  delivery({ seq, to: "gateway", ...given, event: strangeEvent(type, fields) });
const rev = (seq: number, step: string, revision = "rev-1", given: Partial<Delivery> = {}) =>
  one(seq, `revision.${step}`, { revision, agent: "ink", before: null }, given);

it("[INS119] revisions and approvals can be asked for, each for what became of it last", () => {
  const log = [
    ...[rev(1, "created"), one(2, "approval.requested", { approval: "apr-1" })],
    ...[rev(3, "created", "rev-2"), one(4, "approval.used", { approval: "apr-1" })],
    ...[rev(5, "superseded"), one(6, "gate.refused", { revision: "rev-2" })],
    ...[rev(7, "standing"), one(8, "approval.recalled", { approval: "apr-1" })],
    rev(9, "rejected", "rev-3", { fate: "ignored" }),
  ];

  expect(questions.all(log)).toEqual(["revision:rev-1", "approval:apr-1", "revision:rev-2"]);
  expect(questions.all(log).map((asked) => questions.find(log, asked)?.seq)).toEqual([5, 4, 6]);
  expect(questions.find(log, "revision:rev-3")).toBeUndefined();
  expect(log.slice(6).map(questions.of)).toEqual([undefined, undefined, undefined]);
  expect(questions.forms).toEqual(["revision:ID", "approval:ID"]);
});

it.each([
  ["install.refused", {}, true],
  ["revision.rejected", {}, true],
  ["approval.expired", {}, true],
  ["reach.breached", {}, true],
  ["gate.refused", {}, true],
  ["approval.decided", { isApproved: false }, true],
  ["approval.decided", { isApproved: true }, false],
  ["revision.rolledBack", {}, undefined],
])("[INS119] %s %j went wrong: %s, and what nobody heard did not", (type, fields, is) => {
  expect(trail.wrong?.(one(1, type, fields))).toBe(is);
  expect(trail.wrong?.(one(1, type, fields, { fate: "stale" }))).toBe(is && false);
  // A shut gate is no trouble: it is what it is there for.
  const isTrouble = is === true && type !== "gate.refused";
  expect(questions.trouble([one(1, type, fields)])?.seq).toBe(isTrouble ? 1 : undefined);
});

it("[INS119] a rollback, and what is refused, goes on with the call; what a person approved does not explain it", () => {
  const asked = (tool: string) => one(8, "gateway.asked", { tool });
  const approved = one(7, "approval.decided");
  const behind = (type: string, ...facts: readonly Delivery[]) =>
    trail.behind?.(one(9, type), facts, undefined)?.map(({ seq }) => seq);
  const rollback = asked("agent.revision.rollback");

  for (const type of [
    ...["revision.rolledBack", "revision.activated", "revision.superseded", "install.refused"],
    "active.changed",
  ]) {
    expect(behind(type, approved, rollback)).toEqual([8]);
    expect(behind(type, approved, asked("agent.revise"))).toEqual(
      type === "install.refused" ? [8] : undefined,
    );
    expect(behind(type, rollback, approved)).toBeUndefined();
  }
  expect(behind("revision.created", approved, rollback)).toBeUndefined();
  expect(behind("install.refused")).toBeUndefined();
});

const wrote = (seq: number, agent: string, ...paths: readonly string[]) =>
  one(seq, "call.reported", { agent, wrote: paths });
const TOOL = "/agentOS/tools/dynamic/shout.py";
const lost = (seq: number, given: object = {}) =>
  finished(seq, false, { capability: "shout", ...given });
const failed = (seq: number, n: number, ...because: readonly number[]) =>
  goalEnded(seq, "abandoned", { event: { n }, because });

it("[INS119] what tools of its agent cost is counted once a goal, and the first five goals are named", () => {
  const begun = [rev(1, "activated"), wrote(2, "ink", TOOL)];
  const saysAfter = (...log: readonly Delivery[]) => [...hindsight([...begun, ...log])];
  const costly = (count: number) =>
    Array.from({ length: count }, (_, n) => [lost(10 + 2 * n), failed(11 + 2 * n, n, 10 + 2 * n)]);
  const cost = (count: number) => saysAfter(...costly(count).flat())[0]?.[1].split(" Tools ")[1];

  expect(saysAfter()).toEqual([]);
  expect(saysAfter(lost(3), failed(4, 1, 3), failed(5, 1, 3))).toEqual([
    [1, "rev-1 of ink is active. Tools of its agent cost 1 goal: goal:cedar/1."],
  ]);
  expect(cost(5)).toBe(
    "of its agent cost 5 goals: goal:cedar/0, goal:cedar/1, goal:cedar/2, goal:cedar/3, goal:cedar/4.",
  );
  expect(cost(6)).toContain("goal:cedar/4 and 1 more.");
  expect(cost(7)).toBe(
    "of its agent cost 7 goals: goal:cedar/0, goal:cedar/1, goal:cedar/2, goal:cedar/3, goal:cedar/4 and 2 more.",
  );
});

it("[INS119] a tool costs where nothing came of a call of it, or it failed, and its agent wrote it last", () => {
  const after = (...log: readonly Delivery[]) =>
    hindsight([rev(1, "activated"), ...log, failed(9, 1, 5)]).size;

  expect(after(wrote(2, "ink", TOOL), lost(5))).toBe(1);
  expect(after(wrote(2, "ink", TOOL), lost(5, { ok: true, nothing: true }))).toBe(1);
  expect(after(wrote(2, "ink", TOOL), lost(5, { ok: true }))).toBe(0);
  expect(after(wrote(2, "ink", "/agentOS/workspace/shout.py"), lost(5))).toBe(0);
  expect(after(wrote(2, "ink", TOOL), wrote(3, "cedar", TOOL), lost(5))).toBe(0);
  expect(after(wrote(2, "cedar", TOOL), lost(5))).toBe(0);
  expect(after(wrote(2, "ink", TOOL), { ...lost(5), fate: "ignored" })).toBe(0);
  expect(
    hindsight([rev(1, "activated"), wrote(2, "ink", TOOL), lost(5), goalEnded(9, "completed")])
      .size,
  ).toBe(0);
});
