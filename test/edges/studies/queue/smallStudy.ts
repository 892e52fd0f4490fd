// Two points of four runs each.
export const smallStudy = `why: Does a higher threshold keep locks away?
scenario: lock-feedback
factors:
  locks.constrained: [.45, .65]
design: { kind: grid }
replicates: 4
outcomes:
  peak: { metric: load, reduce: max }
  done: { metric: goals.completed, reduce: last }
baseline: {}
`;
