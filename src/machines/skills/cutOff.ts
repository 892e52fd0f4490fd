/**
 * Whether text that would be dropped is a program that was cut off: CPython blames its end, and with an end it is Python.
 * Prose seems unfinished too, but no end makes a program of it, or it ends with a word and its point.
 */
import { healCode } from "./heal.ts";
import { decodeEntities } from "./htmlEntities.ts";
import { trimPython } from "./pythonText.ts";
import { isTruncated, type ParseFailure } from "./syntaxFault.ts";

export interface CutOff extends Omit<ParseFailure, "ok"> {
  readonly text: string;
}

/** What a line may lack at its end. */
const ENDS = [" _", ": pass", " pass"];

/** Null when it is none. */
export function findCutOff(
  dropped: string,
  parses: ReadonlyMap<string, { readonly ok: true } | ParseFailure>,
): { readonly needs: string } | CutOff | null {
  const text = trimPython(decodeEntities(dropped.replaceAll(/<!\[CDATA\[|\]\]>/g, "")));
  if (/\w[.,]$/.test(text)) return null;
  const verdict = parses.get(text);
  if (verdict === undefined) return { needs: text };
  if (verdict.ok || !isTruncated({ text, ...verdict })) return null;
  const { message, line } = verdict;
  for (const end of ENDS) {
    const ended = parses.get(text + end);
    if (ended === undefined) return { needs: text + end };
    if (ended.ok) return { text, message, line };
  }
  const mended = healCode(text, parses);
  if (mended === null || "needs" in mended) return mended;
  return { text, message, line };
}
