// What each statechart is sent by coverage.test.ts: one event for every way its guards can go. To
// cover a new transition, add the event that takes it; to a guard's new question, its facts.
import { goalRegistryPath } from "../../src/machines/goal.ts";
import type { MailEvent } from "../../src/machines/letter.ts";
import type { PolicyValue } from "../../src/machines/policy.ts";
import { MILLION } from "../../src/machines/units.ts";

export interface Table {
  /** Each is explored from its start, under its policy; together they must take every transition. */
  readonly worlds: readonly {
    readonly input: object;
    readonly policy?: { readonly [path: string]: PolicyValue };
  }[];
  /** What may come at any moment; timers are added by the test. */
  readonly events: readonly MailEvent[];
  /** What guards look at: two states with the same value and facts count as one. */
  readonly facts: (context: never) => unknown;
  /** Transitions that no event can take, by name, each with the reason. */
  readonly unreachable?: { readonly [transition: string]: string };
}

const page = "/agentOS/workspace/cedar/page.md";
const declared = { slug: "page", text: "Write the page", artifact: page, evidence: null };
const goalAnswer = JSON.stringify({
  action: "goal",
  slug: "page",
  content: "Write",
  artifact: page,
});
const planAnswer = JSON.stringify({ steps: [{ intent: "write a file", params: { path: page } }] });
const longPlan = JSON.stringify({
  steps: Array.from({ length: 3 }, () => ({ intent: "write a file", params: {} })),
});
const small = (value: unknown): number => Math.min(Number(value), 4);

interface AgentFacts {
  readonly goal: object | null;
  readonly failures: number;
  readonly failedInRow: readonly unknown[];
  readonly steps: number;
  readonly next: number;
  readonly plan: readonly unknown[];
  readonly heard: readonly unknown[];
  readonly told: number;
}

const agent: Table = {
  worlds: [{ input: agentInput(null) }, { input: agentInput({ ...declared, n: 1, progress: 0 }) }],
  events: [
    { type: "host.message", text: "Hello." },
    { type: "stressor.changed", stressor: "futility", sinceMs: 0, start: 0, growthPerDay: 0 },
    { type: "stressor.changed", stressor: "futility", sinceMs: null, start: 0, growthPerDay: 0 },
    { type: "peers.answered", claims: [] },
    { type: "tools.answered", broken: [], capabilities: [] },
    { type: "llm.replied", text: goalAnswer },
    { type: "llm.replied", text: planAnswer },
    { type: "llm.replied", text: longPlan },
    { type: "llm.replied", text: "{" },
    { type: "llm.failed", error: "away" },
    { type: "call.finished", ok: true, capability: "fs_write", result: 1, nothing: false },
    { type: "call.finished", ok: false, capability: "fs_write", result: null, nothing: false },
    { type: "goal.judged", status: "active", progress: 0, reason: null },
    { type: "goal.judged", status: "completed", progress: MILLION, reason: null },
    { type: "daemon.stopped" },
  ],
  facts: (context: AgentFacts) => ({
    hasGoal: context.goal !== null,
    failures: Math.min(context.failures, 1),
    left: small(context.plan.length - context.next),
    steps: small(context.steps),
  }),
};

function agentInput(goal: object | null): object {
  return {
    ...{ name: "cedar", engine: "engine", ledger: "goalLedger", suffix: "", lastGoal: 0 },
    ...{ goal: goal && { ...goal, address: "goal/cedar/1" }, recent: [], done: [] },
  };
}

const daemon: Table = {
  worlds: [{ input: { agents: ["cedar"], startsAtMs: 0 } }],
  events: [
    { type: "files.replied", ok: true, files: {} },
    { type: "files.replied", ok: true, files: { [goalRegistryPath("cedar")]: "{torn" } },
    { type: "daemon.restarted" },
    { type: "host.message", agent: "cedar", text: "Hello." },
  ],
  facts: ({ boot }: { boot: number }) => Math.min(boot, 2),
};

const step = { type: "step.ended", ok: true, nothing: false, fact: 3, wrote: null };

const goal: Table = {
  worlds: [{ input: { ...declared, agent: "cedar", n: 1, ledger: "goalLedger" } }],
  events: [
    { ...step, capability: "fs_read" },
    { ...step, capability: "fs_write", wrote: page },
    { type: "files.replied", ok: true, text: "x".repeat(300), files: {} },
    { type: "files.replied", ok: false },
    { type: "llm.replied", text: '{"passes": true, "reason": "good"}' },
    { type: "llm.replied", text: '{"passes": false, "reason": "bad"}' },
    { type: "llm.replied", text: "{" },
    { type: "llm.failed", error: "away" },
    { type: "goal.givenUp", reason: "tired", facts: [] },
    { type: "daemon.stopped" },
  ],
  facts: (context: { progress: number; outputs: number; misses: number }) => ({
    progress: context.progress,
    hasOutput: context.outputs > 0,
    misses: context.misses,
  }),
};

const stressor: Table = {
  worlds: [{ input: stressorInput(null) }, { input: stressorInput(0) }],
  events: [
    { type: "window.assessed", failed: 40, total: 40 },
    { type: "window.assessed", failed: 0, total: 40 },
    { type: "daemon.stopped" },
  ],
  facts: () => null,
};

function stressorInput(since: number | null): object {
  const [name, type] = ["cedar", "repeated_failure"];
  return { agent: name, agentAddress: `agent/${name}`, type, since };
}

const code = "def t(**kwargs):\n    return 1\n";
const synthesisInput = { name: "t", description: "counts", implementation: code };
const who = { caller: "engine", engine: "engine", startsAtMs: 0 };
const replied = { type: "sandbox.replied", ok: true, functionName: "t" };

const capabilitySynthesis: Table = {
  worlds: [
    { input: { ...synthesisInput, ...who } },
    {
      input: { ...synthesisInput, ...who, implementation: "return 1" },
      policy: { "tools.order": "test-then-reload" },
    },
    { input: { ...synthesisInput, ...who, implementation: "" } },
    {
      input: { ...synthesisInput, ...who, implementation: "" },
      policy: { "tools.missingImplementation": "refuse" },
    },
    { input: { ...synthesisInput, ...who, implementation: "..." } },
    { input: { ...synthesisInput, ...who, name: "" } },
  ],
  events: [
    { type: "python.parsed", ok: true, functions: [], module: "code" },
    { type: "python.parsed", ok: false, error: "invalid syntax", functions: [], module: "code" },
    { type: "files.replied", ok: true, text: code, mtimeMs: 1_000 },
    { type: "files.replied", ok: false, error: "FileNotFoundError" },
    { ...replied, isNone: false },
    { ...replied, isNone: true },
    { ...replied, ok: false, needsArguments: true, error: "TypeError" },
    { ...replied, ok: false, error: "ValueError" },
    { type: "ask.bounced" },
    { type: "daemon.stopped" },
  ],
  facts: ({ steps, isTested }: { steps: readonly { step: number }[]; isTested: boolean }) => ({
    steps: steps.map((one) => one.step),
    isTested,
  }),
};

export const coverageTables: { readonly [machine: string]: Table } = {
  agent,
  capabilitySynthesis,
  daemon,
  goal,
  stressor,
};
