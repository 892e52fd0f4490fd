// The sentences that are told of what happens where agents are installed.
import { expect, it } from "vitest";
import { words } from "../../../src/actors/installs/words.ts";
import { expectTold, type Told, unheld } from "../../sentences.ts";

const GATEWAY = { to: "gateway" };
const rev = { revision: "rev-1", agent: "ink" };
const apr = { approval: "apr-1", agent: "ink" };
/** The same event to somebody who is not the gateway is told by what the gateway hears. */
const heardTwice = (type: string, fields: object, says: string): readonly Told[] => [
  [type, fields, says, GATEWAY],
  [type, fields, null, { to: "approval/apr-1" }],
];

const gateway: readonly Told[] = [
  [
    "gateway.restarted",
    {},
    "The gateway was restarted: what it had begun and not written is lost.",
  ],
  [
    "gateway.found",
    { ...rev, half: "second", did: "undid", why: "no pointer" },
    "The gateway found rev-1 with its second half done, and undid it: no pointer.",
  ],
  [
    "gateway.foreign",
    { paths: ["1", "2", "3", "4", "5"] },
    "The gateway found in its folder what it never wrote: 1, 2, 3, 4, 5.",
  ],
  [
    "gateway.foreign",
    { paths: ["1", "2", "3", "4", "5", "6", "7"] },
    "The gateway found in its folder what it never wrote: 1, 2, 3, 4, 5 and 2 more.",
  ],
  ["gateway.damaged", { fault: "torn" }, "The gateway's books do not count: torn."],
  [
    "install.refused",
    { tool: "agent.revise", by: "planner", reasons: ["no hosts", "no file."] },
    "The gateway refused planner's call of agent.revise: no hosts; no file.",
  ],
  [
    "install.refused",
    { tool: "agent.revise", by: "planner", agent: "ink", reasons: [] },
    "The gateway refused planner's call of agent.revise for ink.",
  ],
  [
    "artifact.built",
    { artifact: "art-1", by: "coder", files: ["a.py", "b.py"], isReused: false },
    "coder built art-1 of a.py, b.py.",
  ],
  [
    "artifact.built",
    { artifact: "art-1", by: "coder", files: ["a.py"], isReused: true },
    "art-1 was there already when coder built it.",
  ],
  [
    "promotion.recorded",
    { artifact: "art-1", role: "auditor", by: "eve", pass: true, findings: [] },
    "eve recorded as auditor that art-1 passes.",
  ],
  [
    "promotion.recorded",
    {
      ...{ artifact: "art-1", role: "auditor", by: "eve", pass: false },
      findings: [{ description: "it spies" }, { description: "it hides" }],
    },
    "eve recorded as auditor that art-1 does not pass: it spies; it hides.",
  ],
  [
    "revision.created",
    { ...rev, gates: [], notes: [] },
    "rev-1 of ink was created, without a gate.",
  ],
  [
    "revision.created",
    { ...rev, gates: ["evaluator", "auditor"], notes: ["no host", "no test"] },
    "rev-1 of ink was created, for evaluator and auditor to judge: no host; no test.",
  ],
  [
    "revision.gated",
    { ...rev, gates: ["evaluator", "auditor"] },
    "rev-1 waits for evaluator and auditor.",
  ],
  ["revision.approved", rev, "rev-1 may be promoted."],
  ["revision.activated", { ...rev, before: null }, "rev-1 of ink is active."],
  ["revision.activated", { ...rev, before: "rev-0" }, "rev-1 of ink is active in place of rev-0."],
  ["revision.superseded", { ...rev, after: "rev-2" }, "rev-2 took the place of rev-1."],
  [
    "revision.rolledBack",
    { ...rev, after: null, reason: "it spies" },
    "ink was rolled back from rev-1 to nothing: it spies.",
  ],
  [
    "revision.rolledBack",
    { ...rev, after: "rev-0", reason: null },
    "ink was rolled back from rev-1 to rev-0.",
  ],
  ["revision.rejected", { ...rev, reason: "" }, "rev-1 was rejected for good."],
  ["revision.rejected", { ...rev, reason: '"Never."' }, 'rev-1 was rejected for good: "Never."'],
  ["revision.recalled", rev, null],
  ["revision.standing", rev, null],
  ["gate.judged", { ...rev, missing: [] }, "The gate of rev-1 is open."],
  [
    "gate.judged",
    { ...rev, missing: ["evaluator", "auditor"] },
    "The gate of rev-1 is shut: evaluator and auditor must record.",
  ],
  ["gate.opened", rev, null],
  ["gate.shut", rev, null],
  [
    "gate.refused",
    { ...rev, by: "planner", reason: "no record" },
    "planner wanted rev-1 promoted while its gate was shut: no record.",
  ],
];

const approvals: readonly Told[] = [
  ...heardTwice(
    "approval.requested",
    { ...apr, factors: ["network", "files"] },
    "A person is asked about ink (apr-1): network, files.",
  ),
  [
    "approval.requested",
    { ...apr, factors: [] },
    "A person is asked about ink (apr-1): no risk.",
    GATEWAY,
  ],
  ...heardTwice(
    "approval.ruled",
    { of: "ink", isApproved: true, by: "person", reason: null },
    "The person approves of ink.",
  ),
  [
    "approval.ruled",
    { of: "ink", isApproved: false, by: "ops", reason: "no" },
    "ops rejects ink: no.",
    GATEWAY,
  ],
  ...heardTwice(
    "approval.decided",
    { ...apr, isApproved: true, by: "person" },
    "The person approved the install of ink (apr-1).",
  ),
  [
    "approval.decided",
    { ...apr, isApproved: false, by: "ops" },
    "ops rejected the install of ink (apr-1).",
    GATEWAY,
  ],
  ...heardTwice("approval.expired", apr, "Nobody decided on the install of ink in time (apr-1)."),
  ["approval.used", { ...apr, revision: "rev-1" }, "apr-1 let rev-1 through, and is used up."],
  ["approval.recalled", apr, null],
];

const planned = { wish: "w", gates: ["evaluator", "auditor"], contradiction: null, why: "" };
const ink = { agent_id: "ink" };
const reported = (outcome: string, says: string): Told => [
  "install.reported",
  { agent: "ink", outcome, reason: null },
  `The builder reports: ink ${says}.`,
];
const judged = { role: "auditor", pass: true, recorded: true, reason: null, findings: [] };

const crew: readonly Told[] = [
  ["install.wanted", { goal: "fetch news", intent: ink }, "An agent is wanted, ink: fetch news."],
  [
    "install.wanted",
    { goal: "Fetch!", intent: {} },
    "An agent is wanted, an agent without a name: Fetch!",
  ],
  ...Object.entries({
    build: "has it built",
    evaluate: "has it evaluated",
    audit: "has it audited",
    install: "has it installed",
    stop: "stops",
  }).map(
    ([next, says]): Told => [
      "install.planned",
      { ...planned, next },
      `The planner ${says} for w, with evaluator and auditor.`,
    ],
  ),
  [
    "install.planned",
    { ...planned, next: "stop", gates: [], why: "too risky", contradiction: "it said none" },
    "The planner stops for w, with no judge: too risky. But it said none.",
  ],
  [
    "install.held",
    { wish: "w", rule: "I9", wanted: "install", does: "audit", why: "no record" },
    "For w, planner.default was kept from install (I9) and does audit: no record.",
    { to: "planner.default" },
  ],
  [
    "install.closed",
    { agent: "ink", isInstalled: true, reason: "", revision: "rev-1" },
    "ink was installed as rev-1.",
  ],
  [
    "install.closed",
    { agent: "", isInstalled: true, reason: "", revision: null },
    "an agent without a name was installed as a revision.",
  ],
  [
    "install.closed",
    { agent: "ink", isInstalled: false, reason: "refused", revision: null },
    "ink was not installed: refused.",
  ],
  ["build.wanted", { agent: "ink", flaws: [] }, "The coder is to build ink."],
  [
    "build.wanted",
    { agent: "ink", flaws: ["no file", "no test"] },
    "The coder is to build ink again: no test.",
  ],
  [
    "build.delivered",
    { wish: "w", artifact: null, reason: "no answer" },
    "The coder built nothing for w: no answer.",
  ],
  [
    "build.delivered",
    { wish: "w", artifact: "art-1", reason: null },
    "The coder built art-1 for w.",
  ],
  [
    "judging.wanted",
    { artifact: "art-1" },
    "auditor.default is to judge art-1.",
    { to: "auditor.default" },
  ],
  ["judging.given", judged, "The auditor passed it."],
  ["judging.given", { ...judged, reason: "late" }, "The auditor passed it."],
  [
    "judging.given",
    {
      ...judged,
      pass: false,
      findings: [{ description: "it spies" }, { description: "it hides" }],
    },
    "The auditor did not pass it: it spies; it hides.",
  ],
  [
    "judging.given",
    { ...judged, recorded: false, reason: "no answer" },
    "The auditor has no record: no answer.",
  ],
  ["install.delegated", { intent: ink, loose: [] }, "The builder is to install ink."],
  [
    "install.delegated",
    { intent: {}, loose: ["a.py", "b.py"] },
    "The builder is to install an agent without a name, with a.py, b.py in place of an artifact.",
  ],
  reported("installed", "is installed"),
  reported("waiting", "waits for a person"),
  reported("malformed", "cannot be installed as it is"),
  reported("refused", "was refused"),
  reported("gated", "stands before a gate that is shut"),
  reported("unapproved", "was not approved"),
  reported("returned", "was given back"),
  reported("broken", "broke off"),
  [
    "rollback.wanted",
    { agent: "ink", to: null, reason: "it spies" },
    "The builder is to roll ink back to the revision before: it spies.",
  ],
  [
    "rollback.wanted",
    { agent: "ink", to: "rev-0", reason: "it spies" },
    "The builder is to roll ink back to rev-0: it spies.",
  ],
  ["turn.interrupted", {}, "The builder's turn broke off; it wakes up."],
  [
    "gateway.asked",
    { tool: "artifact.build" },
    "coder.default called artifact.build.",
    { from: "coder.default" },
  ],
  ["gateway.answered", { ok: true }, null, { to: "coder.default" }],
  [
    "gateway.answered",
    { ok: false, error: { message: "no file" } },
    "The gateway refused coder.default: no file.",
    { to: "coder.default" },
  ],
  [
    "gateway.answered",
    { ok: false },
    "The gateway refused coder.default.",
    { to: "coder.default" },
  ],
  [
    "gateway.answered",
    { ok: false, approvalRequired: "apr-1" },
    "The gateway asks a person before coder.default may go on (apr-1).",
    { to: "coder.default" },
  ],
  ["gating.said", { agent: "ink", gating: "none" }, "The planner said of ink: gating none."],
  [
    "gating.said",
    { agent: "ink", gating: "required" },
    "The planner said of ink: gating is required.",
  ],
  ["workflow.told", {}, null],
  ["llm.replied", { text: "hello" }, 'The model said: "hello"', { to: "engine", before: "on" }],
  [
    "llm.replied",
    { text: "Sure!" },
    "The model gave the planner no plan [live:install.plan/1].",
    { to: "planner.default", choice: "live:install.plan/1" },
  ],
  [
    "llm.failed",
    { error: "timed out" },
    "The model gave coder.default no answer: timed out.",
    { to: "coder.default" },
  ],
];

const lives: readonly Told[] = [
  [
    "active.changed",
    { agent: "ink", revision: null, how: "rolledBack" },
    "ink is to live no more: none of its revisions is active.",
  ],
  [
    "active.changed",
    { agent: "ink", revision: { id: "rev-1" }, how: "rolledBack" },
    "ink is to live by rev-1, after a rollback.",
  ],
  [
    "active.changed",
    { agent: "ink", revision: { id: "rev-1" }, how: "activated" },
    "ink is to live by rev-1, which is active now.",
  ],
  ["installed.born", { ...rev, fault: null }, "ink lives by rev-1."],
  ["installed.born", { ...rev, fault: "no room" }, "ink was not born by rev-1: no room."],
  ["installed.ended", rev, "ink no longer lives by rev-1."],
  ["installed.spawned", { agent: "ink", child: "blot" }, "ink had blot born, under its own reach."],
  ["spawned.living", {}, null],
  [
    "reach.refused",
    { agent: "ink", call: "fs_write", why: "no capability" },
    "ink may not call fs_write: no capability.",
  ],
  [
    "reach.breached",
    { agent: "ink", call: "tool", path: "/a", why: "no capability" },
    "ink wrote /a through tool, beyond its reach: no capability.",
  ],
  [
    "tools.withdrawn",
    { ...rev, paths: ["/a", "/b"] },
    "With rev-1 of ink, 2 files of its tools went to the archive: /a, /b.",
  ],
];

it.each([
  ["the gateway, its revisions and their gates", gateway],
  ["approvals, which several hear of", approvals],
  ["those who plan, build and judge", crew],
  ["installed agents", lives],
])("[VB12] %s are told in these words", (_, rows) => {
  expectTold(rows);
});

it("[VB12] of installs nothing else is told", () => {
  expect(unheld(words, [...gateway, ...approvals, ...crew, ...lives])).toEqual([]);
});
