/**
 * What the nightly sweep finds in mnestome and pool: what to merge, generalise, specialise, what to
 * promote, and what it leaves alone, with the reason. Source: seed 002, chapters 2 and 5.
 */
import { groupedBy } from "../grouped.ts";
import { noMaterial, type Wanted } from "./contract.ts";
import { type Decision, filterReason, generaliseDecision, mergeDecision } from "./introspection.ts";
import { fastPath, isOften, recurs, weightAt } from "./mnestome.ts";
import { chainName, checkName, parseName } from "./naming.ts";
import {
  type Composed,
  chainKey,
  type Missing,
  type PoolEntry,
  type PoolState,
  uncovered,
  unseen,
  visible,
} from "./poolState.ts";
import type { Strategy } from "./reward.ts";
import { BILLION } from "./reward.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

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
export function nightFindings(pool: PoolState, when: Lookback, policy: SyntPolicy): Findings {
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

/** A pattern's name, its arguments and uses, looked at before anything is proposed. */
function filterOf(
  state: PoolState,
  pattern: {
    readonly name: string | null;
    readonly args: readonly string[];
    readonly uses: number;
  },
  policy: SyntPolicy,
): string | null {
  const { name, args, uses } = pattern;
  const live = visible(state).map((entry) => entry.name);
  const hasName = name !== null && checkName(name, policy.naming, live).ok;
  const reason = filterReason({ hasName, args, uses }, policy.introspection);
  if (reason !== null || name === null) return reason;
  return Object.hasOwn(state.executors, name) ? `name collision: the pool has ${name}` : null;
}

/** multi_tool_promote: what the fast path replayed more often than it should. */
function promotions(state: PoolState, policy: SyntPolicy): readonly Partial<Findings>[] {
  return Object.values(state.memos)
    .filter(({ uses, isPromoted }) => !isPromoted && fastPath(uses, policy.mnest) === "promote")
    .map(({ chain, query, uses, args }): Partial<Findings> => {
      const name = chainName(chain);
      const missing = { intent: query, name: name ?? "", from: chain[0] ?? null, hints: [] };
      const promoted = [{ ...missing, chain, args }];
      const reason = filterOf(state, { name, args, uses }, policy);
      const proto = `proto/${name ?? chainKey(chain)}`;
      const pattern = `${name ?? "no name"} for ${chain.join(" → ")}`;
      if (reason !== null || name === null) {
        return { promoted, filtered: [{ pattern, proto, reason: reason ?? "no name" }] };
      }
      const wanted = introspective("generate", name, query);
      return {
        promoted,
        wanted: [{ ...wanted, proto, material: { ...noMaterial, chain, covers: [name] } }],
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
  policy: SyntPolicy,
): readonly Partial<Findings>[] {
  const chains = Object.values(state.composed).filter((one) => isOften(one, nowMs, policy.mnest));
  const closed = chains.flatMap(({ chain, gaps }) => [chainName(chain) ?? "", ...gaps]);
  const recurring = state.mnests.filter((one) => recurs(one, nowMs, policy.mnest));
  const names = [...new Set(recurring.map(({ to }) => to.name))];
  // What was missed only as the name of a chain is counted with its chain.
  const gaps = names.filter(
    (name) => !closed.includes(name) && (state.missing[name]?.chain ?? []).length === 0,
  );
  return [
    ...chains.map((one) => recurringChain(state, one, policy)),
    ...gaps.map((name): Partial<Findings> => {
      const { intent = name, args = [] } = state.missing[name] ?? {};
      const those = recurring.filter(({ to }) => to.name === name);
      const uses = Math.max(...those.map((one) => one.uses));
      const reason = filterOf(state, { name, args, uses }, policy);
      const proto = `proto/${name}`;
      if (reason !== null) return { filtered: [{ pattern: name, proto, reason }] };
      const material = { ...noMaterial, covers: [name] };
      return { wanted: [{ ...introspective("generate", name, intent), proto, material }] };
    }),
  ];
}

function recurringChain(
  state: PoolState,
  { chain, intent, args, gaps, uses }: Composed,
  policy: SyntPolicy,
): Partial<Findings> {
  const name = chainName(chain);
  const proto = `proto/${name ?? chainKey(chain)}`;
  const reason = filterOf(state, { name, args, uses }, policy);
  if (reason !== null || name === null) {
    const pattern = `${name ?? "no name"} for ${chainKey(chain)}`;
    return { filtered: [{ pattern, proto, reason: reason ?? "no name" }] };
  }
  const covers = [name, ...gaps.filter((gap) => gap !== name)];
  const material = { ...noMaterial, chain, covers };
  return { wanted: [{ ...introspective("generalise", name, intent), proto, material }] };
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.toSorted().join() === b.toSorted().join();

/** Two that take and give the same, under different names, and are used together. */
function merges(state: PoolState, nowMs: number, policy: SyntPolicy): readonly Partial<Findings>[] {
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
    return decided(decision, { ...wanted, material: { ...noMaterial, members: names } });
  });
}

function decided(decision: Decision, wanted: Wanted): Partial<Findings> {
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

function generalisations(state: PoolState, policy: SyntPolicy): readonly Partial<Findings>[] {
  const shaped = visible(state).filter(({ shape }) => Object.keys(shape).length > 0);
  return [...groupedBy(shaped, shapeKey).values()].flatMap((members): Partial<Findings>[] => {
    const names = members.map(({ name }) => name);
    const family = sharedName(names);
    if (members.length < 2 || family === null || Object.hasOwn(state.executors, family)) return [];
    const gaps = uncovered(state).filter((name) => name === family || isOfFamily(family, name));
    const decision = generaliseDecision(members, gaps, policy.introspection);
    const wanted = introspective("generalise", family, `${family} in place of ${names.join(", ")}`);
    const proto = gaps[0] === undefined ? null : `proto/${gaps[0]}`;
    const material = { ...noMaterial, members: names, covers: gaps };
    return [decided(decision, { ...wanted, proto, material })];
  });
}

/** A hot case; its benefit is measured when there is something to measure. */
function specialisations(state: PoolState, policy: SyntPolicy): readonly Partial<Findings>[] {
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
