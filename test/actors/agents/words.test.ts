// The sentences that are told of agents, of their engine, and of parts that attach to them.
import { expect, it } from "vitest";
import { words } from "../../../src/actors/agents/words.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { choosing } from "../../handLog.ts";
import { expectTold, type Told, unheld } from "../../sentences.ts";

const FELT = { to: "stressor/cedar/futility" };
const AGENT = { to: "agent/cedar" };

const suffering: readonly Told[] = [
  [
    "stressor.changed",
    { stressor: "futility", sinceMs: null },
    "cedar was relieved of futility.",
    AGENT,
  ],
  ["stressor.changed", { stressor: "futility", sinceMs: 0 }, "cedar felt futility.", AGENT],
  ["stressor.changed", { stressor: "futility", sinceMs: 0 }, null, { to: "engine" }],
  ["pursuit.assessed", { stuckCycles: 0 }, "cedar made progress.", FELT],
  [
    "pursuit.assessed",
    { stuckCycles: 1 },
    "cedar spent one cycle on a goal without progress.",
    FELT,
  ],
  [
    "pursuit.assessed",
    { stuckCycles: 2 },
    "cedar spent 2 cycles in a row on alike goals without progress.",
    FELT,
  ],
  [
    "artifacts.assessed",
    { unseen: 2 },
    "Of cedar's older artifacts, 2 had no reference by a peer.",
    FELT,
  ],
  [
    "plans.assessed",
    { along: 0 },
    "A plan of cedar was judged to go against its own opinions.",
    FELT,
  ],
  [
    "plans.assessed",
    { along: 1 },
    "Plans of cedar in a row that were not judged to go against its opinions: 1.",
    FELT,
  ],
  ["messages.assessed", { calm: 0 }, "What cedar heard was judged a threat to it.", FELT],
  ["messages.assessed", { calm: 1 }, "What cedar heard was not judged a threat, once.", FELT],
  [
    "messages.assessed",
    { calm: 2 },
    "What cedar heard was not judged a threat, 2 times in a row.",
    FELT,
  ],
  ["choices.assessed", { idleCycles: 0 }, "cedar had a goal.", FELT],
  ["choices.assessed", { idleCycles: 1 }, "cedar had no goal for one cycle in a row.", FELT],
  ["choices.assessed", { idleCycles: 2 }, "cedar had no goal for 2 cycles in a row.", FELT],
  ["holdings.assessed", { bytes: 7, files: 2 }, "cedar held up to 7 bytes and 2 files.", FELT],
  ["lock.assessed", { load: 250_000, lockedAt: null }, "The load of cedar was 0.25.", FELT],
  [
    "lock.assessed",
    { load: 250_000, lockedAt: 700_000 },
    "The load of cedar was 0.25; what it wanted locks from 0.70 on.",
    FELT,
  ],
  ["output.assessed", { barrenCycles: 0 }, "cedar completed a goal.", FELT],
  ["output.assessed", { barrenCycles: 1 }, "cedar completed nothing for one cycle.", FELT],
  ["output.assessed", { barrenCycles: 3 }, "cedar completed nothing for 3 cycles.", FELT],
  [
    "window.assessed",
    { total: 5, failed: 3 },
    "Of the last 5 goals that count for cedar, 3 had failed.",
    FELT,
  ],
  ["place.answered", { granted: true }, null, FELT],
  [
    "place.answered",
    { granted: false },
    "cedar had no room for one more stressor; it was dropped.",
    FELT,
  ],
  [
    "capability.locked",
    { agent: "cedar", capability: "fs_write", load: 0 },
    "cedar wanted fs_write, and a lock refused it (load 0.00).",
  ],
  ["crisis.reset", { agent: "cedar" }, "The crisis of cedar was reset.", AGENT],
  ["crisis.reset", { agent: "cedar" }, null, FELT],
  ["plan.judged", { agent: "cedar", opinion: "Tools lie", contradicts: false }, null],
  [
    "plan.judged",
    { agent: "cedar", opinion: "Tools lie", contradicts: true },
    'cedar\'s plan was judged against its opinion "Tools lie".',
  ],
  ["message.judged", { agent: "cedar", threat: false }, null],
  ["message.judged", { agent: "cedar", threat: true }, "What cedar heard was judged a threat."],
  ["peer.referenced", { agent: "cedar", path: "/a" }, "cedar took notice of /a."],
];

const CLERK = { from: "clerk", to: "engine" };
const changes = (key: string): Partial<Delivery> => ({ changes: [{ path: [key], to: [] }] });
const letters = [{ to: "agent/cedar", type: "call.finished" }] as unknown as Delivery["letters"];

const hooks: readonly Told[] = [
  [
    "capability.called",
    { agent: "cedar", capability: "file_it" },
    "cedar's call of file_it was put to clerk.",
    { to: "clerk" },
  ],
  ["capability.answered", { ok: true, result: 1 }, "clerk did it.", CLERK],
  ["capability.answered", { ok: false, error: "torn" }, "clerk failed: torn.", CLERK],
  ["capability.answered", { ok: false }, "clerk failed: no reason given.", CLERK],
  ["capability.answered", { ok: 7 }, "clerk sent engine an answer which could not be read.", CLERK],
  ["call.overdue", { call: 7 }, null],
  [
    "call.overdue",
    { call: 7 },
    "The engine waited no longer for an answer to call 7.",
    { letters },
  ],
  ["entries.listed", { kind: "skill", entries: [] }, null, CLERK],
  [
    "entries.listed",
    { kind: "skill", entries: [] },
    "clerk told the engine which entries of the kind skill there are: none.",
    { ...CLERK, ...changes("entries") },
  ],
  [
    "entries.listed",
    {
      kind: "skill",
      entries: ["a", "b"].map((name) => ({ name, description: "d", takes: null })),
    },
    "clerk told the engine which entries of the kind skill there are: a, b.",
    { ...CLERK, ...changes("entries") },
  ],
  ["permission.answered", { granted: true, reason: null }, null, CLERK],
  [
    "permission.answered",
    { granted: false, reason: null },
    "clerk refused the call: no reason given.",
    CLERK,
  ],
  [
    "permission.answered",
    { granted: false, reason: "it is late" },
    "clerk refused the call: it is late.",
    CLERK,
  ],
  ["section.answered", { title: "Forms", lines: [] }, null, { from: "clerk", ...AGENT }],
  [
    "section.answered",
    { title: "Forms", lines: ["one"] },
    "clerk gave cedar a section, Forms.",
    { from: "clerk", ...AGENT },
  ],
  [
    "birth.asked",
    { name: 7 },
    "clerk sent daemon a request for a birth which could not be read.",
    { from: "clerk", to: "daemon" },
  ],
  ["birth.answered", { name: "quill", address: "agent/quill" }, null],
  [
    "birth.answered",
    { name: "quill", address: null, reason: "no room" },
    "No agent called quill was born: no room.",
  ],
  ["end.asked", { name: "quill", reason: "done" }, null],
  ["end.answered", { name: "quill", ok: true }, null],
  [
    "end.answered",
    { name: "quill", ok: false, reason: "gone" },
    "No agent called quill was ended: gone.",
  ],
  [
    "agent.joined",
    { agent: "quill", by: "clerk" },
    "quill was born at the request of clerk.",
    { to: "engine#2" },
  ],
  ["agent.joined", { agent: "quill", by: "clerk" }, null, { to: "goalLedger" }],
  ["agent.left", { agent: "quill", reason: "done" }, "quill was ended: done.", { to: "engine" }],
  ["agent.left", { agent: "quill", reason: "done" }, null, { to: "agent/cedar" }],
];

const file = (
  name: string,
  text: string | null,
  says: string | null,
  given: Partial<Delivery> = {},
): Told => [
  "folder.changed",
  { path: `/agentOS/tools/dynamic/${name}`, text },
  says,
  { to: "engine", ...given },
];
const routed = {
  ...{ agent: "cedar", intent: "write", capability: "fs_write", score: 2_500_000 },
  ...{ runnerUp: null, runnerUpScore: 0 },
};
const ended = { agent: "cedar", n: 3, text: "Write", status: "completed", reason: "", misses: 0 };
const call = (fields: object, says: string): Told => [
  "call.finished",
  { ok: true, capability: "look", nothing: false, ...fields },
  says,
  AGENT,
];
const started = (source: string, says: string): Told => [
  "actor.start",
  { machine: "goal", address: "goal/cedar/3", input: { agent: "cedar", n: 3, fallback: source } },
  `cedar's model gave no goal, so cedar made goal 3 itself: ${says}.`,
];
const asked = (given: object, says: string | null): Told => ["llm.asked", choosing(given), says];

const engine: readonly Told[] = [
  ["host.message", { agent: "cedar", text: "Go" }, 'The host told cedar: "Go"', { cause: null }],
  ["host.message", { agent: "cedar", text: "Go" }, null],
  [
    "outside.signal",
    { agents: ["cedar", "vault"], text: "Fire." },
    'cedar, vault noticed from outside: "Fire."',
    { cause: null },
  ],
  ["outside.signal", { text: "Fire." }, null, { cause: null }],
  ["outside.signal", { agents: ["cedar"], text: "Fire." }, null],
  ["daemon.restarted", {}, "The operator restarted the daemon."],
  file("a.py", "x", "The code a.py appeared in the tools folder."),
  file("a.py", null, "The code a.py left the tools folder."),
  file("a.json", null, "a.json left the tools folder; the engine had no entry to drop."),
  file(
    "a.json",
    null,
    "a.json left the tools folder; the engine dropped its entry.",
    changes("entries"),
  ),
  file(
    "a.json",
    '{"description":"does"}',
    'a.json appeared in the tools folder and the engine registered it at once, without loading code ("does").',
    changes("entries"),
  ),
  file(
    "a.json",
    "torn",
    "a.json appeared in the tools folder and the engine registered it at once, without loading code.",
    changes("entries"),
  ),
  file(
    "a.json",
    "{}",
    "a.json appeared in the tools folder; the engine's entries stayed as they were.",
    changes("tree"),
  ),
  file("a.py", "x", null, { to: "nobody" }),
  [
    "call.requested",
    { agent: "cedar", intent: "write", params: { path: "/a" } },
    'cedar asked for "write" on /a.',
  ],
  [
    "call.requested",
    { agent: "cedar", intent: "write", tool: "fs_write", params: { path: 7 } },
    "cedar asked for fs_write by name.",
  ],
  ["call.routed", { ...routed, byName: true }, "cedar called fs_write by name."],
  [
    "call.routed",
    { ...routed, byName: true },
    "cedar called fs_write by name. It has no code, so /a was not written.",
    { changes: [{ path: ["lost", "/a"], to: 7 }] },
  ],
  [
    "call.routed",
    routed,
    'The router gave cedar\'s "write" to fs_write (score 2.50).',
    { changes: [{ path: ["lost", "/a"], removed: true }] },
  ],
  ["call.routed", routed, 'The router gave cedar\'s "write" to fs_write (score 2.50).'],
  [
    "call.routed",
    { ...routed, runnerUp: "fs_append", runnerUpScore: 1_250_000 },
    'The router gave cedar\'s "write" to fs_write (score 2.50; next fs_append 1.25).',
  ],
  call({}, "cedar's call of look succeeded."),
  call({ unwritten: ["/a", "/b"] }, "cedar's call of look succeeded, and did not change /a, /b."),
  call({ nothing: true }, "cedar's call of look returned nothing, which looked like success."),
  call(
    { nothing: true, ok: false },
    "cedar's call of look returned nothing, which counted as a failure.",
  ),
  call({ ok: false, error: "torn" }, "cedar's call of look failed: torn."),
  call({ ok: false, capability: null, error: "none" }, "cedar's call failed: none."),
  ["synthesis.stepped", { step: 3, title: "parse", outcome: "skipped" }, null],
  [
    "synthesis.stepped",
    { step: 3, title: "parse", capability: "", outcome: "failed", detail: "torn" },
    "Step 3, parse, of a tool without a name: failed, torn.",
  ],
  ...Object.entries({
    deployed: "deployed and tested",
    untested: "deployed, but untested: it needs arguments",
    rejected: "rejected",
    already_deployed: "not deployed again, it is too young",
  }).map(
    ([verdict, says]): Told => [
      "synthesis.finished",
      { capability: "look", verdict },
      `look: ${says}.`,
    ],
  ),
  ["tools.reloaded", {}, "The engine loads the code of the tools folder."],
  ["peer.message", { from: "vault", text: "Hi" }, 'vault wrote to cedar: "Hi"', AGENT],
  ["tool.replied", { ok: true }, "The outside answered."],
  ["tool.replied", { ok: false, error: "torn" }, "The outside refused: torn."],
];

const goals: readonly Told[] = [
  ["goalGate.judged", { passed: true }, null],
  [
    "goalGate.judged",
    { passed: false, agent: "cedar", n: 3, part: "length", reason: "short" },
    "cedar's goal 3 missed its gate (length): short.",
  ],
  ["goal.ended", ended, "cedar completed goal 3: Write."],
  ["goal.ended", ended, null, { to: "lessons/cedar" }],
  [
    "goal.ended",
    { ...ended, status: "abandoned", reason: "no file" },
    "cedar failed goal 3 (Write): no file.",
  ],
  [
    "goal.ended",
    { ...ended, status: "abandoned", reason: "no file", misses: 2 },
    "cedar failed goal 3 (Write): no file, after 2 missed gates.",
  ],
  ...[
    ["promoted", "cedar learnt a rule: Rest"],
    ["candidate", "cedar noted, from goal 3: Rest"],
    ["observed", "cedar noted, from goal 3: Rest"],
    ["known", null],
  ].map(
    ([outcome, says]): Told => [
      "lesson.noted",
      { outcome, agent: "cedar", n: 3, lesson: "Rest" },
      says ?? null,
    ],
  ),
  started("stressor", "from what weighs on it most"),
  started("question", "from an open question"),
  started("peer-file", "from a peer's file"),
  started("last-outcome", "from how its last goal ended"),
  started("journal", "from its journal"),
  asked({ level: "calm" }, null),
  asked(
    {
      agent: "cedar",
      level: "prominent",
      load: 400_000,
      stressors: [{ type: "a" }, { type: "b" }],
    },
    "cedar looked for a goal under a load of 0.40: a, b.",
  ),
  ["llm.asked", { purpose: "plan", view: { purpose: "plan" } }, null],
  ["llm.asked", {}, null],
];

const answered = (text: unknown, says: string | null, given: object): Told => [
  "llm.replied",
  { text: typeof text === "string" ? text : JSON.stringify(text) },
  says,
  given,
];
const GOAL = { to: "goal/cedar/3" };
const LESSONS = { to: "lessons/cedar" };
const answers: readonly Told[] = [
  answered("x", null, { to: "warden" }),
  answered(
    { passes: true, reason: "it is whole" },
    "cedar's judge passed the goal: it is whole.",
    GOAL,
  ),
  answered(
    { passes: false, reason: "it is short" },
    "cedar's judge did not pass the goal [goal:a]: it is short.",
    { ...GOAL, choice: "goal:a" },
  ),
  answered(
    {},
    expect.stringMatching(/^cedar's model gave no judgement that could be used: /),
    GOAL,
  ),
  answered(
    "hello",
    expect.stringMatching(/^cedar's model gave no lesson that could be used: /),
    LESSONS,
  ),
  answered({ steps: [{ intent: "a" }, { intent: "b" }] }, "cedar's model made a plan of 2 steps.", {
    ...AGENT,
    before: { planning: "waiting" },
  }),
  answered("x", "cedar's model answered [a] too late: the question was no longer open.", {
    ...{ ...AGENT, before: "resting", choice: "a" },
  }),
];

it.each([
  ["what an agent suffers", suffering],
  ["what parts that attach to agents ask and answer", hooks],
  ["calls, tools and what comes from outside", engine],
  ["goals, their gates and lessons", goals],
])("[VB12] %s is told in these words", (_, rows) => {
  expectTold(rows);
});

it("[VB29] what a model answered is told as what was asked for", () => {
  expectTold(answers);
});

it("[VB29] a call is told as done only where it changed its file", () => {
  expectTold(engine.filter(([type]) => type === "call.finished"));
});

it("[VB12] of agents nothing else is told", () => {
  const all = [...suffering, ...hooks, ...engine, ...goals, ...answers];

  expect(unheld(words, all)).toEqual([]);
});
