/** A world of ferryPart.ts, as YAML. */
export const bayText = `why: "Cars come to a ferry that takes too few."
source: ours
startsAt: 2026-01-01T00:00:00Z
seed: 7
runsFor: 2h
ferry:
  cars:
    - { id: ann, at: 1m }
    - { id: ben, at: 2m }
    - { id: cat, at: 3m }
    - { id: dan, at: 4m }
events:
  - { id: fog, at: 5m, does: ferry.hold }
policy:
  ferry.places: 1
expect:
  - { name: some drive round, metric: ferry.round, op: ">", value: 0 }
variants:
  larger: { why: "A larger ferry.", policy: { ferry.places: 4 }, expect: inherit }
`;
