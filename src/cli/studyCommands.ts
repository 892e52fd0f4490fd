/** The commands that play studies. */
import type { AddCommands, Flag } from "./commandPart.ts";
import {
  CACHE_SAYS,
  countOption,
  durationOption,
  QUEUE_SAYS,
  repeated,
  SANDBOX_SAYS,
  WORKERS_SAYS,
} from "./flags.ts";

const cache: Flag = ["--cache <folder>", CACHE_SAYS];
const part: Flag = [
  "--part <file>",
  "a module whose default export is a part of one's own, made by definePart; repeatable",
];

export const addStudyCommands: AddCommands = (program, json, leave) => {
  program
    .command("sweep")
    .description("play every point of a study, and say how its outcomes differ between them")
    .argument("<study>", "a name from `studies`, or the path of a YAML file")
    .option("--out <folder>", "where the study is kept; the same command goes on in it")
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option("--queue <url>", QUEUE_SAYS)
    .option("--plain", "compare without regard to common seeds")
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option(...cache)
    .option(
      "--dry-run",
      "play two runs to time them, keep nothing; say how many runs there are, and how long they take",
    )
    .option(...part, repeated)
    .option(...json)
    .action(async (study, flags) =>
      leave(await (await import("./sweep.ts")).sweepCommand(study, flags)),
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
    .option(...cache)
    .option(...part, repeated)
    .option(...json)
    .action(async (flags) => leave(await (await import("./work.ts")).workCommand(flags)));
};
