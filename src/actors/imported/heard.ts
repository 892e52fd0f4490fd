/** What each speaker of a log heard last, and what it said itself. */

import { BoundedMap } from "./boundedMap.ts";
import { bounds } from "./bounds.ts";

interface Own {
  /** What was said to it alone, or came back to it. */
  readonly told?: number;
  readonly said?: number;
}

interface Aloud {
  readonly speaker: string;
  readonly seq: number;
}

export class Heard {
  readonly #own = new BoundedMap<string, Own>(bounds.agents);
  /** What was said to everyone: the last, and the last of anyone but its speaker. */
  #last: Aloud | undefined;
  #lastOfOthers: Aloud | undefined;

  get forgotten(): number {
    return this.#own.forgotten;
  }

  said(speaker: string, to: string | null, seq: number): void {
    this.#own.set(speaker, { ...this.#own.get(speaker), said: seq });
    if (to !== null) {
      this.told(to, seq);
      return;
    }
    if (this.#last?.speaker !== speaker) this.#lastOfOthers = this.#last;
    this.#last = { speaker, seq };
  }

  told(to: string, seq: number): void {
    this.#own.set(to, { ...this.#own.get(to), told: seq });
  }

  lastSaid(speaker: string): number | undefined {
    return this.#own.get(speaker)?.said;
  }

  lastHeard(listener: string): number | undefined {
    const { told = -1 } = this.#own.get(listener) ?? {};
    const aloud = this.#last?.speaker === listener ? this.#lastOfOthers : this.#last;
    const last = Math.max(told, aloud?.seq ?? -1);
    return last < 0 ? undefined : last;
  }
}
