/** Facts of Python texts, from CPython in the sandbox; where a test needs none, an error stands in. */
import type { Python } from "../../../src/edges/python/sandbox.ts";
import { callVerdict } from "../../../src/edges/python/sandboxPort.ts";
import type { CodeFacts } from "../../../src/machines/installs/detection/codeFacts.ts";
import {
  type CodeFile,
  type Detection,
  type DetectionPolicy,
  detected,
} from "../../../src/machines/installs/detection/detection.ts";
import {
  pythonFactsOf,
  pythonFactsRun,
} from "../../../src/machines/installs/detection/pythonFacts.ts";
import { gatePolicy } from "./gateRules.ts";

export const SEED: DetectionPolicy = gatePolicy();
export const BY_WORDS: DetectionPolicy = {
  ...SEED,
  analysis: { ...SEED.analysis, kind: "pattern" },
};
/** As the real system has it. */
export const REAL: DetectionPolicy = {
  analysis: { ...SEED.analysis, kind: "pattern", table: "real" },
  unfamiliar: "tell",
  instructionsScanned: true,
};

/** Without Python: every Python text is one that could not be read. */
export function detectedAlone(files: readonly CodeFile[], policy: DetectionPolicy): Detection {
  const found = detected(files, policy, new Map());
  if (!("needs" in found)) return found;
  const unread = found.needs.map((text) => [text, { error: "no sandbox here" }] as const);
  return wholly(detected(files, policy, new Map(unread)));
}

export function wholly(found: ReturnType<typeof detected>): Detection {
  if ("needs" in found) throw new Error(`still needs ${found.needs.length} texts`);
  return found;
}

const SETTING = { seed: 0, nowMs: 0 };

export async function factsOf(text: string, python: Pick<Python, "call">): Promise<CodeFacts> {
  const { name: functionName, code, params: kwargs } = pythonFactsRun(text);
  const limits = { wallMs: 10_000, events: 2_500_000 };
  return pythonFactsOf(
    callVerdict(await python.call({ code, functionName, kwargs }, limits, SETTING)),
  );
}

export async function detectedBy(
  python: Pick<Python, "call">,
  files: readonly CodeFile[],
  policy: DetectionPolicy = SEED,
): Promise<Detection> {
  const parsed = new Map<string, CodeFacts>();
  let found = detected(files, policy, parsed);
  while ("needs" in found) {
    for (const text of found.needs) parsed.set(text, await factsOf(text, python));
    found = detected(files, policy, parsed);
  }
  return found;
}
