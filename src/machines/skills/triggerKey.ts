/** When two triggers are the same lesson: by their telling words, in any order. Source: dossier 1.7. */
import { byCodePoint } from "../codePoints.ts";

/** Words of a question that say nothing of its subject, by what they are. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  [
    "a an the this that it its",
    "i me my we you",
    "how what when why",
    "and or",
    "at for in of on to with",
    "be is are do does did",
    "can could should would",
    "get need please want",
  ].flatMap((line) => line.split(" ")),
);

/** In order of appearance; all of them when none tells anything. */
export function tellingWords(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s]/gu, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
  const telling = words.filter((word) => !QUESTION_WORDS.has(word));
  return telling.length === 0 ? words : telling;
}

export const triggerKey = (trigger: string): string =>
  tellingWords(trigger).toSorted(byCodePoint).join(" ");
