/** The picture of agents: goals, calls of which nothing came, and load of each; ghosts, and the moments that mattered. */
import { countOf } from "../../../contract/countOf.ts";
import type { Pictured } from "../../../contract/edge/edgePart.ts";
import {
  ink,
  type Lane,
  type PhaseLooks,
  type Picture,
  type SignLooks,
  type Span,
  type Step,
} from "../../../contract/picture.ts";
import type { Policy } from "../../../contract/policy.ts";
import { merged } from "../../../edges/report/moments.ts";
import { lockedFrom } from "../../../machines/agents/engine/locks.ts";
import { MILLION } from "../../../machines/units.ts";
import type { GoalStory } from "../book/facts.ts";

/** Of load, by their names in the policy. */
const THRESHOLDS = ["prominent", "constrained", "dominant", "crisis"] as const;

const LOCKED = "locked by load";

const GOALS = {
  completed: "goal completed",
  abandoned: "goal failed",
  active: "goal still open",
} as const;

/** Completed and failed goals differ in colour, place and shape. */
const phases: PhaseLooks = {
  [GOALS.completed]: { shape: "block", colour: ink.good },
  [GOALS.abandoned]: { shape: "stroke", colour: ink.bad },
  [GOALS.active]: { shape: "open", colour: ink.open },
  [LOCKED]: { shape: "bar", colour: ink.wine },
};

const signs: SignLooks = {
  fruitless: { shape: "tick", colour: ink.bad, says: "call that failed or returned nothing" },
};

export function agentsPicture({ scenario, observed }: Pictured): Picture {
  const { result, story } = observed;
  return {
    says: "Goals, fruitless calls and load of each agent over virtual time",
    phases,
    signs,
    lanes: [...scenario.agents, ...story.born].flatMap((name) => lanesOf(name, observed)),
    bands: story.ghosts.map(({ name, fromMs, toMs }) => ({
      label: `ghost ${name}`,
      fromMs,
      toMs: toMs ?? result.virtualMs,
    })),
    marks: merged(story.moments.filter(({ kind }) => kind !== "ghost")),
    none: "No agents in this run.",
  };
}

function lanesOf(name: string, { result, story, meter }: Pictured["observed"]): readonly Lane[] {
  const goals = story.goals.filter(({ agent }) => agent === name);
  const timesOf = (metric: "calls.failed" | "calls.lost") =>
    meter.series(metric, name).filter(({ value }) => value > 0);
  const [failed, lost] = [timesOf("calls.failed"), timesOf("calls.lost")];
  const load = meter.series("load", name);
  return [
    {
      is: "row",
      label: name,
      isStrong: true,
      outcome: [...goalsText(goals), ...callsText(meter, name)].join("  ·  "),
      spans: goals.map(({ startMs, endMs, status, n, text }) => ({
        phase: GOALS[status],
        fromMs: startMs,
        toMs: endMs ?? result.virtualMs,
        says: `goal ${n}: ${text}`,
        ...(endMs !== null && { asks: `goal:${name}/${n}` }),
      })),
      points: [...failed, ...lost].map(({ atMs }) => ({ kind: "fruitless", atMs })),
    },
    {
      is: "steps",
      name: "load",
      isUnder: true,
      lines: [{ label: "", steps: load }],
      bound: null,
      most: 1,
      levels: THRESHOLDS.map((threshold) => ({
        name: threshold,
        value: result.policy.locks[threshold] / MILLION,
      })),
      spans: locksAt(load, result.policy, result.virtualMs),
      format: (value) => (value === 1 ? "1" : value.toFixed(2).slice(1)),
    },
  ];
}

/** What a load kept from an agent, and when. */
function locksAt(load: readonly Step[], policy: Policy, endMs: number): readonly Span[] {
  const { constrainedLocks, dominantLocks } = policy.locks;
  const names = [...new Set([...constrainedLocks, ...dominantLocks])];
  const spans: Span[] = [];
  for (const [at, { atMs, value }] of load.entries()) {
    const isLocked = (name: string): boolean =>
      (lockedFrom(name, policy) ?? Number.POSITIVE_INFINITY) <= Math.round(value * MILLION);
    const says = names.filter(isLocked).join(", ");
    const toMs = load[at + 1]?.atMs ?? endMs;
    const last = spans.at(-1);
    if (says === "") continue;
    if (last?.says === says && last.toMs === atMs) spans.splice(-1, 1, { ...last, toMs });
    else spans.push({ phase: LOCKED, fromMs: atMs, toMs, says });
  }
  return spans;
}

function goalsText(goals: readonly GoalStory[]): readonly string[] {
  if (goals.length === 0) return ["no goals"];
  const count = (status: GoalStory["status"]) =>
    goals.filter((one) => one.status === status).length;
  const active = count("active");
  return [
    `${count("completed")} completed`,
    `${count("abandoned")} failed`,
    ...(active > 0 ? [`${active} still open`] : []),
  ];
}

/** A goal may be completed while its calls come to nothing. */
function callsText(meter: Pictured["observed"]["meter"], name: string): readonly string[] {
  const last = (metric: "calls.finished" | "calls.failed" | "calls.lost") =>
    meter.series(metric, name).at(-1)?.value ?? 0;
  const [finished, failed, lost] = [
    last("calls.finished"),
    last("calls.failed"),
    last("calls.lost"),
  ];
  const nothing = lost > 0 ? [`${lost} returned nothing`] : [];
  if (failed > 0)
    return [[`${failed} of ${countOf(finished, "call")} failed`, ...nothing].join(", ")];
  return lost > 0 ? [`${lost} of ${countOf(finished, "call")} returned nothing`] : [];
}
