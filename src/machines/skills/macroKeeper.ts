/**
 * The keeper of macros, a service: which there are, their runs, and what becomes a macro because agents do it again and again. A
 * step of a run is a call in the agent's name, which the engine routes, locks and reports as any other. Source: seed 001,
 * "Composed skills"; dossier 1.10; SPEC SK80–SK98.
 */
import { ask, cancelAsk, type Delivered, type Letter, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { choice, type ValuesOf } from "../policyLeaf.ts";
import { done, type Outcome, onlyLogged, type Service } from "../service.ts";
import { sortedJson } from "../sortedJson.ts";
import {
  beginRun,
  type Macro,
  type MacroRun,
  nextCall,
  type RunEnd,
  type RunPolicy,
  restsOn,
  runResult,
  takeStep,
} from "./macro.ts";
import {
  addMacro,
  countRun,
  type MacroBook,
  type macroBookLeaves,
  macroOf,
  newMacro,
  shownText,
} from "./macroBook.ts";
import {
  MACRO_KIND,
  type MiningPolicy,
  proposeMacros,
  sequenceOf,
  type Traces,
  traceGoal,
  traceStep,
} from "./macroMining.ts";

export const minedLeaves = {
  mined: choice("dream", ["dream", "goal"], {
    says: "When sequences that recur become macros: in each dream, or after each completed goal too.",
    source: "dossier 1.10 (dream); ours (goal)",
  }),
};

type KeeperPolicy = RunPolicy &
  MiningPolicy &
  ValuesOf<typeof macroBookLeaves> &
  ValuesOf<typeof minedLeaves> & {
    /** How long the engine waits for the end of a run. */
    readonly waitMs: number;
    readonly ghostRules: "on" | "off";
  };

/** The address of the keeper. */
export const MACROS = "macros";

export interface MacrosState {
  /** Whether no count but the book's own is taken of them. */
  readonly judges: boolean;
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

const say = (
  event: MailOf<"macro.learned" | "macro.evicted" | "macro.retired" | "macro.ended">,
) => ({ to: MACROS, event });

/** All that there are, in the order in which they came. */
const listLetter = ({ book, judges }: MacrosState, to: string): Letter => ({
  to,
  event: {
    type: "entries.listed",
    kind: MACRO_KIND,
    judges,
    entries: book.map((one) => ({
      name: one.name,
      description: one.description,
      reads: shownText(one),
    })),
  },
});

/** After a change of the book. */
const changeLetters = (state: MacrosState, because: readonly number[]): Letter[] =>
  state.engine === null ? [] : [{ ...listLetter(state, state.engine), because }];

/** When these left the book, so that what agents did before counts no more. */
const noteLeft = (state: MacrosState, gone: MacroBook, atMs: number): MacrosState => ({
  ...state,
  leftMs: {
    ...state.leftMs,
    ...Object.fromEntries(
      gone.map(({ steps }) => [sequenceOf(steps.map(({ tool }) => tool)), atMs]),
    ),
  },
});

/** What recurs is told to the keeper itself, so that the log shows what it rests on. */
const mineMacros = (state: MacrosState, policy: KeeperPolicy): Done =>
  done(
    state,
    proposeMacros(state.traces.completed, state.book, state.leftMs, policy).map(
      ({ macro, goals, facts }): Letter => ({
        ...say({ type: "macro.learned", macro, goals }),
        because: facts,
      }),
    ),
  );

function learnMacro(
  state: MacrosState,
  { macro, at }: Delivered<"macro.learned">,
  { kept }: KeeperPolicy,
): Done {
  if (at.from !== MACROS || macroOf(state.book, macro.name) !== undefined) return done(state);
  const { book, evicted } = addMacro(state.book, newMacro(macro, at.seq), kept);
  const next = noteLeft({ ...state, book }, evicted, at.nowMs);
  const letters = evicted.map(
    ({ name, uses, madeBy }): Letter => ({
      ...say({ type: "macro.evicted", name, uses, by: macro.name }),
      because: [madeBy, at.seq],
    }),
  );
  return done(next, [...letters, ...changeLetters(next, [at.seq])]);
}

// Calls of macros, from the engine's question to its answer: the keeper's share of each run.

/** A call of a macro, or of `retire_capability` for one. */
function openCall(
  state: MacrosState,
  { agent, cycle, capability, intent, params, at }: Delivered<"capability.called">,
  policy: KeeperPolicy,
): Done {
  const reply = (event: MailOf<"capability.answered">): Letter => ({
    to: at.from,
    event,
    re: at.seq,
  });
  const refuse = (error: string): Done =>
    done(state, [reply({ type: "capability.answered", ok: false, error })]);
  const macro = macroOf(state.book, capability);
  if (macro === undefined) {
    const name = String(params["name"]);
    const leaving = macroOf(state.book, name);
    if (leaving === undefined) return refuse(`there is no macro called ${capability}`);
    const book = state.book.filter((one) => one !== leaving);
    const next = noteLeft({ ...state, book }, [leaving], at.nowMs);
    return done(next, [
      reply({ type: "capability.answered", ok: true, result: { ok: true, retired: name } }),
      say({ type: "macro.retired", name, by: agent }),
      ...changeLetters(next, [at.seq]),
    ]);
  }
  // Whether the engine gave a run's own step to a macro.
  const isStep = Object.values(state.runs).some((run) => {
    const { call } = nextCall(run, policy);
    const isSame = run.agent === agent && call?.intent === intent;
    return isSame && sortedJson(call.params) === sortedJson(params);
  });
  if (isStep) return refuse(`${capability} is a macro, and a macro runs no macro`);
  const { madeBy } = macro;
  const run = beginRun({ macro, agent, cycle, to: at.from, re: at.seq, madeBy, values: params });
  const begun = goOn(state, String(at.seq), run, at.nowMs, policy);
  const timer: Letter = {
    to: MACROS,
    event: { type: "macro.overdue", run: at.seq },
    delayMs: policy.waitMs,
  };
  return done(begun.state, [...begun.letters, timer]);
}

/** The next step, or the end. */
function goOn(
  state: MacrosState,
  question: string,
  run: MacroRun,
  atMs: number,
  policy: KeeperPolicy,
): Done {
  const next = nextCall(run, policy);
  const open = { ...state, runs: { ...state.runs, [question]: run } };
  if (next.call === undefined) return closeRun(open, question, next.end, atMs);
  const { agent, cycle, to, facts } = run;
  const event: MailOf<"call.requested"> = { type: "call.requested", agent, cycle, ...next.call };
  return done(open, [ask({ to, key: `run:${question}`, event, because: facts.slice(-1) })]);
}

const questionOf = (key: string | undefined): string => key?.slice("run:".length) ?? "";

function endStep(
  state: MacrosState,
  finished: Delivered<"call.finished">,
  policy: KeeperPolicy,
): Done {
  const { key, nowMs } = finished.at;
  const question = questionOf(key);
  const open = ownValue(state.runs, question);
  if (open === undefined) return done(state);
  const { run, end } = takeStep(open, finished, policy);
  if (end === undefined) return goOn(state, question, run, nowMs, policy);
  return closeRun({ ...state, runs: { ...state.runs, [question]: run } }, question, end, nowMs);
}

/** The end of a run: it is counted, and the engine is answered. */
function closeRun(state: MacrosState, question: string, end: RunEnd, atMs: number): Done {
  const run = ownValue(state.runs, question);
  if (run === undefined) return done(state);
  const { [question]: _, ...runs } = state.runs;
  const { name, steps } = run.macro;
  const next = { ...state, runs, book: countRun(state.book, name, end.ok, atMs) };
  const because = restsOn(run, end);
  const result = runResult(run, end);
  const event: MailOf<"capability.answered"> = end.ok
    ? { type: "capability.answered", ok: true, result }
    : { type: "capability.answered", ok: false, result, error: end.reason ?? "no reason given" };
  const word = say({
    type: "macro.ended",
    name,
    agent: run.agent,
    cycle: run.cycle,
    run: run.re,
    ok: end.ok,
    ran: run.told.length,
    total: steps.length,
    reason: end.reason,
  });
  return done(next, [
    { to: run.to, event, re: run.re, because },
    { ...word, because },
    ...changeLetters(next, because.slice(-1)),
  ]);
}

function endOverdue(state: MacrosState, { run: question, at }: Delivered<"macro.overdue">): Done {
  const run = String(question);
  if (ownValue(state.runs, run) === undefined) return done(state);
  const end = { ok: false, reason: "the engine waited no longer for its end" };
  const closed = closeRun(state, run, end, at.nowMs);
  return done(closed.state, [cancelAsk(`run:${run}`), ...closed.letters]);
}

export interface MacrosInput {
  readonly macros: readonly Macro[];
}

export const macroKeeperService = (policy: KeeperPolicy): Service<MacrosState, MacrosInput> => ({
  kind: "service",
  id: "macroKeeper",
  on: {
    "entries.asked": (state, { at }) => {
      const next = { ...state, engine: at.from };
      // What the engine before it had asked for, nobody waits for.
      const closed = at.from === state.engine ? next : { ...next, runs: {} };
      return done(closed, [{ ...listLetter(closed, at.from), re: at.seq }]);
    },
    "capability.called": (state, event) => openCall(state, event, policy),
    "call.finished": (state, event) => endStep(state, event, policy),
    "ask.bounced": (state, { address, at }) => {
      const end = { ok: false, reason: `no actor lives at ${address}` };
      return closeRun(state, questionOf(at.key), end, at.nowMs);
    },
    "macro.overdue": endOverdue,
    "step.reported": (state, step) => done({ ...state, traces: traceStep(state.traces, step) }),
    "goal.reported": (state, goal) => {
      const traces = traceGoal(state.traces, goal, goal.at, policy);
      const next = { ...state, traces };
      return policy.mined === "goal" && traces.completed !== state.traces.completed
        ? mineMacros(next, policy)
        : done(next);
    },
    "dream.began": (state) => mineMacros(state, policy),
    "macro.learned": (state, event) => learnMacro(state, event, policy),
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
      traces: { open: {}, completed: [] },
      leftMs: {},
      runs: {},
    },
    // There are never more than are kept: as none was used, each later one takes the first's place.
    letters: macros
      .slice(policy.kept)
      .map(({ name: by }, index) =>
        say({ type: "macro.evicted", name: macros[index]?.name ?? "", uses: 0, by }),
      ),
  }),
});
