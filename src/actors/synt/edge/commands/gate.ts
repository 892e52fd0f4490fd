/** `ghostlight synt approve`, `reject`, `amend` and `pending`: the person's word between two runs. */

import type { JsonFlag } from "../../../../cli/bundles.ts";
import { partLists } from "../../../../cli/chosenParts.ts";
import { continueRun } from "../../../../cli/continueRun.ts";
import { waitsJson } from "../../../../cli/gate.ts";
import { note, print, printJson } from "../../../../cli/output.ts";
import { checkNoProgram, sameModel, tellGone } from "../../../../cli/resume.ts";
import { type ReadBundle, readBundle } from "../../../../edges/bundleReader.ts";
import { clock, span } from "../../../../edges/duration.ts";
import { BadInput, hintFor, quoted } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import type { OpenQuestion } from "../../../../edges/gate.ts";
import { type GateStory, gateStory } from "../../../../edges/openQuestion.ts";
import type { PartLists } from "../../../../edges/partLists.ts";
import { type WaitingRun, waitingRuns } from "../../../../edges/waitingRuns.ts";
import { defined } from "../../../../machines/defined.ts";
import { policyWith } from "../../../../policy.ts";
import type { Decision } from "../../scriptedSynt.ts";
import { decidedSoFar, proposalsIn, syntGate, VERBS } from "../gate.ts";
import { decidedBy } from "../gatePort.ts";
import { decisionsFor, TARGETS, type Word } from "../gateQuestion.ts";
import { dossierText } from "../gateText.ts";

/** Where `run` puts bundles. */
const RUNS = "runs";

export interface DecideFlags extends JsonFlag {
  readonly bundle?: string;
  readonly feedback?: string;
  readonly target?: string;
  /** Other proposals of the same dossier. */
  readonly approve?: readonly string[];
  readonly reject?: readonly string[];
  readonly after?: number;
  readonly out?: string;
  readonly host?: string;
  readonly anyModel?: true;
}

export async function syntDecideCommand(
  decision: Decision,
  ids: readonly string[],
  flags: DecideFlags,
): Promise<number> {
  const lists = await partLists(flags);
  const words = wordsOf(decision, ids, flags);
  const { bundle, open, end } = storyFor(lists, [...words.keys()], flags.bundle);
  checkNoProgram(bundle);
  checkAllowed(open, words);
  checkInTime(open, bundle, flags.after ?? 0);
  const { untilMs, origin } = bundle.manifest;
  const live =
    origin === "scripted" ? undefined : await sameModel(lists.parts, bundle.manifest, flags);
  const decided = decidedBy(words, { seq: open.seq, afterMs: flags.after ?? 0 });
  const to = { untilMs, live, end, out: flags.out, suffix: "decided" };
  const gone = await continueRun(lists, { bundle, gate: "later", decided, ...to });
  const left = namesOf(open).filter((one) => !words.has(one));
  if (left.length > 0) {
    note(
      `Left undecided by this: ${left.join(", ")}. It stays open until it is asked again, or times out.`,
    );
  }
  const said = Object.fromEntries([...words].map(([id, word]) => [id, word.decision]));
  return tellGone(lists, gone, { decided: said, left, from: bundle.folder }, flags);
}

function wordsOf(
  decision: Decision,
  ids: readonly string[],
  { feedback, target, approve = [], reject = [] }: DecideFlags,
): ReadonlyMap<string, Word> {
  if (decision === "amend" && (feedback ?? "").trim() === "") {
    throw refused("--feedback", "none", "words", "Say what should be different.");
  }
  if (target !== undefined && !TARGETS.some((one) => one === target)) {
    const todo = "Omit it to have the same strategy again.";
    throw refused("--target", quoted(target), TARGETS.join(" | "), todo);
  }
  const word: Word = defined({ decision, feedback, target });
  const all: [string, Word][] = [
    ...ids.map((id): [string, Word] => [id, word]),
    ...approve.map((id): [string, Word] => [id, { decision: "approve" }]),
    ...reject.map((id): [string, Word] => [id, { decision: "discard" }]),
  ];
  const twice = all.find(([id, { decision: one }]) =>
    all.some(([other, { decision: two }]) => other === id && two !== one),
  );
  if (twice === undefined) return new Map(all);
  throw refused("<id>", `${quoted(twice[0])} with two decisions`, "one", "Omit one of them.");
}

const refused = (path: string, found: string, allowed: string, todo: string): BadInput =>
  new BadInput({ where: { path }, found, allowed, todo });

type Waiting = GateStory & { readonly open: OpenQuestion };

/** The named bundle, or the newest run that waits for the first of these requests. */
function storyFor(lists: PartLists, ids: readonly string[], folder: string | undefined): Waiting {
  if (folder === undefined) return newestFor(lists, ids);
  const story = gateStory(lists, readBundle(lists, folder));
  const { open } = story;
  for (const id of ids) if (open === undefined || !isAbout(open, id)) throw notOpen(id, story);
  return { ...story, open: open as OpenQuestion };
}

const isAbout = (open: OpenQuestion, id: string): boolean => namesOf(open).includes(id);

function newestFor(lists: PartLists, ids: readonly string[]): Waiting {
  const { runs, unreadable } = waitingRuns(lists, RUNS);
  for (const why of unreadable) note(why);
  const [first = ""] = ids;
  const about = runs.filter(({ open }) => isAbout(open, first));
  const story = about.find(({ decidedIn }) => decidedIn === undefined);
  if (story === undefined) throw about[0] ? decidedAlready(first, about[0]) : unknown(first, runs);
  for (const id of ids) if (!isAbout(story.open, id)) throw notOpen(id, story);
  return story;
}

const namesOf = (open: OpenQuestion): string[] => proposalsIn(open).map(({ request }) => request);

const TODO = "`npx ghostlight synt pending` lists what waits, with the commands that decide it.";

/** No run of `runs/` waits for it. */
function unknown(id: string, runs: readonly WaitingRun[]): BadInput {
  const waits = runs.filter(({ decidedIn }) => decidedIn === undefined);
  const names = waits.flatMap(({ open }) => namesOf(open));
  const allowed = waits.map(
    ({ open, bundle }) => `${namesOf(open).join(", ")} in ${bundle.folder}`,
  );
  return new BadInput({
    where: { path: "<id>" },
    found: quoted(id),
    allowed: allowed.join("; ") || `nothing: no run under ${RUNS}/ waits for a decision`,
    ...hintFor(id, names),
    todo:
      waits.length > 0
        ? TODO
        : "`npx ghostlight run SCENARIO --gate later` leaves a run that waits.",
  });
}

const decidedAlready = (id: string, { bundle, decidedIn }: WaitingRun): BadInput =>
  new BadInput({
    where: { file: bundle.folder, path: "<id>" },
    found: `${id}, decided already: ${decidedIn} goes on from there`,
    allowed: "a request without a decision",
    todo: `To decide it otherwise, in a run beside that one, name the bundle: --bundle ${bundle.folder}`,
  });

/** A bundle that does not wait for it: decided, over, or about something else. */
function notOpen(id: string, { bundle, open, end, answered }: GateStory): BadInput {
  const past = decidedSoFar(answered).get(id);
  const { final } = bundle.manifest;
  const found =
    past !== undefined
      ? `${id}, about which ${PAST[past.decision] ?? past.decision} was said, heard at ${clock(past.atMs)}`
      : open === undefined && final?.outcome === "ended"
        ? `${quoted(id)}, in a run that ended at ${clock(end.virtualMs)}`
        : quoted(id);
  return new BadInput({
    where: { file: bundle.folder, path: "<id>" },
    found,
    allowed:
      open === undefined ? "nothing: this run waits for no decision" : namesOf(open).join(" | "),
    ...hintFor(id, open === undefined ? [] : namesOf(open)),
    todo: TODO,
  });
}

const PAST: { readonly [decision: string]: string } = VERBS;

function checkAllowed({ purpose }: OpenQuestion, words: ReadonlyMap<string, Word>): void {
  const allowed = decisionsFor(purpose);
  const wrong = [...words.values()].find(({ decision }) => !allowed.includes(decision));
  if (wrong === undefined) return;
  throw new BadInput({
    where: { path: `synt ${VERBS[wrong.decision]}` },
    found: `it for a question about ${purpose}`,
    allowed: allowed.map((one) => VERBS[one]).join(" | "),
    todo: "Money is spent or not; there is nothing to change about it.",
  });
}

/** A word that would be heard after the end decides nothing. */
function checkInTime(
  { atMs }: OpenQuestion,
  { manifest: { untilMs }, scenario: { runsForMs } }: ReadBundle,
  afterMs: number,
): void {
  const endMs = Math.min(untilMs ?? runsForMs, runsForMs);
  if (atMs + afterMs <= endMs) return;
  throw refused(
    "--after",
    `${span(afterMs)}, which is too late: asked at ${clock(atMs)}, the run is over at ${clock(endMs)}`,
    `up to ${span(endMs - atMs)}`,
    "Give a shorter time; without --after the word is heard at once.",
  );
}

/** What waits, in one bundle or in all of a folder. */
export async function syntPendingCommand(folder: string = RUNS, flags: JsonFlag): Promise<number> {
  const lists = await partLists(flags);
  const { runs, unreadable } = waitingRuns(lists, folder);
  for (const why of unreadable) note(why);
  const waiting = runs.filter(
    ({ open, decidedIn }) => open.gate === syntGate && decidedIn === undefined,
  );
  if (flags.json) {
    const waits = waiting.map(({ bundle, open }) => ({
      bundle: bundle.folder,
      scenario: bundle.scenario.name,
      ...waitsJson(open, bundle.folder),
    }));
    printJson({ folder, waits, unreadable });
  } else if (waiting.length === 0) print(`Nothing in ${folder} waits for a decision.`);
  else print(waiting.map((one) => pendingText(lists, one)).join("\n\n"));
  return EXIT.ok;
}

function pendingText({ parts }: PartLists, { bundle, open }: WaitingRun): string {
  const { gate } = policyWith(parts, bundle.manifest.policy).synt.reward;
  const dossiers = proposalsIn(open).map(
    ({ request, dossier }) => `${request}\n${dossierText(dossier, { gate })}`,
  );
  return [`${bundle.folder}:`, ...dossiers, open.gate.shown(open, bundle.folder).text].join("\n");
}
