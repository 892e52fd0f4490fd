/**
 * synthesize_capability: nine steps from a name to a tool that the engine may call. Each step is a
 * state, and each says its outcome in a letter. Source: seed 000, "The nine steps"; rulings T1–T9.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { ask, cancelAsk, type Letter, type Outbox, post } from "../../letter.ts";
import { callFault, diskFault, execFault, lateFault, stubFault, syntaxFault } from "./checks.ts";
import { startsWithDef, stubFor, wrapped } from "./stub.ts";
import {
  openingContext,
  type SynthesisContext,
  type SynthesisEvent,
  type SynthesisInput,
  type SynthesisOutcome,
} from "./synthesisContext.ts";
import type { SynthesisPolicy } from "./synthesisPolicy.ts";
import {
  alreadyDeployed,
  codeRun,
  ended,
  faultedAt,
  nothingGiven,
  outcomeOf,
  passed,
  pathOf,
  rejectedAt,
  removed,
  specOf,
  stepLetters,
  unanswered,
} from "./synthesisUpdates.ts";

export const capabilitySynthesisMachine = ({ tools }: { readonly tools: SynthesisPolicy }) =>
  setup({
    types: {
      context: {} as SynthesisContext,
      events: {} as SynthesisEvent,
      input: {} as SynthesisInput & { at: unknown },
      emitted: {} as Outbox,
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
      called: assign(({ context, event }) => callFound(context, event, tools)),
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
            entry: post(({ context: { given } }) => [
              ask({
                to: "port/python.parse",
                key: "syntax",
                event: { type: "python.parse", purpose: "gate", text: given },
              }),
            ]),
            exit: post(() => [cancelAsk("syntax")]),
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
        entry: post(({ context }) => [
          ask({
            to: "files",
            key: "present",
            event: { type: "files.read", path: pathOf(context, ".py") },
          }),
        ]),
        exit: post(() => [cancelAsk("present")]),
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
        entry: post(({ context }) => [
          codeRun(context, { key: "exec", purpose: "exec", limitMs: tools.execTimeoutMs }),
        ]),
        exit: post(() => [cancelAsk("exec")]),
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
        entry: post(({ context }) => [
          codeRun(context, {
            key: "call",
            purpose: "null-check",
            limitMs: tools.nullCheckTimeoutMs,
          }),
        ]),
        exit: post(() => [cancelAsk("call")]),
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

/** What the call without arguments showed. */
function callFound(
  { name }: SynthesisContext,
  event: SynthesisEvent,
  tools: SynthesisPolicy,
): Pick<SynthesisContext, "fault" | "isTested"> {
  const found = callFault(event, name, tools);
  return typeof found === "object"
    ? { fault: found, isTested: false }
    : { fault: null, isTested: found === "tested" };
}
