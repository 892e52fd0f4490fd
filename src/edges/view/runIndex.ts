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
import { packColumns, unpackColumns, type ViewHead } from "../../viewer/viewData.ts";
import { KEPT_BYTES_MAX, readManifest, scenarioIn } from "../bundle/bundleReader.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import { partsFor } from "../bundle/importedBundle.ts";
import { makeFolder } from "../bundle/makeFolder.ts";
import { nodeSha256Hex } from "../bundle/nodeSha256.ts";
import type { PartLists } from "../parts/partLists.ts";
import { cacheFolder } from "../python/snapshot.ts";
import { codeHash } from "../studies/codeHash.ts";
import { type OpenRun, openRun, withKept } from "./openRun.ts";
import { type RunOf, type ServedRun, servedRun } from "./servedRun.ts";

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

const INDEX = { head: "head.json", columns: "columns.bin", pieces: "pieces.bin" } as const;

/** What head.json holds. */
interface Index {
  readonly seal: string;
  readonly code: string;
  /** What tells the files of the bundle from those that were verified. */
  readonly stamps: readonly string[];
  readonly head: ViewHead;
  readonly charts: string;
  readonly columns: string;
  /** Where each piece ends, and its hash. */
  readonly pieces: readonly (readonly [end: number, sha256: string])[];
}

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
  const stamps = stampsOf(folder);
  const open = whole();
  makeIndex(cache, own, { open, seal: manifest.seal, code, stamps, tell });
  opened = undefined; // What the index holds need not stay in memory.
  return indexIn(own, known) ?? servedRun(open);
}

/** What tells the files of a bundle from what they were, unread: size, last change and place on the disk. */
export const stampsOf = (folder: string): readonly string[] =>
  [FILES.manifest, FILES.inputs, FILES.events].map((name) => {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    return `${stats?.size ?? 0} ${stats?.mtimeMs ?? 0} ${stats?.ino ?? 0}`;
  });

interface Making extends Pick<Index, "seal" | "code" | "stamps"> {
  readonly open: OpenRun;
  readonly tell: (text: string) => void;
}

/** A cache that cannot be written leaves the run without one. */
function makeIndex(cache: string, own: string, making: Making): void {
  const { open, seal, code, stamps, tell } = making;
  try {
    makeFolder(join(cache, "view"), 0o700);
    const folder = mkdtempSync(join(cache, "view", "new-"));
    const run = servedRun(open);
    const { head } = run;
    const packed = packColumns(run.columns);
    writeFileSync(join(folder, INDEX.columns), packed);
    const pieces = writePieces(join(folder, INDEX.pieces), run, tell);
    const columns = nodeSha256Hex(packed);
    const index: Index = { seal, code, stamps, head, charts: run.charts(), columns, pieces };
    const text = JSON.stringify(index);
    writeFileSync(join(folder, INDEX.head), `${nodeSha256Hex(text)}\n${text}`);
    rmSync(own, { recursive: true, force: true });
    renameSync(folder, own);
    dropOldest(join(cache, "view"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    tell("its index cannot be kept");
  }
}

function writePieces(file: string, run: ServedRun, tell: (text: string) => void): Index["pieces"] {
  const pieces: (readonly [number, string])[] = [];
  const { count, pieceSize } = run.head;
  const open = openSync(file, "w");
  try {
    let end = 0;
    for (let number = 0; number * pieceSize < count; number++) {
      if (number % 64 === 0) tell(`indexing: ${number * pieceSize} of ${count} deliveries`);
      const bytes = zstdCompressSync(run.piece(number) ?? "");
      for (let done = 0; done < bytes.length; ) done += writeSync(open, bytes, done);
      end += bytes.length;
      pieces.push([end, nodeSha256Hex(bytes)]);
    }
  } finally {
    closeSync(open);
  }
  return pieces;
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
      piece: (number) => pieceIn(join(own, INDEX.pieces), index.pieces, number),
      charts: () => index.charts,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined && !(error instanceof SyntaxError)) {
      throw error;
    }
    return undefined;
  }
}

function pieceIn(file: string, pieces: Index["pieces"], number: number): string | undefined {
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
