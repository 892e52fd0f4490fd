/** What the models of those who install are shown, and the form in which they answer. Source: seed 003. */
import type { Json } from "../letter.ts";
import type { Gating, Role } from "./addresses.ts";
import { BUILDER_TOOLS, type InstallPhase } from "./builderRules.ts";
import type { IntentFields } from "./crewMail.ts";
import { SEVERITIES } from "./gate/promotionRecords.ts";

/** What the planner decides next. */
export const PLANS = ["build", "evaluate", "audit", "install", "stop"] as const;
export type Plan = (typeof PLANS)[number];

/** How a judge stands in the planner's eyes. */
export type Standing = "open" | "passed" | "failed" | "unrecorded";

export interface PlanView {
  readonly purpose: "install.plan";
  readonly wish: string;
  readonly goal: string;
  readonly intent: IntentFields;
  readonly needsCode: boolean;
  readonly artifact: string | null;
  readonly loose: readonly string[];
  /** Whose judgement the matrix asks for. */
  readonly matrix: readonly Role[];
  readonly gating: Gating | null;
  readonly judges: { readonly [role in Role]: Standing };
  /** What the coder and the judges reported that is wrong, newest last. */
  readonly flaws: readonly string[];
  /** The builder's last report; null before the first. */
  readonly report: { readonly outcome: string; readonly reason: string | null } | null;
  /** Whether anything is new since then. */
  readonly isChanged: boolean;
  readonly decisionsLeft: number;
}

export interface BuildView {
  readonly purpose: "install.build";
  readonly wish: string;
  readonly goal: string;
  readonly intent: IntentFields;
  readonly flaws: readonly string[];
}

/** What a call of the builder's came to. */
export type Did = {
  readonly tool: string;
  readonly ok: boolean;
  readonly said: string;
};

export interface TurnView {
  readonly purpose: "install.turn";
  readonly wish: string;
  readonly intent: IntentFields;
  readonly loose: readonly string[];
  readonly phase: InstallPhase;
  /** What workflow.state said last of how to go on. */
  readonly hint: string | null;
  readonly did: readonly Did[];
}

/** A file of an artifact as a judge reads it; null where it could not. */
export type ReadFile = { readonly name: string; readonly text: string | null };

export interface JudgeView {
  readonly purpose: "install.evaluate" | "install.audit";
  readonly wish: string;
  readonly goal: string;
  readonly artifact: string;
  readonly declared: readonly string[];
  readonly files: readonly ReadFile[];
  /** How many files it has besides those. */
  readonly unread: number;
}

export type CrewView = PlanView | BuildView | TurnView | JudgeView;

declare module "../portMail.ts" {
  interface Views {
    readonly installs: CrewView;
  }
}

const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text, maxItems: 20 };

const object = (
  properties: { readonly [name: string]: object },
  required: readonly string[] = Object.keys(properties),
) => ({ type: "object", properties, required });

const findings = {
  type: "array",
  items: object({ severity: { type: "string", enum: SEVERITIES }, description: text }),
  maxItems: 20,
};

const judged = { pass: { type: "boolean" }, record: { type: "boolean" }, findings };

/** By purpose: what a live model's answer must look like. */
export const crewSchemas: {
  readonly [purpose in CrewView["purpose"]]: { readonly [keyword: string]: unknown };
} = {
  "install.plan": object(
    {
      next: { type: "string", enum: PLANS },
      gating: { type: "string", enum: ["none", "required"] },
      amend: { type: "object" },
      why: text,
    },
    ["next", "why"],
  ),
  "install.build": object(
    {
      files: { type: "object", additionalProperties: { type: "string" } },
      entrypoints: texts,
    },
    ["files"],
  ),
  "install.turn": object(
    {
      tool: { type: "string", enum: BUILDER_TOOLS },
      changes: { type: "object" },
      about: texts,
      why: text,
    },
    ["tool", "why"],
  ),
  "install.evaluate": object(judged),
  "install.audit": object({
    ...judged,
    threats_detected: texts,
    remote_access_detected: { type: "boolean" },
    inferred_capabilities: texts,
  }),
};

/** A value of an intent as it is shown. */
export const fieldText = (value: Json): string =>
  typeof value === "string" ? value : JSON.stringify(value);
