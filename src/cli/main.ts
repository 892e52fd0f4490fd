/** The command line. Every command returns its exit code; every failure says what to do next. */
import { setFlagsFromString } from "node:v8";
import { Command, CommanderError, Option } from "commander";
import { isEdgeError } from "../edges/errors.ts";
import { EXIT, isFullDisk } from "../edges/exit.ts";
import { VERSION } from "../edges/product.ts";
import { partCommands } from "../partCommands.ts";
import { addBundleCommands, addCauseCommands } from "./bundleCommands.ts";
import {
  CACHE_FLAG,
  countOption,
  doing,
  durationOption,
  INTERPRETER_SAYS,
  liveOptions,
  PART_FLAG,
  PROFILE_FLAG,
  repeated,
  SANDBOX_FLAG,
  SET_FLAG,
} from "./flags.ts";
import {
  canPrint,
  clearProgress,
  fitWith,
  holdOutput,
  inCommand,
  note,
  printExactly,
  printJson,
  releaseHeld,
  takeHeld,
} from "./output.ts";
import { listenToSignals } from "./signals.ts";
import { addStudyCommands } from "./study/studyCommands.ts";

// Else garbage may grow to several times what is kept before it is collected. Costs a few percent of time.
setFlagsFromString("--heap-growing-percent=50");

const program = new Command("ghostlight")
  .description("Deterministic simulation and replay for LLM agents that write their own tools")
  .version(VERSION)
  .exitOverride()
  .showHelpAfterError("(--help shows what is allowed)")
  .configureOutput({ writeOut: printExactly, writeErr: (text) => note(text.trimEnd()) })
  // Before any module that makes a digest; help and bad usage make none.
  .hook("preAction", async () => void (await import("../edges/bundle/nodeSha256.ts")));

const json = ["--json", "one machine-readable object on stdout"] as const;

const leave = (code: number): void => {
  process.exitCode = code;
};
const by = doing(leave);

liveOptions(
  program
    .command("run")
    .description("play a scenario, write its bundle, say what happened")
    .argument("<scenario>", "a name from `scenarios`, or the path of a YAML file")
    .option("--variant <name>", "play one of the scenario's counterfactuals")
    .option("--compare", "also play every variant and set them side by side")
    .option("--seed <n>", "another seed, 0 … 4294967295")
    .addOption(
      new Option(
        "--seeds <a..b>",
        "how often the expectations hold over many seeds, beside a variant; writes no bundle",
      ).conflicts(["seed", "compare", "until", "out", "assert"]),
    )
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option("--until <duration>", "end earlier, such as 1h", durationOption("--until"))
    .option(
      "--limit <name=n>",
      "another bound of a run, such as envelopes=1000; repeatable",
      repeated,
    )
    .option("--out <folder>", "where the bundle goes; must be new or empty")
    .option(...SANDBOX_FLAG)
    .option(...CACHE_FLAG)
    .option("--interpreter <kind>", INTERPRETER_SAYS),
)
  .option("--ask", "in a live run: you answer what agents ask of people, on this terminal")
  .option(
    "--gate <who>",
    "who decides where a person is asked at a gate: scripted (default), terminal, later, nobody",
  )
  .option("--no-log", "omit events.jsonl; it can be derived again")
  .option(
    "--assert",
    "let expectations decide also with another seed, policy, model, gate or end than the scenario's",
  )
  .option(
    "--dry-run",
    "play nothing; say what would be played, how often models are asked where that is known, and what is likely to come to nothing",
  )
  .option(...PART_FLAG, repeated)
  .option(...json)
  .action(by(async () => (await import("./run.ts")).runCommand));

liveOptions(
  program
    .command("replay")
    .description("run a bundle again from its recording and compare every digest")
    .argument("<bundle>")
    .option("--strict", "exit 4 when the recording does not hold a call, instead of 3")
    .option(
      "--set <path=value>",
      "play it with another policy: a changed run; repeatable",
      repeated,
    )
    .option("--variant <name>", "play it as a variant of its scenario: a changed run")
    .option("--interpreter <kind>", INTERPRETER_SAYS)
    .option("--out <folder>", "where a changed run's bundle goes; must be new or empty"),
)
  .option(...CACHE_FLAG)
  .option(...PART_FLAG, repeated)
  .option(...json)
  .action(by(async () => (await import("./replayed.ts")).replayCommand));

addBundleCommands(program, json, leave);

program
  .command("check")
  .description(
    "put properties to the test over random worlds or worlds near a scenario; or look for findings in logs",
  )
  .argument(
    "[scenario|folder]",
    "vary its seed, its events and their times, and its policy a little; or a bundle, or a folder of bundles",
  )
  .option(
    "--runs <n>",
    "how many worlds; 100 random ones or 10 near a scenario",
    countOption("--runs"),
  )
  .option("--seed <n>", "the first world's seed, 0 … 4294967295; each next world has the next one")
  .option("--property <id>", "only this property; repeatable", repeated)
  .option("--set <path=value>", "the same value of the policy in every world; repeatable", repeated)
  .option("--profile <name>", "the same named set of values in every world")
  .option("--interpreter <kind>", INTERPRETER_SAYS)
  .option(...CACHE_FLAG)
  .option("--assert", "let promises that the sources break on purpose decide, too")
  .option("--out <folder>", "where bundles of broken promises go; must be new or empty")
  .option("--list", "what the properties promise; plays nothing")
  .option(
    "--finding <id>",
    "in logs, look for this finding, or all; alone, tested ones are looked for; repeatable",
    repeated,
  )
  .option(
    "--allow <id[:tool]>",
    "in logs, this finding counts as none, or does with this tool; so does what is unread; repeatable",
    repeated,
  )
  .option(
    "--workers <n>",
    "threads that read logs; one for each core, at most 8",
    countOption("--workers"),
  )
  .option(...PART_FLAG, repeated)
  .option(...json)
  .action(by(async () => (await import("./check.ts")).checkCommand));

addCauseCommands(program, json, leave);
addStudyCommands(program, json, leave);

program
  .command("scenarios")
  .description("the scenarios that come with ghostlight")
  .option("--copy <name file...>", "copy one to a file of your own, to change it")
  .addOption(
    new Option(
      "--new <name>",
      "write a first one of your own, after a few questions on a terminal",
    ).conflicts("copy"),
  )
  .option("--yes", "with --new: ask nothing, take what the questions suggest")
  .option("--out <file>", "with --new: another file than NAME.yaml")
  .option(...json)
  .action(by(async () => (await import("./scenarios.ts")).scenariosCommand));

program
  .command("metrics")
  .description("everything that can be measured and expected, with its unit")
  .argument("[part]", "only names that hold this")
  .option(...PART_FLAG, repeated)
  .option(...json)
  .action(by(async () => (await import("./catalogue.ts")).metricsCommand));

program
  .command("policy")
  .description("every number and switch of the modelled systems, with its source")
  .argument("[part]", "only paths that hold this")
  .option(...PART_FLAG, repeated)
  .option(...json)
  .action(by(async () => (await import("./catalogue.ts")).policyCommand));

program
  .command("machines")
  .description("the machines a world is made of")
  .argument("[name]")
  .option("--mermaid", "draw the statechart as a Mermaid diagram")
  .option(...PART_FLAG, repeated)
  .option(...json)
  .action(by(async () => (await import("./catalogue.ts")).machinesCommand));

program
  .command("new")
  .description("a start for something of your own")
  .command("part")
  .description("write a part that works, with a scenario and a test, into a folder of its name")
  .argument("<name>", "one word, such as tea-room")
  .option("--out <folder>", "another folder; must be new or empty")
  .option(...json)
  .action(by(async () => (await import("./newPart.ts")).newPartCommand));

for (const addCommands of partCommands) addCommands(program, json, leave);

/** Whatever prints tables. */
function addWide(command: Command): void {
  command.commands.forEach(addWide);
  if (!command.options.some(({ long }) => long === "--json")) return;
  command.option("--wide", "tables as wide as they are, where a terminal would wrap their cells");
}
addWide(program);
program.hook("preAction", async (_, command) => {
  if (!process.stdout.isTTY || command.opts()["wide"] === true) return;
  fitWith((await import("./fittedTables.ts")).fittedTables);
});

program.hook("preAction", async (_, command) => {
  if (process.stdout.isTTY && (await import("./pager.ts")).isPaged(command.name())) holdOutput();
});
program.hook("postAction", async () => {
  const text = takeHeld();
  if (text !== "" && !(await import("./pager.ts")).paged(text)) printExactly(text);
});

/** What help groups the commands by. */
const GROUPS: { readonly [title: string]: readonly string[] } = {
  "Play:": ["run", "replay", "resume"],
  "Change:": ["fork"],
  "Ask:": ["why", "blame", "prevent", "events", "prompts", "diff"],
  "Show:": ["view", "export"],
  "Promise:": ["check"],
  "Study:": ["studies", "sweep", "sense", "discover", "tune", "work"],
  "Look up:": ["scenarios", "metrics", "policy", "machines"],
  "Bring your own:": [
    "import",
    "record",
    "mcp",
    "rerun",
    "trial",
    "new",
    "tool",
    "skill",
    "synt",
    "install",
  ],
};
for (const [title, names] of Object.entries(GROUPS)) {
  for (const command of program.commands) {
    if (names.includes(command.name())) command.helpGroup(title);
  }
}

/** Who names no command is told where to begin. */
const START = `ghostlight needs a command. To begin with:
  ghostlight run safe-file-executor --compare   one hour that was lost, and what would have prevented it
  ghostlight import LOG --out runs/mine         what agents of your own left
  ghostlight why runs/mine                      from what went wrong back to its causes
  ghostlight scenarios --new mine               a world of your own
  ghostlight --help                             all commands`;

/** Errors as people need them; with --json also as an object on stdout. */
function failed(error: unknown, hasPrinted: boolean): number {
  releaseHeld();
  clearProgress();
  const wantsJson = !hasPrinted && canPrint() && process.argv.includes("--json");
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.ok;
    if (error.code === "commander.help") return EXIT.badInput; // No command: help was shown.
    if (wantsJson) printJson({ error: { kind: "Usage", message: error.message } });
    return EXIT.badInput;
  }
  if (isEdgeError(error)) {
    if (wantsJson) {
      const { _tag: kind, where, found, allowed, hint, todo, more, message, stackOfPart } = error;
      printJson({ error: { kind, where, found, allowed, hint, todo, more, message, stackOfPart } });
    }
    note(error.message);
    return error.exitCode;
  }
  if (isFullDisk(error)) {
    if (wantsJson) printJson({ error: { kind: "DiskFull", message: error.message } });
    note(`${error.message}\nThe bundle holds what was written so far. Make room and run again.`);
    return EXIT.badInput;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (wantsJson) printJson({ error: { kind: "Bug", message: text } });
  const hasParts = process.argv.some((one) => one === "--part" || one.startsWith("--part="));
  const whose = hasParts ? ", or of a part that --part names" : "";
  note(
    `This is a bug of ghostlight${whose}; please report it with the command that led to it.\n${text}`,
  );
  return EXIT.bug;
}

listenToSignals();
if (process.argv.length > 2) await inCommand(() => program.parseAsync(process.argv), failed);
else {
  note(START);
  leave(EXIT.badInput);
}
