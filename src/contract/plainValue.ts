/** Values of a log as plain text, within bounds: any of them may be hostile. */
import type { Json } from "../machines/letter.ts";

/** Characters of one text that are looked at: the longest prompt of a model is shorter. */
export const TEXT_CHARS_MAX = 200_000;

/** Values of one result or argument list that are looked at. */
const VALUES_MAX = 20_000;

/** Levels of a value, beyond which it is not compared. */
const DEPTH_MAX = 200;

/** The strings, numbers and booleans in a value, without names of members; at most VALUES_MAX of them. */
export function* leavesIn(value: Json): Generator<string | number | boolean, undefined> {
  const open: Json[] = [value];
  let count = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (++count > VALUES_MAX) return;
    if (one === null) continue;
    if (typeof one !== "object") yield one;
    else
      open.push(
        ...Object.values(one as object)
          .slice(0, VALUES_MAX)
          .reverse(),
      );
  }
}

/** Whether some value within it is more than `DEPTH_MAX` levels down. */
export function isTooDeep(value: Json): boolean {
  const open: (readonly [Json, number])[] = [[value, 0]];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [inner, depth] = one;
    if (typeof inner !== "object" || inner === null) continue;
    if (depth === DEPTH_MAX) return true;
    for (const member of Object.values(inner as object)) open.push([member, depth + 1]);
  }
  return false;
}

/** The text of a value that is one, else all that it holds, joined. */
export function plainText(value: Json): string {
  if (typeof value === "string") return value.slice(0, TEXT_CHARS_MAX);
  let text = "";
  for (const leaf of leavesIn(value)) {
    if (text.length >= TEXT_CHARS_MAX) break;
    text += `${text === "" ? "" : " "}${leaf}`;
  }
  return text.slice(0, TEXT_CHARS_MAX);
}
