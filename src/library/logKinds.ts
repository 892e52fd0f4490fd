/** What an event log and a recording are, for verbs that a program hands them to: what their files hold. */

import { isDelivery } from "../run/replay.ts";
import { isInput } from "../substrate/recording.ts";
import { aListOf, aWhole, type Kind } from "./arguments.ts";

/** A number of a delivery, or a time. */
export const aSeq = aWhole(0, Number.MAX_SAFE_INTEGER);
export const deliveryList: Kind = aListOf("deliveries", {
  allowed: "a delivery, as events.jsonl holds it",
  accepts: isDelivery,
});
export const inputList: Kind = aListOf("inputs", {
  allowed: "an input, as inputs.jsonl holds it",
  accepts: isInput,
});
