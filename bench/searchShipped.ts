/** Who needs how many trials in the worlds of shipped studies: all points of each are played once, then `tune` searches among what came of them. */
import { builtIn } from "../src/builtIn/lists.ts";
import { KeptAnswers } from "../src/edges/play/keptAnswers.ts";
import { checkedLists } from "../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../src/edges/shell/shellProcess.ts";
import { sweepPlan, sweptRun } from "../src/edges/studies/playStudy.ts";
import { worldOf } from "../src/edges/studies/runKey.ts";
import { parseStudy } from "../src/edges/studies/studyFile.ts";
import { studyPlayer } from "../src/edges/studies/studyPlayer.ts";
import { type RangeSearch, type Setting, type Study, settingText } from "../src/studies/study.ts";
import { runAt } from "../src/studies/sweep.ts";
import { tunePlan, tuning } from "../src/studies/tune.ts";

interface Shipped {
  /** The study whose question it is, of ranges in place of its lists. */
  readonly name: string;
  readonly direction: "maximise" | "minimise";
  readonly text: string;
}

export const SHIPPED: readonly Shipped[] = [
  {
    name: "lock-thresholds",
    direction: "minimise",
    text: `scenario: lock-feedback
factors:
  locks.constrained: { low: .3, high: .8, step: .05 }
  locks.dominant: { low: .6, high: 1.0, step: .05 }
outcomes: { asked: { metric: load, reduce: mean } }`,
  },
  {
    name: "synt-weights",
    direction: "maximise",
    text: `scenario: synt-judge-text
factors:
  synt.reward.weights.judge: { low: .0, high: .6, step: .05 }
  synt.reward.weights.bonus: { low: .0, high: .3, step: .05 }
  synt.reward.weights.det: { low: .05, high: .65, step: .05 }
where: [{ sum: [synt.reward.weights.judge, synt.reward.weights.bonus, synt.reward.weights.det], is: .65 }]
outcomes:
  goodPassed: { metric: synt.truePasses, reduce: last }
  badPassed: { metric: synt.falsePasses, reduce: last }
  badRefused: { metric: synt.trueRefusals, reduce: last }
  goodRefused: { metric: synt.falseRefusals, reduce: last }
  asked: { is: "goodPassed / max(1, goodPassed + goodRefused) - badPassed / max(1, badPassed + badRefused)" }`,
  },
  {
    name: "spiral-frontier",
    direction: "minimise",
    text: `scenario: lock-feedback
factors:
  locks.dominant: { low: .6, high: 1.0, step: .05 }
  stressors.capabilityLock.growthPerDay: { low: .5, high: 6.5, step: 1.5 }
  stressors.repeatedFailure.clearsBelow: { low: .3, high: .7, step: .1 }
outcomes: { asked: { metric: load, reduce: mean } }`,
  },
];

export interface Played {
  readonly study: Study;
  readonly direction: Shipped["direction"];
  /** The mean of each point, by its text. */
  readonly means: ReadonlyMap<string, number>;
  /** Within a twentieth of the way from the worst to the best. */
  readonly target: number;
  /** How many points are as good. */
  readonly good: number;
}

/** Every point of a study, so many runs each. */
export async function playedWhole(
  { name, direction, text }: Shipped,
  replicates: number,
): Promise<Played> {
  const lists = await checkedLists(builtIn);
  const whole = `why: w\n${text}\nreplicates: ${replicates}\ndesign: { kind: grid, levels: 65 }\n`;
  const study = parseStudy(lists, whole, `${name}.yaml`);
  const answers = new KeptAnswers(null);
  const sandbox = lazySandbox({ kind: "pyodide", answers, spare: false });
  const shell = lazyShell({ kind: "pyodide", answers });
  const host = { ...worldOf(study), sandbox: "pyodide", cache: null } as const;
  const play = await studyPlayer(host, sandbox, shell);
  const means = new Map<string, number>();
  for (const point of sweepPlan(study, name).points) {
    let sum = 0;
    for (let at = 0; at < replicates; at += 1) {
      const run = runAt(study, point, at);
      const [facts] = (await play([run])).facts;
      sum += sweptRun(study, run, facts && { facts }).values["asked"] ?? 0;
    }
    means.set(settingText(study, point.values), sum / replicates);
  }
  await Promise.all([sandbox.close(), shell.close()]);
  const all = [...means.values()];
  const [worst, best] = [Math.max(...all), Math.min(...all)];
  const target =
    direction === "minimise" ? best + (worst - best) / 20 : worst - (worst - best) / 20;
  const good = all.filter((value) => isGood({ direction, target }, value)).length;
  return { study, direction, means, target, good };
}

const isGood = ({ direction, target }: Pick<Played, "direction" | "target">, value: number) =>
  direction === "minimise" ? value <= target : value >= target;

/** How many trials it takes to a point as good as the target; null where they end before. */
export function trialsTo(played: Played, search: RangeSearch, seed: number): number | null {
  const { study, direction, means } = played;
  const objectives = [{ outcome: "asked", direction }];
  const goal = { objectives, constraints: [], censored: "bound", heldOut: 2 } as const;
  const replicates = { ...study.replicates, count: 1 };
  const plan = tunePlan({
    ...{ ...study, seed, replicates, design: null },
    goal: { ...goal, trials: Math.min(100, means.size), search },
  });
  if ("refused" in plan) throw new Error(plan.refused);
  const asking = tuning(plan);
  for (let step = asking.next(); ; ) {
    if (step.done) {
      const first = step.value.trials.findIndex(
        ({ value }) => value !== null && isGood(played, value),
      );
      return first < 0 ? null : first + 1;
    }
    step = asking.next(
      step.value.map((run) => ({
        ...{ ...run, outcome: "ended", faults: [], censored: [], broken: [] },
        values: { asked: means.get(settingText(study, run.set as Setting)) ?? 0 },
      })),
    );
  }
}
