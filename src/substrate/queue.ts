/**
 * A heap of envelopes in the order (dueMs, seq): the only order in which things happen. Each node has four
 * children, and what is compared stands in arrays of numbers of its own: it touches no envelope.
 */
import type { Envelope } from "./envelope.ts";

/** As a power of two. */
const CHILDREN_BITS = 2;
const CHILDREN = 1 << CHILDREN_BITS;

export class EnvelopeQueue {
  readonly #heap: Envelope[] = [];
  /** Of the envelopes at the same places. */
  #dues = new Float64Array(64);
  #seqs = new Float64Array(64);

  get size(): number {
    return this.#heap.length;
  }

  /** When the next envelope is due; undefined with an empty queue. */
  get nextDueMs(): number | undefined {
    return this.#heap.length === 0 ? undefined : this.#dues[0];
  }

  push(envelope: Envelope): void {
    let index = this.#heap.length;
    if (index === this.#dues.length) this.#grow();
    const heap = this.#heap;
    const dues = this.#dues;
    const seqs = this.#seqs;
    const { dueMs, seq } = envelope;
    heap.push(envelope);
    while (index > 0) {
      const parent = (index - 1) >> CHILDREN_BITS;
      const parentMs = dues[parent] as number;
      if (parentMs < dueMs || (parentMs === dueMs && (seqs[parent] as number) < seq)) break;
      heap[index] = heap[parent] as Envelope;
      dues[index] = parentMs;
      seqs[index] = seqs[parent] as number;
      index = parent;
    }
    heap[index] = envelope;
    dues[index] = dueMs;
    seqs[index] = seq;
  }

  pop(): Envelope | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return top;
    const dues = this.#dues;
    const seqs = this.#seqs;
    const { dueMs, seq } = last;
    let index = 0;
    for (let first = 1; first < heap.length; first = (index << CHILDREN_BITS) + 1) {
      const end = Math.min(first + CHILDREN, heap.length);
      let least = first;
      let leastMs = dues[first] as number;
      for (let child = first + 1; child < end; child++) {
        const childMs = dues[child] as number;
        if (childMs > leastMs) continue;
        if (childMs === leastMs && (seqs[child] as number) > (seqs[least] as number)) continue;
        least = child;
        leastMs = childMs;
      }
      if (dueMs < leastMs || (dueMs === leastMs && seq < (seqs[least] as number))) break;
      heap[index] = heap[least] as Envelope;
      dues[index] = leastMs;
      seqs[index] = seqs[least] as number;
      index = least;
    }
    heap[index] = last;
    dues[index] = dueMs;
    seqs[index] = seq;
    return top;
  }

  /** All envelopes in delivery order, for a checkpoint. */
  sorted(): Envelope[] {
    return this.#heap.toSorted((a, b) => a.dueMs - b.dueMs || a.seq - b.seq);
  }

  #grow(): void {
    const dues = new Float64Array(2 * this.#dues.length);
    const seqs = new Float64Array(2 * this.#seqs.length);
    dues.set(this.#dues);
    seqs.set(this.#seqs);
    this.#dues = dues;
    this.#seqs = seqs;
  }
}
