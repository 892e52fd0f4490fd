/**
 * Repairs broken code, by what CPython says of it, as the real system does: `skills.heal: on`. Off by ruling K9, since it
 * makes a whole skill of a truncated stream.
 */
import { openBrackets } from "./pythonText.ts";
import type { ParseFailure } from "./syntaxFault.ts";

/** The real system's: one fault is mended in each. */
const ROUNDS_MAX = 20;

/** The next text to ask CPython about, or what it reads. */
type Healed = { readonly needs: string } | { readonly code: string };

/** Null when it stays broken. */
export function healCode(
  text: string,
  parses: ReadonlyMap<string, { readonly ok: true } | ParseFailure>,
): Healed | null {
  let lines: readonly string[] | null = withoutStutter(text).split("\n");
  let last = lines;
  for (let round = 0; round < ROUNDS_MAX && lines !== null; round++) {
    last = lines;
    const verdict = parses.get(last.join("\n"));
    if (verdict === undefined) return { needs: last.join("\n") };
    if (verdict.ok) return { code: last.join("\n") };
    lines = mendFault(last, verdict);
  }
  const repaired = last.map(repairLine).join("\n");
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
  const closers = open.toReversed().map((opener) => CLOSERS[opener] ?? "");
  return closers.length === 0 ? null : [...lines, closers.join("")];
}

/** Without a lone backslash at its end, before a comment too, and without backticks. */
export function repairLine(line: string): string {
  const [, before = "", slashes = "", rest = ""] = /^(.*?)(\\+)(\s*(?:#.*)?)$/s.exec(line) ?? [];
  const isLone = slashes.length % 2 !== 0;
  const kept = isLone ? before + slashes.slice(1) + rest : line;
  return kept.trimEnd().replace(/`+$/, "");
}
