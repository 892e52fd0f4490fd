// A result of a study as plain data: two factors on a grid, two outcomes, hostile names where asked for.
import type { StudyResult } from "../../../../src/studies/result.ts";
import type { Study } from "../../../../src/studies/study.ts";
import { runAt } from "../../../../src/studies/sweep.ts";
import { summarise } from "../../../../src/studies/sweepSummary.ts";

export const HOSTILE = `</script><img src=x onerror=alert(1)>"'&`;

interface Names {
  readonly study?: string;
  readonly outcome?: string;
  readonly value?: string;
  readonly factor?: string;
}

export function studyResult(names: Names = {}): StudyResult {
  const { study: name = "locks", outcome = "spirals", value = "lexical" } = names;
  const { factor = "locks.constrained" } = names;
  const study: Study = {
    ...{ name, why: name, scenario: { name, text: "" }, seed: 1, untilMs: null, limits: {} },
    ...{ variant: null, set: {}, where: [], stop: null, enqueue: [], watched: [], leaves: {} },
    units: {
      leaves: { "locks.constrained": "millionths" },
      outcomes: { load: "load", spirals: "share" },
    },
    factors: [
      { kind: "number", name: factor, low: 100_000, high: 300_000, isLog: false, step: 1 },
      { kind: "list", name: "router.kind", values: [value, "embedding"], isOrdered: false },
    ],
    design: { kind: "grid", levels: 3 },
    replicates: { count: 4, seeds: "common", batch: 4 },
    outcomes: [outcome, "load"].map((one) => ({
      ...{ name: one, kind: "metric", metric: "goals.completed", actor: "world" },
      ...{ reduce: "last", fromMs: 0, untilMs: null },
    })) as unknown as Study["outcomes"], // Only their names are read here.
    baseline: { [factor]: 200_000, "router.kind": value },
    isCompared: true,
    goal: {
      objectives: [
        { outcome, direction: "minimise" },
        { outcome: "load", direction: "maximise" },
      ],
      ...{ constraints: [], censored: "refuse", heldOut: 4, trials: 6 },
    },
  };
  const points = [100_000, 200_000, 300_000].flatMap((constrained, row) =>
    [value, "embedding"].map((kind, column) => ({
      index: 2 * row + column,
      values: { [factor]: constrained, "router.kind": kind },
    })),
  );
  const runs = points.flatMap((point) =>
    [0, 1, 2, 3].map((replicate) => {
      const { seed, variant } = runAt(study, point, replicate);
      const load = point.index * 10 + ((replicate * 7 + point.index) % 5);
      const spirals = point.index === 5 && replicate === 3 ? null : 20 - load + replicate;
      return {
        ...{ point: point.index, replicate, seed, variant },
        ...{ outcome: spirals === null ? "limit:events" : "ended", faults: [], censored: [] },
        values: { [outcome]: spirals, load: spirals === null ? null : load },
      };
    }),
  );
  const most = points.map(() => "most" as const);
  return {
    ...{ study, notes: [name], baseline: 2, runs, indices: null },
    points: summarise(study, { points, baseline: 2 }, most, runs, "paired"),
    opening: points.map(({ index }) => `npx ghostlight run x --seed 7 --set point=${index}`),
    ...{ heldOut: [], frontier: null },
    trials: points.map(({ index, values }) => ({
      ...{ number: index, state: index === 4 ? "FAIL" : "COMPLETE", point: index, params: values },
      ...{ isEnqueued: false, broken: [], violated: 0, replicates: 4, violationBound: null },
      values: index === 4 ? null : [20 - index, index * index],
      ...{ reason: index === 4 ? name : null, censored: 0 },
    })),
  };
}

/** The points of the other result as looks of a frontier: one threshold, and one that is not monotone. */
export function frontierResult(): StudyResult {
  const result = studyResult();
  const along = "locks.constrained";
  const design = { kind: "frontier", along, outcome: "spirals", at: 0.5, levels: 3 } as const;
  const looks = [100_000, 200_000, 300_000].map((value, at) => ({
    ...{ value, hits: at * 2, replicates: 4, side: "undecided" as const },
  }));
  const combinations = ["lexical", "embedding"].map((kind, at) => ({
    ...{ setting: { "router.kind": kind }, looks, runs: 12, gridRuns: 12 },
    threshold:
      at === 0
        ? { kind: "between" as const, low: 100_000, high: 300_000, at: 201_234, rises: true }
        : { kind: "notMonotone" as const },
  }));
  const study: Study = { ...result.study, design, goal: null };
  return { ...result, study, trials: [], baseline: null, frontier: { design, combinations } };
}
