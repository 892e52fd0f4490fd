/**
 * Reads what a model says when it judges a goal or draws a lesson. What does not fit is undefined,
 * an outcome with a name. Source: seed 004, "Goal completion gate", "Lessons".
 */
import { cutText } from "../../cutText.ts";
import { readObject } from "../../readJson.ts";
import { type Category, categories, type Lesson } from "../lessons/lessons.ts";

/** Where a judge's reason is cut. Longer ones are no error: judges are wordy. */
const REASON_CHARS = 300;

export interface GoalJudgement {
  readonly passes: boolean;
  readonly reason: string;
}

export function readGoalJudgement(text: string): GoalJudgement | undefined {
  const fields = readObject(text);
  const passes = fields?.["passes"];
  const reason = fields?.["reason"];
  if (typeof passes !== "boolean") return undefined;
  const said = typeof reason === "string" ? line(reason) : "";
  return { passes, reason: said === "" ? "the judge gave no reason" : cutText(said, REASON_CHARS) };
}

/** A lesson, "none", or undefined for an answer that is neither. */
export function readLessonAnswer(text: string, chars: number): Lesson | "none" | undefined {
  const fields = readObject(text);
  const lesson = fields?.["lesson"];
  if (fields !== undefined && lesson === null) return "none";
  if (typeof lesson !== "string" || line(lesson) === "") return undefined;
  const category = fields?.["category"];
  const confidence = fields?.["confidence"];
  if (!isCategory(category) || (confidence !== "high" && confidence !== "low")) return undefined;
  return { lesson: cutText(line(lesson), chars), category, confidence };
}

const isCategory = (value: unknown): value is Category =>
  (categories as readonly unknown[]).includes(value);

/** In one line: it will stand in a list. */
const line = (text: string): string => text.replace(/\s+/gu, " ").trim();
