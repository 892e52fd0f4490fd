/**
 * The keeper of macros, a service: which there are, their runs, and what becomes a macro because agents do
 * it again and again. A step of a run is a call in the agent's name, which the engine routes, locks and
 * reports as any other. Source: seed 001, "Composed skills"; SPEC SK80–SK99.
 */
import { ask, cancelAsk, type Delivered, type Json, type Letter, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { type Outcome, onlyLogged, type Service } from "../service.ts";
import { sortedJson } from "../sortedJson.ts";
import type { Macro } from "./macro.ts";
import {
  added,
  type KeptMacro,
  type MacroBook,
  macroOf,
  scoredText,
  shownText,
  unused,
  used,
  without,
} from "./macroBook.ts";
import type { MacroPolicy } from "./macroPolicy.ts";
import {
  begun,
  type MacroRun,
  nextCall,
  type RunEnd,
  restsOn,
  runResult,
  stepEnded,
} from "./macroRun.ts";
import {
  goalTraced,
  MACRO_KIND,
  noTraces,
  proposed,
  sequenceOf,
  stepTraced,
  type Traces,
} from "./macroTraces.ts";

/** The address of the keeper. */
export const MACROS = "macros";

export interface MacrosInput {
  readonly macros: readonly Macro[];
}

export interface MacrosState {
  /** The engine that asked last. */
  readonly engine: string | null;
  readonly book: MacroBook;
  readonly traces: Traces;
  /** When a sequence last left the book: what agents did before counts for it no more. */
  readonly leftMs: { readonly [sequence: string]: number };
  /** By the number of the engine's question. */
  readonly runs: { readonly [question: string]: MacroRun };
}

type Done = Outcome<MacrosState>;

/** How long the engine waits for the end of a run. */
type Policy = MacroPolicy & { readonly waitMs: number };

export const macroKeeperService = (policy: Policy): Service<MacrosState, MacrosInput> => ({
  kind: "service",
  id: "macroKeeper",
  on: {
    "entries.asked": (state, { at }) => {
      const next = { ...state, engine: at.from };
      // What the engine before it had asked for, nobody waits for.
      const closed = at.from === state.engine ? next : { ...next, runs: {} };
      return { state: closed, letters: [{ ...listed(closed, at.from), re: at.seq }] };
    },
    "capability.called": (state, called) => opened(state, called, policy),
    "call.finished": (state, finished) => stepped(state, finished, policy),
    "ask.bounced": (state, { address, at }) =>
      closed(
        state,
        runKey(at.key),
        { ok: false, reason: `no actor lives at ${address}` },
        at.nowMs,
      ),
    "macro.overdue": overdue,
    "step.reported": (state, step) => ({
      state: { ...state, traces: stepTraced(state.traces, step) },
      letters: [],
    }),
    "goal.reported": (state, goal) => {
      const traces = goalTraced(state.traces, goal, goal.at, policy);
      const next = { ...state, traces };
      return policy.mined === "goal" && traces.completed !== state.traces.completed
        ? mined(next, policy)
        : { state: next, letters: [] };
    },
    "dream.began": (state) => mined(state, policy),
    "macro.learned": (state, learned) => taken(state, learned, policy),
    "macro.evicted": onlyLogged,
    "macro.retired": onlyLogged,
    "macro.ended": onlyLogged,
  },
  ignores: [],
  init: ({ macros }, { seq }) => ({
    state: {
      engine: null,
      book: macros.map((macro) => unused(macro, seq)),
      traces: noTraces,
      leftMs: {},
      runs: {},
    },
    letters: [],
  }),
});

/** All that there are, in the order in which they came. */
const listed = ({ book }: MacrosState, to: string): Letter => ({
  to,
  event: {
    type: "entries.listed",
    kind: MACRO_KIND,
    entries: book.map((one) => ({
      name: one.name,
      description: scoredText(one),
      reads: shownText(one),
    })),
  },
});

/** After a change of the book. */
const told = (state: MacrosState, because: readonly number[]): Letter[] =>
  state.engine === null ? [] : [{ ...listed(state, state.engine), because }];

const say = (
  event: MailOf<"macro.learned" | "macro.evicted" | "macro.retired" | "macro.ended">,
) => ({
  to: MACROS,
  event,
});

/** What recurs is told to the keeper itself, so that the log shows what it rests on. */
function mined(state: MacrosState, policy: Policy): Done {
  const letters = proposed(state.traces.completed, state.book, state.leftMs, policy).map(
    ({ macro, goals, facts }): Letter => ({
      ...say({ type: "macro.learned", macro, goals }),
      because: facts,
    }),
  );
  return { state, letters };
}

function taken(
  state: MacrosState,
  { macro, at }: Delivered<"macro.learned">,
  { kept }: Policy,
): Done {
  if (at.from !== MACROS || macroOf(state.book, macro.name) !== undefined) {
    return { state, letters: [] };
  }
  const { book, evicted } = added(state.book, unused(macro, at.seq), kept);
  const next = left({ ...state, book }, evicted, at.nowMs);
  const letters = evicted.map(
    ({ name, uses, madeBy }): Letter => ({
      ...say({ type: "macro.evicted", name, uses, by: macro.name }),
      because: [madeBy, at.seq],
    }),
  );
  return { state: next, letters: [...letters, ...told(next, [at.seq])] };
}

const left = (state: MacrosState, gone: readonly KeptMacro[], atMs: number): MacrosState => ({
  ...state,
  leftMs: {
    ...state.leftMs,
    ...Object.fromEntries(
      gone.map(({ steps }) => [sequenceOf(steps.map(({ tool }) => tool)), atMs]),
    ),
  },
});

/** A call of a macro, or of `retire_capability` for one. */
function opened(
  state: MacrosState,
  { agent, cycle, capability, intent, params, at }: Delivered<"capability.called">,
  policy: Policy,
): Done {
  const refused = (error: string): Done => ({
    state,
    letters: [
      { to: at.from, event: { type: "capability.answered", ok: false, error }, re: at.seq },
    ],
  });
  const macro = macroOf(state.book, capability);
  if (macro === undefined) {
    const named = macroOf(state.book, String(params["name"]));
    return named === undefined
      ? refused(`there is no macro called ${capability}`)
      : retired(state, named, agent, { ...at, to: at.from });
  }
  const asked = { agent, intent, params };
  if (Object.values(state.runs).some((run) => isStepOf(run, asked, policy))) {
    return refused(`${capability} is a macro, and a macro runs no macro`);
  }
  const { madeBy } = macro;
  const run = begun({
    ...{ macro, agent, cycle, to: at.from, re: at.seq, madeBy },
    values: params,
  });
  const timer: Letter = {
    to: MACROS,
    event: { type: "macro.overdue", run: at.seq },
    delayMs: policy.waitMs,
  };
  const done = goesOn(state, String(at.seq), run, at.nowMs, policy);
  return { state: done.state, letters: [...done.letters, timer] };
}

/** Whether the engine gave this run's own step to a macro. */
function isStepOf(
  run: MacroRun,
  {
    agent,
    intent,
    params,
  }: { readonly agent: string; readonly intent: string; readonly params: Json },
  policy: Policy,
): boolean {
  const { call } = nextCall(run, policy);
  return (
    run.agent === agent && call?.intent === intent && sortedJson(call.params) === sortedJson(params)
  );
}

function retired(
  state: MacrosState,
  macro: KeptMacro,
  by: string,
  { to, seq, nowMs }: { readonly to: string; readonly seq: number; readonly nowMs: number },
): Done {
  const { name } = macro;
  const next = left({ ...state, book: without(state.book, name) }, [macro], nowMs);
  return {
    state: next,
    letters: [
      {
        to,
        event: { type: "capability.answered", ok: true, result: { ok: true, retired: name } },
        re: seq,
      },
      say({ type: "macro.retired", name, by }),
      ...told(next, [seq]),
    ],
  };
}

/** The next step, or the end. */
function goesOn(
  state: MacrosState,
  question: string,
  run: MacroRun,
  atMs: number,
  policy: Policy,
): Done {
  const next = nextCall(run, policy);
  const open = { ...state, runs: { ...state.runs, [question]: run } };
  if (next.call === undefined) return closed(open, question, next.end, atMs);
  const { agent, cycle, to, facts } = run;
  const event: MailOf<"call.requested"> = { type: "call.requested", agent, cycle, ...next.call };
  return {
    state: open,
    letters: [ask({ to, key: `run:${question}`, event, because: facts.slice(-1) })],
  };
}

const runKey = (key: string | undefined): string => key?.slice("run:".length) ?? "";

function stepped(state: MacrosState, finished: Delivered<"call.finished">, policy: Policy): Done {
  const question = runKey(finished.at.key);
  const open = ownValue(state.runs, question);
  if (open === undefined) return { state, letters: [] };
  const { run, end } = stepEnded(open, finished, policy);
  if (end === undefined) return goesOn(state, question, run, finished.at.nowMs, policy);
  return closed(
    { ...state, runs: { ...state.runs, [question]: run } },
    question,
    end,
    finished.at.nowMs,
  );
}

/** The end of a run: it is counted, and the engine is answered. */
function closed(state: MacrosState, question: string, end: RunEnd, atMs: number): Done {
  const run = ownValue(state.runs, question);
  if (run === undefined) return { state, letters: [] };
  const { [question]: _, ...runs } = state.runs;
  const { name, steps } = run.macro;
  const next = { ...state, runs, book: used(state.book, name, end.ok, atMs) };
  const because = restsOn(run, end);
  const result = runResult(run, end);
  const event: MailOf<"capability.answered"> = end.ok
    ? { type: "capability.answered", ok: true, result }
    : { type: "capability.answered", ok: false, result, error: end.reason ?? "no reason given" };
  const word = say({
    ...{ type: "macro.ended", name, agent: run.agent, cycle: run.cycle, run: run.re },
    ...{ ok: end.ok, ran: run.told.length, total: steps.length, reason: end.reason },
  });
  return {
    state: next,
    letters: [
      { to: run.to, event, re: run.re, because },
      { ...word, because },
      ...told(next, because.slice(-1)),
    ],
  };
}

function overdue(state: MacrosState, { run: question, at }: Delivered<"macro.overdue">): Done {
  const run = String(question);
  if (ownValue(state.runs, run) === undefined) return { state, letters: [] };
  const end = { ok: false, reason: "the engine waited no longer for its end" };
  const done = closed(state, run, end, at.nowMs);
  return { state: done.state, letters: [cancelAsk(`run:${run}`), ...done.letters] };
}
