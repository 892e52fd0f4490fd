/** What an agent suffers from, and what of it was measured, in words. */
import { type Words, who } from "../../contract/words.ts";
import { score } from "./score.ts";

/** Copies for engine and ledger need no words. */
export const sufferingWords: Words = {
  "stressor.changed": (event, { to }) =>
    !to.startsWith("agent/")
      ? null
      : event.sinceMs === null
        ? `${who(to)} was relieved of ${event.stressor}.`
        : `${who(to)} felt ${event.stressor}.`,
  "pursuit.assessed": (event, { to }) =>
    event.stuckCycles === 0
      ? `${who(to)} made progress.`
      : event.stuckCycles === 1
        ? `${who(to)} spent one cycle on a goal without progress.`
        : `${who(to)} spent ${event.stuckCycles} cycles in a row on alike goals without progress.`,
  "artifacts.assessed": (event, { to }) =>
    `Of ${who(to)}'s older artifacts, ${event.unseen} had no reference by a peer.`,
  "plans.assessed": (event, { to }) =>
    event.along === 0
      ? `A plan of ${who(to)} was judged to go against its own opinions.`
      : `Plans of ${who(to)} in a row that were not judged to go against its opinions: ${event.along}.`,
  "messages.assessed": (event, { to }) =>
    event.calm === 0
      ? `What ${who(to)} heard was judged a threat to it.`
      : `What ${who(to)} heard was not judged a threat, ${times(event.calm)}.`,
  "choices.assessed": (event, { to }) =>
    event.idleCycles === 0
      ? `${who(to)} had a goal.`
      : `${who(to)} had no goal for ${cycles(event.idleCycles)} in a row.`,
  "holdings.assessed": (event, { to }) =>
    `${who(to)} held up to ${event.bytes} bytes and ${event.files} files.`,
  "lock.assessed": (event, { to }) =>
    `The load of ${who(to)} was ${score(event.load)}` +
    `${event.lockedAt === null ? "" : `; what it wanted locks from ${score(event.lockedAt)} on`}.`,
  "output.assessed": (event, { to }) =>
    event.barrenCycles === 0
      ? `${who(to)} completed a goal.`
      : `${who(to)} completed nothing for ${cycles(event.barrenCycles)}.`,
  "place.answered": (event, { to }) =>
    event.granted ? null : `${who(to)} had no room for one more stressor; it was dropped.`,
  "capability.locked": (event) =>
    // A load, or work with others that is missing: the letter does not say which.
    `${event.agent} wanted ${event.capability}, and a lock refused it (load ${score(event.load)}).`,
  "crisis.reset": (event, { to }) =>
    to.startsWith("agent/") ? `The crisis of ${event.agent} was reset.` : null,
  "plan.judged": (event) =>
    event.contradicts
      ? `${event.agent}'s plan was judged against its opinion "${event.opinion}".`
      : null,
  "message.judged": (event) =>
    event.threat ? `What ${event.agent} heard was judged a threat.` : null,
  "peer.referenced": (event) => `${event.agent} took notice of ${event.path}.`,
};

const times = (count: number): string => (count === 1 ? "once" : `${count} times in a row`);
const cycles = (count: number): string => (count === 1 ? "one cycle" : `${count} cycles`);
