/** The commands of studies. Modules load only when their command is asked for. */
import type { Command } from "commander";
import type { AddCommands } from "./commandPart.ts";
import {
  CACHE_SAYS,
  countOption,
  durationOption,
  INTERPRETER_SAYS,
  QUEUE_SAYS,
  repeated,
  SANDBOX_SAYS,
  WORKERS_SAYS,
} from "./flags.ts";

/** `ghostlight tune`, to which whoever can be tuned adds a command. */
export const tuneCommand = (program: Command): Command =>
  program.commands.find((one) => one.name() === "tune") ??
  program.command("tune").description("find the settings that reach a goal best");

const PART_SAYS =
  "a module whose default export is a part of one's own, made by definePart; repeatable";

/** Options of all that play a study. */
const played = (command: Command) =>
  command
    .argument("<study>", "a name from `studies`, or the path of a YAML file")
    .option("--out <folder>", "where the study is kept; the same command goes on in it")
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option("--queue <url>", QUEUE_SAYS)
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option("--cache <folder>", CACHE_SAYS)
    .option("--interpreter <kind>", INTERPRETER_SAYS)
    .option(
      "--dry-run",
      "play two runs to time them, keep nothing; say how many runs there are, and how long they take",
    )
    .option("--part <file>", PART_SAYS, repeated)
    .option("--json", "one machine-readable object on stdout");

export const addStudyCommands: AddCommands = (program: Command, json, leave) => {
  program
    .command("studies")
    .description("the studies that come with ghostlight")
    .option("--new <name>", "write a first one of your own, which works, to change it")
    .option(...json)
    .action(async (flags) => leave(await (await import("./studies.ts")).studiesCommand(flags)));

  played(program.command("sweep"))
    .description("play every point of a study, and say how its outcomes differ between them")
    .option("--plain", "compare without regard to common seeds")
    .action(async (study, flags) =>
      leave(await (await import("./sweep.ts")).sweepCommand(study, flags)),
    );
  played(program.command("sense"))
    .description("say which factors of a study matter: Sobol indices, or Morris's screening")
    .action(async (study, flags) =>
      leave(await (await import("./sense.ts")).senseCommand(study, flags)),
    );
  played(tuneCommand(program)).action(async (study, flags) =>
    leave(await (await import("./tune.ts")).tuneStudyCommand(study, flags)),
  );

  program
    .command("work")
    .description("play runs of studies for other machines; stops at SIGTERM after its runs")
    .requiredOption("--queue <url>", QUEUE_SAYS)
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option(
      "--idle <duration>",
      "end where nothing was to be played for so long, such as 10m",
      durationOption("--idle"),
    )
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option("--cache <folder>", CACHE_SAYS)
    .option("--interpreter <kind>", INTERPRETER_SAYS)
    .option("--part <file>", PART_SAYS, repeated)
    .option(...json)
    .action(async (flags) => leave(await (await import("./work.ts")).workCommand(flags)));
};
