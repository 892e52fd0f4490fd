/**
 * What all agents may know of one another: the window of the last ended goals, which file each agent
 * last said it wrote, and what their stressors are measured from. A service.
 * Source: seed 004, "Stressor types"; rulings U1, U3, U4, U5.
 */
import { type At, answer, type Delivered, type Letter } from "../../letter.ts";
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
import { wordsGiven } from "./ownWord.ts";
import { referenceLetter } from "./references.ts";
import type { StressorPolicy } from "./stressorPolicy.ts";
import { MEASURED, verdictOn } from "./stressorRules.ts";

/** An agent's word that it wrote a file, unchecked. */
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
  /** Validated artifacts that no agent referenced before the restart. */
  readonly unseen: readonly (Omit<Artifact, "fact"> & { readonly agent: string })[];
}

type Done = Outcome<LedgerState>;

export const goalLedgerService = (policy: SufferingPolicy): Service<LedgerState> => ({
  kind: "service",
  id: "goalLedger",
  on: {
    "goal.ended": (state, event) => withGoalEnded(state, event, policy),
    "work.claimed": (state, { agent, n, path, at }) => {
      const claim = { agent, n, path, fact: at.seq };
      return { state: { ...state, claims: { ...state.claims, [agent]: claim } }, letters: [] };
    },
    "peers.asked": (state, { agent: asker, at }) => {
      const claims = Object.values(state.claims)
        .filter(({ agent }) => agent !== asker)
        .sort((a, b) => (a.agent < b.agent ? -1 : 1));
      return { state, letters: answer(at, { type: "peers.answered", claims }) };
    },
    "cycle.ended": (state, event) => withCycleEnded(state, event, policy),
    "plan.judged": (state, event) => {
      const { agent } = event;
      return observed(state, agent, planJudged(recordOf(state, agent), event), policy);
    },
    "message.judged": (state, event) => {
      const { agent } = event;
      return observed(state, agent, messageJudged(recordOf(state, agent), event), policy);
    },
    "suffering.reported": (state, event) => ({
      state,
      letters: wordsGiven(state.stressors, event, policy.stressors),
    }),
    "capability.locked": (state, event) => {
      const { agent } = event;
      return observed(
        state,
        agent,
        capabilityLocked(recordOf(state, agent), event, policy),
        policy,
      );
    },
    "peer.referenced": (state, event) => withReference(state, event, policy),
    "stressor.changed": (state, event) => {
      const { agent } = event;
      return observed(state, agent, stressorChanged(recordOf(state, agent), event, policy), policy);
    },
    "place.asked": (state, event) => withPlace(state, event, policy.stressors),
    "files.replied": (state, event) => {
      const { owner, measured } = burdenOf(event, policy);
      const findings = [{ measured, because: [event.at.seq] }];
      return observed(state, owner, { record: recordOf(state, owner), findings }, policy);
    },
    "agent.joined": (state, { stressors }) => ({
      state: { ...state, stressors: [...state.stressors, ...stressors] },
      letters: [],
    }),
    "agent.left": (state, { agent }) => ({
      state: { ...state, stressors: state.stressors.filter((one) => one.agent !== agent) },
      letters: [],
    }),
    "daemon.stopped": (state) => ({ state, letters: [], done: true }),
  },
  // An answered message is a peer interaction, which the engine counts: it ends no stressor. What
  // the gate found and what was learnt is said for the log.
  ignores: ["peer.messaged", "ask.bounced", "goalGate.judged", "lesson.noted", "lessons.read"],
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
});

const recordOf = (state: LedgerState, agent: string): AgentRecord =>
  ownValue(state.records, agent) ?? newRecord();

/** The state with the new record, and letters to the stressors whose verdict is another now. */
function observed(
  state: LedgerState,
  agent: string,
  { record, findings }: Observation,
  policy: SufferingPolicy,
): Done {
  const posted = { ...record.posted };
  const letters: Letter[] = [];
  for (const { measured, because } of findings) {
    const type = MEASURED[measured.type];
    const stressor = state.stressors.find((one) => one.agent === agent && one.type === type);
    const verdict = verdictOn(measured, policy.stressors);
    if (stressor === undefined || posted[type] === verdict) continue;
    posted[type] = verdict;
    letters.push({ to: stressor.address, event: measured, because });
  }
  const records = { ...state.records, [agent]: { ...record, posted } };
  return { state: { ...state, records }, letters };
}

function withCycleEnded(
  state: LedgerState,
  event: Delivered<"cycle.ended">,
  policy: SufferingPolicy,
): Done {
  const { agent } = event;
  const seen = cycleEnded(recordOf(state, agent), event, policy);
  const crisis = crisisLetters(agent, seen.record, state.stressors, policy);
  const done = observed(state, agent, { ...seen, record: crisis.record }, policy);
  const measure = measureLetter(agent, state.stressors, policy.stressors);
  return { ...done, letters: [...done.letters, ...crisis.letters, ...measure] };
}

/** A file that is several agents' artifact is seen for each of them except the one that looked. */
function withReference(
  state: LedgerState,
  event: Delivered<"peer.referenced">,
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
  { agent, stressor, at }: Delivered<"place.asked">,
  { maxActive }: StressorPolicy,
): Done {
  const record = recordOf(state, agent);
  const { placed } = record;
  const granted = placed.includes(stressor) || placed.length < maxActive;
  const { [stressor]: _, ...posted } = record.posted;
  const next: AgentRecord = granted
    ? { ...record, placed: [...placed.filter((type) => type !== stressor), stressor] }
    : { ...record, posted };
  return {
    state: { ...state, records: { ...state.records, [agent]: next } },
    letters: answer(at, { type: "place.answered", granted }),
  };
}

/** Every ended goal is told to every agent that shares its window, whatever follows from it. */
function withGoalEnded(
  state: LedgerState,
  event: Delivered<"goal.ended">,
  policy: SufferingPolicy,
): Done {
  const { agent, n, status, at } = event;
  const ended = { agent, n, failed: status === "abandoned", fact: at.seq };
  const window = windowAfter(state.window, ended, policy.stressors);
  const letters = windowLetters(window, agent, state.stressors, policy.stressors);
  const own = goalEnded(recordOf(state, agent), event, policy.stressors);
  const done = observed({ ...state, window }, agent, own, policy);
  return { ...done, letters: [...letters, ...done.letters] };
}
