/** `ghostlight import`: its options. Its modules load only when it is asked for. */
import type { AddCommands } from "../../../../contract/edge/commandPart.ts";

export const addImportCommands: AddCommands = (program, json, leave) => {
  program
    .command("import")
    .description("read logs that other agents left, as bundles for why, events, diff and check")
    .argument("[sources...]", "files, folders, or - for standard input")
    .option("--format <name>", "what the files hold, where it cannot be told from them")
    .option("--map <file>", "which field is what, of JSON lines in no known format")
    .option(
      "--explain <file>",
      "what a file holds and the mapping that was guessed; imports nothing",
    )
    .option("--only <log>", "of several logs, the one of that name")
    .option("--scenario <file>", "make a scenario of one log, play it, and say how far it agrees")
    .option("--strict", "exit 1 when anything could not be read")
    .option("--out <folder>", "where the bundle goes, or the bundles of several logs; new or empty")
    .option(...json)
    .action(async (sources, flags) =>
      leave(await (await import("./import.ts")).importCommand(sources, flags)),
    );
};
