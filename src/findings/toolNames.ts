/** Names of tools in texts of people and models. */
import { TEXT_CHARS_MAX } from "../contract/plainValue.ts";
import { NAME_CHARS_LEAST } from "./thresholds.ts";

const NAME = /[\p{L}_][\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu;

/** Whether a name can be told from the words of a sentence: `fs_write`, `getUser`, but not `search`. */
export const isTelling = (tool: string): boolean =>
  /[_.-]|\p{Ll}\p{Lu}|\d/u.test(tool) || tool.length >= NAME_CHARS_LEAST;

/** Those of the tools that a text names as they are spelt, in order. */
export function toolsNamedIn(text: string, isTool: (name: string) => boolean): readonly string[] {
  const found = new Set<string>();
  for (const [name] of text.slice(0, TEXT_CHARS_MAX).matchAll(NAME)) {
    if (isTelling(name) && isTool(name)) found.add(name);
  }
  return [...found];
}
