/** SHA-256 over UTF-8, as text or as its bytes, in lowercase hex. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { assert } from "./assert.ts";
import { canonicalJson } from "./canonicalJson.ts";

/** SHA-256 without a host: for browsers, and what every other one is held against. */
export const portableSha256Hex = (data: string | Uint8Array): string =>
  bytesToHex(sha256(typeof data === "string" ? utf8ToBytes(data) : data));

let fastest = portableSha256Hex;

/** From here on the host's SHA-256 makes all digests: a tenth of a run's time less. */
export function hashWith(hostSha256Hex: typeof portableSha256Hex): void {
  const probe = "SHA-256 of é, 語 and \u{1f600}";
  for (const one of [probe, utf8ToBytes(probe)]) {
    assert(hostSha256Hex(one) === portableSha256Hex(probe), "the host's SHA-256 is another one");
  }
  fastest = hostSha256Hex;
}

export const sha256Hex = (data: string | Uint8Array): string => fastest(data);

/** The hash of a JSON value by its canonical text. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));

/** The first link of every chain. */
export const GENESIS = "0".repeat(64);

/** The next link: the previous one, a newline, and the text it now vouches for. */
export const chained = (previous: string, text: string): string =>
  sha256Hex(`${previous}\n${text}`);
