/** `ghostlight install`: its commands and their options. Modules load only when their command is asked for. */
import type { Command } from "commander";
import { CACHE_SAYS, decideOptions, repeated, SANDBOX_SAYS } from "../../../../cli/flags.ts";
import type { AddCommands, Flag, Leave } from "../../../../contract/edge/commandPart.ts";

const set: Flag = ["--set <path=value>", "change one value of the policy; repeatable"];
const part: Flag = [
  "--part <file>",
  "a module with a part of one's own that the run had; repeatable",
];
const profile: Flag = ["--profile <name>", "change a named set of values"];

export const addInstallCommands: AddCommands = (program, json, leave) => {
  const install = program
    .command("install")
    .description(
      "what the gateway would say to an install, and the person's word on those that wait",
    );
  addCheck(install, json, leave);
  addLooks(install, json, leave);
  addDecisions(install, json, leave);
};

/** What became of an install, in a recorded run. */
function addLooks(install: Command, json: Flag, leave: Leave): void {
  const bundle: Flag = ["--bundle <folder>", "the run; else the newest under runs/ that knows it"];
  install
    .command("show")
    .description("a revision of a recorded run, whole, with its history; or an approval")
    .argument("<id>", "such as rev-0123abcd or apr-0123abcd")
    .option(...bundle)
    .option(...part, repeated)
    .option(...json)
    .action(async (id, flags) =>
      leave(await (await import("./look.ts")).installShowCommand(id, flags)),
    );
  install
    .command("diff")
    .description("what two revisions of an agent differ in, field by field")
    .argument("<from>", "such as rev-0123abcd")
    .argument("<to>", "another revision of the same agent")
    .option(...bundle)
    .option(...part, repeated)
    .option(...json)
    .action(async (from, to, flags) =>
      leave(await (await import("./look.ts")).installDiffCommand(from, to, flags)),
    );
}

function addCheck(install: Command, json: Flag, leave: Leave): void {
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
    .option("--sandbox <kind>", SANDBOX_SAYS)
    .option("--cache <folder>", CACHE_SAYS)
    .option(...set, repeated)
    .option(...profile)
    .option(
      "--batch",
      "read {id, intent, artifact, gating, records, from} lines, a result for each",
    )
    .option(...json)
    .action(async (file, flags) =>
      leave(await (await import("./check.ts")).installCheckCommand(file, flags)),
    );
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
      .option(...part, repeated)
      .option(...json)
      .action(async (id, flags) =>
        leave(await (await import("./decide.ts")).installDecideCommand(decision, id, flags)),
      );
  }

  install
    .command("pending")
    .description("what waits for a person's decision, with all that is known of the install")
    .argument("[folder]", "a bundle, or a folder of bundles; runs by default")
    .option(...part, repeated)
    .option(...json)
    .action(async (folder, flags) =>
      leave(await (await import("./decide.ts")).installPendingCommand(folder, flags)),
    );
}
