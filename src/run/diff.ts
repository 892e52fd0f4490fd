/** Two runs side by side: what was different before, the first thing that went differently, and why. */
import type { Part } from "../contract/part.ts";
import type { Sections } from "../contract/scenario.ts";
import { BLOCK } from "../substrate/chain.ts";
import type { Delivery } from "../substrate/envelope.ts";
import { finderIn, type Log } from "../substrate/log.ts";
import type { Input } from "../substrate/port.ts";
import type { Manifest } from "./bundle.ts";
import { Meter } from "./meter.ts";
import { type Explanation, explainer } from "./why.ts";

/** One of two runs: what its bundle holds, with its deliveries, derived or as logged. */
export interface DiffSide {
  readonly manifest: Manifest;
  readonly deliveries: Log;
  readonly inputs: readonly Input[];
  readonly agents: readonly string[];
  /** What else its scenario says, for the meter that measures the run. */
  readonly scenario?: Partial<Sections>;
}

/** How two runs differ; `same` when they went the same way, delivery by delivery. */
export interface DiffResult {
  readonly same: boolean;
  /** What was set differently: path, value in a, value in b. */
  readonly settings: readonly (readonly [string, unknown, unknown])[];
  /** Metrics of the whole world that ended differently: name, a, b. */
  readonly metrics: readonly (readonly [string, number, number])[];
  readonly first: FirstDivergence | null;
}

export interface FirstDivergence {
  /** Which delivery, from 1. */
  readonly delivery: number;
  readonly atMs: number;
  readonly a: Told | null;
  readonly b: Told | null;
}

interface Told {
  readonly seq: number;
  readonly atMs: number;
  readonly actor: string;
  readonly says: string;
  readonly because: Explanation | null;
}

export function diff(parts: readonly Part[], a: DiffSide, b: DiffSide): DiffResult {
  const index = firstDifference(parts, a.deliveries, b.deliveries);
  const telling = index === null ? [] : tellingPair(a, b, index);
  return {
    same: index === null,
    settings: settingsOf(a.manifest, b.manifest),
    metrics: metricsOf(parts, a, b),
    first:
      index === null
        ? null
        : {
            delivery: index + 1,
            atMs: Math.min(timeOf(a, index), timeOf(b, index)),
            a: sideOf(parts, a, telling[0]),
            b: sideOf(parts, b, telling[1]),
          },
  };
}

/** A value on one side; a dash for what it does not have, as an imported log has no policy. */
export function shownValue(value: unknown): string {
  if (value === undefined) return "–";
  return typeof value === "number" ? String(Math.round(value * 1000) / 1000) : String(value);
}

/** By place, from where two logs part: whether the other one has no such letter at that time. */
export function unpaired(
  parts: readonly Part[],
  [a, b]: readonly [Log, Log],
  from: number,
): readonly [readonly boolean[], readonly boolean[]] {
  const [left, right] = [a, b].map((log) =>
    Array.from({ length: Math.max(0, log.length - from) }, (_, at) =>
      letterText(parts, log.at(from + at)),
    ),
  ) as [string[], string[]];
  return [without(left, right), without(right, left)];
}

/** Of each text, whether the others have fewer of it than stood before. */
function without(texts: readonly string[], others: readonly string[]): readonly boolean[] {
  const left = new Map<string, number>();
  for (const text of others) left.set(text, (left.get(text) ?? 0) + 1);
  return texts.map((text) => {
    const count = left.get(text) ?? 0;
    if (count > 0) left.set(text, count - 1);
    return count === 0;
  });
}

function letterText(parts: readonly Part[], delivery: Delivery | undefined): string {
  if (delivery === undefined) return "";
  const comparing = parts.find(({ compared }) => compared !== undefined)?.compared;
  const { dueMs, from, to, event } = delivery;
  return JSON.stringify([dueMs, from, to, comparing?.(event) ?? event]);
}

const timeOf = ({ deliveries }: DiffSide, index: number): number =>
  deliveries.at(index)?.dueMs ?? Number.MAX_SAFE_INTEGER;

/** Equal digests vouch for everything before them, so the first block that differs can be bisected. */
function firstDifference(parts: readonly Part[], a: Log, b: Log): number | null {
  const shorter = Math.min(a.length, b.length);
  let low = 0;
  let high = Math.floor(shorter / BLOCK);
  while (low < high) {
    const middle = (low + high) >> 1;
    const last = (middle + 1) * BLOCK - 1;
    if (a.at(last)?.digest === b.at(last)?.digest) low = middle + 1;
    else high = middle;
  }
  for (let place = low * BLOCK; place < shorter; place++) {
    if (textOf(parts, a.at(place)) !== textOf(parts, b.at(place))) return place;
  }
  return a.length === b.length ? null : shorter;
}

/** What counts of a delivery. Where a part compares less than all, digests are of more than counts. */
function textOf(parts: readonly Part[], delivery: Delivery | undefined): string | undefined {
  const comparing = parts.find(({ compared }) => compared !== undefined)?.compared;
  if (delivery === undefined || comparing === undefined) return JSON.stringify(delivery);
  const { digest: _, event, ...rest } = delivery;
  const counting = comparing(event);
  return JSON.stringify(counting === event ? delivery : { ...rest, event: counting });
}

function settingsOf(a: Manifest, b: Manifest): [string, unknown, unknown][] {
  const both: [string, unknown, unknown][] = [
    ["scenario", a.scenario.name, b.scenario.name],
    ["scenario text", a.scenario.sha256.slice(0, 12), b.scenario.sha256.slice(0, 12)],
    ["variant", a.variant, b.variant],
    ["seed", a.seed, b.seed],
    ["until", a.untilMs, b.untilMs],
    ["forked", forksIn(a), forksIn(b)],
    ...Object.keys({ ...a.policy, ...b.policy })
      .sort()
      .map((path): [string, unknown, unknown] => [path, a.policy[path], b.policy[path]]),
  ];
  return both.filter(([, x, y]) => JSON.stringify(x) !== JSON.stringify(y));
}

/** Where a run left recorded ones, and what changed there. */
const forksIn = ({ forks = [] }: Manifest): string | null =>
  forks.length === 0
    ? null
    : forks
        .map(({ at, set, drop, reseed }) =>
          [
            `after delivery ${at}`,
            ...Object.entries(set).map(([path, value]) => `${path}=${value}`),
            ...drop.map((id) => `without ${id}`),
            ...(reseed === undefined ? [] : [`drawn from seed ${reseed}`]),
          ].join(", "),
        )
        .join("; ");

function metricsOf(parts: readonly Part[], a: DiffSide, b: DiffSide): [string, number, number][] {
  const [x, y] = [a, b].map(({ agents, deliveries, scenario }) => {
    const meter = new Meter(parts, agents, scenario);
    for (const delivery of deliveries) meter.observe(delivery);
    return meter.finals();
  });
  return Object.keys(x ?? {})
    .map((name): [string, number, number] => [
      name,
      x?.[name]?.["world"] ?? 0,
      y?.[name]?.["world"] ?? 0,
    ])
    .filter(([, one, other]) => one !== other);
}

type Pair = readonly [Delivery | undefined, Delivery | undefined];

/**
 * The two deliveries that show the difference best. When the same letter arrived on both sides but
 * was answered in another way, such as a question to a model, these are the answers.
 */
function tellingPair(a: DiffSide, b: DiffSide, index: number): Pair {
  const [x, y] = [a.deliveries.at(index), b.deliveries.at(index)];
  if (x === undefined || y === undefined || letterText([], x) !== letterText([], y)) return [x, y];
  const answers = ({ deliveries }: DiffSide, of: Delivery): (Delivery | undefined)[] => {
    const find = finderIn(deliveries);
    return of.letters.map(({ seq }) => find(seq));
  };
  const [sentByX, sentByY] = [answers(a, x), answers(b, y)];
  const longer = Math.max(sentByX.length, sentByY.length);
  for (let n = 0; n < longer; n++) {
    const [left, right] = [sentByX[n], sentByY[n]];
    if (letterText([], left) !== letterText([], right)) return [left ?? x, right ?? y];
  }
  return [x, y];
}

function sideOf(
  parts: readonly Part[],
  { deliveries, inputs }: DiffSide,
  delivery: Delivery | undefined,
): Told | null {
  if (delivery === undefined) return null;
  const explained = explainer(parts, deliveries, inputs);
  const { seq, dueMs: atMs, to: actor, event, from } = delivery;
  return {
    seq,
    atMs,
    actor,
    says: explained.says(delivery) ?? `${event.type} from ${from} to ${actor}`,
    because: explained.why(String(seq)) ?? null,
  };
}
