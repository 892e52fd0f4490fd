/** How a letter that is due could be otherwise, by a name that holds in every run of a world. */
import type { Carried } from "../machines/letter.ts";
import type { Envelope } from "../substrate/envelope.ts";

/** A letter as it is due. */
export type Due = Pick<Envelope, "to" | "from" | "event" | "cause">;

export interface Otherwise {
  /** One of the kinds below, a colon, and what it is of; no number of a log. */
  readonly id: string;
  /** What comes in its place: of a router its second choice. Null: the letter never comes. */
  readonly event: Carried | null;
}

const KINDS = ["birth", "registration", "route", "timer"];

/** Whether it names what becomes of a letter, and no choice of a model. */
export const isOfMail = (choice: string): boolean =>
  KINDS.some((kind) => choice.startsWith(`${kind}:`));
