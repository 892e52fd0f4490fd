// What the fields of a scenario's `synt:` demand of one another.

import { expect, test } from "vitest";
import { BadInput } from "../../src/edges/errors.ts";
import { parseScenario } from "../builtInScenarios.ts";

const whole = `why: A pool.
source: ours
startsAt: 2026-06-05T08:00:00Z
seed: 1
runsFor: 1h
agents: []
model: { goals: [] }
synt:
  executors:
    - { name: read_files, description: reads, seen: { runs: 4, ok: 3, meanMs: 1, cases: { csv: 4 } } }
    - { name: move_files, description: moves }
  mnests: [{ from: read_files, to: move_files, uses: 3 }]
  missing: [{ name: sort_files, intent: Sort them., from: read_files }]
  memos: [{ query: Tidy up., chain: [read_files, move_files], uses: 3 }]
  turns:
    - { id: first, at: 1m, says: Tidy up. }
    - { id: last, at: 60m, says: Tidy up. }
  answers:
    - { id: plan, to: plan, answer: { steps: [] } }
    - { id: judge, to: judge, fails: no }
  person: [{ id: yes-always, decision: approve }]
events: [{ id: noon, at: 4m, does: synt.homeostasis }]
`;

function problemsAfter(from: string, to: string): string[] {
  if (!whole.includes(from)) throw new Error(`${from} is not in the scenario`);
  try {
    parseScenario(whole.replace(from, to), "x.yaml");
    return [];
  } catch (thrown) {
    if (!(thrown instanceof BadInput)) throw thrown;
    const all = [thrown, ...(thrown.more ?? [])];
    return all.map(({ where, found, allowed }) => `${where.path}: ${found}; ${allowed}`);
  }
}

test("the whole scenario has no problem", () => {
  expect(problemsAfter("why: A pool.", "why: A pool.")).toEqual([]);
});

/** One problem, where a row says it; a second executor of one name takes that of the other away. */
const expectProblem = (from: string, to: string, problem: string): void => {
  const problems = problemsAfter(from, to);

  expect(problems[0]).toContain(`synt.${problem}`);
  expect(problems.length).toBeLessThanOrEqual(to.includes("name: read_files, d") ? 4 : 1);
};

test.each([
  ["name: move_files, d", "name: read_files, d", 'executors[1].name: "read_files" again'],
  ["to: move_files", "to: mov_files", 'mnests[0].to: "mov_files"; the name of an executor'],
  ["from: read_files, to", "from: reads, to", 'mnests[0].from: "reads"; the name of an executor'],
  ["name: sort_files", "name: move_files", "missing[0].name"],
  ["them., from: read_files", "them., from: rf", 'missing[0].from: "rf"; the name of an executor'],
  ["chain: [read_files", "chain: [ghost", 'memos[0].chain[0]: "ghost"; the name of an executor'],
  ["fails: no", "fails: no, answer: 1", 'answers[1]: "judge"; one of answer, judges and fails'],
])("[VB25] of executors that are listed: %s for %s", expectProblem);

test.each([
  ["id: last", "id: first", 'turns[1].id: "first" again; each name once'],
  ["id: last", "id: noon", 'turns[1].id: "noon" again; each name once'],
  ["id: judge", "id: plan", 'answers[1].id: "plan" again; each name once'],
  [
    "decision: approve }",
    "decision: approve }, { id: yes-always, decision: discard }",
    'person[1].id: "yes-always" again; each name once',
  ],
  [
    "person:",
    "labels: [{ id: a, match: x, is: good }, { id: a, match: y, is: bad }]\n  person:",
    'labels[1].id: "a" again; each name once',
  ],
])("[VB25] ids are unique: %s for %s", expectProblem);

test.each([
  ["ok: 3", "ok: 5", "executors[0].seen.ok: 5; at most the 4 runs"],
  ["csv: 4", "csv: 4, doc: 1", "executors[0].seen.cases: 5; at most the 4 runs"],
  ["at: 60m", "at: 3600001ms", 'turns[1].at: "3600001ms"; a time up to the end, 1h'],
])(
  "[VB25] no turn after the end, no more that went well than there were: %s for %s",
  expectProblem,
);

test.each([
  ["ok: 3", "ok: 4"],
  ["at: 60m", "at: 3600000ms"],
])(
  "[VB25] as many as there were may have gone well, and a turn come at the end: %s for %s",
  (from, to) => {
    expect(problemsAfter(from, to)).toEqual([]);
  },
);
