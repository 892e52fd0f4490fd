/** The commands of studies. Modules load only when their command is asked for. */
import type { Command } from "commander";
import type { AddCommands } from "../../contract/edge/commandPart.ts";
import {
  countOption,
  doing,
  durationOption,
  INTERPRETER_SAYS,
  PART_FLAG,
  QUEUE_SAYS,
  repeated,
  SANDBOX_FLAG,
  WORKERS_SAYS,
} from "../flags.ts";

/** `ghostlight tune`, to which whoever can be tuned adds a command. */
export const tuneCommand = (program: Command): Command =>
  program.commands.find((one) => one.name() === "tune") ??
  program.command("tune").description("find the settings that reach a goal best");

const CACHE_SAYS =
  "a folder that keeps runs, and what Python and the shell answered, for later studies, or none; remove it to empty it";

/** Below a command's options. */
const examples = (lines: readonly (readonly [command: string, says: string])[]): string => {
  const width = Math.max(...lines.map(([command]) => command.length));
  const said = lines.map(([command, says]) => `  ghostlight ${command.padEnd(width)}  ${says}`);
  return `\nExamples:\n${said.join("\n")}`;
};

/** Options of all that play a study; `kept` is how the folder is called that it is kept in. */
const played = (command: Command, kept: string) =>
  command
    .argument("<study>", "a name from `studies`, or the path of a YAML file")
    .option(
      "--out <folder>",
      `where the study is kept, runs/${kept}-NAME if absent; the same command goes on in it`,
    )
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option("--queue <url>", QUEUE_SAYS)
    .option(...SANDBOX_FLAG)
    .option("--cache <folder>", CACHE_SAYS)
    .option("--interpreter <kind>", INTERPRETER_SAYS)
    .option(
      "--dry-run",
      "play two runs to time them, keep nothing; say how many runs there are, and how long they take",
    )
    .option(...PART_FLAG, repeated)
    .option("--json", "one machine-readable object on stdout");

export const addStudyCommands: AddCommands = (program: Command, json, leave) => {
  const by = doing(leave);
  program
    .command("studies")
    .description("the studies that come with ghostlight")
    .option("--new <name>", "write a first one of your own, which works, to change it")
    .option(...json)
    .addHelpText(
      "after",
      examples([
        ["studies", "what the shipped ones ask"],
        ["studies --new mine", "writes mine.yaml, to be changed"],
        ["metrics load", "what outcomes can measure"],
        ["policy locks", "what factors can vary, and their bounds"],
      ]),
    )
    .action(by(async () => (await import("./studies.ts")).studiesCommand));

  played(program.command("sweep"), "study")
    .description("play every point of a study, and say how its outcomes differ between them")
    .option("--plain", "compare without regard to common seeds")
    .addHelpText(
      "after",
      examples([
        ["sweep lock-thresholds --dry-run", "how many runs, how long"],
        ["sweep lock-thresholds", "and goes on after Ctrl-C"],
        ["sweep ./mine.yaml --cache kept", "takes runs of other studies"],
        ["sweep spiral-frontier", "where half of all runs spiral"],
      ]),
    )
    .action(by(async () => (await import("./sweep.ts")).sweepCommand));
  played(program.command("sense"), "sense")
    .description("say which factors of a study matter: Sobol indices, or Morris's screening")
    .addHelpText(
      "after",
      `\nThe study has design: { kind: saltelli, rows: 64 } for S1, ST and S2,
or { kind: morris, trajectories: 20 } for mu, mu_star and sigma (SALib's names).
${examples([
  ["sense ./mine.yaml --dry-run", "how many runs, how long"],
  ["sense ./mine.yaml --json", "the indices as one object"],
])}`,
    )
    .action(by(async () => (await import("./sense.ts")).senseCommand));
  played(tuneCommand(program), "tune")
    .addHelpText(
      "after",
      `\nThe study has goal: { maximise: OUTCOME }, or minimise; two give a front. Points
that break a promise are infeasible; what is claimed is of seeds never searched.
${examples([
  ["tune synt-weights-chains", "of lists: by elimination"],
  ["tune ./mine.yaml --dry-run", "how many runs, how long"],
  ["tune rweights --decisions decisions.jsonl", "R as a person decided"],
])}`,
    )
    .action(by(async () => (await import("./tune.ts")).tuneStudyCommand));

  program
    .command("discover")
    .description("say which settings of a study that was played decide whether an outcome holds")
    .argument("<folder>", "what a study left, such as runs/study-NAME")
    .requiredOption(
      "--outcome <name>",
      "an outcome of the study, or NAME>=BOUND (>, <=, <); times in ms, or as 1h30m",
    )
    .option("--importance", "say how much each factor matters, by two surrogates")
    .option(...json)
    .addHelpText(
      "after",
      examples([
        [
          "discover runs/study-lock-thresholds --outcome 'peak>=.75'",
          "a rule, a box, and how stable both are",
        ],
      ]),
    )
    .action(by(async () => (await import("./discover.ts")).discoverCommand));

  program
    .command("work")
    .description(
      "play runs of studies, `blame` and `prevent` for other machines; stops at SIGTERM after its runs",
    )
    .requiredOption("--queue <url>", QUEUE_SAYS)
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option(
      "--idle <duration>",
      "end where nothing was to be played for so long, such as 10m",
      durationOption("--idle"),
    )
    .option(...SANDBOX_FLAG)
    .option("--cache <folder>", CACHE_SAYS)
    .option("--interpreter <kind>", INTERPRETER_SAYS)
    .option(...PART_FLAG, repeated)
    .option(...json)
    .addHelpText(
      "after",
      examples([
        ["sweep STUDY --queue postgres://me@db/runs", "puts runs in"],
        ["work --queue postgres://me@db/runs", "plays them"],
        ["work --queue postgres://me@db/runs --idle 10m", "and then ends"],
      ]),
    )
    .action(by(async () => (await import("./work.ts")).workCommand));
};
