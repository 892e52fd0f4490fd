/**
 * The index of a long run: all that its page asks for, in files beside those of other runs in the user's cache. It is made of the
 * verified bundle when that is opened first. It holds the seal of the manifest, a hash of its own and one of the code that made it:
 * whatever does not fit is made again. It never lies in the bundle, where a stranger could have put one.
 */
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { packColumns, unpackColumns, type ViewHead, type ViewRow } from "../../viewer/viewData.ts";
import { KEPT_BYTES_MAX, readManifest, scenarioIn } from "../bundle/bundleReader.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import { partsFor } from "../bundle/importedBundle.ts";
import { makeFolder } from "../bundle/makeFolder.ts";
import { nodeSha256Hex } from "../bundle/nodeSha256.ts";
import type { PartLists } from "../parts/partLists.ts";
import { cacheFolder } from "../python/snapshot.ts";
import { codeHash } from "../studies/codeHash.ts";
import {
  type OpenRun,
  openRun,
  PIECE_SIZE,
  startedIn,
  type Watching,
  withKept,
} from "./openRun.ts";
import { type RunOf, type ServedRun, servedRun } from "./servedRun.ts";
import { type GuardsAsked, guardsAsked, viewCharts } from "./viewCharts.ts";
import { bareRow } from "./viewRows.ts";

export interface IndexOptions {
  /** Where indices are kept; null for nowhere. */
  readonly cache?: string | null;
  /** A bundle whose log has more bytes has an index. */
  readonly bytesMost?: number;
  /** Hears what takes long. */
  readonly tell?: (text: string) => void;
}

/** Ours: indices that are kept; the oldest goes. */
const INDICES_MOST = 8;

const INDEX = {
  ...{ head: "head.json", columns: "columns.bin" },
  ...{ whole: "pieces.bin", bare: "words.bin" },
} as const;

/** What head.json holds. */
interface Index {
  readonly seal: string;
  readonly code: string;
  /** What tells the files of the bundle from those that were verified. */
  readonly stamps: readonly string[];
  readonly head: ViewHead;
  readonly charts: string;
  readonly columns: string;
  readonly whole: Pieces;
  readonly bare: Pieces;
}

/** Where each piece ends, and its hash. */
type Pieces = readonly (readonly [end: number, sha256: string])[];

/** Opens a bundle for its page: a long one from its index, which is made where there is none that fits. */
export function openIndexed(
  lists: PartLists,
  folder: string,
  { cache = cacheFolder(), bytesMost = KEPT_BYTES_MAX, tell = () => {} }: IndexOptions = {},
): ServedRun {
  const bytes = statSync(join(folder, FILES.events), { throwIfNoEntry: false })?.size ?? 0;
  if (bytes <= bytesMost || cache === null) return servedRun(openRun(lists, folder));
  const manifest = readManifest(lists.parts, folder);
  if (manifest.final?.log === undefined) return servedRun(openRun(lists, folder));
  const scenario = scenarioIn(lists, manifest, folder);
  const of: RunOf = { folder, manifest, scenario, parts: partsFor(lists.parts, { manifest }) };
  const code = codeHash();
  const own = join(cache, "view", nodeSha256Hex(`${manifest.seal} ${code}`).slice(0, 32));
  let opened: OpenRun | undefined;
  const whole = (): OpenRun => {
    opened ??= openRun(lists, folder);
    return opened;
  };
  const known = { of, code, whole };
  const found = indexIn(own, known);
  if (found !== undefined) return found;
  tell(`reading and checking a log of ${Math.round(bytes / 1e6)} MB`);
  makeIndex({ lists, cache, own, folder, seal: manifest.seal, code, tell });
  return indexIn(own, known) ?? servedRun(whole());
}

/** What tells the files of a bundle from what they were, unread: size, last change and place on the disk. */
export const stampsOf = (folder: string): readonly string[] =>
  [FILES.manifest, FILES.inputs, FILES.events].map((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return `${stats?.size ?? 0} ${stats?.mtimeMs ?? 0} ${stats?.ino ?? 0}`;
  });

interface Making extends Pick<Index, "seal" | "code"> {
  readonly lists: PartLists;
  readonly cache: string;
  readonly own: string;
  readonly folder: string;
  readonly tell: (text: string) => void;
}

/** The log is read twice: to be verified, and for its columns, rows and guards. A cache that cannot be written leaves the run without one. */
function makeIndex({ lists, cache, own, folder, seal, code, tell }: Making): void {
  let made = "";
  try {
    makeFolder(join(cache, "view"), 0o700);
    made = mkdtempSync(join(cache, "view", "new-"));
    const stamps = stampsOf(folder);
    const whole = new PieceFile(join(made, INDEX.whole));
    const bare = new PieceFile(join(made, INDEX.bare));
    let guards: GuardsAsked | undefined;
    let open: OpenRun;
    try {
      const watching: Watching = (run) => {
        const asked = guardsAsked(run);
        guards = asked;
        return (one, row) => {
          if (whole.count % 16_384 === 0) {
            tell(`indexing: ${whole.count} of ${run.deliveries.length} deliveries`);
          }
          asked.see(one);
          whole.add(row);
          bare.add(bareRow(row));
        };
      };
      open = openRun(lists, folder, { watching });
    } finally {
      whole.close();
      bare.close();
    }
    const { head, run } = open;
    const packed = packColumns(open.columns);
    writeFileSync(join(made, INDEX.columns), packed);
    const columns = nodeSha256Hex(packed);
    const charts = JSON.stringify(viewCharts(run, startedIn(open), guards));
    const pieces = { whole: whole.all, bare: bare.all };
    const index: Index = { seal, code, stamps, head, charts, columns, ...pieces };
    const text = JSON.stringify(index);
    writeFileSync(join(made, INDEX.head), `${nodeSha256Hex(text)}\n${text}`);
    rmSync(own, { recursive: true, force: true });
    renameSync(made, own);
    dropOldest(join(cache, "view"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    tell("its index cannot be kept");
  } finally {
    if (made !== "") rmSync(made, { recursive: true, force: true });
  }
}

/** Rows, packed in pieces one after the other. */
class PieceFile {
  count = 0;
  readonly all: (readonly [end: number, sha256: string])[] = [];
  readonly #file: number;
  #rows: ViewRow[] = [];

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  add(row: ViewRow): void {
    this.#rows.push(row);
    this.count += 1;
    if (this.#rows.length === PIECE_SIZE) this.#write();
  }

  close(): void {
    this.#write();
    closeSync(this.#file);
  }

  #write(): void {
    if (this.#rows.length === 0) return;
    const bytes = zstdCompressSync(JSON.stringify(this.#rows));
    this.#rows = [];
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    this.all.push([(this.all.at(-1)?.[0] ?? 0) + bytes.length, nodeSha256Hex(bytes)]);
  }
}

function dropOldest(folder: string): void {
  const all = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    return { path, madeMs: statSync(path).mtimeMs };
  });
  const oldest = all.toSorted((a, b) => b.madeMs - a.madeMs).slice(INDICES_MOST);
  for (const { path } of oldest) rmSync(path, { recursive: true, force: true });
}

interface KnownRun {
  readonly of: RunOf;
  readonly code: string;
  readonly whole: () => OpenRun;
}

/** Undefined where there is none that fits. */
function indexIn(own: string, { of, code, whole }: KnownRun): ServedRun | undefined {
  try {
    const file = readFileSync(join(own, INDEX.head), "utf8");
    const [hash, text] = [file.slice(0, 64), file.slice(65)];
    if (nodeSha256Hex(text) !== hash) return undefined;
    const index = JSON.parse(text) as Index; // By its hash, one that was written here.
    const isSame = index.stamps.join() === stampsOf(of.folder).join();
    if (index.seal !== of.manifest.seal || index.code !== code || !isSame) return undefined;
    const packed = readFileSync(join(own, INDEX.columns));
    if (nodeSha256Hex(packed) !== index.columns) return undefined;
    const bytes = packed.buffer.slice(packed.byteOffset, packed.byteOffset + packed.byteLength);
    const columns = unpackColumns(bytes as ArrayBuffer, index.head);
    return {
      ...{ of, columns, whole },
      head: withKept({ ...index.head, bundle: of.folder }, of),
      piece: (number, fullness) => pieceIn(join(own, INDEX[fullness]), index[fullness], number),
      charts: () => index.charts,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined && !(error instanceof SyntaxError)) {
      throw error;
    }
    return undefined;
  }
}

function pieceIn(file: string, pieces: Pieces, number: number): string | undefined {
  const at = pieces[number];
  if (at === undefined) return undefined;
  const [end, hash] = at;
  const start = pieces[number - 1]?.[0] ?? 0;
  const bytes = Buffer.alloc(end - start);
  const open = openSync(file, "r");
  try {
    readSync(open, bytes, 0, bytes.length, start);
  } finally {
    closeSync(open);
  }
  if (nodeSha256Hex(bytes) !== hash)
    throw new Error(`${file} was changed: remove it, and open the run again`);
  return zstdDecompressSync(bytes).toString("utf8");
}
