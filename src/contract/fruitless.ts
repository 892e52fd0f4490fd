/** How a part tells that nothing came of what its actors did, and why not. */

import type { Log } from "../substrate/log.ts";
import { countOf } from "./countOf.ts";
import type { ModelUse } from "./modelUse.ts";
import { type Tally, tally } from "./tally.ts";

/** One thing that did not come about; reasons are counted, the most frequent first. */
export interface Fruitless {
  readonly what: string;
  readonly reasons: readonly string[];
}

/** A run as far as it came. */
export interface Done {
  readonly deliveries: Log;
  readonly use: ModelUse;
  /** ` so far` when more could come, else empty. */
  readonly soFar: string;
}

/** Ours: how many reasons of a kind are told. */
const REASONS_MAX = 3;

/** A model of whose answers to a kind of question none could be used. */
export function answerReasons({ asked, answered, usable, purposes, errors }: ModelUse): string[] {
  if (answered === 0) {
    return asked === 0
      ? []
      : [`${countOf(asked, "question")} to the model, no answer${list(errors)}.`];
  }
  if (usable === 0) {
    const faults = [...purposes].flatMap(([purpose, one]) =>
      one.faults.map(([fault, count]) => [`${fault} for ${purpose}`, count] as const),
    );
    return [`${countOf(answered, "answer")}, 0 usable${list(faults)}.`];
  }
  return [...purposes]
    .filter(([, one]) => one.usable === 0)
    .map(
      ([purpose, one]) =>
        `${countOf(one.answered, "answer")} to ${purpose}, 0 usable${list(one.faults)}.`,
    );
}

export const top = (texts: readonly string[]): Tally => tally(texts).slice(0, REASONS_MAX);

function list(counts: Tally): string {
  const words = counts.slice(0, REASONS_MAX).map(([text, count]) => `${text} (${count})`);
  return words.length === 0 ? "" : `: ${words.join(", ")}`;
}

export const noneOf = (count: number, one: string, what: string): string =>
  count === 1 ? `the only ${one} was not ${what}` : `none of ${count} ${one}s was ${what}`;
