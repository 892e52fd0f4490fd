/**
 * The first strategy: a chain of executors that are there already. A guided walk over the active
 * mnests, simple paths only. Source: seed 002, 4.1; rulings Y7, Y8.
 */
import { groupedBy } from "../../grouped.ts";
import { between, choice, integer, type ValuesOf } from "../../policyLeaf.ts";
import { normalised } from "../desk/locks.ts";
import { chainName } from "../naming.ts";
import type { Share } from "../score/exactShare.ts";
import { chainRate, type Seen } from "../score/reward.ts";
import { type Mnest, type MnestPolicy, weightAt } from "./mnestome.ts";

export const syntComposeLeaves = {
  hopsMax: integer(5, between(0, 12, "hops"), {
    says: "Longest chain, counted in edges: A, B, C are two hops.",
    source: "seed 002, 4.1; RULINGS Y8",
  }),
  fanMax: integer(20, between(1, 1000, "mnests"), {
    says: "How many of an executor's mnests the walk follows, the heaviest first.",
    source: "the real system's; the seed is silent, so ours",
  }),
  pathsMax: integer(1_000_000, between(1, 10_000_000, "paths"), {
    says: "Paths after which the walk ends with the best so far, and says so.",
    source: "ours: every loop is bounded",
  }),
  autonomy: choice("supervised", ["supervised", "full"], {
    says: "Whether the person is asked for every chain, or no more once it ran clean often enough.",
    source: "seed 002, 8.1; RULINGS Y12",
  }),
  cleanRuns: integer(5, between(1, 1000, "runs"), {
    says: "Clean runs of a chain after which autonomy full grants it without asking.",
    source: "seed 002, 8.1; RULINGS Y12",
  }),
};

export type ComposePolicy = ValuesOf<typeof syntComposeLeaves>;

/** What the walk knows of an executor. Without `takes` and `gives` nothing is known to misfit. */
export interface Link {
  readonly name: string;
  readonly takes?: readonly string[];
  readonly gives?: readonly string[];
  /** Words that a user would use for it. */
  readonly affinity?: readonly string[];
  /** Only an active one is walked over. */
  readonly isActive?: boolean;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Billionths. */
  readonly weight: number;
  readonly seen: Seen;
}

export interface Chain {
  readonly names: readonly string[];
  readonly hops: number;
  /** Share of what its links take that earlier links give, in thousandths. */
  readonly fit: number;
  /** Mean weight in billionths, rounded down. */
  readonly meanWeight: number;
  /** det_pass_rate: the product of the hops' success rates. */
  readonly rate: Share;
}

export interface Found {
  /** Best first; only those that end at the target, when there is one. */
  readonly chains: readonly Chain[];
  /** Whether `pathsMax` ended the walk. */
  readonly isCut: boolean;
}

/** The active edges between executors at a time; versions of one executor are taken together. */
export function activeEdges(
  mnests: readonly Mnest[],
  nowMs: number,
  policy: MnestPolicy,
): readonly Edge[] {
  return mnests
    .filter(({ state }) => state === "active")
    .map((one) => ({
      from: one.from.name,
      to: one.to.name,
      weight: weightAt(one, nowMs, policy),
      seen: one.seen,
    }));
}

export interface Pool {
  readonly links: readonly Link[];
  readonly edges: readonly Edge[];
  /** What is wanted, in the user's words: of chains that are equal it chooses the one it fits. */
  readonly intent?: string;
}

/** Every chain from `from` to an executor that `isTarget` takes, best first. */
export function chainsFrom(
  from: string,
  isTarget: (name: string) => boolean,
  pool: Pool,
  policy: ComposePolicy,
): Found {
  const links = new Map(pool.links.map((link) => [link.name, link]));
  const outgoing = outgoingEdges(pool.edges, links, policy.fanMax);
  const ways = { outgoing, hopsLeft: hopsToTarget(outgoing, isTarget) };
  const ranked = (found: readonly (readonly Edge[])[]) => ordered(found, links, pool.intent ?? "");
  const paths: (readonly Edge[])[] = [];
  let seen = 0;
  let ahead: (readonly Edge[])[] = [[]];
  for (let hops = 1; hops <= policy.hopsMax && ahead.length > 0; hops += 1) {
    const next: (readonly Edge[])[] = [];
    for (const path of ahead) {
      for (const edge of onward(from, path, policy.hopsMax - hops, ways)) {
        seen += 1;
        if (seen > policy.pathsMax) return { chains: ranked(paths), isCut: true };
        const longer = [...path, edge];
        next.push(longer);
        if (isTarget(edge.to)) paths.push(longer);
      }
    }
    ahead = next;
  }
  return { chains: ranked(paths), isCut: false };
}

interface Ways {
  readonly outgoing: ReadonlyMap<string, readonly Edge[]>;
  readonly hopsLeft: ReadonlyMap<string, number>;
}

/** The edges that lead a path on: to no executor that it has visited, and near enough to a target. */
function onward(from: string, path: readonly Edge[], left: number, ways: Ways): readonly Edge[] {
  const visited = [from, ...path.map(({ to }) => to)];
  const edges = ways.outgoing.get(visited.at(-1) ?? from) ?? [];
  return edges.filter(
    ({ to }) =>
      !visited.includes(to) && (ways.hopsLeft.get(to) ?? Number.POSITIVE_INFINITY) <= left,
  );
}

/** How many hops each executor is away from the nearest target, visited or not. */
function hopsToTarget(
  outgoing: Ways["outgoing"],
  isTarget: (name: string) => boolean,
): ReadonlyMap<string, number> {
  const incoming = groupedBy([...outgoing.values()].flat(), ({ to }) => to);
  const hopsLeft = new Map<string, number>();
  let reached = [...incoming.keys()].filter(isTarget);
  for (let hops = 0; reached.length > 0; hops += 1) {
    for (const name of reached) hopsLeft.set(name, hops);
    const before = reached.flatMap((name) => incoming.get(name) ?? []).map(({ from }) => from);
    reached = [...new Set(before)].filter((name) => !hopsLeft.has(name));
  }
  return hopsLeft;
}

/** The heaviest edges of each executor to executors that can be called. */
function outgoingEdges(
  edges: readonly Edge[],
  links: ReadonlyMap<string, Link>,
  fanMax: number,
): ReadonlyMap<string, readonly Edge[]> {
  const callable = edges.filter(({ to }) => links.get(to)?.isActive !== false);
  const heaviestFirst = callable.toSorted((a, b) => b.weight - a.weight || byText(a.to, b.to));
  const outgoing = new Map<string, Edge[]>();
  for (const edge of heaviestFirst) {
    const others = outgoing.get(edge.from) ?? [];
    const isAnotherVersion = others.some(({ to }) => to === edge.to);
    if (!isAnotherVersion && others.length < fanMax) others.push(edge);
    outgoing.set(edge.from, others);
  }
  return outgoing;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function ordered(
  paths: readonly (readonly Edge[])[],
  links: ReadonlyMap<string, Link>,
  intent: string,
): readonly Chain[] {
  const wanted = wordsOf(intent);
  const affine = new Map(
    [...links].map(([name, { affinity = [] }]) => {
      const words = wordsOf(affinity.join(" "));
      return [name, wanted.filter((word) => word !== "" && words.includes(word)).length];
    }),
  );
  return paths
    .map((path) => ({
      path,
      chain: chainOf(path, links),
      affine: affine.get(path.at(-1)?.to ?? "") ?? 0,
    }))
    .toSorted(
      (a, b) =>
        b.chain.fit - a.chain.fit ||
        byMeanWeight(a.path, b.path) ||
        a.path.length - b.path.length ||
        b.affine - a.affine ||
        byText(a.chain.names.join("\n"), b.chain.names.join("\n")),
    )
    .map(({ chain }) => chain);
}

const weightOf = (path: readonly Edge[]): number =>
  path.reduce((sum, { weight }) => sum + weight, 0);

/** The heavier mean first, compared without rounding. */
const byMeanWeight = (a: readonly Edge[], b: readonly Edge[]): number =>
  weightOf(b) * a.length - weightOf(a) * b.length;

function chainOf(path: readonly Edge[], links: ReadonlyMap<string, Link>): Chain {
  const names = [path[0]?.from ?? "", ...path.map(({ to }) => to)];
  return {
    names,
    hops: path.length,
    fit: fitOf(names.map((name) => links.get(name) ?? { name })),
    meanWeight: Math.floor(weightOf(path) / path.length),
    rate: chainRate(path.map(({ seen }) => seen)),
  };
}

/** What the links behind the first take, and how much of it any link before them gives. */
function fitOf(chain: readonly Link[]): number {
  let taken = 0;
  let given = 0;
  for (const [index, { takes = [] }] of chain.entries()) {
    const earlier = chain.slice(0, index);
    if (earlier.some(({ gives }) => gives === undefined) || index === 0) continue;
    taken += takes.length;
    given += takes.filter((kind) => earlier.some(({ gives }) => gives?.includes(kind))).length;
  }
  return taken === 0 ? 1000 : Math.floor((given * 1000) / taken);
}

/** Words in lower case: of a name its parts, of a sentence its words. */
const wordsOf = (text: string): readonly string[] => normalised(text).split(" ");

/**
 * Whether an executor is what was asked for: a hint is its name or begins it, or is one of its words
 * of affinity; whole words only, in any letter case. (The real system takes any substring either way,
 * so that `e` finds delete_files.)
 */
export function isHinted(
  hints: readonly string[],
  without: readonly string[] = [],
  links: readonly Link[] = [],
): (name: string) => boolean {
  const wanted = hints.map(normalised).filter((hint) => hint !== "");
  const affinity = new Map(links.map((link) => [link.name, (link.affinity ?? []).map(normalised)]));
  return (name) =>
    !without.includes(name) &&
    wanted.some(
      (hint) =>
        `${normalised(name)} `.startsWith(`${hint} `) ||
        affinity.get(name)?.includes(hint) === true,
    );
}

/** What a chain that was used leaves: itself, as if it were one executor. */
export interface VirtualNode {
  readonly name: string | null;
  readonly chain: readonly string[];
  /** Whether an executor of the pool has that name already. */
  readonly collides: boolean;
}

export function virtualNode(chain: readonly string[], pool: readonly string[]): VirtualNode {
  const name = chainName(chain);
  return { name, chain, collides: name !== null && pool.includes(name) };
}

/** Whether a chain runs without asking: in autonomy `full`, once it ran clean often enough. */
export const isAutoGranted = (cleanRuns: number, policy: ComposePolicy): boolean =>
  policy.autonomy === "full" && cleanRuns >= policy.cleanRuns;
