/** `ghostlight sweep`: plays the design of a study, and says what came of it. */

import { playFrontier, playSweep, sweepPlan } from "../../edges/studies/playStudy.ts";
import type { StudyLeft } from "../../edges/studies/studyFiles.ts";
import { plottedFrontier, plottedSetting } from "../../edges/studies/studyNumbers.ts";
import type { RunCounts } from "../../edges/studies/studyRuns.ts";
import { sweptFound, unknownNotes } from "../../studies/found.ts";
import type { StudyFound } from "../../studies/result.ts";
import { print, printJson, terminalWidth } from "../output.ts";
import { robustLines, robustOf, robustTold } from "./robust.ts";
import { exitCodeOf, type StudyFlags, studyCommand } from "./studyRun.ts";
import { frontierText, sweepText } from "./sweepText.ts";

export interface SweepFlags extends StudyFlags {
  readonly plain?: true;
}

export const sweepCommand = (nameOrPath: string, flags: SweepFlags): Promise<number> =>
  studyCommand(nameOrPath, flags, {
    kind: "study",
    planned: sweepPlan,
    timed: (plan) => [plan],
    play: async (plan, runs, write) => {
      const { design, replicates } = plan.study;
      const isFrontier = design?.kind === "frontier";
      const isPlain = flags.plain || replicates.seeds === "independent";
      const frontier = isFrontier ? await playFrontier(plan, design, runs) : undefined;
      const swept = isFrontier
        ? frontier?.swept
        : await playSweep(plan, runs, isPlain ? "plain" : "paired");
      if (swept === undefined) return undefined;
      const found = sweptFound(swept, { frontier: frontier?.found ?? null });
      const settings = robustOf(found);
      const told = robustTold(found.study, settings);
      const left = await write(found, () => told);
      return () => {
        const { counts } = runs;
        if (flags.json) tell(found, told, counts, left);
        else
          print(
            [
              ...unknownNotes(found.study, found.runs),
              ...(frontier === undefined
                ? [
                    ...robustLines(found.study, settings),
                    sweepText(swept, counts, left, terminalWidth()),
                  ]
                : [frontierText(frontier, counts, left, terminalWidth())]),
            ].join("\n"),
          );
        return exitCodeOf(swept.runs);
      };
    },
  });

const tell = (
  { study, baseline, notes, points, frontier }: StudyFound,
  robust: ReturnType<typeof robustTold>,
  runs: RunCounts,
  { folder, files, opening }: StudyLeft,
): void =>
  printJson({
    ...{ study: study.name, baseline, notes },
    points: points.map((one, place) => ({
      ...{ ...one, values: plottedSetting(study, one.values) },
      run: opening[place],
    })),
    ...robust,
    ...(frontier === null ? {} : { frontier: plottedFrontier(study, frontier) }),
    ...{ runs, folder, files },
  });
