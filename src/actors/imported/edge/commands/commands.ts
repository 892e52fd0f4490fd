/** `ghostlight import`, `record` and `rerun`: their options. Their modules load only when they are asked for. */
import { countOption, repeated } from "../../../../cli/flags.ts";
import type { AddCommands } from "../../../../contract/edge/commandPart.ts";

export const addImportCommands: AddCommands = (program, json, leave) => {
  program
    .command("import")
    .description("read logs that other agents left, as bundles for why, events, diff and check")
    .argument("[sources...]", "files, folders, or - for standard input")
    .option("--format <name>", "what the files hold, where it cannot be told from them")
    .option("--map <file>", "which field is what, of JSON lines in no known format")
    .option(
      "--explain <file>",
      "what a file holds and the mapping that was guessed; imports nothing",
    )
    .option("--only <log>", "of several logs, the one of that name")
    .option(
      "--scenario <file>",
      "make a scenario of one log, or of recordings of one task, play it, and say how far it agrees",
    )
    .option("--strict", "exit 1 when anything could not be read")
    .option("--out <folder>", "where the bundle goes, or the bundles of several logs; new or empty")
    .option(...json)
    .action(async (sources, flags) =>
      leave(await (await import("./import.ts")).importCommand(sources, flags)),
    );
};

const UPSTREAM = "where its requests go on to; else what the environment names, or its own address";

export const addAgentCommands: AddCommands = (program, json, leave) => {
  program
    .command("record")
    .description(
      "run an agent of your own, record what it asks its models, as a bundle and for `rerun`",
    )
    .argument("[command...]", "the agent's command, behind --")
    .option("--out <folder>", "where the bundle goes; must be new or empty")
    .option("--openai <url>", `OpenAI's API: ${UPSTREAM}`)
    .option("--anthropic <url>", `Anthropic's API: ${UPSTREAM}`)
    .option("--ollama <url>", `Ollama: ${UPSTREAM}`)
    .option("--listen <port>", "serve there, also an agent that is started elsewhere")
    .option(
      "--fault <name[:rate][@tool]>",
      "what goes wrong on purpose, such as nothing:0.5@write_file, or a file of such lines; repeatable; `record --faults` lists them",
      repeated,
    )
    .option("--faults", "list the faults, and record nothing")
    .option("--seed <n>", "which calls meet faults; 0 when absent")
    .option(
      "--keep-bodies",
      "take no secrets out of bodies in exchanges.jsonl; headers and addresses are never kept",
    )
    .option("--scenario <file>", "make a scenario of the recording, as import does, and play it")
    .option("--check", "say within ten seconds whether the agent's calls come through, and end it")
    .option(...json)
    .action(async (words, flags) => {
      const { listFaults, recordCommand } = await import("./record.ts");
      leave(flags.faults ? listFaults(flags) : await recordCommand(words, flags));
    });
  program
    .command("mcp")
    .description(
      "stand in for a server of tools (Model Context Protocol, over stdio or HTTP), and record what passes; under `record`, in its log",
    )
    .argument("[command...]", "the server's command, behind --")
    .option("--url <url>", "of a server that is reached by streamable HTTP, in place of a command")
    .option("--listen <port>", "with --url: serve there; any free port when absent")
    .option("--out <folder>", "where the bundle goes; must be new or empty; not under `record`")
    .option(
      "--fault <name[:rate][@tool]>",
      "what goes wrong with results on purpose, such as nothing@write_file; repeatable",
      repeated,
    )
    .option("--seed <n>", "which calls meet faults; 0 when absent")
    .option("--json", "tell what was recorded as JSON, on standard error: output is the protocol's")
    .action(async (words, flags) =>
      leave(await (await import("./mcp.ts")).mcpCommand(words, flags)),
    );
  program
    .command("trial")
    .description("what an agent of your own does on tasks when a tool or a model fails: a study")
    .argument("<file>", "its tasks, faults and outcomes, as YAML")
    .option("--out <folder>", "where it is kept; new, empty, or that of this trial, which goes on")
    .option("--workers <n>", "runs at a time; 1 when absent", countOption("--workers"))
    .option(
      "--allow-effects <tool>",
      "this tool may run: of a server that no recording answers for, or with its result hidden; or all; repeatable",
      repeated,
    )
    .option("--openai <url>", `OpenAI's API: ${UPSTREAM}`)
    .option("--anthropic <url>", `Anthropic's API: ${UPSTREAM}`)
    .option("--ollama <url>", `Ollama: ${UPSTREAM}`)
    .option("--dry-run", "run nothing; say how many runs there are, and what they cost")
    .option("--like <folder>", "with --dry-run: a recording of one run, which says what one takes")
    .option(...json)
    .action(async (file, flags) =>
      leave(await (await import("./trial.ts")).trialCommand(file, flags)),
    );
  program
    .command("rerun")
    .description("run a recorded agent again, its models answered from the recording")
    .argument("<folder>", "what `record` wrote")
    .argument("[command...]", "the agent's command, behind --")
    .option("--strict", "let no rule hide a date, an id or a temporary path that differs")
    .option(
      "--learn <folder>",
      "propose rules for what differs in another recording of the agent; runs nothing",
    )
    .option(
      "--accept <rule>",
      "let this proposed rule hide differences from now on; repeatable",
      repeated,
    )
    .option("--pace", "answer streams at the pace at which they came")
    .option(
      "--then <live>",
      "live: ask the models from the first request on that differs, and record that",
    )
    .option("--out <folder>", "with --then live: where its bundle goes")
    .option("--openai <url>", "with --then live: OpenAI's API")
    .option("--anthropic <url>", "with --then live: Anthropic's API")
    .option("--ollama <url>", "with --then live: Ollama")
    .option(...json)
    .action(async (folder, words, flags) =>
      leave(await (await import("./rerun.ts")).rerunCommand(folder, words, flags)),
    );
};
