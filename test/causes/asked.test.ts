// Sections of SPEC.md: Blame and prevent. What is in reach of a search, and whom it asks about, with trials written by hand.
import { expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { policyLeaves } from "../../src/contract/policyTree.ts";
import type { MailEvent } from "../../src/machines/letter.ts";
import { type Asked, blameOf, preventOf, reachOf } from "../../src/run/causes/asked.ts";
import { type Change, changeText } from "../../src/run/causes/changes.ts";
import { measured } from "../../src/run/causes/effect.ts";
import type { Suspect } from "../../src/run/causes/suspects.ts";
import type { Input } from "../../src/substrate/port.ts";
import { Meter } from "../builtIn.ts";
import { loadScenario } from "../builtInScenarios.ts";
import { choosing, delivery, goalEnded } from "../handLog.ts";
import { strangeEvent } from "../mail.ts";
import { playing, type World } from "./planted.ts";

const said: MailEvent = { type: "host.message", agent: "cedar", text: "Go" };
const outside = (seq: number, id: string) =>
  delivery({ seq, from: `outside/${id}`, cause: null, event: said });
/** Asked at 2, answered at 3; a tool is called at 5 and answers at 6; it fails at 9. What came at 4, 7 and 8 is connected with nothing. */
const deliveries = [
  outside(1, "ask"),
  delivery({ seq: 2, to: "port/llm.chat", from: "agent/cedar", cause: 1, event: choosing() }),
  delivery({
    ...{ seq: 3, from: "port/llm.chat", cause: 2, re: 2 },
    event: { type: "llm.replied", text: "{}" },
  }),
  ...["b", "c", "d", "e", "f", "g", "h"].map((id) => ({ ...outside(4, id), seq: 100 })),
  delivery({
    ...{ seq: 5, to: "port/sandbox.run", from: "engine", cause: 3 },
    event: strangeEvent("sandbox.run", { purpose: "call", name: "find" }),
  }),
  delivery({
    ...{ seq: 6, to: "engine", from: "port/sandbox.run", re: 5 },
    event: strangeEvent("sandbox.replied", { ok: true, result: 1 }),
  }),
  goalEnded(9, "abandoned", { cause: 3 }),
].map((one, at) => (one.seq === 100 ? { ...one, seq: 100 + at } : one));
const reply = (seq: number, choice: string): Input => ({
  ...{ kind: "reply", seq, port: "port/llm.chat", from: "agent/cedar", purpose: "goal.choose" },
  ...{ nth: 1, request: "r", latencyMs: 1, deliveredAt: seq * 1_000, choice },
  event: { type: "llm.replied", text: "{}" },
});
const meter = new Meter(["cedar"]);
for (const one of deliveries) meter.observe(one);

const base = loadScenario("lock-feedback").scenario;
const event = (id: string, atMs: number) => ({ ...base.events[0], id, atMs });
const variant = {
  ...{ why: "", events: [], expect: [] },
  policy: { "locks.enabled": false, "planner.heartbeatMs": 7_000 },
  without: { events: ["gone"], choices: ["goal:z"] },
};
const scenario = {
  ...base,
  policy: { "planner.heartbeatMs": 60_000 },
  events: [event("ask", 3_000), event("late", 3_001), event("gone", 1_000)],
  variants: {
    calm: variant,
    same: { ...variant, policy: {}, without: { events: [], choices: [] } },
  },
} as unknown as typeof base;
const run = {
  observed: { meter, result: { virtualMs: 20_000 } } as Asked["run"]["observed"],
  ...{ deliveries, inputs: [reply(3, "goal:b goal:a"), reply(4, "goal:late")], policy: {} },
  readMs: new Map([
    ["locks.enabled", 3_000],
    ["lessons.enabled", 3_001],
  ]),
};
const asking = (world: World, more: Partial<Asked> = {}) => {
  const play = playing(world);
  const asked: Asked = {
    ...{ parts, run, play, onStep: () => {}, onFound: () => {} },
    world: { scenario, variant: null, seed: 1, set: {}, untilMs: null },
    effect: measured({ metric: "goals.abandoned", actor: null, op: ">=", value: 1, at: "end" }),
    ...more,
  };
  const tried = (): readonly string[] => [
    ...new Set(play.asked.flatMap(({ changes }) => changes.map(changeText))),
  ];
  return { asked, play, tried };
};
const how = { isExact: false, withCurve: false, withShares: false, policy: true, runs: 10 };
const always: World = () => true;

it("[BL2] in reach is what came and what was read up to the moment, but not what the variant took out", () => {
  const { asked } = asking(always);
  const at = (untilMs: number, name: string | null = null) => {
    const { read, events, choices, tools } = reachOf(
      { ...asked, world: { ...asked.world, variant: name } },
      untilMs,
    );
    return { read: [...read], events, choices, tools };
  };

  expect(at(2_999)).toEqual({ read: [], events: ["gone"], choices: [], tools: [] });
  expect(at(3_000)).toEqual({
    ...{ read: ["locks.enabled"], events: ["ask", "gone"], choices: ["goal:a", "goal:b"] },
    tools: [],
  });
  expect(at(3_001, "calm").events).toEqual(["ask", "late"]);
  expect(at(5_999).tools).toEqual([]);
  expect(at(6_000)).toMatchObject({ choices: ["goal:a", "goal:b", "goal:late"], tools: ["find"] });
  const { leaves } = reachOf(asked, 0);
  expect(leaves.length).toBeLessThan(policyLeaves(parts).length);
  expect(leaves.map(([path]) => path)).toContain("locks.enabled");
});

it("[BL20] what did not come about is blamed on nothing; a broken promise is seen in the trials alone", async () => {
  const effect = measured({
    metric: "goals.abandoned",
    actor: null,
    op: ">=",
    value: 2,
    at: "end",
  });
  const broken = { kind: "broken", property: "P1", says: "" } as const;

  expect(await blameOf(asking(always, { effect }).asked, how)).toBeUndefined();
  expect(await blameOf(asking(always, { effect: broken }).asked, how)).toBeDefined();
});

it("[BL13, BL31] tried are what it rests on and the last six inputs beside it, from the first of them on", async () => {
  const { asked, play, tried } = asking(always);
  const answer = await blameOf(asked, { ...how, policy: false });

  expect(tried().toSorted()).toEqual(
    ["ask", "c", "d", "e", "f", "g", "goal:a", "goal:b", "h"].map((id) => `without ${id}`),
  );
  expect(answer).toMatchObject({ suspects: 9, unranked: 1, starts: 1, fromMs: 1_000 });
  expect(new Set(play.asked.map(({ from }) => from))).toEqual(new Set([0]));
  expect([answer?.curve, answer?.shared]).toEqual([undefined, undefined]);

  const few = asking(always);
  const ranked = await blameOf(few.asked, { ...how, policy: false, most: 2 });
  expect(ranked).toMatchObject({ suspects: 8, unranked: 2 });
});

it("[BL17, BL30] of leaves that were read and can change on the way the other values, of a variant's the scenario's", async () => {
  const { asked, tried } = asking(always);
  const leavesOf = (all: readonly string[]) => all.filter((one) => !one.startsWith("without"));
  const readMs = new Map([
    ["locks.enabled", 3_000],
    ["planner.heartbeatMs", 3_000],
    // Read by the start alone.
    ["registry.rescan", 0],
  ]);
  await blameOf({ ...asked, run: { ...run, readMs } }, how);
  expect(leavesOf(tried())).toEqual(["locks.enabled: false"]);

  const calm = asking(always);
  const world = { ...calm.asked.world, variant: "calm" };
  const policy = { "locks.enabled": false };
  await blameOf({ ...calm.asked, world, run: { ...run, policy } }, how);
  expect(leavesOf(calm.tried())).toEqual([
    ...["with goal:z", "lessons.enabled: false", "locks.enabled: true"],
  ]);
  const numbers = asking(always);
  const read = { ...run, policy, readMs };
  await blameOf({ ...numbers.asked, world, run: read }, how);
  expect(leavesOf(numbers.tried())).toEqual([
    ...["planner.heartbeatMs: 60000", "with goal:z", "locks.enabled: true"],
  ]);
  const kept = asking(always);
  await blameOf(
    { ...kept.asked, world: { ...world, set: { "planner.heartbeatMs": 8_000 } }, run: read },
    how,
  );
  expect(leavesOf(kept.tried())).toEqual(["with goal:z", "locks.enabled: true"]);
  const set = asking(always);
  await blameOf(
    { ...set.asked, world: { ...world, set: policy }, run: { ...run, policy } },
    { ...how, policy: false },
  );
  expect(leavesOf(set.tried())).toEqual(["with goal:z"]);
});

it("[BL18, BL22] asked for, the curve has twelve moments, and what it rests on is shared out", async () => {
  const { asked, play } = asking((has) => has("ask"));
  const answer = await blameOf(asked, { ...how, runs: 20, withCurve: true, withShares: true });

  expect(answer?.curve?.map(({ atMs, n }) => [atMs, n])).toEqual(
    Array.from({ length: 12 }, (_, at) => [Math.floor((9_000 * at) / 11), 10]),
  );
  // What came by then was before the moment.
  const places = play.asked.slice(-120).map(({ from }) => from);
  expect(places.filter((_, at) => at % 10 === 0)).toEqual([
    ...[0, 0, 1, 2, 3, 10, 10, 11, 12, 12, 12, 13],
  ]);
  expect(answer?.shared?.shares.map(({ says, share }) => [says, share.estimate])).toEqual([
    ["without ask", 1],
    ["without goal:b", 0],
    ["without goal:a", 0],
  ]);
});

it("[BL14, BL26] thirty continuations are gone on with, twice as many as long as there is time", async () => {
  const { runs: _, ...unbounded } = { ...how, policy: false };
  let left = 1;
  const timed = { ...unbounded, hasTime: () => left-- > 0 };
  const of = async (some: typeof unbounded) => {
    const told = (await blameOf(asking(always).asked, some))?.told;
    return [told?.looks, told?.asItWas.n];
  };

  expect(await of(unbounded)).toEqual([1, 30]);
  expect(await of(timed)).toEqual([2, 60]);
});

it("[BL13, BL29] the common point is before the first of those that are tried; where it rests on nothing, the start", async () => {
  const noise = delivery({ seq: 1, cause: null, event: { type: "tools.asked" } });
  const birth = delivery({
    ...{ seq: 4, to: "kernel", from: "daemon", cause: 3 },
    event: { type: "actor.start", machine: "goal", address: "agent/a", input: {} },
  });
  const of = async (log: typeof deliveries, most = 20) => {
    const steps: string[] = [];
    const { asked, play, tried } = asking(always, {
      run: { ...run, deliveries: log, inputs: [] },
      onStep: (says) => void steps.push(says),
    });
    const answer = await blameOf(asked, { ...how, most, policy: false, withShares: true });
    expect(steps[0]).toBe("looking for what else would have done it");
    const arms = play.asked.filter(({ isTelling }) => !isTelling);
    const from = [...new Set(arms.map((one) => one.from))];
    const looked = play.asked.length - arms.length;
    const shared = answer?.shared?.shares.map(({ says }) => says) ?? [];
    return { tried: tried().toSorted(), from, looked, shared };
  };
  const beside = [noise, outside(2, "b")];
  const end = (cause: number | null) => goalEnded(9, "abandoned", { cause });

  expect(await of([...beside, outside(3, "ask"), birth, end(4)])).toEqual({
    ...{ tried: ["without ask", "without birth:agent/a", "without b"].toSorted(), from: [1] },
    ...{ looked: 4, shared: ["without ask"] },
  });
  expect((await of([...beside, outside(3, "ask"), birth, end(4)], 1)).tried).toEqual([
    ...["without ask", "without b"],
  ]);
  expect(await of([noise, noise, outside(3, "ask"), end(3)])).toMatchObject({ from: [2] });
  expect(await of([...beside, { ...birth, cause: null }, end(4)])).toEqual({
    ...{ tried: ["without b"], from: [0], looked: 0, shared: [] },
  });
});

it("[BL24] what would have done it is looked for in three rounds, in four continuations each", async () => {
  const { asked } = asking(always);
  const told: Change[][] = [];
  const waiting = (id: string): Suspect => ({
    change: { kind: "choice", id },
    ...{ first: null, atMs: 0, place: 0, behind: 5 },
  });
  const play: Asked["play"] = async (trials) => {
    const telling = trials.filter(({ isTelling }) => isTelling);
    for (const { changes } of telling) told.push([...changes]);
    return trials.map(({ isTelling, changes }) => ({
      ...{ occurred: true, outcome: "ended", costs: {} },
      ...(isTelling && { suspects: [waiting(`next-${changes.length}`)] }),
    }));
  };
  const answer = await blameOf({ ...asked, play }, { ...how, policy: false });

  expect(told.map(({ length }) => length)).toEqual([3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]);
  const found = answer?.told.ranking.filter(({ says }) => says.includes("next"));
  const shared = await blameOf({ ...asked, play }, { ...how, most: 1, withShares: true });
  expect(shared?.shared?.shares.map(({ says }) => says)).toEqual([
    ...["without goal:b", "without next-3"],
  ]);
  expect(found?.map(({ says, suspect }) => [says, suspect?.behind])).toEqual([
    ["without next-3", 0],
    ["without next-4", 0],
    ["without next-5", 0],
  ]);
});

it("[BL9] variants that change something are tried, but not the one that was played; `--try` names some", async () => {
  const variants = {
    ...scenario.variants,
    other: { ...variant, policy: { "locks.enabled": true } },
  };
  const { asked } = asking((has) => has("goal:z"));
  const world = { ...asked.world, scenario: { ...scenario, variants } };
  const names = async (by: readonly string[] | undefined, variantPlayed: string | null = null) => {
    const told = await preventOf(
      { ...asked, world: { ...world, variant: variantPlayed } },
      { by, policy: false, runs: 2 },
    );
    return (by ? told.verified : told.variants).map((one) => one.variant);
  };

  expect(await names(undefined)).toEqual(["calm", "other"]);
  expect(await names(undefined, "calm")).toEqual(["other"]);
  expect(await names(["calm", "same"])).toEqual(["calm"]);
  const one = { ...variant, policy: {}, without: { events: ["ask"], choices: [] } };
  Object.assign(variants, { one });
  expect(await names(["one"])).toEqual(["one"]);
});

it("[BL2, BL3] twenty seeds verify eight answers, and values of the policy are tried unless that is not asked for", async () => {
  const ids = Array.from({ length: 10 }, (_, at) => `c${at}`);
  const { asked } = asking((has) => ids.every(has));
  const many = { ...asked, run: { ...run, inputs: [reply(3, ids.join(" "))] } };
  const of = async (policy: boolean) => {
    const told = await preventOf(many, { by: undefined, policy });
    return [told.asItWas?.n, told.verified.length, told.unverified.length, told.triedSingles];
  };

  // Ten choices, three inputs and a tool; two switches.
  expect(await of(false)).toEqual([20, 8, 2, 14]);
  expect(await of(true)).toEqual([20, 8, 2, 16]);
});
