/**
 * The gate of the night: proposals wait at the desk until none is being made any more, and go to the
 * person as one dossier, each with its R. What they leave undecided is in the next night's dossier
 * again, until its request gives up waiting. Source: seed 002, 3 (figure 1), 6 and 8.1; ruling Y12.
 */
import { defined } from "../defined.ts";
import { ask, cancelAsk, type Delivered, type Letter, type Mail } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome } from "../service.ts";
import type { DeskState, Proposal } from "./deskState.ts";

type Answered = Outcome<DeskState>;

const dossierKey = (dossier: number): string => `dossier:${dossier}`;

export function proposed(
  state: DeskState,
  { request, dossier, at }: Delivered<"gate.asked">,
): Answered {
  const proposal: Proposal = { to: at.from, re: at.seq, dossier, asked: null, isLeft: false };
  return shown({ ...state, proposals: { ...state.proposals, [request]: proposal } });
}

/** Asks about everything that is ready, once nothing of the night is being made any more. */
export function shown(state: DeskState): Answered {
  const { proposals, index } = state;
  const isMaking = Object.entries(index.open).some(
    ([name, { mode }]) => mode === "introspective" && !Object.hasOwn(proposals, name),
  );
  const free = Object.entries(proposals).filter(([, { asked }]) => asked === null);
  if (isMaking || free.every(([, { isLeft }]) => isLeft)) return { state, letters: [] };
  const dossier = state.dossiers + 1;
  const taken = free.map(([name, one]) => [name, { ...one, asked: dossier, isLeft: false }]);
  return {
    state: {
      ...state,
      dossiers: dossier,
      proposals: { ...proposals, ...Object.fromEntries(taken) },
    },
    letters: [
      ask({
        to: "port/person.decide",
        key: dossierKey(dossier),
        event: {
          type: "person.asked",
          purpose: "proposals",
          dossier: { proposals: free.map(([request, one]) => ({ request, dossier: one.dossier })) },
        },
        because: free.map(([, { re }]) => re),
      }),
    ],
  };
}

/** The person's word on a dossier, proposal by proposal. What was not in it is not decided by it. */
export function decided(
  state: DeskState,
  { decisions, at }: Delivered<"person.decided">,
): Answered {
  const inIt = Object.entries(state.proposals).filter(
    ([, { asked }]) => asked !== null && dossierKey(asked) === at.key,
  );
  const words = decisionsOf(decisions);
  const done = inIt.filter(([name]) => Object.hasOwn(words, name));
  const kept = Object.entries(state.proposals).flatMap(([name, one]): [string, Proposal][] => {
    if (done.some(([other]) => other === name)) return [];
    const isLeft = inIt.some(([other]) => other === name);
    return [[name, isLeft ? { ...one, asked: null, isLeft } : one]];
  });
  return {
    state: { ...state, proposals: Object.fromEntries(kept) },
    letters: done.map(
      ([name, { to, re }]): Letter => ({
        to,
        re,
        event: { type: "person.decided", ...words[name] },
      }),
    ),
  };
}

type Word = Omit<Mail["person.decided"], "decisions">;

/** Whatever came through the port: only what has the shape of a decision counts. */
function decisionsOf(found: unknown): { readonly [request: string]: Word } {
  const list: readonly unknown[] = Array.isArray(found) ? found : [];
  const words = list.flatMap((one): [string, Word][] => {
    const { request, decision, feedback, target } = (one ?? {}) as { [field: string]: unknown };
    if (typeof request !== "string" || typeof decision !== "string") return [];
    const said: Word = defined({
      decision,
      feedback: typeof feedback === "string" ? feedback : undefined,
      target: typeof target === "string" ? target : undefined,
    });
    return [[request, said]];
  });
  return Object.fromEntries(words);
}

/** A request has ended: the person need not decide on it, and a dossier that holds nothing else is taken back. */
export function withdrawn(state: DeskState, request: string): Answered {
  const gone = ownValue(state.proposals, request);
  const { [request]: _gone, ...proposals } = state.proposals;
  const isLast =
    gone?.asked != null && Object.values(proposals).every(({ asked }) => asked !== gone.asked);
  const back: Letter[] = isLast ? [cancelAsk(dossierKey(gone.asked ?? 0))] : [];
  const next = shown({ ...state, proposals });
  return { state: next.state, letters: [...back, ...next.letters] };
}

/** A new night: what was left undecided is shown once more. */
export const shownAgain = (state: DeskState): Answered =>
  shown({
    ...state,
    proposals: Object.fromEntries(
      Object.entries(state.proposals).map(([name, one]) => [name, { ...one, isLeft: false }]),
    ),
  });
