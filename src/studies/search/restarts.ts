/**
 * CMA-ES that starts again once it has settled, from a drawn place and with twice as many candidates (Auger and Hansen 2005, IPOP): one
 * start finds a valley, and of many valleys the large generations find the deep one.
 */
import { assert } from "../../substrate/assert.ts";
import { namedRandom } from "../../substrate/random.ts";
import { CmaEs, candidatesOf } from "./cmaes.ts";

/** Ours: of the cube's width; nothing that a study asks of a factor is finer. */
const SETTLED = 1e-4;
const GRAIN = 1_000_000;

export class RestartedCmaEs {
  readonly #dimensions: number;
  readonly #seed: number;
  #restart = 0;
  #search: CmaEs;
  /** The best value of each generation since it started. */
  #best: (number | null)[] = [];

  constructor({ dimensions, seed }: { readonly dimensions: number; readonly seed: number }) {
    this.#dimensions = dimensions;
    this.#seed = seed;
    this.#search = new CmaEs({ dimensions, seed });
  }

  get restarts(): number {
    return this.#restart;
  }

  ask(): readonly (readonly number[])[] {
    return this.#search.ask();
  }

  /** As `CmaEs` is told. */
  tell(values: readonly (number | null)[]): void {
    this.#search.tell(values);
    const known = values.filter((value) => value !== null);
    this.#best.push(known.length === 0 ? null : Math.min(...known));
    if (this.#hasSettled(values.length)) this.#startAgain();
  }

  /** Candidates hardly differ any more, or have come to the same for as long as Hansen waits. */
  #hasSettled(candidates: number): boolean {
    if (this.#search.spread < SETTLED) return true;
    const waited = 10 + Math.ceil((30 * this.#dimensions) / candidates);
    const last = this.#best.slice(-waited);
    return last.length === waited && last.every((one) => one === last[0]);
  }

  #startAgain(): void {
    this.#restart += 1;
    this.#best = [];
    const stream = namedRandom(this.#seed).at("cma-es", "restart", this.#restart);
    const start = Array.from({ length: this.#dimensions }, () => stream.integer(0, GRAIN) / GRAIN);
    const candidates = candidatesOf(this.#dimensions) * 2 ** this.#restart;
    assert(Number.isSafeInteger(candidates), "no budget lasts for so many restarts");
    this.#search = new CmaEs({
      ...{ dimensions: this.#dimensions, seed: this.#seed, start, candidates },
      restart: this.#restart,
    });
  }
}
