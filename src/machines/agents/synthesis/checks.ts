/**
 * What the parser, the files and the sandbox say about a tool: the fault they show, if any.
 * Source: seed 000, steps 2, 6, 8 and 9; rulings T8, T9.
 */
import type { Mail } from "../../letter.ts";
import { patternFault, structureFault } from "./qualityGate.ts";
import type { Fault, SynthesisEvent } from "./synthesisContext.ts";
import type { SynthesisPolicy } from "./synthesisPolicy.ts";

const NULL_STUB = "null stub detected — function returned None";
const NO_REASON = "no reason given";

export function stubFault(text: string): Fault | undefined {
  const fault = patternFault(text);
  return fault && { rule: fault.rule, error: `rejected: ${fault.reason}` };
}

export function syntaxFault(event: SynthesisEvent): Fault | undefined {
  if (event.type !== "python.parsed") return undefined;
  if (!event.ok) {
    return { rule: "SyntaxError", error: `SyntaxError: ${event.error ?? NO_REASON}` };
  }
  const fault = structureFault(event);
  return fault && { rule: fault.rule, error: `rejected: ${fault.reason}` };
}

export const diskFault = (event: SynthesisEvent): Fault => ({
  rule: "file write",
  error: (event.type === "files.replied" && event.error) || NO_REASON,
});

const failed = (rule: string, detail: string): Fault => ({
  rule,
  error: `auto-test failed: ${detail}`,
});

export const lateFault = (limitMs: number): Fault =>
  failed("time-out", `timed out after ${limitMs / 1_000} s`);

export function execFault(event: SynthesisEvent, limitMs: number): Fault | undefined {
  if (event.type !== "sandbox.replied") return undefined;
  if (event.timedOut) return lateFault(limitMs);
  return event.ok ? undefined : failed("exec check", event.error ?? NO_REASON);
}

/** What a call without arguments proved, or the fault that it showed. */
export function callFault(
  event: SynthesisEvent,
  name: string,
  { raisingCall, nullCheckTimeoutMs }: SynthesisPolicy,
): Fault | "tested" | "untested" {
  if (event.type !== "sandbox.replied") return "untested";
  if (event.timedOut) return lateFault(nullCheckTimeoutMs);
  // A module without a function of the tool's name has nothing to call: it gives nothing back.
  if (isOther(event, name)) return { rule: "no function of its name", error: NULL_STUB };
  if (event.ok) return event.isNone ? { rule: "null return", error: NULL_STUB } : "tested";
  if (raisingCall === "deploy") return "tested";
  if (raisingCall === "untested" && event.needsArguments) return "untested";
  return failed("call raised", event.error ?? NO_REASON);
}

/** Only an answer that names a function, or says that there is none, can say so. */
const isOther = ({ functionName }: Mail["sandbox.replied"], name: string): boolean =>
  functionName !== undefined && functionName !== name;
