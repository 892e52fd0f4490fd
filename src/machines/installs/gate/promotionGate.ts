/**
 * The gate before a revision becomes active: whose promotion records an install needs, what is missing of them, and the
 * statechart, shut while the record of one of its judges is missing, fails or is of other content, open when none is. A later
 * record may shut it again. Source: seed 003, promotion gate; rulings I6, I8, I9.
 */
import { setup } from "xstate";
import { chartActions, chartTypes } from "../../chart.ts";
import type { Delivered } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, subset, type ValuesOf } from "../../policyLeaf.ts";
import { GATEWAY, type Gating, judgeOf, ROLES, type Role } from "../addresses.ts";
import type { CapabilityKind } from "./capability.ts";
import type { PromotionRecord, PromotionRecords, RecordsPolicy } from "./promotionRecords.ts";

/* Whose promotion records an install needs. Source: seed 003, required: promotion_gate; rulings I8. */

const matrixRow = (what: string) =>
  subset(ROLES, ROLES, {
    says: `Whose promotion records the planner's matrix asks for an agent with ${what}.`,
    source: "seed 003, required: promotion_gate",
  });

export const matrixLeaves = {
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
};

export type MatrixPolicy = ValuesOf<typeof matrixLeaves>;

interface Declared {
  readonly capabilities: readonly { readonly type: CapabilityKind }[];
}

const ROWS: { readonly [kind in CapabilityKind]?: "network" | "code" | "spawn" } = {
  ...{ NetworkAccess: "network", CodeExecution: "code", AgentSpawn: "spawn" },
};

/** The gates that the planner's matrix has for such capabilities, in the order of the roles. */
export function matrixGates(
  capabilities: Declared["capabilities"],
  { matrix }: Pick<MatrixPolicy, "matrix">,
): readonly Role[] {
  const asked = capabilities.flatMap(({ type }) => {
    const row = ROWS[type];
    return row === undefined ? [] : matrix[row];
  });
  return ROLES.filter((role) => asked.includes(role));
}

export interface Gates {
  readonly roles: readonly Role[];
  /** What the matrix says otherwise; null for nothing. */
  readonly contradiction: string | null;
}

/** The gates of an install: an agent without an artifact never has one, whatever is said. */
export function gatesOf(
  { artifact_id, capabilities }: Declared & { readonly artifact_id?: string },
  said: Gating | null,
  by: MatrixPolicy,
): Gates {
  if (by.gate === "always") return { roles: ROLES, contradiction: null };
  const wished = matrixGates(capabilities, by);
  const because =
    artifact_id === undefined
      ? "an install without artifact has no promotion gate"
      : said === "none" && by.matrix.decides === "planner"
        ? "the planner said gating: none"
        : null;
  if (because !== null) {
    const list = wished.join(", ");
    const contradiction = list === "" ? null : `the matrix asks for ${list}, but ${because}`;
    return { roles: [], contradiction };
  }
  if (said === "required" && wished.length === 0) return { roles: ROLES, contradiction: null };
  const isOverruled = said === "none" && wished.length > 0;
  const contradiction = isOverruled
    ? `the planner said gating: none, but the matrix asks for ${wished.join(", ")}`
    : null;
  return { roles: wished, contradiction };
}

/* Whether a revision may become active: by the records of its gates, and by nothing that anybody claims. */

export const checkedLeaves = {
  checkedAt: choice("promotion", ["promotion", "creation"], {
    says: "When promotion records are asked for.",
    source: "RULINGS I9; at the install itself in the real system",
  }),
};

export interface PromotionPolicy {
  readonly records: RecordsPolicy["records"] & ValuesOf<typeof checkedLeaves>;
}

export interface GatedRevision {
  readonly artifactId?: string;
  readonly artifactDigest?: string;
  /** As they were when it was created. */
  readonly gates: readonly Role[];
}

export type Promotable =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly reason: string;
      /** The judges that must be run again. */
      readonly missing: readonly Role[];
      readonly todo: string;
    };

/** Mechanical: it says no until the records are there, however often it is asked. */
export function promotable(
  { artifactId, artifactDigest, gates }: GatedRevision,
  records: PromotionRecords,
  by: PromotionPolicy,
): Promotable {
  if (by.records.checkedAt === "creation") return { ok: true };
  const record = artifactId === undefined ? undefined : ownValue(records, artifactId);
  const faults = gates.map(
    (role) => [role, judgementFault(record, role, artifactDigest, by)] as const,
  );
  const open = faults.filter(([, fault]) => fault !== null);
  if (open.length === 0) return { ok: true };
  const missing = open.map(([role]) => role);
  return {
    ok: false,
    reason: `Promotion gate: ${[...new Set(open.map(([, fault]) => fault))].join("; ")}`,
    missing,
    todo: `Stop: do not retry agent.revision.promote or agent.revision.create_from_intent. Report to the planner that ${missing.map(judgeOf).join(" and ")} must be re-run to produce promotion.record entries.`,
  };
}

function judgementFault(
  record: PromotionRecord | undefined,
  role: Role,
  digest: string | undefined,
  { records }: PromotionPolicy,
): string | null {
  const judgement = record?.judgements[role];
  if (judgement === undefined) return "no promotion.record found";
  if (!judgement.pass) return `the promotion.record of ${judgeOf(role)} does not pass`;
  const isBound = records.digest === "bound" || judgement.digest !== undefined;
  return isBound && judgement.digest !== digest
    ? `the promotion.record of ${judgeOf(role)} is of other content`
    : null;
}

/* The gate of one revision. */

export interface PromotionGateInput {
  readonly revision: string;
  readonly missing: readonly Role[];
}

export type PromotionGateEvent = Delivered<"gate.judged" | "gate.refused">;

export interface PromotionGateContext extends PromotionGateInput {
  /** How often a promotion was asked for while it was shut. */
  readonly refused: number;
}

const { say, change } = chartActions<PromotionGateContext, PromotionGateEvent>();
const judged = change((_, { missing }: Delivered<"gate.judged">) => ({ missing }));

export const promotionGateMachine = () =>
  setup({
    types: chartTypes<PromotionGateContext, PromotionGateEvent, PromotionGateInput>(),
    guards: {
      isOpen: ({ context }) => context.missing.length === 0,
      opens: ({ event }) => event.type === "gate.judged" && event.missing.length === 0,
    },
  }).createMachine({
    id: "promotionGate",
    context: ({ input: { at: _, ...input } }) => ({ ...input, refused: 0 }),
    initial: "opening",
    states: {
      opening: { always: [{ guard: "isOpen", target: "open" }, { target: "shut" }] },
      shut: {
        entry: say(({ revision, missing }) => [
          { to: GATEWAY, event: { type: "gate.shut", revision, missing } },
        ]),
        on: {
          "gate.judged": [{ guard: "opens", target: "open", actions: judged }, { actions: judged }],
          "gate.refused": { actions: change(({ refused }) => ({ refused: refused + 1 })) },
        },
      },
      open: {
        entry: say(({ revision }) => [{ to: GATEWAY, event: { type: "gate.opened", revision } }]),
        on: {
          "gate.judged": [
            { guard: "opens", actions: judged },
            { target: "shut", actions: judged },
          ],
        },
      },
    },
  });
