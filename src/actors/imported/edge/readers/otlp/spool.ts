/** Texts that are kept until they are read in another order: in memory while they are few, else in a file that nobody else sees. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PIECE = 4 * 1024 * 1024;
/** Ours: what is held in memory before a file is made. */
const MEMORY_BYTES = 64 * 1024 * 1024;

export class Spool {
  readonly #memoryBytes: number;
  /** Where each text begins, and where the last one ends. */
  readonly #starts: number[] = [0];
  #pieces: Buffer[] = [];
  #piecesBytes = 0;
  /** Bytes that are in the file. */
  #written = 0;
  #file: number | undefined;

  constructor(memoryBytes = MEMORY_BYTES) {
    this.#memoryBytes = memoryBytes;
  }

  get length(): number {
    return this.#starts.length - 1;
  }

  add(text: string): void {
    const bytes = Buffer.from(text, "utf8");
    this.#pieces.push(bytes);
    this.#piecesBytes += bytes.length;
    this.#starts.push((this.#starts.at(-1) ?? 0) + bytes.length);
    const isFull = this.#piecesBytes > (this.#file === undefined ? this.#memoryBytes : PIECE);
    if (isFull) this.#flush();
  }

  /** No text is added after the first is read. */
  at(index: number): string {
    const [start = 0, end = 0] = [this.#starts[index], this.#starts[index + 1]];
    if (this.#file === undefined) return this.#inMemory().toString("utf8", start, end);
    this.#flush();
    const bytes = Buffer.allocUnsafe(end - start);
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(this.#file, bytes, done, bytes.length - done, start + done);
      if (read === 0) break;
      done += read;
    }
    return bytes.toString("utf8");
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#pieces = [];
  }

  #inMemory(): Buffer {
    if (this.#pieces.length > 1) this.#pieces = [Buffer.concat(this.#pieces)];
    return this.#pieces[0] ?? Buffer.alloc(0);
  }

  #flush(): void {
    if (this.#piecesBytes === 0) return;
    this.#file ??= nameless();
    for (const piece of this.#pieces) {
      for (let done = 0; done < piece.length; ) {
        done += writeSync(this.#file, piece, done, piece.length - done, this.#written + done);
      }
      this.#written += piece.length;
    }
    this.#pieces = [];
    this.#piecesBytes = 0;
  }
}

/** A file of this process alone, which is gone when the process ends, however it ends. */
function nameless(): number {
  const folder = mkdtempSync(join(tmpdir(), "ghostlight-import-"));
  const file = openSync(join(folder, "spans"), "wx+", 0o600);
  if (process.platform === "win32") return file;
  rmSync(folder, { recursive: true });
  return file;
}
