/** Plays runs of a study at the bare level, and keeps what outcomes of any study may ask of them. */

import { metricNames } from "../../contract/metricTable.ts";
import type { WorldProperty } from "../../contract/property.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { defined } from "../../machines/defined.ts";
import { propertiesOf } from "../../run/check/catalogue.ts";
import { watchman } from "../../run/check/onlooker.ts";
import { meterOf } from "../../run/compare.ts";
import { leftRecording } from "../../run/leftRecording.ts";
import type { Meter } from "../../run/meter.ts";
import { startRun } from "../../run/simulate.ts";
import type { StemRun } from "../../run/stem.ts";
import { seriesName, WORLD } from "../../studies/outcomes/outcomesOf.ts";
import type { RunFacts, RunOf, Steps, Study } from "../../studies/study.ts";
import { type Family, type FamilyPlayer, playedFamily, type Sight } from "../play/family.ts";
import type { CheckedLists } from "../pool/checkWorlds.ts";
import type { StudyHost } from "./runKey.ts";

/** Ours: steps of one series; some twenty times those of the longest of the incident. */
const STEPS_MAX = 50_000;

/** Deliveries between two looks at the mail of this thread: none is sent while it plays. */
const SLICE = 100_000;

/** What all runs of a study share. */
export type FactsOf = Pick<Study, "untilMs" | "limits" | "watched"> &
  Pick<StudyHost, "interpreter">;

export interface Player extends FamilyPlayer {
  readonly lists: CheckedLists;
}

/** What all runs of a family share. */
export interface FamilyOf extends FactsOf, Pick<RunOf, "variant" | "seed"> {
  /** That of the study's text. */
  readonly scenario: Scenario;
}

/** Runs of one scenario, variant and seed: what is common to them is played once. */
export function familyFacts(
  player: Player,
  { scenario: plain, limits, untilMs, ...of }: FamilyOf,
  runs: readonly StemRun[],
): Promise<Family<RunFacts>> {
  const { parts } = player.lists;
  const { variant, seed, interpreter, watched } = of;
  const scenario = { ...plain, limits: { ...plain.limits, ...limits } };
  const options = { variant, seed, untilMs, level: "bare", interpreter } as const;
  return playedFamily(
    player,
    {
      ...{ scenario, options, slice: SLICE },
      begin: (own) => startRun(parts, scenario, own),
      sight: (policy) => {
        const watching = watchman(player.lists.promised, worldProperties(player.lists, watched));
        watching.begin(policy);
        return sightOf(player.lists, meterOf(parts, scenario), watching);
      },
    },
    runs,
  );
}

/** Where promises are watched it is never copied: each run is played by itself. */
function sightOf(
  lists: CheckedLists,
  meter: Meter,
  watching: ReturnType<typeof watchman>,
): Sight<RunFacts> {
  return {
    hears: {
      onSeen: (delivery) => {
        meter.observe(delivery);
        if (!watching.isDone()) watching.observe(delivery);
      },
    },
    copy: () => sightOf(lists, meter.copy(), watching),
    facts: ({ outcome, virtualMs }) => {
      const left = leftRecording(lists.parts, meter);
      const unknown = left ? `${left.agents.join(", ")} left the recording` : undefined;
      const kept = { ...keptOf(lists, meter), promises: watching.said() };
      return defined<RunFacts>({ outcome, virtualMs, ...kept, unknown });
    },
  };
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
