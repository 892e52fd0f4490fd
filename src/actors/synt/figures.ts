/** How it went for the user and the pool of a run, in figures. */
import type { Counted, Figures } from "../../contract/figures.ts";
import type { Sections } from "../../contract/scenario.ts";
import { sumOfCents } from "./exactCents.ts";

declare module "../../contract/figures.ts" {
  interface Figures {
    /** Of a world with synt. */
    readonly synt?: SyntFigures;
  }
}

/** Of a world with synt: requests, turns, money in whole cents, executors. */
export interface SyntFigures {
  /** Requests by the state they are in at the end, and how many of them were refused at once. */
  readonly requests: { readonly [state: string]: number };
  readonly refused: number;
  readonly turnsDone: number;
  readonly turnsDeclined: number;
  readonly cents: number;
  /** Proposals below the threshold; and by the scenario's labels, where it was wrong. */
  readonly belowGate: number;
  readonly falsePasses: number;
  readonly falseRefusals: number;
  /** Questions to the person at the gate. */
  readonly asked: number;
  /** Executors that planners are shown, and that can be called, at the end. */
  readonly visible: number;
  readonly loaded: number;
}

export const figures = ({ synt }: Partial<Sections>, counted: Counted): Partial<Figures> =>
  synt === undefined ? {} : { synt: ofSynt(counted) };

function ofSynt({ story, last }: Counted): SyntFigures {
  const { requests, turns, questions, pool } = story.synt;
  const states: { [state: string]: number } = {};
  for (const { states: passed } of requests) {
    const state = passed.at(-1)?.state ?? "composing";
    states[state] = (states[state] ?? 0) + 1;
  }
  const closed = turns.filter(({ endMs }) => endMs !== null);
  return {
    requests: states,
    refused: requests.filter(({ isRefused }) => isRefused).length,
    turnsDone: closed.filter(({ ok }) => ok).length,
    turnsDeclined: closed.filter(({ ok }) => !ok).length,
    cents: sumOfCents(requests.map(({ spent }) => spent)),
    belowGate: last("synt.belowGate"),
    falsePasses: last("synt.falsePasses"),
    falseRefusals: last("synt.falseRefusals"),
    asked: new Set(questions.map(({ asking }) => asking)).size,
    visible: pool.at(-1)?.visible ?? 0,
    loaded: pool.at(-1)?.loaded ?? 0,
  };
}
