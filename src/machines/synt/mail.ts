/** What is said within synt: every event that is its own, by type. */
import type {
  Artefact,
  Dossier,
  Draft,
  PersonQuestion,
  ProposalState,
  Revision,
  Stated,
  SyntError,
  Wanted,
} from "./contract.ts";
import type { ToldFacts } from "./facts.ts";
import type { Edge } from "./pool/compose.ts";
import type { ExecutorState } from "./pool/executorLifecycle.ts";
import type { Missing, Offer, Ran, Shown } from "./pool/poolState.ts";
import type { SyntView } from "./stages/stagePrompts.ts";
import type { Price, Tier } from "./stages/stageTiers.ts";

type None = { readonly [field in never]: never };

declare module "../portMail.ts" {
  interface Views {
    synt: SyntView;
  }
}

declare module "../letter.ts" {
  interface Mail {
    /** To `port/person.decide`. */
    "person.asked": PersonQuestion;

    // A turn of the user, and its plan.
    "turn.opened": { readonly turn: string };
    /** A composed chain is replayed without the person's word. */
    "chain.replayed": {
      readonly turn: string;
      readonly intent: string;
      readonly chain: readonly string[];
      readonly cleanRuns: number;
    };
    "turn.closed": {
      readonly turn: string;
      readonly ok: boolean;
      readonly ms: number;
      readonly replayed: boolean;
    };
    /** To the desk, for the log. */
    "user.told": { readonly turn: string; readonly text: string };
    "catalogue.asked": { readonly query: string };
    "catalogue.answered": {
      readonly executors: readonly { readonly name: string; readonly head: string }[];
      /** The memoised sequence for the query; null when there is none. */
      readonly replay: readonly string[] | null;
      /** The clean runs that grant the replay of a composed chain; absent where it needs no grant. */
      readonly unasked?: number;
    };
    "plan.made": {
      readonly steps: readonly string[];
      readonly towards: readonly string[];
      readonly known: readonly string[];
      readonly isReplayed: boolean;
      /** As the pool said with the replay. */
      readonly unasked?: number;
      /** Why there is no plan; null when the planner answered, be it with none. */
      readonly why: string | null;
    };

    // Between a turn and the pool.
    "executor.sought": { readonly name: string; readonly case: string | null };
    "executor.found": {
      readonly name: string;
      readonly isLoaded: boolean;
      /** Its Python; null when it is handcrafted. */
      readonly code: string | null;
    };
    "executor.ran": Ran;
    "chain.ran": {
      readonly chain: readonly string[];
      readonly query: string;
      readonly args: readonly string[];
      readonly composed: boolean;
      readonly missed: readonly string[];
      readonly ok: boolean;
    };
    "proto.raised": { readonly missing: Missing };

    // Requests and the desk.
    "synth.requested": Wanted;
    /** What a request says of itself; `locked` by the desk when a lock kept it from beginning. */
    "synth.stated": Stated & { readonly locked?: true };
    "synth.progressed": { readonly request: string; readonly state: ProposalState };
    "synth.ended": {
      readonly request: string;
      readonly state: ProposalState;
      readonly rationale: string;
      readonly artefact: Artefact;
    };
    /** To the desk with the request's name; from there to the request itself without. */
    "synth.revised": Omit<Revision, "request"> & { readonly request?: string };
    "gate.asked": { readonly request: string; readonly dossier: Dossier };
    "draft.ended": {
      readonly ok: boolean;
      readonly draft: Draft | null;
      readonly passed: number;
      readonly run: number;
      readonly meanMs: number;
      /** Millionths of a cent. */
      readonly cost: number;
      readonly why: string | null;
      readonly error: SyntError | null;
    };

    // Money, in millionths of a cent.
    "money.asked": {
      readonly request: string;
      readonly call: string;
      /** A stage of the pipeline, or a tier of its own. */
      readonly served: number | Tier;
      /** Tokens of the prompt and, at most, of the answer. */
      readonly asked: number;
      readonly answered: number;
    };
    "money.answered": {
      readonly outcome: "reserved" | "ask" | "denied";
      readonly why: string | null;
      readonly price: Price | null;
      /** What serves it. */
      readonly tier: Tier | null;
      readonly model: string | null;
      readonly isExternal: boolean;
      /** Set aside. */
      readonly amount: number | null;
      /** With `ask`: what the request has spent, and its two caps. */
      readonly spent?: number;
      readonly soft?: number;
      readonly cap?: number;
    };
    "money.decided": { readonly request: string; readonly goesOn: boolean };
    /** Null: what it cost is unknown. */
    "money.settled": { readonly call: string; readonly actual: number | null };
    /** A run of an executor cost something, in cents. */
    "money.ran": { readonly turn: string; readonly executor: string; readonly cents: number };
    "money.exceeded": {
      readonly request: string;
      readonly call: string;
      readonly setAside: number;
      readonly cost: number;
    };
    "money.dayPassed": { readonly day: string; readonly spent: number; readonly cap: number };
    "paid.ended": {
      readonly call: string;
      /** The model's answer; null when there is none. */
      readonly text: string | null;
      readonly why: string | null;
      /** Why it was not paid; null when it was, whatever became of the answer. */
      readonly error: SyntError | null;
      readonly cost: number;
    };

    // Requests and the pool.
    "pool.asked": None;
    "pool.answered": {
      readonly executors: readonly Shown[];
      readonly edges: readonly Edge[];
      readonly uncovered: readonly string[];
      /** Of those that no user asked for: the chains that stood in under that name. */
      readonly stoodIn?: { readonly [name: string]: readonly (readonly string[])[] };
      readonly cleanRuns: { readonly [chain: string]: number };
      /** The deliveries that made the mnests and the clean runs. */
      readonly facts?: ToldFacts;
    };
    "executor.offered": { readonly offer: Offer };
    "pool.admitted":
      | { readonly ok: true; readonly why: null }
      | { readonly ok: false; readonly why: string };

    // The life of an executor.
    "executor.synthesized": None;
    /** The human gate granted it and it is signed. */
    "executor.granted": None;
    "executor.rejected": None;
    "executor.used": None;
    /** Another executor covers it and one more. */
    "executor.fused": { readonly into: string };
    /** A parametric executor covers it. */
    "executor.superseded": { readonly into: string };
    "executor.revoked": None;
    "executor.released": None;
    /** Its code or its signature is not what was signed. */
    "signature.broken": None;
    /** Mnests that still cite it. */
    "residue.counted": { readonly mnests: number };
    "executor.changed": {
      readonly name: string;
      readonly version: string;
      readonly state: ExecutorState;
      readonly isLoaded: boolean;
      readonly isVisible: boolean;
      readonly into: string | null;
    };

    // Nights.
    "homeostasis.asked": { readonly lookbackMs: number | null };
    /** The ager's own alarm says nothing; desk and pool learn which night it is. */
    "night.came": { readonly night?: number; readonly lookbackMs?: number };
    "pattern.filtered": {
      readonly pattern: string;
      /** The proto-mnest that rests with it. */
      readonly proto: string;
      readonly reason: string;
    };

    // To the desk, for the log.
    "name.collided": { readonly name: string; readonly chain: readonly string[] };
    "hints.faulty": { readonly path: string; readonly fault: string };
    "night.locked": {
      readonly by: string;
      readonly intent: string;
      readonly hits: string;
      readonly how: string;
      readonly until: string;
    };
  }
}
