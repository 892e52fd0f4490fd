// A result with eight factors and six outcomes at as many points as are asked for: no run is played.
import type { StudyResult } from "../../../../src/studies/result.ts";
import type { Study } from "../../../../src/studies/study.ts";
import { summarise } from "../../../../src/studies/sweepSummary.ts";
import { namedRandom } from "../../../../src/substrate/random.ts";
import { numberStudy } from "../../../studies/numberStudy.ts";

const FACTORS = [
  ...["locks.constrained", "stressors.capabilityLock.growthPerDay", "planner.heartbeatMs"],
  ...["stressors.repeatedFailure.clearsBelow", "router.kind", "engine.retryAfterMs", "a.b"],
  "skills.utility.weights.recencyOfTheLastUseInAnyPlan",
];
const OUTCOMES = ["locked", "done", "spiral", "aVeryLongNameOfAnOutcomeThatGoesOnAndOn", "e", "f"];

export function largeResult(count: number, replicates: number): StudyResult {
  const study: Study = numberStudy({
    ...{ name: "large", design: { kind: "sobol", points: count, isScrambled: true } },
    factors: FACTORS.map((name) =>
      name === "router.kind"
        ? { kind: "list", name, values: ["lexical", "embedding"], isOrdered: false }
        : { kind: "number", name, low: 0, high: 7_200_000, isLog: false, step: 1 },
    ),
    outcomes: OUTCOMES.map((name) => ({
      ...{ kind: "reduced", name, metric: "load", actor: "world", reduce: "last" },
      ...{ above: null, fromMs: 0, untilMs: null },
    })),
    units: {
      leaves: Object.fromEntries(
        FACTORS.map((name) => [name, name.endsWith("Ms") ? "ms" : "millionths"]),
      ),
      outcomes: { locked: "ms", done: "goals", spiral: "share" },
    },
  });
  const stream = namedRandom(1).at("test", "large", 0);
  const draw = () => stream.integer(0, 999_999) / 1_000_000;
  const points = Array.from({ length: count }, (_, index) => ({
    index,
    values: Object.fromEntries(
      FACTORS.map((name) => [
        name,
        name === "router.kind"
          ? draw() < 0.5
            ? "lexical"
            : "embedding"
          : Math.floor(draw() * 7_200_000),
      ]),
    ),
  }));
  const runs = points.flatMap(({ index, values }) =>
    Array.from({ length: replicates }, (_, replicate) => ({
      ...{ point: index, replicate, seed: replicate + 1, variant: null },
      ...{ outcome: "ended", faults: [], censored: [] },
      values: Object.fromEntries(
        OUTCOMES.map((name, at) => [
          name,
          name === "spiral"
            ? Number(draw() < 0.4)
            : Number(values[FACTORS[at] ?? ""]) * draw() || 0,
        ]),
      ),
    })),
  );
  return {
    ...{ study, notes: [], baseline: 0, runs, indices: null, trials: [], heldOut: [] },
    points: summarise(
      study,
      { points, baseline: 0 },
      points.map(() => "most"),
      runs,
      "paired",
    ),
    opening: points.map(({ index }) => `npx ghostlight run x --seed 1 --set point=${index}`),
    frontier: null,
  };
}
