/**
 * The promotion gate that an install shows, with its judges' passes and its analyses: read, and held against what the gateway
 * found, the first thing that is not so, in the real system's order and words. Source: seed 003, required: promotion_gate,
 * strict mode; rulings I4; dossier 1.5.
 */
import { defined } from "../../defined.ts";
import type { Json } from "../../letter.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { INFERABLE } from "../detection/patterns.ts";
import { type FieldReader, FLAG, TEXT, TEXTS, valueText } from "../fault.ts";
import { type CapabilityKind, kindsOf } from "./capability.ts";

export interface SecurityClaim {
  readonly passed: boolean;
  readonly threats_detected: readonly string[];
  readonly remote_access_detected: boolean;
}

export interface CapabilityClaim {
  readonly inferred_capabilities: readonly string[];
  readonly missing_capabilities: readonly string[];
  readonly declared_capabilities: readonly string[];
  readonly analysis_passed: boolean;
}

export interface PromotionGate {
  readonly evaluator_pass: boolean;
  readonly auditor_pass: boolean;
  readonly override_approval_ref?: string;
  readonly install_approval_ref?: string;
  readonly security_analysis?: SecurityClaim;
  readonly capability_analysis?: CapabilityClaim;
}

const GATE_SHAPE =
  'Correct format: "promotion_gate": {"evaluator_pass": true, "auditor_pass": true, "security_analysis": {…}, "capability_analysis": {…}}';
const SECURITY_SHAPE =
  'Correct format: "security_analysis": {"passed": true, "threats_detected": [], "remote_access_detected": true}';
const CAPABILITY_SHAPE =
  'Correct format: "capability_analysis": {"inferred_capabilities": ["NetworkAccess"], "missing_capabilities": [], "declared_capabilities": ["NetworkAccess"], "analysis_passed": true}';

/** `ignoresOthers`: fields that are not known are none. */
export const gateIn = (read: FieldReader, ignoresOthers: boolean): PromotionGate | null =>
  read.inner("promotion_gate", GATE_SHAPE, (gate) => {
    const passes = {
      evaluator_pass: gate.must(FLAG, "evaluator_pass"),
      auditor_pass: gate.must(FLAG, "auditor_pass"),
    };
    const override = blankIsNone(gate.raw("override_approval_ref"));
    const ref = gate.raw("install_approval_ref");
    // The real system takes a blank one for none.
    const isNone = ignoresOthers && typeof ref === "string" && ref.trim() === "";
    const approval = isNone ? null : gate.may(TEXT, "install_approval_ref");
    for (const name of ["security_analysis", "capability_analysis"]) gate.raw(name);
    if (!ignoresOthers) gate.refuseOthers();
    return defined<PromotionGate>({
      ...passes,
      override_approval_ref: override ?? undefined,
      install_approval_ref: approval ?? undefined,
      security_analysis: securityIn(gate, ignoresOthers) ?? undefined,
      capability_analysis: capabilityIn(gate, ignoresOthers) ?? undefined,
    });
  });

/** A blank text overrides nothing; whatever else stands there is meant to. */
const blankIsNone = (value: Json): string | null => {
  if (value === null || (typeof value === "string" && value.trim() === "")) return null;
  return typeof value === "string" ? value : valueText(value);
};

const securityIn = (gate: FieldReader, ignoresOthers: boolean): SecurityClaim | null =>
  gate.inner("security_analysis", SECURITY_SHAPE, (read) => {
    const claim: SecurityClaim = {
      passed: read.must(FLAG, "passed"),
      threats_detected: read.must(TEXTS, "threats_detected"),
      remote_access_detected: read.must(FLAG, "remote_access_detected"),
    };
    // It may be there, and says nothing of the code.
    read.raw("analyzer_version");
    if (!ignoresOthers) read.refuseOthers();
    return claim;
  });

const capabilityIn = (gate: FieldReader, ignoresOthers: boolean): CapabilityClaim | null =>
  gate.inner("capability_analysis", CAPABILITY_SHAPE, (read) => {
    const claim: CapabilityClaim = {
      inferred_capabilities: read.must(TEXTS, "inferred_capabilities"),
      missing_capabilities: read.must(TEXTS, "missing_capabilities"),
      declared_capabilities: read.must(TEXTS, "declared_capabilities"),
      analysis_passed: read.must(FLAG, "analysis_passed"),
    };
    if (!ignoresOthers) read.refuseOthers();
    return claim;
  });

/* What is shown, held against what the gateway found. */

/** What the gateway's own analysis says of an install, as far as a gate is compared with it. */
export interface Analysis {
  /** Kinds of capabilities, as their names. */
  readonly inferred: readonly string[];
  /** No threat is high or critical. */
  readonly passed: boolean;
  readonly remoteAccess: boolean;
}

export const claimLeaves = {
  remoteClaim: choice("one-way", ["one-way", "strict"], {
    says: "Whether `remote_access_detected: true` is refused where the gateway detects none.",
    source: "RULINGS I4",
  }),
  threatClaims: choice("found", ["found", "unread"], {
    says: "Which threats evidence may name: those that the gateway found, or any.",
    source: "seed 003, strict mode (found); the real system never reads them (unread)",
  }),
};

export type ClaimPolicy = ValuesOf<typeof claimLeaves>;

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
  kindsOf(capabilities).filter(
    (kind) => INFERABLE.some((one) => one === kind) && !inferred.includes(kind),
  );

const SECURITY = "promotion_gate.security_analysis";
const CAPABILITY = "promotion_gate.capability_analysis";

/** The first fault of the evidence; null for none. Where it is not required, what is shown must still be true. */
export function evidenceFault(
  { security_analysis: security, capability_analysis: capability }: PromotionGate,
  found: Compared,
  by: ClaimPolicy & { readonly isRequired?: boolean },
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
  by: ClaimPolicy,
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
  { threatClaims }: ClaimPolicy,
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
  { remoteClaim }: ClaimPolicy,
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
