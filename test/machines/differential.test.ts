// XState's own createActor is the oracle: the same events, the same timers, the same everything.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { parts } from "../../src/builtIn/parts.ts";
import type { At, MailEvent } from "../../src/machines/letter.ts";
import { withoutTables } from "../../src/run/cast.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import { INTERPRETERS } from "../../src/substrate/statechart.ts";
import { policyWith } from "../builtIn.ts";
import { everyStatechart, waits } from "./anyStatechart.ts";
import { ours, type Runner, xstates } from "./statechartRunners.ts";

const SEQUENCES = 100;
/** For a goal, whose gate is five parts deep, and a request, whose ways are as long. */
const DEEP_SEQUENCES = 400;
const EVENTS = 30;

/** Each step waits, then sends the first of its events that changes something, else the first. */
interface Step {
  readonly waitMs: number;
  readonly events: readonly MailEvent[];
  readonly asked: boolean;
}
/** One machine has few timers; one that starts itself again at once would fire for ever. */
const FIRED_MAX = 10_000;

/** Runs all side by side; they are compared after the start, each timer and each event. */
function sideBySide(
  machine: AnyStateMachine,
  input: object,
  steps: readonly Step[],
  visited: Set<string>,
): void {
  const mine = INTERPRETERS.map((interpreter) => ours(machine, interpreter));
  const { runner: oracle, snapshot } = xstates(machine);
  let nowMs = 0;
  let seq = 1;
  const all = (act: (runner: Runner, at: At) => void, asked = false): void => {
    const at: At = { nowMs, seq: seq++, from: "somebody", ...(asked && { asked: true as const }) };
    act(oracle, at);
    const seen = oracle.seen();
    const text = JSON.stringify(seen);
    for (const runner of mine) {
      act(runner, at);
      // Texts in the order in which they were made are fast to compare; only what they hold decides.
      if (JSON.stringify(runner.seen()) === text) continue;
      expect(canonicalJson(runner.seen())).toBe(canonicalJson(seen));
    }
    for (const { id } of snapshot()._nodes) visited.add(id);
  };
  all((runner, at) => runner.start(input, at));
  for (const { waitMs, events, asked } of steps) {
    const thenMs = nowMs + waitMs;
    for (let fired = 0; ; fired++) {
      const dueMs = oracle.nextDueMs();
      if (dueMs === undefined || dueMs > thenMs) break;
      if (fired === FIRED_MAX) throw new Error(`${fired} timers fire up to ${thenMs} ms, and more`);
      nowMs = dueMs;
      all((runner, at) => runner.fire(dueMs, at));
    }
    nowMs = thenMs;
    const event = events.find((one) => snapshot().can({ ...one, at: { nowMs, seq } })) ?? events[0];
    if (event !== undefined) all((runner, at) => runner.send(event, at), asked);
  }
}
function stepsOf(
  events: fc.Arbitrary<MailEvent>,
  endings: readonly string[],
): fc.Arbitrary<readonly Step[]> {
  const step = fc
    .record({
      waitMs: waits,
      events: fc.array(events, { minLength: 2, maxLength: 6 }),
      asked: fc.boolean(),
      mayEnd: fc.nat(29).map((n) => n === 0),
    })
    // Else no sequence would be long.
    .map(({ mayEnd, ...rest }) => ({
      ...rest,
      events: rest.events.filter(({ type }) => endings.includes(type) === mayEnd),
    }));
  return fc.array(step, { minLength: EVENTS, maxLength: EVENTS });
}
/** Every state but those a machine passes through within one event. */
function restingStates(machine: AnyStateMachine): string[] {
  const below = (node: AnyStateNode): AnyStateNode[] => [
    node,
    ...Object.values(node.states).flatMap(below),
  ];
  return below(machine.root)
    .filter(({ always }) => always === undefined || always.length === 0)
    .map(({ id }) => id);
}
describe.each(everyStatechart)("$id", (machine, input, events, endings) => {
  it("[KN20] does by its tables, and under our scope, what XState's own actor does", () => {
    const visited = new Set<string>();

    fc.assert(
      fc.property(input, stepsOf(events, endings), (given, steps) => {
        sideBySide(machine, given, steps, visited);
      }),
      { numRuns: ["goal", "synthesisRequest"].includes(machine.id) ? DEEP_SEQUENCES : SEQUENCES },
    );

    expect(restingStates(machine).filter((id) => !visited.has(id))).toEqual([]);
  });
});

it("[KN20] every built-in statechart has tables", () => {
  expect(withoutTables(parts, policyWith({}))).toEqual([]);
});
