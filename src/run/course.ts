/** The kernels of a run, one after the other: each goes on where something changed on the way. */
import type { Policy } from "../contract/policyTree.ts";
import type { Kernel } from "../substrate/kernel.ts";

/** A kernel with what it was made of, up to the next change. */
export interface Stretch {
  readonly kernel: Kernel;
  readonly policy: Policy;
  /** Calls that a recording served in it. */
  readonly served: () => number;
}

export interface StretchAhead {
  /** Deliveries before it. */
  readonly at: number;
  from(before: Kernel): Stretch;
}

export class Course {
  now: Stretch;
  readonly #ahead: StretchAhead[];
  #servedBefore = 0;

  /** `ahead` in the order of their moments. */
  constructor(first: Stretch, ahead: readonly StretchAhead[]) {
    this.now = first;
    this.#ahead = [...ahead];
  }

  /** Calls that a recording served so far. */
  served(): number {
    return this.#servedBefore + this.now.served();
  }

  /** See Kernel. What is to change by now changes first. */
  step(): ReturnType<Kernel["step"]> {
    while (this.#ahead[0]?.at === this.now.kernel.delivered) {
      const next = this.#ahead.shift()?.from(this.now.kernel);
      if (next === undefined) break;
      this.#servedBefore += this.now.served();
      this.now = next;
    }
    return this.now.kernel.step();
  }
}
