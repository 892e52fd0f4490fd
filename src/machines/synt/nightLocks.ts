/**
 * A nightly failure locks its target like any other, and the target may be what a person asks for by
 * day: then that is said, when it is locked and when it is refused. Source: seed 002, 7; ruling Y11.
 */

import { isoTime } from "../isoTime.ts";
import type { At, Letter, MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { auditNote } from "./auditLine.ts";
import { DESK, type Stated, type Wanted } from "./contract.ts";
import type { DeskState } from "./deskState.ts";
import { lockKey, normalised } from "./locks.ts";

/** The night's request that made a lock on which a user's request runs; null for any other lock. */
export function lockerOfNight({ lockers, requests }: DeskState, key: string, { mode }: Wanted) {
  const by = ownValue(lockers, key);
  if (by === undefined || mode !== "reactive") return null;
  return requests.get(by)?.wanted.mode === "introspective" ? by : null;
}

/** A night's request was given up: what that locks for a person who had a chain for it. */
export function nightLocked(state: DeskState, said: Stated, at: At): readonly Letter[] {
  const { request: by, mode, intent, proto, state: end } = said;
  if (mode !== "introspective" || end !== "abandoned") return [];
  const served = state.index.served.get(normalised(intent));
  if (served === undefined) return [];
  const key = lockKey("abandon", intent, proto, by);
  return nightLockLetters(state, { key, by, intent, hits: served, how: "served before" }, at);
}

/** For the log, where reports and `why` find it, and for the audit. */
export function nightLockLetters(
  state: DeskState,
  found: {
    readonly key: string;
    readonly by: string;
    readonly intent: string;
    /** The request of a person that the lock meets. */
    readonly hits: string;
    readonly how: "served before" | "refused now";
  },
  { nowMs, seq }: At,
): readonly Letter[] {
  const { key, by, intent, hits, how } = found;
  const until = isoTime(state.startsAtMs + (ownValue(state.locks, key) ?? nowMs));
  const event: MailOf<"night.locked"> = { type: "night.locked", by, intent, hits, how, until };
  const reason = `${by} of the night failed, and locks until ${until} what ${hits} was ${how}`;
  const line = { event: event.type, about: intent, reason };
  return [
    { to: DESK, event, because: [seq] },
    { to: "files", event: auditNote(line, state.startsAtMs + nowMs), because: [seq] },
  ];
}
