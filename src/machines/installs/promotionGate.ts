/** What an install shows of its judges and of its analyses. Source: seed 003, required: promotion_gate. */
import { defined } from "../defined.ts";
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { type Fault, shown } from "./fault.ts";
import { FieldReader } from "./fieldReader.ts";

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

interface Decoded<T> {
  readonly value: T | null;
  readonly faults: readonly Fault[];
}

const GATE_SHAPE =
  'Correct format: "promotion_gate": {"evaluator_pass": true, "auditor_pass": true, "security_analysis": {…}, "capability_analysis": {…}}';
const SECURITY_SHAPE =
  'Correct format: "security_analysis": {"passed": true, "threats_detected": [], "remote_access_detected": true}';
const CAPABILITY_SHAPE =
  'Correct format: "capability_analysis": {"inferred_capabilities": ["NetworkAccess"], "missing_capabilities": [], "declared_capabilities": ["NetworkAccess"], "analysis_passed": true}';

/** `others: ignored`: fields that are not known are none. */
export interface OtherFields {
  readonly ignoresOthers: boolean;
}

export function decodedGate(value: Json, by: OtherFields): Decoded<PromotionGate> {
  if (!isMap(value)) return noObject("promotion_gate", value, GATE_SHAPE);
  const read = new FieldReader(value, "promotion_gate");
  const must = { isRequired: true, todo: GATE_SHAPE };
  const may = { todo: GATE_SHAPE };
  const evaluator = read.flag("evaluator_pass", must) ?? false;
  const auditor = read.flag("auditor_pass", must) ?? false;
  const override = blankIsNone(read.raw("override_approval_ref"));
  const ref = read.raw("install_approval_ref");
  // The real system takes a blank one for none.
  const isNone = by.ignoresOthers && typeof ref === "string" && ref.trim() === "";
  const approval = isNone ? null : read.text("install_approval_ref", may);
  const security = securityIn(read, by);
  const capability = capabilityIn(read, by);
  if (!by.ignoresOthers) read.refuseOthers(FIELDS, GATE_SHAPE);
  const faults = [...read.faults, ...security.faults, ...capability.faults];
  if (faults.length > 0) return { value: null, faults };
  const gate = defined<PromotionGate>({
    ...{ evaluator_pass: evaluator, auditor_pass: auditor },
    override_approval_ref: override ?? undefined,
    install_approval_ref: approval ?? undefined,
    security_analysis: security.value ?? undefined,
    capability_analysis: capability.value ?? undefined,
  });
  return { value: gate, faults };
}

const FIELDS = [
  "evaluator_pass",
  "auditor_pass",
  "override_approval_ref",
  "install_approval_ref",
  "security_analysis",
  "capability_analysis",
];

/** A blank text overrides nothing; whatever else stands there is meant to. */
const blankIsNone = (value: Json): string | null => {
  if (value === null || (typeof value === "string" && value.trim() === "")) return null;
  return typeof value === "string" ? value : shown(value);
};

function securityIn(gate: FieldReader, by: OtherFields): Decoded<SecurityClaim> {
  const value = gate.raw("security_analysis");
  if (value === null) return { value: null, faults: [] };
  const at = gate.path("security_analysis");
  if (!isMap(value)) return noObject(at, value, SECURITY_SHAPE);
  const read = new FieldReader(value, at);
  const must = { isRequired: true, todo: SECURITY_SHAPE };
  const claim: SecurityClaim = {
    passed: read.flag("passed", must) ?? false,
    threats_detected: read.texts("threats_detected", must) ?? [],
    remote_access_detected: read.flag("remote_access_detected", must) ?? false,
  };
  const fields = ["passed", "threats_detected", "remote_access_detected", "analyzer_version"];
  if (!by.ignoresOthers) read.refuseOthers(fields, SECURITY_SHAPE);
  return { value: claim, faults: read.faults };
}

function capabilityIn(gate: FieldReader, by: OtherFields): Decoded<CapabilityClaim> {
  const value = gate.raw("capability_analysis");
  if (value === null) return { value: null, faults: [] };
  const at = gate.path("capability_analysis");
  if (!isMap(value)) return noObject(at, value, CAPABILITY_SHAPE);
  const read = new FieldReader(value, at);
  const must = { isRequired: true, todo: CAPABILITY_SHAPE };
  const claim: CapabilityClaim = {
    inferred_capabilities: read.texts("inferred_capabilities", must) ?? [],
    missing_capabilities: read.texts("missing_capabilities", must) ?? [],
    declared_capabilities: read.texts("declared_capabilities", must) ?? [],
    analysis_passed: read.flag("analysis_passed", must) ?? false,
  };
  const lists = ["inferred", "missing", "declared"].map((one) => `${one}_capabilities`);
  if (!by.ignoresOthers) read.refuseOthers([...lists, "analysis_passed"], CAPABILITY_SHAPE);
  return { value: claim, faults: read.faults };
}

const noObject = (field: string, value: Json, todo: string): Decoded<never> => ({
  value: null,
  faults: [{ field, found: shown(value), allowed: "an object", todo }],
});
