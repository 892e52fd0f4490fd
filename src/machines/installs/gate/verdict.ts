/**
 * What becomes of an install: what the gateway knows of it, and every check in its order, as pure functions. Source: seed 003;
 * rulings I4, I5 and I8 to I12; the real system's order: dossier 1.5.
 */
import { ownValue } from "../../ownValue.ts";
import { choice, flag, type ValuesOf } from "../../policyLeaf.ts";
import { judgeOf, ROLES, type Role } from "../addresses.ts";
import type { Evidence, Unfamiliar } from "../detection/detection.ts";
import { isBarring } from "../detection/patterns.ts";
import type { RiskFactor, SeenThreat } from "../mail.ts";
import { type OwnerPolicy, ownerFault } from "../toolOwners.ts";
import { emptyTexts } from "../warden/grant.ts";
import { needsApproval, type RiskPolicy, riskFactors } from "./approval.ts";
import { kindsOf, type ShapePolicy } from "./capability.ts";
import {
  type Analysis,
  type ClaimPolicy,
  evidenceFault,
  missingKinds,
  unusedKinds,
} from "./evidence.ts";
import { type Intent, NO_ENTRY, workFault } from "./intent.ts";
import type { PromotionPolicy } from "./promotionGate.ts";
import { hasPassed, type PromotionRecord, type PromotionRecords } from "./promotionRecords.ts";

export const verdictLeaves = {
  asks: choice("after-checks", ["after-checks", "first"], {
    says: "When an approval is asked for: once everything else has passed, or before the artifact is looked at.",
    source: "RULINGS I9; first in the real system",
  }),
  evidence: choice("strict", ["strict", "booleans"], {
    says: "What a promotion gate must show: analyses that match the gateway's, or the two passes alone.",
    source: "seed 003, strict mode; the two alone in the real system without a configuration",
  }),
  override: choice("refused", ["refused", "accepted"], {
    says: "Whether a text in `override_approval_ref` takes the place of passes and evidence.",
    source: "RULINGS I10; accepted in the real system",
  }),
  threats: choice("rejected", ["rejected", "in-evidence"], {
    says: "Where a high or critical threat ends an install: always, or only within the evidence of a gate.",
    source: "seed 003, gating: none; RULINGS I10; in the evidence in the real system",
  }),
  mismatch: choice("rejected", ["rejected", "noted"], {
    says: "Whether code that needs more than was declared is rejected.",
    source: "seed 003, required: capabilities; the real system's require_capabilities",
  }),
  analyzerNamed: flag(false, {
    says: "Whether the rejection names the analyzer.",
    source: "seed 003 does not; the real system does",
  }),
  existing: choice("revised", ["revised", "refused"], {
    says: "What an install of an agent that is there already is: a new revision of it, or refused.",
    source: "seed 003, other revision tools; refused in the real system",
  }),
};

export type CheckPolicy = ValuesOf<typeof verdictLeaves> &
  ShapePolicy &
  OwnerPolicy &
  ClaimPolicy &
  PromotionPolicy;

/** The artifact that an intent names, as its inspection found it. */
export type SeenArtifact =
  | { readonly digest: string; readonly files: readonly string[] }
  | { readonly error: string };

/** What the gateway knows of an install, none of it from the intent. */
export interface InstallFacts {
  /** Whoever sent the request, by the kernel's stamp. */
  readonly from: string;
  readonly tool: string;
  /** Null where the intent names none. */
  readonly artifact: SeenArtifact | null;
  readonly analysis: Analysis & {
    readonly analyzer: string;
    readonly evidence: readonly Evidence[];
    readonly threats: readonly SeenThreat[];
    readonly unfamiliar: readonly Unfamiliar[];
  };
  /** Whose judgement this install needs. */
  readonly gates: readonly Role[];
  readonly records: PromotionRecords;
  /** An agent of this id lives already. */
  readonly isThere: boolean;
  /** This very intent was approved. */
  readonly isApproved: boolean;
}

/* The checks in their order, each by itself: what ends the install, and what to do then. */

interface Objection {
  readonly reason: string;
  readonly todo: string;
  /** The places that show it, in words. */
  readonly places?: readonly string[];
}

export interface Refusal extends Objection {
  readonly check: Check | "promotion";
}

type Refusing = (intent: Intent, facts: InstallFacts, by: CheckPolicy) => Objection | null;

const TO_PLANNER = "Report this to the planner and end the turn; do not fix or infer anything.";

const TO_CODER = `Tell the planner, and let it delegate to coder.default. ${TO_PLANNER}`;

const objected = (reason: string | null, todo = TO_PLANNER): Objection | null =>
  reason === null ? null : { reason, todo };

/** Ours: `install check` tells all of them. */
const PLACES_MAX = 20;

const isOverridden = (
  { override_approval_ref: ref }: NonNullable<Intent["promotion_gate"]>,
  by: CheckPolicy,
): boolean => by.override === "accepted" && ref !== undefined;

/** In the order in which they are asked. */
const CHECKS = {
  caller: (_, { from, tool }, by) =>
    objected(
      ownerFault(tool, from, by),
      `Delegate it to ${by.installers[0] ?? "nobody: no one installs here"}.`,
    ),

  artifact: (_, { artifact: seen }) =>
    objected(seen !== null && "error" in seen ? seen.error : null),

  /** The real system never looks whether the file is there. */
  entry: ({ script_entry }, { artifact: seen }, { shape }) => {
    if (shape === "real" || script_entry === undefined) return null;
    if (seen === null || "error" in seen || seen.files.includes(script_entry)) return null;
    return objected(`script_entry '${script_entry}' not found in the artifact`, TO_CODER);
  },

  records: (intent, facts, by) =>
    by.records.checkedAt === "creation"
      ? objected(recordDigestFault(intent, facts) ?? claimFault(intent, facts))
      : null,

  capabilities: (intent, { analysis }, { mismatch, analyzerNamed }) => {
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
          ({ capability, file, line, pattern }) =>
            `${file}:${line} needs ${capability} (${pattern})`,
        ),
      todo: TO_PLANNER,
    };
  },

  threats: (_, { analysis }, by) => {
    const found = analysis.threats.filter(isBarring);
    if (by.threats === "in-evidence" || (found.length === 0 && analysis.passed)) return null;
    const list = found.map(
      ({ pattern, severity, file, line }) => `${pattern} (${severity}) at ${file}:${line}`,
    );
    const what = list.join(", ") || "the scan did not pass";
    return objected(`Security threats detected; install is blocked: ${what}`, TO_CODER);
  },

  override: ({ promotion_gate: gate }, _, by) =>
    by.override === "accepted" || gate?.override_approval_ref === undefined
      ? null
      : objected("override_approval_ref must not be given: nothing overrides the promotion gate"),

  gate: ({ promotion_gate: shown }, { from, tool, gates }, by) => {
    if (gates.length === 0) return null;
    if (shown === undefined) {
      const name = by.shape === "real" ? "agent.install" : tool;
      const todo = `Ask the planner for the reports of ${gates.map(judgeOf).join(" and ")}.`;
      return objected(`${name} from '${from}' requires promotion_gate evidence`, todo);
    }
    const isPassed = (role: Role) => shown[`${role}_pass`];
    if (isOverridden(shown, by) || gates.every(isPassed)) return null;
    const set = gates.map((role) => `${role}_pass=true`).join(" and ");
    const or = by.override === "accepted" ? ", or provide override_approval_ref" : "";
    return objected(`promotion gate failed: set ${set}${or}`);
  },

  evidence: ({ promotion_gate: shown, capabilities: declared }, facts, by) => {
    if (shown === undefined || by.evidence === "booleans" || isOverridden(shown, by)) return null;
    const missing = missingKinds(facts.analysis, declared);
    const found = { ...facts.analysis, missing, declared: kindsOf(declared) };
    return objected(evidenceFault(shown, found, { ...by, isRequired: facts.gates.length > 0 }));
  },

  existing: ({ agent_id }, { isThere }, by) =>
    objected(
      isThere && by.existing === "refused" ? `child agent '${agent_id}' already exists` : null,
    ),

  /** Of the real system's intents, what must fit together; by the seed, it is no intent otherwise. */
  work: (intent, _, { shape }) => {
    if (shape !== "real") return null;
    const isScript = intent.execution_mode === "script" && intent.script_entry === undefined;
    const fault = workFault(intent.background, intent.scheduled_action);
    return objected(fault ?? (isScript ? NO_ENTRY : null));
  },
} satisfies { readonly [check: string]: Refusing };

export type Check = keyof typeof CHECKS;

// Its keys are its own.
const ALL = Object.entries(CHECKS) as readonly [Check, Refusing][];

/* What an install claims of its judges, held against their records at once, as the real system does. Source: dossier 1.5. */

type Known = Pick<InstallFacts, "records" | "artifact">;

const recordOf = ({ artifact_id: id }: Intent, { records }: Known): PromotionRecord | undefined =>
  id === undefined ? undefined : ownValue(records, id);

/** A claim of no pass is none. */
function claimFault(intent: Intent, facts: Known): string | null {
  const record = recordOf(intent, facts);
  const unbacked = ROLES.find(
    (role) => intent.promotion_gate?.[`${role}_pass`] === true && !hasPassed(record, role),
  );
  return unbacked === undefined
    ? null
    : `promotion_gate.${unbacked}_pass=true but no passing ${unbacked} promotion record exists for artifact '${intent.artifact_id}'`;
}

/** A record that names a digest was made of that content alone. */
function recordDigestFault(intent: Intent, facts: Known): string | null {
  const { artifact } = facts;
  if (artifact === null || "error" in artifact) return null;
  const judgements = recordOf(intent, facts)?.judgements ?? {};
  const other = ROLES.map((role) => judgements[role]?.digest).find(
    (digest) => digest !== undefined && digest !== artifact.digest,
  );
  return other === undefined
    ? null
    : `Artifact digest mismatch: the reviewed artifact '${intent.artifact_id}' has digest '${other}' but current artifact has digest '${artifact.digest}'. The artifact may have been modified after review.`;
}

/* What becomes of it. */

type InstallVerdict =
  | { readonly outcome: "created"; readonly notes: readonly string[] }
  | { readonly outcome: "approval-required"; readonly factors: readonly RiskFactor[] }
  | ({ readonly outcome: "refused" } & Refusal);

/** The first thing that ends the install, an approval that is missing included; else it is created. */
export function created(
  intent: Intent,
  facts: InstallFacts,
  by: CheckPolicy & RiskPolicy,
): InstallVerdict {
  const asks = !facts.isApproved && needsApproval(intent, by);
  const approval = { outcome: "approval-required", factors: riskFactors(intent, by) } as const;
  for (const [check, refusal] of ALL) {
    // Even where the approval comes first, nobody is asked about a stranger's install.
    if (check !== "caller" && asks && by.asks === "first") return approval;
    const refused = refusal(intent, facts, by);
    if (refused !== null) return { outcome: "refused", check, ...refused };
  }
  return asks ? approval : { outcome: "created", notes: notesOn(intent, facts, by) };
}

/** All that would end the install, in order, whoever approves of it. */
export const refusals = (
  intent: Intent,
  facts: InstallFacts,
  by: CheckPolicy,
): readonly Refusal[] =>
  ALL.flatMap(([check, refusal]) => {
    const refused = refusal(intent, facts, by);
    return refused === null ? [] : [{ check, ...refused }];
  });

/** What is worth a word and no reason to refuse. */
export function notesOn(
  intent: Intent,
  { analysis }: InstallFacts,
  { shape }: ShapePolicy,
): readonly string[] {
  const unused = unusedKinds(analysis, intent.capabilities);
  const claim = intent.promotion_gate?.security_analysis?.remote_access_detected ?? false;
  return [
    ...(shape === "real" ? [] : grantsNothing(intent)),
    // An agent that reasons may use a capability through tools, which no scan sees.
    ...(unused.length > 0 && intent.artifact_id !== undefined
      ? [`declared, but not seen in the code: ${unused.join(", ")}`]
      : []),
    ...(claim && !analysis.remoteAccess
      ? ["remote_access_detected is true, but no network call was seen"]
      : []),
    ...analysis.unfamiliar.map(
      ({ module, file, line }) => `${file}:${line}: imports ${module}, which no table knows`,
    ),
    ...analysis.threats
      .filter((threat) => !isBarring(threat))
      .map(({ pattern, severity, file, line }) => `${file}:${line}: ${pattern} (${severity})`),
  ];
}

/** Declared texts that cover nothing, whatever is called. */
const grantsNothing = ({ agent_id, capabilities }: Intent): readonly string[] =>
  capabilities.flatMap((grant) =>
    emptyTexts(grant, agent_id, "boundary").map((text) =>
      grant.type === "NetworkAccess"
        ? `NetworkAccess host ${JSON.stringify(text)} covers no host: name each host alone, such as "api.example.org", or "*" for all`
        : `${grant.type} ${JSON.stringify(text)} covers nothing`,
    ),
  );
