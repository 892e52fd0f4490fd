// A study of numbers whose outcomes a test makes up: no run is played.
import type { Factor, Study } from "../../src/studies/study.ts";

export const numberFactor = (name: string, high = 1_000): Factor => ({
  ...{ kind: "number", name, low: 0, high, isLog: false, step: 1 },
});

export const numberStudy = (change: Partial<Study> = {}): Study => ({
  name: "numbers",
  why: "What do numbers do?",
  scenario: { name: "none", text: "" },
  seed: 1,
  untilMs: null,
  limits: {},
  variant: null,
  set: {},
  factors: ["a", "b", "c"].map((name) => numberFactor(name)),
  where: [],
  design: null,
  replicates: { count: 2, seeds: "common", batch: 30 },
  stop: null,
  outcomes: [
    {
      ...{ kind: "reduced", name: "y", metric: "load", actor: "world", reduce: "last" },
      ...{ above: null, fromMs: 0, untilMs: null },
    },
  ],
  baseline: { a: 500, b: 500, c: 500 },
  isCompared: false,
  goal: null,
  enqueue: [],
  watched: [],
  leaves: {},
  units: { leaves: {}, outcomes: {} },
  ...change,
});
