/** Ed25519 (RFC 8032) for the signatures of the modelled world: synchronous and deterministic. */
import { getPublicKey, hashes, sign as nobleSign, verify } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";

hashes.sha512 = sha512;

/** `key` is 32 bytes. */
export const publicKey = (key: Uint8Array): Uint8Array => getPublicKey(key);

export const sign = (message: Uint8Array, key: Uint8Array): Uint8Array => nobleSign(message, key);

/** False for anything that is not exactly a signature of this message; never throws. */
export function isSigned(
  message: Uint8Array,
  signature: Uint8Array,
  publicBytes: Uint8Array,
): boolean {
  try {
    // Strictly by the RFC: a looser rule (ZIP 215) would take encodings that no signer makes.
    return verify(signature, message, publicBytes, { zip215: false });
  } catch {
    return false;
  }
}
