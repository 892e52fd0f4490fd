/** What an open file holds, up to so many bytes: a pipe or a device gives them piece by piece. */
import { readSync } from "node:fs";

export function boundedBytes(descriptor: number, bytesMax: number): Uint8Array {
  const bytes = new Uint8Array(bytesMax);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, null);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
