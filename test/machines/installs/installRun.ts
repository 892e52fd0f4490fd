/** Plays one recorded install: intent, artifact, records, caller and configuration, as far as gates are about them. */

import { ROLES } from "../../../src/machines/installs/addresses.ts";
import { approvalTaken, needsApproval } from "../../../src/machines/installs/gate/approval.ts";
import { decodedIntent, intentError } from "../../../src/machines/installs/gate/intent.ts";
import { gatesOf } from "../../../src/machines/installs/gate/promotionGate.ts";
import {
  type PromotionRecords,
  recorded,
} from "../../../src/machines/installs/gate/promotionRecords.ts";
import { created } from "../../../src/machines/installs/gate/verdict.ts";
import { ownerFault } from "../../../src/machines/installs/toolOwners.ts";
import type { Json } from "../../../src/machines/letter.ts";
import type { GateRules } from "./gateRules.ts";
import { patternScan } from "./patternScan.ts";

export interface InstallInput {
  readonly args: { readonly [field: string]: Json };
  readonly artifact_files: { readonly [path: string]: string } | null;
  readonly caller: string;
  readonly config: { readonly agent_install_approval_policy: GateRules["approval"] } | null;
  readonly promotion_records: { readonly [role: string]: boolean };
}

export type Played =
  | { readonly outcome: "created" | "approval-required" }
  | { readonly outcome: "refused"; readonly check: string; readonly reason: string };

const ID = "art_00000001";

/** What a case leaves out; the seed also wants a description and a model, and knows fewer fields. */
function argsOf({ args }: InstallInput, by: GateRules): { readonly [field: string]: Json } {
  const { caller: _, ...given } = args;
  const whole = { instructions: "x", artifact_id: ID, ...given };
  if (by.shape === "real") return whole;
  const isKnown = (field: string) =>
    !["background", "scheduled_action", "validate_on_install", "source_content_handle"].includes(
      field,
    );
  const known = Object.entries(whole).filter(([field]) => isKnown(field));
  const llm = { provider: "p", model: "m" };
  return { description: "d", llm_config: llm, ...Object.fromEntries(known) };
}

export function played(input: InstallInput, base: GateRules): Played {
  const { config, artifact_files: files, promotion_records: records } = input;
  const real = config === null ? { approval: "never" as const, evidence: "booleans" as const } : {};
  const approval = config?.agent_install_approval_policy ?? base.approval;
  const by: GateRules = { ...base, approval, ...(base.shape === "real" ? real : {}) };
  const args = argsOf(input, by);
  const from = callerOf(input);
  const stranger = ownerFault("agent.install", from, by);
  if (stranger !== null) return { outcome: "refused", check: "caller", reason: stranger };
  const decoded = decodedIntent(args, by);
  if ("faults" in decoded) {
    return { outcome: "refused", check: "intent", reason: intentError(decoded.faults, by) };
  }
  const { intent } = decoded;
  const ref = intent.promotion_gate?.install_approval_ref;
  if (ref !== undefined && needsApproval(intent, by)) {
    const taken = approvalTaken({}, ref, { agentId: intent.agent_id, from }, by);
    if ("error" in taken) return { outcome: "refused", check: "approval", reason: taken.error };
  }
  const verdict = created(
    intent,
    {
      ...{
        from,
        tool: "agent.install",
        isThere: false,
        isApproved: config === null && by.shape === "real",
      },
      artifact:
        files === null
          ? { error: "artifact not found" }
          : { digest: "d", files: Object.keys(files) },
      analysis: patternScan({
        ...files,
        ...(by.shape === "real" && { "SKILL.md": intent.instructions }),
      }),
      gates: gatesOf(intent, "required", by).roles,
      records: recordsFrom(records, by),
    },
    by,
  );
  return verdict.outcome === "refused" ? verdict : { outcome: verdict.outcome };
}

/** Some cases name their caller among the arguments. */
const callerOf = ({ args, caller }: InstallInput): string =>
  typeof args["caller"] === "string" ? args["caller"] : caller;

function recordsFrom(given: InstallInput["promotion_records"], by: GateRules): PromotionRecords {
  return ROLES.reduce<PromotionRecords>((records, role) => {
    const pass = given[role];
    if (pass === undefined) return records;
    const recording = { artifactId: ID, role, pass, findings: [] };
    const told = recorded(records, recording, { from: `${role}.default`, digest: "d" }, by);
    return "records" in told ? told.records : records;
  }, {});
}
