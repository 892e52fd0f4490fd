/** What the ports of synt ask of a program that stands behind them, and what it may answer. Provisional, as the others are. */
import type { Asked, PersonAnswers } from "../../../edges/program/portContracts.ts";
import type { Json, Mail } from "../../../machines/letter.ts";

declare module "../../../edges/program/portContracts.ts" {
  interface PersonAnswers {
    readonly "person.asked": PersonAnswer;
  }
  interface PortContracts {
    readonly "port/person.decide": {
      readonly request: PersonRequest;
      readonly answer: PersonAnswers[keyof PersonAnswers];
    };
    readonly "port/executor.run": {
      readonly request: ExecutorRequest;
      readonly answer: ExecutorAnswer;
    };
    readonly "port/sign": { readonly request: SignRequest; readonly answer: SignAnswer };
  }
}

declare module "../../../edges/program/portQuestions.ts" {
  interface PortQuestions {
    readonly "port/person.decide": keyof PersonAnswers;
    readonly "port/executor.run": "executor.run";
    readonly "port/sign": "sign.asked";
  }
}

/** The person at the gate. */
export interface PersonRequest extends Asked {
  /** The request that asks, such as `req-0001` or `apr-0badcafe`; null for the dossier of a night. */
  readonly request: string | null;
  /** What is proposed, with R, or who would be installed; with the purpose `proposals`, a list of `{request, dossier}`. */
  readonly dossier: Json;
}

export interface PersonWord {
  readonly decision: "approve" | "amend" | "discard";
  /** What should be different; `amend` needs it. */
  readonly feedback?: string;
  readonly target?: "compose" | "generate";
}

/** A word on one proposal, on each of a night's, or none: then the time-out of the question decides. */
export type PersonAnswer =
  | PersonWord
  | { readonly decision: "none" }
  | { readonly decisions: readonly (PersonWord & { readonly request: string })[] };

/** An executor that the scenario lists without code. */
export type ExecutorRequest = Asked & Omit<Mail["executor.run"], "purpose">;
export type ExecutorAnswer = Mail["executor.ended"];

/** The purpose `sign` wants a signature, `verify` whether one is right. */
export interface SignRequest extends Asked {
  readonly purpose: "sign" | "verify";
  readonly text: string;
  /** Of `verify`; null otherwise. */
  readonly signature: string | null;
  readonly key: string | null;
}

export type SignAnswer = Mail["sign.signed"] | Mail["sign.verified"];
