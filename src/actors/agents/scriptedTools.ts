/** Scripted stand-ins for the tools that a scenario lists; labelled so in every manifest. */

import { NeedsPython, NeedsShell } from "../../contract/needsHost.ts";
import type { Json, Mail, MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import { sortedJson } from "../../machines/sortedJson.ts";
import type { PortReply, PortRequest, Provider } from "../../substrate/port.ts";
import type { NamedRandom } from "../../substrate/random.ts";
import { codeOf, type Tool } from "./tool.ts";
import { type Latency, rowFor, type ToolOutcome, type ToolTable } from "./toolTable.ts";

/** Ours: a small script starts and returns within this. */
const SANDBOX_MS: Latency = [20, 200];

/** The choice by which a variant takes a tool's failures out. */
export const failureChoice = (tool: string): string => `failure:${tool}`;

/** How often each tool was called, and how often a row of its table was reached with the same arguments. */
interface Counts {
  calls: { [tool: string]: number };
  turns: { [call: string]: number };
}

/**
 * Answers a call of a tool that the scenario lists with what it says; everything else is real code
 * and goes to `python`, and so does a tool that the scenario gives as Python, when it does not fail. Throws
 * NeedsPython where there is none. What is drawn for a tool is drawn by its own name and the number of its call,
 * so that one more tool moves no other's luck.
 */
export function scriptedSandbox(
  tools: readonly Tool[],
  random: NamedRandom,
  without: ReadonlySet<string>,
  python?: Provider<"sandbox.run">,
): Provider<"sandbox.run"> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  let counts: Counts = { calls: {}, turns: {} };

  /** Undefined when it is not the scenario's tool that is called, but other code of that name. */
  const called = ({ event }: PortRequest<"sandbox.run">): Tool | undefined => {
    const tool = byName.get(event.name);
    return tool !== undefined && codeOf(tool) === event.code ? tool : undefined;
  };

  const counted = (tool: Tool, { event }: PortRequest<"sandbox.run">): Counted => {
    const nth = (ownValue(counts.calls, tool.name) ?? 0) + 1;
    counts = { ...counts, calls: { ...counts.calls, [tool.name]: nth } };
    const params = event.params ?? {};
    const row = tool.table && rowFor(tool.table, params);
    if (row === undefined || (tool.table?.rows[row]?.outcomes.length ?? 0) < 2) {
      return { nth, row, turn: 0 };
    }
    const call = `${tool.name} ${row} ${sortedJson(params)}`;
    const turn = ownValue(counts.turns, call) ?? 0;
    counts = { ...counts, turns: { ...counts.turns, [call]: turn + 1 } };
    return { nth, row, turn };
  };

  const drawn = ({ name }: Tool, what: string, nth: number) => random.at(`tool/${name}`, what, nth);

  const latencyOf = (tool: Tool, nth: number, latency = tool.latencyMs ?? SANDBOX_MS): number =>
    drawn(tool, "latency", nth).integer(...latency);

  const failureOf = (tool: Tool, nth: number): PortReply | undefined => {
    const { failsPerMille = 0, failure = "the tool failed" } = tool;
    if (failsPerMille === 0 || drawn(tool, "fails", nth).integer(1, 1_000) > failsPerMille) {
      return undefined;
    }
    const choice = failureChoice(tool.name);
    if (without.has(choice)) return undefined;
    const outcome: ToolOutcome =
      failure === null ? { ok: true, result: null } : { ok: false, error: failure };
    return { event: replied(outcome), latencyMs: latencyOf(tool, nth), choice };
  };

  const real = (request: PortRequest<"sandbox.run">): PortReply | null => {
    if (python === undefined) throw new NeedsPython(request.event.name);
    return python.answer(request);
  };

  const answer = (request: PortRequest<"sandbox.run">): PortReply | null => {
    const tool = called(request);
    if (tool === undefined) return real(request);
    if (isPlain(tool)) {
      const { from, nth } = request;
      const latencyMs = random.at(from, `sandbox ${tool.name}`, nth).integer(...SANDBOX_MS);
      return { event: replied({ ok: true, result: tool.returns ?? null }), latencyMs };
    }
    const { nth, row, turn } = counted(tool, request);
    const failed = failureOf(tool, nth);
    if (failed !== undefined) return failed;
    if (tool.python !== undefined) {
      return tool.latencyMs === undefined
        ? real(request)
        : real({ ...request, addedMs: latencyOf(tool, nth) });
    }
    const outcome: ToolOutcome =
      tool.table === undefined
        ? { ok: true, result: tool.returns ?? null }
        : outcomeOf(tool.table, row, turn, tool.name, request.event);
    return { event: replied(outcome), latencyMs: latencyOf(tool, nth, outcome.latencyMs) };
  };

  if (tools.every(isPlain)) return { answer };
  return {
    answer,
    passedOver(request) {
      const tool = called(request);
      if (tool !== undefined && !isPlain(tool)) counted(tool, request);
    },
    persist: () => ({ ...counts }),
    restore: (kept) => {
      counts = kept as unknown as Counts; // What `persist` made.
    },
  };
}

/** Which call of the tool it is, from 1; the row that fits; how many calls with the same arguments it had before. */
interface Counted {
  readonly nth: number;
  readonly row: number | undefined;
  readonly turn: number;
}

/** Nothing but what it returns: nothing of it is counted, and its time is drawn as it always was. */
const isPlain = ({ python, table, latencyMs, failsPerMille }: Tool): boolean =>
  python === undefined &&
  table === undefined &&
  latencyMs === undefined &&
  failsPerMille === undefined;

function outcomeOf(
  { rows, otherwise }: ToolTable,
  row: number | undefined,
  turn: number,
  tool: string,
  { params = {} }: MailOf<"sandbox.run">,
): ToolOutcome {
  const { outcomes = [] } = (row === undefined ? undefined : rows[row]) ?? {};
  const found = outcomes[Math.min(turn, outcomes.length - 1)] ?? otherwise;
  if (found !== null) return found;
  return { ok: false, error: `the table of ${tool} has no answer for ${paramsText(params)}` };
}

const SHOWN_MAX = 200;

function paramsText(params: Json): string {
  const text = sortedJson(params);
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX).toWellFormed()}…`;
}

function replied(outcome: ToolOutcome): MailOf<"sandbox.replied"> {
  const said: Mail["sandbox.replied"] = outcome.ok
    ? { ok: true, result: outcome.result, isNone: outcome.result === null }
    : { ok: false, error: outcome.error };
  return { type: "sandbox.replied", ...said };
}

/** A shell has no stand-in: what a command line does depends on all there is. */
export const noShell: Provider<"shell.run"> = {
  answer: ({ event }) => {
    throw new NeedsShell(event.command);
  },
};
