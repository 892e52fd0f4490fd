/** `ghostlight synt`: its commands and their options. Modules load only when their command is asked for. */
import type { Command } from "commander";
import {
  type By,
  countOption,
  decideOptions,
  doing,
  PROFILE_FLAG,
  RUN_PART_FLAG,
  repeated,
  SET_FLAG,
} from "../../../../cli/flags.ts";
import { tuneCommand } from "../../../../cli/study/studyCommands.ts";
import type { AddCommands, Flag, Leave } from "../../../../contract/edge/commandPart.ts";

export const addSyntCommands: AddCommands = (program, json, leave) => {
  const by = doing(leave);
  const synt = program
    .command("synt")
    .description("how an executor pool grows: scores, names, chains, the gate and the audit");
  addScore(synt, json, by);
  addNames(synt, json, by);
  addAnalysis(synt, json, by);
  addDecisions(synt, json, leave);
  addReading(synt, json, by);
  addTuning(program, json, leave);
};

function addScore(synt: Command, json: Flag, by: By): void {
  synt
    .command("score")
    .description("R of a proposal with every term; exit 1 when it does not reach the threshold")
    .option("--strategy <name>", "compose, merge, specialise, generalise or generate")
    .option("--det <share>", "det_pass_rate, such as 0.95 or 19/20; 1 by default")
    .option("--judge <share>", "judge_score; 0.5 by default")
    .option("--cost <share>", "cost_ratio; 1 by default")
    .option("--actual-cost <money>", "instead of --cost, with --estimate")
    .option("--estimate <money>", "what it was estimated to cost, in the same unit")
    .option("--similarity <cosine>", "the largest cosine with the pool; 0 by default")
    .option("--coverage <share>", "coverage_bonus; 1 by default")
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option("--batch", "read {id, strategy, det_pass_rate, …} lines, write a score for each")
    .option(...json)
    .action(by(async () => (await import("./synt.ts")).syntScoreCommand));
}

function addNames(synt: Command, json: Flag, by: By): void {
  synt
    .command("name")
    .description("whether a name is in the closed vocabulary; exit 1 when it is refused")
    .argument("[name]", "verb_object[_qualifier[_descriptor]][_provider]")
    .option("--pool <file>", "a JSON pool: says also what covers the name, or is redirected to")
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option("--batch", "read {id, name, pool} lines, write a verdict for each")
    .option(...json)
    .action(by(async () => (await import("./synt.ts")).syntNameCommand));

  synt
    .command("chain")
    .description("the chains of a pool from one executor to another; exit 1 when there is none")
    .argument("[from]", "an executor of the pool")
    .argument("[to]", "another, or the words that begin its name")
    .option("--pool <file>", "a JSON pool of executors and mnests")
    .option("--limit <n>", "at most so many chains, 5 by default", countOption("--limit"))
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option("--batch", "read {id, from, to, pool} lines, write the chains for each")
    .option(...json)
    .action(by(async () => (await import("./synt.ts")).syntChainCommand));
}

function addAnalysis(synt: Command, json: Flag, by: By): void {
  synt
    .command("analyse")
    .description("what the weights imply: ranges, vetoes, ties, and where a wrong chain would win")
    .argument(
      "[scenario]",
      "whose tiers and rules are taken; else those of a world that names none",
    )
    .option("--variant <name>", "one of the scenario's variants")
    .option("--judge <share>", "what the judge is taken to say, 0.5 by default")
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option(...json)
    .action(by(async () => (await import("./synt.ts")).syntAnalyseCommand));
}

/** The three words of the person at the gate, between two runs. */
function addDecisions(synt: Command, json: Flag, leave: Leave): void {
  for (const [verb, decision, says] of [
    ["approve", "approve", "say yes to what a recorded run waits for, and let it go on"],
    ["reject", "discard", "say no to what a recorded run waits for, and let it go on"],
    [
      "amend",
      "amend",
      "ask for something else than what a recorded run waits for, and let it go on",
    ],
  ] as const) {
    const command = synt
      .command(verb)
      .description(says)
      .argument("<id...>", "requests, such as req-0001; several only of one dossier")
      .option("--bundle <folder>", "the run that waits; else the newest under runs/ that does")
      .option("--feedback <text>", "what the person says to it");
    if (decision === "amend") {
      command.option("--target <strategy>", "the strategy to try instead: compose or generate");
    }
    command
      .option("--approve <id>", "another proposal of the same dossier; repeatable", repeated)
      .option("--reject <id>", "another proposal of the same dossier; repeatable", repeated);
    decideOptions(command)
      .option(...RUN_PART_FLAG, repeated)
      .option(...json)
      .action(async (ids, flags) =>
        leave(await (await import("./gate.ts")).syntDecideCommand(decision, ids, flags)),
      );
  }
}

function addReading(synt: Command, json: Flag, by: By): void {
  synt
    .command("pending")
    .description("what waits for a person's decision, with its dossier and R")
    .argument("[folder]", "a bundle, or a folder of bundles; runs by default")
    .option(...RUN_PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./gate.ts")).syntPendingCommand));

  synt
    .command("audit")
    .description("what synt wrote down in a recorded run: states, reasons, R and costs")
    .argument("<bundle...>", "several, or folders of bundles, with --decisions alone")
    .option("--request <id>", "only this request, such as req-0001")
    .option("--lines", "the lines as they were written, byte for byte")
    .option(
      "--decisions",
      "what the person decided on, with its terms: a line of JSON each, for `tune rweights`",
    )
    .option(...RUN_PART_FLAG, repeated)
    .option(...json)
    .action(by(async () => (await import("./audit.ts")).syntAuditCommand));
}

/** What fits R to decisions is of synt; whatever else is tuned is of studies. */
function addTuning(program: Command, json: Flag, leave: Leave): void {
  tuneCommand(program)
    .command("rweights")
    .description(
      "the weights of R that agree most with what a person decided, and how firm they are",
    )
    .requiredOption("--decisions <file>", "lines of JSON, as `synt audit --decisions` writes them")
    .option("--sum <rule>", "keep: what adds to R keeps its sum; free: any weights", "keep")
    .option("--folds <n>", "of the cross-validation, 5 by default", countOption("--folds"))
    .option("--seed <n>", "of folds and restarts, 0 by default")
    .option(...SET_FLAG, repeated)
    .option(...PROFILE_FLAG)
    .option(...json)
    // `tune` has a --json, too, and takes it wherever it stands.
    .action(async (_, command: Command) =>
      leave(await (await import("./rweights.ts")).rweightsCommand(command.optsWithGlobals())),
    );
}
