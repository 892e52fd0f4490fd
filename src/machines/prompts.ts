/**
 * What an agent tells its model: facts (the view) and their text. The scripted model reads the view
 * only; a recording is keyed on the text. Source: seed 000, "Ghost detection"; seed 004, "Goals".
 */
import type { Broken } from "./engine/state.ts";
import { MILLION } from "./units.ts";

export interface ExistenceView {
  readonly purpose: "goal.choose";
  readonly agent: string;
  /** The number the next goal will have. */
  readonly n: number;
  /** What the host said since the last choice. */
  readonly heard: readonly string[];
  /** Files the others say they wrote and this agent has not finished a goal about. */
  readonly claims: readonly { readonly agent: string; readonly path: string }[];
  readonly recent: readonly GoalMemory[];
  readonly stressors: readonly { readonly type: string; readonly severity: number }[];
  readonly load: number;
  readonly broken: readonly Broken[];
}

export interface GoalMemory {
  readonly n: number;
  readonly text: string;
  readonly status: string;
}

export interface PlanView {
  readonly purpose: "plan";
  readonly agent: string;
  readonly n: number;
  readonly slug: string;
  readonly goal: string;
  readonly artifact: string;
  readonly evidence: string | null;
  /** Millionths. */
  readonly progress: number;
  /** What went wrong so far, newest last. */
  readonly notes: readonly string[];
  readonly broken: readonly Broken[];
  /** How many steps a cycle has. */
  readonly stepsMax: number;
}

export type View = ExistenceView | PlanView;

/** The prompt of a view, section by section; a section without facts is left out. */
export const renderPrompt = (view: View): string =>
  (view.purpose === "goal.choose" ? existenceSections(view) : planSections(view))
    .filter((section) => section !== "")
    .join("\n\n");

const existenceSections = (view: ExistenceView): string[] => [
  `You are ${view.agent}. You live in /agentOS/workspace/${view.agent} beside other agents.`,
  list(
    "INNER STATE",
    view.stressors.map(({ type, severity }) => `${type}: ${decimal(severity)}`),
    `Load: ${decimal(view.load)}/1.0`,
  ),
  list("A PERSON SAID", view.heard),
  list(
    "PEERS",
    view.claims.map(({ agent, path }) => `${agent} wrote ${path}`),
  ),
  list(
    "WHAT YOU'VE BEEN DOING",
    view.recent.map(({ text, status }) => `[${status.toUpperCase()}] ${text}`),
  ),
  brokenTools(view.broken),
  "You must pick a goal, or rest when there is nothing to do. Answer with one JSON object:\n" +
    '{"action": "goal" or "rest", "content": the goal in a sentence, "slug": a short-name, ' +
    '"artifact": the absolute path of the file that will prove it, ' +
    '"evidence": a line that must stand in it, or null}',
];

const planSections = (view: PlanView): string[] => [
  `You are ${view.agent}. Your goal: ${view.goal}`,
  `It is done when ${view.artifact} stands${view.evidence === null ? "" : ` and holds "${view.evidence}"`}. ` +
    `Progress: ${decimal(view.progress)}.`,
  list("WHAT WENT WRONG", view.notes),
  brokenTools(view.broken),
  `Say what to do next, at most ${view.stepsMax} steps, as one JSON object:\n` +
    '{"steps": [{"intent": what you want in a few words, "params": {"path": …, "content": …}}]}',
];

/** In the seed's words and format. */
const brokenTools = (broken: readonly Broken[]): string =>
  list(
    "KNOWN BROKEN TOOLS",
    broken.map(({ name, failures, reason }) => `${name}  (${failures} failures, ${reason})`),
  );

function list(title: string, items: readonly string[], last?: string): string {
  const lines = items.map((item) => `  - ${item}`);
  if (last !== undefined) lines.push(`  ${last}`);
  return lines.length === 0 ? "" : `${title}:\n${lines.join("\n")}`;
}

const decimal = (millionths: number): string => (millionths / MILLION).toFixed(2);
