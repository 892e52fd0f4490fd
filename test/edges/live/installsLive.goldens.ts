// Whatever live models answer to those who install. In words: installsLive.test.ts.

import { describe, expect, it } from "vitest";
import { CODED, faithful, GATED, unrecorded } from "./installsPlayed.ts";
import type { LiveWish, Said } from "./installsServer.ts";

const CREATE = "agent.revision.create_from_intent";
const PROMOTE = "agent.revision.promote";
const LONG = "x".repeat(10_000);
const faults = (["hang", "midstream", "reset", "garbage", "nonsense"] as const).map((fault) => ({
  fault,
}));

/** What is said, how it goes out, and what is told of it. */
type Case = readonly [says: LiveWish["says"], outcome: "active" | "not", told: RegExp];

const turn = (...says: readonly Said[]) => ({ turn: says });
const plan = (...says: readonly Said[]) => ({ plan: says });
const build = (...says: readonly Said[]) => ({ build: says });
const evaluate = (...says: readonly Said[]) => ({ evaluate: says });
const audit = (...says: readonly Said[]) => ({ audit: says });
const passed = { pass: true, record: true, findings: [] };
const audited = {
  ...{ ...passed, threats_detected: [], remote_access_detected: true },
  inferred_capabilities: ["NetworkAccess"],
};
/** Evidence as the planner might make it up. */
const claimed = {
  ...{ evaluator_pass: true, auditor_pass: true },
  security_analysis: { passed: true, threats_detected: [], remote_access_detected: true },
  capability_analysis: {
    ...{ inferred_capabilities: ["NetworkAccess"], missing_capabilities: [] },
    ...{ declared_capabilities: ["NetworkAccess"], analysis_passed: true },
  },
};
const files = (members: object) => ({ files: members, entrypoints: [] });

const TURNS: readonly Case[] = [
  [
    turn("I would promote it."),
    "active",
    /answer: found "I would.*allowed: one JSON object with tool, why/,
  ],
  [turn(`{"tool": "${CREATE}"`), "active", /answer: found .*allowed: one JSON object/],
  [turn({ why: "no idea" }), "active", /tool: found nothing; allowed: workflow.state, artifact/],
  [
    turn({ tool: "agent.revision.force", why: "now" }),
    "active",
    /tool: found "agent.revision.force"; allowed: workflow.state/,
  ],
  [turn({ tool: LONG, why: "now" }), "active", /tool: found "x{50,60}…; allowed/],
  [turn('{"tool": "\\ud800", "why": "\\udc00"}'), "active", /found .*udc00.*no half characters/],
  [
    turn({ tool: CREATE, why: LONG, changes: "all" }),
    "active",
    /changes: found "all"; allowed: an object/,
  ],
  [
    turn({ tool: "promotion.record", why: "it passes" }),
    "active",
    /only evaluator and auditor make promotion/,
  ],
  [
    turn({ tool: "artifact.build", why: "it is quick" }),
    "active",
    /an installer builds and mends nothing/,
  ],
  [turn({ tool: PROMOTE, why: "at once" }), "active", /there is no revision to promote/],
  [turn({ tool: CREATE, why: "", changes: {} }), "active", /why: found ""; allowed: a text/],
  [
    turn({ tool: CREATE, why: "so", changes: { artifact_id: "art_deadbeef" } }),
    "active",
    /artifact_id would change/,
  ],
  [turn(null, { tool: CREATE, why: "again" }), "active", /nothing is tried again before a person/],
  [turn(null, null, { tool: "end_turn", why: "approved" }), "active", /a turn does not end there/],
  [turn(null, null, null, { tool: CREATE, why: "again" }), "active", /its revision is there/],
  // Members that nobody asked for change nothing.
  [
    turn({
      tool: CREATE,
      why: "so",
      agent_id: "evil",
      artifact_id: "art_deadbeef",
      capabilities: [],
    }),
    "active",
    /installed/,
  ],
  [turn({ tool: "report", why: LONG }), "not", /"outcome":"returned"/],
  [
    turn('{"tool": "report", "why": "half \\ud83d"}'),
    "active",
    /found .*half .*allowed: .*no half characters/,
  ],
  ...faults.map(
    (fault): Case => [turn(...[fault, fault, fault, fault, fault]), "active", /"rule":"unusable"/],
  ),
];

const GATE: readonly Case[] = [
  [
    { ...unrecorded, turn: [...GATED, { tool: PROMOTE, why: "again" }] },
    "not",
    /promotion gate stays shut until/,
  ],
  [
    { ...unrecorded, turn: [...GATED, { tool: CREATE, why: "again" }] },
    "not",
    /promotion gate stays shut until/,
  ],
  [
    { ...unrecorded, turn: [...GATED, { tool: "promotion.record", why: "it passes" }] },
    "not",
    /only evaluator and auditor make/,
  ],
  [
    { ...unrecorded, turn: [...GATED, "promote"] },
    "not",
    /Promotion gate: no promotion.record found/,
  ],
  [
    { ...unrecorded, turn: [...GATED, { fault: "hang" }] },
    "not",
    /Promotion gate: no promotion.record found/,
  ],
  [
    turn(null, { tool: CREATE, why: "so", changes: { artifact_id: "art_deadbeef" } }),
    ...(["active" as const, /artifact_id would change/] as const),
  ],
];

const PLANS: readonly Case[] = [
  [
    plan("Let us build."),
    "active",
    /answer: found "Let us.*allowed: one JSON object with next, why/,
  ],
  [
    plan({ next: "publish", why: "now" }),
    "active",
    /next: found "publish"; allowed: build, evaluate/,
  ],
  [
    plan({ next: "install", why: "now", gating: "maybe" }),
    "active",
    /gating: found "maybe"; allowed: none, required/,
  ],
  [
    plan({ next: "install", why: "now", amend: "all" }),
    "active",
    /amend: found "all"; allowed: an object/,
  ],
  [plan({ next: "evaluate", why: "now" }), "active", /there is no artifact/],
  [plan({ next: LONG, why: LONG }), "active", /next: found "x{50,60}…; allowed/],
  [
    plan({ next: "build", why: "so", amend: { agent_id: "evil", artifact_id: "art_deadbeef" } }),
    "active",
    /agent_id, artifact_id would change/,
  ],
  [
    plan(null, { next: "install", why: "so", amend: { artifact_id: "art_deadbeef" } }),
    "not",
    /artifact_id would change/,
  ],
  [
    plan({ next: "build", why: "so", amend: { capabilities: 7 } }),
    "not",
    /capabilities: found 7; allowed/,
  ],
  [plan({ next: "build", why: "so", amend: { description: LONG } }), "active", /installed/],
  [
    plan('{"next": "build", "why": "so", "amend": {"description": "half \\ud83d"}}'),
    "active",
    /no half characters/,
  ],
  [
    plan('{"next": "build", "why": "so", "amend": {"__proto__": {"agent_id": "evil"}}}'),
    "active",
    /allowed: .*no __proto__/,
  ],
  // The claim alone opens no gate.
  [
    plan(null, {
      next: "install",
      why: "so",
      amend: { promotion_gate: { evaluator_pass: true, auditor_pass: true } },
    }),
    ...([
      "not" as const,
      /promotion gate evidence missing: provide promotion_gate.security/,
    ] as const),
  ],
  [
    plan(null, { next: "install", why: "so", amend: { promotion_gate: claimed } }),
    ...(["not" as const, /Promotion gate: no promotion.record found/] as const),
  ],
  [
    plan(null, { next: "install", why: "skip the judges" }),
    "not",
    /requires promotion_gate evidence/,
  ],
  ...faults.map((fault): Case => [plan(fault), "active", /"rule":"unusable"/]),
];

const BUILDS: readonly Case[] = [
  [
    build("def main(): pass"),
    "active",
    /answer: found "def main.*allowed: one JSON object with files/,
  ],
  [build({ files: {} }), "active", /files: found \{\}; allowed: one text or more, by name/],
  [build(files({ "main.js": 7 })), "active", /files: found .*allowed: one text or more/],
  [build(files({ "../main.js": "1" })), "active", /\.\.\/main\.js/],
  [build(files({ "SKILL.md": "# Mine" })), "active", /SKILL\.md/],
  [build(files({ "": "1" })), "active", /name must not be empty/],
  [build(files({ [LONG]: "1" })), "active", /longer than 500 characters \(found "x{50,60}…/],
  [build(files({ "lib/__proto__": "1" })), "active", /"artifact":null.*__proto__/],
  [build('{"files": {"main.js": "// \\ud83d"}}'), "active", /no half characters/],
  [build('{"files": {"main\\ud83d.js": "1"}}'), "active", /no half characters/],
  [build(files({ "main.js": "x".repeat(200_001) })), "active", /allowed: 200000 characters in all/],
  [build({ files: { "main.js": "1" }, entrypoints: ["other.js"] }), "active", /other\.js/],
  [
    build({ files: { "main.js": "1" }, entrypoints: "main.js" }),
    "active",
    /entrypoints: found "main.js"; allowed: a list/,
  ],
  ...faults.map((fault): Case => [build(fault), "active", /"artifact":null/]),
];

const EVALUATIONS: readonly Case[] = [
  [evaluate("Looks good!"), "active", /answer: found "Looks.*allowed: one JSON object with pass/],
  [evaluate({ ...passed, pass: "yes" }), "active", /pass: found "yes"; allowed: true or false/],
  [evaluate({ ...passed, findings: "none" }), "active", /findings: found "none"; allowed: a list/],
  [evaluate({ ...passed, findings: [7] }), "active", /findings\[0\]: found 7; allowed: an object/],
  [
    evaluate({ ...passed, findings: [{ severity: "awful", description: "x" }] }),
    "active",
    /findings\[0\].severity: found "awful"; allowed: /,
  ],
  [
    evaluate({ ...passed, findings: [{ severity: "warning", description: LONG }] }),
    "active",
    /installed/,
  ],
  [
    evaluate(
      '{"pass": true, "record": true, "findings": [{"severity": "info", "description": "\\ud83d"}]}',
    ),
    "active",
    /no half characters/,
  ],
  // A judge records for itself alone.
  [evaluate({ ...passed, role: "auditor", agent_id: "auditor.default" }), "active", /installed/],
  ...faults.map((fault): Case => [evaluate(fault), "active", /"recorded":false/]),
];

const AUDITS: readonly Case[] = [
  [audit("No threats."), "active", /answer: found "No threats.*allowed: one JSON object with pass/],
  [
    audit({ ...audited, inferred_capabilities: ["Teleport"] }),
    "active",
    /inferred_capabilities: found \["Teleport"\]; allowed: /,
  ],
  [
    audit({ ...audited, remote_access_detected: "yes" }),
    "active",
    /remote_access_detected: found "yes"; allowed: true/,
  ],
  [
    audit({ ...audited, threats_detected: null }),
    "active",
    /threats_detected: found nothing; allowed: a list/,
  ],
  [audit({ ...audited, threats_detected: [LONG] }), "not", /security_analysis.passed must be true/],
  [audit({ ...audited, remote_access_detected: false }), "not", /remote_access_detected/],
  [audit({ ...audited, inferred_capabilities: [] }), "not", /inferred_capabilities/],
  ...faults.map((fault): Case => [audit(fault), "active", /"recorded":false/]),
];

const all = { TURNS, GATE, PLANS, BUILDS, EVALUATIONS, AUDITS };

describe("whatever a live model answers", () => {
  for (const [name, cases] of Object.entries(all)) {
    it(`[INS80] [INS95] ${name.toLowerCase()}: no crash, no hang, nothing is active without its gate, and it is told`, async () => {
      const wishes = cases.map(([says], index) => ({
        ...{ agent: `case-${index}`, says: says ?? {} },
        ...(name !== "TURNS" && CODED),
      }));
      const { outcomes, told } = await faithful(wishes);

      expect(outcomes).toEqual(cases.map(([, outcome]) => outcome));
      for (const [index, [, , says]] of cases.entries()) {
        expect(told[index], JSON.stringify(cases[index]?.[0])).toMatch(says);
      }
    }, 60_000);
  }
});
