/** The places of a model's server: a call takes the one that is free the soonest; of several the first. */
export class SoonestFree {
  /** By place. */
  readonly #freeAtMs: number[];
  /** A heap of the places: each is free no later than the two below it. */
  readonly #heap: number[];

  constructor(count: number) {
    this.#freeAtMs = new Array<number>(count).fill(0);
    this.#heap = this.#freeAtMs.map((_, place) => place);
  }

  /** Takes a place, which is free again at the moment that is made of the one before; gives that moment. */
  take(readyAfter: (freeMs: number) => number): number {
    const place = this.#heap[0] as number; // There is one at least.
    const readyMs = readyAfter(this.#freeAtMs[place] as number);
    this.#freeAtMs[place] = readyMs;
    this.#sink(0);
    return readyMs;
  }

  saved(): number[] {
    return [...this.#freeAtMs];
  }

  /** A policy that changed on the way may have more of them, or fewer. */
  restore(saved: readonly number[]): void {
    for (const place of this.#freeAtMs.keys()) this.#freeAtMs[place] = saved[place] ?? 0;
    for (let at = this.#heap.length >> 1; at >= 0; at--) this.#sink(at);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    for (let at = from; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < heap.length && this.#isBefore(below, least)) least = below;
      }
      if (least === at) return;
      [heap[at], heap[least]] = [heap[least] as number, heap[at] as number];
      at = least;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [place, otherPlace] = [this.#heap[one] as number, this.#heap[other] as number];
    const apart = (this.#freeAtMs[place] as number) - (this.#freeAtMs[otherPlace] as number);
    return apart < 0 || (apart === 0 && place < otherPlace);
  }
}
