/** `ghostlight trial FILE`: an agent of one's own on tasks, under faults, as a study. */
import { existsSync } from "node:fs";
import path from "node:path";
import { atMost } from "../../../../cli/flags.ts";
import { clearProgress, note, print, printJson } from "../../../../cli/output.ts";
import { interruptible } from "../../../../cli/signals.ts";
import { studyProgress } from "../../../../cli/study/studyProgress.ts";
import { countOf } from "../../../../contract/countOf.ts";
import { command, shellArgument } from "../../../../edges/command.ts";
import { type BadInput, badInput, quoted } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { plainName } from "../../../../edges/plainName.ts";
import { playRounds, type SweepPlan, type Swept } from "../../../../edges/studies/playStudy.ts";
import { claimStudyFolder } from "../../../../edges/studies/studyFile.ts";
import { type StudyLeft, writeStudyFiles } from "../../../../edges/studies/studyFiles.ts";
import { WORKERS_MAX } from "../../../../edges/studies/studyPool.ts";
import { sweptFound } from "../../../../studies/found.ts";
import { sweepPoints } from "../../../../studies/sweep.ts";
import { type SweepRun, summarise } from "../../../../studies/sweepSummary.ts";
import { taskEstimates, taskOf } from "../../../../studies/taskEstimates.ts";
import { moneyFor, tokensTaken } from "../trial/budget.ts";
import { AGENT, FAULT, loadTrial, NONE, type Trial } from "../trial/trialFile.ts";
import { handedTo } from "../trial/trialRun.ts";
import { runFolder, TrialRuns } from "../trial/trialRuns.ts";
import { spentText, trialNotes, trialSentences, unknownSentences } from "../trial/trialText.ts";
import { mayRun } from "../trial/trialTools.ts";
import type { Api } from "../wire/apis.ts";
import { exchangesIn, readExchanges } from "../wire/exchangeLog.ts";
import { isCalled } from "../wire/messages.ts";
import { HIDING } from "../wire/wireFaults.ts";
import { countsOf, cutText, rightsText } from "./agentText.ts";
import { upstreamsOf } from "./record.ts";

export interface TrialFlags extends Partial<Record<Api, string>> {
  readonly out?: string;
  readonly workers?: number;
  readonly allowEffects?: readonly string[];
  readonly dryRun?: true;
  readonly like?: string;
  readonly json?: true;
}

export async function trialCommand(file: string, flags: TrialFlags): Promise<number> {
  const trial = loadTrial(file);
  const { study } = trial;
  for (const folder of trial.cut) note(cutText(`The recording ${folder}`));
  const upstreams = upstreamsOf(flags);
  const workers = atMost("--workers", flags.workers ?? 1, WORKERS_MAX);
  const { points } = study.design?.kind === "points" ? study.design : { points: [] };
  const designed = points.map((values, index) => ({ index, values }));
  const plan: SweepPlan = { study, ...sweepPoints(study, designed), rows: [], notes: [] };
  if (flags.dryRun) return dryRun(trial, plan, flags);
  for (const [name, { verdict: [program = ""] = [] }] of Object.entries(trial.outcomes)) {
    if (program === "" || isProgram(program, path.dirname(trial.file))) continue;
    throw badInput(
      { file, path: `outcomes.${name}.verdict` },
      `no program ${quoted(program)}`,
      "a program of this machine, by name or path",
      "A path leads from the folder of the file.",
    );
  }
  const allowed = flags.allowEffects ?? [];
  const hidden = hiddenEffects(trial, allowed);
  if (hidden !== undefined) throw hidden;
  const folder = flags.out ?? path.join("runs", `trial-${plainName(study.name)}`);
  claimStudyFolder(folder);
  const stop = interruptible("stopping; what was played is kept, and the same command goes on");
  const onDone = studyProgress(study.name);
  const { signal } = stop;
  const runs = new TrialRuns({ trial, folder, upstreams, workers, allowed, signal, onDone });
  note(runsText(servedBy(trial)));
  try {
    const estimates = taskEstimates(trial.tasks.length, trial.isPaired);
    // Each fault is played until its own share is known; differences are made behind that.
    const alone = { ...plan, baseline: null };
    const playing = { play: runs.play.bind(runs), read: runs.read.bind(runs) };
    const swept = await playRounds(alone, playing, estimates);
    clearProgress();
    if (swept === undefined) return endedEarly(trial, runs, folder, flags);
    const ended = swept.points.map((one) => one.ended);
    const whole = { ...swept, plan, points: summarise(study, plan, ended, swept.runs, estimates) };
    return await told(trial, whole, runs, folder, flags);
  } finally {
    stop.dispose();
    runs.close();
  }
}

async function told(
  trial: Trial,
  swept: Swept,
  { budget, counts, tools }: TrialRuns,
  folder: string,
  { json }: TrialFlags,
): Promise<number> {
  const sentences = [
    ...unknownSentences(trial, tools, swept.runs.length),
    ...trialSentences(trial, swept.points, swept.runs),
  ];
  const notes = trialNotes(trial, swept.runs, tools);
  const plan = { ...swept.plan, notes: [...sentences, ...notes] };
  const found = sweptFound({ ...swept, plan });
  const opening = swept.points.map(
    ({ index }) => command`why ${runFolder(folder, { point: index, replicate: 0 })}`,
  );
  const left: StudyLeft = await writeStudyFiles(folder, { ...found, opening });
  const reasons = [...new Set(swept.runs.flatMap(({ faults }) => faults))];
  if (json) {
    const { study, points } = found;
    printJson({
      ...{ trial: study.name, sentences, notes, reasons, spent: budget.spent, runs: counts },
      ...tools,
      points: points.map((one, place) => ({ ...one, run: opening[place] })),
      ...{ folder, files: left.files },
    });
  } else {
    print(
      [
        ...sentences,
        "",
        ...notes,
        ...reasons.slice(0, FAULTS_SHOWN).map((one) => `- ${one}`),
        `${countOf(swept.runs.length, "run")}: ${counts.played} played, ${counts.kept} kept from before; ${spentText(budget.spent, trial)}.`,
        `In ${folder}: ${left.files.join(", ")}, and a recording of each run in runs/. To look into one, and to run it again without a model:`,
        ...lookingInto(trial, swept, folder).map((one) => `  ${one}`),
      ].join("\n"),
    );
  }
  const isSeen = swept.runs.some(({ values }) => Object.values(values).some((one) => one !== null));
  return isSeen ? EXIT.ok : EXIT.failed;
}

/** Before any run is paid for. Where names have endings that are left out, only the start itself tells. */
function isProgram(word: string, from: string): boolean {
  if (process.platform === "win32" || word.includes("{")) return true;
  if (word.includes("/")) return existsSync(path.resolve(from, word));
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.some((folder) => existsSync(path.join(folder, word)));
}

/** Of a run that met a fault and gave a value; where there is none, of the first. */
function lookingInto(trial: Trial, { points, runs }: Swept, folder: string): readonly string[] {
  const settings = new Map(points.map(({ index, values }) => [index, values]));
  const isSeen = ({ values }: SweepRun): boolean =>
    Object.values(values).some((one) => one !== null);
  const met = runs.find((run) => isSeen(run) && settings.get(run.point)?.[FAULT] !== NONE);
  const run = met ?? runs.find(isSeen) ?? runs[0];
  const task = trial.tasks[taskOf(run?.replicate ?? 0, trial.tasks.length)];
  if (run === undefined || task === undefined) return [];
  const own = runFolder(folder, run);
  const { said, variables } = handedTo({
    ...{ task: task.text, seed: run.seed, folder: path.resolve(own) },
  });
  const words = trial.agents[String(settings.get(run.point)?.[AGENT])] ?? [];
  const told = Object.entries(variables).map(([name, value]) => `${name}=${shellArgument(value)}`);
  // The program runs where the trial's file lies.
  const at = path.relative("", path.dirname(trial.file));
  const moved = at === "" ? "" : `cd ${shellArgument(at)} && `;
  const again = command`rerun ${at === "" ? own : path.resolve(own)} -- ${words.map(said)}`;
  return [command`why ${own}`, `${moved}${told.join(" ")} ${again}`];
}

/** Ours: reasons that are spelt out. */
const FAULTS_SHOWN = 5;

function endedEarly(
  trial: Trial,
  { budget, counts }: TrialRuns,
  folder: string,
  { json }: TrialFlags,
): number {
  const { spent, isOver } = budget;
  if (json) {
    printJson({ trial: trial.study.name, interrupted: !isOver, spent, folder, runs: counts });
  }
  const why = isOver
    ? `The budget is spent: ${spentText(spent, trial)}. With a larger one`
    : "Interrupted:";
  note(`${why} the same command goes on. ${countOf(counts.played, "run")} played and kept.`);
  return isOver ? EXIT.limit : EXIT.interrupted;
}

const runsText = (served: readonly string[]): string =>
  served.length === 0
    ? rightsText([])
    : `The program runs with your rights. Recordings answer for servers of tools (${served.join(", ")}); tools within the program really run.`;

/** Tools of which none runs, since recordings answer. */
const servedBy = ({ recordings }: Trial): readonly string[] => [
  ...new Set(recordings.flatMap(([, messages]) => countsOf({ exchanges: [], messages }).served)),
];

/** A result that is hidden may be of something that was done: it takes a word for each tool, or `all`. */
function hiddenEffects(trial: Trial, allowed: readonly string[]): BadInput | undefined {
  const served = servedBy(trial);
  const tools = Object.values(trial.faults).flatMap((fault) =>
    fault !== null && HIDING.includes(fault.name) ? [fault.where] : [],
  );
  const open = [...new Set(tools)].filter(
    (tool) =>
      !allowed.includes("all") &&
      (tool === null || !(mayRun({ trial, allowed }, tool) || served.some(isCalled(tool)))),
  );
  const [first] = open;
  if (first === undefined) return undefined;
  const names = open.map((tool) => tool ?? "all");
  return badInput(
    { file: trial.file, path: "faults" },
    `faults that hide what ${first === null ? "any tool" : first} really did`,
    "tools that only read, under `reads`, or with your word for each",
    `Give it with ${names.map((name) => `--allow-effects ${name}`).join(" ")}, where that may be done so often.`,
  );
}

/** Runs nothing. What a run takes is known of a recording alone. */
function dryRun(trial: Trial, { points, study }: SweepPlan, { like, json }: TrialFlags): number {
  const runs = points.length * study.replicates.count;
  const isMost = study.stop !== null;
  const each =
    like === undefined ? undefined : tokensTaken(readExchanges(exchangesIn(like)).exchanges);
  const all = each && { input: each.input * runs, output: each.output * runs };
  const { tokens, money } = trial.budget;
  if (json) {
    const cost = all && moneyFor(all, trial.budget);
    printJson({
      trial: study.name,
      points: points.length,
      runs,
      isMost,
      tokens: all,
      money: cost,
      budget: trial.budget,
    });
    return EXIT.ok;
  }
  const faults = Object.keys(trial.faults).filter((one) => one !== NONE).length;
  const counts = [
    countOf(Object.keys(trial.agents).length, "agent"),
    `${countOf(faults, "fault")} and none`,
    countOf(trial.tasks.length, "task"),
    countOf(study.replicates.count / trial.tasks.length, "seed"),
  ];
  print(
    [
      `${study.name}: ${counts.join(" × ")} = ${isMost ? "at most " : ""}${countOf(runs, "run")}. Nothing was run.`,
      all === undefined
        ? "What they take is not known: name a recording of one run with --like."
        : `As that recording took, about ${spentText(all, trial)}.`,
      tokens === undefined && money === undefined
        ? "No budget bounds it."
        : `The budget ends it at ${[tokens && `${tokens} tokens`, money && `${money} of money`].filter(Boolean).join(", or ")}.`,
    ].join("\n"),
  );
  return EXIT.ok;
}
