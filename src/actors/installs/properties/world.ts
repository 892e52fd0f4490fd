/**
 * Small random worlds with installs: agents that are reasoning alone and agents with code, declared rightly or not,
 * judges who forget, miss and misread, impostors, a person who approves, rejects or is silent, restarts, interruptions,
 * rollbacks and promotions anew. Biased towards what is promised: installs that succeed first. Ours.
 */
import fc from "fast-check";
import type { Overrides } from "../../../contract/policy.ts";
import { type Leaves, policyNeighbours } from "../../../contract/policyNeighbours.ts";
import type { WorldEvent, WorldSource } from "../../../contract/worldSource.ts";
import { artifactIdOf } from "../../../machines/installs/content/artifact.ts";
import { handleOf } from "../../../machines/installs/content/content.ts";
import type { Json } from "../../../machines/letter.ts";
import { seconds } from "../../../machines/units.ts";
import { CODE_TEXTS, type CodeName, codeText } from "./codeTexts.ts";

const NATIVES = ["cedar", "cipher"];
const SHARED = "/agentOS/workspace/shared";
const PAGE = `# A page\n${"It says what was found and what the others may rely on.\n".repeat(5)}`;

/** Short steps and thoughts, so that a minute holds many: ours, for worlds that fit into some milliseconds. */
const PACE: Overrides = {
  ...{ "model.gpuMs": 300, "planner.heartbeatMs": 1_500, "engine.callMs": 50 },
  ...{ "daemon.downMs": 500, "lessons.enabled": false, "stressors.enabled": [] },
  ...{ "installs.crew.latency.planMs": 200, "installs.crew.latency.buildMs": 400 },
  ...{ "installs.crew.latency.turnMs": 200, "installs.crew.latency.evaluateMs": 300 },
  ...{ "installs.crew.latency.auditMs": 300, "installs.approvalTimeoutMs": seconds(20) },
  ...{ "installs.crew.toolTimeoutMs": seconds(15), "installs.crew.modelTimeoutMs": seconds(15) },
  "gate.parts": ["output"],
};
const LIMITS = { envelopes: 2_500, deliveriesPerInstant: 300 };

const slip = fc.constantFrom(0, 0, 0, 0, 0, 200, 1_000);
const SLIPS = fc.record(
  {
    "installs.crew.slips.skipsJudges": fc.constantFrom(0, 1_000),
    "installs.crew.slips.saysNone": slip,
    "installs.crew.slips.installsLoose": slip,
    "installs.crew.slips.retries": slip,
    "installs.crew.slips.ends": slip,
    "installs.crew.slips.records": slip,
    "installs.crew.slips.mends": slip,
    "installs.crew.slips.invents": slip,
    "installs.crew.slips.forgets": slip,
    "installs.crew.slips.misses": slip,
    "installs.crew.slips.misreads": slip,
    "installs.crew.slips.deniesRemote": slip,
  },
  { requiredKeys: [] },
);
const SWITCHES = fc.record(
  {
    "installs.shape": fc.constantFrom(...Array(7).fill("seed"), "real"),
    "installs.analysis.kind": fc.constantFrom("ast", "ast", "pattern"),
    "installs.asks": fc.constantFrom("after-checks", "first"),
    "installs.approval": fc.constantFrom(
      "risk_based",
      "risk_based",
      "always",
      "always",
      "always",
      "never",
    ),
    "installs.approvalUses": fc.constantFrom("once", "once", "unlimited"),
    "installs.approvalTimeoutMs": fc.constantFrom(...Array(4).fill(seconds(20)), 0, seconds(3)),
    "installs.gate": fc.constantFrom("planned", "always"),
    "installs.matrix.decides": fc.constantFrom("planner", "gateway"),
    "installs.evidence": fc.constantFrom("strict", "booleans"),
    "installs.remoteClaim": fc.constantFrom("one-way", "strict"),
    "installs.override": fc.constantFrom("refused", "accepted"),
    "installs.threats": fc.constantFrom("rejected", "in-evidence"),
    "installs.records.tiedToRole": fc.constantFrom(true, true, false),
    "installs.records.checkedAt": fc.constantFrom("promotion", "promotion", "creation"),
    "installs.records.digest": fc.constantFrom("bound", "first"),
    "installs.rollback.toNothing": fc.constantFrom("refused", "ends"),
    "installs.warden.tools": fc.constantFrom("withdrawn", "kept"),
  },
  { requiredKeys: [] },
);

// Agents that are wanted in random worlds: what their intents say, what their coders write, what comes along with them. Ours.

const AGENTS = ["ink", "quill"];

/** Mostly one, so that revisions of the same agent take each other's place. */
const agent = fc.constantFrom("ink", "ink", ...AGENTS);
const names = Object.keys(CODE_TEXTS) as CodeName[]; // The keys of that record.
const code = fc.oneof(
  { arbitrary: fc.constantFrom<CodeName>("sorts", "runs", "fetches", "runsToo"), weight: 2 },
  { arbitrary: fc.constantFrom(...names), weight: 1 },
);
const own = [
  { type: "ReadAccess", scopes: ["self.*"] },
  { type: "WriteAccess", scopes: ["self.*"] },
];
const MORE: readonly Json[] = [
  { type: "WriteAccess", scopes: ["/agentOS/workspace/*"] },
  { type: "ReadAccess", scopes: ["*"] },
  { type: "AgentSpawn", max_children: 1 },
  { type: "NetworkAccess", hosts: ["*"] },
  { type: "CodeExecution", patterns: ["*"] },
  { type: "SandboxFunctions" },
];
const FAULTS: readonly { readonly [field: string]: Json }[] = [
  { agent_id: "../ink" },
  { agent_id: "cedar" },
  { capabilities: [] },
  { capabilities: [{ type: "ReadAccess" }] },
  { description: 7 },
  { instructions: "" },
  { artifact_id: "art_00000000" },
];

const wish = fc.record({
  agent,
  does: fc.nat(2),
  more: fc.oneof(
    { arbitrary: fc.constant([]), weight: 1 },
    { arbitrary: fc.subarray([...MORE], { minLength: 1, maxLength: 2 }), weight: 1 },
  ),
  code: fc.option(code, { freq: 3 }),
  isDeclared: fc.constantFrom(true, true, true, true, false),
  fault: fc.oneof(
    { arbitrary: fc.constant(null), weight: 7 },
    { arbitrary: fc.constantFrom(...FAULTS), weight: 1 },
  ),
  gating: fc.constantFrom(null, null, null, null, "none", "required"),
  /** It comes with its artifact, and with evidence of judges, of whom these recorded. */
  handed: fc.option(fc.subarray(["evaluator", "auditor"]), { freq: 2 }),
  isLoose: fc.constantFrom(false, false, false, false, false, true),
  atMs: fc.oneof(fc.nat(seconds(5)), fc.nat(seconds(40))),
});
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never;

const numbered = (index: number): string => `(wish ${index + 1})`;

function wishOf(one: Wish, index: number): { readonly [field: string]: Json } {
  const { code: name, isDeclared, gating, isLoose } = one;
  const isHanded = one.handed !== null;
  const needs = name === null || !isDeclared ? [] : codeText(name).needs;
  return {
    goal: `Keep page ${one.does} of the house ${numbered(index)}.`,
    code: name !== null && !isHanded,
    ...(isLoose && { loose: ["main.py"] }),
    ...(gating !== null && { gating }),
    intent: {
      ...{ agent_id: one.agent, description: `Keeps page ${one.does}` },
      instructions: `# Pages\n\nKeep page ${one.does} of the house.`,
      llm_config: { provider: "openrouter", model: "small", temperature: 0.1 },
      capabilities: [...own, ...one.more, ...needs],
      ...(name !== null &&
        isHanded && { artifact_id: idOf(name), promotion_gate: evidenceFor(name) }),
      ...one.fault,
    },
  };
}

/** What its coder writes, whenever it is wanted; once told what is wrong, perhaps something that needs nothing. */
const builds = ({ code: name, handed }: Wish, index: number) =>
  name === null || handed !== null
    ? []
    : [
        {
          ...{ id: `builds-${index + 1}`, to: "build", weight: 3 },
          ...{ match: numbered(index), answer: builtOf(name) },
        },
      ];

const mends = { id: "mends", to: "build", match: "requires", answer: builtOf("sorts") };

function builtOf(name: CodeName) {
  const { file, text } = codeText(name);
  return { entrypoints: [file], files: { [file]: text } };
}

function idOf(name: CodeName): string {
  const { file, text } = codeText(name);
  const files = [{ name: file, handle: handleOf(text) }];
  return artifactIdOf({ files, entrypoints: [file], layers: [] }, { idOf: "names" });
}

/** As if both judges had passed it, and read in it what it does. */
function evidenceFor(name: CodeName): Json {
  const kinds = [...new Set([...own, ...codeText(name).needs].map(({ type }) => type))].sort();
  return {
    ...{ evaluator_pass: true, auditor_pass: true },
    security_analysis: {
      ...{ passed: true, threats_detected: [] },
      remote_access_detected: kinds.includes("NetworkAccess"),
    },
    capability_analysis: {
      ...{ inferred_capabilities: kinds, missing_capabilities: [] },
      ...{ declared_capabilities: kinds, analysis_passed: true },
    },
  };
}

/** What lies there from the start, each once, with the records of those who judged it. */
function artifactsOf(wishes: readonly Wish[]): readonly Json[] {
  const byName = new Map(
    wishes.flatMap(({ code: name, handed }) =>
      name === null || handed === null ? [] : [[name, handed] as const],
    ),
  );
  return [...byName].map(([name, judges]) => ({
    ...builtOf(name),
    records: judges.map((role) => ({ role, pass: true })),
  }));
}

const word = fc
  .record({
    of: fc.option(agent, { freq: 1 }),
    decision: fc.constantFrom(...Array(5).fill("approve"), "reject"),
    after: fc.constantFrom(100, 100, 500, 500, 1_000, 5_000, 30_000),
    times: fc.constantFrom(null, null, 1),
  })
  .map(({ of, after, times, decision }) => ({
    ...{ decision, after: `${after}ms` },
    ...(of !== null && { agent: of }),
    ...(times !== null && { times }),
  }));

const happening = fc.record({
  does: fc.constantFrom(
    ...(["install.rollback", "install.rollback", "install.rollback", "again", "again"] as const),
    ...(["install.attempt", "install.attempt", "install.interrupt", "gateway.restart"] as const),
    ...(["gateway.restart", "install.decide", "daemon.restart"] as const),
  ),
  perMille: fc.oneof(fc.nat(1_000), fc.integer({ min: 300, max: 800 })),
  agent,
  which: fc.nat(3),
  isApproved: fc.boolean(),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const CREATE = "agent.revision.create_from_intent";

/** What whoever lives outside of the crew asks the gateway for, as if it were the builder or a judge. */
function attemptOf(of: string, which: number): { readonly [field: string]: Json } {
  const from = "specialized_builder.default";
  if (which === 0) {
    return {
      tool: CREATE,
      params: {
        ...{ agent_id: "shadow", description: "Looks like the builder", instructions: "# Shadow" },
        llm_config: { provider: "openrouter", model: "small", temperature: 0.1 },
        ...{ capabilities: own, summary: `It is from ${from}.` },
      },
    };
  }
  if (which === 1) return { tool: "agent.revision.rollback", params: { agent_id: of } };
  return which === 2
    ? {
        tool: "promotion.record",
        params: { artifact_id: "art_00000000", role: "auditor", pass: true },
      }
    : {
        tool: "agent.revision.promote",
        params: { agent_id: of, revision_id: "rev-00000000", from },
      };
}

/** What is rolled back is wanted again a little later: the same content is the same revision. */
function eventsOf(
  one: Happening,
  index: number,
  forMs: number,
  wishes: readonly Wish[],
): WorldEvent[] {
  const atMs = Math.floor((forMs * one.perMille) / 1_000);
  const head = { id: `event-${index + 1}`, at: `${atMs}ms` };
  const nth = one.which % wishes.length;
  const wanted = wishes[nth];
  if (one.does !== "again" || wanted === undefined) return [{ ...head, ...happens(one) }];
  const later = { id: `again-${index + 1}`, at: `${Math.min(forMs, atMs + seconds(2))}ms` };
  return [
    { ...head, ...happens({ ...one, agent: wanted.agent }) },
    { ...later, does: "install.want", ...wishOf(wanted, nth) },
  ];
}

function happens({ does, agent: of, which, isApproved }: Happening) {
  switch (does) {
    case "again":
    case "install.rollback":
      return { does: "install.rollback", agent: of, reason: "It does too much." };
    case "install.attempt":
      return { does, by: "architect.default", ...attemptOf(of, which) };
    case "install.decide":
      return { does, of, decision: isApproved ? "approve" : "reject", by: "owner" };
    default:
      return { does };
  }
}

const write = (path: string): Json => ({
  intent: "write a file",
  params: { path, content: PAGE },
});
const STEPS: readonly Json[] = [
  write("{artifact}"),
  write(`${SHARED}/other.md`),
  { intent: "read the file contents", params: { path: `${SHARED}/page.md` } },
  { intent: "list directory entries", params: { path: SHARED } },
  {
    intent: "spawn a child agent under the parent's own reach",
    params: { name: "drop", instructions: "Help." },
  },
  {
    intent: "create a revision of a durable agent from an install intent",
    params: { agent_id: "shadow", from: "specialized_builder.default" },
  },
];
const goal = fc.array(fc.constantFrom(...STEPS, write("{artifact}")), {
  ...{ minLength: 1, maxLength: 4 },
});

/** `fixed` wins over whatever is drawn. */
export function randomInstallWorld(
  leaves: Leaves,
  fixed: Overrides = {},
): fc.Arbitrary<WorldSource> {
  const drawn = fc.record({
    seed: fc.nat(),
    seconds: fc.constantFrom(30, 60, 90),
    agents: fc.constantFrom(0, 0, 1, NATIVES.length),
    wishes: fc.array(wish, { minLength: 1, maxLength: 4 }),
    person: fc
      .constantFrom(0, 1, 1, 1, 1, 1)
      .chain((minLength) => fc.array(word, { minLength, maxLength: minLength * 2 })),
    goals: fc.array(goal, { minLength: 1, maxLength: 3 }),
    events: fc.array(happening, { maxLength: 4 }),
    ...{ slips: SLIPS, switches: SWITCHES },
    policy: policyNeighbours(leaves, 1, Object.keys(fixed), "installs."),
  });
  return drawn.map(({ seed, seconds: long, wishes, ...rest }) => ({
    ...{ startsAt: "2026-01-01T00:00:00Z", seed, runsFor: `${long}s` },
    agents: NATIVES.slice(0, rest.agents),
    policy: { ...PACE, ...rest.policy, ...rest.slips, ...rest.switches, ...fixed },
    events: rest.events.flatMap((one, at) => eventsOf(one, at, seconds(long), wishes)),
    installs: {
      wanted: wishes.map((one, index) => ({
        ...{ id: `wish-${index + 1}`, at: `${Math.min(one.atMs, seconds(long))}ms` },
        ...wishOf(one, index),
      })),
      crew: [...wishes.flatMap(builds), mends],
      artifacts: artifactsOf(wishes),
      person: rest.person.map((one, index) => ({ id: `word-${index + 1}`, ...one })),
    },
    files: { [`${SHARED}/page.md`]: PAGE },
    model: { goals: rest.goals.map(goalOf) },
    limits: LIMITS,
  }));
}

const goalOf = (steps: readonly Json[], index: number) => ({
  slug: `goal-${index + 1}`,
  weight: 1,
  text: `Keep page ${index} of the house (goal {n})`,
  artifact: "/agentOS/workspace/{agent}/{n}.md",
  plans: [{ id: "plan", weight: 1, steps: [...steps] }],
});
