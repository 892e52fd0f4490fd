/** A binary heap of envelopes in the order (dueMs, seq): the only order in which things happen. */
import type { Envelope } from "./envelope.ts";

const before = (a: Envelope, b: Envelope): boolean =>
  a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.seq < b.seq);

export class EnvelopeQueue {
  readonly #heap: Envelope[] = [];

  get size(): number {
    return this.#heap.length;
  }

  peek(): Envelope | undefined {
    return this.#heap[0];
  }

  push(envelope: Envelope): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(envelope);
    while (index > 0) {
      const parentIndex = (index - 1) >> 1;
      const parent = heap[parentIndex] as Envelope;
      if (before(parent, envelope)) break;
      heap[index] = parent;
      index = parentIndex;
    }
    heap[index] = envelope;
  }

  pop(): Envelope | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const right = child + 1;
      const least =
        right < heap.length && before(heap[right] as Envelope, heap[child] as Envelope)
          ? right
          : child;
      if (before(last, heap[least] as Envelope)) break;
      heap[index] = heap[least] as Envelope;
      index = least;
    }
    heap[index] = last;
    return top;
  }

  /** All envelopes in delivery order, for a checkpoint. */
  sorted(): Envelope[] {
    return [...this.#heap].sort((a, b) => (before(a, b) ? -1 : 1));
  }
}
