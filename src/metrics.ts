/**
 * The meter: measures what metricTable.ts lists, from the event log alone. Every series is a step
 * function of virtual time. Used by expectations, metrics.csv and reports.
 */

import { EngineMirror } from "./actors/agents/engineMirror.ts";
import { SufferingMirror } from "./actors/agents/sufferingMirror.ts";
import { startOf } from "./actors/startOf.ts";
import { SyntMirror } from "./actors/synt/meter.ts";
import type { ProposalLabel } from "./actors/synt/stage.ts";
import { NO_PLAN } from "./machines/agents/agent/emptyPlans.ts";
import type { GoalInput } from "./machines/agents/goal/goal.ts";
import { STRESSOR_TYPES } from "./machines/agents/suffering/stressorPolicy.ts";
import type { MailOf } from "./machines/letter.ts";
import { MILLION } from "./machines/units.ts";
import { type MetricName, metricNames, metricTable } from "./metricTable.ts";
import type { Delivery } from "./substrate/envelope.ts";

/** Told to somebody who ignores it on purpose, for whoever reads the log. */
const SAID_FOR_THE_LOG = ["window.assessed", "gate.judged", "lessons.read", "lesson.noted"];

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
  readonly #synt: SyntMirror;
  /** Tools whose files are written and whose tests are not over. */
  readonly #inTest = new Set<string>();

  /** `labels` of proposals, where the scenario has any. */
  constructor(agents: readonly string[], labels: readonly ProposalLabel[] = []) {
    this.#agents = agents;
    this.#synt = new SyntMirror(labels);
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
    for (const metric of this.#synt.observe(delivery)) {
      this.#set(metric, WORLD, dueMs, this.#synt.values.get(metric) ?? 0);
    }
    if (fate !== "handled" && !SAID_FOR_THE_LOG.includes(event.type)) return;
    const agent = ("agent" in event ? event.agent : undefined) ?? agentOf(to);
    switch (event.type) {
      case "actor.start":
        this.#goalStarted(startOf(event, "goal"), dueMs);
        break;
      case "goal.ended":
        // The keeper of lessons is told as well.
        if (to.startsWith("lessons/")) break;
        this.#goalEnded(agent, event.status === "completed", dueMs);
        if (event.reason?.startsWith(NO_PLAN)) this.#add("goals.unplanned", agent, dueMs);
        break;
      case "gate.judged":
        if (event.passed) break;
        this.#add("gate.missed", agent, dueMs);
        if (event.part !== "progress") this.#add(`gate.missed.${event.part}`, agent, dueMs);
        break;
      case "lessons.read":
      case "lesson.noted":
        this.#count("lessons.candidates", agent, event.candidates, dueMs);
        this.#count("lessons.promoted", agent, event.promoted, dueMs);
        break;
      case "window.assessed":
        this.#set("window.failed", WORLD, dueMs, event.failed);
        break;
      case "call.routed":
        if (this.#engine.isGhost(event.capability)) {
          this.#add("ghost.calls", agent, dueMs);
        }
        if (this.#inTest.has(event.capability)) {
          this.#add("calls.untested", agent, dueMs);
        }
        break;
      case "call.finished":
        this.#add("calls.finished", agent, dueMs);
        if (!event.ok) this.#add("calls.failed", agent, dueMs);
        if (event.nothing) this.#add("calls.lost", agent, dueMs);
        if (event.ok && !event.nothing) {
          this.#add(ranName(event.capability), agent, dueMs);
        }
        if (event.locked) this.#add("locks.refused", agent, dueMs);
        break;
      case "synthesis.stepped":
        this.#tested(event);
        break;
      case "synthesis.finished":
        this.#synthesized(agent, event, dueMs);
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
    return this.#at(metric, actor, atMs);
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

  #goalStarted(goal: GoalInput | undefined, atMs: number): void {
    if (goal?.fallback === undefined) return;
    const { agent, fallback } = goal;
    this.#add("goals.fallback", agent, atMs);
    this.#add(`goals.fallback.${fallback}`, agent, atMs);
  }

  /** In force at a moment; whoever is measured. */
  #at(metric: MetricName, actor: string, atMs: number): number {
    const samples = this.#series.get(seriesName(metric, actor));
    return samples?.findLast((sample) => sample.atMs <= atMs)?.value ?? 0;
  }

  #goalEnded(agent: string, isDone: boolean, atMs: number): void {
    this.#add(isDone ? "goals.completed" : "goals.abandoned", agent, atMs);
    for (const actor of [WORLD, agent]) {
      const done = this.#at("goals.completed", actor, atMs);
      const failed = this.#at("goals.abandoned", actor, atMs);
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
    const highest = Math.max(...this.#agents.map((name) => this.#at(metric, name, atMs)));
    this.#set(metric, WORLD, atMs, highest);
  }

  #tested(event: MailOf<"synthesis.stepped">): void {
    if (event.step === 6 && event.outcome === "done") {
      this.#inTest.add(event.capability);
    }
  }

  #synthesized(agent: string, event: MailOf<"synthesis.finished">, atMs: number): void {
    this.#inTest.delete(event.capability);
    const failed = event.steps.find(({ outcome }) => outcome === "failed");
    const { verdict } = event;
    if (verdict === "already_deployed") this.#add("synthesis.alreadyDeployed", agent, atMs);
    else if (verdict !== "rejected") this.#add("synthesis.deployed", agent, atMs);
    else {
      this.#add("synthesis.rejected", agent, atMs);
      if (failed?.step === 8) this.#add("synthesis.execFailed", agent, atMs);
      if (failed?.step === 9) this.#add("synthesis.nullStubs", agent, atMs);
    }
  }

  #count(metric: MetricName, agent: string, value: number, atMs: number): void {
    this.#set(metric, agent, atMs, value);
    const all = this.#agents.reduce((sum, name) => sum + this.#at(metric, name, atMs), 0);
    this.#set(metric, WORLD, atMs, all);
  }

  #add(metric: MetricName, agent: string, atMs: number): void {
    // What the engine asks for a tool is the world's alone, and counts once there.
    for (const actor of new Set([WORLD, agent])) {
      this.#set(metric, actor, atMs, this.#at(metric, actor, atMs) + 1);
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

/** Synthesized tools are counted together. */
const ranName = (capability: string | null): MetricName =>
  (`ran.${capability}` in metricTable ? `ran.${capability}` : "ran.tools") as MetricName;

const seriesName = (metric: MetricName, actor: string): string => `${metric}|${actor}`;

/** `cedar` of `agent/cedar#2` and of `goal/cedar/7`. */
export const agentOf = (address: string): string => address.split(/[/#]/)[1] ?? "";
