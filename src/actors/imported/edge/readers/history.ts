/** Messages that each request repeats are given once. */
import { createHash } from "node:crypto";
import type { LogRecord } from "../../record.ts";

/** What makes two messages the same: what they say, call and return. */
export function messageKey(records: readonly LogRecord[], unread: readonly string[]): string {
  const told = records.map((record) => {
    switch (record.kind) {
      case "said":
        return ["said", record.role, record.text.trim()];
      case "called":
        return ["called", record.tool, record.args, record.raw, record.call];
      case "returned":
        return ["returned", record.tool, record.result, record.call];
      case "noted":
        // What a model thought stands in its answer, and often no more in the next request.
        return record.what === "thought" || record.what === "fields"
          ? []
          : ["noted", record.what, record.data];
      default:
        return [record.kind];
    }
  });
  const kept = told.filter(
    ([kind, , text]) => kind !== undefined && (kind !== "said" || text !== ""),
  );
  return digest(JSON.stringify([kept, kept.length === 0 ? unread : []]));
}

const digest = (text: string): string =>
  createHash("sha256").update(text).digest("base64").slice(0, 22);

/** The digest of a history that goes on with a message. */
export const chained = (before: string, key: string): string => digest(before + key);

/** How often each message was given in one conversation. */
export class History {
  readonly #given = new Map<string, number>();

  /** Which of these messages of a request were not given yet: one that stands there twice may have been given once. */
  fresh(keys: readonly string[]): readonly boolean[] {
    const here = new Map<string, number>();
    return keys.map((key) => {
      const count = (here.get(key) ?? 0) + 1;
      here.set(key, count);
      if (count <= (this.#given.get(key) ?? 0)) return false;
      this.#given.set(key, count);
      return true;
    });
  }

  /** An answer is new, whatever it says. */
  answered(key: string): void {
    this.#given.set(key, (this.#given.get(key) ?? 0) + 1);
  }
}
