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
    .command("blame")
    .description("which choice or outside input decided: each left out, and all of them together")
    .argument("<bundle|scenario>", "a bundle of a scripted run, or a scenario, which is played")
    .argument("[outcome]", OUTCOME_SAYS)
    .option("--exact", "of this run: all draws as they were, yes or no, in place of a probability")
    .option("--when", "also how often it came about from each moment on: when was it baked in?")
    .option("--runs <n>", "continuations of each; 30", countOption("--runs"))
    .option("--most <n>", "how many suspects are ranked at most; 20", countOption("--most"))
    .option("--no-policy", "leave out inputs and choices alone; try no value of the policy")
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option("--cache <folder>", CACHE_SAYS)
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(async (named, outcome, flags) =>
      leave(await (await import("./blame.ts")).blameCommand(named, outcome, flags)),
    );

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
    .option("--no-policy", "leave out inputs and choices alone; try no value of the policy")
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option("--cache <folder>", CACHE_SAYS)
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(async (named, outcome, flags) =>
      leave(await (await import("./prevent.ts")).preventCommand(named, outcome, flags)),
    );
};
