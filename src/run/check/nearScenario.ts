/** Worlds near a scenario: other seeds, some of its events at other times, neighbours of its policy. */
import fc from "fast-check";
import type { Overrides } from "../../contract/policy.ts";
import { type Leaves, policyNeighbours } from "../../contract/policyNeighbours.ts";
import type { WorldEvent, WorldSource } from "../../contract/worldSource.ts";
import { SEED_MAX } from "../../substrate/random.ts";
import type { Promised } from "./promises.ts";

/** Ours: enough to leave the scenario's own numbers, few enough to stay near it. */
const LEAVES_MAX = 2;

/** Ours: ten times the longest scenario that comes along, so that a world without end is soon over. */
const LIMITS = { envelopes: 350_000, deliveriesPerInstant: 5_000 };

/** `endMs` is the scenario's end; `fixed` wins over whatever is drawn. */
export function nearScenario(
  { promises }: Promised,
  source: WorldSource,
  endMs: number,
  leaves: Leaves,
  fixed: Overrides,
): fc.Arbitrary<WorldSource> {
  const { events = [], policy = {}, variants: _, expect: __, limits, ...rest } = source;
  const sections = promises.flatMap(({ worlds }) => worlds?.near?.(source, endMs) ?? []);
  const drawn = fc.record({
    seed: fc.oneof(fc.constant(source.seed), fc.nat(SEED_MAX)),
    kept: fc.subarray([...events]),
    times: fc.array(fc.option(fc.nat(endMs)), {
      minLength: events.length,
      maxLength: events.length,
    }),
    overrides: policyNeighbours(leaves, LEAVES_MAX, Object.keys(fixed)),
    sections: fc.tuple(...sections),
  });
  return drawn.map(({ seed, kept, times, overrides, sections }) => ({
    ...Object.assign({}, rest, ...sections),
    limits: { ...LIMITS, ...(limits as object | undefined) },
    seed,
    policy: { ...policy, ...overrides, ...fixed },
    events: kept.map((event) => moved(event, times[events.indexOf(event)] ?? null)),
  }));
}

const moved = (event: WorldEvent, atMs: number | null): WorldEvent =>
  atMs === null ? event : { ...event, at: `${atMs}ms` };
