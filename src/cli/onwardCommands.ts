/** The commands by which a recorded run goes on. Modules load only when their command is asked for. */
import type { AddCommands } from "./commandPart.ts";
import { CACHE_SAYS, durationOption, HOST_SAYS, liveOptions, repeated } from "./flags.ts";

const cache = ["--cache <folder>", CACHE_SAYS] as const;

const part = [
  "--part <file>",
  "a module whose default export is a part of one's own, made by definePart; repeatable",
] as const;

export const addOnwardCommands: AddCommands = (program, json, leave) => {
  program
    .command("resume")
    .description(
      "go on with a run of a live model or a person that was interrupted, killed, or ended early",
    )
    .argument("<bundle>")
    .option("--until <duration>", "another end, such as 1h", durationOption("--until"))
    .option("--out <folder>", "where the new bundle goes; must be new or empty")
    .option("--host <url>", HOST_SAYS)
    .option(...cache)
    .option("--any-model", "go on although the model is not the one that was recorded")
    .option(...part, repeated)
    .option(...json)
    .action(async (bundle, flags) =>
      leave(await (await import("./resume.ts")).resumeCommand(bundle, flags)),
    );

  liveOptions(
    program
      .command("fork")
      .description(
        "play a recorded run up to a moment, and go on from there with something changed",
      )
      .argument("<bundle>")
      .requiredOption(
        "--at <moment>",
        "from when on it is changed: a virtual time such as 90s, or the number of a delivery",
      )
      .option(
        "--set <path=value>",
        "another value of the policy from then on; repeatable",
        repeated,
      )
      .option(
        "--drop <input>",
        "omit an outside input that is still to come; repeatable",
        repeated,
      ),
  )
    .option("--until <duration>", "another end, such as 1h", durationOption("--until"))
    .option("--out <folder>", "where the new bundle goes; must be new or empty")
    .option(...cache)
    .option(...part, repeated)
    .option(...json)
    .action(async (bundle, flags) =>
      leave(await (await import("./fork.ts")).forkCommand(bundle, flags)),
    );
};
