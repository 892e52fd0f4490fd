import { expect } from "vitest";

/** A premise of a property: how often it held is counted, since one that never holds makes the property say nothing. */
export class Premise {
  #asked = 0;
  #held = 0;

  holds(premise: boolean): boolean {
    this.#asked += 1;
    if (premise) this.#held += 1;
    return premise;
  }

  /** Fails when the premise held in less than this share (0 … 1) of all draws. */
  expectAtLeast(share: number): void {
    expect(this.#held / this.#asked, "how often the premise held").toBeGreaterThanOrEqual(share);
  }
}
