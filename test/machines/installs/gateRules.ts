/** The policy of installs with some leaves changed, and an intent and facts that pass every check. */
import { type PolicyValue, valuesOf } from "../../../src/contract/policy.ts";
import { decodedIntent, type Intent } from "../../../src/machines/installs/gate/intent.ts";
import type { InstallFacts } from "../../../src/machines/installs/gate/verdict.ts";
import {
  type InstallsPolicy,
  installsLeaves,
  installsProfiles,
} from "../../../src/machines/installs/installsPolicy.ts";
import type { Json } from "../../../src/machines/letter.ts";

type Changed = { readonly [path: string]: PolicyValue };

export type GateRules = InstallsPolicy;

export const gatePolicy = (changed: Changed = {}): GateRules => valuesOf(installsLeaves, changed);

/** As the real system has it, but for the reading of scopes by which risk is judged. */
export const realPolicy = (changed: Changed = {}): GateRules =>
  gatePolicy({ ...REAL, "reach.scopes": "boundary", ...changed });

const REAL: Changed = Object.fromEntries(
  Object.entries(installsProfiles.real).map(([path, value]) => [
    path.replace("installs.", ""),
    value,
  ]),
);

type Fields = { readonly [field: string]: Json | undefined };

/** The seed's weather-fetcher, corrected. */
export const weather = (changed: Fields = {}): Json =>
  JSON.parse(
    JSON.stringify({
      agent_id: "weather-fetcher",
      artifact_id: "art_a1b2c3d4",
      description: "Fetches weather data",
      instructions: "# Weather Agent\n\nYou are a weather agent...",
      capabilities: [{ type: "NetworkAccess", hosts: ["*"] }],
      llm_config: { provider: "openrouter", model: "google/gemini-3-flash-preview" },
      promotion_gate: gate(),
      ...changed,
    }),
  );

/** The seed's moltbook-ops: it reasons, and has no artifact. */
export const moltbook = (changed: Fields = {}): Json =>
  JSON.parse(
    JSON.stringify({
      agent_id: "moltbook-ops",
      description: "Operational Moltbook agent",
      instructions: "# Moltbook Operations\n\n...",
      execution_mode: "reasoning",
      llm_config: { provider: "openrouter", model: "m", temperature: 0.2 },
      capabilities: [
        { type: "CredentialAccess", services: ["moltbook"] },
        { type: "NetworkAccess", hosts: ["localhost"] },
        { type: "ReadAccess", scopes: ["self.*"] },
        { type: "WriteAccess", scopes: ["self.*"] },
        { type: "BackgroundReevaluation", min_interval_secs: 300, allow_reasoning: true },
      ],
      ...changed,
    }),
  );

/** Evidence that is true of `weather`. */
export const gate = (changed: Fields = {}): { readonly [field: string]: Json } =>
  JSON.parse(
    JSON.stringify({
      evaluator_pass: true,
      auditor_pass: true,
      security_analysis: { passed: true, threats_detected: [], remote_access_detected: true },
      capability_analysis: {
        inferred_capabilities: ["NetworkAccess"],
        missing_capabilities: [],
        declared_capabilities: ["NetworkAccess"],
        analysis_passed: true,
      },
      ...changed,
    }),
  );

export function intentOf(json: Json, by = gatePolicy()): Intent {
  const decoded = decodedIntent(json, by);
  if ("intent" in decoded) return decoded.intent;
  throw new Error(JSON.stringify(decoded.faults));
}

export const facts = (changed: Partial<InstallFacts> = {}): InstallFacts => ({
  from: "specialized_builder.default",
  tool: "agent.revision.create_from_intent",
  artifact: { digest: "sha256:1", files: ["main.py"] },
  analysis: analysis(),
  gates: ["evaluator", "auditor"],
  records: {},
  isThere: false,
  isApproved: true,
  ...changed,
});

export const analysis = (
  changed: Partial<InstallFacts["analysis"]> = {},
): InstallFacts["analysis"] => ({
  ...{ analyzer: "ast", inferred: ["NetworkAccess"], threats: [], passed: true },
  ...{ evidence: [], unfamiliar: [], remoteAccess: true, ...changed },
});
