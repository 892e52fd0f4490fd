/**
 * The one table of what can be measured, and the meter that measures it from the event log alone.
 * Every series is a step function of virtual time. Used by expectations, metrics.csv and reports.
 */

import { EngineMirror } from "./engineMirror.ts";
import type { GatePart } from "./machines/gate.ts";
import { STRESSOR_TYPES, type StressorType } from "./machines/suffering/stressorPolicy.ts";
import { MILLION } from "./machines/units.ts";
import type { Delivery } from "./substrate/envelope.ts";
import { SufferingMirror } from "./sufferingMirror.ts";

interface Metric {
  readonly unit: string;
  /** Whether it also exists for each agent; `actor:` names one. */
  readonly perAgent: boolean;
  readonly says: string;
}

const goals = { unit: "goals", perAgent: true };
const calls = { unit: "calls", perAgent: true };
const misses = { unit: "misses", perAgent: true };
const lessons = { unit: "lessons", perAgent: true };

const severity = {
  unit: "severity",
  perAgent: true,
  says: "Severity, 0 when absent; of the world: the highest.",
};
const severities = Object.fromEntries(
  STRESSOR_TYPES.map((type) => [`stressor.${type}`, severity]),
) as { readonly [Name in `stressor.${StressorType}`]: typeof severity };

export const metricTable = {
  "goals.completed": { ...goals, says: "Goals that passed their gate." },
  "goals.abandoned": { ...goals, says: "Goals given up or out of chances: the failed ones." },
  "goals.doneShare": {
    unit: "share",
    perAgent: true,
    says: "Completed over ended goals, 0 to 1; 1 while none has ended.",
  },
  "gate.missed": { ...misses, says: "Gates that a goal did not pass." },
  "gate.missed.output": { ...misses, says: "… because no step used an output capability." },
  "gate.missed.mechanical": { ...misses, says: "… because of the file itself." },
  "gate.missed.semantic": { ...misses, says: "… because the judge did not see the goal in it." },
  "gate.missed.facts": { ...misses, says: "… because it says of another file what is not so." },
  "lessons.candidates": { ...lessons, says: "Candidates for a lesson at this moment." },
  "lessons.promoted": { ...lessons, says: "Lessons that have become rules, at this moment." },
  "window.failed": {
    unit: "goals",
    perAgent: false,
    says: "Failed ones among the last ended goals that repeated_failure looks at.",
  },
  "calls.finished": { ...calls, says: "Tool calls that came to an end." },
  "calls.lost": { ...calls, says: "Calls that returned nothing, whether or not anybody noticed." },
  "calls.failed": { ...calls, says: "Calls that the agent saw fail." },
  "ghost.calls": { ...calls, says: "Calls routed to a capability without code." },
  "ghost.registered": {
    unit: "capabilities",
    perAgent: false,
    says: "Registered capabilities without code at this moment.",
  },
  "broken.listed": {
    unit: "capabilities",
    perAgent: false,
    says: "Entries of broken_tools.json at this moment.",
  },
  ...severities,
  load: {
    unit: "load",
    perAgent: true,
    says: "Sum of severities, at most 1; of the world: the highest.",
  },
  "locks.refused": { ...calls, says: "Calls refused by a lock, or not earned." },
  "model.calls": { ...calls, says: "Answers of the model port." },
} as const satisfies { readonly [name: string]: Metric };

export type MetricName = keyof typeof metricTable;

export const metricNames = Object.keys(metricTable) as readonly MetricName[];

/** Handled or not, these say how things stand. */
const SAID_FOR_THE_LOG = ["window.assessed", "gate.judged", "lessons.read", "lesson.noted"];

/** What a scenario may name under `metric:`, and which of these also for one `actor:`. */
export const metricChecks = {
  metricNames,
  agentMetricNames: metricNames.filter((name) => metricTable[name].perAgent),
};

/** A value from a moment on, until the next sample. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

/** The world as an actor. */
export const WORLD = "";

export class Meter {
  readonly #series = new Map<string, Sample[]>();
  readonly #agents: readonly string[];
  readonly #engine = new EngineMirror();
  readonly #suffering = new SufferingMirror();

  constructor(agents: readonly string[]) {
    this.#agents = agents;
    for (const metric of metricNames) {
      for (const actor of metricTable[metric].perAgent ? [WORLD, ...agents] : [WORLD]) {
        const value = metric === "goals.doneShare" ? 1 : 0;
        this.#series.set(seriesName(metric, actor), [{ atMs: 0, value }]);
      }
    }
  }

  observe(delivery: Delivery): void {
    const { event, to, dueMs, fate } = delivery;
    if (this.#engine.observe(delivery)) {
      this.#set("ghost.registered", WORLD, dueMs, this.#engine.ghosts().length);
      this.#set("broken.listed", WORLD, dueMs, this.#engine.broken().length);
    }
    if (fate !== "handled" && !SAID_FOR_THE_LOG.includes(event.type)) return;
    const agent = String(event["agent"] ?? agentOf(to));
    switch (event.type) {
      case "goal.ended":
        // The keeper of lessons is told as well.
        if (!to.startsWith("lessons/"))
          this.#goalEnded(agent, event["status"] === "completed", dueMs);
        break;
      case "gate.judged":
        if (event["passed"]) break;
        this.#add("gate.missed", agent, dueMs);
        this.#add(`gate.missed.${event["part"] as GatePart}`, agent, dueMs);
        break;
      case "lessons.read":
      case "lesson.noted":
        this.#count("lessons.candidates", agent, event["candidates"] as number, dueMs);
        this.#count("lessons.promoted", agent, event["promoted"] as number, dueMs);
        break;
      case "window.assessed":
        this.#set("window.failed", WORLD, dueMs, event["failed"] as number);
        break;
      case "call.routed":
        if (this.#engine.isGhost(event["capability"] as string)) {
          this.#add("ghost.calls", agent, dueMs);
        }
        break;
      case "call.finished":
        this.#add("calls.finished", agent, dueMs);
        if (!event["ok"]) this.#add("calls.failed", agent, dueMs);
        if (event["nothing"]) this.#add("calls.lost", agent, dueMs);
        if (event["locked"]) this.#add("locks.refused", agent, dueMs);
        break;
      case "llm.replied":
        this.#add("model.calls", agent, dueMs);
    }
    const feeling = this.#suffering.observe(delivery);
    if (feeling !== undefined) this.#sampleLoad(feeling, dueMs);
  }

  /** All samples of a metric, oldest first; never empty. */
  series(metric: MetricName, actor: string = WORLD): readonly Sample[] {
    return this.#series.get(seriesName(metric, actor)) ?? [{ atMs: 0, value: 0 }];
  }

  /** The value in force at a moment. */
  valueAt(metric: MetricName, actor: string, atMs: number): number {
    return this.series(metric, actor).findLast((sample) => sample.atMs <= atMs)?.value ?? 0;
  }

  /** The last value of every series, by metric, then by `actor` (`world` for the whole). */
  finals(): { readonly [metric: string]: { readonly [actor: string]: number } } {
    const entries = metricNames.map((metric) => {
      const actors = metricTable[metric].perAgent ? [WORLD, ...this.#agents] : [WORLD];
      const values = actors.map((actor) => [
        actor === WORLD ? "world" : actor,
        this.series(metric, actor).at(-1)?.value ?? 0,
      ]);
      return [metric, Object.fromEntries(values)];
    });
    return Object.fromEntries(entries);
  }

  /** Tidy text: virtual time in ms, actor, metric, value; one line for each change. */
  csv(): string {
    const rows: { atMs: number; text: string }[] = [];
    for (const [name, samples] of this.#series) {
      const [metric, actor] = name.split("|");
      for (const { atMs, value } of samples) {
        rows.push({
          atMs,
          text: `${atMs},${actor === WORLD ? "world" : actor},${metric},${value}`,
        });
      }
    }
    const sorted = rows.toSorted((a, b) => a.atMs - b.atMs);
    return `virtual_ms,actor,metric,value\n${sorted.map(({ text }) => `${text}\n`).join("")}`;
  }

  #goalEnded(agent: string, isDone: boolean, atMs: number): void {
    this.#add(isDone ? "goals.completed" : "goals.abandoned", agent, atMs);
    for (const actor of [WORLD, agent]) {
      const done = this.valueAt("goals.completed", actor, atMs);
      const failed = this.valueAt("goals.abandoned", actor, atMs);
      this.#set("goals.doneShare", actor, atMs, done / (done + failed));
    }
    for (const name of this.#agents) this.#sampleLoad(name, atMs);
  }

  /** Severity grows all the time; it is sampled whenever a goal ends or a stressor changes. */
  #sampleLoad(agent: string, atMs: number): void {
    if (!this.#suffering.knows(agent)) return;
    for (const type of STRESSOR_TYPES) {
      const severity = this.#suffering.severityAt(agent, type, atMs);
      this.#setFelt(`stressor.${type}`, agent, atMs, severity);
    }
    this.#setFelt("load", agent, atMs, this.#suffering.loadAt(agent, atMs));
  }

  #setFelt(metric: MetricName, agent: string, atMs: number, millionths: number): void {
    this.#set(metric, agent, atMs, millionths / MILLION);
    const highest = Math.max(...this.#agents.map((name) => this.valueAt(metric, name, atMs)));
    this.#set(metric, WORLD, atMs, highest);
  }

  /** The world has what its agents have together. */
  #count(metric: MetricName, agent: string, value: number, atMs: number): void {
    this.#set(metric, agent, atMs, value);
    const all = this.#agents.reduce((sum, name) => sum + this.valueAt(metric, name, atMs), 0);
    this.#set(metric, WORLD, atMs, all);
  }

  #add(metric: MetricName, agent: string, atMs: number): void {
    for (const actor of [WORLD, agent]) {
      this.#set(metric, actor, atMs, this.valueAt(metric, actor, atMs) + 1);
    }
  }

  #set(metric: MetricName, actor: string, atMs: number, value: number): void {
    const samples = this.#series.get(seriesName(metric, actor));
    const last = samples?.at(-1);
    if (samples === undefined || last === undefined || last.value === value) return;
    if (last.atMs === atMs) samples.pop();
    samples.push({ atMs, value });
  }
}

const seriesName = (metric: MetricName, actor: string): string => `${metric}|${actor}`;

/** `cedar` of `agent/cedar#2` and of `goal/cedar/7`. */
export const agentOf = (address: string): string => address.split(/[/#]/)[1] ?? "";
