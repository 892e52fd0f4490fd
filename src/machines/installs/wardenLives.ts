/**
 * How installed agents come to live and end: an active revision has its agent born, another one or none has it end first.
 * One life at a time, in whatever order births, ends and revisions are told. Source: seed 003; ours.
 */
import { cutText } from "../cutText.ts";
import { ask, type Delivered, type Letter, type MailOf } from "../letter.ts";
import { GATEWAY } from "./addresses.ts";
import { childEnds, spawned, withoutChildren } from "./wardenChildren.ts";
import type { LivedRevision } from "./wardenMail.ts";
import { withdrawn } from "./wardenReach.ts";
import {
  DAEMON,
  type Household,
  householdOf,
  isSettled,
  WARDEN,
  type WardenDone,
  type WardenPolicy,
  type WardenState,
  withHousehold,
} from "./wardenState.ts";

/** What an agent hears first, and what stands in its profile: bounded, as an intent's texts are not. */
const HEARD_MAX = 4_000;
const OPINION_MAX = 300;

const BIRTH = "birth:";
const END = "end:";

export const isBirth = (key: string | undefined): boolean => key?.startsWith(BIRTH) === true;

/** Of a key: whose birth or end was asked for. */
export const agentIn = (key = ""): string => key.slice(key.indexOf(":") + 1);

const NOBODY: Household = {
  ...{ wanted: null, how: "activated", fact: 0, born: null, life: "none" },
  ...{ children: [], tools: [], toolFacts: [] },
};

/** Only the gateway knows which revision is active. */
export function activeChanged(
  state: WardenState,
  { agent, revision, how, at }: Delivered<"active.changed">,
  policy: WardenPolicy,
): WardenDone {
  const before = householdOf(state, agent) ?? NOBODY;
  if (at.from !== GATEWAY || before.wanted?.id === revision?.id) return { state, letters: [] };
  const household: Household = { ...before, wanted: revision, how, fact: at.seq };
  return goneOn(withHousehold(state, agent, household), agent, household, policy);
}

/** The next step towards what is wanted; nothing while the daemon is asked. */
function goneOn(
  state: WardenState,
  agent: string,
  household: Household,
  policy: WardenPolicy,
): WardenDone {
  const { life, wanted, how, fact } = household;
  if (life === "none" && wanted !== null) {
    const next: Household = { ...household, life: "asked", born: wanted, tools: [], toolFacts: [] };
    return {
      state: withHousehold(state, agent, next),
      letters: [birth(agent, wanted, fact)],
    };
  }
  if (life !== "lives" || isSettled(household)) return { state, letters: [] };
  const reason = `${household.born?.id ?? "its revision"} is no longer active`;
  const event: MailOf<"end.asked"> = { type: "end.asked", name: agent, reason };
  const isWithdrawn = how === "rolledBack" && policy.warden.tools === "withdrawn";
  return {
    state: withHousehold(withoutChildren(state, agent), agent, {
      ...household,
      life: "ending",
      children: [],
    }),
    letters: [
      ...(isWithdrawn ? withdrawn(agent, household) : []),
      ...childEnds(state, agent, reason, fact),
      ask({ to: DAEMON, key: END + agent, event, because: [fact] }),
    ],
  };
}

const birth = (agent: string, { description, instructions }: LivedRevision, fact: number): Letter =>
  ask({
    to: DAEMON,
    key: BIRTH + agent,
    because: [fact],
    event: {
      type: "birth.asked",
      name: agent,
      profile: {
        traits: [],
        opinions: [{ opinion: cutText(description, OPINION_MAX), domain: "purpose" }],
        questions: [],
      },
      message: { from: GATEWAY, text: cutText(instructions, HEARD_MAX) },
    },
  });

/** Of an installed agent or of a child of one. */
export function birthAnswered(
  state: WardenState,
  event: Delivered<"birth.answered">,
  policy: WardenPolicy,
): WardenDone {
  if (!isBirth(event.at.key)) return spawned(state, event);
  const { address, reason, at } = event;
  return birthDone(
    state,
    agentIn(at.key),
    address === null ? (reason ?? "") : null,
    at.seq,
    policy,
  );
}

/** A birth that came to nothing is told once; another revision tries again. */
export function birthDone(
  state: WardenState,
  agent: string,
  fault: string | null,
  seq: number,
  policy: WardenPolicy,
): WardenDone {
  const household = householdOf(state, agent);
  if (household?.life !== "asked") return { state, letters: [] };
  const { born, wanted } = household;
  const isGivenUp = fault !== null && wanted?.id === born?.id;
  const next: Household = {
    ...household,
    life: fault === null ? "lives" : "none",
    wanted: isGivenUp ? null : wanted,
  };
  const told: MailOf<"installed.born"> = {
    ...{ type: "installed.born", agent, revision: born?.id ?? "", fault },
  };
  const done = goneOn(withHousehold(state, agent, next), agent, next, policy);
  const said: Letter = { to: WARDEN, event: told, because: [household.fact, seq] };
  return { state: done.state, letters: [said, ...done.letters] };
}

export function ended(
  state: WardenState,
  agent: string,
  seq: number,
  policy: WardenPolicy,
): WardenDone {
  const household = householdOf(state, agent);
  if (household?.life !== "ending") return { state, letters: [] };
  const next: Household = { ...household, life: "none" };
  const told: MailOf<"installed.ended"> = {
    ...{ type: "installed.ended", agent, revision: household.born?.id ?? "" },
  };
  const done = goneOn(withHousehold(state, agent, next), agent, next, policy);
  const said: Letter = { to: WARDEN, event: told, because: [household.fact, seq] };
  return { state: done.state, letters: [said, ...done.letters] };
}
