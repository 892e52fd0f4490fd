/** The name of a challenge in lessons and logs. Source: dossier ghost 1.7; the seed says only that there is one. */
import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

const DIGITS = 16;

export const challengeHash = (text: string): string =>
  bytesToHex(sha1(utf8ToBytes(text.trim()))).slice(0, DIGITS);
