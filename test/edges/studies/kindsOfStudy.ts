// One small study of each kind that a command plays.
import { writtenStudy } from "./sweptStudy.ts";

export type StudyCommand = "sweep" | "sense" | "tune";

export interface KindOfStudy {
  readonly kind: string;
  readonly command: StudyCommand;
  readonly lines: readonly string[];
}

const bounds =
  "factors: { locks.constrained: { low: .3, high: .6 }, locks.crisis: { low: .7, high: .9 } }";
const goal = "goal: { minimise: mean, heldOut: 6, trials: 18 }";

/** With limits, and a policy that stays: all that the command of a point must say. */
export const KINDS: readonly KindOfStudy[] = [
  {
    kind: "sweep",
    command: "sweep",
    lines: [
      "factors: { locks.constrained: [.05, .55], stressors.lockFeedback: [true, false] }",
      "design: { kind: grid }",
      "baseline: {}",
    ],
  },
  {
    kind: "sense",
    command: "sense",
    lines: [bounds, "design: { kind: saltelli, rows: 4 }"],
  },
  {
    kind: "tune by CMA-ES",
    command: "tune",
    lines: [bounds, goal, "enqueue: [{ locks.constrained: .4, locks.crisis: .8 }]"],
  },
  {
    kind: "tune by elimination",
    command: "tune",
    lines: [
      "factors: { locks.constrained: [.05, .4, .55], stressors.lockFeedback: [true, false] }",
      goal,
    ],
  },
  {
    kind: "frontier",
    command: "sweep",
    lines: [
      "factors: { locks.constrained: { low: .05, high: .8, step: .05 }, stressors.lockFeedback: [true, false] }",
      "design: { kind: frontier, along: locks.constrained, outcome: locked, levels: 8 }",
    ],
  },
];

export function fileOf({ lines }: KindOfStudy, replicates: number): string {
  return writtenStudy([
    "why: Does the threshold of a lock matter?",
    "scenario: lock-feedback",
    "limits: { envelopes: 90000, queueLength: 5000 }",
    "set: { locks.prominent: .3 }",
    "until: 20m",
    `replicates: ${replicates}`,
    "outcomes:",
    "  mean: { metric: load, reduce: mean }",
    "  peak: { metric: load, reduce: last }",
    "  above: { metric: load, reduce: timeAbove, above: locks.constrained }",
    "  locked: { is: above > 600000 }",
    ...lines,
  ]);
}
