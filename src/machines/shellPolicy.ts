/** What one run of `shell_exec` may take. Source: seed 004 names the builtin and no bound; ours. */
import { between, integer, type ValuesOf } from "./policyLeaf.ts";
import { seconds } from "./units.ts";

export const shellLeaves = {
  limitMs: integer(seconds(30), between(1, seconds(600), "ms"), {
    says: "How long one command line may take: what it sleeps, and its steps.",
    source: "ours: three times what one call of a tool may take",
  }),
  steps: integer(500_000, between(1, 100_000_000, "steps"), {
    says: "How many steps one command line may take: commands, expansions, looks at the disk.",
    source: "ours: a loop of ten thousand rounds ends well, one without end soon",
  }),
  stepsPerMs: integer(50, between(1, 100_000, "steps per ms"), {
    says: "How many steps of a shell take a virtual millisecond.",
    source: "ours: so few that the steps end before the wall on any machine",
  }),
  outputChars: integer(262_144, between(1, 1_000_000, "characters"), {
    says: "How much one command line may print to stdout, and to stderr.",
    source: "ours: more than a model reads",
  }),
  changedFiles: integer(1_000, between(1, 10_000, "files"), {
    says: "How many files one command line may make, change and remove.",
    source: "ours: far above what agents do",
  }),
  changedChars: integer(1_000_000, between(1, 2_000_000, "characters"), {
    says: "How long the paths and texts may be that one command line leaves, all together.",
    source: "ours: a quarter of what one letter may hold",
  }),
  memoryMb: integer(64, between(1, 1_024, "MB"), {
    says: "How much memory the files, texts and variables of one command line may take.",
    source: "ours: far above all the files of a world",
  }),
};

export type ShellPolicy = ValuesOf<typeof shellLeaves>;
