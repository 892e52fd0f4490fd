/** The files that logs are read from, with their sizes and hashes, so that a bundle says what it was made of. */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { kindOf } from "../../../edges/bundle/bundleReader.ts";

export interface SourceFile {
  readonly file: string;
  readonly bytes: number | null;
  readonly sha256: string | null;
}

const PIECE = 1 << 20;

export class SourceFiles {
  readonly #sources: readonly string[];
  readonly #known = new Map<string, SourceFile>();

  /** Files and folders as the user named them. */
  constructor(sources: readonly string[]) {
    this.#sources = sources;
  }

  /** `file` is one of the sources, or a path below one that is a folder. Hashes are null of what cannot be read twice. */
  of(file: string): SourceFile {
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    const path = [file, ...this.#sources.map((source) => join(source, file))].find(
      (one) => kindOf(one) === "a file",
    );
    const found = path === undefined || file === "-" ? undefined : hashed(path);
    const one = { file, ...(found ?? { bytes: null, sha256: null }) };
    this.#known.set(file, one);
    return one;
  }
}

function hashed(path: string): Omit<SourceFile, "file"> | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const hash = createHash("sha256");
    const piece = Buffer.allocUnsafe(PIECE);
    let bytes = 0;
    for (;;) {
      const read = readSync(file, piece);
      if (read === 0) return { bytes, sha256: hash.digest("hex") };
      bytes += read;
      hash.update(piece.subarray(0, read));
    }
  } catch {
    // It was there when its records were read; what is told of it is what can be.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
