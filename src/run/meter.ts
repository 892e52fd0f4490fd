/**
 * The meter: keeps the series of what metricTable.ts lists, as the meters of the parts measure it from the
 * event log alone. Every series is a step function of virtual time. Used by expectations, metrics.csv and
 * reports.
 */

import type { Story } from "../contract/book.ts";
import type { Counted, Figures } from "../contract/figures.ts";
import { agentOf, type Gauge, type MetricName, WORLD } from "../contract/gauge.ts";
import { measuredOn, measuring, metricNames, metricTable } from "../contract/metricTable.ts";
import type { Observer, Part } from "../contract/part.ts";
import { isPartIn } from "../contract/partsIn.ts";
import type { Inhabited, Sections } from "../contract/scenario.ts";
import { groupedBy } from "../machines/grouped.ts";
import { onceFor } from "../machines/onceFor.ts";
import { assert } from "../substrate/assert.ts";
import type { SeenDelivery } from "../substrate/envelope.ts";
import { type Sample, Sampled } from "./sampled.ts";

export class Meter {
  /** By metric, then by actor. */
  readonly #series = new Map<string, Map<string, Sampled>>();
  /** The same in the order in which they began. */
  readonly #rows: { readonly metric: string; readonly actor: string; readonly samples: Sampled }[] =
    [];
  readonly #parts: readonly Part[];
  readonly #sections: Partial<Sections> | undefined;
  readonly #agents: string[];
  readonly #world: Inhabited;
  readonly #only: MetricName | undefined;
  readonly #observers: readonly Observer[];
  readonly #counting: Counting;

  /**
   * `sections` of the scenario may say what only a meter may know, such as which proposals are good; a part that they say nothing of
   * measures nothing, where they are given. `only`: a count of events, of the world, where nothing else is to be measured.
   */
  constructor(
    parts: readonly Part[],
    agents: readonly string[],
    sections?: Partial<Sections>,
    only?: MetricName,
  ) {
    this.#parts = parts;
    this.#sections = sections;
    this.#agents = [...agents];
    this.#only = only;
    this.#world = { ...sections, agents: this.#agents };
    for (const metric of metricNames(parts)) {
      for (const actor of this.#actorsOf(metric)) {
        this.#begin(metric, actor, 0);
      }
    }
    const gauge: Gauge = {
      agents: this.#agents,
      join: (...given) => this.#join(...given),
      set: (...given) => this.#set(...given),
      add: (...given) => this.#add(...given),
      count: (...given) => this.#count(...given),
      at: (...given) => this.#at(...given),
    };
    const all = countingOf(parts);
    this.#counting = only === undefined ? all : countingOnly(all, only);
    this.#observers =
      only === undefined
        ? measuring(parts).flatMap((part) => {
            // That of a part which the world has nothing of hears nothing, but says what it begins with.
            const observers = part.meter?.(sections ?? {}, gauge) ?? [];
            return sections === undefined || isPartIn(part, this.#world) ? observers : [];
          })
        : [];
  }

  /** Another, of all that this one measures, which has seen the same so far and goes on by itself. */
  copy(): Meter {
    const twin = new Meter(this.#parts, this.#agents, this.#sections, this.#only);
    twin.#series.clear();
    twin.#rows.length = 0;
    for (const { metric, actor, samples } of this.#rows) twin.#keep(metric, actor, samples.copy());
    for (const [place, { kept }] of this.#observers.entries()) {
      Object.assign(twin.#observers[place]?.kept ?? {}, copied(kept));
    }
    return twin;
  }

  observe(delivery: SeenDelivery): void {
    if (delivery.fate === "handled") this.#counted(delivery);
    for (const one of this.#observers) one.observe(delivery);
  }

  /** All samples of a metric, oldest first; never empty. */
  series(metric: MetricName, actor: string = WORLD): readonly Sample[] {
    return this.#of(metric, actor)?.all() ?? [{ atMs: 0, value: 0 }];
  }

  /** The value in force at a moment. */
  valueAt(metric: MetricName, actor: string, atMs: number): number {
    return this.#at(metric, actor, atMs);
  }

  /** The last value of every series, by metric, then by actor: `world` is the whole, and an agent of that name `agent:world`. */
  finals(): { readonly [metric: string]: { readonly [actor: string]: number } } {
    const entries = metricNames(this.#parts).map((metric) => {
      const values = this.#actorsOf(metric).map((actor) => [
        shownActor(actor),
        this.#last(metric, actor),
      ]);
      return [metric, Object.fromEntries(values)];
    });
    return Object.fromEntries(entries);
  }

  /** The figures of all parts, of a run that is over and whose story this is. */
  figures(story: Story): Figures {
    const last: Counted["last"] = (metric) => this.#last(metric, WORLD);
    return Object.assign(
      {},
      ...this.#parts.toReversed().map(({ figures }) => figures?.(this.#world, { story, last })),
    );
  }

  /** Tidy text: virtual time in ms, actor, metric, value; one line for each change. */
  csv(): string {
    const rows: { atMs: number; text: string }[] = [];
    for (const { metric, actor, samples } of this.#rows) {
      for (const { atMs, value } of samples.all()) {
        rows.push({ atMs, text: `${atMs},${shownActor(actor)},${metric},${value}` });
      }
    }
    const sorted = rows.toSorted((a, b) => a.atMs - b.atMs);
    return `virtual_ms,actor,metric,value\n${sorted.map(({ text }) => `${text}\n`).join("")}`;
  }

  #counted({ event, to, dueMs }: SeenDelivery): void {
    for (const { metric, by, perAgent } of this.#counting.get(event.type) ?? []) {
      const more = Number(typeof by === "number" ? by : by(event, to));
      if (more === 0) continue;
      const agent = ("agent" in event ? event.agent : undefined) ?? agentOf(to);
      this.#add(metric, perAgent ? agent : WORLD, dueMs, more);
    }
  }

  /** The value in force at a moment, of an agent or of the world. */
  #at(metric: MetricName, actor: string, atMs: number): number {
    return this.#of(metric, actor)?.valueAt(atMs) ?? 0;
  }

  #last(metric: MetricName, actor: string): number {
    return this.#of(metric, actor)?.lastValue ?? 0;
  }

  #of(metric: MetricName, actor: string): Sampled | undefined {
    return this.#series.get(metric)?.get(actor);
  }

  #begin(metric: MetricName, actor: string, atMs: number): void {
    this.#keep(metric, actor, new Sampled({ atMs, value: 0 }));
  }

  #keep(metric: string, actor: string, samples: Sampled): void {
    const ofMetric = this.#series.get(metric) ?? new Map<string, Sampled>();
    this.#series.set(metric, ofMetric.set(actor, samples));
    this.#rows.push({ metric, actor, samples });
  }

  #join(agent: string, atMs: number): void {
    if (this.#agents.includes(agent)) return;
    this.#agents.push(agent);
    for (const metric of metricNames(this.#parts)) {
      if (metricTable(this.#parts)[metric].perAgent) {
        this.#begin(metric, agent, atMs);
      }
    }
  }

  #actorsOf(metric: MetricName): readonly string[] {
    return [WORLD, ...measuredOn(metricTable(this.#parts)[metric], this.#world)];
  }

  #isKnown(metric: string): boolean {
    return metricNames(this.#parts).some((name) => name === metric);
  }

  #count(metric: MetricName, actor: string, atMs: number, value: number): void {
    const more = value - this.#at(metric, actor, atMs);
    this.#set(metric, actor, atMs, value);
    if (this.#of(metric, actor) !== undefined) this.#raise(metric, WORLD, atMs, more);
  }

  #add(metric: MetricName, agent: string, atMs: number, by = 1): void {
    // What the engine asks for a tool is the world's alone, and counts once there.
    this.#raise(metric, WORLD, atMs, by);
    if (agent !== WORLD) this.#raise(metric, agent, atMs, by);
  }

  #raise(metric: MetricName, actor: string, atMs: number, by: number): void {
    this.#set(metric, actor, atMs, this.#at(metric, actor, atMs) + by);
  }

  #set(metric: MetricName, actor: string, atMs: number, value: number): void {
    const samples = this.#of(metric, actor);
    assert(samples !== undefined || this.#isKnown(metric), `nothing is measured as ${metric}`);
    // An actor that is not measured has no series.
    if (samples === undefined || samples.lastValue === value) return;
    assert(Number.isFinite(value), `${metric} was measured as ${value}: a number, and finite`);
    samples.add({ atMs, value });
  }
}

/** The same in objects, lists, maps and sets of its own. */
function copied<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  // What is copied is of the kind that it was.
  if (value instanceof Map) return new Map([...value].map(copied)) as T;
  if (value instanceof Set) return new Set(value) as T;
  if (Array.isArray(value)) return value.map(copied) as T;
  return Object.fromEntries(Object.entries(value).map(copied)) as T;
}

interface Count {
  readonly metric: MetricName;
  readonly perAgent: boolean;
  readonly by: number | ((event: SeenDelivery["event"], to: string) => number | boolean);
}

/** By type of event, what it counts for. */
type Counting = ReadonlyMap<string, readonly Count[]>;

const countingOf = onceFor((parts: readonly Part[]): Counting => {
  const counts = metricNames(parts).flatMap((metric) => {
    const { counts: own = {}, perAgent = false } = metricTable(parts)[metric];
    // Each stands under its own type, which the compiler does not follow through a list.
    return Object.entries(own).map(([type, by]) => ({ type, metric, perAgent, by }) as Typed);
  });
  return groupedBy(counts, ({ type }) => type);
});

const countingOnly = (all: Counting, only: MetricName): Counting =>
  new Map(
    [...all].flatMap(([type, counts]) => {
      const own = counts.filter(({ metric }) => metric === only);
      return own.length === 0 ? [] : [[type, own] as const];
    }),
  );

interface Typed extends Count {
  readonly type: string;
}

const shownActor = (actor = WORLD): string =>
  actor === WORLD ? "world" : actor === "world" ? "agent:world" : actor;
