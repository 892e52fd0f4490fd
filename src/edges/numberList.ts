/** A list of numbers that grows, at eight bytes for each. */
export class NumberList {
  length = 0;
  #numbers = new Float64Array(1024);

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.length++] = value;
  }

  at(place: number): number {
    return this.#numbers[place] as number; // The caller knows how many there are.
  }
}
