/** The picture of agents, gathered from the story of a run. */
import type { Pictured } from "../../../contract/edge/edgePart.ts";
import { merged } from "../../../edges/report/moments.ts";
import type { Meter } from "../../../run/meter.ts";
import type { RunPicture } from "./picture.ts";
import type { CallsPicture } from "./picturePanels.ts";

function callsOf(meter: Meter, agent: string): CallsPicture {
  const stepsOf = (metric: "calls.finished" | "calls.failed" | "calls.lost") =>
    meter.series(metric, agent).filter(({ value }) => value > 0);
  const [finished, failed, lost] = [
    stepsOf("calls.finished"),
    stepsOf("calls.failed"),
    stepsOf("calls.lost"),
  ];
  const last = (steps: typeof failed): number => steps.at(-1)?.value ?? 0;
  return {
    ...{ finished: last(finished), failed: last(failed), lost: last(lost) },
    fruitlessMs: [...failed, ...lost].map(({ atMs }) => atMs),
  };
}

/** The picture of a run: goals and load of each agent, ghosts, and the moments that mattered. */
export function pictureOf({ scenario, observed }: Pictured): RunPicture {
  const { result, story, meter, variant } = observed;
  return {
    title: variant === null ? scenario.name : `${scenario.name}: ${variant}`,
    startsAt: scenario.startsAt,
    endMs: result.virtualMs,
    agents: [...scenario.agents, ...story.born].map((name) => ({
      name,
      goals: story.goals
        .filter(({ agent }) => agent === name)
        .map(({ startMs, endMs, status, n }) => ({
          startMs,
          endMs: endMs ?? result.virtualMs,
          status,
          label: `goal ${n}`,
        })),
      load: meter.series("load", name).map(({ atMs, value: load }) => ({ atMs, load })),
      calls: callsOf(meter, name),
    })),
    intervals: story.ghosts.map(({ name, fromMs, toMs }) => ({
      label: `ghost ${name}`,
      fromMs,
      toMs: toMs ?? result.virtualMs,
    })),
    marks: merged(story.moments.filter(({ kind }) => kind !== "ghost")),
  };
}
