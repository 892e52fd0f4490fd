/**
 * What is left of a skill's code without what a model wrapped it in. Code that CPython reads stays as it is; else the
 * fewest unwrappings count after which it does. CPython's verdicts come from the caller, one text after the other.
 * Source: seed 001, entry-point normalization; rulings K9, K10 and K15.
 */

import type { SyntaxSummary } from "../pythonSyntax.ts";
import type { CreationPolicy } from "./creationPolicy.ts";
import { findCutOff } from "./cutOff.ts";
import { healCode } from "./heal.ts";
import { trimPython } from "./pythonText.ts";
import { type CodeFault, codeFault, type ParseFailure } from "./syntaxFault.ts";
import { UNWRAPPINGS, type Wrapper } from "./wrappers.ts";

export type ParseVerdict = { readonly ok: true } | ParseFailure;

export type ParseVerdicts = ReadonlyMap<string, ParseVerdict>;

/** What `port/python.parse` answered, as a verdict: its words end with the line. */
export function parseVerdict({ ok, error = "invalid syntax" }: ParseAnswer): ParseVerdict {
  if (ok) return { ok: true };
  const [, message = error, line] = /^(.*) \(line (\d+)\)$/s.exec(error) ?? [];
  return { ok: false, message, line: line === undefined ? null : Number.parseInt(line, 10) };
}

type ParseAnswer = Pick<SyntaxSummary, "ok" | "error">;

export type Normalised =
  /** Ask what CPython says to this text, and call again. */
  | { readonly needs: string }
  | { readonly code: string; readonly changed: readonly string[] }
  | { readonly error: CodeFault };

/** Ours: how many wrappers within one another are taken off. */
const LAYERS_MAX = 6;
/** Ours: how many texts CPython is asked about before the search gives up. */
const TEXTS_MAX = 64;

interface Candidate {
  readonly text: string;
  readonly wrappers: readonly Wrapper[];
  readonly changed: readonly string[];
  /** What stood behind its wrappers. */
  readonly dropped: readonly string[];
  /** It stood in an envelope, and the space around it belonged to that. */
  readonly isEnclosed: boolean;
  /** Space was taken off that belonged to no envelope. */
  readonly isTrimmed: boolean;
}

export function normaliseCode(
  code: string,
  parses: ParseVerdicts,
  { heal, outerSpace }: Pick<CreationPolicy, "heal" | "outerSpace">,
): Normalised {
  const clean = parses.get(code);
  if (clean === undefined) return { needs: code };
  if (clean.ok) return outerSpace === "kept" ? { code, changed: [] } : stripSpace(code, parses);
  const text = trimPython(code);
  const none = { wrappers: [], changed: [], dropped: [], isEnclosed: false };
  const found = unwrapCode({ text, ...none, isTrimmed: text !== code }, parses);
  if ("needs" in found) return found;
  if ("text" in found) return whole(found, parses);
  const { barest } = found;
  if (heal === "on") {
    const mended = healCode(barest.text, parses);
    if (mended === null || "needs" in mended) return mended ?? { error: faultOf(barest, parses) };
    return { code: mended.code, changed: [...barest.changed, "broken code healed"] };
  }
  return { error: faultOf(barest, parses) };
}

/** As the real system leaves clean code: without the space around it. */
function stripSpace(code: string, parses: ParseVerdicts): Normalised {
  const text = trimPython(code);
  const verdict = parses.get(text);
  if (verdict === undefined) return { needs: text };
  const isChanged = verdict.ok && text !== code;
  return isChanged ? { code: text, changed: [SPACE] } : { code, changed: [] };
}

const SPACE = "the space around it taken off";

/** Refused when what stood behind its wrapper is a program that was cut off: the code may go on there. */
function whole({ text, ...found }: Candidate, parses: ParseVerdicts): Normalised {
  for (const dropped of found.dropped) {
    const cut = findCutOff(dropped, parses);
    if (cut === null) continue;
    return "needs" in cut ? cut : { error: codeFault({ ...cut, wrappers: [] }) };
  }
  const { changed, isEnclosed, isTrimmed } = found;
  return { code: text, changed: isTrimmed && !isEnclosed ? [...changed, SPACE] : changed };
}

type Found = { readonly needs: string } | Candidate | { readonly barest: Candidate };

/** Breadth first, so that nothing is taken off that CPython would have read. */
function unwrapCode(bare: Candidate, parses: ParseVerdicts): Found {
  const seen = new Set([bare.text]);
  const waiting = [bare];
  for (const one of waiting) {
    const verdict = parses.get(one.text);
    if (verdict === undefined) return { needs: one.text };
    if (verdict.ok) return one;
    if (one.changed.length === LAYERS_MAX) continue;
    for (const next of below(one)) {
      if (seen.has(next.text) || seen.size === TEXTS_MAX) continue;
      seen.add(next.text);
      waiting.push(next);
    }
  }
  return { barest: barestOf(bare, seen) };
}

const below = (above: Candidate): readonly Candidate[] =>
  UNWRAPPINGS.flatMap(({ wrapper, says, isEnvelope = false, without }) =>
    without(above.text)
      .map(({ text, before = "", behind = "" }): Candidate => {
        const left = trimPython(text);
        const isAlone = before.trim() === "" && behind.trim() === "";
        return {
          text: left,
          wrappers: [...above.wrappers, wrapper],
          changed: [...above.changed, isAlone ? says : `${says}, and what stood beside it dropped`],
          dropped: behind.trim() === "" ? above.dropped : [...above.dropped, behind],
          isEnclosed: isEnvelope || above.isEnclosed,
          isTrimmed: above.isTrimmed || left !== text,
        };
      })
      .filter(({ text }) => text !== above.text && text !== ""),
  );

/** What is left when every wrapper is taken off in order: of it the fault is told. */
function barestOf(bare: Candidate, seen: ReadonlySet<string>): Candidate {
  let barest = bare;
  for (;;) {
    const next = below(barest).find(({ text }) => seen.has(text));
    if (next === undefined || next.changed.length > LAYERS_MAX) return barest;
    barest = next;
  }
}

function faultOf({ text, wrappers }: Candidate, parses: ParseVerdicts): CodeFault {
  const verdict = parses.get(text);
  const { message, line } =
    verdict?.ok === false ? verdict : { message: "invalid syntax", line: null };
  return codeFault({ text, wrappers, message, line });
}
