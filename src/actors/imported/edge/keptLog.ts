/** What is kept of a log while it is imported: all of it while it is short; of a long one, what finds it in its file. */
import { join } from "node:path";
import { FILES } from "../../../edges/bundle/bundleWriter.ts";
import { LineFile } from "../../../edges/bundle/lineFile.ts";
import { LogFile, LogIndex } from "../../../edges/bundle/logFile.ts";
import type { Delivery } from "../../../substrate/envelope.ts";
import type { Log } from "../../../substrate/log.ts";

/** Ours, in bytes of the log: hundreds of logs may be open at once. */
const KEPT_MOST = 4_000_000;

export class KeptLog {
  readonly #index = new LogIndex();
  #deliveries: Delivery[] | undefined = [];
  #bytes = 0;

  add(delivery: Delivery, bytes: number): void {
    this.#index.add(delivery);
    this.#deliveries?.push(delivery);
    this.#bytes += bytes;
    if (this.#bytes > KEPT_MOST) this.letGo();
  }

  letGo(): void {
    this.#deliveries = undefined;
  }

  /** Once everything is in the file of the bundle in this folder. */
  told(folder: string): Log {
    if (this.#deliveries !== undefined) return this.#deliveries;
    return new LogFile(new LineFile(join(folder, FILES.events), { mayGrow: true }), this.#index);
  }
}
