/** `ghostlight replay`: a bundle again, exactly, or with something changed. */

import { partsIn } from "../contract/partsIn.ts";
import type { Scenario } from "../contract/scenario.ts";
import { hasOtherLog, type ReadBundle, readBundle } from "../edges/bundle/bundleReader.ts";
import { isNewer, readerNotes, refuseImported } from "../edges/bundle/importedBundle.ts";
import { command, commandSaid, optionWords } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { badInput } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import { folderName, type Recorded, recordRun } from "../edges/play/recordRun.ts";
import { reportText } from "../edges/report/report.ts";
import type { ReportInput } from "../edges/report/reportInput.ts";
import { reportJson } from "../edges/report/reportJson.ts";
import { reportInput, textsOf } from "../edges/report/reportTexts.ts";
import type { Manifest } from "../run/bundle.ts";
import { type Coverage, changedRun } from "../run/changedRun.ts";
import { type Difference, replay } from "../run/replay.ts";
import type { Input } from "../substrate/port.ts";
import { callName, RecordingMiss } from "../substrate/recordedPort.ts";
import type { JsonFlag } from "./bundles.ts";
import { partLists } from "./chosenParts.ts";
import { isLive, type LiveFlags, liveModel, liveOverrides, noLiveWith } from "./live/liveModel.ts";
import { liveProgress, watched } from "./live/liveProgress.ts";
import {
  echoSet,
  echoWithoutTables,
  interpreterOption,
  overridesOption,
  variantOption,
} from "./options.ts";
import { clearProgress, note, print, printJson } from "./output.ts";
import { claim } from "./run.ts";
import { interruptible } from "./signals.ts";

export interface ReplayFlags extends JsonFlag, LiveFlags {
  readonly strict?: true;
  readonly set?: readonly string[];
  readonly variant?: string;
  readonly interpreter?: string;
  readonly out?: string;
  readonly cache?: string;
}

export async function replayCommand(folder: string, flags: ReplayFlags): Promise<number> {
  noLiveWith(flags);
  const isChanged = (flags.set ?? []).length > 0 || flags.variant !== undefined || isLive(flags);
  const lists = await partLists(flags);
  return isChanged ? changed(lists, folder, flags) : same(lists, folder, flags);
}

/** Exactly as it was recorded. */
function same(lists: PartLists, folder: string, flags: ReplayFlags): number {
  const bundle = readBundle(lists, folder);
  refuseImported(bundle, "replay it");
  readerNotes(bundle).forEach(note);
  const interpreter = interpreterOption(flags.interpreter);
  echoWithoutTables(lists.parts, interpreter, bundle.manifest.policy);
  const result = replay(lists.parts, bundle, undefined, { interpreter });
  const { matches, partial, digest, envelopes, portCalls, difference } = result;
  if (flags.json) {
    printJson({ matches, partial, digest, envelopes, portCalls, difference });
  } else if (matches) {
    print(
      `${folder} replays exactly${partial ? " up to its last whole line (partial)" : ""}: ` +
        `${envelopes} deliveries, ${portCalls} recorded calls served, no port called.\ndigest ${digest}`,
    );
  } else print(differenceText(bundle, difference as Difference));
  if (matches) return EXIT.ok;
  return flags.strict && difference?.kind === "miss" ? EXIT.miss : EXIT.divergence;
}

function differenceText(bundle: ReadBundle, difference: Difference): string {
  const { folder } = bundle;
  const { kind, delivery, atMs, actor, expected, actual } = difference;
  const head: Record<Difference["kind"], string> = {
    divergence: hasOtherLog(bundle)
      ? "does not replay: its events.jsonl is not the one that was sealed"
      : "does not replay: the run went differently",
    miss: "does not replay: the run asked for something the recording does not hold",
    "rules changed": `was recorded under ${isNewer(bundle) ? "newer" : "older"} rules, and the run goes differently ${isNewer(bundle) ? "here" : "now"}`,
  };
  const place = delivery === null ? "" : `, delivery ${delivery}`;
  return [
    `${folder} ${head[kind]}.`,
    `First difference at ${clock(atMs)} (${atMs} ms)${place}, actor ${actor}:`,
    `  expected ${expected}`,
    `  actual   ${actual}`,
    `Reproduce: ${command`replay ${folder}`}`,
  ].join("\n");
}

/** The recording answers where it can; what other providers answer is counted. */
async function changed(lists: PartLists, folder: string, flags: ReplayFlags): Promise<number> {
  const bundle = readBundle(lists, folder);
  refuseImported(bundle, "replay it with something changed");
  readerNotes(bundle).forEach(note);
  const { scenario, manifest } = bundle;
  checkChangeable(bundle, flags);
  const set = {
    ...liveOverrides(flags),
    ...overridesOption(lists.parts, flags.set ?? [], undefined),
  };
  const interpreter = interpreterOption(flags.interpreter);
  echoSet(lists.parts, flags.set);
  echoWithoutTables(lists.parts, interpreter, set);
  const variant =
    flags.variant === undefined ? manifest.variant : variantOption(scenario, flags.variant);
  const plan = changedRun(lists.parts, bundle, {
    ...{ set, variant, strict: flags.strict === true, isLive: isLive(flags) },
  });
  const live = isLive(flags)
    ? await liveModel(lists.parts, flags, { scenario, variant, set: plan.set })
    : undefined;
  // What the recording answers is not counted as asked now.
  const known = new Set(bundle.inputs.map(nameOf));
  const shown =
    live &&
    liveProgress(lists.parts, watched(scenario, manifest.untilMs, live), { isServed: true });
  const out = claim(flags, `${folderName(scenario.name, variant, manifest.seed)}-changed`);
  const stop = interruptible("stopping; the bundle is being completed");
  let input: ReportInput | undefined;
  const { observed } = await recordRun(lists, {
    ...{ scenario, text: manifest.scenario.text, variant, seed: manifest.seed },
    ...{ set: plan.set, untilMs: manifest.untilMs, folder: out, withLog: true, interpreter },
    answers: new KeptAnswers(cacheFolder(flags.cache)),
    served: { recorded: bundle.inputs, serving: plan.serving },
    live,
    identity: knowsModels(lists, scenario) ? manifest.live : undefined,
    onInput: (input) => {
      if (isQuestion(input) || !known.has(nameOf(input))) shown?.input(input);
    },
    onDelivery: shown?.delivery,
    onSlice: (_, run) => {
      shown?.slice(run);
      return stop.signal.aborted;
    },
    texts: async (done: Recorded) => {
      const { seed } = manifest;
      const lead = leadText(plan.coverage(), manifest, live?.models.middle.name);
      input = reportInput(lists, { scenario, seed, done, folder: out, lead });
      return textsOf(lists, input);
    },
  });
  clearProgress();
  stop.dispose();
  shown?.summary(observed.result.virtualMs);
  const { outcome, error, digest, envelopes } = observed.result;
  const coverage = plan.coverage();
  const missed = plan.missed() ?? null;
  const facts = { replayed: folder, bundle: out, outcome, digest, envelopes, coverage, missed };
  const told = input && reportJson(lists, input);
  if (flags.json) printJson({ ...facts, ...told, expectations: observed.verdicts });
  else if (input !== undefined) print(`${reportText(lists, input)}\n${coverageText(coverage)}`);
  if (error instanceof RecordingMiss) {
    const [was, asked] = plan.missed() ?? [];
    if (was !== undefined)
      note(`recorded: ${JSON.stringify(was)}\nasked:    ${JSON.stringify(asked)}`);
    note(`${missText(error)}\nReproduce: ${commandFor(folder, flags)}`);
    return EXIT.miss;
  }
  return outcome === "interrupted" ? EXIT.interrupted : EXIT.ok;
}

const isQuestion = (input: Input): boolean =>
  input.kind === "reply" && input.port === "port/llm.chat";

const nameOf = (input: Input): string =>
  input.kind === "outside" ? input.id : `${callName(input)} ${input.request}`;

/** Throws BadInput for what no changed replay can be. */
function checkChangeable({ folder, manifest }: ReadBundle, flags: ReplayFlags): void {
  if (manifest.forks !== undefined) {
    throw badInput(
      { file: folder },
      "a fork, which changed at one of its deliveries already",
      "the run that it left",
      `Fork it once more: ${commandSaid`fork ${folder} --at MOMENT --set PATH=VALUE`}.`,
    );
  }
  if (!isLive(flags) || !flags.strict) return;
  throw badInput(
    "--strict",
    "it beside --model, which answers what the recording lacks",
    "one of the two",
    "Omit --strict.",
  );
}

/** Whether a part of the world knows which live models serve it. */
const knowsModels = ({ parts }: PartLists, scenario: Scenario): boolean =>
  partsIn(parts, scenario).some(({ stage }) => stage?.served);

/** Before everything else: how much of what a model seems to have said was said by a script. */
export function leadText({ model }: Coverage, { origin, live }: Manifest, now?: string): string {
  const { recorded, scripted, live: answered = 0 } = model;
  const asked = recorded + scripted + answered;
  const names = [...new Set(Object.values(live?.models ?? {}).map(({ name }) => name))].join(", ");
  const replaced =
    origin === "scripted" ? "" : ` in place of ${names === "" ? "its model" : names}`;
  const what = `This replay of a ${origin === "scripted" ? "scripted" : "live"} run was changed`;
  if (asked === 0) return `**${what}: no model was asked anything.**`;
  if (now !== undefined) {
    return (
      `**${what}: of ${asked} questions to the model, ${now} answered ${answered} now, ` +
      `and the recording ${recorded}.**`
    );
  }
  return (
    `**${what}: of ${asked} questions to the model, a script answered ${scripted}${replaced}, ` +
    `and the recording ${recorded}.**`
  );
}

export const coverageText = ({ exact, normalised, scripted, missed, model }: Coverage): string =>
  `Of the calls to the outside, the recording answered ${exact} exactly and ${normalised} when ` +
  `times and ids are left out of the request; ${scripted} went to ${model.live === undefined ? "scripted providers" : "the live model or scripted providers"}, ${missed} to nobody.`;

const commandFor = (folder: string, { set, variant, interpreter }: ReplayFlags): string =>
  command`replay ${folder} --strict ${optionWords({ set, variant, interpreter })}`;

const missText = ({ message, nearest }: RecordingMiss): string =>
  nearest === undefined
    ? `${message}; it holds no call of that kind.`
    : `${message}; the nearest is call ${nearest.nth} for ${nearest.purpose}, request ` +
      `${nearest.request.slice(0, 12)}, answered at ${clock(nearest.deliveredAt)}.`;
