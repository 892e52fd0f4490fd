/** The commands that look for causes by changing them. Modules load only when their command is asked for. */
import type { AddCommands } from "../../contract/edge/commandPart.ts";
import {
  CACHE_SAYS,
  countOption,
  PART_FLAG,
  repeated,
  SANDBOX_SAYS,
  WORKERS_SAYS,
} from "../flags.ts";

const OUTCOME_SAYS =
  "what is asked about: a bound such as 'goals.abandoned >= 10', an expectation's name, a question of `why`, a promise; else what the report tells first";

export const addCauseCommands: AddCommands = (program, json, leave) => {
  program
    .command("prevent")
    .description("the least changes after which an outcome is gone, verified, with what they cost")
    .argument("<scenario|bundle>", "a name from `scenarios`, the path of a YAML file, or a bundle")
    .argument("[outcome]", OUTCOME_SAYS)
    .option(
      "--try <variant>",
      "say only what this variant of the scenario prevents; repeatable",
      repeated,
    )
    .option("--runs <n>", "fresh seeds on which each answer is verified; 20", countOption("--runs"))
    .option("--most <n>", "how many answers are verified at most; 8", countOption("--most"))
    .option("--seed <n>", "another seed than the scenario's, 0 … 4294967295")
    .option("--set <path=value>", "the same value of the policy in every run; repeatable", repeated)
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option("--cache <folder>", CACHE_SAYS)
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(async (named, outcome, flags) =>
      leave(await (await import("./prevent.ts")).preventCommand(named, outcome, flags)),
    );
};
