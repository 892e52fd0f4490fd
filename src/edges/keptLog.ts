/** What is kept of a log while its run goes on: all of it while it is short; of a long one, what finds it in its file. */
import type { Delivery } from "../substrate/envelope.ts";
import type { Log } from "../substrate/log.ts";
import { LineFile } from "./lineFile.ts";
import { LogFile, LogIndex } from "./logFile.ts";

/** Ours: two hours of an incident. */
const KEPT_MOST = 50_000;

export class KeptLog {
  readonly #file: string | null;
  readonly #most: number;
  readonly #index = new LogIndex();
  #list: Delivery[] | undefined = [];

  /** `file` is where every line is written, too; without one all of it is kept. */
  constructor(file: string | null, most: number = KEPT_MOST) {
    this.#file = file;
    this.#most = file === null ? Number.POSITIVE_INFINITY : most;
  }

  add(delivery: Delivery): void {
    if (this.#file !== null) this.#index.add(delivery);
    this.#list?.push(delivery);
    if (this.#index.length > this.#most) this.#list = undefined;
  }

  /** Once everything is in the file. */
  log(): Log {
    if (this.#list !== undefined || this.#file === null) return this.#list ?? [];
    return new LogFile(new LineFile(this.#file, { mayGrow: true }), this.#index);
  }
}
