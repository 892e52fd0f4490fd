/** A list of numbers that grows, at eight bytes for each. */
export class NumberList {
  length = 0;
  #numbers: Float64Array<ArrayBuffer>;

  /** Grows from there on. */
  constructor(room = 1_024) {
    this.#numbers = new Float64Array(room);
  }

  copy(): NumberList {
    const twin = new NumberList(0);
    twin.#numbers = this.#numbers.slice(0, Math.max(1, this.length));
    twin.length = this.length;
    return twin;
  }

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = value;
  }

  pop(): void {
    this.length -= 1;
  }

  at(place: number): number {
    return this.#numbers[place] as number; // The caller knows how many there are.
  }
}
