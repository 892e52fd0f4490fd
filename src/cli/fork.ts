/** `ghostlight fork`: a recorded run up to a moment, and from there on with something changed. */

import { type ReadBundle, readBundle } from "../edges/bundle/bundleReader.ts";
import { refuseImported } from "../edges/bundle/importedBundle.ts";
import { commandSaid } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { badInput } from "../edges/errors.ts";
import { Forking, isMixed } from "../edges/play/forking.ts";
import { type ForkPoint, forkPoint } from "../edges/play/forkPoint.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import { gateKindOf } from "../edges/report/openQuestion.ts";
import { changedRun } from "../run/changedRun.ts";
import { setAfter } from "../run/fork.ts";
import { type PartFlag, partLists } from "./chosenParts.ts";
import { continueRun } from "./continueRun.ts";
import { isLive, type LiveFlags, liveModel, liveOverrides, noLiveWith } from "./live/liveModel.ts";
import { echoSet, overridesOption, seedOption, untilOption } from "./options.ts";
import { note, print } from "./output.ts";
import { coverageText } from "./replayed.ts";
import { checkNoProgram, tellGone } from "./resume.ts";

export interface ForkFlags extends PartFlag, LiveFlags {
  readonly at: string;
  readonly set?: readonly string[];
  readonly drop?: readonly string[];
  readonly reseed?: string;
  readonly until?: number;
  readonly out?: string;
  readonly cache?: string;
  readonly json?: true;
}

export async function forkCommand(folder: string, flags: ForkFlags): Promise<number> {
  const lists = await partLists(flags);
  const { parts } = lists;
  noLiveWith(flags);
  const asked = { ...liveOverrides(flags), ...overridesOption(parts, flags.set ?? [], undefined) };
  const bundle = readBundle(lists, folder);
  refuseImported(bundle, "fork it");
  checkNoProgram(bundle);
  const { manifest, scenario } = bundle;
  const untilMs = untilOption(flags.until, scenario) ?? manifest.untilMs;
  echoSet(parts, flags.set);
  const { at, drop = [] } = flags;
  const reseed = flags.reseed === undefined ? undefined : seedOption(flags.reseed, "--reseed");
  const point = forkPoint(parts, bundle, { at, set: asked, drop, reseed });
  checkChanges(bundle, point, flags);
  const { variant } = manifest;
  const { fork } = point;
  const forks = [...(manifest.forks ?? []).filter(({ at }) => at <= fork.at), fork];
  const set = setAfter(manifest.policy, forks);
  const live = isLive(flags)
    ? await liveModel(parts, flags, { scenario, variant, set })
    : undefined;
  const nowLive = new Set(live === undefined ? [] : ["port/llm.chat"]);
  if (live?.embed) nowLive.add("port/llm.embed");
  const changed = isMixed(manifest, nowLive)
    ? changedRun(parts, bundle, { set, variant, strict: false })
    : undefined;
  const forking = new Forking({ bundle, forks, nowLive, changed });
  const gone = await continueRun(lists, {
    ...{ bundle, untilMs, live, end: undefined, gate: gateKindOf(lists, manifest) },
    ...{ forking, forks, out: flags.out, suffix: "fork" },
    answers: new KeptAnswers(cacheFolder(flags.cache)),
  });
  const { digest } = gone.recorded.observed.result;
  const isSame = digest === manifest.final?.digest;
  const facts = {
    forked: folder,
    at: { deliveries: fork.at, seq: point.seq, virtualMs: point.atMs, digest: fork.digest },
    ...{
      set: fork.set,
      drop: fork.drop,
      reseed: fork.reseed,
      same: isSame,
      coverage: forking.coverage(),
    },
  };
  const code = tellGone(lists, gone, facts, flags);
  if (!flags.json) print(forkText(folder, gone.out, point, forking));
  if (isSame) note("From there on everything went as before: what was changed made no difference.");
  return code;
}

function forkText(
  folder: string,
  out: string,
  { fork, atMs, seq }: ForkPoint,
  forking: Forking,
): string {
  const coverage = forking.coverage();
  const first = seq === null ? "its end" : `#${seq}`;
  return [
    `Up to ${clock(atMs)} (${fork.at} deliveries, before ${first}) this is ${folder}.`,
    ...(coverage === undefined ? [] : [coverageText(coverage)]),
    `${commandSaid`diff ${folder} ${out}`} shows what came of it.`,
  ].join("\n");
}

/** Throws BadInput where nothing is different, or nothing is left to be. */
function checkChanges({ folder, manifest }: ReadBundle, point: ForkPoint, flags: ForkFlags): void {
  const { set, drop, reseed } = point.fork;
  const isRedrawn = reseed !== undefined && reseed !== manifest.seed;
  const isChanged = Object.keys(set).length > 0 || drop.length > 0 || isRedrawn || isLive(flags);
  if (!isChanged) {
    throw badInput(
      "--set",
      (flags.set ?? []).length > 0 ? "values that are so already" : "nothing to change",
      "--set PATH=VALUE, --drop INPUT, --reseed SEED or --model NAME, at least one of them",
      `${commandSaid`replay ${folder}`} plays it again as it was.`,
    );
  }
  const isOver = manifest.final?.outcome === "ended" && point.seq === null;
  if (!isOver || flags.until !== undefined) return;
  throw badInput(
    "--at",
    "the end of the run, after which nothing comes",
    "an earlier moment, or a later end with --until",
    `${commandSaid`events ${folder}`} lists the deliveries with their numbers and times.`,
  );
}
