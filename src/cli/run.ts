/** `ghostlight run`: plays a scenario, writes its bundle and says what happened. */

import { besideOf, isOverruled, type Scenario, variantNamed } from "../contract/scenario.ts";
import { claimFolder, claimNumbered, isThereEmpty } from "../edges/bundle/bundleWriter.ts";
import { command, optionWords } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { isEdgeError } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import type { LiveSetup } from "../edges/live/liveSetup.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import type { OpenQuestion } from "../edges/play/gate.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import { folderName, type Recorded, recordRun } from "../edges/play/recordRun.ts";
import type { Played } from "../edges/pool/playWork.ts";
import { playAll } from "../edges/pool/pool.ts";
import type { SandboxKind } from "../edges/processes/sandboxKind.ts";
import { questionLeft } from "../edges/report/openQuestion.ts";
import { reportText } from "../edges/report/report.ts";
import type { ReportInput } from "../edges/report/reportInput.ts";
import { reportJson } from "../edges/report/reportJson.ts";
import { reportInput, textsOf } from "../edges/report/reportTexts.ts";
import { limitedScenario, loadScenario } from "../edges/scenario/scenarioFile.ts";
import { figuresOf, type Observed } from "../run/compare.ts";
import { noneAsked } from "../run/expect.ts";
import { leftRecording } from "../run/leftRecording.ts";
import type { ChosenWorld } from "../run/simulate.ts";
import type { Interpreter } from "../substrate/statechart.ts";
import { partLists } from "./chosenParts.ts";
import { dryRun } from "./dryRun.ts";
import { gateOption, peopleFor, printWaits, waitsJson } from "./live/gate.ts";
import { isLive, liveModel, liveOverrides, noLiveWith } from "./live/liveModel.ts";
import { liveProgress, watched } from "./live/liveProgress.ts";
import {
  echoSet,
  echoWithoutTables,
  interpreterOption,
  limitsOption,
  overridesOption,
  type RunFlags,
  sandboxOption,
  seedOption,
  seedsOption,
  untilOption,
  variantOption,
} from "./options.ts";
import { clearProgress, note, print, printJson, progress } from "./output.ts";
import { runSeeds } from "./seeds.ts";
import { interruptible } from "./signals.ts";

/** A run as the command line asks for it, checked. */
interface Wanted extends Required<ChosenWorld> {
  readonly text: string;
  readonly sandbox: SandboxKind;
  readonly interpreter: Interpreter;
  readonly cache: string | null;
  readonly gateKind: ReturnType<typeof gateOption>;
}

export async function runCommand(nameOrPath: string, flags: RunFlags): Promise<number> {
  const lists = await partLists(flags);
  const { parts } = lists;
  const loaded = loadScenario(lists, nameOrPath);
  const { scenario, text, file } = limitedScenario(lists, loaded, limitsOption(flags.limit));
  const wanted: Wanted = {
    scenario,
    text,
    variant: flags.variant === undefined ? null : variantOption(scenario, flags.variant),
    set: { ...liveOverrides(flags), ...overridesOption(parts, flags.set ?? [], flags.profile) },
    seed: flags.seed === undefined ? scenario.seed : seedOption(flags.seed),
    sandbox: sandboxOption(flags.sandbox),
    interpreter: interpreterOption(flags.interpreter),
    cache: cacheFolder(flags.cache),
    untilMs: untilOption(flags.until, scenario),
    gateKind: gateOption(lists, flags, scenario),
  };
  const seeds = flags.seeds === undefined ? undefined : seedsOption(flags.seeds);
  noLiveWith(flags);
  echoSet(parts, flags.set);
  echoWithoutTables(parts, wanted.interpreter, wanted.set);
  if (flags.dryRun) {
    if (flags.out !== undefined) isThereEmpty(flags.out);
    return dryRun(lists, { ...wanted, file }, flags);
  }
  if (seeds !== undefined) {
    const [first, last] = seeds;
    return runSeeds({ ...wanted, first, last, json: flags.json === true, partFiles: flags.part });
  }
  const live = isLive(flags) ? await liveModel(parts, flags, wanted) : undefined;
  return runOnce(lists, nameOrPath, wanted, live, flags);
}

async function runOnce(
  lists: PartLists,
  nameOrPath: string,
  wanted: Wanted,
  live: LiveSetup | undefined,
  flags: RunFlags,
): Promise<number> {
  const { scenario, variant, seed, gateKind } = wanted;
  const folder = claim(flags, folderName(scenario.name, variant, seed));
  const stop = interruptible("stopping; the bundle is being completed");
  // On the other cores, while this one plays and records the scenario itself.
  const variants = flags.compare ? besideOf(scenario, variant) : [];
  if (flags.compare && variants.length === 0)
    note(`--compare: ${scenario.name} has no variants to compare it with.`);
  const others = playBeside(wanted, variants, flags, stop.signal);
  others.catch(() => {}); // Awaited below; a failure before that must not end the process.
  let counterfactuals: readonly Played[] = [];
  let input: ReportInput | undefined;
  const shown = live && liveProgress(lists.parts, watched(scenario, wanted.untilMs, live));
  const people = peopleFor(flags, gateKind);
  const recorded = await recordRun(lists, {
    ...wanted,
    answers: new KeptAnswers(wanted.cache),
    folder,
    withLog: flags.log,
    live,
    person: people.person,
    gate: people.gate,
    onInput: shown?.input,
    onDelivery: shown?.delivery,
    onSlice: (nowMs, run) => {
      if (people.isAsked()) return stop.signal.aborted;
      if (shown) shown.slice(run);
      else progress(`${scenario.name}: ${clock(nowMs - (nowMs % 1000))} of virtual time`);
      return stop.signal.aborted;
    },
    texts: async (done: Recorded) => {
      if (variants.length > 0) progress(`${scenario.name}: what if …`);
      counterfactuals = await others;
      input = reportInput(lists, {
        scenario,
        called: nameOrPath,
        seed,
        done,
        counterfactuals,
        folder,
      });
      progress("drawing the picture");
      return textsOf(lists, input);
    },
  }).finally(people.close);
  clearProgress();
  stop.dispose();
  shown?.summary(recorded.observed.result.virtualMs);
  const { observed } = recorded;
  const open = questionLeft(lists, recorded);
  if (flags.json) {
    const waits = open && { waits: waitsJson(open, folder) };
    const set = Object.keys(wanted.set).length > 0 && { set: wanted.set };
    const left = live === undefined ? leftRecording(lists.parts, observed.meter) : null;
    const unknown = left && { unknown: left };
    const told = { ...unknown, ...(input && reportJson(lists, input)), ...set, ...waits };
    printJson({ ...jsonOf(scenario, seed, observed, folder, counterfactuals), ...told });
  } else tell(lists, input, open, folder);
  if (!flags.json && process.stdout.isTTY) note(`See it: ${command`view ${folder}`}`);
  return exitCodeOf(observed, nameOrPath, flags);
}

/** In the order of the names. */
async function playBeside(
  { scenario, seed, set, untilMs, sandbox, cache, interpreter }: Wanted,
  names: readonly (string | null)[],
  { part: partFiles, json }: RunFlags,
  signal: AbortSignal,
): Promise<readonly Played[]> {
  // Their digests stand in the JSON alone.
  const level = json ? "recorded" : "bare";
  for (const name of names) {
    for (const [path, value] of Object.entries(variantNamed(scenario, name)?.policy ?? {})) {
      if (!isOverruled(set, path, value)) continue;
      note(`--set ${path}=${set[path]} wins over the variant ${name}, which sets it to ${value}.`);
    }
  }
  // A guess: what changes most takes longest. It begins first, so that no core waits for it at the end.
  const most = names.toSorted((a, b) => changesOf(scenario, b) - changesOf(scenario, a));
  const jobs = most.map((name) => ({ variant: name, seed }));
  const host = { sandbox, cache, interpreter, partFiles } as const;
  const work = { scenario, set, untilMs, level, ...host, withSeries: true } as const;
  const played = await playAll(work, jobs, { signal });
  return names.flatMap((name) => played.filter((one) => one.variant === name));
}

function changesOf(scenario: Scenario, name: string | null): number {
  const { policy = {}, events = [], without } = variantNamed(scenario, name) ?? {};
  const left = [...(without?.events ?? []), ...(without?.choices ?? [])];
  return Object.keys(policy).length + events.length + left.length;
}

function tell(
  lists: PartLists,
  input: ReportInput | undefined,
  open: OpenQuestion | undefined,
  folder: string,
) {
  if (input !== undefined) print(reportText(lists, input));
  printWaits(open, folder);
}

export function claim(flags: Pick<RunFlags, "out">, name: string): string {
  if (flags.out === undefined) return claimNumbered("runs", name);
  claimFolder(flags.out);
  return flags.out;
}

function jsonOf(
  scenario: Scenario,
  seed: number,
  observed: Observed,
  folder: string,
  counterfactuals: readonly Played[],
): object {
  const { result, variant, meter, verdicts } = observed;
  return {
    scenario: scenario.name,
    variant,
    seed,
    digest: result.digest,
    outcome: result.outcome,
    expectations: verdicts,
    metrics: meter.finals(),
    figures: figuresOf(observed),
    bundle: folder,
    envelopes: result.envelopes,
    virtualMs: result.virtualMs,
    ...(counterfactuals.length > 0 && {
      variants: counterfactuals.map((one) => ({
        variant: one.variant,
        digest: one.digest,
        outcome: one.outcome,
        expectations: one.verdicts,
        ...(one.isUnknown && { isUnknown: true }),
        figures: one.figures,
      })),
    }),
  };
}

/* What a run's outcome and expectations mean for the exit code, and how to see it again. */

/** Under other seeds, settings or ends the expectations are reported and decide only with --assert. */
export function exitCodeOf(
  { result, verdicts, variant }: Observed,
  scenario: string,
  flags: RunFlags,
): number {
  const { outcome, error } = result;
  if (outcome === "ended") {
    if (verdicts.length === 0) note(noneAsked(variant));
    return expectationCode(verdicts, scenario, flags);
  }
  if (outcome === "waiting") return EXIT.ok;
  if (outcome === "interrupted") return EXIT.interrupted;
  const again = `Reproduce: ${commandFor(scenario, flags)}`;
  if (outcome.startsWith("limit:")) {
    note(`${error?.message ?? outcome}. Raise it under \`limits:\` in the scenario.\n${again}`);
    return EXIT.limit;
  }
  if (isEdgeError(error)) {
    note(`${error.message}\nThe partial bundle is kept.\n${again}`);
    return error.exitCode;
  }
  const whose = flags.part === undefined ? "" : ", or of a part that --part names";
  note(
    `This is a bug of ghostlight${whose}; the partial bundle is kept.\n${error?.stack}\n${again}`,
  );
  return EXIT.bug;
}

function expectationCode(
  verdicts: Observed["verdicts"],
  scenario: string,
  flags: RunFlags,
): number {
  const failed = verdicts.filter(({ ok }) => !ok);
  if (failed.length === 0) return EXIT.ok;
  for (const { name, found } of failed) note(`not seen: ${name} (found ${found})`);
  note(`Reproduce: ${commandFor(scenario, flags)}`);
  const { seed, set = [], profile, until, gate, limit = [] } = flags;
  const isChanged =
    seed !== undefined ||
    set.length > 0 ||
    profile !== undefined ||
    until !== undefined ||
    limit.length > 0 ||
    (gate !== undefined && gate !== "scripted") ||
    isLive(flags);
  if (!isChanged || flags.assert) return EXIT.failed;
  note(
    "Seed, policy, model, gate, end or limits differ from the scenario's: this decides nothing without --assert.",
  );
  return EXIT.ok;
}

/** The same run again, without the options that only say what to print. */
function commandFor(scenario: string, flags: RunFlags): string {
  const { variant, seed, set = [], profile, until, limit = [] } = flags;
  const { model, tier, embed, gate, part, assert } = flags;
  const words = optionWords({
    ...{ variant, seed, profile, set },
    until: until === undefined ? undefined : `${until}ms`,
    ...{ limit, model, tier, embed, gate, part, assert },
  });
  return command`run ${scenario} ${words}`;
}
