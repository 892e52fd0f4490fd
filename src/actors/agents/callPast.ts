/**
 * What only the whole log can say of calls: on whose file, and on which call before, a call rests of which nothing
 * came. Each is found when a chain of causes asks for it.
 */

import type { Past } from "../../contract/part.ts";
import { who } from "../../contract/words.ts";
import { isNull } from "../../machines/agents/engine/ghosts.ts";
import { onceFor } from "../../machines/onceFor.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";
import { finderIn, type Log, ofTypes } from "../../substrate/log.ts";
import { isFruitless } from "./book/calls.ts";

type Finished = DeliveryOf<"call.finished">;

/** What is kept of the end of a call. */
interface Ended extends Pick<Finished["event"], "capability" | "nothing" | "ok"> {
  readonly seq: number;
  readonly who: string;
  readonly routedBy: number | undefined;
}

interface Calls {
  /** By the delivery in which the call ended. */
  readonly byCause: ReadonlyMap<number, Ended>;
  /** By capability, when something came of its calls; and the numbers of the others. */
  readonly good: ReadonlyMap<string, readonly number[]>;
  readonly bad: ReadonlyMap<string, readonly number[]>;
}

const callsOf = onceFor((log: Log): Calls => {
  const byCause = new Map<number, Ended>();
  const good = new Map<string, number[]>();
  const bad = new Map<string, number[]>();
  for (const one of ofTypes(log, "call.finished")) {
    const { seq, cause, because = [], to, event } = one;
    const { capability, nothing, ok } = event;
    if (cause !== null) {
      byCause.set(cause, { seq, capability, nothing, ok, who: who(to), routedBy: because[0] });
    }
    if (capability === null) continue;
    const [list, fact] = isFruitless(one) ? [bad, seq] : [good, one.dueMs];
    const known = list.get(capability);
    if (known === undefined) list.set(capability, [fact]);
    else known.push(fact);
  }
  return { byCause, good, bad };
});

export const callPasts = onceFor(
  (log: Log): { readonly rests: Past<number>; readonly says: Past<string> } => {
    const at = finderIn(log);
    const past = new CallPast(at, () => callsOf(log));
    return {
      rests: { get: (seq) => past.rest(at(seq)) },
      says: { get: (seq) => past.says(at(seq)) },
    };
  },
);

class CallPast {
  readonly #at: (seq: number) => Delivery | undefined;
  readonly #calls: () => Calls;

  constructor(at: (seq: number) => Delivery | undefined, calls: () => Calls) {
    this.#at = at;
    this.#calls = calls;
  }

  /** The number of the delivery that this one rests on; undefined where its own facts say it. */
  rest(one: Delivery | undefined): number | undefined {
    if (one === undefined) return undefined;
    if (isEvent(one, "call.finished")) return isFruitless(one) ? this.#restOfCall(one) : undefined;
    if (isEvent(one, "sandbox.replied")) return this.#restOfRun(one);
    return undefined;
  }

  /** Who wrote a file by which call; nothing of a result that its call tells already. */
  says(one: Delivery | undefined): string | undefined {
    if (one === undefined) return undefined;
    if (isEvent(one, "sandbox.replied")) {
      return this.#calls().byCause.has(one.seq) ? "" : undefined;
    }
    if (one.to !== "files" || one.cause === null) return undefined;
    const paths = pathsOf(one);
    const by = this.#calls().byCause.get(one.cause) ?? this.#routed(one.cause);
    if (paths.length === 0 || by === undefined) return undefined;
    const what = isHollow(one) ? "nothing into " : "";
    const came = by.nothing ? ", which returned nothing," : "";
    return `${by.who}'s call of ${by.capability}${came} wrote ${what}${paths.join(", ")}.`;
  }

  #routed(seq: number): Pick<Ended, "who" | "capability" | "nothing"> | undefined {
    const one = this.#at(seq);
    if (one === undefined || !isEvent(one, "call.routed")) return undefined;
    return { who: one.event.agent, capability: one.event.capability, nothing: false };
  }

  #restOfCall({ event, because = [], re }: Finished): number | undefined {
    const result = this.#at(because.at(-1) ?? -1);
    if (event.capability === null) return this.#brokenBy(event.error ?? "", re);
    // A refusal rests on what the lock does, not on the call.
    if (event.locked) return because.at(-1);
    if (result === undefined) return undefined;
    if (isEvent(result, "sandbox.replied")) {
      return this.#isToBlame(event.capability, result) ? undefined : result.seq;
    }
    if (isEvent(result, "files.replied") || isEvent(result, "shell.replied")) {
      return this.#writer([...because.slice(1), ...(result.because ?? [])]);
    }
    const isOutside = isEvent(result, "tool.replied") || isEvent(result, "llm.failed");
    return isOutside ? result.seq : undefined;
  }

  /** Code that an agent wrote, and with which nothing has gone well: it is the first thing to look at. */
  #isToBlame(capability: string, { dueMs, cause }: Delivery): boolean {
    const madeBy = this.#at(cause ?? -1)?.because?.[0] ?? -1;
    const maker = this.#at(madeBy);
    if (maker === undefined || maker.event.type === "actor.start") return false;
    const good = this.#calls().good.get(capability) ?? [];
    return !good.some((atMs) => atMs >= maker.dueMs && atMs < dueMs);
  }

  /** What code returned is taken from the files that it was shown; without any it rests on its call. */
  #restOfRun({ seq, cause }: Delivery): number | undefined {
    const ended = this.#calls().byCause.get(seq);
    if (ended === undefined) return undefined;
    const run = this.#at(cause ?? -1);
    const view = this.#at(run?.cause ?? -1);
    const writers = view !== undefined && isEvent(view, "files.replied") ? view.because : [];
    return this.#writer(writers ?? []) ?? ended.routedBy;
  }

  /** Of those who wrote what was read: who wrote nothing, else the outside, else the last one. */
  #writer(facts: readonly number[]): number | undefined {
    let found: number | undefined;
    let weight = -1;
    for (const seq of facts) {
      const one = this.#at(seq);
      // What lies there from the start, nobody wrote.
      if (one?.to !== "files") continue;
      const isHis = isHollow(one) || this.#calls().byCause.get(one.cause ?? -1)?.nothing === true;
      const own = isHis ? 2 : one.from.startsWith("outside/") ? 1 : 0;
      if (own >= weight) [found, weight] = [seq, own];
    }
    return found;
  }

  /** A tool that is passed over because it is broken: the last call with which it failed. */
  #brokenBy(error: string, re: number | undefined): number | undefined {
    const asked = this.#at(re ?? -1);
    if (asked === undefined || !isEvent(asked, "call.requested")) return undefined;
    const name = error.endsWith("broken or blacklisted")
      ? (asked.event.tool ?? /, but (\w+), which is broken/.exec(error)?.[1])
      : undefined;
    return this.#calls()
      .bad.get(name ?? "")
      ?.findLast((seq) => seq < asked.seq);
  }
}

/** Whether it is something that went wrong in the agents' world; undefined where another part says it. */
export function isWrong(one: Delivery): boolean | undefined {
  if (isEvent(one, "call.finished")) return isFruitless(one) || one.event.unwritten !== undefined;
  const { event } = one;
  switch (event.type) {
    case "goal.ended":
      return event.status === "abandoned";
    case "goalGate.judged":
      return !event.passed;
    case "permission.answered":
      return !event.granted;
    case "sandbox.replied":
    case "tool.replied":
      return !event.ok;
    case "folder.changed":
      // A chain comes here from a call of which nothing came, by way of the tool that took it.
      return event.text !== null;
    default:
      return one.to === "files" && isHollow(one) ? true : undefined;
  }
}

/** The files that a letter to the files changes. */
function pathsOf({ event }: Delivery): readonly string[] {
  switch (event.type) {
    case "files.write":
    case "files.append":
    case "files.edit":
      return [event.path];
    case "files.apply":
      return Object.keys(event.changed).sort();
    default:
      return [];
  }
}

/** Whether it writes a text with nothing in it. */
function isHollow({ event }: Delivery): boolean {
  const texts =
    event.type === "files.apply"
      ? Object.values(event.changed)
      : event.type === "files.write" || event.type === "files.append"
        ? [event.text]
        : [];
  return texts.some((text) => text !== null && isNull(text, EMPTY_TOO));
}

const EMPTY_TOO = { okAloneIsNull: false, emptyIsNull: true } as const;
