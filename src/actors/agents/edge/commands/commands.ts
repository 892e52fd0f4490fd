/** `ghostlight tool`: its command and its options. */

import {
  CACHE_FLAG,
  doing,
  PROFILE_FLAG,
  repeated,
  SANDBOX_FLAG,
  SET_FLAG,
} from "../../../../cli/flags.ts";
import type { AddCommands } from "../../../../contract/edge/commandPart.ts";

export const addToolCommands: AddCommands = (program, json, leave) => {
  const by = doing(leave);
  program
    .command("tool")
    .description("what synthesize_capability would say to a tool")
    .command("check")
    .description("take one Python file through the nine steps; exit 1 when it is rejected")
    .argument("[file]", "a Python file; an empty one gets the auto-stub")
    .option("--name <name>", "the tool's name; the file's by default")
    .option(...SANDBOX_FLAG)
    .option(...CACHE_FLAG)
    .option("--description <text>", "the tool's description")
    .option("--call <json>", "then call it with these arguments; repeatable", repeated)
    .option("--file <virtual=real>", "a file that its calls find there; repeatable", repeated)
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option(
      "--batch",
      "read {id, name, description, implementation} lines, write a result for each",
    )
    .option(...json)
    .action(by(async () => (await import("./tool.ts")).toolCheckCommand));
};
