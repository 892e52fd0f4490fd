/** The gateway's books at the end of a log, followed through the changes that the log holds. */
import { GATEWAY } from "../../machines/installs/addresses.ts";
import type { Books } from "../../machines/installs/gateway/books.ts";
import { withChanges } from "../../substrate/changes.ts";
import type { Log } from "../../substrate/log.ts";

/** Null in a world without a gateway. */
export function booksIn(deliveries: Log): Books | null {
  let state: { readonly books?: Books } | null = null;
  for (const { event, to, changes } of deliveries) {
    const isBirth = event.type === "actor.start" && event.machine === "gateway";
    if (!isBirth && (state === null || to !== GATEWAY)) continue;
    const own = changes.filter(({ path: [key] }) => key === "books");
    if (isBirth || own.length > 0) state = withChanges(isBirth ? {} : { ...state }, own);
  }
  return state?.books ?? null;
}
