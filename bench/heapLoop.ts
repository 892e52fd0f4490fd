/**
 * The floor: a binary heap and plain functions that change plain objects in place. No mail, no log,
 * no limits, no digest. The same heap can serve XState as its clock.
 */
import {
  type ActorState,
  begun,
  mixed,
  nextDraw,
  pauseOf,
  peerOf,
  type World,
} from "./workload.ts";

interface Due {
  readonly dueMs: number;
}

/** A binary heap by `dueMs`; no two entries of this bench share an instant. */
export class Heap<T extends Due> {
  readonly #entries: T[] = [];

  peek(): T | undefined {
    return this.#entries[0];
  }

  push(entry: T): void {
    const entries = this.#entries;
    let index = entries.length;
    entries.push(entry);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = entries[parentIndex] as T;
      if (parent.dueMs <= entry.dueMs) break;
      entries[index] = parent;
      index = parentIndex;
    }
    entries[index] = entry;
  }

  pop(): T | undefined {
    const entries = this.#entries;
    const top = entries[0];
    const last = entries.pop();
    if (last === undefined || entries.length === 0) return top;
    let index = 0;
    for (let child = 1; child < entries.length; child = 2 * index + 1) {
      const right = entries[child + 1];
      const left = entries[child] as T;
      const least = right !== undefined && right.dueMs < left.dueMs ? right : left;
      if (last.dueMs <= least.dueMs) break;
      entries[index] = least;
      index = least === left ? child : child + 1;
    }
    entries[index] = last;
    return top;
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Plain = Mutable<ActorState>;

interface Call extends Due {
  readonly to: Plain;
  readonly run: (actor: Plain, nowMs: number, value: number) => void;
  readonly value: number;
}

export function heapLoop(actors: number): World {
  const all: Plain[] = Array.from({ length: actors }, (_, index) => begun(index, actors));
  const queue = new Heap<Call>();

  const onTick = (actor: Plain, nowMs: number): void => {
    const draw = nextDraw(actor.draw);
    actor.draw = draw;
    actor.pauseMs = pauseOf(draw, actors);
    actor.ticks += 1;
    actor.trace = mixed(actor.trace, nowMs, draw);
    queue.push({ dueMs: nowMs, to: all[peerOf(actor)] as Plain, run: onPing, value: draw });
    queue.push({ dueMs: nowMs + actor.pauseMs, to: actor, run: onTick, value: 0 });
  };
  const onPing = (actor: Plain, nowMs: number, value: number): void => {
    actor.pings += 1;
    actor.trace = mixed(actor.trace, nowMs, value);
  };

  for (const actor of all) queue.push({ dueMs: actor.pauseMs, to: actor, run: onTick, value: 0 });
  return {
    advance(ticks) {
      for (let left = 2 * ticks; left > 0; left--) {
        const { to, run, dueMs, value } = queue.pop() as Call;
        run(to, dueMs, value);
      }
    },
    states: () => all,
    close: () => {},
  };
}
