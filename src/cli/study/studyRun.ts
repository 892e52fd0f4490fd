/** What `sweep`, `sense` and `tune` have in common: a folder, threads that play, Ctrl-C, and what is kept. */
import path from "node:path";
import { command, optionWords } from "../../edges/command.ts";
import { durationText } from "../../edges/duration.ts";
import { EXIT } from "../../edges/exit.ts";
import { plainName } from "../../edges/plainName.ts";
import { cacheFolder } from "../../edges/play/keptAnswers.ts";
import { checkedLists } from "../../edges/pool/checkWorlds.ts";
import { nameOf } from "../../edges/scenario/scenarioFolder.ts";
import { parseYaml } from "../../edges/scenario/yamlText.ts";
import type { SweepPlan } from "../../edges/studies/playStudy.ts";
import { type StudyHost, sha256, worldOf } from "../../edges/studies/runKey.ts";
import { claimStudyFolder, loadStudy, withLine } from "../../edges/studies/studyFile.ts";
import { type StudyLeft, writeStudyFiles } from "../../edges/studies/studyFiles.ts";
import { factorText } from "../../edges/studies/studyNumbers.ts";
import { WORKERS_MAX, workersHere } from "../../edges/studies/studyPool.ts";
import { type RunCounts, StudyRuns } from "../../edges/studies/studyRuns.ts";
import { isMap } from "../../machines/isMap.ts";
import type { StudyFound } from "../../studies/result.ts";
import type { Study } from "../../studies/study.ts";
import { runAt } from "../../studies/sweep.ts";
import type { SweepRun } from "../../studies/sweepSummary.ts";
import { type PartFlag, partLists } from "../chosenParts.ts";
import { atMost } from "../flags.ts";
import { interpreterOption, sandboxOption } from "../options.ts";
import { clearProgress, note, printJson } from "../output.ts";
import { interruptible } from "../signals.ts";
import { studyProgress } from "./studyProgress.ts";
import { type Searched, sweepDryRun } from "./sweepDryRun.ts";

export interface StudyFlags extends PartFlag {
  readonly out?: string;
  readonly workers?: number;
  readonly queue?: string;
  readonly sandbox?: string;
  readonly cache?: string;
  readonly interpreter?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** What one command makes of a study. */
interface StudyWork<Plan> {
  /** Names the folder of the study; but for a sweep it is also a part of its id. */
  readonly kind: "study" | "sense" | "tune";
  readonly planned: (study: Study, file: string) => Plan;
  /** What a dry run times of it. */
  readonly timed: (plan: Plan) => readonly [SweepPlan, Searched?];
  /** Gives what is told at the end, with its exit code; undefined where it was interrupted. */
  readonly play: (plan: Plan, runs: StudyRuns, write: Write) => Promise<(() => number) | undefined>;
}

/** Leaves the files of what was found; `more` stands in the JSON besides, and may name the commands that open points. */
type Write = (
  found: StudyFound,
  more?: (opening: readonly string[]) => object,
) => Promise<StudyLeft>;

export async function studyCommand<Plan extends { readonly notes: readonly string[] }>(
  nameOrPath: string,
  flags: StudyFlags,
  { kind, planned, timed, play }: StudyWork<Plan>,
): Promise<number> {
  const named = loadStudy(await checkedLists(await partLists(flags)), nameOrPath);
  const { study, file, text } = named;
  const plan = withLine(named, () => planned(study, file));
  const host = hostOf(flags);
  for (const one of plan.notes) note(one);
  if (flags.dryRun) {
    const [sweep, searched] = timed(plan);
    return sweepDryRun(sweep, { ...host, json: flags.json === true, searched });
  }
  const folder = flags.out ?? path.join("runs", `${kind}-${plainName(study.name)}`);
  claimStudyFolder(folder);
  const stop = interruptible("stopping; what was played is kept, and the same command goes on");
  const runs = new StudyRuns({
    ...host,
    folder,
    // The folder is of this study, and of the command that plays it.
    study: sha256(JSON.stringify(kind === "study" ? study : [kind, study])),
    world: worldOf(study),
    signal: stop.signal,
    onDone: studyProgress(study.name),
    onTrouble: note,
  });
  const write: Write = (found, more) => {
    const opening = openingOf({ ...flags, text, file }, found);
    return writeStudyFiles(folder, { ...found, opening }, more?.(opening));
  };
  try {
    const tell = await play(plan, runs, write);
    clearProgress();
    if (tell !== undefined) return tell();
    const { counts } = runs;
    if (flags.json) printJson({ study: study.name, interrupted: true, folder, runs: counts });
    note(`interrupted: ${counts.played} runs were played and kept. The same command goes on.`);
    return EXIT.interrupted;
  } finally {
    stop.dispose();
    await runs.close();
  }
}

interface Host extends StudyHost {
  readonly workers: number;
  /** The address of a database from which other machines play; this one when absent. */
  readonly queue: string | undefined;
}

/** Where and how runs of studies are played, here and for other machines. */
export function hostOf(flags: StudyFlags): Host {
  const workers = atMost("--workers", flags.workers ?? workersHere(), WORKERS_MAX);
  return {
    sandbox: sandboxOption(flags.sandbox),
    cache: cacheFolder(flags.cache),
    partFiles: flags.part,
    interpreter: interpreterOption(flags.interpreter),
    workers,
    queue: flags.queue,
  };
}

/** A run that ended by a bug, or ended its worker, is no result; what else did not end is told. */
export const exitCodeOf = (runs: readonly Pick<SweepRun, "outcome">[]): number =>
  runs.some(({ outcome }) => outcome === "bug" || outcome === "died") ? EXIT.bug : EXIT.ok;

export const countsText = (
  total: number,
  { played, cached, kept, again, deliveries }: RunCounts,
): string => {
  const alike = again === 0 ? "" : `, ${again} the same as another`;
  return `${total} runs: ${played} played, ${cached} from the cache, ${kept} kept from before${alike}.${sparedText(deliveries)}`;
};

/** Empty where nothing was played here. */
function sparedText({ played, spared }: RunCounts["deliveries"]): string {
  if (played === 0) return "";
  const share = Math.floor((100 * spared) / (played + spared));
  return ` Of their ${played + spared} deliveries ${spared} (${share} %) were common to several runs, and made once.`;
}

/** The command that opens the first replicate of each point, in the order of the points. */
export function openingOf(
  { text, file, part = [] }: PartFlag & { readonly text: string; readonly file: string },
  { study, points }: Pick<StudyFound, "study" | "points">,
): readonly string[] {
  const paths = scenariosIn(text, file);
  const until = study.untilMs === null ? undefined : durationText(study.untilMs);
  const limit = Object.entries(study.limits).map(([name, value]) => `${name}=${value}`);
  return points.map((point) => {
    const { seed } = point;
    const { scenario: own = study.scenario.name, variant, set: values } = runAt(study, point, 0);
    const set = Object.entries(values).map(
      ([at, value]) => `${at}=${factorText(study, at, value)}`,
    );
    const words = { seed, variant: variant ?? undefined, set, until, limit, part };
    return command`run ${paths.get(own) ?? own} ${optionWords(words)}`;
  });
}

/** By the name of each scenario that a path leads to, the path from here: in a study it leads from its own folder. */
function scenariosIn(text: string, file: string): ReadonlyMap<string, string> {
  const yaml = parseYaml(text, file);
  const written = "problems" in yaml || !isMap(yaml.value) ? undefined : yaml.value["scenario"];
  return new Map(
    [written].flat().flatMap((one) => {
      if (typeof one !== "string" || !/[\\/]|\.ya?ml$/i.test(one)) return [];
      return [[nameOf(one), path.join(path.dirname(file), one)] as const];
    }),
  );
}
