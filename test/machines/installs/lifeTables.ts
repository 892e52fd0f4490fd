// What coverage.test.ts sends to the actors that stand for an approval, a gate and a revision, and tests of each besides.
import type { ApprovalInput } from "../../../src/machines/installs/gate/approval.ts";
import type { RevisionState } from "../../../src/machines/installs/revisions/revision.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import type { Table } from "../coverageTable.ts";

export const APPROVAL = "apr-00000001";
export const REVISION = "rev-00000001";
const AGENT = "weather-fetcher";

export const approvalInput = (isExpired = false): ApprovalInput => ({
  approval: APPROVAL,
  dossier: {
    ...{ agentId: AGENT, description: "Fetches.", requestedBy: "specialized_builder.default" },
    ...{ capabilities: [], factors: [], artifactId: null, artifactDigest: null },
    ...{
      evidence: [],
      threats: [],
      unfamiliar: [],
      runs: { mode: "reasoning", entry: null, model: null, instructions: "", cut: 0, files: [] },
      ...{ gates: [], judged: [], notes: [], before: null, widens: [] },
    },
  },
  isExpired,
});

export const approvalEvents: readonly MailEvent[] = [
  { type: "person.decided", decision: "approve", feedback: "go on" },
  { type: "person.decided", decision: "reject" },
  { type: "person.decided" },
  { type: "approval.ruled", of: AGENT, isApproved: true, by: "ada", reason: null },
  { type: "approval.ruled", of: AGENT, isApproved: false, by: "ada", reason: "too wide" },
  { type: "approval.used", approval: APPROVAL, agent: AGENT, revision: REVISION },
  { type: "approval.recalled", approval: APPROVAL },
];

const approval: Table = {
  worlds: [
    { input: approvalInput() },
    { input: approvalInput(true) },
    { input: approvalInput(), policy: { "installs.approvalUses": "unlimited" } },
  ],
  events: approvalEvents,
  facts: () => null,
};

export const gateEvents: readonly MailEvent[] = [
  { type: "gate.judged", revision: REVISION, missing: ["auditor"], reason: "none found" },
  { type: "gate.judged", revision: REVISION, missing: [], reason: null },
  { type: "gate.refused", revision: REVISION, by: "specialized_builder.default", reason: "none" },
];

const promotionGate: Table = {
  worlds: [
    { input: { revision: REVISION, missing: ["auditor"] } },
    { input: { revision: REVISION, missing: [] } },
  ],
  events: gateEvents,
  facts: () => null,
};

export const REVISION_STATES: readonly RevisionState[] = [
  ...(["draft", "gated", "approved", "active", "superseded", "rolled_back", "rejected"] as const),
];

const step = { revision: REVISION, agent: AGENT, by: "specialized_builder.default", reason: null };

const created = {
  ...{ revision: REVISION, agent: AGENT, by: "specialized_builder.default", artifact: null },
  ...{ gates: [], approval: null, notes: [] },
};

/** Without those of a restart. */
export const revisionSteps: readonly MailEvent[] = [
  { type: "revision.gated", ...step, gates: ["auditor"] },
  { type: "revision.approved", ...step },
  { type: "revision.activated", ...step, before: null },
  { type: "revision.superseded", ...step, after: "rev-00000002" },
  { type: "revision.rolledBack", ...step, after: null },
  { type: "revision.rejected", ...step },
];

const revision: Table = {
  worlds: REVISION_STATES.map((state) => ({
    input: { revision: REVISION, agent: AGENT, state },
  })),
  events: [
    { type: "revision.created", ...created },
    ...revisionSteps,
    ...REVISION_STATES.map(
      (state) => ({ type: "revision.recalled", revision: REVISION, state }) as const,
    ),
  ],
  facts: () => null,
};

export const lifeTables = { approval, promotionGate, revision };
