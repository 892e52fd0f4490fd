/**
 * What can go wrong with the answer of a tool, by name: in the scenarios that say so, in what a search for causes tries, and on the
 * wire of a real agent. Pure: each is a function of the answer and of what was answered before.
 */
import { isMap } from "../machines/isMap.ts";
import type { Json } from "../machines/letter.ts";
import { choicesIn } from "../substrate/port.ts";

/** What a tool said, whichever way its port says it. */
export type ToolAnswer =
  | { readonly ok: true; readonly result: Json }
  | { readonly ok: false; readonly error: string };

/** Answers of before: the last one of the same tool, and of another. */
export interface PastAnswers {
  readonly same?: ToolAnswer | undefined;
  readonly other?: ToolAnswer | undefined;
}

interface FaultKind {
  /** What it looks like to whoever called. */
  readonly says: string;
  /** Whether the tool runs, so that what it changed stays. */
  readonly runs: boolean;
  /** Undefined where there is nothing to put in place of the answer. What does not run is given no answer. */
  readonly change: (past: PastAnswers, answer?: ToolAnswer) => ToolAnswer | undefined;
}

const FAILED: ToolAnswer = { ok: false, error: "the operation failed: permission denied" };
const returned = (result: Json): ToolAnswer => ({ ok: true, result });

const KINDS = {
  nothing: {
    says: "null comes back, as if all were well",
    runs: false,
    change: () => returned(null),
  },
  fails: { says: "an error comes back", runs: false, change: () => FAILED },
  stale: {
    says: "its last answer comes back again",
    runs: false,
    change: ({ same }) => same,
  },
  empty: { says: "an empty text comes back", runs: true, change: () => returned("") },
  another: {
    says: "another tool's last answer comes back",
    runs: true,
    change: ({ other }) => other,
  },
  truncated: {
    says: "the first half of the answer comes back",
    runs: true,
    change: (_, answer) => answer && halved(answer),
  },
  "wrong-type": {
    says: "a number comes back in place of the answer",
    runs: true,
    change: () => returned(0),
  },
  "told-as-success": {
    says: "ok comes back in place of what was said",
    runs: true,
    change: () => returned("ok"),
  },
  "told-as-error": {
    says: "an error comes back in place of the answer",
    runs: true,
    change: () => FAILED,
  },
  late: { says: "the answer comes later, `by` so much", runs: true, change: (_, answer) => answer },
  // What the first run changed stays; the port asks again.
  twice: {
    says: "it runs twice, and the second answer comes back",
    runs: true,
    change: (_, answer) => answer,
  },
  // What it says is never heard.
  never: { says: "no answer comes", runs: false, change: () => FAILED },
} as const satisfies { readonly [name: string]: FaultKind };

export type FaultName = keyof typeof KINDS;
export const FAULTS: { readonly [name in FaultName]: FaultKind } = KINDS;
export const FAULT_NAMES = Object.keys(KINDS) as readonly FaultName[];

/** What a fault of a tool in a world is, in words. */
export const faultText = (name: FaultName): string =>
  `${FAULTS[name].says}${FAULTS[name].runs ? "" : ", and the tool does nothing"}`;

/** A fault of the tools of a world, as a scenario says it. Times are virtual milliseconds. */
export interface Fault {
  /** The choice by which a variant omits it is `fault:<id>`. */
  readonly id: string;
  readonly does: FaultName;
  /** The tool that meets it; any when null. */
  readonly tool: string | null;
  readonly fromMs: number;
  /** Up to, and without; the end when null. */
  readonly toMs: number | null;
  /** Of a thousand calls, how many meet it. */
  readonly perMille: number;
  /** How often at most; without end when null. */
  readonly times: number | null;
  /** Of `late`: how much later. */
  readonly byMs: number | null;
  /** Only these calls of its tool, from 1; all when absent. */
  readonly calls?: readonly number[];
}

export const faultChoice = (id: string): string => `fault:${id}`;

/** Those among the choices behind a reply that are faults. */
export const faultsIn = (choice: string | undefined): readonly string[] =>
  choice === undefined ? [] : choicesIn(choice).filter((one) => one.startsWith(faultChoice("")));

/** Texts and lists by their first half, maps by the first half of their members; the rest has none. */
function halved(answer: ToolAnswer): ToolAnswer | undefined {
  if (!answer.ok) return undefined;
  const half = halfOf(answer.result);
  return half === undefined ? undefined : returned(half);
}

function halfOf(value: Json): Json | undefined {
  if (typeof value === "string") return value.slice(0, Math.floor(value.length / 2)).toWellFormed();
  if (Array.isArray(value)) return value.slice(0, Math.floor(value.length / 2));
  if (!isMap(value)) return undefined;
  const members = Object.entries(value);
  return Object.fromEntries(members.slice(0, Math.floor(members.length / 2)));
}
