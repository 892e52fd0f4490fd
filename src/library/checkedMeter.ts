/** The meter as a program reads it: a metric that does not exist is an error, never a series of zeros. */

import { type MetricName, WORLD } from "../contract/gauge.ts";
import type { Part } from "../contract/part.ts";
import type { Inhabited, Sections } from "../contract/scenario.ts";
import { refuse } from "../edges/errors.ts";
import { Meter as PlainMeter } from "../run/meter.ts";
import type { Sample } from "../run/sampled.ts";
import { aListOf, aMap, aText, aWhole, type Kind, notA } from "./arguments.ts";
import { metricProblems } from "./runOptions.ts";

const TODO = "`metricNames` lists what is measured, `metricTable` says of each what it is.";
const names = aListOf("agents' names", aText);
const aMoment: Kind = aWhole(0, Number.MAX_SAFE_INTEGER);

/**
 * Measures a run from its event log: `observe` every delivery in order, then ask. Values are step
 * functions of virtual time in milliseconds; an actor is an agent's name, or the world.
 */
export class Meter extends PlainMeter {
  readonly #known: Known;

  /** See the `Meter` of a world, which knows its parts. */
  constructor(parts: readonly Part[], agents: readonly string[], scenario?: Partial<Sections>) {
    if (!names.accepts(agents)) refuse([notA("Meter agents", agents, names)], TODO);
    if (scenario !== undefined && !aMap.accepts(scenario))
      refuse([notA("Meter scenario", scenario, aMap)], TODO);
    super(parts, agents, scenario);
    this.#known = { parts, world: { ...scenario, agents } };
  }

  /** All samples of a metric, oldest first; of the world when no agent is named. Throws BadInput. */
  override series(metric: MetricName, actor: string = WORLD): readonly Sample[] {
    return super.series(metric, knownActor(this.#known, "series", metric, actor));
  }

  /** The value in force at a moment. Throws BadInput. */
  override valueAt(metric: MetricName, actor: string, atMs: number): number {
    if (!aMoment.accepts(atMs)) refuse([notA("Meter.valueAt atMs", atMs, aMoment)], TODO);
    return super.valueAt(metric, knownActor(this.#known, "valueAt", metric, actor), atMs);
  }
}

interface Known {
  readonly parts: readonly Part[];
  readonly world: Inhabited;
}

function knownActor(
  { parts, world }: Known,
  method: string,
  metric: string,
  actor: string,
): string {
  const isWorld = actor === WORLD || (actor === "world" && !world.agents.includes(actor));
  const named = isWorld ? null : actor;
  refuse(metricProblems(parts, `Meter.${method}`, { metric, actor: named }, world), TODO);
  return named ?? WORLD;
}

/** The meter of a world made of these parts. */
export const meterFor = (parts: readonly Part[]): MeterOfWorld =>
  class extends Meter {
    constructor(agents: readonly string[], scenario?: Partial<Sections>) {
      super(parts, agents, scenario);
    }
  };

/** `new Meter(agents, scenario)`. */
export type MeterOfWorld = new (agents: readonly string[], scenario?: Partial<Sections>) => Meter;
