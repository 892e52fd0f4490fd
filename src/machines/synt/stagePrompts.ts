/**
 * What each call of synt is shown: its own slice and nothing else. Only naming is shown the closed
 * vocabulary. The scripted model reads the view; a live one, and a recording's key, the text.
 * Source: seed 002, 4.2.3 (the request itself is in every slice; dossier 1.5).
 */
import type { Json } from "../letter.ts";
import type { View } from "../portMail.ts";
import { sortedJson } from "../sortedJson.ts";
import type { Artefact, Draft, Material, Need } from "./contract.ts";
import type { NamingPolicy } from "./naming.ts";
import type { Strategy } from "./reward.ts";
import type { StagePurpose } from "./stageTable.ts";
import { TASKS } from "./stageTasks.ts";

/** What a tool may be allowed, for stage 2. The real system's closed set. */
export const CAPABILITIES: readonly string[] =
  "fs:read fs:write net:read net:write mail:read mail:send channel:read channel:write code:exec".split(
    " ",
  );

/** How a deed may be undone. The real system's catalogue, as far as stage 2 may choose from it. */
export const REVERSE_PATTERNS: readonly string[] = [
  "swap_src_dst",
  "delete_created_dirs",
  "delete_created_paths",
  "restore_blob_backup",
];

/** What every stage of a draft is shown. */
interface Said {
  readonly request: string;
  readonly faults: readonly string[];
  readonly feedback: string | null;
}

// No interface: it goes into texts of JSON.
type Vocabulary = {
  readonly actions: readonly string[];
  readonly objects: readonly string[];
  readonly exceptions: readonly string[];
};

type StageView = Said &
  (
    | {
        readonly purpose: "synt.naming";
        readonly wanted: string;
        readonly vocabulary: Vocabulary;
      }
    | {
        readonly purpose: "synt.signature";
        readonly name: string;
        readonly revertible: boolean;
        readonly critical: boolean;
        readonly targetKind: string;
        readonly closedCapabilities: readonly string[];
        readonly reversePatterns: readonly string[];
      }
    | {
        readonly purpose: "synt.tests";
        readonly name: string;
        readonly args: Json;
        readonly capabilities: readonly string[];
        readonly revertible: boolean;
      }
    | {
        readonly purpose: "synt.description";
        readonly name: string;
        readonly args: readonly string[];
        readonly capabilities: readonly string[];
        readonly tests: number;
      }
    | {
        readonly purpose: "synt.code";
        readonly name: string;
        readonly argsSchema: Json;
        readonly capabilities: readonly string[];
        readonly description: string;
        readonly hint: string;
      }
    | {
        readonly purpose: "synt.propose";
        readonly wanted: string;
        readonly vocabulary: Vocabulary;
        readonly hint: string;
      }
    | {
        readonly purpose: "synt.pocTests";
        readonly name: string;
        readonly argsSchema: Json;
        readonly description: string;
      }
    | {
        readonly purpose: "synt.transform";
        readonly wanted: string;
        readonly strategy: Strategy;
        readonly members: readonly Json[];
        readonly chain: readonly string[];
        readonly hot: Material["hot"];
        readonly hint: string;
      }
  );

export interface JudgeView {
  readonly purpose: "synt.judge";
  readonly request: string;
  readonly strategy: Strategy;
  readonly artefact: Artefact;
  readonly rationale: string;
  readonly rubric: readonly string[];
}

interface PlanView {
  readonly purpose: "synt.plan";
  readonly request: string;
  readonly executors: readonly { readonly name: string; readonly head: string }[];
}

export type SyntView = StageView | JudgeView | PlanView;

export const isSyntView = (view: View): view is SyntView => view.purpose.startsWith("synt.");

/** What was wrong with earlier answers to the same question, and what a person said. */
export interface Remarks {
  readonly faults: readonly string[];
  readonly feedback: string | null;
}

export interface StageFacts extends Remarks {
  readonly need: Need;
  readonly draft: Partial<Draft>;
  readonly strategy: Strategy;
  readonly material: Material;
  readonly members: readonly Json[];
  readonly naming: NamingPolicy;
  readonly hint: string;
}

const vocabulary = ({ actions, objects, exceptions }: NamingPolicy) => ({
  actions: [...actions],
  objects: [...objects],
  exceptions: [...exceptions],
});

type Properties = { readonly [argument: string]: { readonly type?: Json } };

const argumentsOf = (schema: Json | undefined): Properties =>
  (schema as { readonly properties?: Properties } | undefined)?.properties ?? {};

/** The type of each argument, without what is said of it: that belongs to the model that writes the code. */
const argumentTypes = (schema: Json | undefined): Json =>
  Object.fromEntries(
    Object.entries(argumentsOf(schema)).map(([name, { type }]) => [name, type ?? "any"]),
  );

/** The slice of one stage. */
export function stageView(purpose: StagePurpose, facts: StageFacts): SyntView {
  const { need, draft, faults, feedback, naming, hint } = facts;
  const said = { request: need.intent, faults: [...faults], feedback };
  const name = draft.name ?? "";
  const capabilities = [...(draft.capabilities ?? [])];
  switch (purpose) {
    case "synt.naming":
      return { purpose, ...said, wanted: need.name, vocabulary: vocabulary(naming) };
    case "synt.signature":
      return {
        purpose,
        ...said,
        name,
        revertible: draft.revertible ?? false,
        critical: draft.critical ?? false,
        targetKind: draft.targetKind ?? "none",
        closedCapabilities: [...CAPABILITIES],
        reversePatterns: [...REVERSE_PATTERNS],
      };
    case "synt.tests":
      return {
        purpose,
        ...said,
        name,
        args: argumentTypes(draft.argsSchema),
        capabilities,
        revertible: draft.revertible ?? false,
      };
    case "synt.description":
      return {
        purpose,
        ...said,
        name,
        args: Object.keys(argumentsOf(draft.argsSchema)),
        capabilities,
        tests: draft.tests?.length ?? 0,
      };
    case "synt.code":
      return {
        purpose,
        ...said,
        name,
        argsSchema: draft.argsSchema ?? {},
        capabilities,
        description: draft.description ?? "",
        hint,
      };
    case "synt.propose":
      return { purpose, ...said, wanted: need.name, vocabulary: vocabulary(naming), hint };
    case "synt.pocTests":
      return {
        purpose,
        ...said,
        name,
        argsSchema: draft.argsSchema ?? {},
        description: draft.description ?? "",
      };
    case "synt.transform":
      return {
        purpose,
        ...said,
        wanted: need.name,
        strategy: facts.strategy,
        members: [...facts.members],
        chain: [...facts.material.chain],
        hot: facts.material.hot,
        hint,
      };
  }
}

/** What the judge weighs a proposal against. Ours: the seed names a constitutional rubric only. */
const RUBRIC: readonly string[] = [
  "It does what the request asks for, and nothing else.",
  "It reaches no more than it needs.",
  "What it does can be undone, or it says that it cannot.",
];

export const judgeView = (
  strategy: Strategy,
  intent: string,
  artefact: Artefact,
  rationale: string,
): SyntView => ({
  purpose: "synt.judge",
  request: intent,
  strategy,
  artefact,
  rationale,
  rubric: [...RUBRIC],
});

/** The text of a view: its task, then its facts. */
export function renderSynt({ purpose, ...facts }: SyntView): string {
  const lines = Object.entries<Json>(facts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([fact, value]) => `${fact}: ${sortedJson(value)}`);
  return [TASKS[purpose], ...lines].join("\n");
}

/** How long that text is: of a value, sorted or not, JSON is as long. */
export function lengthOfSynt({ purpose, ...facts }: SyntView): number {
  const lines = Object.entries<Json>(facts).map(
    ([fact, value]) => `\n${fact}: `.length + JSON.stringify(value).length,
  );
  return lines.reduce((sum, line) => sum + line, TASKS[purpose].length);
}
