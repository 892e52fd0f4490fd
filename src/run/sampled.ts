/** The samples of one metric of one actor, at sixteen bytes each: a long run has a million of them. */
import { NumberList } from "../substrate/numberList.ts";

/** A value from a moment on, until the next sample. */
export interface Sample {
  readonly atMs: number;
  readonly value: number;
}

/** Never empty, and oldest first. */
export class Sampled {
  readonly #times: NumberList;
  readonly #values: NumberList;

  constructor(first?: Sample, times = new NumberList(4), values = new NumberList(4)) {
    this.#times = times;
    this.#values = values;
    if (first !== undefined) this.#push(first);
  }

  get lastValue(): number {
    return this.#values.at(this.#values.length - 1);
  }

  copy(): Sampled {
    return new Sampled(undefined, this.#times.copy(), this.#values.copy());
  }

  /** Takes the place of one at the same moment. */
  add(sample: Sample): void {
    if (this.#times.at(this.#times.length - 1) === sample.atMs) {
      this.#times.pop();
      this.#values.pop();
    }
    this.#push(sample);
  }

  /** The value in force at a moment; undefined before the first. */
  valueAt(atMs: number): number | undefined {
    let place = this.#times.length - 1;
    while (place >= 0 && this.#times.at(place) > atMs) place--;
    return place < 0 ? undefined : this.#values.at(place);
  }

  all(): readonly Sample[] {
    return Array.from({ length: this.#times.length }, (_, place) => this.#at(place));
  }

  #push({ atMs, value }: Sample): void {
    this.#times.push(atMs);
    this.#values.push(value);
  }

  #at(place: number): Sample {
    return { atMs: this.#times.at(place), value: this.#values.at(place) };
  }
}
