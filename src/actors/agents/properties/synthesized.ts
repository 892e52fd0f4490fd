/** One synthesis without a world: whatever it asks is answered from a few choices. */

import { type PolicyValue, valuesOf } from "../../../contract/policy.ts";
import {
  capabilitySynthesisMachine,
  type SynthesisInput,
} from "../../../machines/agents/synthesis/capabilitySynthesis.ts";
import type { At, Letter, Mail, MailEvent, MailOf } from "../../../machines/letter.ts";
import { statechartBehaviour } from "../../../substrate/statechart.ts";
import { agentsLeaves } from "../policy.ts";

export interface Answers {
  readonly implementation?: string | null;
  readonly parses?: boolean;
  readonly execFails?: boolean;
  readonly call?: "value" | "none" | "raises" | "needs" | "late" | "other";
  /** When the .py that is there was written; absent when none is there. */
  readonly writtenMs?: number;
  readonly nowMs?: number;
}

export interface Synthesized {
  readonly verdict: string;
  readonly lastStep: number;
  /** What is there at the end, `.py` and `.json`. */
  readonly files: readonly string[];
}

/** Far above the questions of any synthesis. */
const QUESTIONS_MAX = 50;

export function synthesized(
  answers: Answers,
  policy: { readonly [path: string]: PolicyValue } = {},
): Synthesized {
  const behaviour = statechartBehaviour(capabilitySynthesisMachine(valuesOf(agentsLeaves, policy)));
  const files = new Set<string>(answers.writtenMs === undefined ? [] : [".py"]);
  const at = (seq: number): At => ({ nowMs: answers.nowMs ?? 0, seq, from: "somebody" });
  const input: SynthesisInput = {
    agent: "cedar",
    name: "t",
    description: "counts",
    implementation: answers.implementation ?? null,
    caller: "caller",
    engine: "engine",
    startsAtMs: 0,
  };
  let step = behaviour.start("synthesis", input, at(1));
  let end: MailOf<"synthesis.finished"> | undefined;
  for (let seq = 2; seq < QUESTIONS_MAX; seq++) {
    const letters = step.effects.flatMap((effect) =>
      effect.kind === "letter" ? [effect.letter] : [],
    );
    for (const { event } of letters) {
      keepBooks(files, event);
      if (event.type === "synthesis.finished") end = event;
    }
    const question = letters.find(({ ask }) => ask !== undefined);
    if (question === undefined) break;
    const event = { ...answerTo(question, answers), at: at(seq) };
    step = behaviour.receive("synthesis", step.state, event);
  }
  const { verdict = "none", steps = [] } = end ?? {};
  return { verdict, lastStep: steps.at(-1)?.step ?? 0, files: [...files] };
}

function keepBooks(files: Set<string>, event: MailEvent): void {
  const ending = (name: string): string => name.slice(name.lastIndexOf("."));
  if (event.type === "files.write") files.add(ending(event.path));
  if (event.type === "files.delete") for (const one of event.paths) files.delete(ending(one));
}

function answerTo(
  { to, event }: Letter,
  answers: Answers,
): MailOf<"python.parsed" | "files.replied" | "sandbox.replied"> {
  const { parses = true, execFails = false, call = "value", writtenMs } = answers;
  if (to === "port/python.parse") {
    const error = parses ? {} : { error: "invalid syntax" };
    return { type: "python.parsed", ok: parses, ...error, functions: [], module: "code" };
  }
  if (event.type === "files.read") {
    return writtenMs === undefined
      ? { type: "files.replied", ok: false, error: "FileNotFoundError" }
      : { type: "files.replied", ok: true, text: "x", mtimeMs: writtenMs };
  }
  if (to === "files") return { type: "files.replied", ok: true };
  if (event.type !== "sandbox.run" || event.purpose !== "null-check") {
    const error = execFails ? { error: "NameError: x" } : {};
    return { type: "sandbox.replied", ok: !execFails, ...error };
  }
  return { type: "sandbox.replied", ...CALLS[call] };
}

const CALLS: { readonly [call in NonNullable<Answers["call"]>]: Mail["sandbox.replied"] } = {
  value: { ok: true, functionName: "t", isNone: false },
  none: { ok: true, functionName: "t", isNone: true },
  raises: { ok: false, functionName: "t", error: "ValueError" },
  needs: { ok: false, functionName: "t", error: "TypeError", needsArguments: true },
  late: { ok: false, timedOut: true },
  other: { ok: true, functionName: null },
};
