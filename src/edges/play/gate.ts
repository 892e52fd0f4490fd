/** A port at which a person decides: at the terminal, between two runs, or never. What is decided there is the part's. */

import type { Policy } from "../../contract/policyTree.ts";
import type { EventType } from "../../machines/letter.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Input, PortReply, PortRequest, Provider } from "../../substrate/port.ts";
import type { Redactor } from "../redaction.ts";
import type { Inbox } from "./inbox.ts";
import type { Person } from "./person.ts";

/** Who decides at the gates of a world; the scenario's own person when there is none. */
export type Gate =
  | { readonly kind: "terminal"; readonly person: Person }
  | { readonly kind: "later"; readonly decided?: Decided | undefined }
  | { readonly kind: "nobody" };

/** A decision about the question with this number, given between two runs. */
export interface Decided {
  readonly seq: number;
  /** What a person wrote is heard without secrets. */
  readonly reply: (question: PortRequest, redactor: Redactor) => PortReply;
}

/** How a manifest names it. */
export const gateNames = {
  terminal: "a person, at the terminal",
  later: "a person, asked later",
  nobody: "nobody",
} as const;

/** The gate of a part. */
export interface PartGate {
  readonly port: string;
  /** The question that it is asked there; parts may share the port. */
  readonly asks: EventType;
  /** What serves the port in one run. */
  readonly serve: (gate: Gate, options: GateOptions) => ServedGate;
  /** How a question that a run waits for is shown; the run's bundle is in this folder. */
  readonly shown: (question: OpenQuestion, bundle: string) => ShownQuestion;
}

export interface GateOptions {
  readonly inbox: Inbox;
  readonly redactor: Redactor;
  readonly policy: Policy;
}

export interface ServedGate {
  readonly provider: Provider;
  /** Whether a question is open that is left for later. */
  readonly isLeft: () => boolean;
}

/** A question that nobody has answered yet. */
export interface OpenQuestion extends Pick<PortRequest, "seq" | "purpose"> {
  readonly event: Delivery["event"];
  readonly gate: PartGate;
  /** Virtual time at which it was asked. */
  readonly atMs: number;
}

/** A question that a recording answers. */
export interface Answered {
  readonly question: PortRequest;
  readonly reply: Extract<Input, { kind: "reply" }>;
}

export interface ShownQuestion {
  /** Ids of what is to be decided. */
  readonly about: readonly string[];
  /** What waits, and the commands that decide it. */
  readonly text: string;
  /** What `--json` says of it besides number, purpose and time. */
  readonly json: object;
}
