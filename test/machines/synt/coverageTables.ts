// What coverage.test.ts sends to the statecharts of synt; see ../coverageTables.ts.
import type { Json, Mail, MailOf } from "../../../src/machines/letter.ts";
import type { RequestContext } from "../../../src/machines/synt/request/requestContext.ts";
import type { DraftContext } from "../../../src/machines/synt/stages/executorDraft.ts";
import type { TurnContext } from "../../../src/machines/synt/turn/userTurn.ts";
import type { Table } from "../coverageTable.ts";
import { code, draft, invoke, material, need, passing, shown, wholeAnswer } from "./anyEvents.ts";

const coder = { provider: "llamacpp", model: "Qwen3.6-35B" };
const bounced: MailOf<"ask.bounced"> = { type: "ask.bounced", address: "nobody" };
const decided = (said: Mail["person.decided"]): MailOf<"person.decided"> => ({
  type: "person.decided",
  ...said,
});
const approved = decided({ decision: "approve" });
const discarded = decided({ decision: "discard" });
const paid = (text: string | null): MailOf<"paid.ended"> => ({
  ...{ type: "paid.ended", call: "synt/req-0001/call-1", text },
  ...{ why: null, error: null, cost: 0 },
});
const unpaid: MailOf<"paid.ended"> = { ...paid(null), error: "BudgetExceeded" };

const draftInput = {
  ...{ request: "req-0001", self: "synt/req-0001/draft-1", replyTo: "synt/req-0001" },
  ...{ strategy: "generate", need, material, members: [], pool: [], feedback: null, coder },
};
const parsed: MailOf<"python.parsed"> = {
  ...{ type: "python.parsed", ok: true, imports: [], calls: [], module: "code" },
  functions: [invoke],
};
const ran = (result: Json): MailOf<"sandbox.replied"> => ({
  ...{ type: "sandbox.replied", ok: true, result },
});

const executorDraft: Table = {
  worlds: [
    // Only stage 1 can say that there is no such thing.
    { input: { ...draftInput, kind: "multistage" }, policy: { "synt.stages.retries": 1 } },
    { input: { ...draftInput, kind: "poc" }, policy: { "synt.stages.retries": 1 } },
    { input: { ...draftInput, kind: "transform" }, policy: { "synt.stages.retries": 1 } },
  ],
  events: [
    { type: "files.replied", ok: true, text: "" },
    paid(wholeAnswer),
    paid(code),
    paid('{"name":null}'),
    paid(null),
    unpaid,
    parsed,
    { ...parsed, ok: false },
    ran(passing),
    ran({ ok: false }),
    bounced,
  ],
  facts: ({ stage, retries, run, draft: { tests = [] } }: DraftContext) => ({
    ...{ stage, retries, run },
    tests: tests.length,
  }),
};

const yearsLater = { at: { nowMs: 1e12, seq: 9, from: "somebody" } };

const decadesLater = { at: { nowMs: 3e12, seq: 9, from: "somebody" } };

const executorLifecycle: Table = {
  worlds: [{}, { "synt.lifecycle.revoke": "quarantine" }].map((policy) => ({
    input: { name: "sum_numbers", version: "1", isHandcrafted: false, pool: "pool" },
    policy,
  })),
  events: [
    { type: "executor.synthesized" },
    { type: "executor.granted" },
    { type: "executor.rejected" },
    { type: "executor.used" },
    { type: "executor.fused", into: "other" },
    { type: "executor.superseded", into: "other" },
    { type: "residue.counted", mnests: 0 },
    { type: "residue.counted", mnests: 1 },
    { type: "executor.revoked" },
    { type: "signature.broken" },
    { type: "executor.released" },
    { type: "night.came" },
    { type: "night.came", ...yearsLater },
    { type: "night.came", ...decadesLater },
  ],
  facts: ({ isGranted, deprecatedMs }: { isGranted: boolean; deprecatedMs: number }) => ({
    isGranted,
    isLate: deprecatedMs > 1_000,
  }),
};

const money = (outcome: Mail["money.answered"]["outcome"]): MailOf<"money.answered"> => ({
  ...{ type: "money.answered", outcome, why: null, price: { asked: 2, answered: 10 } },
  ...{ tier: "middle", amount: 500, model: "Qwen3.6-35B", isExternal: false },
});

const paidCall: Table = {
  worlds: [
    {
      input: {
        ...{ request: "req-0001", call: "synt/req-0001/call-1", served: 1, maxTokens: 100 },
        ...{ view: { purpose: "synt.naming", request: "sort it" }, replyTo: "synt/req-0001" },
      },
    },
  ],
  events: [
    money("reserved"),
    money("ask"),
    money("denied"),
    approved,
    discarded,
    { type: "llm.replied", text: "{}" },
    { type: "llm.failed", error: "away" },
    bounced,
  ],
  facts: () => null,
};

const requestInput = {
  ...{ request: "req-0001", proto: null, need, budgetCents: 500, strategy: null, material },
  ...{ mode: "reactive", revision: null, coder },
};
const nightly = (strategy: string, more: object = {}) => ({
  input: { ...requestInput, mode: "introspective", strategy, material: { ...material, ...more } },
});
const edge = (ok: number) => ({
  ...{ from: "read_files", to: "move_files", weight: 900_000_000 },
  seen: { ok, runs: 9 },
});
const pool: MailOf<"pool.answered"> = {
  type: "pool.answered",
  executors: [shown("read_files", "path", "files"), shown("move_files", "files", "moved")],
  edges: [edge(9)],
  uncovered: ["sort_files"],
  cleanRuns: { "read_files → move_files": 7 },
};
/** Two chains to one end, the first of them tried in vain before. */
const detour: MailOf<"pool.answered"> = {
  ...pool,
  executors: [...pool.executors, shown("filter_files", "files", "files")],
  edges: [edge(1), { ...edge(1), to: "filter_files" }, { ...edge(1), from: "filter_files" }],
};
const made: MailOf<"draft.ended"> = {
  ...{ type: "draft.ended", ok: true, draft, passed: 4, run: 4, meanMs: 3, cost: 0 },
  ...{ why: null, error: null },
};
const judged = (score: number, violates: string | null = null) =>
  paid(JSON.stringify({ score, reasoning: "so", violates }));

const synthesisRequest: Table = {
  worlds: [
    { input: requestInput },
    { input: requestInput, policy: { "synt.compose.autonomy": "full" } },
    { input: requestInput, policy: { "synt.compare": "best" } },
    nightly("generate"),
    nightly("merge"),
    nightly("merge", { vetoes: ["fs:write differs"] }),
    nightly("generalise"),
    nightly("specialise", { hot: { value: "csv", uses: 38, of: 40 } }),
    // One change that is asked for shows all that three do.
  ].map((world) => ({
    ...world,
    policy: { "synt.gate.revisions": 1, ...("policy" in world && world.policy) },
  })),
  events: [
    pool,
    detour,
    { ...pool, edges: [] },
    { ...pool, executors: [shown("sort_files", "files", "files")] },
    made,
    { ...made, meanMs: 900 },
    { ...made, draft: { ...draft, profile: { "fs:write": ["*"] } } },
    { ...made, ok: false, draft: null },
    { type: "embed.replied", vectors: {} },
    judged(1),
    judged(0),
    judged(1, "it reaches more than it needs"),
    unpaid,
    approved,
    decided({ decision: "amend", feedback: "shorter" }),
    decided({ decision: "amend", target: "compose" }),
    { type: "synth.revised", feedback: "shorter", target: null },
    { type: "synth.revised", feedback: null, target: "compose" },
    discarded,
    { type: "sign.signed", signature: "ab", key: "cd" },
    { type: "pool.admitted", ok: true, why: null },
    { type: "pool.admitted", ok: false, why: "the pool has it already" },
    bounced,
  ],
  facts: ({ strategy, chain, revisions, cleanRuns, det, ...more }: RequestContext) => ({
    ...{ strategy, chain, revisions, cleanRuns, det, length: more.pool.length },
    ...{ candidates: more.candidates.length, drafts: more.drafts },
    ...{
      heldChain: more.heldChain?.scored.reward.total ?? null,
      heldDraft: more.heldDraft !== null,
    },
  }),
};

const turnPlanner: Table = {
  worlds: [{ input: { turn: "t1", says: "sort my files", replyTo: "gateway/t1" } }],
  events: [
    { type: "catalogue.answered", executors: [], replay: null },
    { type: "catalogue.answered", executors: [], replay: ["read_files"] },
    { type: "llm.replied", text: '{"steps":["read_files"]}' },
    { type: "llm.failed", error: "away" },
    bounced,
  ],
  facts: () => null,
};

const plan: MailOf<"plan.made"> = {
  ...{ type: "plan.made", steps: [], towards: ["move_files"], known: ["read_files"] },
  ...{ isReplayed: false, why: null },
};
const built: MailOf<"synth.ended"> = {
  ...{ type: "synth.ended", request: "req-0001", state: "born", rationale: "" },
  artefact: { name: "sort_files", description: "", capabilities: [], profile: {}, tests: 4 },
};
const found: MailOf<"executor.found"> = {
  type: "executor.found",
  name: "read_files",
  isLoaded: true,
  code: null,
};

const userTurn: Table = {
  worlds: [
    { input: { turn: "t1", says: "sort my files", args: {}, case: null, budgetCents: null } },
  ],
  events: [
    { ...plan, why: "the planner did not answer" },
    { ...plan, steps: ["read_files", "sort_files"] },
    { type: "synth.progressed", request: "req-0001", state: "generating" },
    built,
    { ...built, state: "abandoned", artefact: null },
    found,
    { ...found, isLoaded: false },
    { type: "executor.ended", ok: true },
    { type: "executor.ended", ok: false },
    { type: "sandbox.replied", ok: true, result: { ok: true } },
    { type: "sandbox.replied", ok: true, result: { ok: false } },
    bounced,
  ],
  facts: ({ steps, known, step, isReplayed }: TurnContext) => ({
    ...{ steps, known, step, isReplayed },
  }),
};

export const syntTables: { readonly [machine: string]: Table } = {
  executorDraft,
  executorLifecycle,
  paidCall,
  synthesisRequest,
  turnPlanner,
  userTurn,
};
