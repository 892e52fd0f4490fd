/** What is asked of an install, and by whom. Source: seed 003; rulings I; where they are silent, the real system. */
import { choice, flag, integer, subset, type ValuesOf } from "../policyLeaf.ts";
import { days, seconds } from "../units.ts";
import { ROLES } from "./addresses.ts";

const matrixRow = (what: string) =>
  subset(ROLES, ROLES, {
    says: `Whose promotion records the planner's matrix asks for an agent with ${what}.`,
    source: "seed 003, required: promotion_gate",
  });

export const gateLeaves = {
  shape: choice("seed", ["seed", "real"], {
    says: "Which fields an intent and its capabilities must have, and which they may have.",
    source: "seed 003; RULINGS I2; those of agent.install in the real system (real)",
  }),
  agentId: choice("hyphens", ["hyphens", "loose"], {
    says: "What an agent_id may be: lowercase with hyphens, or also upper case, dots and underscores.",
    source: "seed 003, parameters; RULINGS I2; loose in the real system",
  }),
  installers: subset(
    ["specialized_builder.default"],
    ["specialized_builder.default", "evolution-steward.default"],
    {
      says: "Who may create, promote and roll back revisions.",
      source: "seed 003, first paragraph; both in the real system",
    },
  ),
  asks: choice("after-checks", ["after-checks", "first"], {
    says: "When an approval is asked for: once everything else has passed, or before the artifact is looked at.",
    source: "RULINGS I9; first in the real system",
  }),
  approval: choice("risk_based", ["risk_based", "always", "never"], {
    says: "Which installs need an approval: those of high risk, all, or none.",
    source: "RULINGS I5; dossier 1.6",
  }),
  broadWrites: choice("reach", ["reach", "words"], {
    says: "Which writes are broad: those that reach beyond the agent's own folder, or those whose scope is `*` or ends with `/*`. More than two scopes are either way.",
    source: "RULINGS I13 (reach); dossier 1.6 and the real system (words)",
  }),
  approvalUses: choice("once", ["once", "unlimited"], {
    says: "How often one approval lets its install through.",
    source: "RULINGS I5; unlimited in the real system",
  }),
  approvalTimeoutMs: integer(seconds(600), {
    says: "After how long an approval that nobody decides has timed out; 0: never.",
    source: "dossier 1.6",
    unit: "ms",
    min: 0,
    max: days(365),
  }),
  gate: choice("planned", ["planned", "always"], {
    says: "Who says that an install needs promotion records: the planner, or every install does.",
    source: "seed 003, required: promotion_gate; always in the real system",
  }),
  matrix: {
    decides: choice("planner", ["planner", "gateway"], {
      says: "Whether the planner's `gating: none` holds against its own matrix.",
      source: "seed 003: the planner decides which gates are needed",
    }),
    network: matrixRow("NetworkAccess"),
    code: matrixRow("CodeExecution"),
    spawn: matrixRow("AgentSpawn"),
  },
  evidence: choice("strict", ["strict", "booleans"], {
    says: "What a promotion gate must show: analyses that match the gateway's, or the two passes alone.",
    source: "seed 003, strict mode; the two alone in the real system without a configuration",
  }),
  remoteClaim: choice("one-way", ["one-way", "strict"], {
    says: "Whether `remote_access_detected: true` is refused where the gateway detects none.",
    source: "RULINGS I4",
  }),
  threatClaims: choice("found", ["found", "unread"], {
    says: "Which threats evidence may name: those that the gateway found, or any.",
    source: "seed 003, strict mode (found); the real system never reads them (unread)",
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
  records: {
    tiedToRole: flag(true, {
      says: "Whether the evaluator records its own passes alone, and the auditor its own.",
      source: "RULINGS I6; not tied in the real system",
    }),
    checkedAt: choice("promotion", ["promotion", "creation"], {
      says: "When promotion records are asked for.",
      source: "RULINGS I9; at the install itself in the real system",
    }),
    digest: choice("bound", ["bound", "first"], {
      says: "Whether each record holds for the digest that the artifact had, or only the first one that names it.",
      source: "RULINGS I10; the first in the real system",
    }),
  },
};

export type GatePolicy = ValuesOf<typeof gateLeaves>;

/** What the real system does otherwise, by leaf. */
export const realGate = {
  shape: "real",
  agentId: "loose",
  installers: ["specialized_builder.default", "evolution-steward.default"],
  asks: "first",
  approvalUses: "unlimited",
  broadWrites: "words",
  gate: "always",
  threatClaims: "unread",
  override: "accepted",
  threats: "in-evidence",
  analyzerNamed: true,
  existing: "refused",
  "records.tiedToRole": false,
  "records.checkedAt": "creation",
  "records.digest": "first",
} as const;
