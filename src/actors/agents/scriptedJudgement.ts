/**
 * How the scripted model judges whether a file shows that a goal is reached, and which lesson it
 * draws from an ended goal: by the facts it is shown and its repertoire alone.
 */
import type { GoalView, LessonView } from "../../machines/agents/model/prompts.ts";
import type { Thinker } from "./repertoire.ts";

/** Thousandths of a goal's words, when the repertoire says nothing else. Ours. */
const COVERAGE = 300;

/** Words that carry meaning, as stems. */
type Terms = (text: string) => readonly string[];

/** How goals of a repertoire count themselves; it says nothing of what they are about. */
const COUNT = /\s*\(goal \d+\)/gu;

/** A goal is reached when enough of its words stand in the file. No number counts as a word, its own included. */
export const goalJudge =
  (terms: Terms): Thinker<GoalView> =>
  (view, { judges }) => {
    const goal = view.goal.replaceAll(COUNT, "");
    const words = [...new Set(terms(goal))].filter((word) => !/^\d+$/.test(word));
    const held = new Set(terms(view.text));
    const missing = words.filter((word) => !held.has(word));
    const found = words.length - missing.length;
    const passes = found * 1_000 >= (judges?.goal?.coverage ?? COVERAGE) * words.length;
    const lacks = missing.length === 0 ? "" : `; not ${missing.join(", ")}`;
    const reason = `${found} of the goal's ${words.length} words stand in the file${lacks}`;
    return { answer: { passes, reason }, choice: passes ? "goal:shown" : "goal:not-shown" };
  };

/** Draws one of the lessons whose text stands in what is told of the goal; none when none fits. */
export const extractLesson: Thinker<LessonView> = (view, { lessons = [] }, draw, without) => {
  const told = [view.goal, view.reason ?? "", ...view.notes].join("\n").toLowerCase();
  const fits = lessons.filter(
    ({ id, match }) => !without.has(`lesson:${id}`) && told.includes(match.toLowerCase()),
  );
  const drawn = fits.length === 0 ? undefined : fits[draw.weighted(fits.map((one) => one.weight))];
  if (drawn === undefined) return { answer: { lesson: null }, choice: "lesson:none" };
  const { id, lesson, category, confidence } = drawn;
  return { answer: { lesson, category, confidence }, choice: `lesson:${id}` };
};
