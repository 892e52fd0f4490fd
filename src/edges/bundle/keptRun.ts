/** What is kept of a run while it goes on: all of it while it is short; of a long one, what finds it in its files. */
import { join } from "node:path";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Log } from "../../substrate/log.ts";
import type { Input } from "../../substrate/port.ts";
import { FILES } from "./bundleWriter.ts";
import { LineFile } from "./lineFile.ts";
import { LogFile, LogIndex } from "./logFile.ts";

/** Ours: two hours of an incident. What is let go of later takes twice its memory until it is collected. */
const KEPT_MOST = 35_000;

export class KeptRun {
  /** Where all of it is written, too; null where it is not. */
  readonly #folder: string | null;
  readonly #most: number;
  readonly #index = new LogIndex();
  #deliveries: Delivery[] = [];
  #inputs: Input[] = [];
  #isLong = false;

  /** `folder` is that of a bundle with a log; without one all is kept. `most` counts deliveries. */
  constructor(folder: string | null, most: number = KEPT_MOST) {
    this.#folder = folder;
    this.#most = folder === null ? Number.POSITIVE_INFINITY : most;
  }

  input(input: Input): void {
    if (!this.#isLong) this.#inputs.push(input);
  }

  delivery(delivery: Delivery): void {
    if (this.#isLong) this.#index.add(delivery);
    else this.#deliveries.push(delivery);
    if (this.#deliveries.length > this.#most) this.#letGo();
  }

  /** Once everything is in the files. */
  told(): { readonly deliveries: Log; readonly inputs: Iterable<Input> } {
    const folder = this.#folder;
    if (!this.#isLong || folder === null) {
      return { deliveries: this.#deliveries, inputs: this.#inputs };
    }
    const linesOf = (name: string) => new LineFile(join(folder, name), { mayGrow: true });
    return {
      deliveries: new LogFile(linesOf(FILES.events), this.#index),
      inputs: new InputFile(linesOf(FILES.inputs)),
    };
  }

  #letGo(): void {
    this.#isLong = true;
    for (const one of this.#deliveries) this.#index.add(one);
    this.#deliveries = [];
    this.#inputs = [];
  }
}

/** The recording of a long run: each look reads its inputs anew. */
class InputFile implements Iterable<Input> {
  readonly #lines: LineFile;

  constructor(lines: LineFile) {
    this.#lines = lines;
  }

  *[Symbol.iterator](): Generator<Input, undefined> {
    for (let place = 0; place < this.#lines.length; place++) {
      // This run wrote it, and each line holds one.
      yield (JSON.parse(this.#lines.at(place) ?? "") as { readonly input: Input }).input;
    }
  }
}
