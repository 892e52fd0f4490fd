/**
 * What each call of synt is shown: its own slice and nothing else. Only naming is shown the closed
 * vocabulary. The scripted model reads the view; a live one, and a recording's key, the text.
 * Source: seed 002, 4.2.3 (the request itself is in every slice; dossier 1.5).
 */
import type { Json } from "../letter.ts";
import { sortedJson } from "../sortedJson.ts";
import type { Draft, Material, Need } from "./contract.ts";
import type { NamingPolicy } from "./naming.ts";
import type { Strategy } from "./reward.ts";
import type { SyntPurpose } from "./stageTable.ts";
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

export interface SyntView {
  readonly purpose: SyntPurpose;
  readonly [fact: string]: Json;
}

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

/** The type of each argument, without what is said of it: that belongs to whoever writes the code. */
const argumentTypes = (schema: Json | undefined): Json =>
  Object.fromEntries(
    Object.entries(argumentsOf(schema)).map(([name, { type }]) => [name, type ?? "any"]),
  );

/** The slice of one stage. */
export function stageView(purpose: SyntPurpose, facts: StageFacts): SyntView {
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
    default:
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
  artefact: Json,
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
  const lines = Object.keys(facts)
    .sort()
    .map((fact) => `${fact}: ${sortedJson(facts[fact] ?? null)}`);
  return [TASKS[purpose], ...lines].join("\n");
}
