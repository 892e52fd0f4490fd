/**
 * The keeper of macros, a service: which there are, their runs, and what becomes a macro because agents do
 * it again and again. A step of a run is a call in the agent's name, which the engine routes, locks and
 * reports as any other. Source: seed 001, "Composed skills"; SPEC SK80–SK99.
 */
import type { Delivered, Letter } from "../letter.ts";
import { onlyLogged, type Service } from "../service.ts";
import type { Macro } from "./macro.ts";
import { addMacro, macroOf, newMacro } from "./macroBook.ts";
import { closeRun, endOverdue, endStep, openCall, runKey } from "./macroCalls.ts";
import {
  changeLetters,
  type KeeperPolicy,
  listLetter,
  MACROS,
  type MacrosDone,
  type MacrosInput,
  type MacrosState,
  noteLeft,
  say,
} from "./macroState.ts";
import { noTraces, proposeMacros, traceGoal, traceStep } from "./macroTraces.ts";

export const macroKeeperService = (policy: KeeperPolicy): Service<MacrosState, MacrosInput> => ({
  kind: "service",
  id: "macroKeeper",
  on: {
    "entries.asked": (state, { at }) => {
      const next = { ...state, engine: at.from };
      // What the engine before it had asked for, nobody waits for.
      const closed = at.from === state.engine ? next : { ...next, runs: {} };
      return { state: closed, letters: [{ ...listLetter(closed, at.from), re: at.seq }] };
    },
    "capability.called": (state, called) => openCall(state, called, policy),
    "call.finished": (state, finished) => endStep(state, finished, policy),
    "ask.bounced": (state, { address, at }) =>
      closeRun(
        state,
        runKey(at.key),
        { ok: false, reason: `no actor lives at ${address}` },
        at.nowMs,
      ),
    "macro.overdue": endOverdue,
    "step.reported": (state, step) => ({
      state: { ...state, traces: traceStep(state.traces, step) },
      letters: [],
    }),
    "goal.reported": (state, goal) => {
      const traces = traceGoal(state.traces, goal, goal.at, policy);
      const next = { ...state, traces };
      return policy.mined === "goal" && traces.completed !== state.traces.completed
        ? mineMacros(next, policy)
        : { state: next, letters: [] };
    },
    "dream.began": (state) => mineMacros(state, policy),
    "macro.learned": (state, learned) => learnMacro(state, learned, policy),
    "macro.evicted": onlyLogged,
    "macro.retired": onlyLogged,
    "macro.ended": onlyLogged,
  },
  ignores: [],
  init: ({ macros }, { seq }) => ({
    state: {
      engine: null,
      judges: policy.ghostRules === "off",
      book: macros.slice(-policy.kept).map((macro) => newMacro(macro, seq)),
      traces: noTraces,
      leftMs: {},
      runs: {},
    },
    letters: evictAtStart(macros, policy),
  }),
});

/** There are never more than are kept, not even at the start: as none was used, each later one takes the first's place. */
const evictAtStart = (macros: readonly Macro[], { kept }: KeeperPolicy): readonly Letter[] =>
  macros
    .slice(kept)
    .map(({ name: by }, index) =>
      say({ type: "macro.evicted", name: macros[index]?.name ?? "", uses: 0, by }),
    );

/** What recurs is told to the keeper itself, so that the log shows what it rests on. */
function mineMacros(state: MacrosState, policy: KeeperPolicy): MacrosDone {
  const letters = proposeMacros(state.traces.completed, state.book, state.leftMs, policy).map(
    ({ macro, goals, facts }): Letter => ({
      ...say({ type: "macro.learned", macro, goals }),
      because: facts,
    }),
  );
  return { state, letters };
}

function learnMacro(
  state: MacrosState,
  { macro, at }: Delivered<"macro.learned">,
  { kept }: KeeperPolicy,
): MacrosDone {
  if (at.from !== MACROS || macroOf(state.book, macro.name) !== undefined) {
    return { state, letters: [] };
  }
  const { book, evicted } = addMacro(state.book, newMacro(macro, at.seq), kept);
  const next = noteLeft({ ...state, book }, evicted, at.nowMs);
  const letters = evicted.map(
    ({ name, uses, madeBy }): Letter => ({
      ...say({ type: "macro.evicted", name, uses, by: macro.name }),
      because: [madeBy, at.seq],
    }),
  );
  return { state: next, letters: [...letters, ...changeLetters(next, [at.seq])] };
}
