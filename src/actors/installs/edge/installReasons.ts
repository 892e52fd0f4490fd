/** Why an install would be refused: all of it, each with its place, what is allowed there and what to do. */

import type { Detection } from "../../../machines/installs/detection/detection.ts";
import { isBarring } from "../../../machines/installs/detection/patterns.ts";
import { type Fault, valueText } from "../../../machines/installs/fault.ts";
import { type CapabilityKind, kindsOf } from "../../../machines/installs/gate/capability.ts";
import {
  type Compared,
  evidenceFault,
  missingKinds,
  type PromotionGate,
} from "../../../machines/installs/gate/evidence.ts";
import { type Intent, workFault } from "../../../machines/installs/gate/intent.ts";
import {
  type Check,
  type CheckPolicy,
  type InstallFacts,
  type Refusal,
  refusals,
} from "../../../machines/installs/gate/verdict.ts";
import type { Json } from "../../../machines/letter.ts";

/** A place in a file that shows it. */
export interface Shown {
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
  /** The capability that it needs, or how severe a threat it is. */
  readonly what: string;
}

export interface Reason {
  readonly check: "intent" | "folder" | "promotion" | Check;
  /** A field of the intent. */
  readonly field?: string;
  /** A file of the artifact. */
  readonly file?: string;
  /** The gateway's words, where it has some. */
  readonly said?: string;
  readonly found: string;
  readonly allowed: string;
  readonly todo: string;
  readonly evidence?: readonly Shown[];
}

export const ofFault = ({ field, found, allowed, todo, said }: Fault): Reason => ({
  ...{ check: "intent" as const, field, found, allowed, todo },
  ...(said === undefined ? {} : { said }),
});

export interface Judged {
  readonly intent: Intent;
  readonly facts: InstallFacts;
  readonly detection: Detection;
}

/** What a gate must show of this install, by the gateway's own analysis. */
export function rightEvidence({ inferred, threats, remoteAccess }: Detection, intent: Intent) {
  return {
    security_analysis: {
      passed: true,
      threats_detected: threats.map(({ pattern }) => pattern),
      remote_access_detected: remoteAccess,
    },
    capability_analysis: {
      inferred_capabilities: inferred,
      missing_capabilities: [],
      declared_capabilities: kindsOf(intent.capabilities),
      analysis_passed: true,
    },
  };
}

/** Of an intent that is one: every check. */
export const reasonsOf = (judged: Judged, by: CheckPolicy): readonly Reason[] =>
  refusals(judged.intent, judged.facts, by).flatMap((refusal) =>
    refusal.check === "evidence"
      ? evidenceReasons(judged, refusal, by)
      : [{ ...refusalReason(refusal, judged), ...reasonOf(refusal) }],
  );

/** What can be judged where the intent is none: the code, against the kinds that it names. */
export const reasonsOfCode = (judged: Judged, by: CheckPolicy): readonly Reason[] =>
  reasonsOf(judged, by).filter(({ check }) => OF_CODE.has(check));

const OF_CODE: ReadonlySet<Reason["check"]> = new Set<Reason["check"]>([
  ...(["caller", "entry", "capabilities", "threats"] as const),
]);

const reasonOf = ({ check, reason, todo }: Refusal) => ({ check, said: reason, todo });

type Place = Pick<Reason, "field" | "file" | "found" | "allowed" | "evidence">;

function refusalReason({ check }: Refusal, { intent, facts, detection }: Judged): Place {
  const { promotion_gate: gate } = intent;
  switch (check) {
    case "caller":
      return { field: "from", found: facts.from, allowed: "the builder's own address" };
    case "entry": {
      const found = valueText(intent.script_entry);
      return { field: "script_entry", found, allowed: "a file of the artifact" };
    }
    case "capabilities": {
      const missing = missingKinds(detection, intent.capabilities);
      return {
        field: "capabilities",
        found: kindsText(kindsOf(intent.capabilities)),
        allowed: `all that the code needs: ${kindsText(detection.inferred)}`,
        evidence: detection.evidence
          .filter(({ capability }) => missing.includes(capability))
          .map(({ capability: what, ...place }) => ({ ...place, what })),
      };
    }
    case "threats":
      return {
        field: "artifact_id",
        found: "code that threatens",
        allowed: "none of high or critical severity",
        evidence: detection.threats
          .filter(isBarring)
          .map(({ file, line, pattern, severity: what }) => ({ file, line, pattern, what })),
      };
    case "override": {
      const found = valueText(gate?.override_approval_ref);
      return { field: "promotion_gate.override_approval_ref", found, allowed: "no such field" };
    }
    case "records": {
      const allowed = "a passing promotion.record for each claim, of these very files";
      return { field: "promotion_gate", found: claimed(gate), allowed };
    }
    case "work": {
      const { background, scheduled_action: action } = intent;
      return workFault(background, action) === null
        ? { field: "script_entry", found: "nothing", allowed: "a path within the artifact" }
        : {
            field: "background",
            found: valueText(background),
            allowed: "enabled, with interval_secs",
          };
    }
    default: {
      const allowed = `${facts.gates.map((role) => `${role}_pass: true`).join(" and ")}, with evidence`;
      return { field: "promotion_gate", found: claimed(gate), allowed };
    }
  }
}

const kindsText = (kinds: readonly CapabilityKind[]): string => kinds.join(", ") || "none";

const claimed = (gate: PromotionGate | undefined): string =>
  gate === undefined
    ? "nothing"
    : `evaluator_pass: ${gate.evaluator_pass}, auditor_pass: ${gate.auditor_pass}`;

/** Each claim by itself, beside others that are right: one that is wrong hides no other. */
function evidenceReasons(
  { intent, facts, detection }: Judged,
  { reason, todo }: Refusal,
  by: CheckPolicy,
): readonly Reason[] {
  const { promotion_gate: gate } = intent;
  if (gate === undefined) return [];
  const right = rightEvidence(detection, intent);
  const declared = kindsOf(intent.capabilities);
  const found: Compared = { ...facts.analysis, passed: true, missing: [], declared };
  const isRequired = facts.gates.length > 0;
  const reasons = SECTIONS.flatMap((section): readonly Reason[] => {
    const claims: { readonly [claim: string]: Json } | undefined =
      // A claim is made of texts, lists of texts and flags.
      gate[section] as { readonly [claim: string]: Json } | undefined;
    const field = `promotion_gate.${section}`;
    if (claims === undefined) {
      const { [section]: _, ...without } = { ...gate, ...right };
      const said = evidenceFault(without, found, { ...by, isRequired });
      const allowed = JSON.stringify(right[section]);
      return said === null
        ? []
        : [{ check: "evidence", field, said, found: "nothing", allowed, todo }];
    }
    return Object.entries(claims).flatMap(([claim, value]): readonly Reason[] => {
      const alone = { ...gate, ...right, [section]: { ...right[section], [claim]: value } };
      const said = evidenceFault(alone, found, { ...by, isRequired });
      if (said === null) return [];
      const rights: { readonly [claim: string]: unknown } = right[section];
      const allowed = JSON.stringify(rights[claim]);
      return [
        {
          check: "evidence",
          field: `${field}.${claim}`,
          said,
          found: valueText(value),
          allowed,
          todo,
        },
      ];
    });
  });
  // What the gateway found itself, and no claim could mend.
  const allowed = "code whose scan passes";
  const own: Reason = {
    ...{ check: "evidence", field: "promotion_gate", said: reason, found: claimed(gate) },
    ...{ allowed, todo },
  };
  return reasons.length > 0 ? reasons : [own];
}

const SECTIONS = ["security_analysis", "capability_analysis"] as const;
