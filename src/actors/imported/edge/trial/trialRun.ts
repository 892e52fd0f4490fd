/** One run of a trial: the agent on one task, with one fault, recorded; and what came of it. */
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileBytes, fileFault } from "../../../../edges/boundedBytes.ts";
import { finder } from "../../../../edges/pool/findWork.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import type { SweepRun } from "../../../../studies/sweepSummary.ts";
import { bundleOf } from "../recordedBundle.ts";
import { type AgentEnded, runAgent, STDERR } from "../wire/agentProcess.ts";
import { type Api, variablesFor } from "../wire/apis.ts";
import { type Exchange, ExchangeWriter, exchangesIn } from "../wire/exchangeLog.ts";
import { openGateway } from "../wire/gateway.ts";
import { answerText } from "../wire/messages.ts";
import type { Spared } from "../wire/recordedTools.ts";
import { Recorder } from "../wire/recorder.ts";
import { WireFaults } from "../wire/wireFaults.ts";
import { type Budget, type Tokens, takenBy, tokensTaken, withinBudget } from "./budget.ts";
import { type Trial, trialPattern } from "./trialFile.ts";
import type { OutcomeSource } from "./trialSchema.ts";
import { TrialTools } from "./trialTools.ts";

/** What is kept of a run. */
export interface TrialFacts {
  readonly values: SweepRun["values"];
  /** Why there are none, in words. */
  readonly faults: readonly string[];
  /** Calls of models, and how many faults they and their results met. */
  readonly calls: number;
  readonly met: number;
  readonly tokens: Tokens;
  /** Calls of tools that the recordings answered. */
  readonly spared: Spared;
  /** A call was not in the recordings: what would have come of it is unknown. */
  readonly hasLeft: boolean;
}

export interface TrialWish {
  readonly trial: Trial;
  readonly folder: string;
  readonly agent: string;
  readonly task: string;
  readonly fault: string;
  readonly seed: number;
  readonly upstreams: { readonly [A in Api]: string };
  readonly budget: Budget;
  /** Tools that may really run. */
  readonly allowed: readonly string[];
  readonly stop: AbortSignal;
}

const OUTPUT = "output.txt";
/** Ours: a program that prints more is ended, and how often that is looked at, in ms. */
const PRINTED_BYTES = 256 * 1024 * 1024;
const LOOK_MS = 500;

/** What the program of a run is told: its command's places filled in, and the same as variables. */
export function handedTo({ task, folder, seed }: Pick<TrialWish, "task" | "folder" | "seed">) {
  const places = { "{task}": task, "{run}": folder, "{seed}": `${seed}` };
  return {
    // In one go, by a function: a task's own braces and dollars stay as they are.
    said: (word: string): string =>
      word.replaceAll(/\{(?:task|run|seed)\}/g, (place) => ownValue(places, place) ?? place),
    variables: { GHOSTLIGHT_TASK: task, GHOSTLIGHT_RUN: folder, GHOSTLIGHT_SEED: `${seed}` },
  };
}

/** Undefined where it was ended before its end: by a person, or since the budget is spent. Throws BadInput where nothing can be started. */
export async function playTrialRun(wish: TrialWish): Promise<TrialFacts | undefined> {
  const { trial, seed, upstreams, budget, stop } = wish;
  const folder = resolve(wish.folder);
  const cwd = dirname(resolve(trial.file));
  // A run that was killed begins anew.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const writer = new ExchangeWriter(exchangesIn(folder));
  const fault = trial.faults[wish.fault] ?? null;
  const faults = new WireFaults(fault === null ? [] : [fault], seed);
  const exchanges: Exchange[] = [];
  const onKept = (exchange: Exchange): void => {
    exchanges.push(exchange);
    budget.add(takenBy(exchange));
  };
  const tools = new TrialTools(wish);
  const recorder = new Recorder({ upstreams, writer, faults, onKept, tools });
  const [spent, late] = [new AbortController(), AbortSignal.timeout(trial.timeoutMs)];
  const { standIn } = recorder;
  const answering = withinBudget(budget, recorder.answering, () => spent.abort());
  const gateway = await openGateway(0, { answering, standIn });
  const { said, variables: own } = handedTo({ ...wish, folder });
  const output = openSync(join(folder, OUTPUT), "wx", 0o600);
  const full = new AbortController();
  const looking = setInterval(() => {
    if (fstatSync(output).size > PRINTED_BYTES) full.abort();
  }, LOOK_MS);
  let ended: AgentEnded;
  try {
    ended = await runAgent((trial.agents[wish.agent] ?? []).map(said), {
      variables: { ...variablesFor(gateway.base), ...own },
      output,
      cwd,
      stop: AbortSignal.any([stop, spent.signal, late, full.signal, tools.ended]),
    });
  } finally {
    clearInterval(looking);
    closeSync(output);
    await gateway.close();
    writer.close();
  }
  if (tools.refused !== null) throw tools.refused;
  if (stop.aborted || spent.signal.aborted) return undefined;
  const met = exchanges.reduce((sum, { faults: done = [] }) => sum + done.length, 0);
  const { spared, left: unknown } = tools;
  const seen = {
    ...{ calls: exchanges.length, met, tokens: tokensTaken(exchanges) },
    ...{ spared, hasLeft: unknown !== null },
  };
  const none = (why: string): TrialFacts => ({
    values: Object.fromEntries(Object.keys(trial.outcomes).map((name) => [name, null])),
    ...{ faults: [why], ...seen },
  });
  if (exchanges.length === 0) return none("No call of a model came through the gateway.");
  await bundleOf(folder);
  if (unknown !== null) return none(unknown);
  if (late.aborted) return none(`It took longer than ${trial.timeoutMs} ms.`);
  if (full.signal.aborted) return none(`It printed more than ${PRINTED_BYTES / 2 ** 20} MB.`);
  if (fault !== null && met === 0) return none(`No call met ${wish.fault}.`);
  const { timeoutMs } = trial;
  const left: Left = { folder, ended, exchanges, said, cwd, timeoutMs, stop };
  const read = await Promise.all(
    Object.entries(trial.outcomes).map(
      async ([name, one]) => [name, await readOutcome(one, left)] as const,
    ),
  );
  if (stop.aborted) return undefined;
  return {
    values: Object.fromEntries(
      read.map(([name, one]) => [name, typeof one === "string" ? null : Number(one)]),
    ),
    faults: read.flatMap(([name, one]) => (typeof one === "string" ? [`${name}: ${one}`] : [])),
    ...seen,
  };
}

/** What a run left. */
interface Left {
  readonly folder: string;
  readonly cwd: string;
  readonly ended: AgentEnded;
  readonly exchanges: readonly Exchange[];
  readonly said: (word: string) => string;
  /** How long a verdict may take, and what ends it. */
  readonly timeoutMs: number;
  readonly stop: AbortSignal;
}

/** Ours: of a longer text the beginning is looked at. */
const TEXT_BYTES = 16 * 1024 * 1024;

/** Whether a pattern fits what a file holds; of a file that is too long for that, in words. Throws what the disk throws. */
function holdsIn(file: string, pattern: string, called: string): boolean | string {
  const bytes = fileBytes(file, TEXT_BYTES);
  const isLong = bytes.length > TEXT_BYTES;
  if (holds(pattern, Buffer.from(bytes).toString("utf8"))) return true;
  return isLong && `${called} holds more than 16 MB, and the first of them do not fit`;
}

const holds = (pattern: string, text: string): boolean =>
  trialPattern(pattern)?.test(text) ?? false;

/** A text says why there is none. */
async function readOutcome(one: OutcomeSource, left: Left): Promise<boolean | string> {
  const { folder, cwd, ended, exchanges, said, timeoutMs, stop } = left;
  if (one.exit !== undefined) return ended.code === one.exit;
  if (one.says !== undefined) {
    const last = exchanges.findLast(({ status }) => status < 400);
    return last === undefined
      ? "the model gave no answer"
      : holds(one.says, answerText(last.response));
  }
  if (one.prints !== undefined) return holdsIn(join(folder, OUTPUT), one.prints, OUTPUT);
  if (one.file !== undefined) {
    const file = resolve(cwd, said(one.file));
    if (!existsSync(file)) return false;
    if (one.holds === undefined) return true;
    try {
      return holdsIn(file, one.holds, one.file);
    } catch (error) {
      return `${one.file} is ${fileFault(error)}`;
    }
  }
  if (one.finding !== undefined) {
    const ids = [one.finding];
    const found = await finder({
      folders: [folder],
      findings: ids,
      ofEach: 1,
      partFiles: undefined,
    });
    const of = await found(0);
    return of.unread === undefined ? of.occurrences.length > 0 : of.unread.says;
  }
  const late = AbortSignal.timeout(timeoutMs);
  const { code } = await runAgent([...(one.verdict ?? []).map(said), folder], {
    ...{ variables: {}, output: STDERR, cwd, stop: AbortSignal.any([stop, late]) },
  });
  if (late.aborted) return `the verdict took longer than ${timeoutMs} ms`;
  return code === 0 || code === 1 ? code === 0 : "the verdict was neither yes nor no";
}
