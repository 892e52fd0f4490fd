/** What agents, goals and keepers of lessons ask models for: the prompt, the answer, and the function that reads it. */

import type { Purpose } from "../../contract/part.ts";
import { NO_OBJECT, NOT_JSON } from "../../contract/purposes.ts";
import {
  answerSchemas,
  goalAnywhere,
  namedPlan,
  readGoalAnswer,
  readGoalJudgement,
  readIdentityAnswer,
  readLessonAnswer,
  readPlanAnswer,
  readThreatAnswer,
} from "../../machines/agents/model/modelAnswers.ts";
import { renderPrompt, type View } from "../../machines/agents/model/prompts.ts";
import { type FolderPolicy, isVirtualPath, NO_FOLDERS, rootsText } from "../../machines/folders.ts";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { View as AnyView } from "../../machines/portMail.ts";
import { readObject } from "../../machines/readJson.ts";

interface Reader {
  readonly wants: string;
  readonly read: (text: string, view?: AnyView) => unknown;
  readonly tier: keyof LivePolicy["tier"];
}

/** In a world with folders of its own, a goal's artifact may lie there. */
const GOAL: Reader = {
  wants: "neither a goal nor a rest",
  read: (text, view) => readGoalAnswer(text, foldersIn(view)),
  tier: "goal",
};

const foldersIn = (view?: AnyView): FolderPolicy | undefined =>
  view?.purpose === "goal.choose" ? view.folders : undefined;

/** A step that names its tool is one in every world. */
const PLAN: Reader = {
  wants: "no plan with a step",
  read: (text) => readPlanAnswer(text),
  tier: "plan",
};

const readers: { readonly [purpose: string]: Reader } = {
  "goal.choose": GOAL,
  plan: PLAN,
  "judge.goal": { wants: "no verdict", read: readGoalJudgement, tier: "judge" },
  "judge.identity": {
    ...{ wants: "no word on what is contradicted", read: readIdentityAnswer, tier: "judge" },
  },
  "judge.threat": { wants: "no word on a threat", read: readThreatAnswer, tier: "judge" },
  "lesson.extract": {
    wants: "no lesson",
    // How long a lesson may be is cut, not judged.
    read: (text) => readLessonAnswer(text, text.length),
    tier: "lesson",
  },
};

type Fields = { readonly [field: string]: unknown };

/** What is wrong with an answer, field by field. */
const faults: { readonly [purpose: string]: (fields: Fields, view?: AnyView) => string } = {
  "goal.choose": ({ action, content, artifact }, view) => {
    if (typeof content !== "string" || content === "") {
      return typeof action === "string" && action !== "goal"
        ? `the action is neither "goal" nor "rest", and there is no content`
        : "there is no content";
    }
    if (typeof artifact !== "string" || artifact === "") return "there is no artifact";
    const folders = foldersIn(view) ?? NO_FOLDERS;
    return isVirtualPath(artifact, folders)
      ? "a text is too long, or none"
      : `the artifact is no path below ${rootsText(folders)}/`;
  },
  plan: ({ steps }) =>
    Array.isArray(steps) && steps.length > 0
      ? "no step has an intent or a tool, and plain parameters"
      : "there are no steps",
};

function faultIn(purpose: string, text: string, view?: AnyView): string {
  const fields = readObject(text);
  return fields === undefined
    ? NO_OBJECT
    : (ownValue(faults, purpose)?.(fields, view) ?? "fields are missing");
}

const isOwn = (view: AnyView): view is View => Object.hasOwn(purposes, view.purpose);

function render(view: AnyView): string {
  if (!isOwn(view)) throw new Error(`${view.purpose} is no purpose of agents`);
  return renderPrompt(view);
}

const read = (purpose: string, { wants, read: reader, tier }: Reader): Purpose => ({
  render,
  format: answerSchemas[purpose] ?? "json",
  tier: (_, tiers) => tiers[tier],
  fault: (text, view) => faultIn(purpose, text, view),
  unusable: (text, view) =>
    reader(text, view) !== undefined
      ? null
      : readObject(text) === undefined
        ? NOT_JSON
        : `it is ${wants}`,
});

const goal = read("goal.choose", GOAL);
const plan = read("plan", PLAN);

export const purposes: { readonly [purpose: string]: Purpose } = {
  ...Object.fromEntries(
    Object.entries(readers).map(([purpose, reader]) => [purpose, read(purpose, reader)]),
  ),
  "goal.choose": {
    ...goal,
    formatOf: (view) => (foldersIn(view) === undefined ? undefined : goalAnywhere),
  },
  plan: {
    ...plan,
    formatOf: (view) => (isOwn(view) && "byName" in view ? namedPlan : undefined),
  },
  // What an agent asks through a tool is answered in any words.
  "tool.chat": { render, tier: (_, tiers) => tiers.chat },
};
