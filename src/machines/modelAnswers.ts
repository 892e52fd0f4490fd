/**
 * Reads a model's answers. A model is hostile until proven otherwise: what does not fit is
 * undefined, an event the agent lives with. Source: seed 004, "Goals"; ruling U7.
 */
import { isPlainPath } from "./files.ts";
import type { GoalDeclaration } from "./goal.ts";
import type { Json } from "./letter.ts";
import { readObject } from "./readJson.ts";

export interface PlanStep {
  readonly intent: string;
  readonly params: { readonly [name: string]: Json };
}

const TEXT_MAX = 600;
const STEPS_MAX = 20;
const PARAMS_MAX = 12;
const DEPTH_MAX = 20;

/** A goal, "rest", or undefined for an answer that is neither. */
export function readGoalAnswer(text: string): GoalDeclaration | "rest" | undefined {
  const fields = readObject(text);
  if (fields?.["action"] === "rest") return "rest";
  const content = fields?.["content"];
  const artifact = fields?.["artifact"];
  const evidence = fields?.["evidence"] ?? null;
  const slug = fields?.["slug"];
  if (!isText(content) || !isText(artifact) || !isPlainPath(artifact)) return undefined;
  if (evidence !== null && !isText(evidence)) return undefined;
  const short = isText(slug) ? slug.replaceAll(/[^a-z0-9-]/g, "-").slice(0, 60) : "goal";
  return { text: content, slug: short, artifact, evidence };
}

/** The steps of a plan, at least one, or undefined. Steps that are none are left out. */
export function readPlanAnswer(text: string): readonly PlanStep[] | undefined {
  const steps = readObject(text)?.["steps"];
  if (!Array.isArray(steps)) return undefined;
  const read = steps.slice(0, STEPS_MAX).filter(isStep);
  return read.length === 0
    ? undefined
    : read.map(({ intent, params }) => ({ intent, params: params ?? {} }));
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= TEXT_MAX;

function isStep(value: unknown): value is PlanStep {
  const { intent, params } = (value ?? {}) as Partial<PlanStep>;
  const isParams =
    params === undefined ||
    (typeof params === "object" &&
      params !== null &&
      !Array.isArray(params) &&
      Object.keys(params).length <= PARAMS_MAX &&
      isShallow(params, DEPTH_MAX));
  return isText(intent) && isParams;
}

/** At most so many levels deep: what nests without end is no parameter. */
const isShallow = (value: Json, depth: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth > 0 && Object.values(value).every((member) => isShallow(member, depth - 1)));
