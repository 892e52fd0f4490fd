/** What planner, coder, evaluator, auditor and builder say to one another. Source: seed 003. */
import type { Json } from "../../letter.ts";
import type { Gating, Role } from "../addresses.ts";
import type { CapabilityClaim, SecurityClaim } from "../gate/evidence.ts";
import type { Finding } from "../gate/promotionRecords.ts";

type None = { readonly [field in never]: never };

/** The fields of create_from_intent, as far as they are known; whoever installs adds none. */
export type IntentFields = { readonly [field: string]: Json };

/** An agent that somebody wants; JSON, so no interface. */
export type Wish = {
  /** Its name, and that of its workflow. */
  readonly wish: string;
  /** What the agent is for, in words. */
  readonly goal: string;
  readonly intent: IntentFields;
  /** Whether coder.default builds an artifact for it. */
  readonly needsCode: boolean;
  /** Files or handles that came with it in place of an artifact. */
  readonly loose: readonly string[];
  /** What is said of gates from the start; null leaves it to the planner. */
  readonly gating: Gating | null;
};

/** What became of an install, as the builder reports it. */
export type InstallOutcome =
  | "installed"
  /** A person is asked: the report that ends it is still to come. */
  | "waiting"
  /** There is no artifact to install, or not the one it should be. */
  | "malformed"
  | "refused"
  /** The promotion gate is shut. */
  | "gated"
  /** A person said no, or nobody decided in time. */
  | "unapproved"
  /** The builder saw something that it does not install. */
  | "returned"
  /** The gateway did not answer. */
  | "broken";

/** What a judge found, as the planner hears of it. */
export type Judged = {
  readonly role: Role;
  readonly pass: boolean;
  /** Whether its promotion.record stands; a pass without one opens no gate. */
  readonly recorded: boolean;
  /** Why there is no judgement, or no record; null for nothing. */
  readonly reason: string | null;
  readonly findings: readonly Finding[];
  /** The auditor's alone. */
  readonly security: SecurityClaim | null;
  readonly capability: CapabilityClaim | null;
  /** Nothing was judged, as the model said nothing that can be used: it is still to be done. */
  readonly isOpen?: true;
};

/** What an actor was kept from: the rule, what its model wanted, and what it does in its place. */
export type Held = {
  readonly rule: string;
  readonly wanted: string;
  readonly does: string;
  readonly why: string;
};

declare module "../../letter.ts" {
  interface Mail {
    /** From the outside to the planner. */
    "install.wanted": Wish;
    /** The planner to itself, for the log: what it does next, and whose judgement it asks for. */
    "install.planned": {
      readonly wish: string;
      readonly next: "build" | "evaluate" | "audit" | "install" | "stop";
      readonly gates: readonly Role[];
      /** What its own matrix says otherwise. */
      readonly contradiction: string | null;
      readonly why: string;
    };
    /** Planner and builder to themselves, for the log: what their models wanted, and a rule forbids. */
    "install.held": Held & { readonly wish: string };
    /** The planner to itself, for the log. */
    "install.closed": {
      readonly wish: string;
      readonly agent: string;
      readonly isInstalled: boolean;
      readonly reason: string;
      readonly revision: string | null;
    };
    /** A question to the coder. */
    "build.wanted": {
      readonly wish: string;
      readonly agent: string;
      readonly goal: string;
      readonly intent: IntentFields;
      /** What was wrong with the one before. */
      readonly flaws: readonly string[];
    };
    "build.delivered": {
      readonly wish: string;
      readonly artifact: string | null;
      readonly reason: string | null;
    };
    /** A question to evaluator or auditor. */
    "judging.wanted": {
      readonly wish: string;
      readonly agent: string;
      readonly goal: string;
      readonly artifact: string;
      readonly declared: readonly string[];
    };
    "judging.given": Judged & { readonly wish: string };
    /** A question to the builder: this and nothing else is to be installed. */
    "install.delegated": {
      readonly wish: string;
      readonly intent: IntentFields;
      readonly loose: readonly string[];
    };
    /** Its answer; that it waits for a person is said before it. */
    "install.reported": {
      readonly wish: string;
      readonly agent: string;
      readonly outcome: InstallOutcome;
      readonly reason: string | null;
      readonly todo: string | null;
      readonly revision: string | null;
    };
    /** From the outside to the builder: it asks the gateway for it whatever it is at; no turn waits for the answer. */
    "rollback.wanted": {
      readonly agent: string;
      /** The revision that is to be active; the one before when null. */
      readonly to: string | null;
      readonly reason: string;
    };
    /** From the outside to the builder: its turn breaks off, and it wakes up. */
    "turn.interrupted": None;
  }
}

/** The agent that an intent is of; empty where it names none. */
export const agentOf = ({ agent_id: agent }: IntentFields): string =>
  typeof agent === "string" ? agent : "";
