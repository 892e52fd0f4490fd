/** The checks of an install in their order, each by itself: what ends the install, and what to do then. */

import { judgeOf, type Role } from "./addresses.ts";
import { workFault } from "./background.ts";
import { kindsOf } from "./capability.ts";
import { evidenceFault, missingKinds } from "./evidence.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { InstallFacts, SeenThreat } from "./installFacts.ts";
import type { Intent } from "./intent.ts";
import { claimFault, recordDigestFault } from "./recordClaims.ts";
import { NO_ENTRY } from "./relativePath.ts";
import { ownerFault } from "./toolOwners.ts";

export type Check =
  | "caller"
  | "artifact"
  | "entry"
  | "records"
  | "capabilities"
  | "threats"
  | "override"
  | "gate"
  | "evidence"
  | "existing"
  | "work";

type Refusing = (intent: Intent, facts: InstallFacts, by: GatePolicy) => Refusal | null;

interface Refusal {
  readonly reason: string;
  readonly todo: string;
  /** The places that show it, in words. */
  readonly places?: readonly string[];
}

const TO_PLANNER = "Report this to the planner and end the turn; do not fix or infer anything.";

export const isBlocking = ({ severity }: Pick<SeenThreat, "severity">): boolean =>
  severity === "high" || severity === "critical";

const caller: Refusing = (_, { from, tool }, by) => {
  const reason = ownerFault(tool, from, by);
  return reason === null
    ? null
    : {
        reason,
        todo: `Delegate it to ${by.installers[0] ?? "nobody: no one installs here"}.`,
      };
};

const artifact: Refusing = (_, { artifact: seen }) =>
  seen !== null && "error" in seen ? { reason: seen.error, todo: TO_PLANNER } : null;

/** The real system never looks whether the file is there. */
const entry: Refusing = ({ script_entry }, { artifact: seen }, { shape }) => {
  if (shape === "real" || script_entry === undefined) return null;
  if (seen === null || "error" in seen || seen.files.includes(script_entry)) return null;
  const reason = `script_entry '${script_entry}' not found in the artifact`;
  return { reason, todo: `Tell the planner, and let it delegate to coder.default. ${TO_PLANNER}` };
};

const records: Refusing = (intent, facts, by) => {
  if (by.records.checkedAt !== "creation") return null;
  const reason = recordDigestFault(intent, facts) ?? claimFault(intent, facts);
  return reason === null ? null : { reason, todo: TO_PLANNER };
};

const capabilities: Refusing = (intent, { analysis }, { mismatch, analyzerNamed }) => {
  const missing = missingKinds(analysis, intent.capabilities);
  if (mismatch === "noted" || missing.length === 0) return null;
  const were = missing.length === 1 ? "it was" : "they were";
  const named = analyzerNamed ? ` (Analyzer: ${analysis.analyzer})` : "";
  return {
    reason: `Capability mismatch: code requires ${missing.join(", ")} but ${were} not declared in capabilities. Add these capabilities to your install request.${named}`,
    places: analysis.evidence
      .filter(({ capability }) => missing.includes(capability))
      .slice(0, PLACES_MAX)
      .map(
        ({ capability, file, line, pattern }) => `${file}:${line} needs ${capability} (${pattern})`,
      ),
    todo: TO_PLANNER,
  };
};

/** Ours: `install check` tells all of them. */
const PLACES_MAX = 20;

const threats: Refusing = (_, { analysis }, by) => {
  const found = analysis.threats.filter(isBlocking);
  if (by.threats === "in-evidence" || (found.length === 0 && analysis.passed)) return null;
  const list = found.map(
    ({ pattern, severity, file, line }) => `${pattern} (${severity}) at ${file}:${line}`,
  );
  return {
    reason: `Security threats detected; install is blocked: ${list.join(", ") || "the scan did not pass"}`,
    todo: `Tell the planner, and let it delegate to coder.default. ${TO_PLANNER}`,
  };
};

const override: Refusing = ({ promotion_gate: gate }, _, by) =>
  by.override === "accepted" || gate?.override_approval_ref === undefined
    ? null
    : {
        reason: "override_approval_ref must not be given: nothing overrides the promotion gate",
        todo: TO_PLANNER,
      };

const gate: Refusing = ({ promotion_gate: shown }, { from, tool, gates }, by) => {
  if (gates.length === 0) return null;
  if (shown === undefined) {
    const name = by.shape === "real" ? "agent.install" : tool;
    const reason = `${name} from '${from}' requires promotion_gate evidence`;
    return {
      reason,
      todo: `Ask the planner for the reports of ${gates.map(judgeOf).join(" and ")}.`,
    };
  }
  const isPassed = (role: Role) => shown[`${role}_pass`];
  if (isOverridden(shown, by) || gates.every(isPassed)) return null;
  const set = gates.map((role) => `${role}_pass=true`).join(" and ");
  const or = by.override === "accepted" ? ", or provide override_approval_ref" : "";
  return { reason: `promotion gate failed: set ${set}${or}`, todo: TO_PLANNER };
};

const isOverridden = (
  { override_approval_ref: ref }: NonNullable<Intent["promotion_gate"]>,
  by: GatePolicy,
): boolean => by.override === "accepted" && ref !== undefined;

const evidence: Refusing = ({ promotion_gate: shown, capabilities: declared }, facts, by) => {
  if (shown === undefined || by.evidence === "booleans" || isOverridden(shown, by)) return null;
  const found = {
    ...facts.analysis,
    missing: missingKinds(facts.analysis, declared),
    declared: kindsOf(declared),
  };
  const isRequired = facts.gates.length > 0;
  const reason = evidenceFault(shown, found, { ...by, isRequired });
  return reason === null ? null : { reason, todo: TO_PLANNER };
};

const existing: Refusing = ({ agent_id }, { isThere }, by) =>
  isThere && by.existing === "refused"
    ? { reason: `child agent '${agent_id}' already exists`, todo: TO_PLANNER }
    : null;

/** Of the real system's intents, what must fit together; by the seed, it is no intent otherwise. */
const work: Refusing = (intent, _, { shape }) => {
  if (shape !== "real") return null;
  const isScript = intent.execution_mode === "script" && intent.script_entry === undefined;
  const reason =
    workFault(intent.background, intent.scheduled_action) ?? (isScript ? NO_ENTRY : null);
  return reason === null ? null : { reason, todo: TO_PLANNER };
};

/** In the order in which they are asked. */
export const CHECKS: readonly (readonly [Check, Refusing])[] = [
  ["caller", caller],
  ["artifact", artifact],
  ["entry", entry],
  ["records", records],
  ["capabilities", capabilities],
  ["threats", threats],
  ["override", override],
  ["gate", gate],
  ["evidence", evidence],
  ["existing", existing],
  ["work", work],
];
