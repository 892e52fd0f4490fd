/**
 * synthesize_capability: nine steps from a name to a tool that the engine may call. Each step is a
 * state, and each says its outcome in a letter. Source: seed 000, "The nine steps"; rulings T1–T9.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { askingIn, chartTypes, type Question, question } from "../../chart.ts";
import { isoTime } from "../../isoTime.ts";
import {
  ask,
  cancelAsk,
  type Delivered,
  type Letter,
  type Mail,
  type MailOf,
  post,
} from "../../letter.ts";
import { between, choice, integer, type ValuesOf } from "../../policyLeaf.ts";
import { days, seconds } from "../../units.ts";
import { TOOLS_FOLDER } from "../engine/state.ts";
import {
  patternFault,
  sanitizedName,
  startsWithDef,
  structureFault,
  stubFor,
  wrapped,
} from "./qualityGate.ts";

export const synthesisLeaves = {
  missingImplementation: choice("stub", ["stub", "refuse"], {
    says: "What a call without code gets: a stub that answers and does nothing, or a refusal.",
    source: "seed 000, Auto-stub generation; Return values; RULINGS T1",
  }),
  dedupWindowMs: integer(seconds(90), {
    says: "How long after a .py was written another one of its name is refused.",
    source: "seed 000, Dedup guard",
    ...between(0, days(1), "ms"),
  }),
  order: choice("reload-then-test", ["reload-then-test", "test-then-reload"], {
    says: "Whether a tool is live while it is tested, or only afterwards.",
    source: "seed 000, The nine steps; test-then-reload is ours, RULINGS T7",
  }),
  execTimeoutMs: integer(seconds(8), {
    says: "How long the exec check may take.",
    source: "seed 000, Auto-test: exec check",
    ...between(1, seconds(600), "ms"),
  }),
  nullCheckTimeoutMs: integer(seconds(12), {
    says: "How long the call without arguments may take.",
    source: "seed 000, Auto-test: null return check",
    ...between(1, seconds(600), "ms"),
  }),
  cleanup: choice("spec-only", ["spec-only", "both"], {
    says: "What a failed exec check removes; a .py that stays blocks a fix for the dedup window.",
    source: "seed 000, Auto-test: exec check; both is ours, RULINGS T8",
  }),
  raisingCall: choice("untested", ["untested", "deploy", "reject"], {
    says:
      "A null check that raises: untested when arguments are missing and else rejected, always " +
      "deployed, or always rejected.",
    source: "seed 000 is silent; RULINGS T9",
  }),
};

type SynthesisPolicy = ValuesOf<typeof synthesisLeaves>;

/** The rule that turned it down, and the error that the agent reads. */
export interface Fault {
  readonly rule: string;
  readonly error: string;
}

export interface SynthesisInput {
  /** The agent that asked for the tool. */
  readonly agent: string;
  readonly name: string;
  readonly description: string;
  readonly implementation: string | null;
  /** An alias of `implementation`, read when that is missing. */
  readonly code?: string | null;
  /** The address that is told of every step and of the end. */
  readonly caller: string;
  /** The address that is told to load the code; null where no engine runs. */
  readonly engine: string | null;
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
}

export type SynthesisEvent = Delivered<
  "python.parsed" | "files.replied" | "sandbox.replied" | "ask.bounced" | "daemon.stopped"
>;

export interface SynthesisStep {
  /** 1 … 9, as the source numbers them. */
  readonly step: number;
  readonly title: string;
  readonly outcome: "done" | "skipped" | "failed";
  /** The pattern or rule that turned it down. */
  readonly rule: string | null;
  readonly detail: string;
}

export type SynthesisVerdict = "deployed" | "untested" | "rejected" | "already_deployed";

/** Word for word what the source returns; `tested` is ours. */
type SynthesisReturn =
  | {
      readonly ok: true;
      readonly capability: string;
      readonly path: string;
      readonly status: "deployed";
      readonly tested?: false;
    }
  | { readonly ok: false; readonly error: string }
  | { readonly ok: false; readonly status: "already_deployed"; readonly message: string };

export interface SynthesisOutcome {
  readonly verdict: SynthesisVerdict;
  readonly return: SynthesisReturn;
  readonly steps: readonly SynthesisStep[];
}

export interface SynthesisContext {
  readonly input: SynthesisInput;
  /** Empty when the given name is none. */
  readonly name: string;
  /** The text as given. */
  readonly given: string;
  /** What stands in the .py. */
  readonly module: string;
  readonly steps: readonly SynthesisStep[];
  /** Why nothing was deployed; null as long as nothing speaks against it. */
  readonly refusal: SynthesisReturn | null;
  /** What a pattern, the parser or the sandbox shows against it; null for nothing, and once it is refused. */
  readonly fault: Fault | null;
  /** Whether the call without arguments said anything about the tool. */
  readonly isTested: boolean;
}

export const openingContext = (input: SynthesisInput): SynthesisContext => ({
  input,
  name: sanitizedName(input.name) ?? "",
  given: input.implementation ?? input.code ?? "",
  module: "",
  steps: [],
  refusal: null,
  fault: null,
  isTested: false,
});

const NULL_STUB = "null stub detected — function returned None";
const NO_REASON = "no reason given";

function stubFault(text: string): Fault | undefined {
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

const lateFault = (limitMs: number): Fault =>
  failed("time-out", `timed out after ${limitMs / 1_000} s`);

function execFault(event: SynthesisEvent, limitMs: number): Fault | undefined {
  if (event.type !== "sandbox.replied") return undefined;
  if (event.timedOut) return lateFault(limitMs);
  return event.ok ? undefined : failed("exec check", event.error ?? NO_REASON);
}

/** What a call without arguments proved, or the fault that it showed. */
function callFault(
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
const nothingGiven = (rule: "name" | "code"): Fault => ({
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
const rejectedAt = (context: Steps, step: number, { rule, error }: Fault): Rejected => {
  const steps = withStep(context, step, { outcome: "failed", rule, detail: error });
  return { ...steps, refusal: { ok: false, error }, fault: null };
};

/** A check that ended it, with what it showed. */
const faultedAt = (context: SynthesisContext, step: number): Rejected =>
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
  const step = { agent: input.agent, capability: name, ...last };
  return [{ to: input.caller, event: { type: "synthesis.stepped", ...step } }];
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
  const end = { agent, capability: context.name, ...outcomeOf(context) };
  return [{ to: caller, event: { type: "synthesis.finished", ...end } }];
}

/** Asks the sandbox to run the module, or to call its function without arguments. */
const codeRun = (
  { name, module }: SynthesisContext,
  purpose: "exec" | "null-check",
  limitMs: number,
): Question =>
  question("port/sandbox.run", { type: "sandbox.run", purpose, name, code: module, limitMs });

export const pathOf = ({ name }: { readonly name: string }, ending: string): string =>
  `${TOOLS_FOLDER}/${name}${ending}`;

/** The spec, field for field as the source lists it. */
function specOf(context: SynthesisContext, nowMs: number): MailOf<"files.write"> {
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

const asks = askingIn<SynthesisContext, SynthesisEvent>();

export const capabilitySynthesisMachine = ({ tools }: { readonly tools: SynthesisPolicy }) =>
  setup({
    types: {
      ...chartTypes<SynthesisContext, SynthesisEvent, SynthesisInput>(),
      output: {} as SynthesisOutcome,
    },
    guards: {
      hasName: ({ context }) => context.name !== "",
      isEmpty: ({ context }) => context.given === "",
      isUnwanted: ({ context }) => context.given === "" && tools.missingImplementation === "refuse",
      isFaultless: ({ context }) => context.fault === null,
      isStub: ({ context }) => context.fault !== null,
      isFunction: ({ context }) => startsWithDef(context.module),
      isFresh: ({ event }) =>
        event.type === "files.replied" &&
        event.mtimeMs !== undefined &&
        event.at.nowMs - event.mtimeMs < tools.dedupWindowMs,
      isWritten: ({ event }) => event.type === "files.replied" && event.ok,
      isReloadFirst: () => tools.order === "reload-then-test",
      isReloaded: ({ context }) => context.steps.some(({ step }) => step === 7),
      isProven: ({ context }) => context.steps.some(({ step }) => step === 9),
      isTested: ({ context }) => context.isTested,
    },
    actions: {
      tell: post(({ context }) => stepLetters(context)),
      end: post(({ context }) => ended(context)),
      named: assign(({ context }) => passed(context, 1, context.name)),
      unnamed: assign(({ context }) => rejectedAt(context, 1, nothingGiven("name"))),
      unguarded: assign(({ context }) => passed(context, 2, null)),
      matched: assign(({ context }) => ({ fault: stubFault(context.given) ?? null })),
      parsed: assign(({ event }) => ({ fault: syntaxFault(event) ?? null })),
      sound: assign(({ context }) => passed(context, 2, "no pattern and no fault found")),
      unsound: assign(({ context }) => faultedAt(context, 2)),
      unwanted: assign(({ context }) => rejectedAt(context, 3, nothingGiven("code"))),
      stubbed: assign(({ context }) => ({
        ...passed(context, 3, "a stub that answers and does nothing"),
        module: stubFor(context.name, context.input.description),
      })),
      taken: assign(({ context }) => ({ ...passed(context, 3, null), module: context.given })),
      unwrapped: assign(({ context }) => passed(context, 4, null)),
      wrapped: assign(({ context }) => ({
        ...passed(context, 4, `the body of def ${context.name}(**kwargs)`),
        module: wrapped(context.name, context.module),
      })),
      fresh: assign(({ context, event }) => alreadyDeployed(context, event)),
      old: assign(({ context }) => passed(context, 5, "none of this name is so young")),
      written: assign(({ context }) => passed(context, 6, pathOf(context, ".py"))),
      unwritten: assign(({ context, event }) => rejectedAt(context, 6, diskFault(event))),
      reloaded: assign(({ context }) =>
        passed(context, 7, context.input.engine === null ? null : "the engine loads the code"),
      ),
      run: assign(({ event }) => ({ fault: execFault(event, tools.execTimeoutMs) ?? null })),
      ran: assign(({ context }) => passed(context, 8, "the module runs")),
      broken: assign(({ context }) => faultedAt(context, 8)),
      ranLate: assign(({ context }) => rejectedAt(context, 8, lateFault(tools.execTimeoutMs))),
      called: assign(({ context, event }) => {
        const found = callFault(event, context.name, tools);
        return typeof found === "object"
          ? { fault: found, isTested: false }
          : { fault: null, isTested: found === "tested" };
      }),
      returned: assign(({ context }) => {
        const { isTested } = context;
        const detail = isTested ? "the call gives something back" : "it needs arguments: untested";
        return passed(context, 9, detail);
      }),
      returnedNothing: assign(({ context }) => faultedAt(context, 9)),
      returnedLate: assign(({ context }) =>
        rejectedAt(context, 9, lateFault(tools.nullCheckTimeoutMs)),
      ),
      waitedInVain: assign(({ context }) => unanswered(context)),
    },
    delays: {
      answerTimeout: ANSWER_WAIT_MS,
      execTimeout: tools.execTimeoutMs,
      nullCheckTimeout: tools.nullCheckTimeoutMs,
    },
  }).createMachine({
    id: "capabilitySynthesis",
    context: ({ input: { at: _, ...input } }) => openingContext(input),
    initial: "naming",
    output: ({ context }) => outcomeOf(context),
    on: {
      "ask.bounced": { target: ".rejected", actions: "waitedInVain" },
      "daemon.stopped": ".stopped",
    },
    states: {
      naming: {
        always: [
          { guard: "hasName", target: "qualityGate", actions: ["named", "tell"] },
          { target: "rejected", actions: "unnamed" },
        ],
      },
      qualityGate: {
        initial: "patterns",
        states: {
          patterns: {
            entry: "matched",
            always: [
              { guard: "isEmpty", target: "#stubbing", actions: ["unguarded", "tell"] },
              { guard: "isStub", target: "#rejected", actions: "unsound" },
              { target: "parsing" },
            ],
          },
          parsing: {
            ...asks("syntax", ({ context: { given } }) =>
              question("port/python.parse", { type: "python.parse", purpose: "gate", text: given }),
            ),
            on: { "python.parsed": { target: "parsed", actions: "parsed" } },
            after: { answerTimeout: { target: "#rejected", actions: "waitedInVain" } },
          },
          parsed: {
            always: [
              { guard: "isFaultless", target: "#stubbing", actions: ["sound", "tell"] },
              { target: "#rejected", actions: "unsound" },
            ],
          },
        },
      },
      stubbing: {
        id: "stubbing",
        always: [
          { guard: "isUnwanted", target: "rejected", actions: "unwanted" },
          { guard: "isEmpty", target: "wrapping", actions: ["stubbed", "tell"] },
          { target: "wrapping", actions: ["taken", "tell"] },
        ],
      },
      wrapping: {
        always: [
          { guard: "isFunction", target: "deduplicating", actions: ["unwrapped", "tell"] },
          { target: "deduplicating", actions: ["wrapped", "tell"] },
        ],
      },
      deduplicating: {
        ...asks("present", ({ context }) =>
          question("files", { type: "files.read", path: pathOf(context, ".py") }),
        ),
        on: {
          "files.replied": [
            { guard: "isFresh", target: "alreadyDeployed", actions: ["fresh", "tell"] },
            { target: "writing", actions: ["old", "tell"] },
          ],
        },
        after: { answerTimeout: { target: "rejected", actions: "waitedInVain" } },
      },
      writing: {
        initial: "code",
        exit: post(() => [cancelAsk("write")]),
        after: { answerTimeout: { target: "rejected", actions: "waitedInVain" } },
        states: {
          code: {
            entry: post(({ context }) => [
              ask({
                to: "files",
                key: "write",
                event: { type: "files.write", path: pathOf(context, ".py"), text: context.module },
              }),
            ]),
            on: {
              "files.replied": [
                { guard: "isWritten", target: "spec" },
                { target: "#rejected", actions: "unwritten" },
              ],
            },
          },
          spec: {
            entry: post(({ context, event }) => [
              ask({ to: "files", key: "write", event: specOf(context, event.at.nowMs) }),
            ]),
            on: {
              "files.replied": [
                { guard: "isWritten", target: "#written", actions: ["written", "tell"] },
                { target: "#rejected", actions: "unwritten" },
              ],
            },
          },
        },
      },
      written: {
        id: "written",
        always: [{ guard: "isReloadFirst", target: "reloading" }, { target: "execChecking" }],
      },
      reloading: {
        entry: post(({ context: { input } }): readonly Letter[] =>
          input.engine === null ? [] : [{ to: input.engine, event: { type: "tools.reloaded" } }],
        ),
        always: [
          { guard: "isProven", target: "proven", actions: ["reloaded", "tell"] },
          { target: "execChecking", actions: ["reloaded", "tell"] },
        ],
      },
      execChecking: {
        ...asks("exec", ({ context }) => codeRun(context, "exec", tools.execTimeoutMs)),
        on: { "sandbox.replied": { target: "execChecked", actions: "run" } },
        after: { execTimeout: { target: "rejected", actions: "ranLate" } },
      },
      execChecked: {
        always: [
          { guard: "isFaultless", target: "nullChecking", actions: ["ran", "tell"] },
          { target: "rejected", actions: "broken" },
        ],
      },
      nullChecking: {
        ...asks("call", ({ context }) => codeRun(context, "null-check", tools.nullCheckTimeoutMs)),
        on: { "sandbox.replied": { target: "nullChecked", actions: "called" } },
        after: { nullCheckTimeout: { target: "rejected", actions: "returnedLate" } },
      },
      nullChecked: {
        always: [
          { guard: "isFaultless", target: "proven", actions: ["returned", "tell"] },
          { target: "rejected", actions: "returnedNothing" },
        ],
      },
      proven: {
        always: [{ guard: "isReloaded", target: "judged" }, { target: "reloading" }],
      },
      judged: { always: [{ guard: "isTested", target: "deployed" }, { target: "untested" }] },
      deployed: { type: "final", entry: "end" },
      untested: { type: "final", entry: "end" },
      alreadyDeployed: { type: "final", entry: "end" },
      stopped: { type: "final" },
      rejected: {
        id: "rejected",
        type: "final",
        entry: post(({ context }) => [
          ...stepLetters(context),
          ...removed(context, tools.cleanup),
          ...ended(context),
        ]),
      },
    },
  });
