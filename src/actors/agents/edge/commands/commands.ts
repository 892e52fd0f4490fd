/** `ghostlight tool`: its command and its options. */

import { CACHE_SAYS, repeated, SANDBOX_SAYS } from "../../../../cli/flags.ts";
import type { AddCommands } from "../../../../contract/edge/commandPart.ts";

export const addToolCommands: AddCommands = (program, json, leave) => {
  program
    .command("tool")
    .description("what synthesize_capability would say to a tool")
    .command("check")
    .description("take one Python file through the nine steps; exit 1 when it is rejected")
    .argument("[file]", "a Python file; an empty one gets the auto-stub")
    .option("--name <name>", "the tool's name; the file's by default")
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option("--cache <folder>", CACHE_SAYS)
    .option("--description <text>", "the tool's description")
    .option("--call <json>", "then call it with these arguments; repeatable", repeated)
    .option("--file <virtual=real>", "a file that its calls find there; repeatable", repeated)
    .option("--set <path=value>", "change one value of the policy; repeatable", repeated)
    .option("--profile <name>", "change a named set of values")
    .option(
      "--batch",
      "read {id, name, description, implementation} lines, write a result for each",
    )
    .option(...json)
    .action(async (file, flags) =>
      leave(await (await import("./tool.ts")).toolCheckCommand(file, flags)),
    );
};
