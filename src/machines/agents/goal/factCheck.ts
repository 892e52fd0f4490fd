/**
 * The last part of the completion gate: what an artifact says of other files is looked up there.
 * No model is asked; the grammar of a claim is in SPEC.md, GF. Source: seed 004, "Goal completion
 * gate": "claims about other files are checked against actual contents"; ruling U7.
 */
import { isPlainPath } from "../../files.ts";
import type { GoalGatePolicy } from "./goalGateParts.ts";

/** A path that a text names: it is there, and it holds what is quoted from it. */
export interface Mention {
  readonly path: string;
  readonly quotes: readonly string[];
}

const PATH = /(?<![\w./-])\/agentOS\/[\w./~@+=%-]+/u;
const QUOTE = /"[^"\n]+"|“[^”\n]+”|`[^`\n]+`/u;
const END = /[.!?](?=\s|$)|\n/u;
const TOKEN = new RegExp(`${QUOTE.source}|${PATH.source}|${END.source}`, "gu");
const ONLY_PATH = new RegExp(`^${PATH.source}$`, "u");

type Limits = Pick<GoalGatePolicy, "claimsMax" | "quoteMinChars">;

/** The claims of a text about files other than `own`, in its order, at most as many as `limits` allows. */
export function mentionsIn(text: string, own: string, limits: Limits): readonly Mention[] {
  const found = new Map<string, string[]>();
  /** The path that the sentence spoke of last. */
  let spoken: string | null = null;
  let claims = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (claims >= limits.claimsMax) break;
    const quote = /^["“`]/u.test(token) ? token.slice(1, -1).trim() : null;
    const named = quote === null ? token : ONLY_PATH.test(quote) ? quote : null;
    if (named?.startsWith("/")) {
      const path = named.replace(/[./]+$/u, "");
      // A path's own full stop ends the sentence too.
      spoken = isPlainPath(path) && !(quote === null && named.endsWith(".")) ? path : null;
      if (!isPlainPath(path) || path === own || found.has(path)) continue;
      found.set(path, []);
      claims += 1;
    } else if (quote === null) {
      spoken = null;
    } else {
      const quotes = found.get(spoken ?? "");
      if (quotes === undefined || quotes.includes(quote) || isShort(quote, limits)) continue;
      quotes.push(quote);
      claims += 1;
    }
  }
  return [...found].map(([path, quotes]) => ({ path, quotes }));
}

const isShort = (quote: string, { quoteMinChars }: Limits): boolean =>
  [...quote].length < quoteMinChars;

/** The first quoted passage that a file does not hold; any white space counts as one blank. */
export function quoteMissing({ quotes }: Mention, text: string): string | undefined {
  const held = flat(text);
  return quotes.find((quote) => !held.includes(flat(quote)));
}

const flat = (text: string): string => text.replace(/\s+/gu, " ");
