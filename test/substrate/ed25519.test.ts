// Our signatures against the vectors of RFC 8032 and against the host's own.
import { createPrivateKey, createPublicKey, sign as hostSign } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeSigning } from "../../src/edges/bundle/nodeEd25519.ts";
import {
  isSigned,
  portableSigning,
  publicKey,
  type Signing,
  sign,
  signWith,
} from "../../src/substrate/ed25519.ts";
import { casesOf, golden, isAbsent } from "../machines/synt/metnosOracle.ts";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (value: Uint8Array) => Buffer.from(value).toString("hex");

/** RFC 8032, 7.1. */
const vectors = [
  {
    key: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    open: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
    message: "",
    signature:
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  },
  {
    key: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
    open: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    message: "72",
    signature:
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  },
];

const key32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const message = fc.uint8Array({ maxLength: 100 });
const runs = { numRuns: 10 };

const signings: [string, Signing][] = [
  ["Node's own", nodeSigning],
  ["any engine's", portableSigning],
];

describe.each(signings)("Ed25519, %s", (_name, signing) => {
  beforeAll(() => signWith(signing));
  afterAll(() => signWith(nodeSigning));

  it.each(vectors)("[SN54] signs as RFC 8032 does: $message", (vector) => {
    const key = bytes(vector.key);

    expect(hex(publicKey(key))).toBe(vector.open);
    expect(hex(sign(bytes(vector.message), key))).toBe(vector.signature);
    expect(isSigned(bytes(vector.message), bytes(vector.signature), bytes(vector.open))).toBe(true);
  });

  it("[SN54] signs as the host does", () => {
    fc.assert(
      fc.property(key32, message, (key, text) => {
        const prefix = bytes("302e020100300506032b657004220420");
        const der = Buffer.concat([prefix, key]);
        const host = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
        const open = createPublicKey(host).export({ format: "der", type: "spki" }).subarray(-32);

        expect(hex(publicKey(key))).toBe(hex(open));
        expect(hex(sign(text, key))).toBe(hex(hostSign(null, text, host)));
      }),
      runs,
    );
  });

  it("[SN54] refuses another message, another signer and any changed byte", () => {
    fc.assert(
      fc.property(key32, key32, message, fc.nat(63), (key, other, text, index) => {
        fc.pre(hex(key) !== hex(other));
        const signature = sign(text, key);
        const changed = signature.with(index, (signature[index] ?? 0) ^ 1);

        expect(isSigned(text, signature, publicKey(key))).toBe(true);
        expect(isSigned(Uint8Array.from([...text, 0]), signature, publicKey(key))).toBe(false);
        expect(isSigned(text, signature, publicKey(other))).toBe(false);
        expect(isSigned(text, changed, publicKey(key))).toBe(false);
      }),
      runs,
    );
  });
});

describe("a host's Ed25519", () => {
  it("[SN54] verifies as the portable one does, whatever byte of a signature or of a key is changed", () => {
    const says = (signing: Signing, ...given: Parameters<typeof isSigned>): boolean => {
      signWith(signing);
      return isSigned(...given);
    };
    fc.assert(
      fc.property(key32, message, fc.nat(95), fc.nat(255), (key, text, index, change) => {
        const whole = Uint8Array.from([...sign(text, key), ...publicKey(key)]);
        const changed = whole.with(index, (whole[index] ?? 0) ^ change);
        const given = [text, changed.subarray(0, 64), changed.subarray(64)] as const;

        expect(says(nodeSigning, ...given)).toBe(change === 0);
        expect(says(portableSigning, ...given)).toBe(change === 0);
      }),
      { numRuns: 20 },
    );
    signWith(nodeSigning);
  });

  it.each(signings)("[SN54] never throws at what is no signature and no key: %s", (_name, one) => {
    signWith(one);
    const key = new Uint8Array(32).fill(1);
    const signature = sign(key, key);

    expect(isSigned(key, signature.subarray(1), publicKey(key))).toBe(false);
    expect(isSigned(key, signature, publicKey(key).subarray(1))).toBe(false);
    signWith(nodeSigning);
  });

  it("[SN54] is refused where it signs otherwise", () => {
    const wrong = { ...nodeSigning, sign: () => new Uint8Array(64) };
    const credulous = { ...nodeSigning, isSigned: () => true };

    for (const one of [wrong, credulous]) {
      expect(() => signWith(one)).toThrow("the host's Ed25519 is another one");
    }
  });
});

describe.skipIf(isAbsent)(golden("signatures"), () => {
  interface Vector {
    readonly message: string;
    readonly private_key_hex: string;
  }

  it("[SO7] a key and a signature, byte by byte", () => {
    const cases = casesOf<Vector, { public_key_hex: string; signature_hex: string }>(
      "signature.ed25519_vector",
    );

    expect(cases).toHaveLength(1);
    for (const { input, expected } of cases) {
      const key = bytes(input.private_key_hex);
      expect({
        public_key_hex: hex(publicKey(key)),
        signature_hex: hex(sign(Buffer.from(input.message), key)),
      }).toEqual(expected);
    }
  });
});
