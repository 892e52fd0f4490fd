// A database of others may hold anything: what a trial leaves is looked at before a search for causes reads it.
import { expect, it } from "vitest";
import {
  idOf,
  isResultOf,
  jobOf,
  jobText,
  keyOf,
  nameOf,
  type QueuedRun,
  queueName,
} from "../../../../src/edges/studies/queue/queueJob.ts";
import { runKey } from "../../../../src/edges/studies/runKey.ts";

const trial = { seed: 1, changes: [], isWhole: true } as const;
const search = {
  ...{ scenario: { name: "s", text: "" }, variant: null, set: {}, untilMs: null, seed: 1 },
  effect: { kind: "asked", question: "goal:cedar/7", says: "it failed" },
} as const;
const queued: QueuedRun = { key: "k", search, trial };

const suspect = {
  ...{ change: { kind: "choice", id: "plan:build" }, first: null, atMs: 0, place: 1, behind: 1 },
};
const left = { occurred: true, outcome: "ended", costs: { "goals.failed": 1 } };

const isTaken = (result: unknown): boolean => isResultOf(queued, JSON.stringify(result));

it("[ST64] takes what a trial leaves", () => {
  const fault = { kind: "fault", does: "fails", tool: "fs_write" };

  expect(isTaken(left)).toBe(true);
  expect(isTaken({ ...left, isUnknown: true, suspects: [] })).toBe(true);
  expect(isTaken({ ...left, suspects: [suspect, { ...suspect, change: fault }] })).toBe(true);
});

it.each([
  ["an outcome of no run", { outcome: "\u001b[31mended" }],
  ["a cost that is no number", { costs: { "goals.failed": "1" } }],
  ["a word for what is unknown", { isUnknown: "maybe" }],
  ["suspects that are no list", { suspects: "all" }],
  ["a suspect without a change", { suspects: [{ ...suspect, change: null }] }],
  ["a suspect that is nothing", { suspects: [null] }],
  ["a change of no kind", { suspects: [{ ...suspect, change: { kind: "magic", id: "x" } }] }],
  ["a change without a name", { suspects: [{ ...suspect, change: { kind: "event" } }] }],
  [
    "a fault that there is not",
    { suspects: [{ ...suspect, change: { kind: "fault", does: "magic", tool: "x" } }] },
  ],
  [
    "a fault without a tool",
    { suspects: [{ ...suspect, change: { kind: "fault", does: "fails" } }] },
  ],
  ["a time that is no number", { suspects: [{ ...suspect, atMs: "0" }] }],
  ["an asker that is no text", { suspects: [{ ...suspect, first: 1 }] }],
])("[ST64] refuses %s, though its hash vouches for it", (_, wrong) => {
  expect(isTaken({ ...left, ...wrong })).toBe(false);
});

it("[ST111] the key of a search's run vouches for all of it", () => {
  const kept = { ...queued, key: keyOf(queued, "code") };
  const left = { kind: "choice", id: "plan:build" } as const;

  expect(jobOf(jobText([kept]), "code")).toEqual([kept]);
  expect(jobOf(jobText([kept]), "other code")).toBeUndefined();
  for (const other of [
    { trial: { ...trial, seed: 2 } },
    { trial: { ...trial, changes: [left] } },
    { trial: { ...trial, isWhole: false } },
    { search: { ...search, untilMs: 1 } },
  ]) {
    expect(jobOf(jobText([{ ...kept, ...other }]), "code")).toBeUndefined();
  }
});

it("[ST111] holds its runs, which their keys vouch for, and what they share once", () => {
  const world = {
    ...{ scenario: { name: "one", text: "why: whole" }, limits: {} },
    ...{ untilMs: null, watched: [] },
  };
  const queuedOf = (point: number, constrained: number) => {
    const set = { "locks.constrained": constrained };
    const run = { point, replicate: 0, seed: 7, variant: null, set };
    return { key: runKey(world, "code", run), world, run };
  };
  const [first, second] = [queuedOf(0, 450), queuedOf(1, 550)];
  const text = jobText([first, second]);

  expect(jobOf(text, "code")).toEqual([first, second]);
  expect(text.split("why: whole")).toHaveLength(2);
  expect(jobOf(text, "other code")).toBeUndefined();
  const forged = { ...second, run: { ...second.run, seed: 8 } };
  expect(jobOf(jobText([first, forged]), "code")).toBeUndefined();
  expect(jobOf(jobText([forged, first]), "code")).toBeUndefined();
  for (const wrong of ["", "null", "[]", "{}", "[1]"]) expect(jobOf(wrong, "code")).toBeUndefined();

  expect(idOf([first])).toBe(first.key);
  const ids = [[first], [second], [first, second], [second, first]] as const;
  expect(new Set(ids.map((job) => idOf(job))).size).toBe(4);
});

it("[ST113] names a run of a search by its seed and what is changed", () => {
  const changes = [{ kind: "choice", id: "plan:build" }] as const;

  expect(nameOf({ ...queued, trial: { ...trial, changes } })).toMatch(
    /^the run of seed 1, with this changed: .*plan:build/,
  );
});

it("[ST111] has a queue for each hash of the code", () => {
  expect(queueName("code")).not.toBe(queueName("other code"));
  expect(queueName(`${"0".repeat(63)}1`)).not.toBe(queueName(`${"0".repeat(63)}2`));
});
