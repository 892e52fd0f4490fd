/** What a person reads first, from a run that is over. */

import type { Scenario } from "../actors/scenario.ts";
import type { Observed } from "../compare.ts";
import { type Explanation, why } from "../why.ts";
import { FILES } from "./bundleWriter.ts";
import type { Played } from "./playWorker.ts";
import type { Recorded } from "./recordRun.ts";
import { pictureOf, type ReportInput, reportText, syntPictureOf } from "./report.ts";

export function reportInput(from: {
  scenario: Scenario;
  called: string;
  seed: number;
  done: Recorded;
  counterfactuals: readonly Played[];
  folder: string | null;
  /** What goes before everything else. */
  lead?: string;
}): ReportInput {
  const { done, folder, ...given } = from;
  const { observed, deliveries, inputs } = done;
  const explanations = [
    why(deliveries, inputs),
    ...laterFailures(observed).map((question) => why(deliveries, inputs, question)),
  ].filter((one): one is Explanation => one !== undefined);
  return { ...given, ...done, explanations, bundle: folder };
}

/** One failed goal of an agent that itself called a ghost: the shortest story of the cause. */
function laterFailures({ story }: Observed): string[] {
  const ghost = story.ghosts.find(({ callsByAgent }) => callsByAgent.size > 0);
  if (ghost === undefined) return [];
  const goal = story.goals.find(
    ({ agent, status, startMs }) =>
      status === "abandoned" && startMs >= ghost.fromMs && ghost.callsByAgent.has(agent),
  );
  return goal === undefined ? [] : [`goal:${goal.agent}/${goal.n}`];
}

export async function textsOf(input: ReportInput): Promise<{ [file: string]: string }> {
  // Loaded only now: the plotting library takes longer to load than a short run takes.
  const [{ drawRun }, { drawSynt }, { reportPage }] = await Promise.all([
    import("./picture.ts"),
    import("../actors/synt/edge/picture.ts"),
    import("./reportPage.ts"),
  ]);
  const markdown = reportText(input);
  const { story } = input.observed;
  const hasAgents = input.scenario.agents.length > 0 || !story.synt.isThere;
  const synt = story.synt.isThere ? drawSynt(syntPictureOf(input)) : "";
  const svg = hasAgents ? drawRun(pictureOf(input)) : synt;
  const page = reportPage({ title: input.scenario.name, markdown, svg });
  return {
    ...{ [FILES.report]: markdown, [FILES.page]: page, "picture.svg": svg },
    // Agents and synt have little in common but time: a picture each.
    ...(hasAgents && synt !== "" && { "picture-synt.svg": synt }),
  };
}
