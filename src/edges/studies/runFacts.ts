/** Plays one run of a study at the bare level, and keeps what outcomes of any study may ask of it. */

import { metricNames } from "../../contract/metricTable.ts";
import type { WorldProperty } from "../../contract/property.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { defined } from "../../machines/defined.ts";
import { propertiesOf } from "../../run/check/catalogue.ts";
import { watchman } from "../../run/check/onlooker.ts";
import { meterOf } from "../../run/compare.ts";
import { leftRecording } from "../../run/leftRecording.ts";
import type { Meter } from "../../run/meter.ts";
import { prepare, type SimulateOptions, startRun } from "../../run/simulate.ts";
import { seriesName, WORLD } from "../../studies/outcomes/outcomesOf.ts";
import type { RunFacts, RunOf, Steps, Study } from "../../studies/study.ts";
import { playRun } from "../play/playRun.ts";
import { worldPorts } from "../play/worldPorts.ts";
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

/** The scenario is that of the study's text. Sandbox and shell are the caller's, and are not closed here. */
export async function runFacts(
  lists: CheckedLists,
  scenario: Scenario,
  { untilMs, limits, watched, interpreter }: FactsOf,
  { variant, seed, set }: Pick<RunOf, "variant" | "seed" | "set">,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<RunFacts> {
  const { parts, promised } = lists;
  const bounded = { ...scenario, limits: { ...scenario.limits, ...limits } };
  const meter = meterOf(parts, bounded);
  const watching = watchman(promised, worldProperties(lists, watched));
  const options: SimulateOptions = defined({
    ...{ variant, seed, set },
    level: "bare" as const,
    untilMs: untilMs ?? undefined,
    interpreter,
  });
  const { policy } = prepare(parts, bounded, options);
  const world = worldPorts(lists, { sandbox, shell, policy, seed, startsAt: scenario.startsAt });
  try {
    watching.begin(policy);
    const run = startRun(parts, bounded, {
      ...options,
      ports: world.ports,
      onSeen: (delivery) => {
        meter.observe(delivery);
        if (watched.length > 0) watching.observe(delivery);
      },
    });
    const { outcome, virtualMs } = await playRun(run, { slice: SLICE, inbox: world.inbox });
    const promises = watching.said();
    const left = leftRecording(parts, meter);
    const unknown = left && `${left.agents.join(", ")} left the recording`;
    return defined({
      ...{ outcome, virtualMs, ...keptOf(lists, meter), promises },
      unknown: unknown ?? undefined,
    });
  } finally {
    world.close();
  }
}

const worldProperties = (
  { promised }: CheckedLists,
  ids: readonly string[],
): readonly WorldProperty[] =>
  propertiesOf(promised).filter(
    (one): one is WorldProperty => one.kind === "world" && ids.includes(one.id),
  );

/** What was measured: the last values, and how what changed came to be so. */
function keptOf({ parts }: CheckedLists, meter: Meter) {
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
