/** What the planner knows of the wish that it is at, and of those that wait. Source: seed 003. */

import { isMap } from "../isMap.ts";
import type { Delivered, Mail } from "../letter.ts";
import type { Gating, Role } from "./addresses.ts";
import type { PlanAnswer } from "./crewAnswers.ts";
import type { IntentFields, Judged, Wish } from "./crewMail.ts";
import type { CrewPolicy } from "./crewPolicy.ts";
import type { Standing } from "./crewViews.ts";
import { CAPABILITY_KINDS, type CapabilityKind } from "./gate/capability.ts";
import { type Gates, gatesOf, type MatrixPolicy, matrixGates } from "./gate/promotionGate.ts";
import type { PlanStep, WishState } from "./plannerRules.ts";

export type PlannerEvent = Delivered<
  | "install.wanted"
  | "install.planned"
  | "install.held"
  | "install.closed"
  | "build.delivered"
  | "judging.given"
  | "install.reported"
  | "llm.replied"
  | "llm.failed"
  | "ask.bounced"
>;

export type PlannerPolicy = MatrixPolicy & { readonly crew: CrewPolicy };

export interface PlannerContext {
  readonly queue: readonly Wish[];
  readonly wish: Wish | null;
  /** As it stands now: the planner may amend what was wished for. */
  readonly intent: IntentFields;
  readonly said: Gating | null;
  readonly artifact: string | null;
  /** The last word of each judge on this artifact. */
  readonly judged: { readonly [role in Role]?: Judged };
  readonly flaws: readonly string[];
  readonly report: Pick<Mail["install.reported"], "outcome" | "reason" | "revision"> | null;
  readonly isChanged: boolean;
  readonly builds: number;
  readonly decisions: number;
  readonly wanted: PlanAnswer | { readonly fault: string } | null;
  readonly step: PlanStep | null;
  /** Why its model wants that step. */
  readonly why: string;
  /** Why it stops; null while it goes on. */
  readonly end: string | null;
  readonly facts: readonly number[];
}

const fresh: Omit<PlannerContext, "queue" | "wish" | "intent" | "said" | "artifact"> = {
  judged: {},
  flaws: [],
  report: null,
  isChanged: false,
  builds: 0,
  decisions: 0,
  wanted: null,
  step: null,
  why: "",
  end: null,
  facts: [],
};

export const openingPlanner: PlannerContext = {
  ...{ queue: [], wish: null, intent: {}, said: null, artifact: null },
  ...fresh,
};

export function wishTaken({ queue }: PlannerContext): PlannerContext {
  const [wish = null, ...rest] = queue;
  const { artifact_id: artifact = null, ...intent } = wish?.intent ?? {};
  return {
    ...fresh,
    ...{ queue: rest, wish, said: wish?.gating ?? null },
    // Anything else under this name is handed over as it came.
    intent:
      typeof artifact === "string" && artifact.startsWith("art_") ? intent : { ...wish?.intent },
    artifact: typeof artifact === "string" && artifact.startsWith("art_") ? artifact : null,
  };
}

export const wishLeft = ({ queue }: PlannerContext): PlannerContext => ({
  ...openingPlanner,
  queue,
});

/** The kinds that an intent declares, sorted; whether their fields are right is for the gateway to say. */
export function declaredKinds({ capabilities }: IntentFields): readonly CapabilityKind[] {
  const rows = Array.isArray(capabilities) ? capabilities : [];
  const types = rows.map((row) => (isMap(row) ? row["type"] : undefined));
  return CAPABILITY_KINDS.filter((kind) => types.includes(kind)).sort();
}

/** Whose judgement it asks for. */
export function gatesNow(context: PlannerContext, by: PlannerPolicy): Gates {
  const { wish, artifact, intent, said } = context;
  const capabilities = declaredKinds(intent).map((type) => ({ type }));
  const id = artifact ?? (wish?.needsCode === true ? "art_" : undefined);
  return gatesOf({ ...(id === undefined ? {} : { artifact_id: id }), capabilities }, said, by);
}

export const matrixNow = ({ intent }: PlannerContext, by: PlannerPolicy): readonly Role[] =>
  matrixGates(
    declaredKinds(intent).map((type) => ({ type })),
    by,
  );

export function standingOf({ judged }: PlannerContext, role: Role): Standing {
  const word = judged[role];
  if (word === undefined || word.isOpen === true) return "open";
  if (!word.pass) return "failed";
  return word.recorded ? "passed" : "unrecorded";
}

export const wishState = (context: PlannerContext, by: PlannerPolicy): WishState => ({
  needsCode: context.wish?.needsCode ?? false,
  artifact: context.artifact,
  buildsLeft: by.crew.builds - context.builds,
  gates: gatesNow(context, by).roles,
  judges: {
    evaluator: standingOf(context, "evaluator"),
    auditor: standingOf(context, "auditor"),
  },
  outcome: context.report?.outcome ?? null,
  isChanged: context.isChanged,
});
