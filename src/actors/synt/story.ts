/**
 * What a person wants to know of a pool that grows, gathered from the event log alone: every turn and
 * request, the questions at the gate, the executors, the money, the nights.
 */

import type { Teller } from "../../contract/part.ts";
import type { Mail } from "../../machines/letter.ts";
import { isChain, isTerminal, type ProposalState } from "../../machines/synt/contract.ts";
import type { DeskState } from "../../machines/synt/deskState.ts";
import { decimalOf } from "../../machines/synt/exactShare.ts";
import type { ExecutorState } from "../../machines/synt/executorLifecycle.ts";
import type { PoolInput } from "../../machines/synt/poolState.ts";
import type { RequestInput } from "../../machines/synt/requestEvents.ts";
import type { TurnInput } from "../../machines/synt/turnContext.ts";
import { days, MILLION } from "../../machines/units.ts";
import { withChanges } from "../../substrate/changes.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
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

export class SyntStory {
  readonly requests: RequestStory[] = [];
  readonly turns: TurnStory[] = [];
  readonly questions: QuestionStory[] = [];
  readonly executors: ExecutorStory[] = [];
  readonly money: MoneySample[] = [];
  readonly pool: PoolSample[] = [];
  readonly moments: SyntMoment[] = [];
  readonly nights: number[] = [];
  /** What runs of executors cost. */
  runningCents = 0;
  /** What calls cost above what was set aside for them. */
  exceededCents = 0;
  /** Nothing at all in a world without synt. */
  isThere = false;
  readonly #asked = new Map<number, QuestionStory[]>();
  /** The askers of the desk, by the number of the asking. */
  readonly #askers = new Map<number, string>();
  readonly #begun = new Map<string, { readonly asker: string; readonly cap: number }>();
  readonly #makers = new Map<string, string>();
  readonly #standing = new Map<string, Mail["executor.changed"]>();
  #desk: Money | undefined;

  observe(delivery: SeenDelivery): void {
    const { event, from, to, seq, dueMs, fate } = delivery;
    this.#followMoney(delivery);
    if (event.type === "actor.start") this.#started(event, delivery);
    // A call is paid for even when no actor waits for its answer any more.
    if (event.type === "paid.ended") this.#paid(event);
    if (!this.isThere || (fate !== "handled" && fate !== "served")) return;
    switch (event.type) {
      case "synth.requested":
        this.#askers.set(seq, askerOf(from));
        break;
      case "synth.stated":
        this.#stated(event, delivery);
        break;
      case "person.asked":
        this.#questioned(event, seq, dueMs);
        break;
      case "person.decided":
        this.#decided(event, delivery);
        break;
      case "chain.replayed":
        this.#turn(event).unasked = event.cleanRuns;
        break;
      case "user.told":
        this.#turn(event).told = event.text;
        break;
      case "turn.closed":
        this.#closed(event, dueMs);
        break;
      case "executor.offered":
        this.#offered(event);
        break;
      case "executor.changed":
        this.#changed(event, dueMs);
        break;
      case "executor.ran":
        this.#ran(event);
        break;
      case "money.ran":
        this.runningCents += event.cents;
        break;
      case "money.exceeded": {
        const more = (event.cost - event.setAside) / MILLION;
        this.exceededCents += more;
        this.#note(dueMs, `${event.request} paid ${more.toFixed(2)} ct more than was set aside`);
        break;
      }
      case "night.locked":
        this.#note(dueMs, `${event.by} failed, and locks what ${event.hits} was ${event.how}`);
        break;
      case "money.dayPassed":
        this.#note(dueMs, `the money of ${event.day} is over: no call begins any more`);
        break;
      case "night.came":
        if (to === "pool") this.nights.push(dueMs);
    }
  }

  /** What an actor is started with is told by its machine. */
  #started({ machine, input }: Mail["actor.start"], { cause, dueMs: atMs }: SeenDelivery): void {
    switch (machine) {
      case "pool":
        this.isThere = true;
        for (const { name } of (input as PoolInput).executors) {
          this.#makers.set(name, "by hand");
        }
        break;
      case "userTurn": {
        const { turn, says } = input as TurnInput;
        const open = { endMs: null, ok: false, isReplayed: false, unasked: null, told: "" };
        this.turns.push({ turn, says, atMs, ...open });
        this.#note(atMs, `turn ${turn}: "${says}"`);
        break;
      }
      case "synthesisRequest": {
        const { request, budgetCents: cap } = input as RequestInput;
        this.#begun.set(request, { asker: this.#askers.get(cause ?? -1) ?? NIGHT, cap });
      }
    }
  }

  #stated(said: Mail["synth.stated"], { cause, dueMs: atMs }: SeenDelivery): void {
    const { request, state, intent, strategy, rationale, weighed, scored } = said;
    let story = this.requests.find((one) => one.request === request);
    if (story === undefined) {
      // A refusal is said by the desk itself, in answer to the asking.
      const refused = { asker: this.#askers.get(cause ?? -1) ?? NIGHT, cap: null };
      const { asker, cap } = this.#begun.get(request) ?? refused;
      const open = { isRefused: false, reward: null, spent: 0, made: null, endMs: null };
      const weighed: RequestStory["weighed"] = [];
      story = { request, asker, intent, strategy, states: [], rationale, cap, ...open, weighed };
      this.requests.push(story);
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
    if (!isTerminal(state)) return;
    story.endMs = atMs;
    story.isRefused = said.locked === true;
    if (MADE.includes(state)) {
      const { artefact } = said;
      story.made = isChain(artefact) ? null : (artefact?.name ?? null);
    }
    // What one lock refuses night after night is one moment.
    const isOld = this.requests.some((one) => one !== story && isSameRefusal(one, story));
    const how = story.isRefused ? `refused at once, and ${state}` : state;
    if (!isOld) this.#note(atMs, `${request} is ${how}${story.made ? `: ${story.made}` : ""}`);
  }

  #paid({ call, cost }: Mail["paid.ended"]): void {
    const request = call.split("/")[1];
    const story = this.requests.find((one) => one.request === request);
    if (story !== undefined) story.spent += cost / MILLION;
  }

  #questioned(question: Mail["person.asked"], seq: number, atMs: number): void {
    const { purpose } = question;
    const about =
      question.purpose === "proposals"
        ? question.dossier.proposals.map(({ request }) => request)
        : [question.request];
    const open = { decidedMs: null, decision: null };
    const asked = about.map((request) => ({ asking: seq, atMs, purpose, request, ...open }));
    this.#asked.set(seq, asked);
    this.questions.push(...asked);
  }

  #decided(word: Mail["person.decided"], { re, dueMs }: SeenDelivery): void {
    const { decisions = [] } = word;
    for (const asked of this.#asked.get(re ?? -1) ?? []) {
      const own = decisions.find(({ request }) => request === asked.request)?.decision;
      const decision = own ?? word.decision;
      if (decision === undefined) continue;
      asked.decidedMs = dueMs;
      asked.decision = decision;
      this.#note(dueMs, `the person decides on ${asked.request} (${asked.purpose}): ${decision}`);
    }
  }

  #turn(of: { readonly turn: string }): Partial<TurnStory> {
    return this.turns.findLast(({ turn }) => turn === of.turn) ?? {};
  }

  #closed(closed: Mail["turn.closed"], endMs: number): void {
    const { ok, replayed: isReplayed } = closed;
    Object.assign(this.#turn(closed), { endMs, ok, isReplayed });
  }

  #offered({ offer: { facts, request } }: Mail["executor.offered"]): void {
    if (!this.#makers.has(facts.name)) this.#makers.set(facts.name, request);
  }

  #changed(changed: Mail["executor.changed"], atMs: number): void {
    const { name, state } = changed;
    this.#standing.set(name, changed);
    const known = this.executors.find((one) => one.name === name);
    if (known === undefined) {
      const origin = this.#makers.get(name) ?? "unknown";
      this.executors.push({ name, origin, state, sinceMs: atMs, runs: 0, wellRuns: 0 });
    } else {
      known.state = state;
      known.sinceMs = atMs;
      if (FAREWELLS.includes(state)) this.#note(atMs, `${name} is ${state}`, true);
    }
    const all = [...this.#standing.values()];
    const visible = all.filter((one) => one.isVisible).length;
    const loaded = all.filter((one) => one.isLoaded).length;
    if (this.pool.at(-1)?.atMs === atMs) this.pool.pop();
    this.pool.push({ atMs, visible, loaded });
  }

  #ran({ executor, ok }: Mail["executor.ran"]): void {
    const one = this.executors.find(({ name }) => name === executor);
    if (one === undefined) return;
    one.runs += 1;
    if (ok) one.wellRuns += 1;
  }

  /** What is spent and set aside on the day of the desk's calendar. */
  #followMoney(delivery: SeenDelivery): void {
    const { to, event, dueMs } = delivery;
    const isBirth = event.type === "actor.start" && event.machine === "syntDesk";
    if (!isBirth && (this.#desk === undefined || !/^synt(#\d+)?$/.test(to))) return;
    this.#desk = withChanges(isBirth ? {} : { ...this.#desk }, delivery.changes) as Money;
    const { startsAtMs, accounts } = this.#desk;
    const day = Math.floor((startsAtMs + dueMs) / days(1));
    const cents = (accounts.days[day] ?? 0) / MILLION;
    const last = this.money.at(-1);
    if (last !== undefined && last.day === day && last.cents === cents) return;
    if (last?.atMs === dueMs) this.money.pop();
    this.money.push({ atMs: dueMs, day, cents });
  }

  #note(atMs: number, label: string, isFarewell = false): void {
    this.moments.push({ atMs, label, isFarewell });
  }
}

declare module "../../contract/story.ts" {
  interface Stories {
    readonly synt: SyntStory;
  }
}

export function story(): Teller {
  const synt = new SyntStory();
  return {
    told: { synt },
    observe: (delivery) => synt.observe(delivery),
    // The user's turns are moments of its own.
    tellsOf: ({ event }) => event.type === "actor.start" && event.machine === "userTurn",
  };
}

export const NIGHT = "the night";
const MADE: readonly ProposalState[] = ["born", "fused", "generalised", "specialised"];
const FAREWELLS: readonly ExecutorState[] = ["quarantined", "archived", "deprecated"];

const askerOf = (from: string): string => {
  const [kind, turn] = from.split("/");
  return kind === "gateway" && turn !== undefined ? `turn ${turn}` : NIGHT;
};
