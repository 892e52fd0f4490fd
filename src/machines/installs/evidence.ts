/**
 * Whether what a promotion gate shows is what the gateway found: the first thing that is not, in the real system's order
 * and words. Source: seed 003, strict mode; rulings I4; dossier 1.5.
 */
import { type CapabilityKind, kindsOf } from "./capability.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { CapabilityClaim, PromotionGate, SecurityClaim } from "./promotionGate.ts";

/** What the gateway's own analysis says of an install, as far as a gate is compared with it. */
export interface Analysis {
  /** Kinds of capabilities, as their names. */
  readonly inferred: readonly string[];
  /** No threat is high or critical. */
  readonly passed: boolean;
  readonly remoteAccess: boolean;
}

type ClaimRules = Pick<GatePolicy, "remoteClaim" | "threatClaims">;

export interface Compared extends Analysis {
  readonly missing: readonly string[];
  readonly declared: readonly string[];
  readonly threats: readonly { readonly pattern: string }[];
}

/** What is inferred and was not declared, sorted. */
export const missingKinds = (
  { inferred }: Pick<Analysis, "inferred">,
  capabilities: readonly { readonly type: CapabilityKind }[],
): readonly string[] => {
  const declared: readonly string[] = kindsOf(capabilities);
  return [...new Set(inferred)].filter((kind) => !declared.includes(kind)).sort();
};

/** What was declared and is not inferred, of the kinds that code can show. */
export const unusedKinds = (
  { inferred }: Pick<Analysis, "inferred">,
  capabilities: readonly { readonly type: CapabilityKind }[],
): readonly CapabilityKind[] =>
  kindsOf(capabilities).filter((kind) => INFERABLE.includes(kind) && !inferred.includes(kind));

const INFERABLE: readonly CapabilityKind[] = [
  "NetworkAccess",
  "ReadAccess",
  "WriteAccess",
  "CodeExecution",
];

const SECURITY = "promotion_gate.security_analysis";
const CAPABILITY = "promotion_gate.capability_analysis";

/** The first fault of the evidence; null for none. Where it is not required, what is shown must still be true. */
export function evidenceFault(
  { security_analysis: security, capability_analysis: capability }: PromotionGate,
  found: Compared,
  by: ClaimRules & { readonly isRequired?: boolean },
): string | null {
  const { isRequired = true } = by;
  if (isRequired && security === undefined) return absent("security_analysis");
  if (isRequired && capability === undefined) return absent("capability_analysis");
  if (security?.passed === false) return `${SECURITY}.passed must be true for install`;
  if (capability?.analysis_passed === false) {
    return `${CAPABILITY}.analysis_passed must be true for install`;
  }
  if ((capability?.missing_capabilities.length ?? 0) > 0) {
    return `${CAPABILITY}.missing_capabilities must be empty for install`;
  }
  if (!found.passed) return "gateway security analysis failed; install is blocked";
  return securityFault(security, found, by) ?? capabilityFault(capability, found);
}

function securityFault(
  claim: SecurityClaim | undefined,
  found: Compared,
  by: ClaimRules,
): string | null {
  if (claim === undefined) return null;
  return (
    remoteFault(claim.remote_access_detected, found.remoteAccess, by) ??
    threatFault(claim.threats_detected, found.threats, by)
  );
}

/** Who names a threat that the gateway did not find has judged other code, or says that it passed and means otherwise. */
function threatFault(
  claimed: readonly string[],
  threats: Compared["threats"],
  { threatClaims }: ClaimRules,
): string | null {
  const found = threats.map(({ pattern }) => pattern);
  const other = trimmedSet(claimed).filter((name) => !found.includes(name));
  return threatClaims === "unread" || other.length === 0
    ? null
    : `${SECURITY}.threats_detected mismatch: ${listed(other)} not among gateway-detected ${listed(trimmedSet(found))}`;
}

function capabilityFault(claim: CapabilityClaim | undefined, found: Compared): string | null {
  if (claim === undefined) return null;
  return (
    inferredFault(found.inferred, claim.inferred_capabilities) ??
    otherFault("missing_capabilities", found.missing, claim.missing_capabilities) ??
    otherFault("declared_capabilities", found.declared, claim.declared_capabilities)
  );
}

const absent = (field: string): string =>
  `promotion gate evidence missing: provide promotion_gate.${field} with concrete analysis results`;

function remoteFault(
  isClaimed: boolean,
  isFound: boolean,
  { remoteClaim }: ClaimRules,
): string | null {
  if (isFound && !isClaimed) {
    return `${SECURITY}.remote_access_detected must be true when gateway analysis detects remote access`;
  }
  return remoteClaim === "strict" && isClaimed && !isFound
    ? `${SECURITY}.remote_access_detected must be false when gateway analysis detects no remote access`
    : null;
}

function inferredFault(found: readonly string[], claimed: readonly string[]): string | null {
  const [expected, got] = [trimmedSet(found), trimmedSet(claimed)];
  return expected.every((kind) => got.includes(kind))
    ? null
    : `${CAPABILITY}.inferred_capabilities must include all gateway-inferred capabilities (expected subset ${listed(expected)}, got ${listed(got)})`;
}

function otherFault(
  field: string,
  found: readonly string[],
  claimed: readonly string[],
): string | null {
  const [expected, got] = [listed(trimmedSet(found)), listed(trimmedSet(claimed))];
  return expected === got
    ? null
    : `${CAPABILITY}.${field} mismatch: expected ${expected}, got ${got}`;
}

/** Sorted, each once, without what is blank. */
const trimmedSet = (names: readonly string[]): readonly string[] =>
  [...new Set(names.map((name) => name.trim()))].filter((name) => name !== "").sort();

const listed = (names: readonly string[]): string =>
  `[${names.map((name) => `"${name}"`).join(", ")}]`;
