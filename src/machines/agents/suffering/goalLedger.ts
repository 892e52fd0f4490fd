/**
 * What everybody may know of everybody: the window of the last ended goals, which file each agent
 * last said it wrote, and what their stressors are measured from. A service.
 * Source: seed 004, "Stressor types"; rulings U1, U3, U4, U5.
 */
import type { FilesReply } from "../../files.ts";
import { type At, answer, type Letter, type MailEvent } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Outcome, Service } from "../../service.ts";
import {
  type AgentRecord,
  type Artifact,
  newRecord,
  type Observation,
  type StressorAddress,
} from "./agentRecord.ts";
import { crisisLetters } from "./crisis.ts";
import { type Ended, windowAfter, windowLetters } from "./failureWindow.ts";
import { burdenOf, measureLetter } from "./holdings.ts";
import {
  capabilityLocked,
  cycleEnded,
  goalEnded,
  isUnseenFelt,
  messageJudged,
  peerReferenced,
  planJudged,
  referenced,
  type SufferingPolicy,
  stressorChanged,
} from "./observations.ts";
import type { CycleEnded, PeerReferenced, PlaceAsked, Stamped } from "./observed.ts";
import { wordsGiven } from "./ownWord.ts";
import { referenceLetter } from "./references.ts";
import type { StressorPolicy } from "./stressorPolicy.ts";
import { MEASURED, verdictOn } from "./stressorRules.ts";

/** An agent's word that it wrote a file. Nobody has checked. */
export interface Claim {
  readonly agent: string;
  readonly n: number;
  readonly path: string;
  readonly fact: number;
}

export interface LedgerState {
  /** The last ended goals, oldest first; as long as the policy's window, for each agent. */
  readonly window: readonly Ended[];
  /** The latest claim of each agent. */
  readonly claims: { readonly [agent: string]: Claim };
  readonly stressors: readonly StressorAddress[];
  readonly records: { readonly [agent: string]: AgentRecord };
}

export interface LedgerInput {
  readonly ended: readonly {
    readonly agent: string;
    readonly n: number;
    readonly failed: boolean;
  }[];
  readonly claims: readonly { readonly agent: string; readonly n: number; readonly path: string }[];
  readonly stressors: readonly StressorAddress[];
  /** Validated artifacts that nobody referenced before the restart. */
  readonly unseen: readonly (Omit<Artifact, "fact"> & { readonly agent: string })[];
}

/** The answer to peers.asked: the latest claims of the others, by name. */
export interface PeersAnswered {
  readonly type: "peers.answered";
  readonly claims: readonly Claim[];
}

type Event = MailEvent & { readonly at: At };
type Done = Outcome<LedgerState>;

export const goalLedgerService = (policy: SufferingPolicy): Service<LedgerState> => ({
  kind: "service",
  id: "goalLedger",
  handles: [
    "goal.ended",
    "work.claimed",
    "peers.asked",
    "cycle.ended",
    "plan.judged",
    "message.judged",
    "suffering.reported",
    "capability.locked",
    "peer.referenced",
    "stressor.changed",
    "place.asked",
    "files.replied",
    "daemon.stopped",
  ],
  // An answered message is a peer interaction, which the engine counts: it ends no stressor. What
  // the gate found and what was learnt is said for the log.
  ignores: ["peer.messaged", "ask.bounced", "gate.judged", "lesson.noted", "lessons.read"],
  init(input: LedgerInput, at: At): Done {
    const window = input.ended
      .map((one) => ({ ...one, fact: at.seq }))
      .reduce<readonly Ended[]>((before, one) => windowAfter(before, one, policy.stressors), []);
    const known = input.claims.map((claim) => [claim.agent, { ...claim, fact: at.seq }]);
    const records: { [agent: string]: AgentRecord } = {};
    for (const { agent, ...artifact } of isUnseenFelt(policy.stressors) ? input.unseen : []) {
      const before = ownValue(records, agent)?.unseen ?? [];
      records[agent] = newRecord([...before, { ...artifact, fact: at.seq }]);
    }
    return {
      state: { window, claims: Object.fromEntries(known), stressors: input.stressors, records },
      letters: [],
    };
  },
  receive(state, event): Done {
    const { at } = event;
    switch (event.type) {
      case "goal.ended":
        return withGoalEnded(state, event, policy);
      case "work.claimed": {
        const { agent, n, path } = event as unknown as Omit<Claim, "fact">;
        const claim = { agent, n, path, fact: at.seq };
        return { state: { ...state, claims: { ...state.claims, [agent]: claim } }, letters: [] };
      }
      case "peers.asked": {
        const claims = Object.values(state.claims)
          .filter(({ agent }) => agent !== event["agent"])
          .sort((a, b) => (a.agent < b.agent ? -1 : 1));
        return { state, letters: answer(at, { type: "peers.answered", claims }) };
      }
      case "daemon.stopped":
        return { state, letters: [], done: true };
      default:
        return withSuffering(state, event, policy);
    }
  },
});

/** Letters that concern nothing but stressors. */
function withSuffering(state: LedgerState, event: Event, policy: SufferingPolicy): Done {
  const agent = event["agent"] as string;
  const record = recordOf(state, agent);
  switch (event.type) {
    case "cycle.ended":
      return withCycleEnded(state, event as unknown as Stamped<CycleEnded>, policy);
    case "peer.referenced":
      return withReference(state, event as unknown as Stamped<PeerReferenced>, policy);
    case "place.asked":
      return withPlace(state, event as unknown as Stamped<PlaceAsked>, policy.stressors);
    case "files.replied": {
      const { owner, measured } = burdenOf(event as unknown as Stamped<FilesReply>, policy);
      const findings = [{ measured, because: [event.at.seq] }];
      return observed(state, owner, { record: recordOf(state, owner), findings }, policy);
    }
    case "suffering.reported":
      return { state, letters: wordsGiven(state.stressors, event as never, policy.stressors) };
    case "plan.judged":
      return observed(state, agent, planJudged(record, event as never), policy);
    case "message.judged":
      return observed(state, agent, messageJudged(record, event as never), policy);
    case "capability.locked":
      return observed(state, agent, capabilityLocked(record, event as never, policy), policy);
    default:
      return observed(state, agent, stressorChanged(record, event as never, policy), policy);
  }
}

const recordOf = (state: LedgerState, agent: string): AgentRecord =>
  ownValue(state.records, agent) ?? newRecord();

/** The state with the new record, and letters to the stressors whose verdict is another now. */
function observed(
  state: LedgerState,
  agent: string,
  { record, findings }: Observation,
  policy: SufferingPolicy,
): Done {
  const told = { ...record.told };
  const letters: Letter[] = [];
  for (const { measured, because } of findings) {
    const type = MEASURED[measured.type];
    const stressor = state.stressors.find((one) => one.agent === agent && one.type === type);
    const verdict = verdictOn(measured, policy.stressors);
    if (stressor === undefined || told[type] === verdict) continue;
    told[type] = verdict;
    letters.push({ to: stressor.address, event: { ...measured }, because });
  }
  const records = { ...state.records, [agent]: { ...record, told } };
  return { state: { ...state, records }, letters };
}

function withCycleEnded(
  state: LedgerState,
  event: Stamped<CycleEnded>,
  policy: SufferingPolicy,
): Done {
  const { agent } = event;
  const seen = cycleEnded(recordOf(state, agent), event, policy);
  const crisis = crisisLetters(agent, seen.record, state.stressors, policy);
  const done = observed(state, agent, { ...seen, record: crisis.record }, policy);
  const measure = measureLetter(agent, state.stressors, policy.stressors);
  return { ...done, letters: [...done.letters, ...crisis.letters, ...measure] };
}

/** A file that is several agents' artifact is seen for each of them but the one who looked. */
function withReference(
  state: LedgerState,
  event: Stamped<PeerReferenced>,
  policy: SufferingPolicy,
): Done {
  let done: Done = { state, letters: [] };
  for (const [owner, record] of Object.entries(state.records)) {
    const artifacts = referenced(owner, record, event);
    if (artifacts.length === 0) continue;
    const next = observed(done.state, owner, peerReferenced(record, event, policy), policy);
    const noted = artifacts.map(({ n }) => referenceLetter(owner, n, event));
    done = { state: next.state, letters: [...done.letters, ...next.letters, ...noted] };
  }
  return done;
}

/** One more stressor for an agent, when there is room; else it is dropped, and may ask again. */
function withPlace(
  state: LedgerState,
  { agent, stressor, at }: Stamped<PlaceAsked>,
  { maxActive }: StressorPolicy,
): Done {
  const record = recordOf(state, agent);
  const { placed } = record;
  const granted = placed.includes(stressor) || placed.length < maxActive;
  const { [stressor]: _, ...told } = record.told;
  const next: AgentRecord = granted
    ? { ...record, placed: [...placed.filter((type) => type !== stressor), stressor] }
    : { ...record, told };
  return {
    state: { ...state, records: { ...state.records, [agent]: next } },
    letters: answer(at, { type: "place.answered", granted }),
  };
}

/** Every ended goal is told to everybody who shares its window, whatever follows from it. */
function withGoalEnded(state: LedgerState, event: Event, policy: SufferingPolicy): Done {
  const agent = event["agent"] as string;
  const failed = event["status"] === "abandoned";
  const ended = { agent, n: event["n"] as number, failed, fact: event.at.seq };
  const window = windowAfter(state.window, ended, policy.stressors);
  const letters = windowLetters(window, agent, state.stressors, policy.stressors);
  const own = goalEnded(recordOf(state, agent), event as never, policy.stressors);
  const done = observed({ ...state, window }, agent, own, policy);
  return { ...done, letters: [...letters, ...done.letters] };
}
