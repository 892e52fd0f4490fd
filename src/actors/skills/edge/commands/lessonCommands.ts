/** `ghostlight skill utility` and `skill analyse`. Modules load only when their command is asked for. */
import type { Command } from "commander";
import { doing, PROFILE_FLAG, repeated, SET_FLAG } from "../../../../cli/flags.ts";
import type { AddCommands } from "../../../../contract/edge/commandPart.ts";

export const addLessonCommands: AddCommands = (program, json, leave) => {
  const by = doing(leave);
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
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option("--batch", "read {id, confidence, retrievals, …} lines, write the utility of each")
    .option(...json)
    .action(by(async () => (await import("./lessons.ts")).skillUtilityCommand));

  skill
    .command("analyse")
    .description("what the formulas imply: ranges, dead clauses, what the cap starves")
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option("--batch", "read {id, set: {PATH: VALUE}} lines, write an analysis for each")
    .option(...json)
    .action(by(async () => (await import("./lessons.ts")).skillAnalyseCommand));
};

/** The commands of skills stand in one group, whichever file adds the first. */
const skillGroup = (program: Command): Command =>
  program.commands.find((one) => one.name() === "skill") ??
  program.command("skill").description("skills that agents acquire, and the lessons they learn");
