/** Where answers of the live world wait for the kernel: pushed by fibers and callbacks, never read early. */
import type { PortReply } from "../../substrate/port.ts";

interface Arrival {
  /** The number of the question. */
  readonly seq: number;
  readonly reply: PortReply;
}

export class Inbox {
  readonly #arrivals: Arrival[] = [];
  #wake: (() => void) | undefined;
  #error: unknown;

  push(seq: number, reply: PortReply): void {
    this.#arrivals.push({ seq, reply });
    this.#wake?.();
  }

  /** What no answer can carry: the run cannot go on. */
  fail(error: unknown): void {
    this.#error ??= error;
    this.#wake?.();
  }

  /** Everything that has arrived, in that order. Throws what `fail` was given. */
  take(): Arrival[] {
    if (this.#error !== undefined) throw this.#error;
    return this.#arrivals.splice(0);
  }

  /** Resolves at the next arrival, or after that many real milliseconds. */
  async arrival(withinMs: number): Promise<void> {
    if (this.#arrivals.length > 0 || this.#error !== undefined) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, withinMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}
