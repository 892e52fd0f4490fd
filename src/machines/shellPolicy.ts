/** What one run of `shell_exec` may take. Source: seed 004 names the builtin and no bound; ours. */
import { integer, type ValuesOf } from "./policyLeaf.ts";
import { seconds } from "./units.ts";

export const shellLeaves = {
  limitMs: integer(seconds(30), {
    says: "How long one command line may take: what it sleeps, and its steps.",
    source: "ours: three times what one call of a tool may take",
    unit: "ms",
    min: 1,
    max: seconds(600),
  }),
  steps: integer(500_000, {
    says: "How many steps one command line may take: commands, expansions, looks at the disk.",
    source: "ours: a loop of ten thousand rounds ends well, one without end soon",
    unit: "steps",
    min: 1,
    max: 100_000_000,
  }),
  stepsPerMs: integer(50, {
    says: "How many steps of a shell take a virtual millisecond.",
    source: "ours: so few that the steps end before the wall on any machine",
    unit: "steps per ms",
    min: 1,
    max: 100_000,
  }),
  outputChars: integer(262_144, {
    says: "How much one command line may print to stdout, and to stderr.",
    source: "ours: more than a model reads",
    unit: "characters",
    min: 1,
    max: 1_000_000,
  }),
  changedFiles: integer(1_000, {
    says: "How many files one command line may make, change and remove.",
    source: "ours: far above what agents do",
    unit: "files",
    min: 1,
    max: 10_000,
  }),
  changedChars: integer(1_000_000, {
    says: "How long the paths and texts may be that one command line leaves, all together.",
    source: "ours: a quarter of what one letter may hold",
    unit: "characters",
    min: 1,
    max: 2_000_000,
  }),
  memoryMb: integer(64, {
    says: "How much memory the files, texts and variables of one command line may take.",
    source: "ours: far above all the files of a world",
    unit: "MB",
    min: 1,
    max: 1_024,
  }),
};

export type ShellPolicy = ValuesOf<typeof shellLeaves>;
