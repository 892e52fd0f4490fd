/** What one run of `shell_exec` may take. Source: seed 004 names the builtin and no bound; ours. */
import { between, integer, type ValuesOf } from "./policyLeaf.ts";
import { seconds } from "./units.ts";

export const shellLeaves = {
  limitMs: integer(seconds(30), {
    says: "How long one command line may take: what it sleeps, and its steps.",
    source: "ours: three times what one call of a tool may take",
    ...between(1, seconds(600), "ms"),
  }),
  steps: integer(500_000, {
    says: "How many steps one command line may take: commands, expansions, looks at the disk.",
    source: "ours: a loop of ten thousand rounds ends well, one without end soon",
    ...between(1, 100_000_000, "steps"),
  }),
  stepsPerMs: integer(50, {
    says: "How many steps of a shell take a virtual millisecond.",
    source: "ours: so few that the steps end before the wall on any machine",
    ...between(1, 100_000, "steps per ms"),
  }),
  outputChars: integer(262_144, {
    says: "How much one command line may print to stdout, and to stderr.",
    source: "ours: more than a model reads",
    ...between(1, 1_000_000, "characters"),
  }),
  changedFiles: integer(1_000, {
    says: "How many files one command line may make, change and remove.",
    source: "ours: far above what agents do",
    ...between(1, 10_000, "files"),
  }),
  changedChars: integer(1_000_000, {
    says: "How long the paths and texts may be that one command line leaves, all together.",
    source: "ours: a quarter of what one letter may hold",
    ...between(1, 2_000_000, "characters"),
  }),
  memoryMb: integer(64, {
    says: "How much memory the files, texts and variables of one command line may take.",
    source: "ours: far above all the files of a world",
    ...between(1, 1_024, "MB"),
  }),
};

export type ShellPolicy = ValuesOf<typeof shellLeaves>;
