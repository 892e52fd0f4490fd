/** SHA-256 over UTF-8 text, in lowercase hex. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "./canonicalJson.ts";

export const sha256Hex = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** The hash of a JSON value by its canonical text. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));

/** The first link of every chain. */
export const GENESIS = "0".repeat(64);

/** The next link: the previous one, a newline, and the text it now vouches for. */
export const chained = (previous: string, text: string): string =>
  sha256Hex(`${previous}\n${text}`);
