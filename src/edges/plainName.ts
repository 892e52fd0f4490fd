import { createHash } from "node:crypto";

/** Ours: with what is put before and behind it, below what file systems take. */
const CHARS_MAX = 60;
const DIGEST_CHARS = 8;

/** Names that Windows keeps for devices, with or without an ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * The name of a folder or a file for any text: letters, digits, `-` and `_`, and at least one of them. Where that
 * changes the text or cuts it, a digest keeps it apart from others.
 */
export function plainName(text: string, charsMax = CHARS_MAX): string {
  const plain = text.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  const isPlain = plain === text && plain !== "" && plain.length <= charsMax;
  if (isPlain && !DEVICE.test(plain)) return plain;
  const digest = createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARS);
  return `${plain.slice(0, charsMax - DIGEST_CHARS - 1) || "log"}-${digest}`;
}
