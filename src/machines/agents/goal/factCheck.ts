/**
 * The last part of the completion gate: what an artifact says of other files is looked up there.
 * No model is asked; the grammar of a claim is in SPEC.md, GF. Source: seed 004, "Goal completion
 * gate": "claims about other files are checked against actual contents"; ruling U7.
 */
import { type FolderPolicy, isVirtualPath, NO_FOLDERS, rootsPattern } from "../../folders.ts";
import { onceFor } from "../../onceFor.ts";
import type { GoalGatePolicy } from "./goalGateParts.ts";

/** A path that a text names: it is there, and it holds what is quoted from it. */
export interface Mention {
  readonly path: string;
  readonly quotes: readonly string[];
}

const QUOTE = /"[^"\n]+"|“[^”\n]+”|`[^`\n]+`/u;
const END = /[.!?](?=\s|$)|\n/u;

/** What stands in a text between white space that matters; and a text that is a path alone. */
const grammarOf = onceFor((folders: FolderPolicy) => {
  const path = `(?<![\\w./-])(?:${rootsPattern(folders)})/[\\w./~@+=%-]+`;
  return {
    token: new RegExp(`${QUOTE.source}|${path}|${END.source}`, "gu"),
    onlyPath: new RegExp(`^${path}$`, "u"),
  };
});

type Limits = Pick<GoalGatePolicy, "claimsMax" | "quoteMinChars">;

/** The claims of a text about files other than `own`, in its order, at most as many as `limits` allows. */
export function mentionsIn(
  text: string,
  own: string,
  limits: Limits,
  folders: FolderPolicy = NO_FOLDERS,
): readonly Mention[] {
  const { token: tokens, onlyPath } = grammarOf(folders);
  const found = new Map<string, string[]>();
  /** The path that the sentence spoke of last. */
  let spoken: string | null = null;
  let claims = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (claims >= limits.claimsMax) break;
    const quote = /^["“`]/u.test(token) ? token.slice(1, -1).trim() : null;
    const named = quote === null ? token : onlyPath.test(quote) ? quote : null;
    if (named?.startsWith("/")) {
      const path = named.replace(/[./]+$/u, "");
      // A path's own full stop ends the sentence too.
      spoken =
        isVirtualPath(path, folders) && !(quote === null && named.endsWith(".")) ? path : null;
      if (!isVirtualPath(path, folders) || path === own || found.has(path)) continue;
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
