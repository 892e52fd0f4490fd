/**
 * Why something happened: the chain back from one delivery to what came from outside and what a
 * model chose. It follows `because` (stored facts), then `cause` (what triggered it). DESIGN §2.2.
 */

import type { Part, Past } from "../contract/part.ts";
import { unusable } from "../contract/purposeTable.ts";
import { faultsIn } from "../faults/faults.ts";
import { onceFor } from "../machines/onceFor.ts";
import type { Delivery } from "../substrate/envelope.ts";
import { finderIn, type Log } from "../substrate/log.ts";
import { choicesIn, type Input } from "../substrate/port.ts";
import { narrate } from "./narrate.ts";

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
  if (id.startsWith("fault:")) return `the fault ${quote(id)}`;
  return id.startsWith("person:")
    ? `the person's word ${quote(id)}`
    : `the model's choice ${quote(id)}`;
}

/** The id of what is there from the start: nothing that could be left out. */
export const STAGE = "stage";

/** A chain of causes, from what was asked about back to what came from outside and what was chosen. */
export interface Explanation {
  readonly question: string;
  /** From the effect back to its origins. */
  readonly chain: readonly Link[];
  readonly origins: readonly Origin[];
  /** Other facts that the first link rests on, besides the one the chain follows. */
  readonly alike: number;
  /** Of what went wrong along the chain, what was first; absent where that is where the chain starts. */
  readonly first?: Link;
  /** Without a question: how many failures there were, and how many of them go back to the same origin. */
  readonly failures?: { readonly all: number; readonly alike: number; readonly origin?: Origin };
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

/** `question`: a seq, or one in a form of `questionForms`; undefined for what a person wants explained first. */
export const why = (
  parts: readonly Part[],
  deliveries: Log,
  inputs: Iterable<Input>,
  question?: string,
): Explanation | undefined => explainer(parts, deliveries, inputs).why(question);

/** Answers many questions of one run: what is found in the whole log is found once. */
export interface Explainer {
  /** As `why`. */
  why(question?: string): Explanation | undefined;
  /** The first links of the chain behind a delivery, at most so many. */
  chain(start: Delivery, linksMost: number): readonly Link[];
  /** What the answer to a question rests on first, in words; undefined where it rests on nothing. */
  cause(question: string): string | undefined;
  /** A delivery in words, as its link says it; null of one that is not told. */
  says(delivery: Delivery): string | null;
  /** What was wanted and did not come about. */
  failures(): readonly Delivery[];
  /** Whether a delivery is something that went wrong in itself. */
  isWrong(delivery: Delivery): boolean;
  /** Whether what is behind it was inferred, and is stated nowhere. */
  isInferred(delivery: Delivery): boolean;
}

export function explainer(
  parts: readonly Part[],
  deliveries: Log,
  inputs: Iterable<Input>,
): Explainer {
  const at = finderIn(deliveries);
  const known: Known = {
    at,
    choices: choicesOf(inputs),
    hindsight: firstPast(parts.flatMap(({ hindsight }) => hindsight?.(deliveries) ?? [])),
    rests: firstPast(parts.flatMap(({ trail }) => trail?.rests?.(deliveries) ?? [])),
  };
  /** By the question, the number of what answers it. */
  let asked: ReadonlyMap<string, number> | undefined;
  const explained = (start: Delivery, question: string, more: Found = {}): Explanation => {
    const { origin: _, first, ...way } = chainFrom(parts, start, known);
    const alike = Math.max(0, (start.because?.length ?? 0) - 1);
    const isDeeper = first !== undefined && first.seq !== way.chain[0]?.seq;
    return { question, ...way, alike, ...(isDeeper && { first }), ...more };
  };
  return {
    why(question) {
      if (question !== undefined)
        return explained(deliveryAsked(parts, deliveries, at, question), question);
      const foremost = foremostOf(parts, deliveries, known);
      if (foremost === undefined) return undefined;
      const { start, ...more } = foremost;
      return explained(start, questionFor(parts, start), more);
    },
    chain: (start, linksMost) => chainFrom(parts, start, known, linksMost).chain,
    cause(question) {
      asked ??= new Map(
        deliveries.flatMap((one) => {
          const own = firstOf(questionsIn(parts), ({ of }) => of(one));
          return own === undefined ? [] : [[own, one.seq] as const];
        }),
      );
      const start = at(asked.get(question) ?? -1);
      return start && chainFrom(parts, start, known, 2).chain[1]?.says;
    },
    says: (delivery) => saidOf(parts, delivery, known),
    failures: () => questionsIn(parts).flatMap(({ failures }) => failures?.(deliveries) ?? []),
    isWrong: (delivery) => isWrong(parts, delivery, at),
    isInferred: (delivery) => trailsOf(parts).trails.some(({ inferred }) => inferred?.(delivery)),
  };
}

/**
 * What a person wants explained first: of the failures the first of those that most go back to where they do; of
 * as many, those that went wrong first. Without failures, trouble; without trouble, a symptom.
 */
function foremostOf(
  parts: readonly Part[],
  deliveries: Log,
  known: Known,
): (Found & { readonly start: Delivery }) | undefined {
  const all = questionsIn(parts).flatMap(({ failures }) => failures?.(deliveries) ?? []);
  const byOrigin = new Map<string, Alike>();
  for (const start of all.slice(0, FAILURES_MAX)) {
    const { first, origin } = chainFrom(parts, start, known);
    const key =
      origin === undefined ? `#${first?.seq ?? start.seq}` : `${origin.kind} ${origin.id}`;
    const group = byOrigin.get(key);
    if (group !== undefined) group.alike++;
    else byOrigin.set(key, { start, since: first?.atMs ?? start.dueMs, alike: 1, origin });
  }
  const [most] = [...byOrigin.values()].sort((a, b) => b.alike - a.alike || a.since - b.since);
  if (most !== undefined) {
    const { start, alike, origin } = most;
    return { start, failures: { all: all.length, alike, ...(origin && { origin }) } };
  }
  const start =
    firstOf(questionsIn(parts), ({ trouble }) => trouble(deliveries)) ??
    firstOf(questionsIn(parts), ({ symptom }) => symptom?.(deliveries));
  return start && { start, failures: { all: 0, alike: 0 } };
}

/** Failures that go back to one origin: the first of them, when it went wrong, and how many there are. */
interface Alike {
  readonly start: Delivery;
  readonly since: number;
  readonly origin: Origin | undefined;
  alike: number;
}

/** Ours: of how many failures it is asked where they go back to. */
const FAILURES_MAX = 200;

/** Which option of its repertoire the scripted model took, by the seq of its answer. */
export function choicesOf(inputs: Iterable<Input>): ReadonlyMap<number, string> {
  const choices = new Map<number, string>();
  for (const one of inputs) {
    if (one.kind === "reply" && one.choice !== undefined) choices.set(one.seq, one.choice);
  }
  return choices;
}

/** The part that starts last comes first: its failures are explained before those of what it rests on. */
const questionsIn = onceFor((parts: readonly Part[]) =>
  parts.toReversed().flatMap(({ questions: own }) => own ?? []),
);

const trailsOf = onceFor((parts: readonly Part[]) => {
  const trails = parts.flatMap(({ trail }) => trail ?? []);
  const telling: readonly string[] = trails.flatMap((trail) => trail.telling ?? []);
  const nobody: ReadonlySet<string> = new Set(trails.flatMap((trail) => trail.nobody ?? []));
  return { trails, telling, nobody };
});
type Trails = ReturnType<typeof trailsOf>;

/** Names of choices that no scenario can take out. */
export const nobodyChooses = (parts: readonly Part[]): ReadonlySet<string> =>
  trailsOf(parts).nobody;

/** How to ask for anything other than a delivery by its number. */
export const questionForms = (parts: readonly Part[]): readonly string[] =>
  questionsIn(parts).flatMap(({ forms }) => forms);

/** What holds of a run that gives no cause to ask. */
export const nothingToAsk = (parts: readonly Part[]): readonly string[] =>
  questionsIn(parts).flatMap(({ none }) => none);

/** What can be asked of this run. */
export const questions = (parts: readonly Part[], deliveries: Log): string[] =>
  questionsIn(parts).flatMap(({ all }) => all(deliveries));

const questionFor = (parts: readonly Part[], delivery: Delivery): string =>
  firstOf(questionsIn(parts), ({ of }) => of(delivery)) ?? String(delivery.seq);

function deliveryAsked(
  parts: readonly Part[],
  deliveries: Log,
  at: Find,
  question: string,
): Delivery {
  const [, kind] = /^(\w+:)./.exec(question) ?? [];
  // A run and an imported log may have questions of the same kind.
  const own = questionsIn(parts).filter(
    ({ forms }) => kind && forms.some((form) => form.startsWith(kind)),
  );
  const delivery =
    own.length > 0
      ? firstOf(own, ({ find }) => find(deliveries, question))
      : at(/^\d+$/.test(question) ? Number(question) : -1);
  if (delivery === undefined) throw new UnknownQuestion(question, questions(parts, deliveries));
  return delivery;
}

const firstPast = <T>(pasts: readonly Past<T>[]): Past<T> => ({
  get: (seq) => firstOf(pasts, (past) => past.get(seq)),
});

/** The first answer that one of them has. */
function firstOf<T, R>(those: readonly T[], ask: (one: T) => R | undefined): R | undefined {
  for (const one of those) {
    const found = ask(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How many failures there were, where it was looked for the first. */
type Found = Pick<Explanation, "failures">;

/** The delivery with a number. */
type Find = (seq: number) => Delivery | undefined;

/** A run as its log and its recording tell it, by the numbers of its deliveries. */
interface Known {
  readonly at: Find;
  readonly choices: ReadonlyMap<number, string>;
  readonly hindsight: Past<string>;
  readonly rests: Past<number>;
}

interface Way extends Pick<Explanation, "chain" | "origins" | "first"> {
  /** The origin that is nearest behind what went wrong first. */
  readonly origin: Origin | undefined;
}

function chainFrom(
  parts: readonly Part[],
  start: Delivery,
  whole: Known,
  linksMost = Number.POSITIVE_INFINITY,
): Way {
  const { at: find, choices, rests } = whole;
  const known = trailsOf(parts);
  const chain: Link[] = [];
  const origins: Origin[] = [];
  let first: Link | undefined;
  /** How many origins there were before it. */
  let before = 0;
  let subject: string | undefined;
  for (
    let at: Delivery | undefined = start;
    at !== undefined && chain.length < linksMost;
    at = restOf(at, find, rests) ?? parentOf(at, find, subject, known)
  ) {
    const delivery: Delivery = at;
    subject = firstOf(known.trails, (trail) => trail.subject?.(delivery)) ?? subject;
    const choice = choices.get(at.seq);
    const { seq, dueMs: atMs, to: actor, event } = at;
    const says = saidOf(parts, at, whole);
    if (says !== null) {
      const link: Link = { seq, atMs, actor, type: event.type, says };
      chain.push(link);
      if (isWrong(parts, delivery, find)) {
        first = link;
        before = origins.length;
      }
    }
    for (const id of choicesBehind(choice, at, subject, known)) {
      if (!known.nobody.has(id)) origins.push({ kind: "choice", id, seq });
    }
    // Of an imported log, what nothing is stated of need not come from outside.
    const isOutside = at.cause === null && at.from.startsWith("outside/");
    if (isOutside) origins.push({ kind: "outside", id: inputOf(at), seq });
  }
  return { chain, origins, ...(first && { first }), origin: origins[before] };
}

/** What only the whole log can say stands in place of its own words, and empty for silence. */
const saidOf = (
  parts: readonly Part[],
  delivery: Delivery,
  { hindsight, choices }: Known,
): string | null => {
  const choice = choices.get(delivery.seq);
  const says = (hindsight.get(delivery.seq) ?? narrate(parts, delivery, choice)) || null;
  const faults = faultsIn(choice);
  return faults.length === 0 ? says : `${says ?? "A fault met this answer."} [${faults.join(" ")}]`;
};

const isWrong = (parts: readonly Part[], delivery: Delivery, find: Find): boolean =>
  firstOf(trailsOf(parts).trails, ({ wrong }) => wrong?.(delivery)) ??
  isUseless(parts, delivery, find);

/** An answer of a model that its asker could not use, or none. */
function isUseless(parts: readonly Part[], { event, re, cause }: Delivery, at: Find): boolean {
  if (event.type !== "llm.replied") return event.type === "llm.failed";
  const asked = at(re ?? cause ?? -1)?.event;
  return (
    asked?.type === "llm.asked" && unusable(parts, asked.purpose, event.text, asked.view) !== null
  );
}

/** Whoever is started by no one is there from the start, whichever part sets the stage. */
const inputOf = ({ event, from }: Delivery): string =>
  event.type === "actor.start" ? STAGE : from.slice("outside/".length);

/** The choices behind an answer; of those on several matters, the ones that the chain is about. */
function choicesBehind(
  choice: string | undefined,
  delivery: Delivery,
  subject: string | undefined,
  { trails }: Trails,
): readonly string[] {
  const ids = choice === undefined ? [] : choicesIn(choice);
  return firstOf(trails, ({ chosen }) => chosen?.(delivery, ids, subject)) ?? ids;
}

/**
 * What a delivery rests on, all of it: the fact that only the whole log knows, or those that its part says, or those that it
 * states, or what triggered it. A chain follows one of these.
 */
export function restingOn(
  parts: readonly Part[],
  deliveries: Log,
): (delivery: Delivery) => readonly Delivery[] {
  const at = finderIn(deliveries);
  const rests = firstPast(parts.flatMap(({ trail }) => trail?.rests?.(deliveries) ?? []));
  const { trails } = trailsOf(parts);
  return (delivery) => {
    const rest = restOf(delivery, at, rests);
    const facts = (delivery.because ?? []).flatMap((seq) => at(seq) ?? []);
    const cause = delivery.cause === null ? undefined : at(delivery.cause);
    const own = firstOf(trails, ({ behind }) => behind?.(delivery, facts, undefined)) ?? facts;
    const all = own.length > 0 || facts.length > 0 ? own : [cause];
    return [...all, rest].flatMap((one) => (one && one.seq < delivery.seq ? [one] : []));
  };
}

/** Only an earlier one: a chain that a part of a program's own leads in a circle would never end. */
function restOf({ seq }: Delivery, at: Find, rests: Known["rests"]): Delivery | undefined {
  const rest = rests.get(seq);
  return rest === undefined || rest >= seq ? undefined : at(rest);
}

function parentOf(
  delivery: Delivery,
  at: Find,
  subject: string | undefined,
  { trails, telling }: Trails,
): Delivery | undefined {
  const { because, cause } = delivery;
  const all = (because ?? []).flatMap((seq) => at(seq) ?? []);
  const own = firstOf(trails, ({ behind }) => behind?.(delivery, all, subject));
  if (own !== undefined) return mostTelling(own, telling);
  return mostTelling(all, telling) ?? (cause === null ? undefined : at(cause));
}

/** Facts that explain come before facts that merely preceded; of equals, the last. */
function mostTelling(facts: readonly Delivery[], telling: readonly string[]): Delivery | undefined {
  const rank = ({ event }: Delivery): number => {
    const at = telling.indexOf(event.type);
    return at === -1 ? telling.length : at;
  };
  return facts.reduce<Delivery | undefined>(
    (chosen, fact) => (chosen === undefined || rank(fact) <= rank(chosen) ? fact : chosen),
    undefined,
  );
}
