/**
 * Reads a model's answers. A model is hostile until proven otherwise: what does not fit is
 * undefined, an event the agent lives with. Source: seed 004, "Goals"; ruling U7.
 */

import {
  type AnswerSchema,
  objectSchema,
  textOrNullSchema,
  textSchema,
} from "../../answerSchema.ts";
import { cutText } from "../../cutText.ts";
import { type FolderPolicy, isVirtualPath, NO_FOLDERS } from "../../folders.ts";
import type { Json } from "../../letter.ts";
import { readObject } from "../../readJson.ts";
import type { GoalDeclaration } from "../goal/goalContext.ts";
import { type Category, categories, type Lesson } from "../lessons/lessons.ts";

export interface PlanStep {
  /** What it wants, in words; the name of its tool where the model gave nothing else. */
  readonly intent: string;
  /** The tool that it calls by name. */
  readonly tool?: string;
  readonly params: { readonly [name: string]: Json };
}

/** A view the agent holds, and what it is about. */
export interface Opinion {
  readonly opinion: string;
  readonly domain: string;
}

/** What an answer says about the agent itself, beside the goal. */
export interface Reflection {
  readonly reasoning: string | null;
  readonly worldview: string | null;
  readonly questions: readonly string[];
  readonly opinions: readonly Opinion[];
  /** Stressors the model calls new, and those it calls over. Its word, unchecked. */
  readonly fresh: readonly string[];
  readonly resolved: readonly string[];
}

/** The longest goal, reason or name. */
export const TEXT_MAX = 600;
/** Ours: more of one kind than any cap lets in is not looked at. */
const ITEMS_MAX = 100;
export const STEPS_MAX = 20;
const PARAMS_MAX = 12;
/** Functions of other systems take more than any of ours. */
const PARAMS_BY_NAME_MAX = 100;
const DEPTH_MAX = 20;

/** A goal, "rest", or undefined for an answer that is neither. Its artifact must lie in one of the world's folders. */
export function readGoalAnswer(
  text: string,
  folders: FolderPolicy = NO_FOLDERS,
): GoalDeclaration | "rest" | undefined {
  const fields = readObject(text);
  if (fields?.["action"] === "rest") return "rest";
  const content = fields?.["content"];
  const artifact = fields?.["artifact"];
  const evidence = fields?.["evidence"] ?? null;
  const slug = fields?.["slug"];
  if (!isText(content) || !isText(artifact)) return undefined;
  if (!isVirtualPath(artifact, folders)) return undefined;
  if (evidence !== null && !isText(evidence)) return undefined;
  const short = isText(slug) ? slug.replaceAll(/[^a-z0-9-]/g, "-").slice(0, 60) : "goal";
  return { text: content, slug: short, artifact, evidence };
}

/**
 * The steps of a plan, at least one, or undefined. Entries that are no steps are omitted. A step says what it
 * wants or names its tool; of one that does both, the words count, unless tools are called by name.
 */
export function readPlanAnswer(text: string, byName = false): readonly PlanStep[] | undefined {
  const steps = readObject(text)?.["steps"];
  if (!Array.isArray(steps)) return undefined;
  const read = steps.slice(0, STEPS_MAX).flatMap((step) => readStep(step, byName));
  return read.length === 0 ? undefined : read;
}

/** What is missing or does not fit is omitted; an answer that is no JSON object says nothing. */
export function readReflection(text: string): Reflection {
  const fields = readObject(text) ?? {};
  const { reasoning, worldview_update: worldview } = fields;
  const { new_open_questions: questions, new_opinions: opinions } = fields;
  const assessment = (fields["suffering_assessment"] ?? {}) as { readonly [key: string]: Json };
  return {
    reasoning: cutOrNull(reasoning),
    worldview: cutOrNull(worldview),
    questions: textsIn(questions),
    opinions: (Array.isArray(opinions) ? opinions : []).slice(0, ITEMS_MAX).flatMap(opinionIn),
    fresh: stressorsIn(assessment["new_stressors"]),
    resolved: stressorsIn(assessment["resolved"]),
  };
}

/** A worldview or a reason may be longer than a goal; its end is cut off, not the whole of it. */
const cutOrNull = (value: Json | undefined): string | null =>
  typeof value === "string" && value.trim() !== "" ? cutText(value, TEXT_MAX) : null;

/** The texts of a list, each once. */
export const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? [...new Set(value.slice(0, ITEMS_MAX).filter(isText))] : [];

export function opinionIn(value: Json): readonly Opinion[] {
  const { opinion, domain = "general" } = (value ?? {}) as { readonly [key: string]: Json };
  return isText(opinion) && isText(domain) ? [{ opinion, domain }] : [];
}

/** Names, or maps with a type, as models write both. Normalised as the real system does. */
function stressorsIn(value: Json | undefined): readonly string[] {
  if (!Array.isArray(value)) return [];
  const names = value.slice(0, ITEMS_MAX).flatMap((one) => {
    const name = typeof one === "string" ? one : (one as { type?: Json } | null)?.type;
    return isText(name) ? [name.trim().toLowerCase().replaceAll(/\s+/g, "_")] : [];
  });
  return [...new Set(names.filter((name) => /^[a-z0-9_]{1,60}$/.test(name)))];
}

/** The opinion that a plan contradicts, null for none, or undefined for an answer that is neither. */
export function readIdentityAnswer(text: string): string | null | undefined {
  const contradicts = readObject(text)?.["contradicts"];
  return contradicts === null || isText(contradicts) ? contradicts : undefined;
}

export function readThreatAnswer(text: string): boolean | undefined {
  const threat = readObject(text)?.["threat"];
  return typeof threat === "boolean" ? threat : undefined;
}

export const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= TEXT_MAX;

function readStep(value: Json, byName: boolean): readonly PlanStep[] {
  const { intent, tool, params = {} } = (value ?? {}) as Partial<PlanStep>;
  const isParams =
    typeof params === "object" &&
    params !== null &&
    !Array.isArray(params) &&
    Object.keys(params).length <= (byName ? PARAMS_BY_NAME_MAX : PARAMS_MAX) &&
    isShallow(params, DEPTH_MAX);
  if (!isParams) return [];
  if (isText(tool) && (byName || !isText(intent))) {
    return [{ intent: isText(intent) ? intent : tool, tool, params }];
  }
  return isText(intent) ? [{ intent, params }] : [];
}

/** At most `depth` levels deep: what nests without end is no parameter. */
const isShallow = (value: Json, depth: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1)));

/*
 * Reads what a model says when it judges a goal or draws a lesson. What does not fit is undefined,
 * an outcome with a name. Source: seed 004, "Goal completion gate", "Lessons".
 */

/** Where a judge's reason is cut. Longer ones are no error: judges are wordy. */
const REASON_CHARS = 300;

interface GoalJudgement {
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

/*
 * What a live model's answer to an agent must look like, as JSON Schema: the fields that are read
 * above. Lengths are left to the reader: a grammar made from them is too large for llama.cpp.
 */

/** In the one form of pattern that llama.cpp's grammars know. */
const path = { type: "string", pattern: "^/agentOS(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+$" };

const texts = { type: "array", items: textSchema, maxItems: 5 };

const goalWith = (artifact: object): AnswerSchema =>
  objectSchema(
    {
      action: { type: "string", enum: ["goal", "rest"] },
      content: textSchema,
      slug: textSchema,
      artifact,
      evidence: textOrNullSchema,
      reasoning: textSchema,
      worldview_update: textOrNullSchema,
      new_open_questions: texts,
      new_opinions: {
        type: "array",
        items: objectSchema({ opinion: textSchema, domain: textSchema }),
        maxItems: 5,
      },
      suffering_assessment: objectSchema({ new_stressors: texts, resolved: texts }),
    },
    ["action"],
  );

const goal = goalWith(path);

/** A goal where agents may write beyond /agentOS: its reader says where. */
export const goalAnywhere = goalWith(textSchema);

const step = objectSchema({ intent: textSchema, params: { type: "object" } });

const plan = objectSchema({
  steps: { type: "array", items: step, minItems: 1, maxItems: STEPS_MAX },
});

/** Where tools are called by name; without the tool's own schema, which a step in the middle of a list cannot have. */
export const namedPlan = objectSchema({
  steps: {
    type: "array",
    items: objectSchema({ tool: textSchema, params: { type: "object" } }),
    minItems: 1,
    maxItems: STEPS_MAX,
  },
});

const lesson = objectSchema({
  lesson: textOrNullSchema,
  category: { type: "string", enum: categories },
  confidence: { type: "string", enum: ["high", "low"] },
});

export const answerSchemas: { readonly [purpose: string]: AnswerSchema } = {
  "goal.choose": goal,
  plan,
  "judge.identity": objectSchema({ contradicts: textOrNullSchema }),
  "judge.threat": objectSchema({ threat: { type: "boolean" } }),
  "judge.goal": objectSchema({ passes: { type: "boolean" }, reason: textSchema }),
  "lesson.extract": lesson,
};
