/** Plays single runs of a study, bare, and keeps what outcomes may ask of them. */

import { WORLD } from "../../actors/gauge.ts";
import { builtIn } from "../../builtIn.ts";
import type { Meter } from "../../meter.ts";
import { metricNames } from "../../metricTable.ts";
import type { RunFacts, RunOf, Steps } from "../../studies/study.ts";
import { joinedParts } from "../joinedParts.ts";
import { ownParts } from "../ownParts.ts";
import { playJob } from "../playJob.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import { parseScenario } from "../scenarioFile.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import type { StudyHost, StudyWorld } from "./runKey.ts";

export async function studyPlayer(
  { scenario: { name, text }, limits, untilMs, partFiles }: StudyWorld & StudyHost,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<(run: RunOf) => Promise<RunFacts>> {
  const lists = joinedParts(builtIn, await ownParts(partFiles));
  const own = parseScenario(lists, text, `${name}.yaml`);
  const scenario = { ...own, limits: { ...own.limits, ...limits } };
  return async ({ set, variant, seed }) => {
    const settings = { scenario, set, untilMs, level: "bare" } as const;
    const { result, meter } = await playJob(lists, settings, { variant, seed }, sandbox, shell);
    const { outcome, virtualMs } = result;
    return {
      outcome,
      virtualMs,
      finals: meter.finals(),
      series: series(meter),
      tooLong: {},
      promises: {},
    };
  };
}

function series(meter: Meter): { readonly [name: string]: Steps } {
  return Object.fromEntries(
    metricNames(builtIn.parts).flatMap((metric) => {
      const steps = meter.series(metric, WORLD).map(({ atMs, value }) => [atMs, value] as const);
      return steps.length < 2 ? [] : [[metric, steps]];
    }),
  );
}
