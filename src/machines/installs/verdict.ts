/**
 * What becomes of an install, and of a promotion: every check in its order, as pure functions of what the gateway knows.
 * Source: seed 003; rulings I4, I5 and I8 to I12; the real system's order: dossier 1.5.
 */
import { unusedKinds } from "./evidence.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import { CHECKS, type Check, isBlocking } from "./installChecks.ts";
import type { InstallFacts } from "./installFacts.ts";
import type { Intent } from "./intent.ts";
import { needsApproval, type RiskFactor, type RiskPolicy, riskFactors } from "./risk.ts";
import { emptyTexts } from "./warden/grant.ts";

export interface Refusal {
  readonly check: Check | "promotion";
  readonly reason: string;
  readonly todo: string;
  /** The places that show it, in words. */
  readonly places?: readonly string[];
}

export type InstallVerdict =
  | { readonly outcome: "created"; readonly notes: readonly string[] }
  | { readonly outcome: "approval-required"; readonly factors: readonly RiskFactor[] }
  | ({ readonly outcome: "refused" } & Refusal);

/** The first thing that ends the install, an approval that is missing included; else it is created. */
export function created(
  intent: Intent,
  facts: InstallFacts,
  by: GatePolicy & RiskPolicy,
): InstallVerdict {
  const asks = !facts.isApproved && needsApproval(intent, by);
  const approval = { outcome: "approval-required", factors: riskFactors(intent, by) } as const;
  for (const [check, refusal] of CHECKS) {
    // Even where the approval comes first, nobody is asked about a stranger's install.
    if (check !== "caller" && asks && by.asks === "first") return approval;
    const refused = refusal(intent, facts, by);
    if (refused !== null) return { outcome: "refused", check, ...refused };
  }
  return asks ? approval : { outcome: "created", notes: notesOn(intent, facts, by) };
}

/** All that would end the install, in order, whoever approves of it. */
export const refusals = (intent: Intent, facts: InstallFacts, by: GatePolicy): readonly Refusal[] =>
  CHECKS.flatMap(([check, refusal]) => {
    const refused = refusal(intent, facts, by);
    return refused === null ? [] : [{ check, ...refused }];
  });

/** What is worth a word and no reason to refuse. */
export function notesOn(
  intent: Intent,
  { analysis }: InstallFacts,
  { shape }: Pick<GatePolicy, "shape">,
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
      .filter((threat) => !isBlocking(threat))
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
