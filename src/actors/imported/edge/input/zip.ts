/**
 * Members of a ZIP archive, such as the `.eval` logs of inspect_ai. The libraries there are refuse Zstandard, which those have; so
 * the directory is read here and the bytes are unpacked by Node. Source: APPNOTE.TXT 6.3.10, 4.3.
 */
import { inflateRawSync, zstdDecompressSync } from "node:zlib";

/** Ours: an archive is read from its end, so it is held whole. */
export const ZIP_BYTES_MAX = 512 * 1024 * 1024;
/** Ours: what a member may unpack to, against bombs. */
const MEMBER_BYTES_MAX = 256 * 1024 * 1024;

const [MEMBER, DIRECTORY, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;

export interface ZipMember {
  readonly name: string;
  /** Null where it cannot be unpacked. */
  readonly bytes: Buffer | null;
}

export const isZip = (head: Buffer): boolean => head.length >= 4 && head.readUInt32LE(0) === MEMBER;

/** Those whose names fit, in the order of the directory. */
export function zipMembers(
  zip: Buffer,
  wanted: RegExp,
): { readonly members: readonly ZipMember[]; readonly fault: string | null } {
  const members: ZipMember[] = [];
  const broken = { members, fault: "an archive whose directory is broken or absent" };
  const end = endOf(zip);
  if (end === -1) return broken;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== DIRECTORY) return broken;
    const [nameBytes, extraBytes, noteBytes] = [28, 30, 32].map((by) => zip.readUInt16LE(at + by));
    const next = at + 46 + (nameBytes ?? 0) + (extraBytes ?? 0) + (noteBytes ?? 0);
    if (next > zip.length) return broken;
    const name = zip.toString("utf8", at + 46, at + 46 + (nameBytes ?? 0));
    if (wanted.test(name)) members.push({ name, bytes: unpacked(zip, at) });
    at = next;
  }
  return { members, fault: null };
}

function endOf(zip: Buffer): number {
  const last = Math.max(0, zip.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = zip.length - END_BYTES; at >= last; at--)
    if (zip.readUInt32LE(at) === END) return at;
  return -1;
}

function unpacked(zip: Buffer, entry: number): Buffer | null {
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const at = zip.readUInt32LE(entry + 42);
  if (at + 30 > zip.length || zip.readUInt32LE(at) !== MEMBER) return null;
  const from = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  const packed = zip.subarray(from, from + size);
  try {
    const bound = { maxOutputLength: MEMBER_BYTES_MAX };
    if (method === 0) return packed;
    if (method === 8) return inflateRawSync(packed, bound);
    return method === 93 ? zstdDecompressSync(packed, bound) : null;
  } catch {
    return null;
  }
}
