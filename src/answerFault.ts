/**
 * Whether a model's answer is one that its reader can use, and what is wrong with one that is not, in
 * words. Decided by the same readers as in the run; of synt's stages, whose readers need what came
 * before, it is decided whether there is a JSON object or code at all.
 */
import { isPlainPath } from "./machines/files.ts";
import { isSyntPurpose } from "./machines/promptText.ts";
import { readObject } from "./machines/readJson.ts";
import { isRead, unusable } from "./machines/unusableAnswer.ts";

/** Null for an answer that can be used. */
export function answerFault(purpose: string, text: string): string | null {
  if (unusable(purpose, text) === null) return null;
  if (purpose === "synt.code") return "there is no def invoke";
  if (isSyntPurpose(purpose)) return NO_OBJECT;
  if (!isRead(purpose)) return "it is empty";
  const fields = readObject(text);
  return fields === undefined ? NO_OBJECT : (faults[purpose]?.(fields) ?? "fields are missing");
}

const NO_OBJECT = "no JSON object";

type Fields = { readonly [field: string]: unknown };

const faults: { readonly [purpose: string]: (fields: Fields) => string } = {
  "goal.choose": ({ action, content, artifact }) => {
    if (typeof content !== "string" || content === "") {
      return typeof action === "string" && action !== "goal"
        ? `the action is neither "goal" nor "rest", and there is no content`
        : "there is no content";
    }
    if (typeof artifact !== "string" || artifact === "") return "there is no artifact";
    return isPlainPath(artifact)
      ? "a text is too long, or none"
      : "the artifact is no path below /agentOS/";
  },
  plan: ({ steps }) =>
    Array.isArray(steps) && steps.length > 0
      ? "no step has an intent and plain parameters"
      : "there are no steps",
};
