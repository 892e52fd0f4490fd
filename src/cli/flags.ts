/** What every start of the program needs of options, whatever the command: no part is loaded for it. */
import type { Command } from "commander";
import type { Leave } from "../contract/edge/commandPart.ts";
import { DURATION_ALLOWED, parseDuration } from "../edges/duration.ts";
import { type BadInput, badInput, quoted } from "../edges/errors.ts";

/** What a command does: `load` gives it, whose modules load only when the command is asked for. */
export type By = ReturnType<typeof doing>;
export const doing =
  (leave: Leave) =>
  (load: () => Promise<(...given: never[]) => Promise<number>>) =>
  async (...given: unknown[]): Promise<void> =>
    leave(await (await load())(...(given as never[])));

export const flagError = (path: string, found: string, allowed: string, todo: string): BadInput =>
  badInput(path, quoted(found), allowed, todo);

export function countOption(name: string): (text: string) => number {
  return (text) => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw flagError(name, text, "a whole number, 1 or more", "Give a number.");
  };
}

/** Throws BadInput for a larger one. */
export function atMost(name: string, count: number, most: number): number {
  if (count <= most) return count;
  throw flagError(name, String(count), `1 … ${most}`, "Give another number.");
}

export function durationOption(name: string): (text: string) => number {
  return (text) => {
    const ms = parseDuration(text);
    if (ms !== undefined) return ms;
    throw flagError(name, text, DURATION_ALLOWED, "Give a duration.");
  };
}

/** Gathers a repeatable option. */
export const repeated = (value: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  value,
];

export const SANDBOX_FLAG = [
  "--sandbox <kind>",
  "where Python runs: in bwrap's walls where the machine has them (auto, the default), always (bwrap), never (pyodide)",
] as const;

export const CACHE_FLAG = [
  "--cache <folder>",
  "a folder that keeps what Python and the shell answered, for later runs, or none; remove it to empty it",
] as const;

/** Repeatable. */
export const SET_FLAG = [
  "--set <path=value>",
  "change one value of the policy; repeatable",
] as const;

export const PROFILE_FLAG = ["--profile <name>", "change a named set of values"] as const;

/** What `--interpreter` chooses, for its help. */
export const INTERPRETER_SAYS =
  "what drives the statecharts: tables made of them (tables, the default), or XState itself (xstate); both do the same";

export const WORKERS_SAYS = "threads that play; one for each core, at most 8";

export const QUEUE_SAYS =
  "postgres://USER@HOST/DATABASE by which machines share runs; its password in PGPASSWORD";

/** What `--host` names, for its help. */
export const HOST_SAYS =
  "where the model's server listens; else OLLAMA_HOST or this machine, and for openai:NAME else OPENAI_BASE_URL";

/** What names a live model, and what goes with it. */
export const liveOptions = (command: Command): Command =>
  command
    .option(
      "--model <name>",
      "who thinks: scripted (default), a live ollama:NAME, or openai:NAME of a server with OpenAI's chat completions, its key in OPENAI_API_KEY",
    )
    .option(
      "--tier <tier=name>",
      "another live model for fast, middle or wise; repeatable",
      repeated,
    )
    .option("--embed <name>", "a live model that compares meanings for the router")
    .option("--host <url>", HOST_SAYS);

/** What every command that decides for a person takes, whatever waits: `DecideFlags`, without the bundle. */
export const decideOptions = (command: Command): Command =>
  command
    .option(
      "--after <duration>",
      "how long the person took, in virtual time; none by default",
      durationOption("--after"),
    )
    .option("--out <folder>", "where the new bundle goes; must be new or empty")
    .option("--host <url>", "of a live run: where the model's server listens")
    .option("--any-model", "of a live run: go on although the model is not the recorded one");

/** Of every command that plays or reads a run. */
export const PART_FLAG = [
  "--part <file>",
  "a module whose default export is a part of one's own, made by definePart; repeatable",
] as const;

/** Of the commands of parts that read a run; repeatable. */
export const RUN_PART_FLAG = [
  "--part <file>",
  "a module with a part of one's own that the run had; repeatable",
] as const;
