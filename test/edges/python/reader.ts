/** Python that reads texts, for a test file: opened before its first test, closed after its last. */

import { afterAll, beforeAll } from "vitest";
import { readPython } from "../../../src/edges/python/parsePort.ts";
import { openSandbox, type Sandbox } from "../../../src/edges/python/sandbox.ts";
import type { MailOf } from "../../../src/machines/letter.ts";
import type { Reach } from "../../../src/machines/synt/stages/executorProfile.ts";
import { policyWith } from "../../builtIn.ts";
import { testCache } from "./opened.ts";

export type Reading = MailOf<"python.parsed"> & Reach;

/** Call it once, outside of any test. What it gives reads a text as `port/python.parse` does. */
export function pythonReader(): (text: string, purpose?: "gate" | "profile") => Promise<Reading> {
  let python: Sandbox | undefined;
  beforeAll(async () => {
    python = await openSandbox({ cacheFolder: testCache, spare: false });
  });
  afterAll(() => python?.close());
  return async (text, purpose = "profile") => {
    if (python === undefined) throw new Error("asked before the first test");
    return (await readPython(python, text, purpose, policyWith({}).sandbox)) as Reading;
  };
}
