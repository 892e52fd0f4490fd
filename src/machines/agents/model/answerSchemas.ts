/**
 * What a live model's answer to an agent must look like, as JSON Schema: the fields that `modelAnswers.ts`
 * and `judgeAnswers.ts` read. Lengths are left to the reader: a grammar made from them is too large for llama.cpp.
 */
import type { AnswerSchema } from "../../answerSchema.ts";
import { categories } from "../lessons/lessons.ts";
import { STEPS_MAX } from "./modelAnswers.ts";

const text = { type: "string", minLength: 1 };

const object = (
  properties: { readonly [name: string]: unknown },
  required: readonly string[] = Object.keys(properties),
): AnswerSchema => ({ type: "object", properties, required });

/** In the one form of pattern that llama.cpp's grammars know. */
const path = { type: "string", pattern: "^/agentOS(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$" };

const texts = { type: "array", items: text, maxItems: 5 };
const orNull = { type: ["string", "null"] };

const goalWith = (artifact: object): AnswerSchema =>
  object(
    {
      action: { type: "string", enum: ["goal", "rest"] },
      content: text,
      slug: text,
      artifact,
      evidence: orNull,
      reasoning: text,
      worldview_update: orNull,
      new_open_questions: texts,
      new_opinions: {
        type: "array",
        items: object({ opinion: text, domain: text }),
        maxItems: 5,
      },
      suffering_assessment: object({ new_stressors: texts, resolved: texts }),
    },
    ["action"],
  );

const goal = goalWith(path);

/** A goal where agents may write beyond /agentOS: its reader says where. */
export const goalAnywhere = goalWith(text);

const step = object({ intent: text, params: { type: "object" } });

const plan = object({
  steps: { type: "array", items: step, minItems: 1, maxItems: STEPS_MAX },
});

/** Where tools are called by name; without the tool's own schema, which a step in the middle of a list cannot have. */
export const namedPlan = object({
  steps: {
    type: "array",
    items: object({ tool: text, params: { type: "object" } }),
    minItems: 1,
    maxItems: STEPS_MAX,
  },
});

const lesson = object({
  lesson: orNull,
  category: { type: "string", enum: categories },
  confidence: { type: "string", enum: ["high", "low"] },
});

export const answerSchemas: { readonly [purpose: string]: AnswerSchema } = {
  "goal.choose": goal,
  plan,
  "judge.identity": object({ contradicts: orNull }),
  "judge.threat": object({ threat: { type: "boolean" } }),
  "judge.goal": object({ passes: { type: "boolean" }, reason: text }),
  "lesson.extract": lesson,
};
