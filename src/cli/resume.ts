/** `ghostlight resume`: a live run goes on where its recording ends, into a bundle of its own. */

import type { Part } from "../contract/part.ts";
import { policyWith } from "../contract/policyTree.ts";
import { type ReadBundle, readBundle } from "../edges/bundle/bundleReader.ts";
import { refuseImported } from "../edges/bundle/importedBundle.ts";
import { commandSaid } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { type BadInput, badInput, LiveUnavailable, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { serverOption } from "../edges/live/hostOption.ts";
import { preflight } from "../edges/live/liveServer.ts";
import { identityOf, type LiveSetup } from "../edges/live/liveSetup.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import {
  type GateStory,
  gateKindOf,
  gateStory,
  questionLeft,
} from "../edges/report/openQuestion.ts";
import type { ModelIdentity } from "../machines/livePolicy.ts";
import type { Manifest } from "../run/bundle.ts";
import { setAfter } from "../run/fork.ts";
import type { Input } from "../substrate/port.ts";
import { type PartFlag, partLists } from "./chosenParts.ts";
import { continueRun, type Gone } from "./continueRun.ts";
import { printWaits, waitsJson } from "./live/gate.ts";
import { untilOption } from "./options.ts";
import { clearProgress, note, print, printJson, progress } from "./output.ts";

export interface ResumeFlags extends PartFlag {
  readonly until?: number;
  readonly out?: string;
  readonly cache?: string;
  readonly host?: string;
  readonly anyModel?: true;
  readonly json?: true;
}

export async function resumeCommand(folder: string, flags: ResumeFlags): Promise<number> {
  const lists = await partLists(flags);
  const bundle = readBundle(lists, folder);
  refuseImported(bundle, "go on with it");
  const { manifest, scenario } = bundle;
  const untilMs = untilOption(flags.until, scenario) ?? manifest.untilMs;
  checkGoesOn(lists, bundle, untilMs);
  const isLive = manifest.origin !== "scripted";
  const end = isLive ? undefined : endOf(lists, bundle);
  const live = isLive ? await sameModel(lists.parts, manifest, flags) : undefined;
  const gate = gateKindOf(lists, manifest);
  const gone = await continueRun(lists, {
    bundle,
    untilMs,
    live,
    end,
    gate,
    out: flags.out,
    answers: new KeptAnswers(cacheFolder(flags.cache)),
    suffix: "resumed",
  });
  return tellGone(lists, gone, { resumed: folder }, flags);
}

/** What `resume` and the commands that decide say of a run that went on, and its exit code. */
export function tellGone(
  lists: PartLists,
  { recorded, out, text }: Gone,
  facts: object,
  { json }: Pick<ResumeFlags, "json">,
): number {
  const { outcome, digest, envelopes, virtualMs } = recorded.observed.result;
  const open = questionLeft(lists, recorded);
  const waits = open === undefined ? {} : { waits: waitsJson(open, out) };
  if (json) printJson({ ...facts, bundle: out, outcome, digest, envelopes, virtualMs, ...waits });
  else {
    if (text !== "") print(text);
    printWaits(open, out);
  }
  if (outcome === "ended" || outcome === "waiting") return EXIT.ok;
  if (outcome === "interrupted") return EXIT.interrupted;
  note(`The run ended with ${outcome}; the bundle is kept: ${out}`);
  return outcome.startsWith("limit:") ? EXIT.limit : EXIT.bug;
}

/** Of a run without a live model: there is something left that only a person can say. */
function endOf(lists: PartLists, bundle: ReadBundle): GateStory["end"] {
  const { open, end } = gateStory(lists, bundle);
  if (open === undefined || gateKindOf(lists, bundle.manifest) !== "later") return end;
  const { about, text } = open.gate.shown(open, bundle.folder);
  throw resumeError(
    bundle,
    `a run that waits for a decision about ${about.join(", ")}`,
    `Decide, and it goes on:\n${text}`,
  );
}

const resumeError = ({ folder }: ReadBundle, found: string, todo: string): BadInput =>
  badInput(
    { file: folder },
    found,
    "a run with a live model or a person, with something left to play",
    todo,
  );

/** Throws BadInput for a run in which a program answered: only that program can go on. */
export function checkNoProgram({ folder, manifest }: ReadBundle): void {
  if (manifest.origin !== "live:program") return;
  throw badInput(
    { file: folder },
    "a run in which functions of a program answered",
    "a run with a live model or a person at this command line",
    "Let that program play it again, with `play`. `replay`, `why` and `events` do without it.",
  );
}

function checkGoesOn(lists: PartLists, bundle: ReadBundle, untilMs: number | null): void {
  checkNoProgram(bundle);
  const { manifest, scenario } = bundle;
  const gate = gateKindOf(lists, manifest);
  if (manifest.origin === "scripted" && (gate === undefined || gate === "nobody")) {
    const todo = `${commandSaid`run ${scenario.name}`} plays it again, whole.`;
    throw resumeError(
      bundle,
      "a run with the scripted model, which always goes the same way",
      todo,
    );
  }
  const { final } = manifest;
  const endMs = Math.min(untilMs ?? scenario.runsForMs, scenario.runsForMs);
  if (final?.outcome === "ended" && final.virtualMs >= endMs) {
    throw resumeError(
      bundle,
      `a run that ended at ${clock(final.virtualMs)}`,
      "Give it a later end, such as --until 1h; the scenario's own is the latest.",
    );
  }
  // A killed run came at least to where it asked its last question.
  const atMs =
    final?.virtualMs ?? bundle.inputs.reduce((most, one) => Math.max(most, askedMs(one)), 0);
  if (atMs > endMs) {
    throw resumeError(
      bundle,
      `a run that is at ${clock(atMs)} already`,
      "Give it a later --until.",
    );
  }
}

const askedMs = (input: Input): number =>
  input.deliveredAt - (input.kind === "reply" ? input.latencyMs : 0);

interface Models {
  readonly [role: string]: ModelIdentity;
}

/** Throws LiveUnavailable when another model answers under the recorded names. */
export async function sameModel(
  parts: readonly Part[],
  manifest: Manifest,
  flags: Pick<ResumeFlags, "host" | "anyModel">,
): Promise<LiveSetup> {
  const recorded = manifest.live;
  const named = recorded?.models ?? {};
  const name = (tier: string): string => named[tier]?.name ?? "";
  const kind = manifest.origin === "live:openai" ? "openai" : "ollama";
  try {
    const setup = await preflight({
      server: serverOption(kind, flags.host, process.env),
      names: {
        kind,
        tiers: { fast: name("fast"), middle: name("middle"), wise: name("wise") },
        embed: recorded?.embed?.name ?? null,
      },
      policy: policyWith(parts, setAfter(manifest.policy, manifest.forks)).live,
      warm: true,
      onStep: progress,
      onNote: note,
    });
    const { models, embed } = identityOf(setup);
    const now: Models = { ...models, ...(embed && { embed }) };
    const was: Models = { ...named, ...(recorded?.embed && { embed: recorded.embed }) };
    const other = Object.keys(was).find((key) => was[key]?.digest !== now[key]?.digest);
    if (other === undefined || flags.anyModel) return setup;
    throw new LiveUnavailable({
      where: { path: "--host" },
      found: `${now[other]?.name} with the digest ${quoted(now[other]?.digest.slice(0, 12))}`,
      allowed: `the recorded one, ${quoted(was[other]?.digest.slice(0, 12))}`,
      todo: "Bring back that version of the model, or go on with this one: --any-model.",
    });
  } finally {
    clearProgress();
  }
}
