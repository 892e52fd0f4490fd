/** Ed25519 (RFC 8032) for the signatures of the modelled world: synchronous and deterministic. */
import { getPublicKey, hashes, sign as nobleSign, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { assert } from "./assert.ts";

hashes.sha512 = sha512;

/** How a host signs. */
export interface Signing {
  /** `key` is 32 bytes. */
  readonly publicKey: (key: Uint8Array) => Uint8Array;
  readonly sign: (message: Uint8Array, key: Uint8Array) => Uint8Array;
  /** May throw at what is no signature or no key. */
  readonly isSigned: (
    message: Uint8Array,
    signature: Uint8Array,
    publicBytes: Uint8Array,
  ) => boolean;
}

/** For browsers, and what every other one is held against. */
export const portableSigning: Signing = {
  publicKey: (key) => getPublicKey(key),
  sign: (message, key) => nobleSign(message, key),
  isSigned: (message, signature, publicBytes) =>
    // Strictly by the RFC: a looser rule (ZIP 215) would take encodings that no signer makes.
    verify(signature, message, publicBytes, { zip215: false }),
};

let host = portableSigning;

/** The signature of no bytes by the key 0, 1, … 31. */
const PROBE =
  "9ca53579530654d5c3df77089ef45eda613e2fedf670e96bedac4639504e5845ef4b95d5793077233dd16817b2532e9c5525872a73a4ad74b759369a9e05c102";

/** From here on the host's own Ed25519 signs and verifies: about ten times as fast. */
export function signWith(signing: Signing): void {
  const key = Uint8Array.from({ length: 32 }, (_, index) => index);
  const nothing = new Uint8Array(0);
  const signature = signing.sign(nothing, key);
  const isAlike =
    bytesToHex(signature) === PROBE &&
    signing.isSigned(nothing, signature, signing.publicKey(key)) &&
    !signing.isSigned(key, signature, signing.publicKey(key));
  assert(isAlike, "the host's Ed25519 is another one");
  host = signing;
}

/** `key` is 32 bytes. */
export const publicKey = (key: Uint8Array): Uint8Array => host.publicKey(key);

export const sign = (message: Uint8Array, key: Uint8Array): Uint8Array => host.sign(message, key);

/** False for anything that is not exactly a signature of this message; never throws. */
export function isSigned(
  message: Uint8Array,
  signature: Uint8Array,
  publicBytes: Uint8Array,
): boolean {
  try {
    return host.isSigned(message, signature, publicBytes);
  } catch {
    return false;
  }
}
