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

const argumentsOf = (schema: Json | undefined): Json =>
  (schema as { readonly properties?: Json } | undefined)?.properties ?? {};

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
        args: argumentsOf(draft.argsSchema),
        capabilities,
        revertible: draft.revertible ?? false,
      };
    case "synt.description":
      return {
        purpose,
        ...said,
        name,
        args: Object.keys(argumentsOf(draft.argsSchema) as object),
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

const TASKS: { readonly [purpose in SyntPurpose]: string } = {
  "synt.naming":
    "Name the executor that the request needs, {action}_{object}[_qualifier], with words of the " +
    "vocabulary only. / Dai un nome all'esecutore che serve, solo con parole del vocabolario.\n" +
    'Answer {"name","revertible","critical","target_kind"}; target_kind is path_glob, host, exact or ' +
    'none. When no name fits: {"name": null, "reason"}. / Se nessun nome va bene: name null e reason.',
  "synt.signature":
    'Answer {"args_schema" (JSON Schema of an object), "capabilities", "reverse_pattern" (null when it ' +
    'cannot be undone), "takes", "gives" (kinds of things)}.',
  "synt.tests":
    'Answer {"tests": [{"name","setup","input","expect","teardown"}]}: at least a happy path, an empty ' +
    "list, invalid arguments and an edge of the domain.",
  "synt.description":
    'Answer {"description": "SCOPO: … PATTERN: … NON: … OUT: …" in one line, "affinity": 6 to 10 words}.',
  "synt.code": "Write one Python file with `def invoke(args)`, and nothing else.",
  "synt.propose":
    'Propose an executor: {"name","description","args_schema","capabilities","code"}; code holds ' +
    "`def invoke(args)`.",
  "synt.pocTests":
    'Answer {"tests": [{"name","setup","input","expect","teardown"}]}, three to five.',
  "synt.transform":
    'Rewrite these executors as one: {"description","args_schema","capabilities","takes","gives",' +
    '"affinity","tests","code"}.',
  "synt.judge":
    'Judge the proposal by each line of the rubric. Answer {"score": 0 … 1, "reasoning", "violates": ' +
    "the line that it breaks outright, or null}.",
  "synt.plan":
    'Answer {"steps": [names of executors, also of one that you miss], "towards": [executors that the ' +
    'missing one would lead to]}; no steps when you see no way, and then {"missing": a name}.',
};

/** The text of a view: its task, then its facts. */
export function renderSynt({ purpose, ...facts }: SyntView): string {
  const lines = Object.keys(facts)
    .sort()
    .map((fact) => `${fact}: ${sortedJson(facts[fact] ?? null)}`);
  return [TASKS[purpose], ...lines].join("\n");
}
