/** Calls of macros from the engine's question to its answer: the keeper's share of each run. */
import { ask, cancelAsk, type Delivered, type Json, type Letter, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { sortedJson } from "../sortedJson.ts";
import { countRun, type KeptMacro, macroOf, withoutMacro } from "./macroBook.ts";
import {
  beginRun,
  type MacroRun,
  nextCall,
  type RunEnd,
  restsOn,
  runResult,
  takeStep,
} from "./macroRun.ts";
import {
  changeLetters,
  type KeeperPolicy,
  MACROS,
  type MacrosDone,
  type MacrosState,
  noteLeft,
  say,
} from "./macroState.ts";

/** A call of a macro, or of `retire_capability` for one. */
export function openCall(
  state: MacrosState,
  { agent, cycle, capability, intent, params, at }: Delivered<"capability.called">,
  policy: KeeperPolicy,
): MacrosDone {
  const refused = (error: string): MacrosDone => ({
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
      : retireMacro(state, named, agent, { ...at, to: at.from });
  }
  const asked = { agent, intent, params };
  if (Object.values(state.runs).some((run) => isStepOf(run, asked, policy))) {
    return refused(`${capability} is a macro, and a macro runs no macro`);
  }
  const { madeBy } = macro;
  const run = beginRun({
    ...{ macro, agent, cycle, to: at.from, re: at.seq, madeBy },
    values: params,
  });
  const timer: Letter = {
    to: MACROS,
    event: { type: "macro.overdue", run: at.seq },
    delayMs: policy.waitMs,
  };
  const done = goOn(state, String(at.seq), run, at.nowMs, policy);
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
  policy: KeeperPolicy,
): boolean {
  const { call } = nextCall(run, policy);
  return (
    run.agent === agent && call?.intent === intent && sortedJson(call.params) === sortedJson(params)
  );
}

function retireMacro(
  state: MacrosState,
  macro: KeptMacro,
  by: string,
  { to, seq, nowMs }: { readonly to: string; readonly seq: number; readonly nowMs: number },
): MacrosDone {
  const { name } = macro;
  const next = noteLeft({ ...state, book: withoutMacro(state.book, name) }, [macro], nowMs);
  return {
    state: next,
    letters: [
      {
        to,
        event: { type: "capability.answered", ok: true, result: { ok: true, retired: name } },
        re: seq,
      },
      say({ type: "macro.retired", name, by }),
      ...changeLetters(next, [seq]),
    ],
  };
}

/** The next step, or the end. */
function goOn(
  state: MacrosState,
  question: string,
  run: MacroRun,
  atMs: number,
  policy: KeeperPolicy,
): MacrosDone {
  const next = nextCall(run, policy);
  const open = { ...state, runs: { ...state.runs, [question]: run } };
  if (next.call === undefined) return closeRun(open, question, next.end, atMs);
  const { agent, cycle, to, facts } = run;
  const event: MailOf<"call.requested"> = { type: "call.requested", agent, cycle, ...next.call };
  return {
    state: open,
    letters: [ask({ to, key: `run:${question}`, event, because: facts.slice(-1) })],
  };
}

export const runKey = (key: string | undefined): string => key?.slice("run:".length) ?? "";

export function endStep(
  state: MacrosState,
  finished: Delivered<"call.finished">,
  policy: KeeperPolicy,
): MacrosDone {
  const question = runKey(finished.at.key);
  const open = ownValue(state.runs, question);
  if (open === undefined) return { state, letters: [] };
  const { run, end } = takeStep(open, finished, policy);
  if (end === undefined) return goOn(state, question, run, finished.at.nowMs, policy);
  return closeRun(
    { ...state, runs: { ...state.runs, [question]: run } },
    question,
    end,
    finished.at.nowMs,
  );
}

/** The end of a run: it is counted, and the engine is answered. */
export function closeRun(
  state: MacrosState,
  question: string,
  end: RunEnd,
  atMs: number,
): MacrosDone {
  const run = ownValue(state.runs, question);
  if (run === undefined) return { state, letters: [] };
  const { [question]: _, ...runs } = state.runs;
  const { name, steps } = run.macro;
  const next = { ...state, runs, book: countRun(state.book, name, end.ok, atMs) };
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
      ...changeLetters(next, because.slice(-1)),
    ],
  };
}

export function endOverdue(
  state: MacrosState,
  { run: question, at }: Delivered<"macro.overdue">,
): MacrosDone {
  const run = String(question);
  if (ownValue(state.runs, run) === undefined) return { state, letters: [] };
  const end = { ok: false, reason: "the engine waited no longer for its end" };
  const done = closeRun(state, run, end, at.nowMs);
  return { state: done.state, letters: [cancelAsk(`run:${run}`), ...done.letters] };
}
