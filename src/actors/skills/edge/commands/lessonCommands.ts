/** `ghostlight skill utility` and `skill analyse`. Modules load only when their command is asked for. */
import type { Command } from "commander";
import { repeated } from "../../../../cli/flags.ts";
import type { AddCommands, Flag } from "../../../../contract/edge/commandPart.ts";

const set: Flag = ["--set <path=value>", "change one value of the policy; repeatable"];
const profile: Flag = ["--profile <name>", "change a named set of values"];

export const addLessonCommands: AddCommands = (program, json, leave) => {
  const skill = skillGroup(program);
  skill
    .command("utility")
    .description("what a lesson is worth, term by term, and what decides whether it stays")
    .option("--confidence <share>", "0 … 1; 0.5 by default")
    .option("--retrievals <n>", "how often it was put into a prompt; 0 by default")
    .option("--helpful <n>", "how often that helped; 0 by default")
    .option("--frequency <n>", "how often it was learned; 1 by default")
    .option("--verified", "whether a second run proved that it helps")
    .option("--file <file>", "a lesson as JSON, instead of the options above")
    .option(...set, repeated)
    .option(...profile)
    .option("--batch", "read {id, confidence, retrievals, …} lines, write the utility of each")
    .option(...json)
    .action(async (flags) =>
      leave(await (await import("./lessons.ts")).skillUtilityCommand(flags)),
    );

  skill
    .command("analyse")
    .description("what the formulas imply: ranges, dead clauses, what the cap starves")
    .option(...set, repeated)
    .option(...profile)
    .option("--batch", "read {id, set: {PATH: VALUE}} lines, write an analysis for each")
    .option(...json)
    .action(async (flags) =>
      leave(await (await import("./lessons.ts")).skillAnalyseCommand(flags)),
    );
};

/** The commands of skills stand in one group, whichever file adds the first. */
const skillGroup = (program: Command): Command =>
  program.commands.find((one) => one.name() === "skill") ??
  program.command("skill").description("skills that agents acquire, and the lessons they learn");
