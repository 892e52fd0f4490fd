/** `ghostlight import`: logs that others left become bundles. */
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { clearProgress, note, print, printJson, progress } from "../../../../cli/output.ts";
import { interruptible } from "../../../../cli/signals.ts";
import type { ImportBegun } from "../../../../edges/bundle/importJournal.ts";
import { command, optionWords } from "../../../../edges/command.ts";
import { BadInput, badInput, hintFor, oneOf, quoted } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { FORMATS, type LogPiece } from "../../record.ts";
import { writeTexts } from "../importedReport.ts";
import { ImportSession } from "../importSession.ts";
import { measured } from "../input/sources.ts";
import { mappingFile } from "../mapping.ts";
import { DETECTION, type Explained, explainLogs, type ReadOptions, readLogs } from "../readLogs.ts";
import { placeText } from "../unreadList.ts";
import { mayWrite, ToldLogs } from "../world/wanted.ts";
import { doneLine, importFolder } from "./begunImport.ts";
import { type ImportDone, importText } from "./importText.ts";

export interface ImportFlags extends JsonFlag {
  readonly format?: string;
  readonly map?: string;
  readonly explain?: string;
  readonly only?: string;
  readonly scenario?: string;
  readonly strict?: true;
  readonly out?: string;
}

export async function importCommand(
  sources: readonly string[],
  flags: ImportFlags,
): Promise<number> {
  if (flags.explain !== undefined) return explain([...sources, flags.explain], flags);
  if (sources.length === 0) throw refused("nothing", "files, folders, or -", "Name a file.");
  const read = { files: 0, bytes: 0 };
  const options: ReadOptions = {
    ...readOptions(flags),
    onRead: ({ files, bytes }) => {
      read.files += files;
      read.bytes += bytes;
    },
  };
  if (flags.scenario !== undefined) mayWrite(flags.scenario, flags.out);
  const folder = importFolder(flags.out, sources);
  const only = flags.only === undefined ? undefined : new OnlyLog(flags.only);
  const all = readLogs(sources, options);
  const pieces = (only === undefined ? all : only.of(all))[Symbol.asyncIterator]();
  // A source that cannot be opened is refused before a folder is made.
  const first = await pieces.next();
  const { out, journal, before } = folder(begunBy(sources, flags));
  const stop = interruptible("stopping; the logs that were read so far are being completed");
  const told = new ToldLogs();
  const tell: typeof writeTexts = async (log, folder) => {
    await writeTexts(log, folder);
    if (flags.scenario !== undefined) told.add(log, folder);
  };
  const session = new ImportSession({
    ...{ out, sources, tell },
    // A world is made of what was told of all logs.
    ...(before && { before: flags.scenario === undefined ? before : new Map() }),
    onDone: (log, done) => journal.add(doneLine(log, done, read)),
  });
  try {
    await session.all(from(first, pieces), stop.signal, progressOf(session));
    if (!stop.signal.aborted) journal.end();
  } finally {
    clearProgress();
    stop.dispose();
  }
  only?.mustBeThere();
  if (session.records === 0 && !stop.signal.aborted) throw nothingRead(sources, session);
  const done: ImportDone = { session, out, interrupted: stop.signal.aborted };
  const { scenario: file } = flags;
  const world =
    file === undefined || done.interrupted
      ? undefined
      : await (await import("../world/makeScenario.ts")).makeScenario(
          told,
          { ...flags, file },
          out,
        );
  if (flags.json) printJson({ ...jsonOf(done), ...world?.json });
  else print([importText(done), ...(world === undefined ? [] : ["", world.text])].join("\n"));
  return exitCode(done, flags);
}

async function* from(
  first: IteratorResult<LogPiece>,
  rest: AsyncIterator<LogPiece>,
): AsyncGenerator<LogPiece, undefined> {
  if (first.done !== true) yield first.value;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** What tells this import from another one. */
function begunBy(sources: readonly string[], { format, map, only }: ImportFlags): ImportBegun {
  const words = [...sources, ...optionWords({ format, map, only }).map(String)];
  return { words, ...measured([...sources, ...(map === undefined ? [] : [map])]) };
}

function exitCode({ session, out, interrupted }: ImportDone, { strict }: ImportFlags): number {
  if (interrupted) return EXIT.interrupted;
  if (!strict || session.unread.count === 0) return EXIT.ok;
  note(`--strict: ${session.unread.count} could not be read; all are in ${out}/unread.jsonl.`);
  return EXIT.failed;
}

function readOptions({ format, map }: ImportFlags): ReadOptions {
  const mapping = map === undefined ? {} : { map: mappingFile(map) };
  if (format === undefined) return mapping;
  const todo = "Omit it: the format is told from what the files hold.";
  return { ...mapping, format: oneOf("--format", format, FORMATS, todo) };
}

/** Records between two looks at the clock; on a terminal a line in place, elsewhere one now and then. */
const TICK = 2_000;
const NOTE_EVERY = 250_000;

function progressOf(session: ImportSession): () => void {
  const startMs = Date.now();
  let pieces = 0;
  return () => {
    pieces += 1;
    if (pieces % TICK !== 0) return;
    const seconds = Math.max(0.001, (Date.now() - startMs) / 1_000);
    const rate = Math.round(session.records / seconds);
    const text = `${session.records} records of ${session.logCount} logs, ${rate} a second`;
    if (process.stderr.isTTY) progress(text);
    else if (pieces % NOTE_EVERY === 0) note(text);
  };
}

const refused = (found: string, allowed: string, todo: string): BadInput =>
  badInput("import", found, allowed, todo);

function nothingRead(sources: readonly string[], { unread }: ImportSession): BadInput {
  const [first, ...more] = unread.first.map(({ place, reason }) => ({
    where: { file: placeText(place) },
    found: reason,
    allowed: "a record of a log",
  }));
  return new BadInput({
    ...(first ?? {
      where: { file: sources.join(" ") },
      found: "nothing that is a record of a log",
      allowed: "logs of agents",
    }),
    more,
    todo: "`npx ghostlight import --explain FILE` says what a file holds; --map FILE says which field is what.",
  });
}

function jsonOf({ session, out, interrupted }: ImportDone): object {
  const { records, links, unread, entries, redacted } = session;
  return {
    ...{ out, interrupted, records, ...session.counts, links: links.told(), redacted },
    unread: { count: unread.count, byReason: unread.byReason(), first: unread.first },
    logs: entries,
  };
}

/** Names that an error lists, and of which the nearest one is told. */
const most = { shown: 10, known: 10_000 } as const;

class OnlyLog {
  readonly #name: string;
  readonly #others: string[] = [];
  #isThere = false;

  constructor(name: string) {
    this.#name = name;
  }

  async *of(pieces: AsyncIterable<LogPiece>): AsyncGenerator<LogPiece, undefined> {
    for await (const piece of pieces) {
      const log =
        piece.kind === "opened" ? piece.head.name : "log" in piece ? piece.log : undefined;
      if (log === this.#name) this.#isThere = true;
      else if (piece.kind === "opened" && this.#others.length < most.known) {
        this.#others.push(piece.head.name);
      }
      if (log === undefined || log === this.#name) yield piece;
    }
  }

  /** Once everything is read. Throws BadInput. */
  mustBeThere(): void {
    if (this.#isThere) return;
    const shown = this.#others.slice(0, most.shown).join(", ");
    const more = this.#others.length > most.shown ? ", …" : "";
    throw badInput(
      "--only",
      quoted(this.#name),
      shown === "" ? "the name of a log, and there is none" : `one of the logs: ${shown}${more}`,
      "Omit --only: logs.json in the folder of the import lists all.",
      hintFor(this.#name, this.#others),
    );
  }
}

/** `ghostlight import --explain FILE`: what a file holds, as far as it can be told, and a mapping where it cannot. */
async function explain(
  sources: readonly string[],
  { json }: Pick<JsonFlag, "json">,
): Promise<number> {
  const all: Explained[] = [];
  for await (const one of explainLogs(sources)) all.push(one);
  if (json) printJson({ files: all, detection: DETECTION });
  else if (all.length > 0) print(all.map(explained).join("\n\n"));
  if (all.every(({ format, guess }) => format === null && guess === null)) throw nothing(sources);
  if (!json && all.some(({ format }) => format === null)) {
    note("Save the mapping to a file, mend it, and import with --map FILE.");
  }
  return EXIT.ok;
}

/** What is no mapping is a comment, so that the whole can be saved as one. */
function explained({ file, format, because, guess }: Explained): string {
  const name = escapedLine(file);
  if (format !== null) {
    const value = because === null ? "" : `: value ${because.value} holds ${because.words}`;
    return `# ${name} is read as ${format}${value}\n# ${command`import ${file}`}`;
  }
  const rules = DETECTION.map((rule) => `#   ${rule.format}: ${rule.words}`);
  const head = [`# ${name} is in no known format. These are looked for:`, ...rules];
  return guess === null
    ? [...head, "# and no field of it looks like what a log of agents has."].join("\n")
    : [...head, "# A mapping that was guessed; mend what is wrong:", guess.yaml.trimEnd()].join(
        "\n",
      );
}

const nothing = (sources: readonly string[]): BadInput =>
  badInput(
    "--explain",
    `nothing in ${sources.join(" ")} that looks like a log of agents`,
    "a file in a known format, or JSON lines with fields",
    "Write a mapping by hand and import with --map FILE.",
  );
