// A small sweep, and what it left.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { newFolder } from "../../folders.ts";

/** A study's file in a folder of its own. */
export function writtenStudy(lines: readonly string[]): string {
  const file = join(newFolder(), "small.yaml");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** Runs of some milliseconds each. */
export function studyFile(replicates: number, more: string = ""): string {
  return writtenStudy([
    "why: Does the threshold of a lock matter?",
    "scenario: lock-feedback",
    "factors: { locks.constrained: [.05, .55], stressors.lockFeedback: [true, false] }",
    "design: { kind: grid }",
    `replicates: ${replicates}`,
    "until: 20m",
    "outcomes:",
    "  peak: { metric: load, reduce: max }",
    "  mean: { metric: load, reduce: mean }",
    "baseline: {}",
    more,
  ]);
}

const FILES = [
  ...["study.json", "runs.csv", "runs.parquet", "points.csv", "report.html"],
  ...["trials.csv", "frontier.csv"],
];

/** All that must be the same, whoever played it and however often it was begun. */
export const leftIn = (folder: string) =>
  FILES.map((file) => join(folder, file))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "latin1"));

/** Each run as its table has it. */
export function keptIn(folder: string) {
  const db = new DatabaseSync(join(folder, "study.sqlite"), { readOnly: true });
  try {
    return db
      .prepare("SELECT point, replicate, seed, state, sha256 FROM jobs ORDER BY point, replicate")
      .all()
      .map((row) => ({ ...row }));
  } finally {
    db.close();
  }
}
