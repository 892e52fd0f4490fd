/**
 * What everybody may know of everybody's goals: the window of the last ended ones, and which file
 * each agent last said it wrote. A service. Source: seed 004, "Stressor types"; ruling U3.
 */
import { type At, answer, type Letter, type MailEvent } from "./letter.ts";
import type { Outcome, Service } from "./service.ts";
import type { StressorPolicy } from "./stressor.ts";

interface Ended {
  readonly agent: string;
  readonly n: number;
  readonly failed: boolean;
  /** The goal.ended that says so; the restart's own seq when read back from files. */
  readonly fact: number;
}

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
}

export interface StressorAddress {
  readonly agent: string;
  readonly address: string;
}

export interface LedgerInput {
  readonly ended: readonly {
    readonly agent: string;
    readonly n: number;
    readonly failed: boolean;
  }[];
  readonly claims: readonly { readonly agent: string; readonly n: number; readonly path: string }[];
  readonly stressors: readonly StressorAddress[];
}

/** The answer to peers.asked: the latest claims of the others, by name. */
export interface PeersAnswered {
  readonly type: "peers.answered";
  readonly claims: readonly Claim[];
}

type Event = MailEvent & { readonly at: At };

export const goalLedgerService = (policy: {
  readonly stressors: StressorPolicy;
}): Service<LedgerState> => ({
  kind: "service",
  id: "goalLedger",
  handles: ["goal.ended", "work.claimed", "peers.asked", "daemon.stopped"],
  ignores: [
    "cycle.ended",
    "plan.judged",
    "message.judged",
    "suffering.reported",
    "peer.referenced",
    "peer.messaged",
    "capability.locked",
  ],
  init({ ended, claims, stressors }: LedgerInput, at: At): Outcome<LedgerState> {
    const window = ended
      .map((one) => ({ ...one, fact: at.seq }))
      .reduce<readonly Ended[]>((before, one) => windowAfter(before, one, policy.stressors), []);
    const known = claims.map((claim) => [claim.agent, { ...claim, fact: at.seq }]);
    return {
      state: { window, claims: Object.fromEntries(known), stressors },
      letters: [],
    };
  },
  receive(state, event): Outcome<LedgerState> {
    const { at } = event;
    switch (event.type) {
      case "goal.ended":
        return goalEnded(state, event, policy.stressors);
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
      default:
        return { state, letters: [], done: true };
    }
  },
});

/** Whether two goals are counted together. */
const isSameWindow = (one: string, other: string, { failureWindow }: StressorPolicy): boolean =>
  failureWindow === "world" || one === other;

/** With one more ended goal, and without the oldest when the window is full. */
function windowAfter(
  window: readonly Ended[],
  ended: Ended,
  policy: StressorPolicy,
): readonly Ended[] {
  const all = [...window, ended];
  const shared = all.filter(({ agent }) => isSameWindow(agent, ended.agent, policy));
  const overflow = shared.length > policy.repeatedFailure.window ? shared[0] : undefined;
  return all.filter((one) => one !== overflow);
}

function goalEnded(state: LedgerState, event: Event, policy: StressorPolicy): Outcome<LedgerState> {
  const agent = event["agent"] as string;
  const failed = event["status"] === "abandoned";
  const ended = { agent, n: event["n"] as number, failed, fact: event.at.seq };
  const window = windowAfter(state.window, ended, policy);
  const seen = window.filter((one) => isSameWindow(one.agent, agent, policy));
  const letters = state.stressors
    .filter((stressor) => isSameWindow(stressor.agent, agent, policy))
    .map(({ address }) => assessed(address, seen));
  return { state: { ...state, window }, letters };
}

function assessed(to: string, window: readonly Ended[]): Letter {
  const failed = window.filter((one) => one.failed);
  const event = { type: "window.assessed", failed: failed.length, total: window.length };
  return { to, event, because: failed.map(({ fact }) => fact) };
}
