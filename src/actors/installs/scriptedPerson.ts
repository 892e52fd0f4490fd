/** The person whom a scenario has at the gate of installs. */

import { nobodyDecides } from "../../contract/nobodyDecides.ts";
import { defined } from "../../machines/defined.ts";
import type { Json, MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { PortReply, Provider } from "../../substrate/port.ts";
import type { PersonWord } from "./stage.ts";

interface Setting {
  readonly person: readonly PersonWord[];
  readonly without: ReadonlySet<string>;
}

/** In front of the person of other parts, who are asked of what is not an install. */
export function scriptedPerson(
  { person, without }: Setting,
  before: Provider | undefined,
): Provider {
  let used: { readonly [id: string]: number } = {};
  const on = ({ dossier }: MailOf<"approval.asked">): PortReply => {
    const found = person.find(
      ({ id, agent, times }) =>
        (agent === null || agent === dossier.agentId) &&
        !without.has(`person:${id}`) &&
        (times === null || (ownValue(used, id) ?? 0) < times),
    );
    if (found === undefined) return nobodyDecides;
    used = { ...used, [found.id]: (ownValue(used, found.id) ?? 0) + 1 };
    const { decision, reason, afterMs, id } = found;
    const event = { type: "person.decided", decision, feedback: reason ?? undefined } as const;
    return { event: defined(event), latencyMs: afterMs, choice: `person:${id}` };
  };
  return {
    answer: (request) =>
      request.event.type === "approval.asked"
        ? on(request.event)
        : (before?.answer(request) ?? nobodyDecides),
    persist: () => ({ used, before: before?.persist?.() ?? null }),
    restore: (kept) => {
      const { used: own, before: others } = kept as { used: typeof used; before: Json }; // As `persist` kept it.
      used = { ...own };
      if (others !== null) before?.restore?.(others);
    },
  };
}
