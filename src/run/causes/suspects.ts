/** What may have decided: outside inputs, choices, answers of tools, and mail on which an outcome rests, by its name. */

import { type MetricName, WORLD } from "../../contract/gauge.ts";
import type { Part } from "../../contract/part.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { TOOL_PORTS } from "../../faults/toolPorts.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { choicesIn, type Input, type Reply } from "../../substrate/port.ts";
import { meterOf } from "../compare.ts";
import { otherwiseOf } from "../otherwise.ts";
import { nobodyChooses, restingOn, STAGE, why } from "../why.ts";
import { type Change, changeText } from "./changes.ts";
import type { Effect } from "./effect.ts";

export interface Suspect {
  readonly change: Change;
  /** Who asked for what, and which such question it was, or who sent it: `agent/cedar, goal.choose, call 51`; null of an outside input. */
  readonly first: string | null;
  /** When it came first. */
  readonly atMs: number;
  /** Deliveries of the run before it could make a difference. */
  readonly place: number;
  /** In how many of those deliveries that make the outcome it has a part. */
  readonly behind: number;
}

export interface Ran {
  readonly scenario: Scenario;
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
}

/** Ours: deliveries that make an outcome, of which it is asked on what they rest. */
const STARTS_MAX = 60;

export interface Suspects {
  /** Inputs, choices and answers of tools. Those behind most of the outcome first; of as many, the later ones. */
  readonly suspects: readonly Suspect[];
  /** Births, timers, registrations and decisions of routers, from so many deliveries on; in the same order. */
  readonly mailFrom: (place: number) => readonly Suspect[];
  /** Inputs of which the log does not say that the outcome rests on them; the later ones first. */
  readonly besides: readonly Suspect[];
  /** How many deliveries that make the outcome were looked at. */
  readonly starts: number;
}

type Named = Omit<Suspect, "behind">;

export function suspectsOf(
  parts: readonly Part[],
  ran: Ran,
  effect: Effect,
  untilMs: number,
): Suspects {
  const { deliveries, inputs } = ran;
  const makers = makersOf(parts, ran, effect, untilMs);
  const starts = spread(makers, STARTS_MAX);
  const rests = restingOn(parts, deliveries);
  const replies = new Map(
    inputs.flatMap((one) => (one.kind === "reply" ? [[one.seq, one] as const] : [])),
  );
  const places = new Map(deliveries.map(({ seq }, place) => [seq, place] as const));
  const nobody = nobodyChooses(parts);
  const toolOf = toolAnswering(deliveries);
  const mail = mailIn(parts, deliveries, new Set(makers));
  const own: (readonly Named[])[] = [];
  const sent: (readonly Named[])[] = [];
  for (const start of starts) {
    const all = [...behind(start, rests)];
    const named = all.flatMap((one) => {
      const reply = replies.get(one.seq);
      return [...namedIn(one, { reply, places, tool: toolOf(one) })];
    });
    own.push(named.filter(({ change }) => !("id" in change && nobody.has(change.id))));
    sent.push(all.flatMap(({ seq }) => mail.get(seq) ?? []));
  }
  const suspects = counted(own);
  return {
    suspects,
    besides: inputsBeside(deliveries, suspects, untilMs),
    mailFrom: (from) => counted(sent.map((those) => those.filter(({ place }) => place >= from))),
    starts: starts.length,
  };
}

/** Each by its name with how many of the starts it is behind, where it came first. */
function counted(byStart: readonly (readonly Named[])[]): readonly Suspect[] {
  const found = new Map<string, Suspect>();
  for (const those of byStart) {
    const own = new Map<string, Named>();
    for (const one of those) {
      const id = changeText(one.change);
      const known = own.get(id);
      if (known === undefined || one.place < known.place) own.set(id, one);
    }
    for (const [id, one] of own) {
      const known = found.get(id);
      const first = known === undefined || one.place < known.place ? one : known;
      found.set(id, { ...first, behind: (known?.behind ?? 0) + 1 });
    }
  }
  return [...found.values()].sort((a, b) => b.behind - a.behind || b.place - a.place);
}

/** A log says on what something rests, and not on what it would have stumbled: what a lock opened by, or why nothing came. */
function inputsBeside(
  deliveries: readonly Delivery[],
  known: readonly Suspect[],
  untilMs: number,
): readonly Suspect[] {
  const ids = new Set(known.map(({ change }) => changeText(change)));
  const inputs = deliveries.flatMap((one, place) => {
    if (one.cause !== null || one.dueMs > untilMs) return [];
    return [
      ...namedIn(one, { reply: undefined, tool: undefined, places: new Map([[one.seq, place]]) }),
    ];
  });
  const found = counted([inputs.filter(({ change }) => !ids.has(changeText(change)))]);
  return found.map((one) => ({ ...one, behind: 0 }));
}

/** Mail that could be otherwise, by its number; what makes the outcome is the outcome itself. */
function mailIn(
  parts: readonly Part[],
  deliveries: readonly Delivery[],
  makers: ReadonlySet<Delivery>,
): ReadonlyMap<number, Named> {
  const otherwise = otherwiseOf(parts);
  return new Map(
    deliveries.flatMap((one, place) => {
      const found = makers.has(one) ? undefined : otherwise(one);
      if (found === undefined) return [];
      const change: Change = { kind: "mail", id: found.id };
      return [[one.seq, { change, first: `from ${one.from}`, atMs: one.dueMs, place }] as const];
    }),
  );
}

function* namedIn(
  delivery: Delivery,
  known: {
    readonly reply: Reply | undefined;
    /** The tool that it answers for, as if all were well. */
    readonly tool: string | undefined;
    readonly places: ReadonlyMap<number, number>;
  },
): Generator<Named, undefined> {
  const { cause, from, seq, dueMs, re, event } = delivery;
  const { reply, tool, places } = known;
  const id = from.slice("outside/".length);
  // Whoever comes later is let in from outside, too; who was there from the start is the world itself.
  const isWorld = id === STAGE || (event.type === "actor.start" && dueMs === 0);
  if (cause === null && from.startsWith("outside/") && !isWorld) {
    const place = places.get(seq) ?? 0;
    yield { change: { kind: "event", id }, first: null, atMs: dueMs, place };
  }
  if (reply === undefined) return;
  const first = `${reply.from}, ${reply.purpose}, call ${reply.nth}`;
  // It was made where the question arrived; what is drawn later is drawn anew.
  const place = places.get(re ?? seq) ?? places.get(seq) ?? 0;
  if (tool !== undefined) {
    yield { change: { kind: "fault", does: "fails", tool }, first, atMs: dueMs, place };
  }
  if (reply.choice === undefined) return;
  for (const id of choicesIn(reply.choice)) {
    yield { change: { kind: "choice", id }, first, atMs: dueMs, place };
  }
}

/** The tool for which a delivery answers as if all were well. */
export function toolAnswering(
  deliveries: readonly Delivery[],
): (delivery: Delivery) => string | undefined {
  const asked = new Map(
    deliveries.flatMap(({ seq, to, event }) => {
      const tool = ownValue(TOOL_PORTS, to)?.tool(event);
      return tool === undefined ? [] : [[seq, tool] as const];
    }),
  );
  return ({ re, cause, from, event }) =>
    ownValue(TOOL_PORTS, from)?.read(event)?.ok ? asked.get(re ?? cause ?? -1) : undefined;
}

/** Everything that a delivery rests on, itself too. */
function behind(
  start: Delivery,
  rests: (delivery: Delivery) => readonly Delivery[],
): Iterable<Delivery> {
  const seen = new Map<number, Delivery>([[start.seq, start]]);
  // A map goes on to what is added on the way.
  for (const one of seen.values()) for (const more of rests(one)) seen.set(more.seq, more);
  return seen.values();
}

/** The deliveries that make the outcome: that change what is measured, that answer the question, else the last one. */
function makersOf(
  parts: readonly Part[],
  { scenario, deliveries, inputs }: Ran,
  effect: Effect,
  untilMs: number,
): readonly Delivery[] {
  const early = deliveries.filter(({ dueMs }) => dueMs <= untilMs);
  if (effect.kind === "asked") {
    const [first] = why(parts, deliveries, inputs, effect.question)?.chain ?? [];
    return deliveries.filter(({ seq }) => seq === first?.seq);
  }
  if (effect.kind === "broken") return early.slice(-1);
  const { metric, actor } = effect.expectation;
  const meter = meterOf(parts, scenario);
  const value = (): number => meter.series(metric as MetricName, actor ?? WORLD).at(-1)?.value ?? 0;
  let before = value();
  return early.filter((one) => {
    meter.observe(one);
    const after = value();
    const isOther = after !== before;
    before = after;
    return isOther;
  });
}

/** So many of them, first and last among them. */
const spread = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most
    ? all
    : Array.from(
        { length: most },
        (_, at) => all[Math.floor((at * (all.length - 1)) / (most - 1))],
      ).flatMap((one) => one ?? []);
