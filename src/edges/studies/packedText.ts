/** Results of runs as they are kept: a tenth of their size. What vouches for them is the hash of the text. */
import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Ours: far above what a run leaves, far below what would fill the memory. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;

export const packed = (text: string): Uint8Array => deflateRawSync(text);

/** Undefined for bytes that are no packed text. */
export function unpacked(bytes: Uint8Array): string | undefined {
  try {
    return inflateRawSync(bytes, { maxOutputLength: TEXT_BYTES_MAX }).toString("utf8");
  } catch {
    return undefined;
  }
}
