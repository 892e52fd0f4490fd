/** Plays runs of a study at the bare level, and keeps what outcomes of any study may ask of them. */

import { metricNames } from "../../contract/metricTable.ts";
import { type Policy, policyWith } from "../../contract/policyTree.ts";
import type { WorldProperty } from "../../contract/property.ts";
import { type Scenario, variantOf } from "../../contract/scenario.ts";
import { defined } from "../../machines/defined.ts";
import { groupedBy } from "../../machines/grouped.ts";
import { propertiesOf } from "../../run/check/catalogue.ts";
import { watchman } from "../../run/check/onlooker.ts";
import { meterOf } from "../../run/compare.ts";
import { leftRecording } from "../../run/leftRecording.ts";
import type { Meter } from "../../run/meter.ts";
import { type Run, type SimulateOptions, startFrom, startRun } from "../../run/simulate.ts";
import { differing, type Listening, Stem } from "../../run/stem.ts";
import { seriesName, WORLD } from "../../studies/outcomes/outcomesOf.ts";
import type { RunFacts, RunOf, Steps, Study } from "../../studies/study.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { playRun } from "../play/playRun.ts";
import { type WorldPorts, worldPorts } from "../play/worldPorts.ts";
import type { CheckedLists } from "../pool/checkWorlds.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import type { StudyHost } from "./runKey.ts";

/** Ours: steps of one series; some twenty times those of the longest of the incident. */
const STEPS_MAX = 50_000;

/** Deliveries between two looks at the mail of this thread: none is sent while it plays. */
const SLICE = 100_000;

/** What all runs of a study share. */
export type FactsOf = Pick<Study, "untilMs" | "limits" | "watched"> &
  Pick<StudyHost, "interpreter">;

/** A run, of those that share all but their point. */
type FamilyRun = Pick<RunOf, "set">;

/** What a thread goes by from one family to the next. */
export interface Player {
  readonly lists: CheckedLists;
  /** They are the caller's, and are not closed here. */
  readonly sandbox: LazySandbox;
  readonly shell: LazyShell;
  readonly listening: Listening;
  /** Whether each run is played by itself, whatever it has in common with others. */
  readonly isApart: boolean;
}

/** What all runs of a family share. */
export interface FamilyOf extends FactsOf, Pick<RunOf, "variant" | "seed"> {
  /** That of the study's text. */
  readonly scenario: Scenario;
}

/** Deliveries that were made, and those that were not, as another run had made the same. */
export interface Deliveries {
  readonly played: number;
  readonly spared: number;
}

/** In the order of the runs; runs that were one world to the end have the same facts. */
export interface Family {
  readonly facts: readonly RunFacts[];
  readonly deliveries: Deliveries;
}

/** Runs of one scenario, variant and seed: what is common to them is played once. */
export async function familyFacts(
  player: Player,
  of: FamilyOf,
  runs: readonly FamilyRun[],
): Promise<Family> {
  const { listening } = player;
  const bySetting = ({ set }: FamilyRun): string =>
    JSON.stringify([...listening.outside].map((path) => set[path] ?? null));
  const facts = new Map<FamilyRun, RunFacts>();
  let [played, spared] = [0, 0];
  const waiting = player.isApart
    ? runs.map((run) => [run])
    : [...groupedBy(runs, bySetting).values()];
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    const known = listening.outside.size;
    const worlds = await playedWorlds(player, of, group);
    for (const { made } of worlds) played += made;
    if (listening.outside.size > known) {
      waiting.push(...groupedBy(group, bySetting).values());
      continue;
    }
    for (const { alike, own, made, whole } of worlds) {
      spared += alike.length * whole - made;
      for (const run of alike) facts.set(run, own);
    }
  }
  return { facts: runs.flatMap((run) => facts.get(run) ?? []), deliveries: { played, spared } };
}

/** A world that runs have in common, until they leave it. */
interface World {
  readonly stem: Stem<FamilyRun>;
  readonly run: Run;
  readonly meter: Meter;
  readonly watching: ReturnType<typeof watchman>;
  readonly ports: WorldPorts;
  /** Deliveries before it left another. */
  readonly from: number;
}

interface PlayedWorld {
  readonly alike: readonly FamilyRun[];
  readonly own: RunFacts;
  /** Deliveries that it made itself, and with those of the world that it left. */
  readonly made: number;
  readonly whole: number;
}

/** Up to where a leaf is found by which the runs part before they begin. */
async function playedWorlds(
  player: Player,
  of: FamilyOf,
  group: readonly FamilyRun[],
): Promise<readonly PlayedWorld[]> {
  const { parts } = player.lists;
  const known = player.listening.outside.size;
  const bounded = { ...of.scenario, limits: { ...of.scenario.limits, ...of.limits } };
  const waiting: World[] = [];
  const paths = differing(group);
  const open = (
    runs: readonly FamilyRun[],
    meter: Meter,
    begin: (options: SimulateOptions) => Run,
  ): World => {
    const opened = openedWorld(player, of, { runs, paths }, { meter, begin }, (left) => {
      const saved = opened.run.kernel.checkpoint();
      // Providers go on with what they keep.
      const at = { ...saved, providers: structuredClone(saved.providers) };
      const leave = (options: SimulateOptions): Run =>
        startFrom(parts, bounded, options, at, NOTHING);
      for (const one of left) waiting.push(open(one, meter.copy(), leave));
    });
    return opened;
  };
  waiting.push(
    open(group, meterOf(parts, bounded), (options) => startRun(parts, bounded, options)),
  );
  const worlds: PlayedWorld[] = [];
  try {
    for (let world = waiting.pop(); world !== undefined; world = waiting.pop()) {
      const { run, ports, stem, meter, watching, from } = world;
      if (player.listening.outside.size > known) return worlds;
      const { outcome, virtualMs } = await playRun(run, {
        slice: SLICE,
        inbox: ports.inbox,
      }).finally(() => ports.close());
      const left = leftRecording(parts, meter);
      const unknown = left ? `${left.agents.join(", ")} left the recording` : undefined;
      const kept = { ...keptOf(player.lists, meter), promises: watching.said() };
      const whole = run.kernel.delivered;
      const own = defined<RunFacts>({ outcome, virtualMs, ...kept, unknown });
      worlds.push({ alike: stem.runs, own, made: whole - from, whole });
    }
    return worlds;
  } finally {
    for (const { ports } of waiting) ports.close();
  }
}

/** What leaves a world changes nothing but its policy. */
const NOTHING = { set: {}, drop: [] };

function openedWorld(
  { lists, sandbox, shell, listening }: Player,
  { scenario, variant, seed, untilMs, watched, interpreter }: FamilyOf,
  { runs, paths }: Pick<Stem<FamilyRun>, "runs" | "paths">,
  { meter, begin }: { readonly meter: Meter; readonly begin: (options: SimulateOptions) => Run },
  onLeave: (left: readonly (readonly FamilyRun[])[]) => void,
): World {
  const { policy: own, startsAt } = variantOf(scenario, variant);
  const policyOf = ({ set }: FamilyRun): Policy => policyWith(lists.parts, { ...own, ...set });
  const [first = { set: {} }] = runs;
  const stem = new Stem(runs, paths, listening, policyOf, onLeave);
  const policy = stem.heard(policyOf(first));
  const ports = worldPorts(lists, { sandbox, shell, policy, seed, startsAt });
  const watching = watchman(lists.promised, worldProperties(lists, watched));
  watching.begin(policy);
  const run = begin(
    defined({
      ...{ variant, seed, set: first.set, level: "bare" as const, interpreter, stem },
      ...{ untilMs: untilMs ?? undefined, ports: ports.ports },
      onSeen: (delivery: SeenDelivery) => {
        meter.observe(delivery);
        if (watched.length > 0) watching.observe(delivery);
      },
    }),
  );
  return { stem, run, meter, watching, ports, from: run.kernel.delivered };
}

const worldProperties = (
  { promised }: CheckedLists,
  ids: readonly string[],
): readonly WorldProperty[] =>
  propertiesOf(promised).filter(
    (one): one is WorldProperty => one.kind === "world" && ids.includes(one.id),
  );

/** What was measured: the last values, and how what changed came to be so. */
export function keptOf(
  { parts }: Pick<CheckedLists, "parts">,
  meter: Pick<Meter, "finals" | "series">,
) {
  const all = meter.finals();
  const finals: { [metric: string]: { readonly [actor: string]: number } } = {};
  const series: { [name: string]: Steps } = {};
  const tooLong: { [name: string]: number } = {};
  for (const metric of metricNames(parts)) {
    const values = Object.entries(all[metric] ?? {});
    const some = values.filter(([, value]) => value !== 0);
    if (some.length > 0) finals[metric] = Object.fromEntries(some);
    for (const [actor] of values) {
      const samples = meter.series(metric, actor === WORLD ? undefined : actor);
      if (samples.length < 2) continue;
      const name = seriesName(metric, actor);
      if (samples.length > STEPS_MAX) tooLong[name] = samples.length;
      else series[name] = samples.map(({ atMs, value: sampled }) => [atMs, sampled] as const);
    }
  }
  return { finals, series, tooLong };
}
