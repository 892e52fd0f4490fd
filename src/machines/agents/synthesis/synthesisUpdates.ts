/** What synthesize_capability works out after each step, and what it says. Source: seed 000; rulings T6, T8, T9. */
import { isoTime } from "../../isoTime.ts";
import { ask, type Letter, type MailOf } from "../../letter.ts";
import { TOOLS_FOLDER } from "../engine/state.ts";
import type {
  Fault,
  SynthesisContext,
  SynthesisEvent,
  SynthesisOutcome,
  SynthesisStep,
} from "./synthesisContext.ts";
import type { SynthesisPolicy } from "./synthesisPolicy.ts";

const TITLES = [
  "name sanitization",
  "quality gate",
  "auto-stub generation",
  "implementation wrapping",
  "dedup guard",
  "file write",
  "hot-reload",
  "exec check",
  "null return check",
] as const;

/** The answer to a call without a name, or without code where code is asked for. */
export const nothingGiven = (rule: "name" | "code"): Fault => ({
  rule,
  error: "name and code are required",
});

type Steps = Pick<SynthesisContext, "steps">;
type Rejected = Pick<SynthesisContext, "steps" | "refusal" | "fault">;

const withStep = (
  { steps }: Steps,
  step: number,
  rest: Pick<SynthesisStep, "outcome" | "rule" | "detail">,
): Steps => ({ steps: [...steps, { step, title: TITLES[step - 1] ?? "", ...rest }] });

/** A step that let the tool pass; null when there was nothing for it to do. */
export const passed = (context: Steps, step: number, detail: string | null): Steps =>
  withStep(context, step, {
    outcome: detail === null ? "skipped" : "done",
    rule: null,
    detail: detail ?? "nothing to do",
  });

/** A step that ended it. */
export const rejectedAt = (context: Steps, step: number, { rule, error }: Fault): Rejected => {
  const steps = withStep(context, step, { outcome: "failed", rule, detail: error });
  return { ...steps, refusal: { ok: false, error }, fault: null };
};

/** A check that ended it, with what it showed. */
export const faultedAt = (context: SynthesisContext, step: number): Rejected =>
  rejectedAt(context, step, context.fault ?? silence);

const silence: Fault = { rule: "no answer", error: "auto-test failed: the sandbox did not answer" };

/** The open question got no answer: the step after the last one fails. */
export function unanswered(context: SynthesisContext): Rejected {
  const taken = context.steps.map(({ step }) => step);
  const open = taken.at(-1) === 6 && !taken.includes(7) ? 8 : (taken.at(-1) ?? 0) + 1;
  return rejectedAt(
    context,
    open,
    open < 8
      ? { rule: "no answer", error: `${open === 2 ? "the parser" : "the files"} did not answer` }
      : silence,
  );
}

/** The dedup guard's own answer: `ok` is false, and yet the tool is there. */
export function alreadyDeployed(context: SynthesisContext, event: SynthesisEvent): Rejected {
  const writtenMs = event.type === "files.replied" ? (event.mtimeMs ?? 0) : 0;
  const ageMs = Math.max(0, event.at.nowMs - writtenMs);
  const seconds = Math.floor(ageMs / 1_000);
  const message = `${context.name} was deployed ${seconds} s ago and is live: call it instead`;
  const { steps } = rejectedAt(context, 5, { rule: "dedup", error: message });
  return { steps, refusal: { ok: false, status: "already_deployed", message }, fault: null };
}

/** The letter that makes the last step visible. */
export const stepLetters = ({ input, name, steps }: SynthesisContext): Letter[] => {
  const last = steps.at(-1);
  if (last === undefined) return [];
  const { agent, caller } = input;
  const event: MailOf<"synthesis.stepped"> = {
    type: "synthesis.stepped",
    agent,
    capability: name,
    ...last,
  };
  return [{ to: caller, event }];
};

export function outcomeOf(context: SynthesisContext): SynthesisOutcome {
  const { name, refusal, steps, isTested } = context;
  if (refusal !== null) {
    const verdict = "status" in refusal ? "already_deployed" : "rejected";
    return { verdict, return: refusal, steps };
  }
  const path = pathOf(context, ".py");
  const success = { ok: true, capability: name, path, status: "deployed" } as const;
  return isTested
    ? { verdict: "deployed", return: success, steps }
    : { verdict: "untested", return: { ...success, tested: false }, steps };
}

export function ended(context: SynthesisContext): Letter[] {
  const { agent, caller } = context.input;
  const event: MailOf<"synthesis.finished"> = {
    type: "synthesis.finished",
    agent,
    capability: context.name,
    ...outcomeOf(context),
  };
  return [{ to: caller, event }];
}

/** Asks the sandbox to run the module, or to call its function without arguments. */
export const codeRun = (
  { name, module }: SynthesisContext,
  how: { readonly key: string; readonly purpose: "exec" | "null-check"; readonly limitMs: number },
): Letter => {
  const { key, purpose, limitMs } = how;
  const event: MailOf<"sandbox.run"> = {
    type: "sandbox.run",
    purpose,
    name,
    code: module,
    limitMs,
  };
  return ask({ to: "port/sandbox.run", key, event });
};

export const pathOf = ({ name }: { readonly name: string }, ending: string): string =>
  `${TOOLS_FOLDER}/${name}${ending}`;

/** The spec, field for field as the source lists it. */
export function specOf(context: SynthesisContext, nowMs: number): MailOf<"files.write"> {
  const spec = {
    name: context.name,
    description: context.input.description,
    inputSchema: { type: "object", properties: {}, additionalProperties: true },
    activated_at: isoTime(context.input.startsAtMs + nowMs),
    proposed_by: "agent",
  };
  const text = `${JSON.stringify(spec, null, 2)}\n`;
  return { type: "files.write", path: pathOf(context, ".json"), text };
}

/** What a failed check takes away: the exec check the spec, the null check both files. */
export function removed(context: SynthesisContext, cleanup: SynthesisPolicy["cleanup"]): Letter[] {
  const failed = context.steps.at(-1)?.step ?? 0;
  if (failed < 8) return [];
  const endings = failed === 8 && cleanup === "spec-only" ? [".json"] : [".py", ".json"];
  const paths = endings.map((ending) => pathOf(context, ending));
  return [{ to: "files", event: { type: "files.delete", paths } }];
}
