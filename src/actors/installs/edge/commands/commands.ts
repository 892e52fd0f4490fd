/** `ghostlight install`: its commands and their options. Modules load only when their command is asked for. */
import type { Command } from "commander";
import {
  type By,
  CACHE_FLAG,
  decideOptions,
  doing,
  PROFILE_FLAG,
  RUN_PART_FLAG,
  repeated,
  SANDBOX_FLAG,
  SET_FLAG,
} from "../../../../cli/flags.ts";
import type { AddCommands, Flag, Leave } from "../../../../contract/edge/commandPart.ts";

export const addInstallCommands: AddCommands = (program, json, leave) => {
  const by = doing(leave);
  const install = program
    .command("install")
    .description(
      "what the gateway would say to an install, and the person's word on those that wait",
    );
  addCheck(install, json, by);
  addLooks(install, json, by);
  addDecisions(install, json, leave);
};

/** What became of an install, in a recorded run. */
function addLooks(install: Command, json: Flag, by: By): void {
  const bundle: Flag = ["--bundle <folder>", "the run; else the newest under runs/ that knows it"];
  install
    .command("show")
    .description("a revision of a recorded run, whole, with its history; or an approval")
    .argument("<id>", "such as rev-0123abcd or apr-0123abcd")
    .option(...bundle)
    .option(...RUN_PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./look.ts")).installShowCommand));
  install
    .command("diff")
    .description("what two revisions of an agent differ in, field by field")
    .argument("<from>", "such as rev-0123abcd")
    .argument("<to>", "another revision of the same agent")
    .option(...bundle)
    .option(...RUN_PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./look.ts")).installDiffCommand));
}

function addCheck(install: Command, json: Flag, by: By): void {
  install
    .command("check")
    .description("every check of an install on real files; exit 1 with every reason against it")
    .argument(
      "[file]",
      "an intent, a JSON file; - for standard input; or the folder of a skill or an MCP server",
    )
    .option("--artifact <folder>", "the files of the artifact; links in it are not followed")
    .option("--gating <word>", "what the planner said: none or required")
    .option("--records <file>", "what promotion.record was given, a JSON list; asks for promotion")
    .option("--from <address>", "who asks; the builder by default")
    .option(...SANDBOX_FLAG)
    .option(...CACHE_FLAG)
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option(
      "--batch",
      "read {id, intent, artifact, gating, records, from} lines, a result for each",
    )
    .option(...json)
    .action(by(async () => (await import("./check.ts")).installCheckCommand));
}

/** The words of the person at the gate, between two runs. */
function addDecisions(install: Command, json: Flag, leave: Leave): void {
  for (const [decision, says] of [
    ["approve", "say yes to an install that a recorded run waits for, and let it go on"],
    ["reject", "say no to an install that a recorded run waits for, and let it go on"],
  ] as const) {
    const command = install
      .command(decision)
      .description(says)
      .argument("<id>", "an approval, such as apr-0123abcd")
      .option("--bundle <folder>", "the run that waits; else the newest under runs/ that does")
      .option("--feedback <text>", "what the person says to it")
      .option("--as <name>", "who decides; the history of the revision names them");
    decideOptions(command)
      .option(...RUN_PART_FLAG, repeated)
      .option(...json)
      .action(async (id, flags) =>
        leave(await (await import("./decide.ts")).installDecideCommand(decision, id, flags)),
      );
  }

  install
    .command("pending")
    .description("what waits for a person's decision, with all that is known of the install")
    .argument("[folder]", "a bundle, or a folder of bundles; runs by default")
    .option(...RUN_PART_FLAG, repeated)
    .option(...json)
    .action(doing(leave)(async () => (await import("./decide.ts")).installPendingCommand));
}
