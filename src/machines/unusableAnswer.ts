/**
 * Why what a model said cannot be used for what it was asked, by the readers that the machines use
 * themselves: for whoever counts how much of a live model's work was of use. No machine asks.
 */
import { readGoalJudgement, readLessonAnswer } from "./agents/model/judgeAnswers.ts";
import {
  readGoalAnswer,
  readIdentityAnswer,
  readPlanAnswer,
  readThreatAnswer,
} from "./agents/model/modelAnswers.ts";
import { isSyntPurpose } from "./promptText.ts";
import { readObject } from "./readJson.ts";
import { fieldsIn, isCode } from "./synt/stageAnswers.ts";

const readers: {
  readonly [purpose: string]: { readonly wants: string; readonly read: (text: string) => unknown };
} = {
  "goal.choose": { wants: "neither a goal nor a rest", read: readGoalAnswer },
  plan: { wants: "no plan with a step", read: readPlanAnswer },
  "judge.goal": { wants: "no verdict", read: readGoalJudgement },
  "judge.identity": { wants: "no word on what is contradicted", read: readIdentityAnswer },
  "judge.threat": { wants: "no word on a threat", read: readThreatAnswer },
  // How long a lesson may be is cut, not judged.
  "lesson.extract": { wants: "no lesson", read: (text) => readLessonAnswer(text, text.length) },
};

/** Whether a machine reads answers to this; what an agent asks through a tool is answered in any words. */
export const isRead = (purpose: string): boolean => Object.hasOwn(readers, purpose);

const NOT_JSON = "it is no JSON object";

/**
 * In words, or null for an answer that its asker can read. Of synt only the form is looked at here:
 * what a stage makes of its fields is in the log.
 */
export function unusable(purpose: string, text: unknown): string | null {
  if (typeof text !== "string" || text.trim() === "") return "it is empty";
  if (isSyntPurpose(purpose)) {
    if (purpose === "synt.code") return isCode(text) ? null : "it has no def invoke";
    return fieldsIn(text) !== undefined ? null : NOT_JSON;
  }
  const reader = isRead(purpose) ? readers[purpose] : undefined;
  if (reader === undefined || reader.read(text) !== undefined) return null;
  return readObject(text) === undefined ? NOT_JSON : `it is ${reader.wants}`;
}
