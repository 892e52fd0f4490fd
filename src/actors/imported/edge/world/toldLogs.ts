/** Which logs an import told, and where the first of them lies: a scenario is made of one. */
import type { WrittenLog } from "../logWriter.ts";

/** Names that an error lists. */
const NAMES_MOST = 10;

export class ToldLogs {
  first: { readonly log: WrittenLog; readonly folder: string } | undefined;
  count = 0;
  readonly names: string[] = [];

  add(log: WrittenLog, folder: string): void {
    this.count += 1;
    this.first ??= { log, folder };
    if (this.names.length < NAMES_MOST) this.names.push(log.head.name);
  }
}
