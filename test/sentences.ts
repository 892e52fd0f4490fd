// What is told of single events, each written by hand with the fields that its sentence reads.
import { expect } from "vitest";
import type { Words } from "../src/contract/words.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { narrate } from "./builtIn.ts";
import { delivery } from "./handLog.ts";
import { strangeEvent } from "./mail.ts";

/** An event, what is told of it (null: nothing), and what else its delivery is, with the choice that made it. */
export type Told = readonly [
  type: string,
  fields: object,
  says: string | null,
  given?: Partial<Delivery> & { readonly choice?: string },
];

/** Each is told so. */
export function expectTold(all: readonly Told[]): void {
  const told = all.map(([type, fields, , { choice, ...given } = {}]) =>
    narrate(delivery({ seq: 2, ...given, event: strangeEvent(type, fields) }), choice),
  );
  expect(told).toEqual(all.map(([, , says]) => says));
}

/** Kinds of events with a sentence of the part that is not among these. */
export const unheld = (words: Words, all: readonly Told[]): readonly string[] =>
  Object.keys(words).filter((kind) => !all.some(([type]) => type === kind));
