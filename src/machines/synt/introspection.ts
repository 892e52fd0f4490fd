/**
 * When the nightly strategies propose something, and what vetoes them. A veto suspends with its
 * reasons. Source: seed 002, chapter 5; rulings Y10, Y18.
 */
import { integer, type ValuesOf } from "../policyLeaf.ts";
import { MILLION } from "../units.ts";
import { BILLION } from "./reward.ts";

const thousandths = { unit: "thousandths", min: 0, max: 1000 };
const ours = "ours: the seed gives no number; RULINGS Y18";

export const syntIntrospectionLeaves = {
  mergeAbove: integer(500, {
    ...thousandths,
    says: "Weight of the mnests between two executors above which they may be merged.",
    source: ours,
  }),
  generaliseFrom: integer(3, {
    unit: "executors",
    min: 2,
    max: 100,
    says: "Specialised executors of one shape that it takes to generalise them.",
    source: "seed 002, 5.2",
  }),
  specialiseFromUses: integer(30, {
    unit: "uses",
    min: 1,
    max: MILLION,
    says: "Uses of an executor from which a hot case is looked for.",
    source: ours,
  }),
  hotShare: integer(900, {
    ...thousandths,
    says: "Share of its uses that one case must have to be hot.",
    source: ours,
  }),
  benefit: integer(200, {
    ...thousandths,
    says: "Measured saving of latency or cost that justifies a specialised executor.",
    source: ours,
  }),
  usesMin: integer(3, {
    unit: "uses",
    min: 1,
    max: MILLION,
    says: "Uses below which a pattern is noise.",
    source: ours,
  }),
};

export type IntrospectionPolicy = ValuesOf<typeof syntIntrospectionLeaves>;

/** What an executor may reach: targets by permission, such as `fs:write` on `~/Pictures/`. */
export interface SandboxProfile {
  readonly [permission: string]: readonly string[];
}

export type Decision =
  | { readonly verdict: "propose" }
  /** No trigger: there is nothing to propose. */
  | { readonly verdict: "nothing"; readonly reasons: readonly string[] }
  /** Triggered and vetoed: kept, without a lock, until profiles change. */
  | { readonly verdict: "suspend"; readonly reasons: readonly string[] };

function decided(missing: readonly string[], vetoes: readonly string[]): Decision {
  if (missing.length > 0) return { verdict: "nothing", reasons: missing };
  return vetoes.length > 0 ? { verdict: "suspend", reasons: vetoes } : { verdict: "propose" };
}

const unless = (holds: boolean, reason: string): readonly string[] => (holds ? [] : [reason]);

/** A name and a profile: what a merge looks at. */
export interface Profiled {
  readonly name: string;
  readonly profile: SandboxProfile;
}

/** Overlapping traces bring it about; anything one may reach and the other may not vetoes it. */
export function mergeDecision(
  [a, b]: readonly [Profiled, Profiled],
  /** Billionths. */
  traceWeight: number,
  { mergeAbove }: IntrospectionPolicy,
): Decision {
  const overlaps = traceWeight * 1000 > mergeAbove * BILLION;
  return decided(
    unless(overlaps, `the traces of ${a.name} and ${b.name} do not overlap enough`),
    differing([a.profile, b.profile]).map(
      (permission) => `${permission} differs between ${a.name} and ${b.name}`,
    ),
  );
}

/** A specialised executor. `shape` is its I/O schema, by name of the dimension. */
export interface Specialised extends Profiled {
  readonly shape: { readonly [dimension: string]: string };
}

/**
 * Enough executors that are alike but for one dimension, and a demand that none of them meets. When
 * their profiles differ in more than one permission, one parametric executor could pair what no
 * single one could reach: more than the sum, and vetoed.
 */
export function generaliseDecision(
  members: readonly Specialised[],
  uncovered: readonly string[],
  { generaliseFrom }: IntrospectionPolicy,
): Decision {
  const dimensions = differing(members.map(({ shape }) => listed(shape)));
  const permissions = differing(members.map(({ profile }) => profile));
  return decided(
    [
      ...unless(members.length >= generaliseFrom, `fewer than ${generaliseFrom} specialised ones`),
      ...unless(
        dimensions.length === 1,
        dimensions.length === 0
          ? "their shapes differ in nothing"
          : `their shapes differ in ${dimensions.join(", ")}`,
      ),
      ...unless(uncovered.length > 0, "no proto-mnest of the family is uncovered"),
    ],
    unless(
      permissions.length <= 1,
      `their profiles differ in ${permissions.join(", ")}: together they would allow more than each`,
    ),
  );
}

const listed = (shape: Specialised["shape"]): SandboxProfile =>
  Object.fromEntries(Object.entries(shape).map(([dimension, kind]) => [dimension, [kind]]));

/** The keys under which not all have the same targets. */
function differing(profiles: readonly SandboxProfile[]): readonly string[] {
  const keys = [...new Set(profiles.flatMap((profile) => Object.keys(profile)))].sort();
  return keys.filter((key) => {
    const texts = profiles.map((profile) => targetsText(profile, key));
    return new Set(texts).size > 1;
  });
}

const targetsText = (profile: SandboxProfile, key: string): string =>
  JSON.stringify([...new Set(Object.hasOwn(profile, key) ? profile[key] : [])].sort());

/** How a general executor fares, and how a specialised one did when it was measured. */
export interface HotCase {
  readonly uses: number;
  readonly hotUses: number;
  readonly general: Fares;
  readonly specialised: Fares;
}

export interface Fares {
  readonly latencyMs: number;
  readonly cost: number;
  readonly profile: SandboxProfile;
}

/** Many uses, nearly all of one case, and a benefit that was measured: time, money or a tighter profile. */
export function specialiseDecision(hot: HotCase, policy: IntrospectionPolicy): Decision {
  const { uses, hotUses, general, specialised } = hot;
  const { specialiseFromUses, hotShare, benefit } = policy;
  const saves = (before: number, after: number): boolean =>
    before > 0 && (before - after) * 1000 >= benefit * before;
  const isBetter =
    saves(general.latencyMs, specialised.latencyMs) ||
    saves(general.cost, specialised.cost) ||
    isTighter(specialised.profile, general.profile);
  return decided(
    [
      ...unless(uses >= specialiseFromUses, `fewer than ${specialiseFromUses} uses`),
      ...unless(hotUses * 1000 >= hotShare * uses, `no case has ${hotShare} ‰ of the uses`),
      ...unless(isBetter, "no measured benefit in latency, cost or profile"),
    ],
    unless(
      isWithin(specialised.profile, general.profile),
      "the specialised one would reach what the general one may not",
    ),
  );
}

/** Whether every target of one profile is a target of the other. */
export const isWithin = (one: SandboxProfile, other: SandboxProfile): boolean =>
  Object.keys(one).every((permission) =>
    targets(one, permission).every((target) => targets(other, permission).includes(target)),
  );

const targets = (profile: SandboxProfile, permission: string): readonly string[] =>
  (Object.hasOwn(profile, permission) ? profile[permission] : undefined) ?? [];

const isTighter = (one: SandboxProfile, other: SandboxProfile): boolean =>
  isWithin(one, other) && !isWithin(other, one);

/** Why a pattern seen at night is not worth a proposal; null when it is. */
export function filterReason(
  pattern: { readonly hasName: boolean; readonly args: readonly string[]; readonly uses: number },
  { usesMin }: IntrospectionPolicy,
): "name outside the vocabulary" | "pipeline argument" | "too few uses" | null {
  if (!pattern.hasName) return "name outside the vocabulary";
  if (pattern.args.some((name) => PIPELINE_ARGS.includes(name))) return "pipeline argument";
  return pattern.uses < usesMin ? "too few uses" : null;
}

/** Arguments that hand on a step's result and say nothing of a new executor. The real system's form. */
const PIPELINE_ARGS: readonly string[] = ["from_step", "entries"];
