/**
 * What is left of a skill's code without what a model wrapped it in. Code that CPython reads stays as it is; else the
 * fewest unwrappings count after which it does. CPython's verdicts come from the caller, one text after the other.
 * Source: seed 001, entry-point normalization; rulings K9, K10 and K15.
 */
import { ownValue } from "../ownValue.ts";
import { choice, type ValuesOf } from "../policyLeaf.ts";
import type { SyntaxSummary } from "../pythonSyntax.ts";
import { decodeEntities } from "./htmlEntities.ts";
import { openBrackets, trimPython } from "./pythonText.ts";
import { type CodeFault, codeFault, isTruncated, type ParseFailure } from "./syntaxFault.ts";
import { UNWRAPPINGS, type Wrapper } from "./wrappers.ts";

export const healingLeaves = {
  heal: choice("off", ["off", "on"], {
    says: "Whether code that is broken, and not only wrapped, is repaired: closers and quotes are added, what cannot stand there goes.",
    source: "RULINGS K9; the seed refuses it, the real system heals it (on)",
  }),
  outerSpace: choice("kept", ["kept", "stripped"], {
    says: "What becomes of the space around code that needed no other change, its last newline included.",
    source: "RULINGS K10; the real system strips it",
  }),
};

export type HealingPolicy = ValuesOf<typeof healingLeaves>;

export type ParseVerdict = { readonly ok: true } | ParseFailure;

type ParseVerdicts = ReadonlyMap<string, ParseVerdict>;

/** What `port/python.parse` answered, as a verdict: its words end with the line. */
export function parseVerdict({
  ok,
  error = "invalid syntax",
}: Pick<SyntaxSummary, "ok" | "error">): ParseVerdict {
  if (ok) return { ok: true };
  const [, message = error, line] = /^(.*) \(line (\d+)\)$/s.exec(error) ?? [];
  return { ok: false, message, line: line === undefined ? null : Number.parseInt(line, 10) };
}

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
  { heal, outerSpace }: HealingPolicy,
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

/** What a line may lack at its end. */
const ENDS = [" _", ": pass", " pass"];

/**
 * Whether text that would be dropped is a program that was cut off: CPython blames its end, and with an end it is Python. Prose
 * seems unfinished too, but no end makes a program of it, or it ends with a word and its point. Null when it is none.
 */
function findCutOff(dropped: string, parses: ParseVerdicts) {
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

/** The real system's: one fault is mended in each. */
const ROUNDS_MAX = 20;

/**
 * Repairs broken code, by what CPython says of it, as the real system does: `skills.heal: on`. Off by ruling K9, since it makes a
 * whole skill of a truncated stream. The next text to ask CPython about, or what it reads; null when it stays broken.
 */
function healCode(
  text: string,
  parses: ParseVerdicts,
): { readonly needs: string } | { readonly code: string } | null {
  let lines: readonly string[] = withoutStutter(text).split("\n");
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const verdict = parses.get(lines.join("\n"));
    if (verdict === undefined) return { needs: lines.join("\n") };
    if (verdict.ok) return { code: lines.join("\n") };
    const mended = mendFault(lines, verdict);
    if (mended === null) break;
    lines = mended;
  }
  const repaired = lines.map(repairLine).join("\n");
  const verdict = parses.get(repaired);
  if (verdict === undefined) return { needs: repaired };
  return verdict.ok ? { code: repaired } : null;
}

/** Of a stream that repeated itself: `?ab?ab?ab`, and question marks at the end; nor a fence there, with the space before it. */
const withoutStutter = (text: string): string =>
  text
    .replaceAll(/(\?[\w,]{1,3}){3,}/g, "")
    .replace(/\?{3,}$/, "")
    .replace(/\s*`+$/, "");

function mendFault(
  lines: readonly string[],
  { message, line }: ParseFailure,
): readonly string[] | null {
  if (line === null || line < 1 || line > lines.length) return null;
  const said = message.toLowerCase();
  const at = line - 1;
  const text = lines[at] ?? "";
  if (said.includes("unexpected character after line continuation"))
    return mendContinuation(lines, at);
  if (said.includes("unterminated string literal")) return lines.with(at, text + openQuote(text));
  if (said.includes("unmatched")) {
    const closer = /unmatched '([)\]}])'/.exec(said)?.[1];
    const place = closer === undefined ? -1 : text.lastIndexOf(closer);
    return place < 0 ? null : lines.with(at, text.slice(0, place) + text.slice(place + 1));
  }
  return /eof|was never closed|unexpected indent/.test(said) ? closeBrackets(lines, said) : null;
}

/** The quote of which there is an odd one. */
const openQuote = (text: string): string => (isOdd(text, '"') ? '"' : isOdd(text, "'") ? "'" : '"');

const isOdd = (text: string, quote: string): boolean =>
  (text.split(quote).length - text.split(`\\${quote}`).length) % 2 !== 0;

/** What stands behind a backslash that should end its line. */
function mendContinuation(lines: readonly string[], at: number): readonly string[] | null {
  const text = lines[at] ?? "";
  const place = text.indexOf("\\");
  if (place < 0) return null;
  const [before, after] = [text.slice(0, place), text.slice(place + 1)];
  if (after.startsWith("n")) return lines.toSpliced(at, 1, before, after.slice(1));
  if (after.startsWith("t")) return lines.with(at, `${before}\t${after.slice(1)}`);
  if (after.trim().startsWith("#")) return lines.toSpliced(at, 1, after.trim(), `${before}\\`);
  if (after.trim() !== "") return lines.with(at, before + after);
  return lines.with(at, at === lines.length - 1 ? before : `${before}\\`);
}

const CLOSERS: { readonly [opener: string]: string } = { "(": ")", "[": "]", "{": "}" };

/** What is still open gets its end on a line of its own. */
function closeBrackets(lines: readonly string[], said: string): readonly string[] | null {
  const last = lines.at(-1) ?? "";
  if (said.includes("unexpected eof") && last.trim().endsWith("\\")) {
    return lines.with(-1, last.slice(0, last.lastIndexOf("\\")));
  }
  const open = openBrackets(lines.join("\n"));
  const closers = open.toReversed().map((opener) => ownValue(CLOSERS, opener) ?? "");
  return closers.length === 0 ? null : [...lines, closers.join("")];
}

/** Without a lone backslash at its end, before a comment too, and without backticks. */
export function repairLine(line: string): string {
  const [, before = "", slashes = "", rest = ""] = /^(.*?)(\\+)(\s*(?:#.*)?)$/s.exec(line) ?? [];
  const isLone = slashes.length % 2 !== 0;
  const kept = isLone ? before + slashes.slice(1) + rest : line;
  return kept.trimEnd().replace(/`+$/, "");
}
