// Every statechart with any input and any event that it may meet.

import fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import type { AgentEvent, AgentInput } from "../../src/machines/agents/agent/agentTurn.ts";
import type { DaemonEvent, DaemonInput } from "../../src/machines/agents/births.ts";
import type { GoalEvent, GoalInput } from "../../src/machines/agents/goal/goalContext.ts";
import { goalRegistryPath } from "../../src/machines/agents/goal/goalContext.ts";
import type {
  LessonKeeperEvent,
  LessonKeeperInput,
} from "../../src/machines/agents/lessons/lessonKeeper.ts";
import type { StressorEvent, StressorInput } from "../../src/machines/agents/suffering/stressor.ts";
import { STRESSOR_TYPES } from "../../src/machines/agents/suffering/stressorPolicy.ts";
import type {
  SynthesisEvent,
  SynthesisInput,
} from "../../src/machines/agents/synthesis/capabilitySynthesis.ts";
import type { MailEvent } from "../../src/machines/letter.ts";
import type { DreamEvent } from "../../src/machines/skills/dreamer.ts";
import type {
  ExecutorEvent,
  ExecutorInput,
} from "../../src/machines/synt/pool/executorLifecycle.ts";
import { MILLION, minutes, seconds } from "../../src/machines/units.ts";
import { policyWith } from "../builtIn.ts";
import { statecharts } from "../cast.ts";
import { CLERK, everyHook } from "../hooks.ts";
import { anyCrewEvent } from "./installs/crewTables.ts";
import { challengeText, extractedText, SOLUTION } from "./skills/dreamAnswers.ts";
import { anySkillEvent, anySkillInput } from "./skills/skillTable.ts";
import {
  draftEvents,
  draftInput,
  paidEvents,
  paidInput,
  plannerEvents,
  plannerInput,
  requestEvents,
  requestInput,
  turnEvents,
  turnInput,
} from "./synt/anyEvents.ts";

const none = fc.constant({});
const word = fc.constantFrom("", "notes", "write a file", "safer", "{");
const path = fc.constantFrom("/agentOS/workspace/a.md", "/agentOS/workspace/b/c.md");
const nothingOr = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const bounced = fc.constant({ address: "nobody" });
const facts = fc.array(fc.nat(99), { maxLength: 3 });
export const waits = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 0, max: seconds(7) }) },
  { weight: 1, arbitrary: fc.constantFrom(seconds(20), seconds(60), minutes(2), minutes(10)) },
);

type Typed<T extends { type: string }> = {
  [K in T["type"]]: fc.Arbitrary<Omit<Extract<T, { type: K }>, "type" | "at">>;
};

/**
 * Any event of a machine; every type the union declares must have its payloads here. What leads on
 * comes five times as often: a machine with many states is not seen whole otherwise.
 */
function anyOf<T extends { type: string }>(
  payloads: Typed<T>,
  leadingOn: readonly T["type"][] = [],
): fc.Arbitrary<MailEvent> {
  const events = Object.entries<fc.Arbitrary<object>>(payloads).map(([type, payload]) => ({
    weight: leadingOn.includes(type) ? 5 : 1,
    // Object.entries forgets which payload is whose.
    arbitrary: payload.map((fields) => ({ type, ...fields }) as MailEvent),
  }));
  return fc.oneof(...events);
}

const goalAnswer = fc.record({
  action: fc.constant("goal"),
  slug: word,
  content: fc.constant("Write it down"),
  artifact: path,
  evidence: nothingOr(word),
});
const planAnswer = fc.record({
  steps: fc.array(
    fc.record({
      intent: fc.constantFrom("read the notes", "write a file"),
      params: fc.oneof(fc.constant({}), fc.record({ path, content: word })),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});
const sayings = fc.record(
  {
    reasoning: word,
    worldview_update: fc.constant("Nothing here is what it was yesterday."),
    new_open_questions: fc.array(word, { maxLength: 4 }),
    new_opinions: fc.array(fc.record({ opinion: word, domain: word }), { maxLength: 3 }),
    suffering_assessment: fc.record({
      new_stressors: fc.array(word, { maxLength: 2 }),
      resolved: fc.array(word, { maxLength: 3 }),
    }),
  },
  { requiredKeys: [] },
);
const modelText = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.oneof(goalAnswer, fc.constant({ action: "rest" })), sayings)
      .map(([answer, said]) => JSON.stringify({ ...answer, ...said })),
  },
  { weight: 1, arbitrary: fc.constantFrom('{"contradicts":null}', '{"threat":true}') },
  { weight: 3, arbitrary: goalAnswer.map((answer) => JSON.stringify(answer)) },
  { weight: 3, arbitrary: planAnswer.map((answer) => JSON.stringify(answer)) },
  { weight: 1, arbitrary: fc.constantFrom('{"action":"rest"}', "{", "null", '{"steps":[]}') },
);

const agentEvents = anyOf<AgentEvent>(
  {
    "host.message": fc.record({ text: word }),
    "peer.message": fc.record({ from: fc.constant("cipher"), text: word }),
    "outside.signal": fc.record({ text: word }),
    "stressor.changed": fc.record({
      agent: fc.constant("cedar"),
      stressor: fc.constantFrom("repeated_failure", "futility"),
      sinceMs: nothingOr(fc.nat(minutes(5))),
      start: fc.nat(MILLION),
      growthPerDay: fc.nat(MILLION),
      condition: word,
    }),
    "crisis.reset": fc.record({ agent: fc.constant("cedar") }),
    "lessons.answered": fc.record({ rules: fc.array(word, { maxLength: 2 }) }),
    "peers.answered": fc.record({
      claims: fc.array(fc.record({ agent: word, n: fc.nat(9), path, fact: fc.nat(99) }), {
        maxLength: 2,
      }),
    }),
    "tools.answered": fc.record({
      capabilities: fc.array(fc.record({ name: word, description: word }), { maxLength: 2 }),
      broken: fc.array(fc.record({ name: word, failures: fc.nat(5), reason: word }), {
        maxLength: 2,
      }),
    }),
    "llm.replied": fc.record({ text: modelText }),
    "llm.failed": fc.record({ error: word }),
    "call.finished": fc.record({
      ok: fc.boolean(),
      capability: nothingOr(fc.constantFrom("fs_write", "fs_read")),
      result: nothingOr(word),
      nothing: fc.boolean(),
    }),
    "goal.judged": fc.record({
      status: fc.constantFrom("active", "active", "missed", "completed", "abandoned"),
      progress: fc.nat(MILLION),
      misses: fc.constant(0),
      reason: nothingOr(word),
    }),
    "section.answered": fc.record({ title: word, lines: fc.array(word, { maxLength: 2 }) }),
    "agent.joined": fc.record({
      agent: fc.constant("scout"),
      address: fc.constant("agent/scout"),
      by: fc.constant(CLERK),
      stressors: fc.constant([]),
    }),
    "agent.left": fc.record({ agent: fc.constantFrom("scout", "cipher"), reason: word }),
    "ask.bounced": fc.constantFrom({ address: "nobody" }, { address: CLERK }),
    "daemon.stopped": none,
  },
  [
    "ask.bounced",
    "peers.answered",
    "lessons.answered",
    "tools.answered",
    "llm.replied",
    "call.finished",
    "goal.judged",
  ],
);

const declared = {
  slug: word,
  text: word,
  artifact: path,
  evidence: nothingOr(fc.constant("signed")),
};
const resumedProgress = {
  // Mostly right before the gate, which is deep.
  progress: fc.constantFrom(0, 123_456, 900_000, 950_000, MILLION),
  outputs: fc.nat(4),
  lastCapability: nothingOr(word),
  misses: fc.nat(1),
  failedSteps: fc.nat(4),
  wrote: fc.array(path, { maxLength: 1 }),
  notes: fc.array(word, { maxLength: 1 }),
};
const registryLine = fc
  .record({
    n: fc.nat(3),
    status: fc.constantFrom("active", "completed", "abandoned"),
    ...declared,
    ...resumedProgress,
  })
  .map((line) => `${JSON.stringify(line)}\n`);

const daemonEvents = anyOf<DaemonEvent>({
  "files.replied": fc.record({
    ok: fc.constant(true),
    files: fc
      .array(fc.oneof(registryLine, fc.constant("{torn")), { maxLength: 4 })
      .map((lines) => ({ [goalRegistryPath("cedar")]: lines.join("") })),
  }),
  "daemon.restarted": none,
  "host.message": fc.record({ agent: fc.constantFrom("cedar", "vault"), text: word }),
  "outside.signal": fc.record({
    agents: fc.subarray<"cedar" | "vault">(["cedar", "vault"]),
    text: word,
  }),
  "birth.asked": fc.record({ name: fc.constantFrom("cedar", "scout", "No name") }),
  "end.asked": fc.record({ name: fc.constantFrom("cedar", "scout"), reason: word }),
});

const judgeText = fc.constantFrom(
  '{"passes":true,"reason":""}',
  '{"passes":true,"reason":"all there"}',
  '{"passes":true}',
  '{"passes":true,"reason":7}',
  '{"passes":false,"reason":"nothing there"}',
  "{",
);
const goalEvents = anyOf<GoalEvent>({
  "step.ended": fc.record({
    ok: fc.constantFrom(true, true, true, false),
    capability: fc.constantFrom("fs_write", "fs_write", "fs_read", "shell_exec", null),
    wrote: fc.array(path, { maxLength: 2 }),
    nothing: fc.boolean(),
    fact: fc.nat(99),
    error: fc.constant(null),
  }),
  "goal.givenUp": fc.record({ reason: word, facts }),
  "files.replied": fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        ok: fc.constant(true),
        text: fc.constantFrom(
          "short",
          ...Array<string>(3).fill(`${"x".repeat(300)} signed`),
          ...Array<string>(4).fill(`${"x".repeat(300)} signed /agentOS/a.md "x", /agentOS/b.md`),
        ),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ ok: fc.constant(true), entries: fc.constant([]) }),
    },
    { weight: 2, arbitrary: fc.record({ ok: fc.constant(false), error: word }) },
  ),
  "llm.replied": fc.record({ text: judgeText }),
  "llm.failed": fc.record({ error: word }),
  "ask.bounced": bounced,
  "daemon.stopped": none,
});

const lessonText = fc.record({
  lesson: fc.constantFrom("Verify that the path exists", "Check the file exists first", "Rest"),
  category: fc.constantFrom("environment", "tools", "weather"),
  confidence: fc.constantFrom("high", "low"),
});
const lessonKeeperEvents = anyOf<LessonKeeperEvent>({
  "goal.ended": fc.record({
    agent: fc.constant("cedar"),
    n: fc.nat(9),
    status: fc.constantFrom("completed", "abandoned"),
    text: word,
    artifact: fc.constant("/agentOS/workspace/a.md"),
    reason: nothingOr(word),
    notes: fc.array(word, { maxLength: 2 }),
    misses: fc.nat(1),
    failedSteps: fc.nat(1),
    facts: fc.constant([]),
  }),
  "lessons.asked": none,
  "llm.replied": fc.record({
    text: fc.oneof(
      lessonText.map((answer) => JSON.stringify(answer)),
      fc.constantFrom('{"lesson":null}', "{"),
    ),
  }),
  "llm.failed": fc.record({ error: word }),
  "ask.bounced": bounced,
  "daemon.stopped": none,
});

const few = fc.nat(8);
const stressorEvents = anyOf<StressorEvent>({
  "pursuit.assessed": fc.record({ stuckCycles: few }),
  "artifacts.assessed": fc.record({ unseen: few }),
  "plans.assessed": fc.record({ against: few, along: few }),
  "messages.assessed": fc.record({ threats: few, calm: few }),
  "window.assessed": fc.record({ failed: fc.nat(40), total: fc.constant(40) }),
  "choices.assessed": fc.record({ idleCycles: few }),
  "holdings.assessed": fc.record({ bytes: fc.nat(2 * MILLION), files: fc.nat(1_000) }),
  "lock.assessed": fc.record({ load: fc.nat(MILLION), lockedAt: nothingOr(fc.nat(MILLION)) }),
  "output.assessed": fc.record({ barrenCycles: few }),
  "place.answered": fc.record({ granted: fc.boolean() }),
  "word.given": fc.record({ over: fc.boolean() }),
  "crisis.reset": fc.record({ agent: fc.constant("cedar") }),
  "daemon.stopped": none,
});

const agentInput: fc.Arbitrary<AgentInput> = fc.record({
  name: fc.constant("cedar"),
  engine: fc.constant("engine"),
  ledger: fc.constant("goalLedger"),
  lessons: nothingOr(fc.constant("lessons/cedar")),
  peers: fc.constant(["cipher"]),
  suffix: fc.constantFrom("", "#2"),
  lastGoal: fc.nat(9),
  goal: nothingOr(
    fc.record({
      ...declared,
      n: fc.nat(9),
      address: fc.constant("goal/cedar/1"),
      progress: fc.nat(MILLION),
    }),
  ),
  recent: fc.constant([]),
  done: fc.constant([]),
  profile: fc.record({
    traits: fc.constant([]),
    opinions: fc.array(fc.record({ opinion: word, domain: word }), { maxLength: 2 }),
    questions: fc.array(word, { maxLength: 2 }),
    worldview: word,
    lastOutcome: nothingOr(word),
    rotation: fc.nat(9),
  }),
  journal: fc.array(word, { maxLength: 2 }),
});
const daemonInput: fc.Arbitrary<DaemonInput> = fc.constant({
  agents: ["cedar", "vault"],
  startsAtMs: 0,
});
const goalInput: fc.Arbitrary<GoalInput> = fc.record(
  {
    ...declared,
    agent: fc.constant("cedar"),
    n: fc.nat(9),
    ledger: fc.constant("goalLedger"),
    resumed: fc.record(resumedProgress),
  },
  { requiredKeys: ["slug", "text", "artifact", "evidence", "agent", "n", "ledger"] },
);
const lessonKeeperInput: fc.Arbitrary<LessonKeeperInput> = fc.record({
  agent: fc.constant("cedar"),
  ledger: fc.constant("goalLedger"),
  candidates: nothingOr(word),
  lessons: nothingOr(fc.constant("[]")),
});
const stressorInput: fc.Arbitrary<StressorInput> = fc.record({
  agent: fc.constant("cedar"),
  agentAddress: fc.constant("agent/cedar"),
  engine: fc.constant("engine"),
  ledger: fc.constant("goalLedger"),
  type: fc.constantFrom(...STRESSOR_TYPES),
  since: nothingOr(fc.nat(seconds(9))),
});

const mostly = fc.nat(9).map((n) => n > 0);
const synthesisEvents = anyOf<SynthesisEvent>({
  "python.parsed": fc.record({
    ok: mostly,
    functions: fc.constant([]),
    module: fc.constant("code" as const),
  }),
  "files.replied": fc.oneof(
    fc.record({ ok: mostly }),
    fc.record({ ok: mostly }),
    fc.record({ ok: fc.constant(true), mtimeMs: fc.nat(minutes(2)) }),
  ),
  "sandbox.replied": fc.record({
    ok: mostly,
    functionName: fc.constantFrom("t", "t", "t", "other"),
    isNone: fc.nat(4).map((n) => n === 0),
    needsArguments: fc.boolean(),
  }),
  "ask.bounced": bounced,
  "daemon.stopped": none,
});
const synthesisInput: fc.Arbitrary<SynthesisInput> = fc.record({
  agent: fc.constant("cedar"),
  name: fc.constantFrom("t", "T", "???"),
  description: word,
  implementation: nothingOr(fc.constantFrom("def t():\n    return 1\n", "return 1", "...")),
  caller: fc.constant("engine"),
  engine: nothingOr(fc.constant("engine")),
  startsAtMs: fc.nat(),
});

const executorEvents = anyOf<ExecutorEvent>({
  "executor.synthesized": none,
  "executor.granted": none,
  "executor.rejected": none,
  "executor.used": none,
  "executor.fused": fc.record({ into: word }),
  "executor.superseded": fc.record({ into: word }),
  "residue.counted": fc.record({ mnests: fc.nat(1) }),
  "executor.revoked": none,
  "signature.broken": none,
  "executor.released": none,
  "night.came": none,
});
const executorInput: fc.Arbitrary<ExecutorInput> = fc.record({
  name: word,
  version: word,
  isHandcrafted: fc.constant(false),
  pool: fc.constant("pool"),
});

const dreamEvents = anyOf<DreamEvent>({
  "llm.replied": fc.record({
    text: fc.constantFrom(challengeText, extractedText({}), SOLUTION, "{"),
  }),
  "llm.failed": fc.record({ error: word }),
  "sandbox.replied": fc.record({ ok: mostly, functionName: fc.constantFrom("solve", "other") }),
  "ask.bounced": bounced,
});

const { auditor, coder, evaluator, installer, planner } = statecharts(policyWith({}));
const { capabilitySynthesis, daemon, goal, lessonKeeper, skill } = statecharts(policyWith({}));
const { executorDraft, paidCall, synthesisRequest, turnPlanner, userTurn } = statecharts(
  policyWith({}),
);
// Nights of a second, for the waits of this test are short.
const { executorLifecycle } = statecharts(
  policyWith({ "synt.lifecycle.unusedMs": seconds(1), "synt.lifecycle.deprecatedMs": seconds(1) }),
);
// Dreams of a second, likewise.
const { dreamer } = statecharts(policyWith({ "skills.dream.periodMs": seconds(1) }));
/** Under the policy that reaches every state: with few places, and the model's word accepted. */
const { stressor } = statecharts(
  policyWith({ "stressors.maxActive": 5, "stressors.selfReport": "accepted" }),
);
const judging = policyWith({ "stressors.enabled": ["identity_violation", "existential_threat"] });
const { agent } = statecharts(judging);
const { agent: hookedAgent } = statecharts(judging, everyHook);
/** With its inputs, its events, and those of them after which a machine does nothing more or nothing new. */
export const everyStatechart: readonly [
  AnyStateMachine,
  fc.Arbitrary<object>,
  fc.Arbitrary<MailEvent>,
  readonly string[],
][] = [
  [agent, agentInput, agentEvents, ["daemon.stopped"]],
  [hookedAgent, agentInput, agentEvents, ["daemon.stopped"]],
  [auditor, ...anyCrewEvent("auditor"), []],
  [capabilitySynthesis, synthesisInput, synthesisEvents, ["ask.bounced", "daemon.stopped"]],
  [coder, ...anyCrewEvent("coder"), []],
  [daemon, daemonInput, daemonEvents, []],
  [dreamer, fc.constant({}), dreamEvents, []],
  [evaluator, ...anyCrewEvent("evaluator"), []],
  [executorDraft, draftInput, draftEvents, ["ask.bounced"]],
  [
    executorLifecycle,
    executorInput,
    executorEvents,
    ["executor.rejected", "executor.revoked", "residue.counted"],
  ],
  [goal, goalInput, goalEvents, ["daemon.stopped", "goal.givenUp"]],
  [installer, ...anyCrewEvent("installer"), []],
  [lessonKeeper, lessonKeeperInput, lessonKeeperEvents, ["daemon.stopped"]],
  [paidCall, paidInput, paidEvents, ["ask.bounced"]],
  [planner, ...anyCrewEvent("planner"), []],
  [skill, anySkillInput, anySkillEvent, ["ask.bounced", "skill.left"]],
  [stressor, stressorInput, stressorEvents, ["daemon.stopped"]],
  [synthesisRequest, requestInput, requestEvents, ["ask.bounced"]],
  [turnPlanner, plannerInput, plannerEvents, ["ask.bounced"]],
  [userTurn, turnInput, turnEvents, ["ask.bounced"]],
];
