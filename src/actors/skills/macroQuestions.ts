/** `why macro:NAME`: its end, else the last run of it that failed, else how it came to be. */

import type { Questions } from "../../contract/part.ts";
import { MACROS } from "../../machines/skills/macroKeeper.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";

const ASKED = ["macro.learned", "macro.ended", "macro.evicted", "macro.retired"] as const;

const nameIn = ({ event, from, to, fate }: Delivery): string | undefined => {
  if (from !== MACROS || to !== MACROS || fate !== "handled") return undefined;
  switch (event.type) {
    case "macro.learned":
      return event.macro.name;
    case "macro.evicted":
    case "macro.retired":
    case "macro.ended":
      return event.name;
    default:
      return undefined;
  }
};

/** How much a delivery tells: of what is as telling, the last one answers. One that is learnt again lives anew. */
function weight({ event }: Delivery): number {
  if (event.type === "macro.learned") return 0;
  if (event.type === "macro.evicted" || event.type === "macro.retired") return 3;
  if (event.type === "macro.ended") return event.ok ? 1 : 2;
  return 1;
}

function questionOf(delivery: Delivery): string | undefined {
  const name = nameIn(delivery);
  return name === undefined ? undefined : `macro:${name}`;
}

function find(deliveries: Log, question: string): Delivery | undefined {
  let found: Delivery | undefined;
  for (const one of ofTypes(deliveries, ...ASKED)) {
    if (questionOf(one) !== question) continue;
    if (found === undefined || one.event.type === "macro.learned" || weight(one) >= weight(found))
      found = one;
  }
  return found;
}

function all(deliveries: Log): readonly string[] {
  const known = new Set<string>();
  for (const one of ofTypes(deliveries, ...ASKED)) {
    const question = questionOf(one);
    if (question !== undefined) known.add(question);
  }
  return [...known];
}

/** A run that failed. */
function trouble(deliveries: Log): Delivery | undefined {
  for (const one of ofTypes(deliveries, "macro.ended")) {
    if (one.fate === "handled" && !one.event.ok) return one;
  }
  return undefined;
}

export const macroQuestions: Questions = {
  forms: ["macro:NAME"],
  none: ["no run of a macro failed"],
  of: questionOf,
  find,
  all,
  trouble,
};
