/** What a long measurement has measured so far, a line each in a file: the same command goes on behind it. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parsedJson } from "../src/edges/strictValue.ts";

/** Measures what the file does not hold yet; without a file everything. Strict JSON, of the code that is here: remove the file where that changed. */
export type Kept = <T>(name: string, measure: () => Promise<T>) => Promise<T>;

export function keptSteps(file: string | undefined): Kept {
  const known = new Map<string, unknown>();
  const text = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : "";
  for (const line of text.split("\n")) {
    const parsed = parsedJson(line);
    // A line that a kill tore is measured anew.
    if (!("value" in parsed)) continue;
    const { name, value } = parsed.value as { name: string; value: unknown }; // Written below.
    known.set(name, value);
  }
  return async <T>(name: string, measure: () => Promise<T>): Promise<T> => {
    if (known.has(name)) return known.get(name) as T; // As it was measured.
    const value = await measure();
    if (file !== undefined) appendFileSync(file, `\n${JSON.stringify({ name, value })}`);
    return value;
  };
}
