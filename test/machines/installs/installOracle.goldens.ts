// [INS25] Intents, gates, records and approvals against the real system's recorded answers.
import { afterAll, describe, expect } from "vitest";
import type { Role } from "../../../src/machines/installs/addresses.ts";
import {
  approvalAsked,
  approvalDecided,
  approvalTaken,
  riskFactors,
} from "../../../src/machines/installs/gate/approval.ts";
import { type Capability, withHelp } from "../../../src/machines/installs/gate/capability.ts";
import { evidenceFault } from "../../../src/machines/installs/gate/evidence.ts";
import {
  agentIdFault,
  decodedIntent,
  intervalSecs,
  relativePathFault,
} from "../../../src/machines/installs/gate/intent.ts";
import {
  type ChainEntry,
  delegationFault,
  isRecordedIn,
  type PromotionRecords,
  queried,
  recorded,
} from "../../../src/machines/installs/gate/promotionRecords.ts";
import { isRecoverable, toolError } from "../../../src/machines/installs/gateway/books.ts";
import { ownerFault } from "../../../src/machines/installs/toolOwners.ts";
import type { Json } from "../../../src/machines/letter.ts";
import { AgreementTable } from "../skills/ghostOracle.ts";
import { agreeing, isOracleThere } from "./gateOracle.ts";
import type { GateRules } from "./gateRules.ts";
import { type InstallInput, type Played, played } from "./installRun.ts";

const table = new AgreementTable();
const agrees = agreeing(table);

interface Passed {
  readonly ok: boolean;
  readonly error?: string;
}
const passed = (error: string | null): Passed =>
  error === null ? { ok: true } : { ok: false, error };

describe.skipIf(!isOracleThere)("(skipped where shared/oracles/autonoetic.json is absent)", () => {
  afterAll(() => {
    process.stdout.write(`\n${table}\n`);
  });

  agrees<{ agent_id: string }, Passed>(
    "agent_id",
    ({ agent_id: id }, by) => passed(agentIdFault(id, by)),
    (expected) => expected,
    { ruled: () => "by I2 (lowercase with hyphens)" },
  );

  agrees<{ path: string }, Passed>(
    "relative_agent_path",
    ({ path }) => passed(relativePathFault(path)),
    (expected) => expected,
  );

  agrees<{ value: Json }, number | null>(
    "interval_hint",
    ({ value }) => intervalSecs(value),
    (secs) => secs,
  );

  agrees<{ serde_error: string }, string>(
    "capability_error_context",
    ({ serde_error: error }) => withHelp(error),
    (text) => text,
  );

  interface Risk {
    background_enabled: boolean | null;
    capabilities: { type: Capability["type"]; value?: Json }[];
    scheduled_action: "sandbox_exec" | "write_file" | null;
  }
  agrees<Risk, { high_risk: boolean; risk_factors: string[] }>(
    "install_risk",
    ({ background_enabled: enabled, capabilities, scheduled_action: action }, by) => {
      const factors = riskFactors(
        {
          agent_id: "a",
          capabilities: capabilities.map(capabilityFrom),
          ...(enabled !== null && { background: { enabled, interval_secs: 1 } }),
          ...(action !== null && { scheduled_action: action }),
        },
        by,
      );
      return { high_risk: factors.length > 0, risk_factors: factors };
    },
    (expected) => expected,
    {
      ruled: ({ input }) =>
        input.capabilities.some(({ type }) => type === "WriteAccess")
          ? "by I13 (a write is broad by what it reaches)"
          : undefined,
    },
  );

  interface Evidence {
    declared_capability_types: string[];
    gate: {
      ev: boolean;
      au: boolean;
      sec: { passed: boolean; threats: string[]; remote: boolean } | null;
      cap: { ok: boolean; inferred: string[]; missing: string[]; declared: string[] } | null;
    };
    gateway_inferred: string[];
    gateway_missing: string[];
    gateway_remote_access_detected: boolean;
    gateway_security_passed: boolean;
  }
  agrees<Evidence, Passed>(
    "promotion_evidence",
    (input, by) => passed(evidenceIn(input, by)),
    (expected) => expected,
  );
  const evidenceIn = ({ gate: { ev, au, sec, cap }, ...input }: Evidence, by: GateRules) =>
    evidenceFault(
      {
        ...{ evaluator_pass: ev, auditor_pass: au },
        ...(sec !== null && {
          security_analysis: {
            passed: sec.passed,
            threats_detected: sec.threats,
            remote_access_detected: sec.remote,
          },
        }),
        ...(cap !== null && {
          capability_analysis: {
            inferred_capabilities: cap.inferred,
            missing_capabilities: cap.missing,
            declared_capabilities: cap.declared,
            analysis_passed: cap.ok,
          },
        }),
      },
      {
        inferred: input.gateway_inferred,
        missing: input.gateway_missing,
        declared: input.declared_capability_types,
        passed: input.gateway_security_passed,
        remoteAccess: input.gateway_remote_access_detected,
        threats: [],
      },
      by,
    );

  agrees<{ records: { role: Role; pass: boolean }[] }, object>(
    "promotion_store",
    ({ records: said }, by) => {
      const answer = queried(recordsFrom(said, by), "art_1") as { readonly [field: string]: Json };
      const { evaluator_pass = false, auditor_pass = false, fully_promoted = false } = answer;
      return { evaluator_pass, auditor_pass, fully_promoted };
    },
    (expected) => expected,
  );

  agrees<{ chain: ChainEntry[]; query: [string, Role] }, boolean>(
    "promotion_lookup",
    ({ chain, query: [artifact, role] }) => isRecordedIn(chain, artifact, role),
    (expected) => expected,
  );

  interface Spawn {
    metadata: {
      promotion_artifact_id: string;
      promotion_role: Role;
      require_promotion_record: boolean;
    };
    records: { [role in Role]?: boolean };
  }
  agrees<Spawn, { ok?: true; error_contains?: string }>(
    "spawn_requires_promotion_record",
    ({ metadata, records }, by) => {
      const said = Object.entries(records).map(([role, pass]) => ({ role: role as Role, pass })); // Its keys are roles.
      const known = recordsFrom(said, by, metadata.promotion_artifact_id);
      const fault = delegationFault(
        {
          requirePromotionRecord: metadata.require_promotion_record,
          artifactId: metadata.promotion_artifact_id,
          role: metadata.promotion_role,
        },
        known,
      );
      return fault?.message ?? null;
    },
    ({ error_contains: text }, { metadata }) =>
      text === undefined
        ? null
        : `${text} the session for artifact '${metadata.promotion_artifact_id}' (role: ${metadata.promotion_role})`,
  );

  agrees<
    { message: string },
    { error_type: string; hint_contains: string | null; recoverable: boolean }
  >(
    "tool_error",
    ({ message }) => {
      const error = toolError(message);
      return { type: error.error_type, recoverable: isRecoverable(error), hint: error.repair_hint };
    },
    ({ error_type: type, recoverable, hint_contains: hint }) => ({
      ...{ type, recoverable },
      hint: hint === null ? expect.any(String) : expect.stringContaining(hint),
    }),
  );

  interface Tools {
    agent_id: string;
    capabilities: [Capability["type"], Json][];
  }
  agrees<Tools, { count?: number; includes: string[]; excludes?: string[] }>(
    "tool_availability",
    ({ agent_id: id }, by) => ownerFault("agent.install", id, by) === null,
    ({ includes }) => includes.includes("agent.install"),
  );

  agrees<{ steps: { call?: { [field: string]: Json } }[] }, { skill_contains: string[] }>(
    "agent_install_approval_sequence",
    ({ steps: [first, , last] }, by) => {
      const intent = decodedIntent(callIn(first?.call, by), by);
      if ("faults" in intent) return intent.faults;
      const id = "apr-00000001";
      const asking = { id, requestedBy: "specialized_builder.default", askedAtMs: 0 };
      const { approvals: asked } = approvalAsked({}, { ...asking, intent: intent.intent });
      const told = approvalDecided(asked, id, { isApproved: true, by: "operator" });
      if ("error" in told) return told.error;
      const agentId = slug(String(last?.call?.["agent_id"]), by);
      const taken = approvalTaken(told.approvals, id, { agentId, from: asking.requestedBy }, by);
      return "error" in taken ? taken.error : taken.intent.instructions.split("\n")[0];
    },
    ({ skill_contains: [text] }) => `# ${text}`,
  );

  interface Installed {
    ok?: boolean;
    approval_required?: boolean;
    error?: string | true;
    error_contains?: string;
    error_contains_any?: string[];
  }
  agrees<InstallInput, Installed>(
    "agent_install",
    (input, by) => {
      const told = played({ ...input, args: dotless(input.args, by) }, by);
      return told.outcome === "refused" ? wordsOf(told) : { outcome: told.outcome };
    },
    (expected) => {
      if (expected.approval_required === true) return { outcome: "approval-required" };
      if (expected.ok === true) return { outcome: "created" };
      if (expected.error_contains_any !== undefined) {
        return expect.stringMatching(expected.error_contains_any.join("|"));
      }
      const text = expected.error_contains ?? expected.error;
      return typeof text === "string"
        ? expect.stringContaining(text.replaceAll(ARTIFACT, "art_00000001"))
        : expect.any(String);
    },
    { never: notOurs, ruled: ruledInstall },
  );
});

const ARTIFACT = "<artifact_id>";
const wordsOf = ({ reason }: Extract<Played, { outcome: "refused" }>): string => reason;

/** What no gate decides. */
function notOurs({ id }: { readonly id: string }): string | undefined {
  if (id.includes("skill-md-overwrite")) return "not the gate's (artifact.build refuses the name)";
  if (id.includes("validate-on-install-fails")) return "not applicable (no first run in the seed)";
  return undefined;
}

/** Which ruling lets an install end otherwise under our own values: by what is said, and else by what was. */
const RULED: readonly (readonly [is: RegExp, was: RegExp, why: string])[] = [
  [/./, /no passing|promotion record exists/, "by I9 (records are asked for at promote)"],
  [/./, /Analyzer/, "by the seed's words (no analyzer is named)"],
  [/./, /missing field/, "by the seed's intents (without artifact, or in other words)"],
  [/^"Native tool/, /./, "by the seed (the builder alone installs)"],
  [/^"agent_id: found/, /./, "by I2 (lowercase with hyphens)"],
  [/^"[\w.]+: found/, /./, "by the seed (an intent is read whole, in other words)"],
  [/^"Security threats detected/, /./, "by I10 (they end every install, and before its gate)"],
  [/^"override_approval_ref/, /./, "by I10 (nothing overrides the gate)"],
  [
    /^"promotion gate failed: set [^,]*$/,
    /^.*(?:gate failed|exists)/,
    "by I10 (nothing overrides)",
  ],
  [/approval-required/, /promotion_gate/, "by I9"],
  [/./, /approval_required/, "by I9 (everything else is checked before)"],
  [/approval-required/, /./, "by I5 (an approval is asked for without a configuration too)"],
  [
    /^"Approval request not found/,
    /./,
    "by I5 (an approval is asked for without a configuration too)",
  ],
  [/promotion gate evidence missing/, /./, "by the seed (strict evidence)"],
  [/^"Capability mismatch/, /./, "by the seed (strict, always)"],
  [/./, /scheduled_action|background/, "by the seed (it has no work in the background)"],
  [/^"script_entry '/, /./, "by the seed (the artifact contains the entry)"],
  [/./, /security analysis failed/, "by I12 (instructions are not scanned)"],
  [/./, /already exists/, "by I1 (a new revision)"],
  [/^"promotion_gate\./, /"ok":true/, "by the seed (strict evidence)"],
];

const ruledInstall = (one: { readonly expected: unknown }, told: unknown): string | undefined => {
  const [ours, theirs] = [JSON.stringify(told), JSON.stringify(one.expected)];
  return RULED.find(([is, was]) => is.test(ours) && was.test(theirs))?.[2];
};

const slug = (id: string, by: GateRules): string =>
  by.agentId === "hyphens" ? id.replaceAll(/[._]/g, "-") : id;

const dotless = (args: InstallInput["args"], by: GateRules): InstallInput["args"] => ({
  ...args,
  agent_id: slug(String(args["agent_id"]), by),
});

const callIn = (call: { [field: string]: Json } = {}, by: GateRules): Json => ({
  agent_id: slug(String(call["agent_id"]), by),
  ...{ artifact_id: "art_00000001", description: "d", llm_config: { provider: "p", model: "m" } },
  ...{
    instructions: call["instructions"] ?? "",
    capabilities: [{ type: "NetworkAccess", hosts: call["hosts"] ?? [] }],
  },
});

function recordsFrom(
  said: readonly { readonly role: Role; readonly pass: boolean }[],
  by: GateRules,
  artifactId = "art_1",
): PromotionRecords {
  return said.reduce<PromotionRecords>((records, { role, pass }) => {
    const from = { from: `${role}.default`, digest: "d" };
    const told = recorded(records, { artifactId, role, pass, findings: [] }, from, by);
    return "records" in told ? told.records : records;
  }, {});
}

/** The oracle names the one field of a kind `value`. */
function capabilityFrom({ type, value }: { type: Capability["type"]; value?: Json }): Capability {
  const field: { readonly [kind: string]: string } = {
    ...{ NetworkAccess: "hosts", ReadAccess: "scopes", WriteAccess: "scopes" },
    ...{ CodeExecution: "patterns", SandboxFunctions: "allowed", AgentMessage: "patterns" },
    ...{ AgentSpawn: "max_children", BackgroundReevaluation: "min_interval_secs" },
  };
  const name = field[type];
  // As the kind has it.
  return { type, ...(name !== undefined && { [name]: value }) } as unknown as Capability;
}
