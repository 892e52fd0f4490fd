/** The commands that read a recorded run, and those by which it goes on. Modules load only when their command is asked for. */
import { type Command, Option } from "commander";
import type { AddCommands } from "../contract/edge/commandPart.ts";
import {
  CACHE_FLAG,
  countOption,
  doing,
  durationOption,
  HOST_SAYS,
  liveOptions,
  PART_FLAG,
  QUEUE_SAYS,
  repeated,
  SANDBOX_FLAG,
  WORKERS_SAYS,
} from "./flags.ts";

export const addBundleCommands: AddCommands = (program, json, leave) => {
  const by = doing(leave);
  program
    .command("resume")
    .description(
      "go on with a run of a live model or a person that was interrupted, killed, or ended early",
    )
    .argument("<bundle>")
    .option("--until <duration>", "another end, such as 1h", durationOption("--until"))
    .option("--out <folder>", "where the new bundle goes; must be new or empty")
    .option("--host <url>", HOST_SAYS)
    .option(...CACHE_FLAG)
    .option("--any-model", "go on although the model is not the one that was recorded")
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./resume.ts")).resumeCommand));

  liveOptions(
    program
      .command("fork")
      .description(
        "play a recorded run up to a moment, and go on from there with something changed",
      )
      .argument("<bundle>")
      .requiredOption(
        "--at <moment>",
        "from when on it is changed: a virtual time such as 90s, or the number of a delivery",
      )
      .option(
        "--set <path=value>",
        "another value of the policy from then on; repeatable",
        repeated,
      )
      .option("--drop <input>", "omit an outside input that is still to come; repeatable", repeated)
      .option(
        "--reseed <n>",
        "draw whatever is drawn from then on from another seed, 0 … 4294967295",
      ),
  )
    .option("--until <duration>", "another end, such as 1h", durationOption("--until"))
    .option("--out <folder>", "where the new bundle goes; must be new or empty")
    .option(...CACHE_FLAG)
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./fork.ts")).forkCommand));

  program
    .command("events")
    .description("what was delivered, in order")
    .argument("<bundle>")
    .option("--actor <name>", "only from or to this actor")
    .option("--type <event>", "only this type of event")
    .option("--from <duration>", "from this virtual time", durationOption("--from"))
    .option("--to <duration>", "up to this virtual time", durationOption("--to"))
    .option("--limit <n>", "at most so many", countOption("--limit"))
    .option("--full", "with all that each event carries, and the prompts that models were asked")
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./bundles.ts")).eventsCommand));

  program
    .command("prompts")
    .description(
      "what models were asked and answered, in order: what it took, and whether it was usable",
    )
    .argument("<bundle>")
    .option("--actor <name>", "only what this actor asked")
    .option("--purpose <name>", "only questions for this purpose, such as plan")
    .option("--unusable", "only questions that brought no usable answer")
    .option("--from <duration>", "from this virtual time", durationOption("--from"))
    .option("--to <duration>", "up to this virtual time", durationOption("--to"))
    .option("--limit <n>", "at most so many", countOption("--limit"))
    .option(
      "--changes",
      "of a prompt, only what is new since the actor's last one for that purpose",
    )
    .option("--full", "whole texts on a terminal, too, where long ones are cut")
    .option("--summary", "a table by purpose in place of the texts")
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./prompts.ts")).promptsCommand));

  program
    .command("why")
    .description("the causal chain back to outside inputs and model choices, in words")
    .argument("<bundle>")
    .argument(
      "[question]",
      "the number of a delivery, or a question as --list shows them; else what went wrong",
    )
    .option("--list", "what can be asked of this run")
    .option("--suspects", "a ranking of what agents said and did, with the reason of each")
    .option("--prompt", "what each model on the way was asked, and what it answered")
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./bundles.ts")).whyCommand));

  program
    .command("diff")
    .description(
      "two bundles side by side, the first divergence and its cause; exit 1 when they differ",
    )
    .argument("<a>")
    .argument("<b>")
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./bundles.ts")).diffCommand));

  program
    .command("view")
    .description(
      "open a run, a log of other agents, a folder of them, or a study in the browser of this machine",
    )
    .argument(
      "[path]",
      "a bundle, a file that `import` reads, a folder of either, or what a study left; those under runs/ when absent",
    )
    .argument("[other]", "a second bundle or log, side by side with the first")
    .option("--port <n>", "a port of this machine; a free one when absent")
    .option("--at <moment>", "open it at this virtual time, such as 0:44:26")
    .option("--actor <name>", "show the letters of this actor only")
    .option(
      "--follow",
      "show a run that still goes as it goes; the newest of them when none is named",
    )
    .option("--play", "of a study: play a point when its page asks for it")
    .option("--out <folder>", "keep the bundles that are made of logs there; must be new or empty")
    .option("--no-browser", "print the address and open nothing, also on a terminal")
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./view.ts")).viewCommand));

  program
    .command("export")
    .description("a bundle as one page that opens from disk, or as what other tools read")
    .argument("<bundle>")
    .argument("[other]", "a second bundle, side by side with the first")
    .option("--html <file>", "where the page goes; a file there is replaced")
    .option("--with <variant>", "play this variant and put it on the page; repeatable", repeated)
    .option("--no-texts", "of the page: leave out prompts, answers and contents of letters")
    .option("--perfetto <file>", "a trace for Perfetto and Chrome: a track an actor, flows, calls")
    .option("--otlp <file>", "OpenTelemetry's spans of questions to models and calls of tools")
    .option("--mermaid <file>", "a sequence diagram of the letters, at most 200")
    .option("--actor <name>", "of the diagram: only from or to this actor")
    .option("--from <duration>", "of the diagram: from this virtual time", durationOption("--from"))
    .option("--to <duration>", "of the diagram: up to this virtual time", durationOption("--to"))
    .option(...PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./exportCommand.ts")).exportCommand));
};

const OUTCOME_SAYS =
  "what is asked about: a bound such as 'goals.abandoned >= 10', an expectation's name, a question of `why`, a promise; else what the report tells first";

/** What goes with every search for causes. */
const searchOptions = (command: Command): Command =>
  command
    .option("--no-policy", "leave out inputs and choices alone; try no value of the policy")
    .option("--workers <n>", WORKERS_SAYS, countOption("--workers"))
    .option("--queue <url>", QUEUE_SAYS)
    .option(...SANDBOX_FLAG)
    .option(...CACHE_FLAG)
    .option(...PART_FLAG, repeated);

/** The commands that look for causes by changing them. */
export const addCauseCommands: AddCommands = (program, json, leave) => {
  const by = doing(leave);
  searchOptions(
    program
      .command("blame")
      .description("which choice or outside input decided: each left out, and all of them together")
      .argument(
        "<bundle|scenario>",
        "a bundle of a scripted run, or a scenario, which is played; with --judge any bundle or log",
      )
      .argument("[outcome]", OUTCOME_SAYS)
      .option(
        "--exact",
        "of this run: all draws as they were, yes or no, in place of a probability",
      )
      .option("--when", "also how often it came about from each moment on: when was it baked in?")
      .option("--shares", "also how P(outcome) is shared out among the suspects (Shapley)")
      .option(
        "--runs <n>",
        "continuations of each; 30, with --minutes at most so many",
        countOption("--runs"),
      )
      .option(
        "--minutes <n>",
        "as long as so many minutes are not over, twice as many continuations of what is not decided",
        countOption("--minutes"),
      )
      .option("--html <file>", "also a page with the words and a picture; a file there is replaced")
      .option("--keep", "also keep it in the bundle (blame.json): `view` and `export` show it")
      .option("--most <n>", "how many suspects are ranked at most; 20", countOption("--most"))
      .addOption(
        new Option(
          "--judge <model>",
          "of any log: ask ollama:NAME or openai:NAME who made the mistake; OUTCOME is then in words",
        ).conflicts(["exact", "when", "shares", "runs", "minutes", "html", "keep", "most"]),
      )
      .option(
        "--how <way>",
        "of --judge: all-at-once (default), step-by-step, binary-search, abduct-act-predict",
      )
      .option("--host <url>", `of --judge: ${HOST_SAYS}`)
      .option("--out <file>", "of --judge: where it is recorded, and taken from; BUNDLE.WAY.jsonl")
      .option("--set <path=value>", "of --judge: a value of `policy live`; repeatable", repeated),
  )
    .option(...json)
    .action(by(async () => (await import("./causes/blame.ts")).blameCommand));

  searchOptions(
    program
      .command("prevent")
      .description(
        "the least changes after which an outcome is gone, verified, with what they cost",
      )
      .argument(
        "<scenario|bundle>",
        "a name from `scenarios`, the path of a YAML file, or a bundle",
      )
      .argument("[outcome]", OUTCOME_SAYS)
      .option(
        "--try <variant>",
        "say only what this variant of the scenario prevents; repeatable",
        repeated,
      )
      .option(
        "--runs <n>",
        "fresh seeds on which each answer is verified; 20",
        countOption("--runs"),
      )
      .option("--most <n>", "how many answers are verified at most; 8", countOption("--most"))
      .option("--seed <n>", "another seed than the scenario's, 0 … 4294967295")
      .option(
        "--set <path=value>",
        "the same value of the policy in every run; repeatable",
        repeated,
      ),
  )
    .option(...json)
    .action(by(async () => (await import("./causes/prevent.ts")).preventCommand));
};
