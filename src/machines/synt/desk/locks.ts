/**
 * What must not be tried again for a while: an abandoned target, a rejected direction, a suspended
 * proto-mnest. Source: seed 002, 7 and 12; ruling Y11.
 */
import { ownValue } from "../../ownValue.ts";
import { between, integer, type ValuesOf } from "../../policyLeaf.ts";
import { days } from "../../units.ts";

const lasting = (value: number, says: string) =>
  integer(value, between(0, days(3650), "ms"), {
    says,
    source: "seed 002, 7; RULINGS Y11",
  });

export const syntLockLeaves = {
  abandonMs: lasting(days(1), "How long the target of an abandoned request is locked."),
  rejectMs: lasting(days(30), "How long a rejected introspective direction is locked."),
  suspendMs: lasting(days(1), "How long a pattern-rejected proto-mnest is suspended."),
};

export type LockPolicy = ValuesOf<typeof syntLockLeaves>;

export type LockKind = "abandon" | "reject" | "suspend";

/** The instant at which each lock ends, which is the first that is free. Strict JSON. */
export interface Locks {
  readonly [key: string]: number;
}

/** The key of a lock: the first name that is left after normalising says what is locked. */
export function lockKey(kind: LockKind, ...names: readonly (string | null)[]): string {
  const intents = names.map((name) => normalised(name ?? ""));
  return `${kind}:${intents.find((intent) => intent !== "") ?? ""}`;
}

/** Letters and digits in lower case, single blanks between words. */
export const normalised = (intent: string): string =>
  ASCII.test(intent)
    ? intent
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, " ")
        .trim()
    : intent
        .normalize("NFKC")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
        .trim();

/** Most intents; Unicode's own way to the same takes several times as long. */
const ASCII = /^[\t-~]*$/;

/** Whether a key is locked; at the instant of expiry it is free. */
export const isLocked = (locks: Locks, key: string, nowMs: number): boolean =>
  nowMs < (ownValue(locks, key) ?? nowMs);

/** Locks from now on. Only what really was abandoned or rejected comes here, never a refusal. */
export const locked = (
  locks: Locks,
  { kind, key }: { readonly kind: LockKind; readonly key: string },
  nowMs: number,
  policy: LockPolicy,
): Locks => ({ ...locks, [key]: nowMs + policy[`${kind}Ms`] });
