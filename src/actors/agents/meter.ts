/** What can be measured of agents, their goals, calls, ghosts, suffering, lessons and syntheses, from the event log alone. */

import {
  agentOf,
  type Gauge,
  type Metric,
  type MetricName,
  metricsIn,
  WORLD,
} from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import { NO_PLAN } from "../../machines/agents/agent/agentTurn.ts";
import { builtins } from "../../machines/agents/engine/builtins.ts";
import { FALLBACK_SOURCES, type FallbackSource } from "../../machines/agents/goal/goalContext.ts";
import { loadAt, severityAt } from "../../machines/agents/suffering/severity.ts";
import {
  STRESSOR_TYPES,
  type StressorType,
} from "../../machines/agents/suffering/stressorPolicy.ts";
import type { MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import { MILLION } from "../../machines/units.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { agentFacts, agentNews } from "./book/agentsBook.ts";
import type { AgentNews } from "./book/facts.ts";
import { ghostsIn, isGhost } from "./engineMirror.ts";

type Ended = MailOf<"goal.ended">;
type Synthesized = MailOf<"synthesis.finished">;

const isCompleted = ({ status }: Ended): boolean => status === "completed";

/** The keeper of lessons is told as well. */
const isFirst = (to: string): boolean => !to.startsWith("lessons/");

/** The step that rejected it; undefined when none did. */
const failedAt = ({ verdict, steps }: Synthesized): number | undefined =>
  verdict === "rejected" ? steps.find(({ outcome }) => outcome === "failed")?.step : undefined;

const goals = metricsIn("goals", "agent");
const calls = metricsIn("calls", "agent");
const misses = metricsIn("misses", "agent");
const lessons = metricsIn("lessons", "agent");
const shares = metricsIn("share", "agent");
const capabilities = metricsIn("capabilities");

const severity = metricsIn(
  "severity",
  "agent",
)("Severity, 0 when absent; of the world: the highest.");
const severities = Object.fromEntries(
  STRESSOR_TYPES.map((type) => [`stressor.${type}`, severity]),
) as { readonly [Name in `stressor.${StressorType}`]: Metric };

const madeFrom = goals("Of these, made from that source.");
const fallbacks = Object.fromEntries(
  FALLBACK_SOURCES.map((source) => [`goals.fallback.${source}`, madeFrom]),
) as { readonly [Name in `goals.fallback.${FallbackSource}`]: Metric };

const syntheses = metricsIn("syntheses", "agent");

const ranOnce = calls("Calls of that capability that succeeded.");
const RUN_METRICS = Object.fromEntries(
  [...builtins.map(({ name }) => name), "tools"].map((name) => [`ran.${name}`, ranOnce]),
) as { readonly [Name in `ran.${string}`]: Metric };

export const agentsMetrics = {
  "goals.completed": goals(
    "Goals that passed their gate.",
    { "goal.ended": (goal, to) => isCompleted(goal) && isFirst(to) },
    "less",
  ),
  "goals.abandoned": goals(
    "Goals given up or out of chances: the failed ones.",
    { "goal.ended": (goal, to) => !isCompleted(goal) && isFirst(to) },
    "more",
  ),
  "goals.doneShare": shares("Completed over ended goals, 0 to 1; 1 while none has ended."),
  "goals.unplanned": goals("Of the abandoned ones, those that got no plan.", {
    "goal.ended": ({ reason }, to) => isFirst(to) && (reason?.startsWith(NO_PLAN) ?? false),
  }),
  "goals.fallback": goals("Goals that an agent made because its model gave none."),
  ...fallbacks,
  "gate.missed": misses("Gates that a goal did not pass."),
  "gate.missed.output": misses("… because no step used an output capability."),
  "gate.missed.mechanical": misses("… because of the file itself."),
  "gate.missed.semantic": misses("… because the judge did not see the goal in it."),
  "gate.missed.facts": misses("… because it says of another file what is not so."),
  "lessons.candidates": lessons("Candidates for a lesson at this moment."),
  "lessons.promoted": lessons("Lessons that have become rules, at this moment."),
  "window.failed": metricsIn("goals")(
    "Failed ones among the last ended goals that repeated_failure looks at.",
  ),
  "calls.finished": calls("Tool calls that came to an end.", { "call.finished": 1 }),
  "calls.lost": calls(
    "Calls that returned nothing, whether or not an agent noticed.",
    { "call.finished": ({ nothing = false }) => nothing },
    "more",
  ),
  "calls.failed": calls(
    "Calls that the agent saw fail.",
    { "call.finished": ({ ok }) => !ok },
    "more",
  ),
  "ghost.calls": calls("Calls routed to a capability without code."),
  "ghost.refused": calls(
    "Calls that the pre-execution check refused: registered, and no code behind it.",
    undefined,
    "more",
  ),
  "ghost.nulls": calls(
    "Calls whose None was taken for a failure, whatever the tool had done before.",
  ),
  "ghost.registered": capabilities("Registered capabilities without code at this moment."),
  "broken.listed": capabilities("Entries of broken_tools.json at this moment."),
  ...severities,
  load: metricsIn("load", "agent")(
    "Sum of severities, at most 1; of the world: the highest.",
    undefined,
    "more",
  ),
  "synthesis.deployed": syntheses("Tools that passed the nine steps, untested ones too.", {
    "synthesis.finished": ({ verdict }) => verdict !== "already_deployed" && verdict !== "rejected",
  }),
  "synthesis.rejected": syntheses("Tools that a step turned down.", {
    "synthesis.finished": ({ verdict }) => verdict === "rejected",
  }),
  "synthesis.execFailed": syntheses("Of these, at step 8, the exec check.", {
    "synthesis.finished": (one) => failedAt(one) === 8,
  }),
  "synthesis.nullStubs": syntheses("Of these, null stubs at step 9.", {
    "synthesis.finished": (one) => failedAt(one) === 9,
  }),
  "synthesis.alreadyDeployed": syntheses("Answers of the dedup guard.", {
    "synthesis.finished": ({ verdict }) => verdict === "already_deployed",
  }),
  "calls.untested": calls("Calls routed to a tool while it was still being tested."),
  ...RUN_METRICS,
  "recording.left": {
    ...metricsIn(
      "agents",
      "agent",
    )(
      "Agents that stand in for recorded ones and have left their recording: what follows is unknown.",
    ),
    isUnknown: true,
  },
  "locks.refused": calls(
    "Calls refused by a lock, or not earned.",
    { "call.finished": ({ locked }) => locked !== undefined },
    "more",
  ),
} as const;

type AgentsMetrics = typeof agentsMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends AgentsMetrics {}
}

/** Sent to an actor that ignores it on purpose, for the reader of the log. */
const SAID_FOR_THE_LOG = ["window.assessed", "goalGate.judged", "lessons.read", "lesson.noted"];

/** Ours: in a larger world, the end of a goal would add a sample for each agent. */
const SAMPLED_MAX = 50;

export class AgentsMeter implements Observer {
  readonly #gauge: Gauge;
  readonly kept = agentFacts("registry", "calls", "goals", "born", "syntheses", "feelings");

  constructor(gauge: Gauge) {
    this.#gauge = gauge;
    for (const actor of [WORLD, ...gauge.agents]) gauge.set("goals.doneShare", actor, 0, 1);
  }

  observe(delivery: SeenDelivery): void {
    const { event, to, dueMs, fate } = delivery;
    for (const news of agentNews(this.kept, delivery)) this.#counted(news, to, dueMs);
    if (fate !== "handled" && !SAID_FOR_THE_LOG.includes(event.type)) return;
    switch (event.type) {
      case "goalGate.judged":
        if (event.passed) break;
        this.#gauge.add("gate.missed", event.agent, dueMs);
        if (event.part !== "progress") {
          this.#gauge.add(`gate.missed.${event.part}`, event.agent, dueMs);
        }
        break;
      case "lessons.read":
      case "lesson.noted":
        this.#gauge.count("lessons.candidates", event.agent, dueMs, event.candidates);
        this.#gauge.count("lessons.promoted", event.agent, dueMs, event.promoted);
        break;
      case "window.assessed":
        this.#gauge.set("window.failed", WORLD, dueMs, event.failed);
    }
  }

  #counted(news: AgentNews, to: string, atMs: number): void {
    switch (news.is) {
      case "registry":
        this.#gauge.set("ghost.registered", WORLD, atMs, ghostsIn(news.tools).length);
        this.#gauge.set("broken.listed", WORLD, atMs, news.tools.broken.length);
        break;
      case "goalBegun": {
        const { agent, fallback } = news.goal;
        if (fallback === undefined) break;
        this.#gauge.add("goals.fallback", agent, atMs);
        this.#gauge.add(`goals.fallback.${fallback}`, agent, atMs);
        break;
      }
      case "joined":
        this.#gauge.join(news.agent, atMs);
        if (news.isFirst) this.#gauge.set("goals.doneShare", news.agent, atMs, 1);
        break;
      case "goalEnded":
        this.#goalEnded(news.agent, atMs);
        break;
      case "routed": {
        const { capability, agent } = news.event;
        if (isGhost(this.kept.registry.tools, capability)) {
          this.#gauge.add("ghost.calls", agent, atMs);
        }
        if (this.kept.syntheses.inTest.includes(capability)) {
          this.#gauge.add("calls.untested", agent, atMs);
        }
        break;
      }
      case "finished":
        this.#finished(agentOf(to), news.event, atMs);
        break;
      case "felt":
        this.#sampleLoad(news.agent, atMs);
    }
  }

  /** By which layer of ghost detection a call failed, if by one; else what it ran, which other parts measure of theirs. */
  #finished(agent: string, event: MailOf<"call.finished">, atMs: number): void {
    const { capability, nothing, locked, ok } = event;
    const { tools } = this.kept.registry;
    if (ok) {
      const entry = tools?.entries.find(({ name }) => name === capability);
      const isBrought = entry?.brought !== undefined;
      if (!nothing && !isBrought) this.#gauge.add(ranName(capability), agent, atMs);
    } else if (nothing) this.#gauge.add("ghost.nulls", agent, atMs);
    else if (capability !== null && locked === undefined && isGhost(tools, capability)) {
      this.#gauge.add("ghost.refused", agent, atMs);
    }
  }

  #goalEnded(agent: string, atMs: number): void {
    for (const actor of [WORLD, agent]) {
      const done = this.#gauge.at("goals.completed", actor, atMs);
      const failed = this.#gauge.at("goals.abandoned", actor, atMs);
      this.#gauge.set("goals.doneShare", actor, atMs, done / (done + failed));
    }
    const { agents } = this.#gauge;
    for (const name of agents.length > SAMPLED_MAX ? [agent] : agents) this.#sampleLoad(name, atMs);
  }

  /** Severity grows all the time; it is sampled whenever a goal ends or a stressor changes (DA9). */
  #sampleLoad(agent: string, atMs: number): void {
    const active = ownValue(this.kept.feelings, agent);
    if (active === undefined) return;
    for (const type of STRESSOR_TYPES) {
      const felt = active.find((one) => one.type === type);
      this.#setFelt(`stressor.${type}`, agent, atMs, felt ? severityAt(felt, atMs) : 0);
    }
    this.#setFelt("load", agent, atMs, loadAt(active, atMs));
  }

  #setFelt(metric: MetricName, agent: string, atMs: number, millionths: number): void {
    const gauge = this.#gauge;
    const felt = millionths / MILLION;
    const before = gauge.at(metric, agent, atMs);
    // Most stressors are not felt, and stay so.
    if (felt === before) return;
    const highest = gauge.at(metric, WORLD, atMs);
    gauge.set(metric, agent, atMs, felt);
    if (felt >= highest) gauge.set(metric, WORLD, atMs, felt);
    // Only the one that felt most can lower the highest.
    else if (before === highest) {
      const all = gauge.agents.map((name) => gauge.at(metric, name, atMs));
      gauge.set(metric, WORLD, atMs, Math.max(...all));
    }
  }
}

/** Synthesized tools are counted together. The compiler has forgotten the names of the builtins by now. */
const ranName = (capability: string | null): MetricName =>
  (`ran.${capability}` in agentsMetrics ? `ran.${capability}` : "ran.tools") as MetricName;
