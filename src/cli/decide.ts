/** The person's word between two runs, for the commands of any part with a gate: what waits, and what is decided of it. */

import { type ReadBundle, readBundle } from "../edges/bundle/bundleReader.ts";
import { commandSaid } from "../edges/command.ts";
import { clock, span } from "../edges/duration.ts";
import { type BadInput, badInput, hintFor, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import type { Answered, Decided, OpenQuestion, PartGate } from "../edges/play/gate.ts";
import { type WaitingRun, waitingRuns } from "../edges/play/waitingRuns.ts";
import { type GateStory, gateStory } from "../edges/report/openQuestion.ts";
import type { JsonFlag } from "./bundles.ts";
import { partLists } from "./chosenParts.ts";
import { continueRun } from "./continueRun.ts";
import { waitsJson } from "./live/gate.ts";
import { note, print, printJson } from "./output.ts";
import { checkNoProgram, sameModel, tellGone } from "./resume.ts";

/** Where `run` puts bundles. */
const RUNS = "runs";

/** The commands of one part. */
export interface DeskCommands {
  readonly gate: PartGate;
  /** Under which they stand, as `synt`. */
  readonly group: string;
  /** What is decided, with its article: `a request`. */
  readonly thing: string;
  /** What was decided so far, by id. */
  readonly past: (answered: readonly Answered[]) => ReadonlyMap<string, Past>;
  /** How a decision of the past is called. */
  readonly verbs: { readonly [decision: string]: string };
  /** All that is known of what waits. */
  readonly details: (lists: PartLists, run: WaitingRun) => readonly string[];
}

/** A decision that a recording holds. */
export interface Past {
  readonly decision: string;
  readonly atMs: number;
}

/** The options that deciding has in every part. */
export interface DecideFlags extends JsonFlag {
  readonly bundle?: string;
  readonly after?: number;
  readonly out?: string;
  readonly host?: string;
  readonly anyModel?: true;
}

/** What was said on the command line. */
export interface Said {
  /** Decisions by id, the first named first. */
  readonly words: ReadonlyMap<string, string>;
  readonly decided: (at: { readonly seq: number; readonly afterMs: number }) => Decided;
  /** Throws BadInput for a word that this question does not take. */
  readonly check?: (open: OpenQuestion) => void;
}

export async function decideCommand(
  desk: DeskCommands,
  { words, decided, check }: Said,
  flags: DecideFlags,
): Promise<number> {
  const lists = await partLists(flags);
  const { bundle, open, end } = storyFor(lists, desk, [...words.keys()], flags.bundle);
  checkNoProgram(bundle);
  check?.(open);
  const afterMs = flags.after ?? 0;
  checkInTime(open, bundle, afterMs);
  const { untilMs, origin } = bundle.manifest;
  const live =
    origin === "scripted" ? undefined : await sameModel(lists.parts, bundle.manifest, flags);
  const word = decided({ seq: open.seq, afterMs });
  const to = { untilMs, live, end, out: flags.out, suffix: "decided" };
  const gone = await continueRun(lists, { bundle, gate: "later", decided: word, ...to });
  const left = namesOf(desk, open).filter((one) => !words.has(one));
  if (left.length > 0) {
    note(
      `Left undecided by this: ${left.join(", ")}. It stays open until it is asked again, or times out.`,
    );
  }
  const said = { decided: Object.fromEntries(words), left, from: bundle.folder };
  return tellGone(lists, gone, said, flags);
}

type Waiting = GateStory & { readonly open: OpenQuestion };

/** The named bundle, or the newest run that waits for the first of these. */
function storyFor(
  lists: PartLists,
  desk: DeskCommands,
  ids: readonly string[],
  folder: string | undefined,
): Waiting {
  if (folder === undefined) return newestFor(lists, desk, ids);
  const story = gateStory(lists, readBundle(lists, folder));
  const { open } = story;
  for (const id of ids) {
    if (open === undefined || !isAbout(desk, open, id)) throw notOpen(desk, id, story);
  }
  return { ...story, open: open as OpenQuestion }; // There are ids, and each is what it is about.
}

const namesOf = ({ gate }: DeskCommands, open: OpenQuestion): readonly string[] =>
  open.gate === gate ? gate.shown(open, "").about : [];

const isAbout = (desk: DeskCommands, open: OpenQuestion, id: string): boolean =>
  namesOf(desk, open).includes(id);

function newestFor(lists: PartLists, desk: DeskCommands, ids: readonly string[]): Waiting {
  const { runs, unreadable } = waitingRuns(lists, RUNS);
  for (const why of unreadable) note(why);
  const [first = ""] = ids;
  const about = runs.filter(({ open }) => isAbout(desk, open, first));
  const story = about.find(({ decidedIn }) => decidedIn === undefined);
  if (story === undefined) {
    throw about[0] ? decidedAlready(desk, first, about[0]) : unknown(desk, first, runs);
  }
  for (const id of ids) if (!isAbout(desk, story.open, id)) throw notOpen(desk, id, story);
  return story;
}

const todoOf = ({ group }: DeskCommands): string =>
  `${commandSaid`${group} pending`} lists what waits, with the commands that decide it.`;

/** No run of `runs/` waits for it. */
function unknown(desk: DeskCommands, id: string, runs: readonly WaitingRun[]): BadInput {
  const waits = runs.filter(
    ({ open, decidedIn }) => decidedIn === undefined && open.gate === desk.gate,
  );
  const names = waits.flatMap(({ open }) => namesOf(desk, open));
  const allowed = waits.map(
    ({ open, bundle }) => `${namesOf(desk, open).join(", ")} in ${bundle.folder}`,
  );
  return badInput(
    "<id>",
    quoted(id),
    allowed.join("; ") || `nothing: no run under ${RUNS}/ waits for a decision`,
    waits.length > 0
      ? todoOf(desk)
      : "`npx ghostlight run SCENARIO --gate later` leaves a run that waits.",
    hintFor(id, names),
  );
}

const decidedAlready = (
  { thing }: DeskCommands,
  id: string,
  { bundle, decidedIn }: WaitingRun,
): BadInput =>
  badInput(
    { file: bundle.folder, path: "<id>" },
    `${id}, decided already: ${decidedIn} goes on from there`,
    `${thing} without a decision`,
    `To decide it otherwise, in a run beside that one, name the bundle: --bundle ${bundle.folder}`,
  );

/** A bundle that does not wait for it: decided, over, or about something else. */
function notOpen(
  desk: DeskCommands,
  id: string,
  { bundle, open, end, answered }: GateStory,
): BadInput {
  const past = desk.past(answered).get(id);
  const { final } = bundle.manifest;
  const found =
    past !== undefined
      ? `${id}, about which ${desk.verbs[past.decision] ?? past.decision} was said, heard at ${clock(past.atMs)}`
      : open === undefined && final?.outcome === "ended"
        ? `${quoted(id)}, in a run that ended at ${clock(end.virtualMs)}`
        : quoted(id);
  const names = open === undefined ? [] : namesOf(desk, open);
  const allowed =
    open === undefined
      ? "nothing: this run waits for no decision"
      : names.join(" | ") || "nothing: what this run waits for has commands of its own";
  const isElsewhere = open !== undefined && open.gate !== desk.gate;
  return badInput(
    { file: bundle.folder, path: "<id>" },
    found,
    allowed,
    isElsewhere ? open.gate.shown(open, bundle.folder).text : todoOf(desk),
    hintFor(id, names),
  );
}

/** A word that would be heard after the end decides nothing. */
function checkInTime(
  { atMs }: OpenQuestion,
  { manifest: { untilMs }, scenario: { runsForMs } }: ReadBundle,
  afterMs: number,
): void {
  const endMs = Math.min(untilMs ?? runsForMs, runsForMs);
  if (atMs + afterMs <= endMs) return;
  throw badInput(
    "--after",
    `${span(afterMs)}, which is too late: asked at ${clock(atMs)}, the run is over at ${clock(endMs)}`,
    `up to ${span(endMs - atMs)}`,
    "Give a shorter time; without --after the word is heard at once.",
  );
}

/** What waits, in one bundle or in all of a folder. */
export async function pendingCommand(
  desk: DeskCommands,
  folder: string = RUNS,
  flags: JsonFlag,
): Promise<number> {
  const lists = await partLists(flags);
  const { runs, unreadable } = waitingRuns(lists, folder);
  for (const why of unreadable) note(why);
  const waiting = runs.filter(
    ({ open, decidedIn }) => open.gate === desk.gate && decidedIn === undefined,
  );
  if (flags.json) {
    const waits = waiting.map(({ bundle, open }) => ({
      bundle: bundle.folder,
      scenario: bundle.scenario.name,
      ...waitsJson(open, bundle.folder),
    }));
    printJson({ folder, waits, unreadable });
  } else if (waiting.length === 0) print(`Nothing in ${folder} waits for a decision.`);
  else {
    const texts = waiting.map((run) => {
      const { text } = run.open.gate.shown(run.open, run.bundle.folder);
      return [`${run.bundle.folder}:`, ...desk.details(lists, run), text].join("\n");
    });
    print(texts.join("\n\n"));
  }
  return EXIT.ok;
}
