/** Whether anything came of installs: what was wanted, and nothing of it was installed; what was asked, and nobody decided. */

import { countOf } from "../../contract/countOf.ts";
import { type Done, type Fruitless, noneOf, top } from "../../contract/fruitless.ts";
import type { EventType, MailOf } from "../../machines/letter.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import { ended } from "./words.ts";

export function fruitless({ deliveries, soFar }: Done): readonly Fruitless[] {
  const wanted = eventsOf(deliveries, "install.wanted").length;
  // The planner tells it itself, and nobody has to do anything about it.
  const closed = [...ofTypes(deliveries, "install.closed")].map(({ event }) => event);
  const active = eventsOf(deliveries, "revision.activated").length;
  const asked = new Set(eventsOf(deliveries, "approval.requested").map(({ approval }) => approval));
  const decided = eventsOf(deliveries, "approval.decided").length;
  const expired = new Set(eventsOf(deliveries, "approval.expired").map(({ approval }) => approval));
  const open = wanted - closed.length;
  return [
    ...(wanted === 0 || active > 0 || closed.some(({ isInstalled }) => isInstalled)
      ? []
      : [
          {
            what: `Nothing came of installing agents${soFar}: ${noneOf(wanted, "install", "completed")}.`,
            reasons: [
              ...top(closed.map(({ reason }) => reason)).map(
                ([reason, count]) => `${countOf(count, "install")} given up: ${ended(reason)}`,
              ),
              ...(open > 0 ? [`${countOf(open, "install")} had no end when the run did.`] : []),
            ],
          },
        ]),
    ...(asked.size === 0 || decided > 0
      ? []
      : [
          {
            what: `Nothing came of asking a person${soFar}: ${noneOf(asked.size, "approval", "decided")}.`,
            reasons: expired.size > 0 ? [`${countOf(expired.size, "approval")} timed out.`] : [],
          },
        ]),
  ];
}

const eventsOf = <K extends EventType>(log: Log, type: K): readonly MailOf<K>[] =>
  [...ofTypes(log, type)].filter(({ fate }) => fate === "handled").map(({ event }) => event);
