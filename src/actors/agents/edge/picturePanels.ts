/**
 * One agent's panel in a run's picture: its name, its goals by outcome, its calls of which nothing came, its load.
 * Completed and abandoned goals differ in colour, place and shape. Heights are px above the panel's lower edge.
 */
import * as Plot from "@observablehq/plot";
import { countOf } from "../../../contract/countOf.ts";
import { type Frame, ink, margin, within } from "../../../edges/report/pictureFrame.ts";
import { clean, hourMinute } from "../../../edges/report/pictureLayout.ts";

/**
 * Shared out among the agents. One with more goals than its share gets `bars` that count them; one
 * with more load steps than its share keeps the peak and the last of each stretch of time.
 */
const most = { goals: 1500, bars: 160, loadSteps: 4800, calls: 4000 };

export const panelHeight = 186;
const heights = { name: 168, goals: 138, calls: 116, loadZero: 12, loadOne: 100 };
/** Px from the goal line to the middle of a goal's stroke. */
const goalOffset = 7;
const thresholds = [0.35, 0.55, 0.75, 0.9];

export interface GoalStretch {
  readonly startMs: number;
  readonly endMs: number;
  readonly status: "completed" | "abandoned" | "active";
  readonly label: string;
}

export interface AgentPicture {
  readonly name: string;
  readonly goals: readonly GoalStretch[];
  /** Steps: a load, 0 to 1, holds from its instant until the next one. */
  readonly load: readonly { readonly atMs: number; readonly load: number }[];
  /** None when absent. */
  readonly calls?: CallsPicture;
}

/** An agent's calls; a goal may be completed while they come to nothing. */
export interface CallsPicture {
  readonly finished: number;
  readonly failed: number;
  readonly lost: number;
  /** When one failed, or returned nothing. */
  readonly fruitlessMs: readonly number[];
}

/** The panel to fill: its place from the top, how many there are, the shared time axis. */
export interface Panel {
  readonly index: number;
  readonly count: number;
  readonly frame: Frame;
}

/** From the frame's left edge back to where the texts begin, px. */
const toOuter = margin.outer - margin.left;

export function panelMarks(agent: AgentPicture, panel: Panel): Plot.Markish[] {
  return [
    ...headMarks(agent, panel),
    ...(isCounted(agent, panel.count) ? barMarks(agent, panel) : goalMarks(agent, panel)),
    callMark(agent, panel),
    loadMark(agent, panel),
  ];
}

/** Whether an agent's goals are too many to be drawn one by one. */
export function isCounted(agent: AgentPicture, agentCount: number): boolean {
  return agent.goals.length > most.goals / agentCount;
}

export const countedNote = `bars: goals that ended within 1/${most.bars} of the run`;

/** What each panel has: a separator, the goal line, the load's scale and thresholds. */
export function scaleMarks(): Plot.Markish[] {
  const left = { frameAnchor: "left", textAnchor: "end", dx: -8, fill: ink.quiet } as const;
  const { goals, loadZero, loadOne } = heights;
  return [
    Plot.ruleY([panelHeight], { stroke: ink.line, insetLeft: toOuter }),
    Plot.ruleY([goals, loadZero], { stroke: ink.axis }),
    Plot.ruleY([loadOne], { stroke: ink.line }),
    Plot.ruleY(thresholds.map(loadY), { stroke: ink.axis, strokeDasharray: "1,4" }),
    Plot.text(["completed"], { ...left, y: [goals + goalOffset], fill: ink.completed }),
    Plot.text(["abandoned"], { ...left, y: [goals - goalOffset], fill: ink.abandonedText }),
    Plot.text(["calls"], { ...left, y: [heights.calls] }),
    Plot.text(["load 1", "0.5", "0"], { ...left, y: [loadOne, loadY(0.5), loadZero] }),
    Plot.text(thresholds, {
      ...{ frameAnchor: "right", textAnchor: "start", dx: 6, fontSize: 10, fill: ink.quiet },
      y: loadY,
      text: (threshold: number) => threshold.toFixed(2).slice(1),
    }),
  ];
}

function loadY(load: number): number {
  return heights.loadZero + (heights.loadOne - heights.loadZero) * within(load, 1);
}

/** The agent's name, how its goals ended, and what came of its calls. */
function headMarks(agent: AgentPicture, panel: Panel): Plot.Markish[] {
  const head = { fy: [panel.index], y: [heights.name], stroke: "white", strokeWidth: 4 };
  const count = (status: GoalStretch["status"]): number =>
    agent.goals.filter((goal) => goal.status === status).length;
  const active = count("active");
  const counts = [
    `${count("completed")} completed`,
    `${count("abandoned")} abandoned`,
    ...(active > 0 ? [`${active} still open`] : []),
  ];
  const goals = agent.goals.length > 0 ? counts.join("  ·  ") : "no goals";
  const left = { frameAnchor: "left", textAnchor: "start", dx: toOuter } as const;
  const right = { frameAnchor: "right", textAnchor: "end", fill: ink.quiet } as const;
  return [
    Plot.text([clean(agent.name, 32)], {
      ...{ ...head, ...left, fill: ink.text, fontSize: 14, fontWeight: 600 },
    }),
    Plot.text([[goals, ...callsText(agent.calls)].join("  ·  ")], { ...head, ...right }),
  ];
}

function callsText({ finished, failed, lost }: CallsPicture = NO_CALLS): string[] {
  const nothing = lost > 0 ? [`${lost} returned nothing`] : [];
  if (failed > 0)
    return [[`${failed} of ${countOf(finished, "call")} failed`, ...nothing].join(", ")];
  return lost > 0 ? [`${lost} of ${countOf(finished, "call")} returned nothing`] : [];
}

const NO_CALLS: CallsPicture = { finished: 0, failed: 0, lost: 0, fruitlessMs: [] };

/** A stroke for each call of which nothing came; those of one pixel share one. */
function callMark(
  { calls = NO_CALLS }: AgentPicture,
  { index, count, frame }: Panel,
): Plot.Markish {
  const { endMs, msInPx } = frame;
  const stepMs = Math.max(msInPx, (endMs * count) / most.calls);
  const steps = new Set(calls.fruitlessMs.map((ms) => Math.floor(within(ms, endMs) / stepMs)));
  return Plot.ruleX([...steps], {
    ...{ fy: () => index, x: (step: number) => Math.min(endMs, step * stepMs) },
    ...{ y1: heights.calls - 4, y2: heights.calls + 4, stroke: ink.abandoned },
  });
}

/** A block above the line, or a stroke below it that ends in a cross; an open goal on the line. */
function goalMarks(agent: AgentPicture, { index, frame }: Panel): Plot.Markish[] {
  const { endMs, msInPx } = frame;
  const goals = agent.goals.map((goal) => {
    const from = within(goal.startMs, endMs);
    const to = Math.max(from, within(goal.endMs, endMs));
    // A pixel of air parts neighbours; what is shorter is drawn one pixel wide.
    const drawnTo = Math.min(endMs, Math.max(from + msInPx, to - msInPx));
    const times = `${hourMinute(from)} to ${hourMinute(to)}`;
    return {
      ...goal,
      from,
      to,
      drawnTo,
      words: `${clean(goal.label, 60)}, ${goal.status}, ${times}`,
    };
  });
  const of = (status: GoalStretch["status"]) => goals.filter((goal) => goal.status === status);
  const stretch = { fy: () => index, x1: "from", x2: "drawnTo", title: "words" };
  const end = { fy: () => index, x: "to", strokeWidth: 1.5 };
  const line = heights.goals;
  const below = line - goalOffset;
  const block = { y1: line + 2, y2: line + 2 * goalOffset - 2 };
  const cross = { y: below, symbol: "times", r: 2.6 } as const;
  return [
    Plot.rect(of("completed"), { ...stretch, ...block, fill: ink.completed }),
    Plot.ruleY(of("abandoned"), { ...stretch, y: below, stroke: ink.abandoned, strokeWidth: 1.5 }),
    Plot.dot(of("abandoned"), { ...end, ...cross, stroke: ink.abandoned }),
    Plot.ruleY(of("active"), { ...stretch, y: line, stroke: ink.active, strokeWidth: 3 }),
    Plot.dot(of("active"), { ...end, y: line, r: 3.5, stroke: ink.active, fill: "white" }),
  ];
}

/** Counts by the time goals ended: completed upwards, abandoned downwards, on one scale. */
function barMarks(agent: AgentPicture, { index, frame }: Panel): Plot.Markish[] {
  const { endMs } = frame;
  const counts = { completed: new Map<number, number>(), abandoned: new Map<number, number>() };
  for (const { status, endMs: goalEndMs } of agent.goals) {
    if (status === "active") continue;
    const share = within(goalEndMs, endMs) / endMs;
    const bar = Math.min(most.bars - 1, Math.floor(share * most.bars));
    counts[status].set(bar, (counts[status].get(bar) ?? 0) + 1);
  }
  const highest = Math.max(1, ...counts.completed.values(), ...counts.abandoned.values());
  const bars = (status: "completed" | "abandoned", side: number): Plot.Markish =>
    Plot.rect([...counts[status]], {
      fy: () => index,
      x1: ([bar]) => (bar * endMs) / most.bars,
      x2: ([bar]) => ((bar + 0.85) * endMs) / most.bars,
      y1: heights.goals + side,
      y2: ([, count]) => heights.goals + side * (2 + (13 * count) / highest),
      fill: ink[status],
    });
  return [bars("completed", 1), bars("abandoned", -1)];
}

function loadMark(agent: AgentPicture, { index, count, frame }: Panel): Plot.Markish {
  const { endMs } = frame;
  const steps = agent.load
    .filter(({ atMs, load }) => atMs >= 0 && atMs <= endMs && Number.isFinite(load))
    .sort((a, b) => a.atMs - b.atMs);
  const drawn = thinned(steps, Math.floor(most.loadSteps / count), endMs);
  const last = drawn.at(-1);
  return Plot.lineY(last === undefined ? [] : [...drawn, { ...last, atMs: endMs }], {
    fy: () => index,
    x: "atMs",
    y: ({ load }) => loadY(load),
    ...{ curve: "step-after", stroke: ink.text, strokeWidth: 1.6 },
  });
}

/** At most `stepsMax` steps: of too many, the peak and the last in each stretch of time. */
function thinned(
  steps: AgentPicture["load"],
  stepsMax: number,
  endMs: number,
): AgentPicture["load"] {
  if (steps.length <= stepsMax) return steps;
  const stretches = Math.floor(stepsMax / 2) - 1;
  const kept = new Map<number, AgentPicture["load"]>();
  for (const step of steps) {
    const stretch = Math.floor((step.atMs / endMs) * stretches);
    const peak = kept.get(stretch)?.[0];
    kept.set(stretch, peak !== undefined && peak.load > step.load ? [peak, step] : [step]);
  }
  return [...kept.values()].flat();
}
