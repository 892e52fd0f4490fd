// A small study of several scenarios.

export const severalLines = (scenario: string, ...more: readonly string[]): readonly string[] => [
  "why: In which world does the load rise?",
  `scenario: ${scenario}`,
  "factors: { locks.constrained: [.05, .55] }",
  "design: { kind: grid }",
  "replicates: 2",
  "until: 20m",
  "outcomes:",
  "  peak: { metric: load, reduce: max }",
  ...more,
];

export const BOTH = "[lock-feedback, null-stub]";
