/** `ghostlight skill`: its commands and their options. Modules load only when their command is asked for. */
import type { Command } from "commander";
import {
  type By,
  CACHE_FLAG,
  doing,
  PROFILE_FLAG,
  repeated,
  SANDBOX_FLAG,
  SET_FLAG,
} from "../../../../cli/flags.ts";
import type { AddCommands, Flag } from "../../../../contract/edge/commandPart.ts";

export const addSkillCommands: AddCommands = (program, json, leave) => {
  const by = doing(leave);
  const skill = program
    .command("skill")
    .description("what create_skill would say to a skill, and what the formulas of skills imply");
  addNormalize(skill, json, by);
  addCheck(skill, json, by);
};

function addNormalize(skill: Command, json: Flag, by: By): void {
  skill
    .command("normalize")
    .description("a skill's code without what a model wrapped it in; exit 1 when it is refused")
    .argument("[file...]", "Python files, wrapped or not; of several, a line each")
    .option(...SANDBOX_FLAG)
    .option(...CACHE_FLAG)
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option("--batch", "read {id, python_code} lines, write a result for each")
    .option(...json)
    .action(by(async () => (await import("./skill.ts")).skillNormalizeCommand));
}

function addCheck(skill: Command, json: Flag, by: By): void {
  skill
    .command("check")
    .description(
      "normalise and test a skill, and say what would be registered; exit 1 when refused",
    )
    .argument("[file...]", "Python files that are skills; of several, a line each")
    .option("--payload <json>", "the test payload: what the skill gets as sys.argv[1]")
    .option("--name <name>", "the skill's name; the file's by default")
    .option("--description <text>", "the skill's description; its name by default")
    .option(
      "--schema <json>",
      'the JSON Schema of its parameters, to which --payload is held; {"type": "object"} by default',
    )
    .option(...SANDBOX_FLAG)
    .option(...CACHE_FLAG)
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option(
      "--batch",
      "read {id, name, description, parameters_schema, python_code, test_payload} lines, write a result for each",
    )
    .option(...json)
    .action(by(async () => (await import("./skill.ts")).skillCheckCommand));
}
