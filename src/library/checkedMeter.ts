/** The meter as a program reads it: a metric that does not exist is an error, never a series of zeros. */
import { type MetricName, WORLD } from "../actors/gauge.ts";
import type { Inhabited, Sections } from "../actors/scenario.ts";
import { Meter as PlainMeter, type Sample } from "../metrics.ts";
import { aListOf, aMap, aText, aWhole, type Kind, notA, refuse } from "./arguments.ts";
import { metricProblems } from "./runOptions.ts";

const TODO = "`metricNames` lists what is measured, `metricTable` says of each what it is.";
const names = aListOf("agents' names", aText);
const aMoment: Kind = aWhole(0, Number.MAX_SAFE_INTEGER);

/**
 * Measures a run from its event log: `observe` every delivery in order, then ask. Values are step
 * functions of virtual time in milliseconds; an actor is an agent's name, or the world.
 */
export class Meter extends PlainMeter {
  readonly #world: Inhabited;

  /**
   * `agents` are the names of the agents; `scenario` is the one they live in, where it tells the meter more,
   * as `synt.labels` do. Throws BadInput.
   */
  constructor(agents: readonly string[], scenario: Partial<Sections> = {}) {
    if (!names.accepts(agents)) refuse([notA("Meter agents", agents, names)], TODO);
    if (!aMap.accepts(scenario)) refuse([notA("Meter scenario", scenario, aMap)], TODO);
    super(agents, scenario);
    this.#world = { ...scenario, agents };
  }

  /** All samples of a metric, oldest first; of the world when no agent is named. Throws BadInput. */
  override series(metric: MetricName, actor: string = WORLD): readonly Sample[] {
    return super.series(metric, this.#known("series", metric, actor));
  }

  /** The value in force at a moment. Throws BadInput. */
  override valueAt(metric: MetricName, actor: string, atMs: number): number {
    if (!aMoment.accepts(atMs)) refuse([notA("Meter.valueAt atMs", atMs, aMoment)], TODO);
    return super.valueAt(metric, this.#known("valueAt", metric, actor), atMs);
  }

  #known(method: string, metric: string, actor: string): string {
    const isWorld = actor === WORLD || (actor === "world" && !this.#world.agents.includes(actor));
    const named = isWorld ? null : actor;
    refuse(metricProblems(`Meter.${method}`, { metric, actor: named }, this.#world), TODO);
    return named ?? WORLD;
  }
}
