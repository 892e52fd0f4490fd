/**
 * A skill: normalised before anything is written, tested in the sandbox, persisted with its row written last; then active,
 * degraded, retired. Source: seed 001, path A; rulings K1, K3, K6, K9, K10, K11.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { chartActions, chartTypes } from "../chart.ts";
import { ask, type Delivered, type Json, type Letter, type MailEvent } from "../letter.ts";
import { between, flag, integer, type ValuesOf } from "../policyLeaf.ts";
import { seconds } from "../units.ts";
import { type HealingPolicy, normaliseCode, type ParseVerdict, parseVerdict } from "./normalise.ts";
import {
  type OutputPolicy,
  scriptResult,
  scriptRun,
  tddVerdict,
  testRefusal,
} from "./scriptRun.ts";
import type { SkillRow } from "./skillBook.ts";
import { type Store, skillPath, TEST_PATH } from "./skillStore.ts";

export const skillLeaves = {
  normalise: flag(true, {
    says: "Whether code is normalised before anything is written; else it is tested as it came.",
    source: "seed 001, entry-point normalization (true); ours (false: before 2026-04-24)",
  }),
  testLimitMs: integer(seconds(10), between(1, seconds(600), "ms"), {
    says: "How long the test run of a new skill may take.",
    source: "ours: as any call of Python (the real system gives 600 s)",
  }),
};

type SkillPolicy = ValuesOf<typeof skillLeaves> &
  HealingPolicy &
  OutputPolicy & { readonly store: Store };

/** Where something may be found wrong with it. */
export type SkillStage = "asking" | "normalising" | "testing" | "persisting";

export interface SkillRefusal {
  readonly stage: SkillStage;
  readonly cause: string;
  readonly found: string;
  /** What its author should do. */
  readonly todo: string;
}

export interface SkillInput {
  readonly name: string;
  /** The agent that creates it; empty for one that was there from the start. */
  readonly agent: string;
  readonly keeper: string;
  readonly description: string;
  readonly parametersSchema: Json;
  /** As given. */
  readonly code: string;
  /** JSON text. */
  readonly payload: string;
  /** Of one that is in the store already. */
  readonly kept: SkillRow["status"] | null;
}

export type SkillEvent = Delivered<
  | "python.parsed"
  | "files.replied"
  | "sandbox.replied"
  | "skill.registered"
  | "skill.counted"
  | "skill.left"
  | "ask.bounced"
>;

export interface SkillContext {
  readonly input: SkillInput;
  /** What CPython said of each text that it was asked about. */
  readonly verdicts: readonly (readonly [string, ParseVerdict])[];
  /** The text that it is asked about now. */
  readonly needs: string | null;
  /** What stands in the store. */
  readonly code: string;
  readonly changed: readonly string[];
  readonly refusal: SkillRefusal | null;
  readonly counts: Pick<SkillRow, "status" | "usageCount" | "failureCount"> | null;
}

type Update = Partial<SkillContext>;

/** The next text to ask CPython about, the code, or what is wrong with it. */
function considerCode({ input, verdicts }: SkillContext, policy: SkillPolicy): Update {
  if (!policy.normalise) return { needs: null, code: input.code };
  const found = normaliseCode(input.code, new Map(verdicts), policy);
  if ("needs" in found) return { needs: found.needs };
  if ("error" in found) return { needs: null, refusal: { stage: "normalising", ...found.error } };
  return { needs: null, code: found.code, changed: found.changed };
}

/** CPython's word on the text that it was asked about. */
const noteParse = ({ verdicts, needs }: SkillContext, event: Delivered<"python.parsed">): Update =>
  needs === null ? {} : { verdicts: [...verdicts, [needs, parseVerdict(event)]] };

const refuse = (
  stage: SkillStage,
  found: string,
  cause = "no-answer",
): { readonly refusal: SkillRefusal } => ({
  refusal: { stage, cause, found, todo: "Create the skill again." },
});

const writeLetter = (key: string, path: string, text: string): Letter =>
  ask({ to: "files", key, event: { type: "files.write", path, text } });

const toKeeper = ({ input: { keeper: to } }: SkillContext, event: MailEvent): Letter => ({
  to,
  event,
});

function stepLetter(context: SkillContext, stage: SkillStage, detail: string): Letter {
  const { name: skill, agent } = context.input;
  return toKeeper(context, { type: "skill.stepped", skill, agent, stage, detail });
}

const { say, change, asking } = chartActions<SkillContext, SkillEvent>();

/** How its row stands now. */
const noteCounts = change(
  (_, { status, usageCount, failureCount }: Delivered<"skill.counted">) => ({
    counts: { status, usageCount, failureCount },
  }),
);

const storeLate = { answerTimeout: { target: "#refused", actions: "storeLate" } } as const;

/** Its life is over, or another of its name has taken its place. */
const leaving = {
  "skill.left": [
    { guard: "isReplaced", target: "replaced" },
    { guard: "isLost", target: "lost" },
    { target: "retired" },
  ],
} as const;

export const skillMachine = ({ skills }: { readonly skills: SkillPolicy }) =>
  setup({
    types: chartTypes<SkillContext, SkillEvent, SkillInput>(),
    guards: {
      isRefused: ({ context }) => context.refusal !== null,
      isWritten: ({ event }) => event.type === "files.replied" && event.ok,
      isReplaced: ({ event }) => event.type === "skill.left" && event.how === "replaced",
      isLost: ({ event }) => event.type === "skill.left" && event.how === "lost",
      wasActive: ({ context }) => context.input.kept === "active",
      wasDegraded: ({ context }) => context.input.kept === "degraded",
      mustParse: ({ context }) => context.needs !== null,
      isTaken: ({ event }) => event.type === "skill.registered" && event.ok,
      isTakenDegraded: ({ event }) =>
        event.type === "skill.registered" && event.ok && event.status === "degraded",
      isDegraded: ({ event }) => event.type === "skill.counted" && event.status === "degraded",
    },
    actions: {
      unwritten: assign(({ event }) => {
        const error = "error" in event ? event.error : undefined;
        return refuse("persisting", error ?? "the store did not take it", "storage");
      }),
      storeLate: assign(() => refuse("persisting", "the store did not answer in time")),
      bounced: assign(() => refuse("persisting", "what it asked does not live")),
    },
    delays: { answerTimeout: ANSWER_WAIT_MS, testTimeout: skills.testLimitMs + ANSWER_WAIT_MS },
  }).createMachine({
    id: "skill",
    context: ({ input: { at: _, ...input } }) => ({
      input,
      verdicts: [],
      needs: null,
      code: input.code,
      changed: [],
      refusal: null,
      counts: null,
    }),
    initial: "opening",
    states: {
      opening: {
        always: [
          { guard: "wasActive", target: "active" },
          { guard: "wasDegraded", target: "degraded" },
          { target: "normalising" },
        ],
      },
      normalising: {
        initial: "considering",
        on: { "ask.bounced": { target: "refused", actions: "bounced" } },
        states: {
          considering: {
            entry: change((context) => considerCode(context, skills)),
            always: [
              { guard: "mustParse", target: "parsing" },
              { guard: "isRefused", target: "#refused" },
              { target: "#testing" },
            ],
          },
          parsing: {
            ...asking("parse", ({ needs }) =>
              ask({
                to: "port/python.parse",
                key: "parse",
                event: { type: "python.parse", purpose: "skill", text: needs ?? "" },
              }),
            ),
            on: {
              "python.parsed": { target: "considering", actions: change(noteParse) },
            },
            after: {
              answerTimeout: {
                target: "#refused",
                actions: change(() => refuse("normalising", "the parser did not answer in time")),
              },
            },
          },
        },
      },
      testing: {
        id: "testing",
        initial: "writing",
        entry: say((context) => {
          const changes = context.changed.join("; ");
          return [stepLetter(context, "normalising", changes || "its code is taken as it is")];
        }),
        exit: say(() => [{ to: "files", event: { type: "files.delete", paths: [TEST_PATH] } }]),
        on: { "ask.bounced": { target: "refused", actions: "bounced" } },
        states: {
          writing: {
            ...asking("transient", ({ code }) => writeLetter("transient", TEST_PATH, code)),
            on: {
              "files.replied": [
                { guard: "isWritten", target: "running" },
                { target: "#refused", actions: "unwritten" },
              ],
            },
            after: storeLate,
          },
          running: {
            ...asking("test", ({ code, input }) =>
              ask({
                to: "port/sandbox.run",
                key: "test",
                event: {
                  type: "sandbox.run",
                  purpose: "skill-test",
                  limitMs: skills.testLimitMs,
                  ...scriptRun(code, TEST_PATH, [input.payload]),
                },
              }),
            ),
            on: {
              "sandbox.replied": {
                target: "ran",
                actions: change((_, event: Delivered<"sandbox.replied">) => {
                  const verdict = tddVerdict(scriptResult(event), skills);
                  if (verdict.passed) return {};
                  return { refusal: { stage: "testing", ...testRefusal(verdict) } };
                }),
              },
            },
            after: {
              testTimeout: {
                target: "#refused",
                actions: change(() => refuse("testing", "the sandbox did not answer in time")),
              },
            },
          },
          ran: {
            always: [{ guard: "isRefused", target: "#refused" }, { target: "#persisting" }],
          },
        },
      },
      persisting: {
        id: "persisting",
        initial: "writing",
        entry: say((context) => [
          stepLetter(context, "testing", "it ran to its end and printed something"),
        ]),
        on: { "ask.bounced": { target: "refused", actions: "bounced" } },
        states: {
          writing: {
            ...asking("code", ({ input, code }) =>
              writeLetter("code", skillPath(input.name, skills.store), code),
            ),
            on: {
              "files.replied": [
                { guard: "isWritten", target: "registering" },
                { target: "#refused", actions: "unwritten" },
              ],
            },
            after: storeLate,
          },
          registering: {
            ...asking("row", ({ input, code }) => {
              const { name: skill, agent, description, parametersSchema, keeper } = input;
              const row = { skill, agent, description, parametersSchema, code };
              return ask({ to: keeper, key: "row", event: { type: "skill.registering", ...row } });
            }),
            on: {
              "skill.registered": [
                { guard: "isTakenDegraded", target: "#degraded" },
                { guard: "isTaken", target: "#active" },
                { target: "#refused", actions: "unwritten" },
              ],
            },
            after: storeLate,
          },
        },
      },
      active: {
        id: "active",
        on: {
          "skill.counted": [
            { guard: "isDegraded", target: "degraded", actions: noteCounts },
            { actions: noteCounts },
          ],
          ...leaving,
        },
      },
      // No call reaches it (K11), so nothing but its end can.
      degraded: { id: "degraded", on: { "skill.counted": { actions: noteCounts }, ...leaving } },
      refused: {
        id: "refused",
        type: "final",
        entry: say((context) => {
          const { name: skill, agent } = context.input;
          const why = context.refusal ?? refuse("asking", "no reason given").refusal;
          return [toKeeper(context, { type: "skill.refused", skill, agent, ...why })];
        }),
      },
      replaced: { type: "final" },
      lost: { type: "final" },
      retired: { type: "final" },
    },
  });
