/** What passes between the agents' world and the parts that attach to it, in words. */

import { type Sentence, type Words, who } from "../../contract/words.ts";
import { isReadable, type Shaped } from "../../machines/agents/hookMail.ts";

/** Said of a letter that has the shape of its type; of any other, that it has not. */
const readable =
  <K extends Shaped>(what: string, sentence: Sentence<K>): Sentence<K> =>
  (event, delivery, choice) =>
    isReadable(event)
      ? sentence(event, delivery, choice)
      : `${who(delivery.from)} sent ${who(delivery.to)} ${what} which could not be read.`;

export const hookWords: Words = {
  "capability.called": (event, { to }) =>
    `${event.agent}'s call of ${event.capability} was put to ${who(to)}.`,
  "capability.answered": readable("an answer", (event, { from }) =>
    event.ok ? `${who(from)} did it.` : `${who(from)} failed: ${event.error ?? "no reason given"}.`,
  ),
  "call.overdue": (event, { letters }) =>
    letters.length === 0
      ? null
      : `The engine waited no longer for an answer to call ${event.call}.`,
  // Listed anew whenever anything changes: only what the registry followed is worth a line.
  "entries.listed": readable("a list of entries", (event, { from, changes }) =>
    changes.length === 0
      ? null
      : `${who(from)} told the engine which entries of the kind ${event.kind} there are: ` +
        `${event.entries.map(({ name }) => name).join(", ") || "none"}.`,
  ),
  "permission.answered": readable("an answer", (event, { from }) =>
    event.granted ? null : `${who(from)} refused the call: ${event.reason ?? "no reason given"}.`,
  ),
  "section.answered": readable("a section", (event, { from, to }) =>
    event.lines.length === 0 ? null : `${who(from)} gave ${who(to)} a section, ${event.title}.`,
  ),
  "birth.asked": readable(
    "a request for a birth",
    (event, { from }) => `${who(from)} asked for an agent called ${event.name}.`,
  ),
  "birth.answered": (event) =>
    event.address === null ? `No agent called ${event.name} was born: ${event.reason}.` : null,
  "end.asked": readable("a request for an end", () => null),
  "end.answered": (event) =>
    event.ok ? null : `No agent called ${event.name} was ended: ${event.reason}.`,
  // The ledger and the agents hear it too.
  "agent.joined": (event, { to }) =>
    to.startsWith("engine") ? `${event.agent} was born at the request of ${event.by}.` : null,
  "agent.left": (event, { to }) =>
    to.startsWith("engine") ? `${event.agent} was ended: ${event.reason}.` : null,
};
