/**
 * Whether a model's answer is one that its reader can use, and what is wrong with one that is not, in
 * words. Decided by the same readers as in the run; of synt's stages, whose readers need what came
 * before, it is decided whether there is a JSON object or code at all.
 */
import { isPlainPath } from "./machines/files.ts";
import { readGoalJudgement, readLessonAnswer } from "./machines/judgeAnswers.ts";
import {
  readGoalAnswer,
  readIdentityAnswer,
  readPlanAnswer,
  readThreatAnswer,
} from "./machines/modelAnswers.ts";
import { isSyntPurpose } from "./machines/promptText.ts";
import { readObject } from "./machines/readJson.ts";
import { fieldsIn, isCode } from "./machines/synt/stageAnswers.ts";

/** Null for an answer that can be used. */
export function answerFault(purpose: string, text: string): string | null {
  if (isSyntPurpose(purpose)) {
    if (purpose === "synt.code") return isCode(text) ? null : "there is no def invoke";
    return fieldsIn(text) === undefined ? NO_OBJECT : null;
  }
  const reader = Object.hasOwn(readers, purpose) ? readers[purpose] : undefined;
  if (reader === undefined) return text.trim() === "" ? "it is empty" : null;
  if (reader(text)) return null;
  const fields = readObject(text);
  return fields === undefined ? NO_OBJECT : (faults[purpose]?.(fields) ?? "fields are missing");
}

const NO_OBJECT = "no JSON object";

/** What an agent asks through a tool may be answered in any words. */
const readers: { readonly [purpose: string]: (text: string) => boolean } = {
  "goal.choose": (text) => readGoalAnswer(text) !== undefined,
  plan: (text) => readPlanAnswer(text) !== undefined,
  "judge.identity": (text) => readIdentityAnswer(text) !== undefined,
  "judge.threat": (text) => readThreatAnswer(text) !== undefined,
  "judge.goal": (text) => readGoalJudgement(text) !== undefined,
  // How long a lesson may be cuts it off, and refuses none.
  "lesson.extract": (text) => readLessonAnswer(text, 1) !== undefined,
};

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
