/**
 * What a person wants to know of a pool that grows, gathered from the event log alone: every turn and
 * request, the questions at the gate, the executors, the money, the nights.
 */

import type { Book } from "../../contract/book.ts";
import type { Mail } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import { isChain, isTerminal, type ProposalState } from "../../machines/synt/contract.ts";
import type { DeskState } from "../../machines/synt/desk/deskState.ts";
import type { ExecutorState } from "../../machines/synt/pool/executorLifecycle.ts";
import type { PoolInput } from "../../machines/synt/pool/poolState.ts";
import type { RequestInput } from "../../machines/synt/request/requestContext.ts";
import { decimalOf } from "../../machines/synt/score/exactShare.ts";
import { contractTerms } from "../../machines/synt/score/reward.ts";
import type { TurnInput } from "../../machines/synt/turn/userTurn.ts";
import { days, MILLION } from "../../machines/units.ts";
import { withChanges } from "../../substrate/changes.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { sumOfCents } from "./exactCents.ts";
import {
  type ExecutorStory,
  isSameRefusal,
  type MoneySample,
  type PoolSample,
  type QuestionStory,
  type RequestStory,
  type SyntMoment,
  type TurnStory,
} from "./requestStory.ts";

/** Of the desk, as the log tells it. */
interface Money extends Pick<DeskState, "startsAtMs"> {
  readonly accounts: { readonly days: { readonly [day: string]: number } };
}

/** Nothing at all in a world without synt. */
export interface SyntStory {
  readonly requests: RequestStory[];
  readonly turns: TurnStory[];
  readonly questions: QuestionStory[];
  readonly executors: ExecutorStory[];
  readonly money: MoneySample[];
  readonly pool: PoolSample[];
  readonly moments: SyntMoment[];
  readonly nights: number[];
  /** What runs of executors cost. */
  runningCents: number;
  /** What calls cost above what was set aside for them. */
  exceededCents: number;
  isThere: boolean;
}

declare module "../../contract/book.ts" {
  interface Books {
    readonly synt: SyntStory;
  }
}

interface ByName<T> {
  [name: string]: T;
}

export interface SyntFacts {
  readonly told: { readonly synt: SyntStory };
  /** By the number of an asking: the places of its questions, and who asked the desk. */
  readonly asked: { [seq: number]: readonly number[] };
  readonly askers: { [seq: number]: string };
  readonly begun: ByName<{ readonly asker: string; readonly cap: number }>;
  readonly makers: ByName<string>;
  readonly standing: ByName<Mail["executor.changed"]>;
  desk: Money | null;
}

export const book: Book<SyntFacts> = {
  start: () => ({
    told: {
      synt: {
        ...{ requests: [], turns: [], questions: [], executors: [], money: [], pool: [] },
        ...{ moments: [], nights: [], runningCents: 0, exceededCents: 0, isThere: false },
      },
    },
    ...{ asked: {}, askers: {}, begun: {}, makers: {}, standing: {}, desk: null },
  }),
  step(facts, delivery) {
    const { event, from, to, seq, dueMs, fate } = delivery;
    followMoney(facts, delivery);
    if (event.type === "actor.start") started(facts, event, delivery);
    // A call is paid for even when no actor waits for its answer any more.
    if (event.type === "paid.ended") paid(facts, event);
    if (!facts.told.synt.isThere || (fate !== "handled" && fate !== "served")) return;
    switch (event.type) {
      case "synth.requested":
        facts.askers[seq] = askerOf(from);
        break;
      case "synth.stated":
        stated(facts, event, delivery);
        break;
      case "person.asked":
        questioned(facts, event, seq, dueMs);
        break;
      case "person.decided":
        noteDecision(facts, event, delivery);
        break;
      case "chain.replayed":
        turnOf(facts, event).unasked = event.cleanRuns;
        break;
      case "user.told":
        turnOf(facts, event).told = event.text;
        break;
      case "turn.closed":
        closed(facts, event, dueMs);
        break;
      case "executor.offered":
        offered(facts, event);
        break;
      case "executor.changed":
        changed(facts, event, dueMs);
        break;
      case "executor.ran":
        noteRun(facts, event);
        break;
      case "money.ran":
        facts.told.synt.runningCents += event.cents;
        break;
      case "money.exceeded": {
        const more = (event.cost - event.setAside) / MILLION;
        facts.told.synt.exceededCents = sumOfCents([facts.told.synt.exceededCents, more]);
        note(facts, dueMs, `${event.request} paid ${more.toFixed(2)} ct more than was set aside`);
        break;
      }
      case "night.locked":
        note(facts, dueMs, `${event.by} failed, and locks what ${event.hits} was ${event.how}`);
        break;
      case "money.dayPassed":
        note(facts, dueMs, `the money of ${event.day} is over: no call begins any more`);
        break;
      case "night.came":
        if (to === "pool") facts.told.synt.nights.push(dueMs);
    }
  },
  // The user's turns are moments of its own.
  tellsOf: ({ event }) => event.type === "actor.start" && event.machine === "userTurn",
};

/** What an actor is started with is told by its machine. */
function started(
  facts: SyntFacts,
  { machine, input }: Mail["actor.start"],
  { cause, dueMs: atMs }: SeenDelivery,
): void {
  switch (machine) {
    case "pool":
      facts.told.synt.isThere = true;
      for (const { name } of (input as PoolInput).executors) {
        facts.makers[name] = "by hand";
      }
      break;
    case "userTurn": {
      const { turn, says } = input as TurnInput;
      const open = { endMs: null, ok: false, isReplayed: false, unasked: null, told: "" };
      facts.told.synt.turns.push({ turn, says, atMs, ...open });
      note(facts, atMs, `turn ${turn}: "${says}"`);
      break;
    }
    case "synthesisRequest": {
      const { request, budgetCents: cap } = input as RequestInput;
      facts.begun[request] = { asker: facts.askers[cause ?? -1] ?? NIGHT, cap };
    }
  }
}

function stated(
  facts: SyntFacts,
  said: Mail["synth.stated"],
  { cause, dueMs: atMs }: SeenDelivery,
): void {
  const { request, state, intent, strategy, rationale, weighed, scored } = said;
  let story = facts.told.synt.requests.find((one) => one.request === request);
  if (story === undefined) {
    // A refusal is said by the desk itself, in answer to the asking.
    const refused = { asker: facts.askers[cause ?? -1] ?? NIGHT, cap: null };
    const { asker, cap } = facts.begun[request] ?? refused;
    const open = { isRefused: false, reward: null, terms: null, spent: 0, made: null, endMs: null };
    const weighed: RequestStory["weighed"] = [];
    story = { request, asker, intent, strategy, states: [], rationale, cap, ...open, weighed };
    facts.told.synt.requests.push(story);
  }
  if (story.states.at(-1)?.state !== state) story.states.push({ state, atMs });
  story.strategy = strategy ?? story.strategy;
  story.rationale = rationale;
  for (const one of weighed) {
    const { total, passes } = one.scored.reward;
    story.weighed.push({ strategy: one.strategy, reward: decimalOf(total), passes });
  }
  story.reward =
    scored === null ? (story.weighed.at(-1)?.reward ?? null) : decimalOf(scored.reward.total);
  const by = (scored ?? weighed.at(-1)?.scored)?.reward.parts;
  if (by !== undefined) story.terms = contractTerms(by);
  if (!isTerminal(state)) return;
  story.endMs = atMs;
  story.isRefused = said.locked === true;
  if (MADE.includes(state)) {
    const { artefact } = said;
    story.made = isChain(artefact) ? null : (artefact?.name ?? null);
  }
  // What one lock refuses night after night is one moment.
  const isOld = facts.told.synt.requests.some((one) => one !== story && isSameRefusal(one, story));
  const how = story.isRefused ? `refused at once, and ${state}` : state;
  if (!isOld) note(facts, atMs, `${request} is ${how}${story.made ? `: ${story.made}` : ""}`);
}

function paid(facts: SyntFacts, { call, cost }: Mail["paid.ended"]): void {
  const request = call.split("/")[1];
  const story = facts.told.synt.requests.find((one) => one.request === request);
  if (story !== undefined) story.spent = sumOfCents([story.spent, cost / MILLION]);
}

function questioned(
  facts: SyntFacts,
  question: Mail["person.asked"],
  seq: number,
  atMs: number,
): void {
  const { purpose } = question;
  const about =
    question.purpose === "proposals"
      ? question.dossier.proposals.map(({ request }) => request)
      : [question.request];
  const open = { decidedMs: null, decision: null };
  const asked = about.map((request) => ({ asking: seq, atMs, purpose, request, ...open }));
  facts.asked[seq] = asked.map((_, index) => facts.told.synt.questions.length + index);
  facts.told.synt.questions.push(...asked);
}

function noteDecision(
  facts: SyntFacts,
  word: Mail["person.decided"],
  { re, dueMs }: SeenDelivery,
): void {
  const { decisions = [] } = word;
  for (const place of facts.asked[re ?? -1] ?? []) {
    const asked = facts.told.synt.questions[place];
    if (asked === undefined) continue;
    const own = decisions.find(({ request }) => request === asked.request)?.decision;
    const decision = own ?? word.decision;
    if (decision === undefined) continue;
    asked.decidedMs = dueMs;
    asked.decision = decision;
    note(facts, dueMs, `the person decides on ${asked.request} (${asked.purpose}): ${decision}`);
  }
}

function turnOf(facts: SyntFacts, of: { readonly turn: string }): Partial<TurnStory> {
  return facts.told.synt.turns.findLast(({ turn }) => turn === of.turn) ?? {};
}

function closed(facts: SyntFacts, closed: Mail["turn.closed"], endMs: number): void {
  const { ok, replayed: isReplayed } = closed;
  Object.assign(turnOf(facts, closed), { endMs, ok, isReplayed });
}

function offered(
  { makers }: SyntFacts,
  {
    offer: {
      facts: { name },
      request,
    },
  }: Mail["executor.offered"],
): void {
  if (!Object.hasOwn(makers, name)) makers[name] = request;
}

function changed(facts: SyntFacts, changed: Mail["executor.changed"], atMs: number): void {
  const { name, state } = changed;
  facts.standing[name] = changed;
  const known = facts.told.synt.executors.find((one) => one.name === name);
  if (known === undefined) {
    const origin = ownValue(facts.makers, name) ?? "unknown";
    facts.told.synt.executors.push({ name, origin, state, sinceMs: atMs, runs: 0, wellRuns: 0 });
  } else {
    known.state = state;
    known.sinceMs = atMs;
    if (FAREWELLS.includes(state)) note(facts, atMs, `${name} is ${state}`, true);
  }
  const all = Object.values(facts.standing);
  const visible = all.filter((one) => one.isVisible).length;
  const loaded = all.filter((one) => one.isLoaded).length;
  if (facts.told.synt.pool.at(-1)?.atMs === atMs) facts.told.synt.pool.pop();
  facts.told.synt.pool.push({ atMs, visible, loaded });
}

function noteRun(facts: SyntFacts, { executor, ok }: Mail["executor.ran"]): void {
  const one = facts.told.synt.executors.find(({ name }) => name === executor);
  if (one === undefined) return;
  one.runs += 1;
  if (ok) one.wellRuns += 1;
}

/** What is spent and set aside on the day of the desk's calendar. */
function followMoney(facts: SyntFacts, delivery: SeenDelivery): void {
  const { to, event, dueMs } = delivery;
  const isBirth = event.type === "actor.start" && event.machine === "syntDesk";
  if (!isBirth && (facts.desk === null || !/^synt(#\d+)?$/.test(to))) return;
  facts.desk = withChanges(isBirth ? {} : { ...facts.desk }, delivery.changes) as Money;
  const { startsAtMs, accounts } = facts.desk;
  const day = Math.floor((startsAtMs + dueMs) / days(1));
  const cents = (accounts.days[day] ?? 0) / MILLION;
  const last = facts.told.synt.money.at(-1);
  if (last !== undefined && last.day === day && last.cents === cents) return;
  if (last?.atMs === dueMs) facts.told.synt.money.pop();
  facts.told.synt.money.push({ atMs: dueMs, day, cents });
}

function note(facts: SyntFacts, atMs: number, label: string, isFarewell = false): void {
  facts.told.synt.moments.push({ atMs, label, isFarewell });
}

export const NIGHT = "the night";
const MADE: readonly ProposalState[] = ["born", "fused", "generalised", "specialised"];
const FAREWELLS: readonly ExecutorState[] = ["quarantined", "archived", "deprecated"];

const askerOf = (from: string): string => {
  const [kind, turn] = from.split("/");
  return kind === "gateway" && turn !== undefined ? `turn ${turn}` : NIGHT;
};
