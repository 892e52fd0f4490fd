/** `sweep`, `sense` and `tune`: what plays a study. */
import type { Command } from "commander";
import { CACHE_SAYS, countOption, repeated, SANDBOX_SAYS } from "./flags.ts";

/** Options that all of them have. */
const played = (command: Command) =>
  command
    .argument("<study>", "a name from `studies`, or the path of a YAML file")
    .option("--out <folder>", "where the study is kept; the same command goes on in it")
    .option(
      "--workers <n>",
      "threads that play; one for each core, at most 8",
      countOption("--workers"),
    )
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option("--cache <folder>", CACHE_SAYS)
    .option(
      "--dry-run",
      "play two runs to time them, keep nothing; say how many runs there are, and how long they take",
    )
    .option(
      "--part <file>",
      "a module whose default export is a part of one's own, made by definePart; repeatable",
      repeated,
    )
    .option("--json", "one machine-readable object on stdout");

export function addStudyCommands(program: Command, leave: (code: number) => void): void {
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
}

/** `tune`, to which whoever can be tuned adds a command. */
export const tuneCommand = (program: Command): Command =>
  program.commands.find((one) => one.name() === "tune") ??
  program.command("tune").description("find the settings that reach a goal best");
