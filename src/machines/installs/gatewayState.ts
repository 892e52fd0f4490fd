/** What the gateway holds: its books, one act at a time, and whoever waits behind it. */
import type { At, Delivered, Letter } from "../letter.ts";
import type { Changed } from "../portMail.ts";
import type { Outcome } from "../service.ts";
import type { CodeFacts } from "./detection/codeFacts.ts";
import { type Books, NO_BOOKS } from "./gatewayBooks.ts";
import type { Living } from "./gatewayCall.ts";

/** What is served one after another, because each may change the books. */
export type Request = Delivered<
  | "gateway.asked"
  | "capability.called"
  | "gating.said"
  | "workflow.told"
  | "approval.decided"
  | "approval.expired"
  | "approval.ruled"
>;

/** An act on its way: first Python may be asked what code means, then the files are written, step by step. */
export interface Act {
  readonly request: Request;
  readonly parsed: readonly (readonly [text: string, facts: CodeFacts])[];
  /** The text that Python is asked about now; null once the act is being written. */
  readonly needs: string | null;
  /** What is still to be written, the step that is asked for first. */
  readonly steps: readonly Changed[];
  /** The books once all of it is written, and what is told then. */
  readonly after: Books;
  readonly letters: readonly Letter[];
}

export interface GatewayState {
  readonly startsAtMs: number;
  readonly living: Living;
  readonly books: Books;
  /** False while the store is read. */
  readonly isReady: boolean;
  /** Why the store does not count; null when it does. */
  readonly damage: string | null;
  readonly queue: readonly Request[];
  readonly act: Act | null;
  /** What later acts rest on: the numbers of the letters by which it came to be. */
  readonly grounds: { readonly [key: string]: readonly number[] };
}

export type Done = Outcome<GatewayState>;

/** A restart loses none of it: it is so whatever the books say. */
export const openingGateway = (startsAtMs: number, living: Living): GatewayState => ({
  ...{ startsAtMs, living },
  books: NO_BOOKS,
  isReady: false,
  damage: null,
  queue: [],
  act: null,
  grounds: {},
});

export const actKey = ({ seq }: At): string => `act:${seq}`;
