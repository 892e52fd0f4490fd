/** What happens in synt, in words. */
import type { Delivery } from "./substrate/envelope.ts";

type Event = Delivery["event"];

const cents = (millionths: unknown): string => `${(Number(millionths) / 1_000_000).toFixed(2)} ct`;
const chainText = (chain: unknown): string => (chain as readonly string[]).join(" → ");

export const syntSentences: {
  readonly [type: string]: (event: Event, delivery: Delivery) => string | null;
} = {
  "synth.stated": (event) => `${event["request"]} is ${event["state"]}: ${event["rationale"]}.`,
  "user.told": (event) => `The user was told: "${event["text"]}"`,
  "proto.raised": (event) =>
    `${(event["missing"] as { readonly name: string }).name} was missed: a proto-mnest.`,
  "person.decided": (event) => `The person decided: ${event["decision"]}.`,
  "money.answered": (event) =>
    event["outcome"] === "reserved"
      ? Number(event["amount"]) === 0
        ? null
        : `${cents(event["amount"])} were set aside for a call.`
      : event["outcome"] === "ask"
        ? "The soft cap is reached: the person must say whether to go on."
        : `A call was refused: ${event["why"]}.`,
  "pattern.refused": (event) =>
    `The nightly sweep left ${event["pattern"]} alone: ${event["reason"]}.`,
  "name.collided": (event) =>
    `${chainText(event["chain"])} would be called ${event["name"]}, which the pool has already.`,
  "executor.changed": (event) => `${event["name"]} is ${event["state"]}.`,
  "signature.broken": (_, { to }) => `What lies under ${to.split("/")[1]} is not what was signed.`,
};
