/** What counts where two imported logs are compared: what happened in them, and not where and when it was written down. */
import type { Mail } from "../../machines/letter.ts";
import type { Delivery } from "../../substrate/envelope.ts";

/** Of each log its own, whatever happened: its name, where its records stand, their ids, the date. */
type Own = Extract<
  keyof Mail["log.opened"] | keyof Mail["log.returned"],
  "log" | "file" | "line" | "id" | "parent" | "call" | "timeMs"
>;
const OWN: { readonly [Name in Own]: true } = {
  ...{ log: true, file: true, line: true },
  ...{ id: true, parent: true, call: true, timeMs: true },
};

/** The event without the marks of its own log; one of a run as it is. */
export function compared(event: Delivery["event"]): object {
  if (!event.type.startsWith("log.")) return event;
  return Object.fromEntries(Object.entries(event).filter(([name]) => !Object.hasOwn(OWN, name)));
}
