/**
 * What the parts of synt tell one another: requests, proposals, executors and the words of their
 * states. Source: seed 002, 8.3 and 9; rulings Y10, Y19.
 */
import type { Json } from "../letter.ts";
import type { Reward, Strategy } from "./score/reward.ts";
import type { SyntPurpose } from "./stages/stageTiers.ts";

/** Addresses of the islands of which there is one. */
export const DESK = "synt";
export const POOL = "pool";

export const WORKSPACE = "/agentOS/workspace";
export const EXECUTORS_FOLDER = `${WORKSPACE}/executors`;
export const AUDIT_FOLDER = `${WORKSPACE}/.audit/synt`;
/** Why synt did not start, for the operator. */
export const BOOT_ERROR_PATH = `${AUDIT_FOLDER}/boot-error.txt`;

export type Mode = "reactive" | "introspective";

/** The seed's states at which a request ends, `delivered` and `suspended`. */
const TERMINAL = [
  "delivered",
  "born",
  "abandoned",
  "rejected",
  "suspended",
  "fused",
  "generalised",
  "specialised",
] as const;

export type ProposalState =
  | "composing"
  | "composed"
  | "generating"
  | "proposed"
  | (typeof TERMINAL)[number];

export const isTerminal = (state: ProposalState): boolean =>
  (TERMINAL as readonly ProposalState[]).includes(state);

/** Logged and turned into a state, never thrown. Source: seed 002, 9. */
export type SyntError =
  | "StrategyExhausted"
  | "BudgetExceeded"
  | "PolicyVeto"
  | "ConstitutionViolation";

/** What is missing: by whom it was missed, what it would be called, what would do as well. */
export interface Need {
  readonly intent: string;
  readonly name: string;
  /** The executor behind which it was missed; null when nothing came before. */
  readonly from: string | null;
  /** capability_hint: executors, or first words of names, that would close the need. */
  readonly hints: readonly string[];
}

/** A strategy's own material, besides the need. */
export interface Material {
  /** Executors that it joins, replaces or stands beside. */
  readonly members: readonly string[];
  /** The chain that it would incorporate. */
  readonly chain: readonly string[];
  /** The case that is hot, and how often it came up. */
  readonly hot: { readonly value: string; readonly uses: number; readonly of: number } | null;
  /** Why the profiles forbid it; suspended without a word to any actor. */
  readonly vetoes: readonly string[];
  /** Names of proto-mnests that it would close, besides its own. */
  readonly covers: readonly string[];
}

export const noMaterial: Material = { members: [], chain: [], hot: null, vetoes: [], covers: [] };

/** revise() of the contract: the person says what should be different. */
export interface Revision {
  readonly request: string;
  readonly feedback: string | null;
  /** The strategy to try instead; the cascade's own order when null. */
  readonly target: string | null;
}

/** SynthRequest of the contract. */
export interface SynthRequest {
  readonly request: string;
  readonly mode: Mode;
  readonly proto: string | null;
  readonly need: Need;
  readonly budgetCents: number;
  /** What the introspective pass would do; null for the reactive cascade. */
  readonly strategy: Strategy | null;
  readonly material: Material;
  /** What it takes up again, as the person wants it. */
  readonly revision: Revision | null;
}

/** What an executor may reach: targets by permission, such as `fs:write` on `~/Pictures/`. */
export interface SandboxProfile {
  readonly [permission: string]: readonly string[];
}

/** What a mnest, a planner and a chain need to know of an executor. Strict JSON. */
export interface ExecutorFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly takes: readonly string[];
  readonly gives: readonly string[];
  readonly profile: SandboxProfile;
  /** Its I/O schema by dimension, where it is one of a family. */
  readonly shape: { readonly [dimension: string]: string };
  /** Words that a user would use for it, by which chains are found; none when absent. */
  readonly affinity?: readonly string[];
}

/** Something to be synthesised, as the actor that misses it asks the desk for it. */
export interface Wanted {
  readonly mode: Mode;
  readonly strategy: Strategy | null;
  readonly proto: string | null;
  readonly need: Need;
  readonly material: Material;
  /** Its own hard cap; the policy's when null. */
  readonly budgetCents: number | null;
  readonly revision: Revision | null;
}

/** A candidate executor as the stages fill it in. */
export interface Draft extends ExecutorFacts {
  readonly revertible: boolean;
  readonly critical: boolean;
  readonly targetKind: string;
  readonly argsSchema: Json;
  readonly capabilities: readonly string[];
  readonly reversePattern: string | null;
  readonly tests: readonly BirthTest[];
  readonly affinity: readonly string[];
  readonly code: string;
}

/** The fixed format of birth tests. Source: seed 002, 4.2.3. */
export interface BirthTest {
  readonly name: string;
  /** Files that are there before, by path. */
  readonly setup: { readonly [path: string]: string };
  readonly input: Json;
  /** What must hold of the answer: matcher by matcher. */
  readonly expect: { readonly [matcher: string]: Json };
  /** Paths that are removed afterwards; the sandbox keeps nothing anyway. */
  readonly teardown: readonly string[];
}

/** RewardBreakdown of the contract, in exact shares, with what the judge said. */
export interface Scored {
  readonly reward: Reward;
  readonly judgeReasoning: string;
}

/** What is proposed: a chain's names, or what there is to know of an executor; null for nothing. */
export type Artefact = readonly string[] | MadeExecutor | null;

// No interface: it goes into texts of JSON.
export type MadeExecutor = {
  readonly name: string;
  readonly description: string;
  readonly capabilities: readonly string[];
  readonly profile: SandboxProfile;
  /** How many birth tests it has passed. */
  readonly tests: number;
};

export const isChain = (artefact: Artefact): artefact is readonly string[] =>
  Array.isArray(artefact);

/** What a person is shown of a proposal: what, why, and R with every term. */
export interface Dossier {
  readonly strategy: Strategy | null;
  readonly rationale: string;
  /** So far, in millionths of a cent. */
  readonly cost: number;
  readonly intent: string;
  readonly artefact: Artefact;
  readonly reward: Reward | null;
  readonly judge: string | null;
}

/** What the person is asked about. */
export type PersonQuestion =
  | {
      readonly purpose: "chain" | "executor" | "proposal";
      readonly request: string;
      readonly dossier: Dossier;
    }
  | {
      /** Whether a request may go on that would spend more than its soft cap. */
      readonly purpose: "soft-cap";
      readonly request: string;
      readonly dossier: { readonly call: SyntPurpose; readonly intent: string } & Partial<SoftCap>;
    }
  | {
      /** Everything that a night has proposed. */
      readonly purpose: "proposals";
      readonly dossier: NightDossier;
    };

export interface NightDossier {
  readonly proposals: readonly { readonly request: string; readonly dossier: Dossier }[];
}

/** Millionths of a cent: spent so far, what the call may cost, and the request's two caps. */
export interface SoftCap {
  readonly spent: number;
  readonly atMost: number;
  readonly soft: number;
  readonly cap: number;
}

/** A proposal that was scored, whatever became of it. */
export interface Weighed {
  readonly strategy: Strategy;
  readonly artefact: Artefact;
  readonly scored: Scored;
}

/** What a request says of itself at every state; the desk makes the audit line of it. */
export interface Stated {
  readonly request: string;
  readonly mode: Mode;
  readonly proto: string | null;
  readonly intent: string;
  readonly strategy: Strategy | null;
  readonly state: ProposalState;
  readonly rationale: string;
  readonly error: SyntError | null;
  readonly artefact: Artefact;
  readonly scored: Scored | null;
  /** Every proposal that was scored since the state before, in order; refused ones, too. */
  readonly weighed: readonly Weighed[];
  /** The request that it takes up again. */
  readonly revises: string | null;
  /** Served by another executor than the one that was missed; absent where it was not. */
  readonly redirect?: Redirect;
}

/** An executor that was missed, and the one of the pool that does what its name says. */
export interface Redirect {
  readonly from: string;
  readonly to: string;
}

/** Why a question came back: no actor lives where it went. */
export const bouncedWords = (event: { readonly type: string; readonly address?: string }): string =>
  `no actor lives at ${event.address ?? "the address that was asked"}`;
