/**
 * Envelopes in the order (dueMs, seq): the only order in which things happen. A heap, each node with four children;
 * what is compared stands in arrays of numbers of its own, so that it touches no envelope. What is due at the very
 * instant of the last one taken comes in order, mostly, and waits in a line beside the heap.
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
  /** From `#first` to before `#end`: all due at one instant, with rising numbers. */
  readonly #line: (Envelope | undefined)[] = [];
  #first = 0;
  #end = 0;
  #lastMs = -1;
  #lastSeq = -1;

  get size(): number {
    return this.#heap.length + this.#end - this.#first;
  }

  /** When the next envelope is due; undefined with an empty queue. */
  get nextDueMs(): number | undefined {
    const lineMs = this.#line[this.#first]?.dueMs;
    if (this.#heap.length === 0) return lineMs;
    return Math.min(lineMs ?? Number.POSITIVE_INFINITY, this.#dues[0] as number);
  }

  push(envelope: Envelope): void {
    // Of the same instant as the last one in the line, or the last one taken: a number may have been reserved long before.
    if (envelope.dueMs === this.#lastMs && envelope.seq > this.#lastSeq) {
      this.#line[this.#end++] = envelope;
      this.#lastSeq = envelope.seq;
    } else this.#pushToHeap(envelope);
  }

  pop(): Envelope | undefined {
    const next = this.#line[this.#first];
    if (next === undefined || this.#isHeapFirst(next)) return this.#popFromHeap();
    // The list keeps its room.
    this.#line[this.#first++] = undefined;
    if (this.#first === this.#end) {
      this.#first = 0;
      this.#end = 0;
    }
    return next;
  }

  #isHeapFirst({ dueMs, seq }: Envelope): boolean {
    if (this.#heap.length === 0) return false;
    const heapMs = this.#dues[0] as number;
    return heapMs < dueMs || (heapMs === dueMs && (this.#seqs[0] as number) < seq);
  }

  #pushToHeap(envelope: Envelope): void {
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

  #popFromHeap(): Envelope | undefined {
    const heap = this.#heap;
    const top = heap[0];
    if (top !== undefined && this.#end === 0) {
      this.#lastMs = top.dueMs;
      this.#lastSeq = top.seq;
    }
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
    return [...this.#heap, ...this.#line]
      .filter((one) => one !== undefined)
      .sort((a, b) => a.dueMs - b.dueMs || a.seq - b.seq);
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
