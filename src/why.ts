/**
 * Why something happened: the chain back from one delivery to what came from outside and what a
 * model chose. It follows `because` (stored facts), then `cause` (what triggered it). DESIGN §2.2.
 */
import { narrate } from "./narrate.ts";
import { scoresTold } from "./scoreMoved.ts";
import type { Delivery } from "./substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "./substrate/isEvent.ts";
import { choicesIn, type Input } from "./substrate/port.ts";
import { feltBy } from "./sufferingMirror.ts";
import {
  isSyntQuestion,
  requestIn,
  syntFound,
  syntQuestionFor,
  syntQuestions,
  syntTrouble,
} from "./syntQuestions.ts";

export interface Link {
  readonly seq: number;
  readonly atMs: number;
  readonly actor: string;
  readonly type: string;
  readonly says: string;
}

/** Where a chain ends, or passes: what could be taken out of the run to change it. */
export type Origin =
  | { readonly kind: "outside"; readonly id: string; readonly seq: number }
  | { readonly kind: "choice"; readonly id: string; readonly seq: number };

/** An origin in words; `quote` sets its id off. */
export function originText(
  { kind, id }: Pick<Origin, "kind" | "id">,
  quote: (id: string) => string = (text) => text,
): string {
  if (kind === "outside") {
    return id === STAGE ? "what was there from the start" : `the outside input ${quote(id)}`;
  }
  return id.startsWith("person:")
    ? `the person's word ${quote(id)}`
    : `the model's choice ${quote(id)}`;
}

const STAGE = "stage";

/** A chain of causes, from what was asked about back to what came from outside and what was chosen. */
export interface Explanation {
  readonly question: string;
  /** From the effect back to its origins. */
  readonly chain: readonly Link[];
  readonly origins: readonly Origin[];
  /** Other facts that the first link rests on, beside the one the chain follows. */
  readonly alike: number;
}

/** A question that fits nothing in the run; `known` lists what could be asked. */
export class UnknownQuestion extends Error {
  override readonly name = "UnknownQuestion";
  readonly known: readonly string[];
  constructor(question: string, known: readonly string[]) {
    super(`nothing in this run answers to ${JSON.stringify(question)}`);
    this.known = known;
  }
}

/**
 * `question`: a seq, goal:A/N, stressor:A/T, call:SEQ, request:R, executor:NAME, turn:ID; undefined
 * for what went wrong first, or of synt last.
 */
export function why(
  deliveries: readonly Delivery[],
  inputs: readonly Input[],
  question?: string,
): Explanation | undefined {
  const index = new Map(deliveries.map((delivery) => [delivery.seq, delivery]));
  const start = question === undefined ? worst(deliveries) : found(deliveries, index, question);
  if (start === undefined) return undefined;
  const choices = choicesOf(inputs);
  return {
    question: question ?? questionFor(start),
    ...chainFrom(start, index, choices, scoresTold(deliveries)),
    alike: Math.max(0, (start.because?.length ?? 0) - 1),
  };
}

/** Which option of its repertoire the scripted model took, by the seq of its answer. */
export const choicesOf = (inputs: readonly Input[]): ReadonlyMap<number, string> =>
  new Map(
    inputs.flatMap((input) =>
      input.kind === "reply" && input.choice !== undefined ? [[input.seq, input.choice]] : [],
    ),
  );

/** What can be asked of this run: every abandoned goal, every stressor that came up, all of synt. */
export function questions(deliveries: readonly Delivery[]): string[] {
  const failed = deliveries.filter((one) => isFailedGoal(one) || isOnset(one)).map(questionFor);
  return [...failed, ...syntQuestions(deliveries)];
}

function worst(deliveries: readonly Delivery[]): Delivery | undefined {
  return deliveries.find(isOnset) ?? deliveries.find(isFailedGoal) ?? syntTrouble(deliveries);
}

/** Told to everybody's ledger; the keeper of lessons hears it too. */
const isEndOfGoal = (delivery: Delivery): delivery is DeliveryOf<"goal.ended"> =>
  isEvent(delivery, "goal.ended") && !delivery.to.startsWith("lessons/");
const isFailedGoal = (delivery: Delivery): boolean =>
  isEndOfGoal(delivery) && delivery.event.status === "abandoned";
const isOnset = (delivery: Delivery): boolean =>
  isEvent(delivery, "stressor.changed") &&
  feltBy(delivery) !== undefined &&
  delivery.event.sinceMs !== null;

function questionFor(delivery: Delivery): string {
  const { event, seq } = delivery;
  if (event.type === "goal.ended") return `goal:${event.agent}/${event.n}`;
  const who = feltBy(delivery);
  if (who === undefined || event.type !== "stressor.changed") {
    return syntQuestionFor(delivery) ?? String(seq);
  }
  return `stressor:${who}/${event.stressor}`;
}

function found(
  deliveries: readonly Delivery[],
  index: ReadonlyMap<number, Delivery>,
  question: string,
): Delivery {
  const [, kind = "", rest = ""] =
    /^(goal|stressor|call|request|executor|turn):(.+)$/.exec(question) ?? [];
  const seq = kind === "" ? question : rest;
  const delivery = isSyntQuestion(kind)
    ? syntFound(deliveries, question)
    : kind === "goal" || kind === "stressor"
      ? deliveries.find((one) => isAsked(one) && questionFor(one) === question)
      : index.get(/^\d+$/.test(seq) ? Number(seq) : -1);
  if (delivery === undefined) throw new UnknownQuestion(question, questions(deliveries));
  if (kind !== "call") return delivery;
  return (
    deliveries.find(({ event, re }) => event.type === "call.finished" && re === delivery.seq) ??
    delivery
  );
}

const isAsked = (delivery: Delivery): boolean => isEndOfGoal(delivery) || isOnset(delivery);

function chainFrom(
  start: Delivery,
  index: ReadonlyMap<number, Delivery>,
  choices: ReadonlyMap<number, string>,
  scores: ReadonlyMap<number, string>,
): Pick<Explanation, "chain" | "origins"> {
  const chain: Link[] = [];
  const origins: Origin[] = [];
  let subject: string | undefined;
  for (let at: Delivery | undefined = start; at !== undefined; at = parentOf(at, index, subject)) {
    subject = requestIn(at) ?? subject;
    const choice = choices.get(at.seq);
    const { seq, dueMs: atMs, to: actor, event } = at;
    // What a judge's answer was worth follows from what its request said of it.
    const says = scores.get(seq) ?? narrate(at, choice);
    if (says !== null) chain.push({ seq, atMs, actor, type: event.type, says });
    for (const id of choicesBehind(choice, at, subject)) {
      if (!isNothing(id)) origins.push({ kind: "choice", id, seq });
    }
    if (at.cause === null)
      origins.push({ kind: "outside", id: at.from.slice("outside/".length), seq });
  }
  return { chain, origins };
}

/** The choices behind an answer; of those on a whole dossier, the one that the chain is about. */
function choicesBehind(
  choice: string | undefined,
  { event }: Delivery,
  subject: string | undefined,
): readonly string[] {
  const ids = choice === undefined ? [] : choicesIn(choice);
  const { decisions = [] } = event.type === "person.decided" ? event : {};
  if (decisions.length !== ids.length) return ids;
  const own = ids.filter((_, index) => `synt/${decisions[index]?.request}` === subject);
  return own.length > 0 ? own : ids;
}

/** The scripted answer where the scenario has none: there is nothing to take out. */
const isNothing = (choice: string): boolean =>
  choice === "synt:nothing" || choice === "person:nobody";

/** Facts that explain come before facts that merely preceded. */
const TELLING = [
  "folder.changed",
  "call.routed",
  "call.finished",
  "goal.ended",
  "host.message",
  "outside.signal",
  "llm.replied",
  "call.requested",
];

/** What an agent hears of the outside. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(["host.message", "outside.signal"]);

function parentOf(
  { because, cause, event }: Delivery,
  index: ReadonlyMap<number, Delivery>,
  subject: string | undefined,
): Delivery | undefined {
  const all = (because ?? []).flatMap((seq) => index.get(seq) ?? []);
  // Of the proposals in one dossier, that which the chain is about.
  const own = all.filter(({ from }) => from === subject);
  const facts = event.type === "person.asked" && own.length > 0 ? own : all;
  const isChoosing = event.type === "llm.asked" && event.purpose === "goal.choose";
  // What a model chose of its own accord has no earlier cause than the model.
  if (isChoosing) return facts.findLast((fact) => FROM_OUTSIDE.has(fact.event.type));
  const rank = (fact: Delivery): number => (TELLING.indexOf(fact.event.type) + 100) % 100;
  const best = facts.reduce<Delivery | undefined>(
    (chosen, fact) => (chosen === undefined || rank(fact) <= rank(chosen) ? fact : chosen),
    undefined,
  );
  return best ?? (cause === null ? undefined : index.get(cause));
}
