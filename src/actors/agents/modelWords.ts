/**
 * What a model answered an agent, its goals and its lessons, in words. An answer is told as what it was
 * asked for, which the state of its receiver says, and only when its reader can use it.
 */

import { countOf } from "../../contract/countOf.ts";
import { faultFor } from "../../contract/purposes.ts";
import {
  readGoalAnswer,
  readGoalJudgement,
  readIdentityAnswer,
  readLessonAnswer,
  readPlanAnswer,
  readThreatAnswer,
} from "../../machines/agents/model/modelAnswers.ts";
import type { MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { purposes } from "./purposes.ts";

/** The actors that ask models in the agents' world. */
const HEARERS = /^(?:(?:agent|goal|lessons)\/|engine)/;

/** What each state of an agent waits for. */
const awaited: { readonly [state: string]: string } = {
  choosing: "goal.choose",
  planning: "plan",
  hearing: "judge.threat",
  weighing: "judge.identity",
};

/** The purpose of the question that its receiver was waiting for; undefined for none. */
function purposeHeard({ to, before }: Delivery): string | undefined {
  if (to.startsWith("goal/")) return "judge.goal";
  if (to.startsWith("lessons/")) return "lesson.extract";
  if (to.startsWith("engine")) return "tool.chat";
  const state = typeof before === "string" ? before : Object.keys(before ?? {})[0];
  return ownValue(awaited, state ?? "");
}

/** Null when it was not for them. `by`: the option of the repertoire that was taken, as it stands in a sentence; or empty. */
export function modelAnswer(
  delivery: Delivery,
  { text }: MailOf<"llm.replied">,
  agent: string,
  by: string,
): string | null {
  if (!HEARERS.test(delivery.to)) return null;
  const purpose = purposeHeard(delivery);
  if (delivery.fate !== "handled" || purpose === undefined) {
    return `${agent}'s model answered${by} too late: the question was no longer open.`;
  }
  // Where it began a goal, the agent could read it: in which folders goals may lie, only its world says.
  const begins =
    delivery.letters.some(({ type }) => type === "actor.start") &&
    // An agent may have begun a goal of its own for want of one.
    typeof readGoalAnswer(text, ANYWHERE) === "object";
  const fault = begins ? null : faultFor(purposes[purpose], text);
  if (fault !== null) {
    return `${agent}'s model gave no ${ownValue(WANTED, purpose) ?? "answer"} that could be used${by}: ${fault}.`;
  }
  return ownValue(answerWords, purpose)?.(text, agent, by) ?? `The model said${by}: "${text}"`;
}

const WANTED: { readonly [purpose: string]: string } = {
  "goal.choose": "goal",
  plan: "plan",
  "judge.goal": "judgement",
  "judge.identity": "judgement",
  "judge.threat": "judgement",
  "lesson.extract": "lesson",
};

/** A goal that was begun, wherever its artifact lies. */
const ANYWHERE = { readable: [], writable: [""] };

type Teller = (text: string, agent: string, by: string) => string;

const answerWords: { readonly [purpose: string]: Teller } = {
  "goal.choose": (text, agent, by) => {
    const goal = readGoalAnswer(text, ANYWHERE);
    return typeof goal === "object"
      ? `${agent}'s model chose a goal${by}: ${goal.text}.`
      : `${agent}'s model chose to rest${by}.`;
  },
  plan: (text, agent, by) => {
    const steps = readPlanAnswer(text)?.length ?? 0;
    return `${agent}'s model made a plan of ${countOf(steps, "step")}${by}.`;
  },
  "judge.threat": (text, agent, by) =>
    `${agent}'s model saw ${readThreatAnswer(text) ? "a" : "no"} threat in what it heard${by}.`,
  "judge.identity": (text, agent, by) => {
    const verdict = readIdentityAnswer(text) === null ? "along with its" : "against one of its own";
    return `${agent}'s model saw the plan go ${verdict} opinions${by}.`;
  },
  "judge.goal": (text, agent, by) => {
    const { passes = false, reason = "" } = readGoalJudgement(text) ?? {};
    return `${agent}'s judge ${passes ? "passed" : "did not pass"} the goal${by}: ${reason}.`;
  },
  "lesson.extract": (text, agent, by) => {
    const read = readLessonAnswer(text, Number.MAX_SAFE_INTEGER);
    const what = typeof read === "object" ? `a lesson: ${read.lesson}` : "no lesson";
    return `${agent}'s model drew ${what}${by}`;
  },
};
