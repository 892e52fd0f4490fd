/** Mail that is left out of a run, or comes otherwise, by its name: births, timers, registrations of tools, decisions of a router. */

import { type Due, isOfMail, type Otherwise } from "../contract/otherwise.ts";
import type { Part } from "../contract/part.ts";
import type { KernelOptions } from "../substrate/kernelOptions.ts";

const TIMER = "xstate.after.";

/** Who is born on the way, and timers that run out, are the kernel's own; the rest is said by parts. */
function ofKernel({ to, event, cause }: Due): Otherwise | undefined {
  // Whoever is started by no one is the world itself.
  if (event.type === "actor.start" && cause !== null) {
    return { id: `birth:${event.address}`, event: null };
  }
  return event.type.startsWith(TIMER)
    ? { id: `timer:${to}/${event.type.slice(TIMER.length)}`, event: null }
    : undefined;
}

export function otherwiseOf(parts: readonly Part[]): (letter: Due) => Otherwise | undefined {
  const own = parts.flatMap(({ trail }) => trail?.otherwise ?? []);
  return (letter) => {
    for (const otherwise of own) {
      const found = otherwise(letter);
      if (found !== undefined) return found ?? undefined;
    }
    return ofKernel(letter);
  };
}

/** What of `without` is done to mail; undefined where it names none. */
export function mailWithout(
  parts: readonly Part[],
  without: ReadonlySet<string>,
): KernelOptions["otherwise"] {
  if (![...without].some(isOfMail)) return undefined;
  const otherwise = otherwiseOf(parts);
  return (envelope) => {
    const found = otherwise(envelope);
    if (found === undefined || !without.has(found.id)) return envelope;
    return found.event === null ? null : { ...envelope, event: found.event };
  };
}
