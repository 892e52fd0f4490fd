/** The picture of agents, gathered from the story of a run. */
import type { Pictured } from "../../../edges/edgePart.ts";
import { merged } from "../../../edges/moments.ts";
import type { RunPicture } from "./picture.ts";

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
    })),
    intervals: story.ghosts.map(({ name, fromMs, toMs }) => ({
      label: `ghost ${name}`,
      fromMs,
      toMs: toMs ?? result.virtualMs,
    })),
    marks: merged(story.moments.filter(({ kind }) => kind !== "ghost")),
  };
}
