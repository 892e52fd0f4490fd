/**
 * Node's Ed25519. On keys that a signer makes it says what the portable one says; the two differ only about points of
 * small order, which nobody signs with who holds to the RFC.
 */
import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { type Signing, signWith } from "../../substrate/ed25519.ts";

/** What comes before the 32 bytes of a key (RFC 8410): Node takes and gives no bare ones. */
const PRIVATE_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD = Buffer.from("302a300506032b6570032100", "hex");

const privateKey = lastKept((key) =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, key]), format: "der", type: "pkcs8" }),
);
const openKey = lastKept((bytes) =>
  createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, bytes]), format: "der", type: "spki" }),
);

/** A run signs with one key, and making it takes as long as signing. */
function lastKept(make: (bytes: Uint8Array) => KeyObject): (bytes: Uint8Array) => KeyObject {
  let last: { readonly bytes: Uint8Array; readonly key: KeyObject } | undefined;
  return (bytes) => {
    if (last === undefined || Buffer.compare(last.bytes, bytes) !== 0) {
      last = { bytes: Uint8Array.from(bytes), key: make(bytes) };
    }
    return last.key;
  };
}

export const nodeSigning: Signing = {
  publicKey: (key) => {
    const der = createPublicKey(privateKey(key)).export({ format: "der", type: "spki" });
    return new Uint8Array(der.subarray(PUBLIC_HEAD.length));
  },
  sign: (message, key) => new Uint8Array(sign(null, message, privateKey(key))),
  isSigned: (message, signature, publicBytes) =>
    verify(null, message, openKey(publicBytes), signature),
};

signWith(nodeSigning);
