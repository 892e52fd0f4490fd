/** Plays runs that share all but leaves of the policy: what is common to them once. */

import { type Policy, policyWith } from "../../contract/policyTree.ts";
import { type Scenario, variantOf } from "../../contract/scenario.ts";
import { groupedBy } from "../../machines/grouped.ts";
import { type Run, type RunResult, type SimulateOptions, startFrom } from "../../run/simulate.ts";
import { differing, type Listening, Stem, type StemRun } from "../../run/stem.ts";
import type { PartLists } from "../parts/partLists.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import { playRun } from "./playRun.ts";
import { type WorldPorts, worldPorts } from "./worldPorts.ts";

/** Ours: how many runs are played together; what is lost where their thread ends, and held in memory at a time. */
export const FAMILY_MAX = 32;

/** What a thread goes by from one family to the next. */
export interface FamilyPlayer {
  readonly lists: PartLists;
  /** They are the caller's, and are not closed here. */
  readonly sandbox: LazySandbox;
  readonly shell: LazyShell;
  readonly listening: Listening;
  /** Whether each run is played by itself, whatever it has in common with others. */
  readonly isApart: boolean;
}

/** What is seen of a run; of a copy, from where it goes on. */
export interface Sight<Facts> {
  readonly hears: Pick<SimulateOptions, "onSeen" | "onDelivery" | "onInput">;
  copy(): Sight<Facts>;
  /** Whether what is still to come is of no matter, at such a number of deliveries. */
  readonly isOver?: (run: Run) => boolean;
  facts(result: RunResult): Facts;
}

/** What the runs of a family share. */
export interface FamilyWorld<Facts> {
  readonly scenario: Scenario;
  readonly options: SimulateOptions & { readonly seed: number };
  readonly begin: (options: SimulateOptions) => Run;
  /** Of a run with this policy, before it begins. */
  readonly sight: (policy: Policy) => Sight<Facts>;
  /** Deliveries between two looks at whether it is over. */
  readonly slice: number;
}

/** Deliveries that were made, and those that were not, as another run had made the same. */
export interface Deliveries {
  readonly played: number;
  readonly spared: number;
}

/** In the order of the runs; runs that were one world to the end have the same facts. */
export interface Family<Facts> {
  readonly facts: readonly Facts[];
  readonly deliveries: Deliveries;
}

export async function playedFamily<Facts>(
  player: FamilyPlayer,
  of: FamilyWorld<Facts>,
  runs: readonly StemRun[],
): Promise<Family<Facts>> {
  const { listening } = player;
  const bySetting = ({ set }: StemRun): string =>
    JSON.stringify([...listening.outside].map((path) => set[path] ?? null));
  const facts = new Map<StemRun, Facts>();
  let [played, spared] = [0, 0];
  const waiting = player.isApart
    ? runs.map((run) => [run])
    : [...groupedBy(runs, bySetting).values()];
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    const { worlds, again } = await playedWorlds(player, of, group);
    waiting.push(...groupedBy(again, bySetting).values());
    for (const { alike, own, made, whole } of worlds) {
      played += made;
      spared += alike.length * whole - made;
      for (const run of alike) facts.set(run, own);
    }
  }
  return {
    // Facts may be anything, also nothing.
    facts: runs.map((run) => facts.get(run) as Facts),
    deliveries: { played, spared },
  };
}

/** A world that runs have in common, until they leave it. */
interface World<Facts> {
  readonly stem: Stem;
  readonly run: Run;
  readonly sight: Sight<Facts>;
  readonly ports: WorldPorts;
  /** Deliveries before it left another. */
  readonly from: number;
}

interface PlayedWorld<Facts> {
  readonly alike: readonly StemRun[];
  readonly own: Facts;
  /** Deliveries that it made itself, and all since the runs began. */
  readonly made: number;
  readonly whole: number;
}

/** `again`: runs that a port answered, or a machine was made for, by a value which is not theirs; that was not known before. */
async function playedWorlds<Facts>(
  player: FamilyPlayer,
  of: FamilyWorld<Facts>,
  group: readonly StemRun[],
): Promise<{ readonly worlds: readonly PlayedWorld<Facts>[]; readonly again: readonly StemRun[] }> {
  const { parts } = player.lists;
  const { outside } = player.listening;
  const waiting: World<Facts>[] = [];
  const again: StemRun[] = [];
  const paths = differing(group);
  /** Those of whom all that was played so far is true. */
  const likeFirst = (first: StemRun | undefined, runs: readonly StemRun[]): readonly StemRun[] => {
    const kept = runs.filter(
      (run) => first === run || !differing([first ?? run, run]).some((path) => outside.has(path)),
    );
    again.push(...runs.filter((run) => !kept.includes(run)));
    return kept;
  };
  const open = (
    runs: readonly StemRun[],
    { sight, begin }: Pick<FamilyWorld<Facts>, "sight" | "begin">,
  ): World<Facts> => {
    const opened = openedWorld(player, { ...of, sight, begin }, { runs, paths }, (left) => {
      const saved = opened.run.kernel.checkpoint();
      // Providers go on with what they keep.
      const at = { ...saved, providers: structuredClone(saved.providers) };
      const leave = (options: SimulateOptions): Run =>
        startFrom(parts, of.scenario, options, at, NOTHING);
      for (const one of left) {
        const alike = likeFirst(opened.stem.runs[0], one);
        if (alike.length === 0) continue;
        waiting.push(open(alike, { sight: () => opened.sight.copy(), begin: leave }));
      }
    });
    return opened;
  };
  const first = open(group, of);
  waiting.push(first);
  const worlds: PlayedWorld<Facts>[] = [];
  try {
    for (let world = waiting.pop(); world !== undefined; world = waiting.pop()) {
      const { run, ports, stem, sight, from } = world;
      const { slice } = of;
      const onSlice = (): boolean => sight.isOver?.(run) ?? false;
      const { inbox } = ports;
      stem.runs = likeFirst(stem.runs[0], stem.runs);
      const result = await playRun(run, { slice, inbox, onSlice }).finally(() => ports.close());
      const alike = likeFirst(stem.runs[0], stem.runs);
      const { delivered } = run.kernel;
      const counts = { made: delivered - from, whole: delivered - first.from };
      worlds.push({ alike, own: sight.facts(result), ...counts });
    }
    return { worlds, again };
  } finally {
    for (const { ports } of waiting) ports.close();
  }
}

/** What leaves a world changes nothing but its policy. */
const NOTHING = { set: {}, drop: [] };

function openedWorld<Facts>(
  { lists, sandbox, shell, listening }: FamilyPlayer,
  { scenario, options, begin, sight: sightOf }: FamilyWorld<Facts>,
  { runs, paths }: Pick<Stem, "runs" | "paths">,
  onLeave: (left: readonly (readonly StemRun[])[]) => void,
): World<Facts> {
  const { seed, variant = null } = options;
  const { policy: own, startsAt } = variantOf(scenario, variant);
  const policyOf = ({ set }: StemRun): Policy => policyWith(lists.parts, { ...own, ...set });
  const [first = { set: {} }] = runs;
  const stem = new Stem(runs, paths, listening, policyOf, onLeave);
  const policy = stem.heard(policyOf(first));
  const ports = worldPorts(lists, { sandbox, shell, policy, seed, startsAt });
  const sight = sightOf(policy);
  const { set } = first;
  const run = begin({ ...options, set, stem, ports: ports.ports, ...sight.hears });
  return { stem, run, sight, ports, from: run.kernel.delivered };
}
