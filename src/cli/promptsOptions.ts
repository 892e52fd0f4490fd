/** `ghostlight prompts` on the command line. The command itself loads only when it is asked for. */
import type { AddCommands } from "./commandPart.ts";
import { countOption, durationOption, repeated } from "./flags.ts";

export const addPromptsCommand: AddCommands = (program, json, leave) => {
  program
    .command("prompts")
    .description(
      "what models were asked and answered, in order: what it took, and whether it was usable",
    )
    .argument("<bundle>")
    .option("--actor <name>", "only what this actor asked")
    .option("--purpose <name>", "only questions for this purpose, such as plan")
    .option("--unusable", "only questions that brought no usable answer")
    .option("--from <duration>", "from this virtual time", durationOption("--from"))
    .option("--to <duration>", "up to this virtual time", durationOption("--to"))
    .option("--limit <n>", "at most so many", countOption("--limit"))
    .option(
      "--changes",
      "of a prompt, only what is new since the actor's last one for that purpose",
    )
    .option("--full", "whole texts on a terminal, too, where long ones are cut")
    .option("--summary", "a table by purpose in place of the texts")
    .option(
      "--part <file>",
      "a module whose default export is a part of one's own, made by definePart; repeatable",
      repeated,
    )
    .option(...json)
    .action(async (bundle, flags) =>
      leave(await (await import("./prompts.ts")).promptsCommand(bundle, flags)),
    );
};
