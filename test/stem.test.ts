// Who leaves a world that runs have in common, and where.
import { expect, test } from "vitest";
import type { Policy } from "../src/contract/policyTree.ts";
import type { At, Letter } from "../src/machines/letter.ts";
import { done, type Service } from "../src/machines/service.ts";
import { Listening, Stem, type StemRun } from "../src/run/stem.ts";
import type { Behaviour } from "../src/substrate/behaviour.ts";
import type { SeenDelivery } from "../src/substrate/envelope.ts";
import type { Cast } from "../src/substrate/resident.ts";
import { serviceBehaviour } from "../src/substrate/serviceBehaviour.ts";
import { meterOf, simulate } from "./builtIn.ts";
import { loadScenario } from "./builtInScenarios.ts";

const at: At = { nowMs: 0, seq: 1, from: "x" };
const PATH = "bound";
const to: Letter = { to: "y", event: { type: "files.read", path: "/agentOS/x" } };
type Bound = { readonly bound: number };

/** What a machine makes of its bound, at each delivery. */
type Made = (policy: Bound) => {
  readonly state: object;
  readonly letters?: readonly Letter[];
  readonly done?: boolean;
};

/** Groups that left, after one delivery to a machine that was made of the first run's policy. */
function left(made: Made, bounds: readonly number[]): readonly (readonly number[])[] {
  const runs = bounds.map((bound): StemRun => ({ set: { [PATH]: bound } }));
  const groups: (readonly number[])[] = [];
  const boundOf = ({ set }: StemRun): number => Number(set[PATH]);
  // What a machine is made of is its policy, whichever leaves that has.
  const policyOf = (run: StemRun) => ({ bound: boundOf(run) }) as unknown as Policy;
  const castOf = (policy: Policy): Cast => {
    const service: Service<object> = {
      kind: "service",
      id: "toy",
      ignores: [],
      init: () => done({}),
      on: {
        "files.read": () => ({ letters: [], ...made(policy as unknown as Bound) }),
      },
    };
    return { toy: { behaviour: serviceBehaviour(service) as Behaviour, ports: [] } };
  };
  const stem = new Stem(runs, [PATH], new Listening([]), policyOf, (parted) => {
    groups.push(...parted.map((some) => some.map(boundOf)));
  });
  const [first] = runs;
  if (first === undefined) return [];
  const { toy } = stem.asking(castOf(stem.heard(policyOf(first))), castOf);
  const act = (): unknown => toy?.behaviour.receive("toy", {}, { ...to.event, at } as never);
  try {
    act();
  } catch (error) {
    groups.push([(error as Error).message === "too much" ? -1 : -2]);
  }
  expect(stem.runs.length + groups.flat().filter((one) => one >= 0).length).toBe(bounds.length);
  return groups;
}

test("[ST270] a run leaves whose machine comes to another state, other letters or an end, with those that came to the same", () => {
  const over = ({ bound }: Bound): boolean => bound > 10;

  expect(left((own) => ({ state: { over: over(own) } }), [1, 2, 30, 4, 50])).toEqual([[30, 50]]);
  expect(left((own) => ({ state: {}, letters: over(own) ? [to] : [] }), [1, 20, 3])).toEqual([
    [20],
  ]);
  expect(left((own) => ({ state: {}, done: over(own) }), [1, 2, 20])).toEqual([[20]]);
  expect(left(({ bound }) => ({ state: { bound } }), [1, 2, 3, 2])).toEqual([[2, 2], [3]]);
  expect(left((own) => ({ state: { [over(own) ? "a" : "b"]: 1 } }), [1, 20])).toEqual([[20]]);
});

test("[ST270] nobody leaves where the leaf is not read, or decides nothing", () => {
  expect(left(() => ({ state: {} }), [1, 2, 30])).toEqual([]);
  expect(left(({ bound }) => ({ state: { over: bound > 100 } }), [1, 2, 30])).toEqual([]);
});

test("[ST270] the others leave a run whose machine throws, and those whose own machine does", () => {
  const made: Made = ({ bound }) => {
    if (bound > 10) throw new Error("too much");
    return { state: {} };
  };

  expect(left(made, [1, 20, 2])).toEqual([[20]]);
  expect(left(made, [20, 1, 2])).toEqual([[1, 2], [-1]]);
});

test.for(["lock-feedback", "synt-merge", "install-rollback", "lesson-pins", "macro-learned"])(
  "[ST270] a copied meter of %s goes on by itself as the first one does",
  (name) => {
    const { scenario } = loadScenario(name);
    const seen: SeenDelivery[] = [];
    simulate(scenario, { level: "bare", untilMs: 3_600_000, onSeen: (one) => seen.push(one) });
    const meter = meterOf(scenario);
    const half = seen.length >> 1;
    for (const one of seen.slice(0, half)) meter.observe(one);
    const early = meter.csv();
    const copy = meter.copy();
    for (const one of seen.slice(half)) copy.observe(one);
    const whole = meterOf(scenario);
    for (const one of seen) whole.observe(one);

    expect(meter.csv()).toBe(early);
    expect(copy.csv()).toBe(whole.csv());
    expect(copy.finals()).toEqual(whole.finals());
    expect(whole.csv()).not.toBe(early);
  },
);
