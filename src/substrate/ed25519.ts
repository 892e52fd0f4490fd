/**
 * Ed25519 (RFC 8032) for the signatures of the modelled world: deterministic, synchronous, without
 * the host. Its keys are made up from a scenario's seed and guard nothing; the arithmetic takes a
 * time that depends on the key, so it must never be used for a real one.
 */
import { sha512 } from "@noble/hashes/sha2.js";

const P = (1n << 255n) - 19n;
const ORDER = (1n << 252n) + 27742317777372353535851937790883648493n;
const D = mod(-121665n * inverse(121666n));
const SQRT_MINUS_ONE = power(2n, (P - 1n) / 4n);
const BYTES = 32;

type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint];

const ZERO: Point = [0n, 1n, 1n, 0n];
const BASE_Y = mod(4n * inverse(5n));
const BASE = pointAt(BASE_Y, 0n) as Point;

function mod(value: bigint, by = P): bigint {
  const rest = value % by;
  return rest < 0n ? rest + by : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [mod(base), exponent]; left > 0n; left >>= 1n) {
    if (left & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

function inverse(value: bigint): bigint {
  return power(value, P - 2n);
}

function sum([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(point: Point, count: bigint): Point {
  let result = ZERO;
  for (let [double, left] = [point, count]; left > 0n; left >>= 1n) {
    if (left & 1n) result = sum(result, double);
    double = sum(double, double);
  }
  return result;
}

const isSame = (a: Point, b: Point): boolean =>
  mod(a[0] * b[2] - b[0] * a[2]) === 0n && mod(a[1] * b[2] - b[1] * a[2]) === 0n;

/** The point of this y whose x has this lowest bit. */
function pointAt(y: bigint, sign: bigint): Point | undefined {
  if (y >= P) return undefined;
  const squareX = mod((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(squareX, (P + 3n) / 8n);
  if (mod(x * x - squareX) !== 0n) x = mod(x * SQRT_MINUS_ONE);
  if (mod(x * x - squareX) !== 0n || (x === 0n && sign === 1n)) return undefined;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

function encoded([x, y, z]: Point): Uint8Array {
  const inverseZ = inverse(z);
  const bytes = bytesOf(mod(y * inverseZ));
  bytes[BYTES - 1] = (bytes[BYTES - 1] ?? 0) | (Number(mod(x * inverseZ) & 1n) << 7);
  return bytes;
}

function decoded(bytes: Uint8Array): Point | undefined {
  const whole = numberOf(bytes);
  return pointAt(whole & ((1n << 255n) - 1n), whole >> 255n);
}

/** Little-endian. */
const numberOf = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
const bytesOf = (value: bigint): Uint8Array =>
  Uint8Array.from({ length: BYTES }, (_, index) => Number((value >> BigInt(8 * index)) & 0xffn));

const hashed = (...parts: readonly Uint8Array[]): bigint =>
  mod(numberOf(sha512(Uint8Array.from(parts.flatMap((part) => [...part])))), ORDER);

function secretOf(key: Uint8Array): { readonly scalar: bigint; readonly prefix: Uint8Array } {
  const digest = sha512(key);
  const low = numberOf(digest.subarray(0, BYTES));
  const scalar = (low & ((1n << 254n) - 8n)) | (1n << 254n);
  return { scalar, prefix: digest.subarray(BYTES) };
}

/** `key` is 32 bytes. */
export const publicKey = (key: Uint8Array): Uint8Array =>
  encoded(times(BASE, secretOf(key).scalar));

export function sign(message: Uint8Array, key: Uint8Array): Uint8Array {
  const { scalar, prefix } = secretOf(key);
  const nonce = hashed(prefix, message);
  const commitment = encoded(times(BASE, nonce));
  const challenge = hashed(commitment, publicKey(key), message);
  const response = bytesOf(mod(nonce + challenge * scalar, ORDER));
  return Uint8Array.from([...commitment, ...response]);
}

/** False for anything that is not exactly a signature of this message. */
export function isSigned(
  message: Uint8Array,
  signature: Uint8Array,
  publicBytes: Uint8Array,
): boolean {
  if (signature.length !== 2 * BYTES || publicBytes.length !== BYTES) return false;
  const commitment = decoded(signature.subarray(0, BYTES));
  const signer = decoded(publicBytes);
  const response = numberOf(signature.subarray(BYTES));
  if (commitment === undefined || signer === undefined || response >= ORDER) return false;
  const challenge = hashed(signature.subarray(0, BYTES), publicBytes, message);
  return isSame(times(BASE, response), sum(commitment, times(signer, challenge)));
}
