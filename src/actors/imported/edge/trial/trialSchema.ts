/** The YAML of a trial as an Effect Schema. What one field demands of another is checked in trialFile.ts. */
import * as Schema from "effect/Schema";
import {
  duration,
  listOf,
  mapOf,
  optional,
  says,
  sentence,
  whole,
  words,
} from "../../../../edges/scenario/scenarioFields.ts";
import { SEED_MAX } from "../../../../substrate/random.ts";

/** Ours: each far above what anybody pays for. */
const ITEMS_MAX = 1_000;
const SEEDS_MAX = 10_000;
const TOKENS_MAX = 1_000_000_000;
const WORD_CHARS_MAX = 10_000;

const positive = Schema.Finite.check(
  Schema.isGreaterThan(0, { expected: "a number above 0" }),
).annotate({ expected: "a number above 0" });
const price = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0, { expected: "a number, 0 or more" }),
).annotate({ expected: "a number, 0 or more" });
const rate = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 1 }, { expected: "a number 0 … 1" }),
).annotate({ expected: "a number 0 … 1" });

const commandWords = listOf(words(WORD_CHARS_MAX), 1, ITEMS_MAX);
const name = /^[^\s:|"'`<>][^:|"'`<>]{0,59}$/u;

const outcome = Schema.Struct({
  exit: optional(whole(0, 255), "Whether the program ended with this exit code."),
  says: optional(words(1_000), "A regular expression on the model's last answer."),
  prints: optional(words(1_000), "A regular expression on what the program printed."),
  file: optional(words(1_000), "A file that is there at the end; `{run}` is the run's own folder."),
  holds: optional(words(1_000), "With file: a regular expression on what stands in it."),
  finding: optional(words(60), "A finding of `check` that the recording holds."),
  verdict: optional(
    commandWords,
    "A program that is asked with the run's folder as its last word: 0 is yes, 1 is no, else nobody knows.",
  ),
  means: optional(words(200), "What it means of the agent, in words. Its name if absent."),
}).annotate({
  identifier: "Outcome",
  expected: "a map with exit, says, prints, file, finding or verdict",
});

export const trialSource = Schema.Struct({
  why: says(sentence, "What is asked, in words."),
  command: optional(
    commandWords,
    "The agent's command, word by word; `{task}`, `{run}` and `{seed}` stand in it.",
  ),
  agents: optional(
    mapOf(name, "names", commandWords),
    "Several agents by name, a command each; all are compared with the first.",
  ),
  model: optional(
    Schema.Literals(["live", "scripted", "recorded"]).annotate({
      expected: '"live" | "scripted" | "recorded"',
    }),
    "Whether a seed fixes what the model says: only then are runs compared in pairs. live if absent.",
  ),
  tasks: says(mapOf(name, "names", sentence), "What the agent is to do, by name."),
  faults: says(
    listOf(words(200), 0, ITEMS_MAX),
    "What goes wrong, as `record --fault` reads it; `none` is always tried.",
  ),
  rates: optional(
    listOf(rate, 1, 100),
    "Each fault that names no rate is tried at each of these. 1 if absent.",
  ),
  seeds: optional(
    whole(1, SEEDS_MAX),
    "Runs of each task under each fault; the most where a stop rule ends them. 1 if absent.",
  ),
  seed: optional(whole(0, SEED_MAX), "Fixes which calls meet faults. 1 if absent."),
  stop: optional(
    Schema.Struct({
      outcome: says(words(60), "Whose share is awaited."),
      halfWidth: says(positive, "How narrow half of its interval must be."),
    }).annotate({ expected: "a map with outcome and halfWidth" }),
    "Ends the runs of a fault once enough is known.",
  ),
  outcomes: says(
    mapOf(/^[A-Za-z][A-Za-z0-9_]{0,59}$/u, "names of letters, digits and _", outcome),
    "What is asked of each run, by name.",
  ),
  reads: optional(
    listOf(words(200), 1, ITEMS_MAX),
    "Tools that change nothing: their results may be hidden without a permission.",
  ),
  recordings: optional(
    listOf(words(WORD_CHARS_MAX), 1, ITEMS_MAX),
    "Folders of recordings: they answer for servers of tools, none of which runs then.",
  ),
  timeout: optional(duration, "How long a run may take. 10m if absent."),
  budget: optional(
    Schema.Struct({
      tokens: optional(whole(1, TOKENS_MAX), "Tokens, of questions and answers."),
      money: optional(positive, "Money, by `price`."),
      price: optional(
        Schema.Struct({
          input: says(price, "What a million tokens of questions cost."),
          output: says(price, "What a million tokens of answers cost."),
        }).annotate({ expected: "a map with input and output" }),
        "What tokens cost.",
      ),
    }).annotate({ expected: "a map with tokens, or with money and price" }),
    "What all runs may take; no call of a model is passed on beyond it.",
  ),
}).annotate({ expected: "a map with why, command, tasks, faults and outcomes" });

export type TrialSource = typeof trialSource.Type;
export type OutcomeSource = typeof outcome.Type;
