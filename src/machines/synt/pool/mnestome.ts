/**
 * The mnestome: traces of executors used after one another, and of executors that were missed.
 * A weight is kept as it was at the last use; what it is now follows from the time since, so that
 * no night's rounding adds up. Source: ruling Y15, after the real system; seed 002, chapters 2 and 4.1.
 */
import { between, integer, thousandths, type ValuesOf } from "../../policyLeaf.ts";
import { days } from "../../units.ts";
import { BILLION, type Seen } from "../score/reward.ts";

const source = "RULINGS Y15";

export const syntMnestLeaves = {
  birth: integer(300, thousandths, { says: "Weight of a new mnest.", source }),
  reinforcement: integer(150, thousandths, { says: "What a use adds, up to 1 in all.", source }),
  decayPerDay: integer(18_000, between(0, 1_000_000, "millionths per day"), {
    says: "Rate of the exponential decay.",
    source,
  }),
  decayingBelow: integer(200, thousandths, {
    says: "Weight below which the ager makes an active mnest decaying.",
    source,
  }),
  protoDeletedBelow: integer(50, thousandths, {
    says: "Weight below which the ager deletes a proto-mnest.",
    source,
  }),
  recurrences: integer(5, between(1, 1000, "uses"), {
    says: "Uses of a proto-mnest within the window that make it a candidate for generalisation.",
    source: "seed 002, 13 (tentative); RULINGS Y15",
  }),
  recurrenceWindowMs: integer(days(30), between(1, days(3650), "ms"), {
    says: "How long a use counts for recurrence; at its end it counts no more.",
    source: "seed 002, 13 (tentative); RULINGS Y15",
  }),
  replayFrom: integer(3, between(1, 1_000_000, "uses"), {
    says: "Uses from which the fast path replays a memoised sequence.",
    source: "seed 002, 2; RULINGS Y15",
  }),
  replayTo: integer(50, between(1, 1_000_000, "uses"), {
    says: "Uses up to which it does; beyond, the sequence leaves a proto-mnest.",
    source: "seed 002, 2; RULINGS Y15",
  }),
};

export type MnestPolicy = ValuesOf<typeof syntMnestLeaves>;

export type MnestState = "active" | "proto" | "decaying" | "superseded";

/** One executor at one version; a missing one has none. */
export interface MnestEnd {
  readonly name: string;
  readonly version: string | null;
}

export interface Mnest {
  readonly from: MnestEnd;
  readonly to: MnestEnd;
  readonly state: MnestState;
  /** Billionths, at `lastMs`. */
  readonly weight: number;
  readonly uses: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** The last uses, oldest first, as many as recurrence asks for. */
  readonly recentMs: readonly number[];
  /** How often the hop went well, of how many times. */
  readonly seen: Seen;
}

export interface Use {
  readonly from: MnestEnd;
  readonly to: MnestEnd;
  readonly atMs: number;
  /** Whether the second executor did its work; a hop that failed is counted and gains no weight. */
  readonly ok?: boolean;
}

const PER_THOUSAND = BILLION / 1000;

/** Weight in billionths at a time. */
export const weightAt = (mnest: Mnest, nowMs: number, policy: MnestPolicy): number =>
  decayed(mnest.weight, policy.decayPerDay, nowMs - mnest.lastMs);

/** After one executor was used behind another: a new mnest, or an old one reinforced and revived. */
export function used(mnests: readonly Mnest[], use: Use, policy: MnestPolicy): readonly Mnest[] {
  return touched(mnests, { ...use, state: "active" }, policy);
}

/** After an executor was missed behind another: a proto-mnest, which points at nothing yet. */
export function missed(
  mnests: readonly Mnest[],
  { from, name, atMs }: { readonly from: MnestEnd; readonly name: string; readonly atMs: number },
  policy: MnestPolicy,
): readonly Mnest[] {
  const to = { name, version: null };
  return touched(mnests, { from, to, atMs, state: "proto" }, policy);
}

function touched(
  mnests: readonly Mnest[],
  use: Use & { readonly state: "active" | "proto" },
  policy: MnestPolicy,
): readonly Mnest[] {
  const known = mnests.findIndex((one) => isSame(one.from, use.from) && isSame(one.to, use.to));
  const earlier = mnests[known];
  if (earlier === undefined) return use.ok === false ? mnests : [...mnests, born(use, policy)];
  return mnests.with(known, reinforced(earlier, use, policy));
}

const isSame = (a: MnestEnd, b: MnestEnd): boolean => a.name === b.name && a.version === b.version;

function born(
  { from, to, state, atMs }: Use & { readonly state: MnestState },
  { birth }: MnestPolicy,
): Mnest {
  const weight = birth * PER_THOUSAND;
  const at = { firstMs: atMs, lastMs: atMs, recentMs: [atMs] };
  return { from, to, state, weight, uses: 1, ...at, seen: { ok: 1, runs: 1 } };
}

function reinforced(
  mnest: Mnest,
  { atMs, ok = true, state }: Use & { readonly state: MnestState },
  policy: MnestPolicy,
): Mnest {
  const seen = { ok: mnest.seen.ok + (ok ? 1 : 0), runs: mnest.seen.runs + 1 };
  if (!ok) return { ...mnest, seen };
  const weight = weightAt(mnest, atMs, policy) + policy.reinforcement * PER_THOUSAND;
  return {
    ...mnest,
    state: mnest.state === "superseded" ? "superseded" : state,
    weight: Math.min(BILLION, weight),
    uses: mnest.uses + 1,
    lastMs: Math.max(mnest.lastMs, atMs),
    recentMs: [...mnest.recentMs, atMs].slice(-policy.recurrences),
    seen,
  };
}

/** Every proto-mnest of these names becomes active once an executor lives that closes them. */
export const promoted = (
  mnests: readonly Mnest[],
  to: MnestEnd,
  names: readonly string[] = [to.name],
): readonly Mnest[] =>
  mnests.map((one) =>
    one.state === "proto" && names.includes(one.to.name) ? { ...one, to, state: "active" } : one,
  );

export interface Aged {
  readonly mnests: readonly Mnest[];
  readonly demoted: readonly Mnest[];
  readonly deleted: readonly Mnest[];
}

/** What a night does: weak active mnests become decaying, weak proto-mnests are deleted. */
export function aged(mnests: readonly Mnest[], nowMs: number, policy: MnestPolicy): Aged {
  const isBelow = (one: Mnest, bound: number) =>
    weightAt(one, nowMs, policy) < bound * PER_THOUSAND;
  const fades = (one: Mnest) => one.state === "active" && isBelow(one, policy.decayingBelow);
  const goes = (one: Mnest) => one.state === "proto" && isBelow(one, policy.protoDeletedBelow);
  return {
    mnests: mnests
      .filter((one) => !goes(one))
      .map((one) => (fades(one) ? { ...one, state: "decaying" } : one)),
    demoted: mnests.filter(fades),
    deleted: mnests.filter(goes),
  };
}

/** Whether there were uses enough lately. */
export const isOften = (
  { recentMs }: Pick<Mnest, "recentMs">,
  nowMs: number,
  { recurrences, recurrenceWindowMs }: MnestPolicy,
): boolean => recentMs.filter((atMs) => nowMs - atMs < recurrenceWindowMs).length >= recurrences;

/** Whether a proto-mnest was used often enough lately to be generalised. */
export const recurs = (mnest: Mnest, nowMs: number, policy: MnestPolicy): boolean =>
  mnest.state === "proto" && isOften(mnest, nowMs, policy);

/** What becomes of a memoised sequence: planned again, replayed (L2), or left to synthesis. */
export function fastPath(uses: number, policy: MnestPolicy): "plan" | "replay" | "promote" {
  if (uses > policy.replayTo) return "promote";
  return uses >= policy.replayFrom ? "replay" : "plan";
}

/*
 * Exponential decay in whole numbers. ECMAScript leaves the last bits of `Math.exp` to the engine;
 * these are the same bits everywhere.
 */
/** One, in the fixed point of the decay. Ours: 24 digits leave 12 beyond the 9 of a result. */
const ONE = 1_000_000_000_000n * 1_000_000_000_000n;
/** e^−60 of a billion billionths is below 1e-17: nothing is left. */
const NOTHING_LEFT = 60n * ONE;
/** The series runs below 1/64, where a dozen powers are enough. */
const SERIES_BELOW = ONE / 64n;

/**
 * amount × e^(−rate × elapsed), to the nearest whole number: at most one half away from the exact
 * value. `ratePerDay` is in millionths a day; time that runs backwards counts as none.
 */
export function decayed(amount: number, ratePerDay: number, elapsedMs: number): number {
  if (elapsedMs <= 0 || ratePerDay === 0) return amount;
  const exponent = (BigInt(ratePerDay) * BigInt(elapsedMs) * ONE) / BigInt(days(1_000_000));
  if (exponent >= NOTHING_LEFT) return 0;
  return Number((BigInt(amount) * shareLeft(exponent) + ONE / 2n) / ONE);
}

/** e^−x: the series of a small part of x, squared back. */
function shareLeft(exponent: bigint): bigint {
  let part = exponent;
  let halvings = 0;
  for (; part >= SERIES_BELOW; halvings += 1) part /= 2n;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n += 1n) {
    term = (-term * part) / (ONE * n);
    sum += term;
  }
  for (; halvings > 0; halvings -= 1) sum = (sum * sum) / ONE;
  return sum;
}
