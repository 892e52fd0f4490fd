/**
 * Node's SHA-256 for all digests, its UTF-8 under them, and its signatures. Every entry point on Node imports this
 * first.
 */
import "./nodeEd25519.ts";
import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { hashWith } from "../../substrate/digest.ts";
import { type Writing, writeWith } from "../../substrate/utf8.ts";

export const nodeSha256Hex = (data: string | Uint8Array): string => hash("sha256", data, "hex");

hashWith(nodeSha256Hex);

/** What `write` of a Buffer comes down to; Node's types leave it out. */
const { utf8Write } = Buffer.prototype as unknown as {
  readonly utf8Write: (this: Uint8Array, text: string, at: number) => number;
};

export const nodeWriting: Writing = {
  allocate: (length) => Buffer.allocUnsafeSlow(length),
  write: (text, bytes, at) => utf8Write.call(bytes, text, at),
};

writeWith(nodeWriting);
