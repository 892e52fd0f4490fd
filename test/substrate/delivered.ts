// A delivery as the kernel knows it, before anything of it is written.
import type { Json } from "../../src/machines/letter.ts";
import type { Delivered } from "../../src/substrate/deliveryRecord.ts";
import type { Envelope } from "../../src/substrate/envelope.ts";
import "./office.ts";

export function noted(note: Json, rest: Partial<Envelope> = {}): Envelope {
  const event = { type: "test.noted", note } as const;
  return { seq: 7, dueMs: 40, to: "b", from: "a", event, cause: 3, ...rest };
}

export const delivered = (rest: Partial<Delivered> = {}): Delivered => ({
  envelope: noted("hello"),
  fate: "handled",
  before: "idle",
  after: { busy: "writing" },
  letters: [noted("hi", { seq: 8, to: "a", because: [2, 5] })],
  ...rest,
});
