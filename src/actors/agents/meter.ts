/** Measures goals, calls, ghosts, suffering, lessons and syntheses from the event log alone. */

import { agentOf, type Gauge, type MetricName, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import type { GoalInput } from "../../machines/agents/goal/goalContext.ts";
import { STRESSOR_TYPES } from "../../machines/agents/suffering/stressorPolicy.ts";
import type { MailOf } from "../../machines/letter.ts";
import { MILLION } from "../../machines/units.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { ghostsIn, isGhost, type SeenTools, toolsAfter } from "./engineMirror.ts";
import { goalBegun } from "./goalBegun.ts";
import { agentsMetrics } from "./metrics.ts";
import { SufferingMirror } from "./sufferingMirror.ts";

/** Sent to an actor that ignores it on purpose, for the reader of the log. */
const SAID_FOR_THE_LOG = ["window.assessed", "goalGate.judged", "lessons.read", "lesson.noted"];

export class AgentsMeter implements Observer {
  readonly #gauge: Gauge;
  #tools: SeenTools | null = null;
  readonly #suffering = new SufferingMirror();
  /** Tools whose files are written and whose tests are not over. */
  readonly #inTest = new Set<string>();

  /** The agents that were born at request, ever. */
  readonly #born = new Set<string>();

  constructor(gauge: Gauge) {
    this.#gauge = gauge;
    for (const actor of [WORLD, ...gauge.agents]) gauge.set("goals.doneShare", actor, 0, 1);
  }

  observe(delivery: SeenDelivery): void {
    const { event, to, dueMs, fate } = delivery;
    const tools = toolsAfter(this.#tools, delivery);
    if (tools !== null && tools !== this.#tools) {
      this.#tools = tools;
      this.#gauge.set("ghost.registered", WORLD, dueMs, ghostsIn(tools).length);
      this.#gauge.set("broken.listed", WORLD, dueMs, tools.broken.length);
    }
    if (fate !== "handled" && !SAID_FOR_THE_LOG.includes(event.type)) return;
    const agent = ("agent" in event ? event.agent : undefined) ?? agentOf(to);
    switch (event.type) {
      case "actor.start":
        this.#goalStarted(goalBegun(event), dueMs);
        break;
      case "agent.joined":
        this.#gauge.join(event.agent, dueMs);
        if (!this.#born.has(event.agent)) {
          this.#born.add(event.agent);
          this.#gauge.set("goals.doneShare", event.agent, dueMs, 1);
        }
        break;
      case "goal.ended":
        // The keeper of lessons is told as well.
        if (to.startsWith("lessons/")) break;
        this.#goalEnded(agent, dueMs);
        break;
      case "goalGate.judged":
        if (event.passed) break;
        this.#gauge.add("gate.missed", agent, dueMs);
        if (event.part !== "progress") this.#gauge.add(`gate.missed.${event.part}`, agent, dueMs);
        break;
      case "lessons.read":
      case "lesson.noted":
        this.#gauge.count("lessons.candidates", agent, dueMs, event.candidates);
        this.#gauge.count("lessons.promoted", agent, dueMs, event.promoted);
        break;
      case "window.assessed":
        this.#gauge.set("window.failed", WORLD, dueMs, event.failed);
        break;
      case "call.routed":
        if (isGhost(this.#tools, event.capability)) {
          this.#gauge.add("ghost.calls", agent, dueMs);
        }
        if (this.#inTest.has(event.capability)) {
          this.#gauge.add("calls.untested", agent, dueMs);
        }
        break;
      case "call.finished":
        if (!event.ok) this.#detected(agent, event, dueMs);
        if (event.ok && !event.nothing && !this.#isBrought(event.capability)) {
          this.#gauge.add(ranName(event.capability), agent, dueMs);
        }
        break;
      case "synthesis.stepped":
        this.#tested(event);
        break;
      case "synthesis.finished":
        this.#inTest.delete(event.capability);
    }
    const feeling = this.#suffering.observe(delivery);
    if (feeling !== undefined) this.#sampleLoad(feeling, dueMs);
  }

  /** By which layer of ghost detection a call failed, if by one. */
  #detected(agent: string, event: MailOf<"call.finished">, atMs: number): void {
    const { capability, nothing, locked } = event;
    if (nothing) this.#gauge.add("ghost.nulls", agent, atMs);
    else if (capability !== null && locked === undefined && isGhost(this.#tools, capability)) {
      this.#gauge.add("ghost.refused", agent, atMs);
    }
  }

  /** What other parts bring is theirs to measure. */
  #isBrought(capability: string | null): boolean {
    const entries = this.#tools?.entries ?? [];
    return entries.some(({ name, brought }) => name === capability && brought !== undefined);
  }

  #goalStarted(goal: GoalInput | undefined, atMs: number): void {
    if (goal?.fallback === undefined) return;
    const { agent, fallback } = goal;
    this.#gauge.add("goals.fallback", agent, atMs);
    this.#gauge.add(`goals.fallback.${fallback}`, agent, atMs);
  }

  #goalEnded(agent: string, atMs: number): void {
    for (const actor of [WORLD, agent]) {
      const done = this.#gauge.at("goals.completed", actor, atMs);
      const failed = this.#gauge.at("goals.abandoned", actor, atMs);
      this.#gauge.set("goals.doneShare", actor, atMs, done / (done + failed));
    }
    for (const name of this.#gauge.agents) this.#sampleLoad(name, atMs);
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
    this.#gauge.set(metric, agent, atMs, millionths / MILLION);
    const highest = Math.max(
      ...this.#gauge.agents.map((name) => this.#gauge.at(metric, name, atMs)),
    );
    this.#gauge.set(metric, WORLD, atMs, highest);
  }

  #tested(event: MailOf<"synthesis.stepped">): void {
    if (event.step === 6 && event.outcome === "done") {
      this.#inTest.add(event.capability);
    }
  }
}

/** Synthesized tools are counted together. The compiler has forgotten the names of the builtins by now. */
const ranName = (capability: string | null): MetricName =>
  (`ran.${capability}` in agentsMetrics ? `ran.${capability}` : "ran.tools") as MetricName;
