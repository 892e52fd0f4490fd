// What each statechart is sent by coverage.test.ts: one event for every way its guards can go. To
// cover a new transition, add the event that takes it; to a guard's new question, its facts.
import type { AgentContext } from "../../src/machines/agents/agent/context.ts";
import type { GoalContext } from "../../src/machines/agents/goal/goalContext.ts";
import { goalRegistryPath } from "../../src/machines/agents/goal/goalContext.ts";
import { STRESSOR_TYPES } from "../../src/machines/agents/suffering/stressorPolicy.ts";
import type { MailOf } from "../../src/machines/letter.ts";
import { MILLION } from "../../src/machines/units.ts";
import { CLERK } from "../hooks.ts";
import type { Table } from "./coverageTable.ts";
import { crewTables } from "./installs/crewTables.ts";
import { lifeTables } from "./installs/lifeTables.ts";
import { dreamer } from "./skills/dreamerTable.ts";
import { skill } from "./skills/skillTable.ts";
import { syntTables } from "./synt/coverageTables.ts";

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

const felt: MailOf<"stressor.changed"> = {
  type: "stressor.changed",
  agent: "cedar",
  stressor: "futility",
  sinceMs: 0,
  start: 0,
  growthPerDay: 0,
  condition: "a cycle brings progress",
};

const agent: Table = {
  worlds: [
    { input: agentInput({}) },
    { input: agentInput({ lessons: "lessons/cedar" }) },
    { input: agentInput({ goal: { ...declared, n: 1, progress: 0, address: "goal/cedar/1" } }) },
    { input: agentInput({ opinions: [{ opinion: "Write less.", domain: "work" }] }) },
    { input: agentInput({ questions: ["What is it for?"] }) },
  ],
  events: [
    { type: "host.message", text: "Hello." },
    { type: "peer.message", from: "cipher", text: "Hello." },
    { type: "outside.signal", text: "Hello." },
    { ...felt, sinceMs: 0 },
    { ...felt, sinceMs: null },
    { type: "crisis.reset", agent: "cedar" },
    { type: "peers.answered", claims: [] },
    { type: "lessons.answered", rules: [] },
    { type: "tools.answered", broken: [], capabilities: [] },
    { type: "llm.replied", text: goalAnswer },
    { type: "llm.replied", text: planAnswer },
    { type: "llm.replied", text: longPlan },
    { type: "llm.replied", text: '{"action":"rest"}' },
    { type: "llm.replied", text: "{" },
    { type: "llm.failed", error: "away" },
    { type: "call.finished", ok: true, capability: "fs_write", result: 1, nothing: false },
    { type: "call.finished", ok: false, capability: "fs_write", result: null, nothing: false },
    { type: "goal.judged", status: "active", progress: 0, misses: 0, reason: null },
    { type: "goal.judged", status: "completed", progress: MILLION, misses: 0, reason: null },
    { type: "section.answered", title: "NOTES", lines: [] },
    { type: "ask.bounced", address: CLERK },
    { type: "agent.joined", agent: "scout", address: "agent/scout", by: CLERK, stressors: [] },
    { type: "agent.left", agent: "scout", reason: "done" },
    { type: "daemon.stopped" },
  ],
  facts: (context: AgentContext) => ({
    isAdvised: context.advice?.missing.length === 0,
    hasGoal: context.goal !== null,
    givesUp: context.givesUp !== null,
    emptyPlans: small(context.emptyPlans.length),
    failures: Math.min(context.failures, 1),
    left: small(context.plan.length - context.next),
    isUnheard: context.heard.some(({ fact }) => fact > context.weighed),
    suffers: context.suffering.length > 0,
  }),
};

function agentInput(given: {
  readonly goal?: object;
  readonly lessons?: string;
  readonly opinions?: readonly object[];
  readonly questions?: readonly string[];
}): object {
  const { goal = null, lessons = null, opinions = [], questions = [] } = given;
  return {
    ...{ name: "cedar", engine: "engine", ledger: "goalLedger", suffix: "", lastGoal: 0 },
    ...{ goal, lessons, peers: ["cipher"], recent: [], done: [], journal: [] },
    profile: {
      ...{ traits: [], opinions, questions, worldview: "", lastOutcome: null, rotation: 0 },
    },
  };
}

const daemon: Table = {
  worlds: [{ input: { agents: ["cedar"], startsAtMs: 0 } }],
  events: [
    { type: "files.replied", ok: true, files: {} },
    { type: "files.replied", ok: true, files: { [goalRegistryPath("cedar")]: "{torn" } },
    { type: "daemon.restarted" },
    { type: "host.message", agent: "cedar", text: "Hello." },
    { type: "outside.signal", agents: ["cedar"], text: "Hello." },
    { type: "birth.asked", name: "scout" },
    { type: "end.asked", name: "scout", reason: "done" },
  ],
  facts: ({ boot }: { boot: number }) => Math.min(boot, 2),
};

const step: MailOf<"step.ended"> = {
  type: "step.ended",
  ok: true,
  capability: null,
  wrote: [],
  nothing: false,
  fact: 3,
  error: null,
};

const claim = '/agentOS/workspace/a.md says "ends on a very quiet note".';
const otherClaim = '/agentOS/workspace/b.md says "ends on a very quiet note".';

const goal: Table = {
  worlds: [{}, { "gate.semanticFailure": "pass" }].map((policy) => ({
    input: { ...declared, agent: "cedar", n: 1, ledger: "goalLedger" },
    // Two misses show all that five do.
    policy: { "gate.missesMax": 2, ...policy },
  })),
  events: [
    // An artifact that claims something of one file, of two, and those files.
    { type: "files.replied", ok: true, text: `${claim}\n${"x".repeat(300)}` },
    { type: "files.replied", ok: true, text: `${claim}\n${otherClaim}\n${"x".repeat(300)}` },
    { type: "files.replied", ok: true, text: "The page ends on a very quiet note." },
    { type: "files.replied", ok: true, entries: [{ name: "a.md", type: "file", size: 1 }] },
    { type: "files.replied", ok: true, entries: [] },
    { ...step, capability: "fs_read" },
    { ...step, capability: "fs_write", wrote: [page] },
    { type: "files.replied", ok: true, text: "x".repeat(300), files: {} },
    { type: "files.replied", ok: false },
    { type: "llm.replied", text: '{"passes": true, "reason": "good"}' },
    { type: "llm.replied", text: '{"passes": false, "reason": "bad"}' },
    { type: "llm.replied", text: "{" },
    { type: "llm.failed", error: "away" },
    { type: "goal.givenUp", reason: "tired", facts: [] },
    { type: "daemon.stopped" },
  ],
  facts: (context: GoalContext) => ({
    claims: context.mentions.length,
    progress: context.progress,
    hasOutput: context.outputs > 0,
    misses: context.misses,
  }),
};

const stressorPolicies = [{}, { "stressors.maxActive": 1 }, { "stressors.selfReport": "accepted" }];

/** Each type answers to an assessment of its own. */
const stressor: Table = {
  worlds: [
    { input: stressorInput("futility", 0) },
    ...STRESSOR_TYPES.flatMap((type) =>
      stressorPolicies.map((policy) => ({ input: stressorInput(type, null), policy })),
    ),
    {
      input: stressorInput("futility", null),
      policy: { "stressors.maxActive": 1, "stressors.selfReport": "accepted" },
    },
  ],
  events: [
    { type: "pursuit.assessed", stuckCycles: 9 },
    { type: "pursuit.assessed", stuckCycles: 0 },
    { type: "artifacts.assessed", unseen: 9 },
    { type: "artifacts.assessed", unseen: 0 },
    { type: "plans.assessed", against: 9, along: 0 },
    { type: "plans.assessed", against: 0, along: 9 },
    { type: "messages.assessed", threats: 9, calm: 0 },
    { type: "messages.assessed", threats: 0, calm: 9 },
    { type: "window.assessed", failed: 40, total: 40 },
    { type: "window.assessed", failed: 0, total: 40 },
    { type: "choices.assessed", idleCycles: 9 },
    { type: "choices.assessed", idleCycles: 0 },
    { type: "holdings.assessed", bytes: 9 * MILLION, files: 9_000 },
    { type: "holdings.assessed", bytes: 0, files: 0 },
    { type: "lock.assessed", load: MILLION, lockedAt: 550_000 },
    { type: "lock.assessed", load: 0, lockedAt: 550_000 },
    { type: "output.assessed", barrenCycles: 9 },
    { type: "output.assessed", barrenCycles: 0 },
    { type: "place.answered", granted: true },
    { type: "place.answered", granted: false },
    { type: "word.given", over: true },
    { type: "word.given", over: false },
    { type: "crisis.reset", agent: "cedar" },
    { type: "daemon.stopped" },
  ],
  facts: () => null,
};

function stressorInput(type: string, since: number | null): object {
  const who = { agent: "cedar", agentAddress: "agent/cedar", engine: "engine" };
  return { ...who, ledger: "goalLedger", type, since };
}

const code = "def t(**kwargs):\n    return 1\n";
const synthesisInput = { name: "t", description: "counts", implementation: code };
const who = { agent: "cedar", caller: "engine", engine: "engine", startsAtMs: 0 };
const replied: MailOf<"sandbox.replied"> = {
  type: "sandbox.replied",
  ok: true,
  functionName: "t",
};

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
    { type: "ask.bounced", address: "files" },
    { type: "daemon.stopped" },
  ],
  facts: ({ steps, isTested }: { steps: readonly { step: number }[]; isTested: boolean }) => ({
    steps: steps.map((one) => one.step),
    isTested,
  }),
};

const endedGoal: MailOf<"goal.ended"> = {
  type: "goal.ended",
  agent: "cedar",
  n: 1,
  status: "completed",
  text: "Write",
  artifact: page,
  misses: 0,
  failedSteps: 0,
  reason: null,
  notes: [],
  facts: [],
};
const lesson = { lesson: "Look first.", category: "environment", confidence: "high" };

const lessonKeeper: Table = {
  worlds: [{}, { "lessons.queueMax": 1 }].map((policy) => ({
    input: { agent: "cedar", ledger: "goalLedger", candidates: null, lessons: null },
    policy,
  })),
  events: [
    endedGoal,
    { ...endedGoal, status: "abandoned" },
    { type: "lessons.asked" },
    { type: "llm.replied", text: JSON.stringify(lesson) },
    { type: "llm.failed", error: "away" },
    { type: "daemon.stopped" },
  ],
  facts: ({ waiting }: { waiting: readonly unknown[] }) => small(waiting.length),
};

export const coverageTables: { readonly [machine: string]: Table } = {
  agent,
  capabilitySynthesis,
  daemon,
  dreamer,
  goal,
  lessonKeeper,
  skill,
  stressor,
  ...crewTables,
  ...syntTables,
  ...lifeTables,
};
