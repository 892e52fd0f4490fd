// Two points of two runs each, beside the baseline.
export const smallStudy = `why: Does a higher threshold keep locks away?
scenario: lock-feedback
factors:
  locks.constrained: [.45, .65]
design: { kind: grid }
replicates: 2
outcomes:
  peak: { metric: load, reduce: max }
  done: { metric: goals.completed, reduce: last }
baseline: {}
`;
