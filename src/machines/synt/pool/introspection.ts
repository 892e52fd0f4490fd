/**
 * What the nightly sweep finds in mnestome and pool: what to merge, generalise, specialise, what to
 * promote, and what it leaves alone, with the reason. A veto suspends with its reasons.
 * Source: seed 002, chapters 2 and 5; rulings Y10, Y18.
 */
import { groupedBy } from "../../grouped.ts";
import { ownValue } from "../../ownValue.ts";
import { between, integer, thousandths, type ValuesOf } from "../../policyLeaf.ts";
import { MILLION } from "../../units.ts";
import { noMaterial, type SandboxProfile, type Wanted } from "../contract.ts";
import { chainName, checkName, type NamingPolicy, parseName } from "../naming.ts";
import { BILLION, type Strategy } from "../score/reward.ts";
import { fastPath, isOften, type MnestPolicy, recurs, weightAt } from "./mnestome.ts";
import {
  chainKey,
  type Missing,
  type PoolEntry,
  type PoolState,
  uncovered,
  unseen,
  visible,
} from "./poolState.ts";

const ours = "ours: the seed gives no number; RULINGS Y18";

export const syntIntrospectionLeaves = {
  mergeAbove: integer(500, thousandths, {
    says: "Weight of the mnests between two executors above which they may be merged.",
    source: ours,
  }),
  generaliseFrom: integer(3, between(2, 100, "executors"), {
    says: "Specialised executors of one shape that it takes to generalise them.",
    source: "seed 002, 5.2",
  }),
  specialiseFromUses: integer(30, between(1, MILLION, "uses"), {
    says: "Uses of an executor from which a hot case is looked for.",
    source: ours,
  }),
  hotShare: integer(900, thousandths, {
    says: "Share of its uses that one case must have to be hot.",
    source: ours,
  }),
  benefit: integer(200, thousandths, {
    says: "Measured saving of latency or cost that justifies a specialised executor.",
    source: ours,
  }),
  usesMin: integer(3, between(1, MILLION, "uses"), {
    says: "Uses below which a pattern is noise.",
    source: ours,
  }),
};

export type IntrospectionPolicy = ValuesOf<typeof syntIntrospectionLeaves>;

interface NightPolicy {
  readonly introspection: IntrospectionPolicy;
  readonly mnest: MnestPolicy;
  readonly naming: NamingPolicy;
}

export interface Filtered {
  readonly pattern: string;
  /** The proto-mnest that rests with it. */
  readonly proto: string;
  readonly reason: string;
}

export interface Findings {
  readonly wanted: readonly Wanted[];
  readonly filtered: readonly Filtered[];
  /** Memoised sequences that leave a proto-mnest tonight. */
  readonly promoted: readonly Missing[];
}

/** Everything of one night, in a fixed order: promotions, recurrences, then the three strategies. */
export function nightFindings(pool: PoolState, when: Lookback, policy: NightPolicy): Findings {
  const { nowMs } = when;
  const state = lately(pool, when);
  const parts: readonly Partial<Findings>[] = [
    ...promotions(state, policy),
    ...recurrences(state, nowMs, policy),
    ...merges(state, nowMs, policy),
    ...generalisations(state, policy),
    ...specialisations(state, policy),
  ];
  return {
    wanted: parts.flatMap(({ wanted = [] }) => wanted),
    filtered: parts.flatMap(({ filtered = [] }) => filtered),
    promoted: parts.flatMap(({ promoted = [] }) => promoted),
  };
}

interface Lookback {
  readonly nowMs: number;
  readonly lookbackMs: number;
}

/** What was used within the lookback; a use exactly that long ago is too old. */
function lately(state: PoolState, { nowMs, lookbackMs }: Lookback): PoolState {
  const isRecent = ({ lastMs }: { readonly lastMs: number }) => nowMs - lastMs < lookbackMs;
  const executors = Object.entries(state.executors).map(([name, one]): [string, PoolEntry] => [
    name,
    isRecent(one.seen) ? one : { ...one, seen: unseen },
  ]);
  return {
    ...state,
    executors: Object.fromEntries(executors),
    mnests: state.mnests.filter(isRecent),
    memos: Object.fromEntries(Object.entries(state.memos).filter(([, memo]) => isRecent(memo))),
    composed: Object.fromEntries(
      Object.entries(state.composed).filter(([, chain]) => isRecent(chain)),
    ),
  };
}

const introspective = (strategy: Strategy, name: string, intent: string): Wanted => ({
  mode: "introspective",
  strategy,
  proto: null,
  need: { intent, name, from: null, hints: [] },
  material: noMaterial,
  budgetCents: null,
  revision: null,
});

/** What was seen often enough to be an executor of its own. */
interface Pattern {
  readonly name: string | null;
  /** What it is called in the log where it is turned down. */
  readonly pattern: string;
  readonly chain: readonly string[];
  readonly args: readonly string[];
  readonly uses: number;
}

/** A pattern is looked at before anything is proposed: it is wanted by its name, or turned down. */
function proposed(
  state: PoolState,
  { name, pattern, chain, args, uses }: Pattern,
  policy: NightPolicy,
  wantedAs: (name: string) => Wanted,
): Partial<Findings> {
  const proto = `proto/${name ?? chainKey(chain)}`;
  const live = visible(state).map((entry) => entry.name);
  const hasName = name !== null && checkName(name, policy.naming, live).ok;
  const reason = filterReason({ hasName, args, uses }, policy.introspection);
  if (reason !== null || name === null) {
    return { filtered: [{ pattern, proto, reason: reason ?? "no name" }] };
  }
  return Object.hasOwn(state.executors, name)
    ? { filtered: [{ pattern, proto, reason: `name collision: the pool has ${name}` }] }
    : { wanted: [{ ...wantedAs(name), proto }] };
}

/** multi_tool_promote: what the fast path replayed more often than it should. */
function promotions(state: PoolState, policy: NightPolicy): readonly Partial<Findings>[] {
  return Object.values(state.memos)
    .filter(({ uses, isPromoted }) => !isPromoted && fastPath(uses, policy.mnest) === "promote")
    .map(({ chain, query, uses, args }): Partial<Findings> => {
      const name = chainName(chain);
      const missing = { intent: query, name: name ?? "", from: chain[0] ?? null, hints: [] };
      const pattern = `${name ?? "no name"} for ${chainKey(chain)}`;
      return {
        promoted: [{ ...missing, chain, args }],
        ...proposed(state, { name, pattern, chain, args, uses }, policy, (known) => ({
          ...introspective("generate", known, query),
          material: { ...noMaterial, chain, covers: [known] },
        })),
      };
    });
}

/**
 * What came back often enough: chains that stood in for one executor, by the chain, and plain gaps by
 * their name. A gap that a recurring chain closes is no second need.
 */
function recurrences(
  state: PoolState,
  nowMs: number,
  policy: NightPolicy,
): readonly Partial<Findings>[] {
  const chains = Object.values(state.composed).filter((one) => isOften(one, nowMs, policy.mnest));
  const closed = chains.flatMap(({ chain, gaps }) => [chainName(chain) ?? "", ...gaps]);
  const recurring = state.mnests.filter((one) => recurs(one, nowMs, policy.mnest));
  const names = [...new Set(recurring.map(({ to }) => to.name))];
  // What was missed only as the name of a chain is counted with its chain.
  const gaps = names.filter(
    (name) => !closed.includes(name) && (ownValue(state.missing, name)?.chain ?? []).length === 0,
  );
  return [
    ...chains.map(({ chain, intent, args, gaps: missed, uses }) => {
      const name = chainName(chain);
      const pattern = `${name ?? "no name"} for ${chainKey(chain)}`;
      return proposed(state, { name, pattern, chain, args, uses }, policy, (known) => {
        const covers = [known, ...missed.filter((gap) => gap !== known)];
        const material = { ...noMaterial, chain, covers };
        return { ...introspective("generalise", known, intent), material };
      });
    }),
    ...gaps.map((name) => {
      const { intent = name, args = [] } = ownValue(state.missing, name) ?? {};
      const those = recurring.filter(({ to }) => to.name === name);
      const uses = Math.max(...those.map((one) => one.uses));
      const seen = { name, pattern: name, chain: [], args, uses };
      return proposed(state, seen, policy, () => ({
        ...introspective("generate", name, intent),
        material: { ...noMaterial, covers: [name] },
      }));
    }),
  ];
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() === b.toSorted().join();

/** Two that take and give the same, under different names, and are used together. */
function merges(
  state: PoolState,
  nowMs: number,
  policy: NightPolicy,
): readonly Partial<Findings>[] {
  const entries = visible(state).filter(({ specialises }) => specialises === null);
  const pairs = entries.flatMap((a, index) =>
    entries
      .slice(index + 1)
      .filter((b) => same(a.takes, b.takes) && same(a.gives, b.gives))
      .filter((b) => Object.keys({ ...a.shape, ...b.shape }).length === 0)
      .map((b) => [a, b] as const),
  );
  return pairs.map(([a, b]) => {
    const names = [a.name, b.name];
    const weight = state.mnests
      .filter(({ from, to }) => names.includes(from.name) && names.includes(to.name))
      .filter((one) => one.state === "active")
      .reduce((sum, one) => sum + weightAt(one, nowMs, policy.mnest), 0);
    const decision = mergeDecision([a, b], Math.min(weight, BILLION), policy.introspection);
    const wanted = introspective("merge", "", `one executor for ${a.name} and ${b.name}`);
    return findingOf(decision, { ...wanted, material: { ...noMaterial, members: names } });
  });
}

function findingOf(decision: Decision, wanted: Wanted): Partial<Findings> {
  if (decision.verdict === "nothing") return {};
  const vetoes = decision.verdict === "suspend" ? decision.reasons : [];
  return { wanted: [{ ...wanted, material: { ...wanted.material, vetoes } }] };
}

/** The words that names share at both ends: `order_image_file` and `order_doc_file` make `order_file`. */
export function sharedName(names: readonly string[]): string | null {
  const [first = [], ...rest] = names.map((name) => name.split("_"));
  let head = 0;
  while (head < first.length && rest.every((words) => words[head] === first[head])) head += 1;
  let tail = 0;
  const shortest = Math.min(first.length, ...rest.map(({ length }) => length));
  while (
    tail < shortest - head &&
    rest.every((words) => words.at(-1 - tail) === first.at(-1 - tail))
  ) {
    tail += 1;
  }
  return head === 0 || tail === 0
    ? null
    : [...first.slice(0, head), ...first.slice(first.length - tail)].join("_");
}

/** Whether a name is of the family: one word in the middle, and the rest shared. */
export function isOfFamily(family: string, name: string): boolean {
  const words = name.split("_");
  return words.some((_, index) => index > 0 && words.toSpliced(index, 1).join("_") === family);
}

const shapeKey = ({ takes, gives, shape, name }: PoolEntry): string =>
  JSON.stringify([takes, gives, Object.keys(shape).sort(), parseName(name)?.verb ?? ""]);

function generalisations(state: PoolState, policy: NightPolicy): readonly Partial<Findings>[] {
  const shaped = visible(state).filter(({ shape }) => Object.keys(shape).length > 0);
  return [...groupedBy(shaped, shapeKey).values()].flatMap((members): Partial<Findings>[] => {
    const names = members.map(({ name }) => name);
    const family = sharedName(names);
    if (family === null || Object.hasOwn(state.executors, family)) return [];
    const gaps = uncovered(state).filter((name) => name === family || isOfFamily(family, name));
    const decision = generaliseDecision(members, gaps, policy.introspection);
    const wanted = introspective("generalise", family, `${family} in place of ${names.join(", ")}`);
    const proto = gaps[0] === undefined ? null : `proto/${gaps[0]}`;
    const material = { ...noMaterial, members: names, covers: gaps };
    return [findingOf(decision, { ...wanted, proto, material })];
  });
}

/** A hot case; its benefit is measured when there is something to measure. */
function specialisations(state: PoolState, policy: NightPolicy): readonly Partial<Findings>[] {
  const { specialiseFromUses, hotShare } = policy.introspection;
  return visible(state).flatMap(({ name, seen, specialises }): Partial<Findings>[] => {
    const [hottest] = Object.entries(seen.cases).toSorted(([, a], [, b]) => b - a);
    const isTaken = Object.values(state.executors).some(
      (one) => one.specialises?.of === name && one.specialises.value === hottest?.[0],
    );
    if (hottest === undefined || specialises !== null || isTaken) return [];
    const [value, uses] = hottest;
    if (seen.runs < specialiseFromUses || uses * 1000 < hotShare * seen.runs) return [];
    const parts = parseName(name);
    const wantedName = parts === null ? "" : `${parts.verb}_${parts.object}_${value}`;
    const wanted = introspective("specialise", wantedName, `${name} for the case ${value}`);
    const hot = { value, uses, of: seen.runs };
    return [{ wanted: [{ ...wanted, material: { ...noMaterial, members: [name], hot } }] }];
  });
}

/* When the nightly strategies propose something, and what vetoes them. */

type Decision =
  | { readonly verdict: "propose" }
  /** No trigger: there is nothing to propose. */
  | { readonly verdict: "nothing"; readonly reasons: readonly string[] }
  /** Triggered and vetoed: kept, without a lock, until profiles change. */
  | { readonly verdict: "suspend"; readonly reasons: readonly string[] };

function decisionFrom(missing: readonly string[], vetoes: readonly string[]): Decision {
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
  return decisionFrom(
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
  return decisionFrom(
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
  return decisionFrom(
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
