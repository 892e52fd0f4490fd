/**
 * What each call of synt is shown: its task, its own slice and nothing else. Only naming is shown the
 * closed vocabulary. The scripted model reads the view; a live one, and a recording's key, the text.
 * Source: seed 002, 4.2.3 (the request itself is in every slice; dossier 1.5).
 */
import { parse, type TomlError } from "smol-toml";
import type { Json } from "../../letter.ts";
import type { View } from "../../portMail.ts";
import { sortedJson } from "../../sortedJson.ts";
import type { Artefact, Draft, Material, Need } from "../contract.ts";
import type { NamingPolicy } from "../naming.ts";
import type { Strategy } from "../score/reward.ts";
import { matchers } from "./birthTests.ts";
import { WHITELISTED } from "./executorProfile.ts";
import type { StagePurpose, SyntPurpose } from "./stageTiers.ts";

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

/** What each stage is shown besides what all are. */
const SLICES = {
  "synt.naming": ({ need, naming }: StageFacts) => ({
    wanted: need.name,
    vocabulary: vocabulary(naming),
  }),
  "synt.signature": ({ draft }: StageFacts) => ({
    name: draft.name ?? "",
    revertible: draft.revertible ?? false,
    critical: draft.critical ?? false,
    targetKind: draft.targetKind ?? "none",
    closedCapabilities: CAPABILITIES,
    reversePatterns: REVERSE_PATTERNS,
  }),
  "synt.tests": ({ draft }: StageFacts) => ({
    name: draft.name ?? "",
    args: argumentTypes(draft.argsSchema),
    capabilities: draft.capabilities ?? [],
    revertible: draft.revertible ?? false,
  }),
  "synt.description": ({ draft }: StageFacts) => ({
    name: draft.name ?? "",
    args: Object.keys(argumentsOf(draft.argsSchema)),
    capabilities: draft.capabilities ?? [],
    tests: draft.tests?.length ?? 0,
  }),
  "synt.code": ({ draft, hint }: StageFacts) => ({
    name: draft.name ?? "",
    argsSchema: draft.argsSchema ?? {},
    capabilities: draft.capabilities ?? [],
    description: draft.description ?? "",
    hint,
  }),
  "synt.propose": ({ need, naming, hint }: StageFacts) => ({
    wanted: need.name,
    vocabulary: vocabulary(naming),
    hint,
  }),
  "synt.pocTests": ({ draft }: StageFacts) => ({
    name: draft.name ?? "",
    argsSchema: draft.argsSchema ?? {},
    description: draft.description ?? "",
  }),
  "synt.transform": ({ need, strategy, members, material, hint }: StageFacts) => ({
    wanted: need.name,
    strategy,
    members,
    chain: material.chain,
    hot: material.hot,
    hint,
  }),
} satisfies { readonly [purpose in StagePurpose]: (facts: StageFacts) => object };

type StageView = {
  [P in StagePurpose]: Remarks & { readonly purpose: P; readonly request: string } & Readonly<
      ReturnType<(typeof SLICES)[P]>
    >;
}[StagePurpose];

/** The slice of one stage. */
export function stageView(purpose: StagePurpose, facts: StageFacts): SyntView {
  const { need, faults, feedback } = facts;
  const said = { purpose, request: need.intent, faults, feedback };
  return { ...said, ...SLICES[purpose](facts) } as StageView; // Of the purpose that it names.
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

/*
 * What each call of synt is told to do; its facts stand below it. Only naming is asked in two
 * languages, as requests come in both. Texts are ours. Source: seed 002, 4.2.3; dossier 1.3 and 1.5.
 */

const EXPECTATIONS = Object.entries(matchers)
  .map(([name, { wants }]) => `${name} (${wants})`)
  .join(", ");

const TEST_FORMAT =
  'Answer {"tests": [{"name", "setup", "input", "expect", "teardown"}]}. input: the arguments, an ' +
  "object. setup: files that are there before, text by path. teardown: paths that go afterwards. " +
  `expect: at least one of ${EXPECTATIONS}.`;

/** What holds of every executor, for the model that writes its code. */
const CONVENTIONS = [
  "Define invoke(args) at the top level; args is a dict of the arguments.",
  'Return a dict, never None: {"ok": True, …} with what the description says under OUT. Several ' +
    'things go into "entries" (a list of dicts) with "ok_count" and "fail_count".',
  'On failure return {"ok": False, "error": a sentence, "error_class": a short name}, and raise ' +
    'nothing. Wrong or missing arguments are error_class "invalid_args". An empty list is no failure.',
  "Read and write only what the arguments name and the capabilities allow; no environment, no clock " +
    "of your own, no printing, no input.",
  "Helpers are functions of the same file, above invoke.",
  `Import only ${WHITELISTED.join(", ")}.`,
].join("\n- ");

const FOUR_CHAPTERS =
  "SCOPO: what it does, in one sentence. PATTERN: one call with the names of real arguments, such " +
  "as name(arg=value). NON: what it is not for, and which executor is. OUT: the fields of its answer.";

const TASKS: { readonly [purpose in SyntPurpose]: string } = {
  "synt.naming": [
    "EN. Name the executor that the request needs: {action}_{object}[_qualifier], all words from the " +
      "vocabulary. Prefer a synonym that is in the vocabulary to a new word. If no combination fits, " +
      "refuse and say why.",
    "revertible: it can be undone. To move or create can; to send never can; to delete or overwrite " +
      "can only if the request speaks of a copy that is kept. critical: it changes, sends or deletes " +
      "something. target_kind: path_glob (files), host (the network), exact (one named thing), none.",
    "IT. Dai un nome all'esecutore che serve alla richiesta: {action}_{object}[_qualifier], solo con " +
      "parole del vocabolario. Meglio un sinonimo del vocabolario che una parola nuova. Se nessuna " +
      "combinazione va bene, rifiuta e di' perché.",
    "revertible: si può annullare. Spostare o creare sì; inviare mai; cancellare o sovrascrivere solo " +
      "se la richiesta parla di una copia. critical: cambia, invia o cancella qualcosa. target_kind: " +
      "path_glob (file), host (rete), exact (una cosa precisa), none (nessuno).",
    'Answer / Rispondi {"name","revertible","critical","target_kind"}, or / oppure {"name": null, "reason"}.',
  ].join("\n"),
  "synt.signature": [
    "Give the executor of this name its arguments and permissions.",
    "args_schema: a JSON Schema of an object with type, properties and required, a description for " +
      "each property; what an earlier step yields is from_step, an integer. capabilities: the fewest " +
      "of closedCapabilities. reverse_pattern: one of reversePatterns when revertible, else null. " +
      "takes, gives: kinds of things, such as path, text, entries.",
    'Answer {"args_schema","capabilities","reverse_pattern","takes","gives"}.',
  ].join("\n"),
  "synt.tests": [
    "Write four to six birth tests for the executor, at least one each: a happy path (ok true), an " +
      'empty list (an input that holds [], {} or ""), invalid arguments (ok false or an error), and ' +
      "an edge of the domain.",
    TEST_FORMAT,
  ].join("\n"),
  "synt.description": [
    "Describe the executor for a planner that chooses among many.",
    `description: one line of 80 to 320 characters, at most 240 before OUT:. ${FOUR_CHAPTERS}`,
    "affinity: 6 to 10 words that a user would use for it.",
    'Answer {"description","affinity"}.',
  ].join("\n"),
  "synt.code": `Write the executor as one Python file, and nothing else.\n- ${CONVENTIONS}`,
  "synt.propose": [
    "Propose an executor for the request: name ({action}_{object}[_qualifier], words of the " +
      "vocabulary or an exception), description, arguments, permissions and code.",
    'Answer {"name","description","args_schema" (JSON Schema of an object),"capabilities",' +
      '"reverse_pattern": null,"takes","gives" (kinds of things),"code"}.',
    `- ${CONVENTIONS}`,
  ].join("\n"),
  "synt.pocTests": `Write three to five birth tests for the executor.\n${TEST_FORMAT}`,
  "synt.transform": [
    "Rewrite these executors as the wanted one. It does what each of them did, and reaches no more " +
      "than they do together.",
    'Answer {"name" (the wanted one),"description","args_schema","capabilities","reverse_pattern": null,' +
      '"takes","gives","affinity","tests","code"}.',
    `description: one line. ${FOUR_CHAPTERS}`,
    "affinity: 6 to 10 words. tests: four to six, at least a happy path, an empty list, invalid " +
      "arguments and an edge of the domain; each is an element of: " +
      TEST_FORMAT.replace("Answer ", ""),
    `- ${CONVENTIONS}`,
  ].join("\n"),
  "synt.judge":
    'Judge the proposal by each line of the rubric. Answer {"score": 0 … 1, "reasoning", "violates": ' +
    "the line that it breaks outright, or null}.",
  "synt.plan":
    'Answer {"steps": [names of executors, also of one that you miss], "towards": [executors that the ' +
    'missing one would lead to]}; no steps when you see no way, and then {"missing": a name}.',
};

/*
 * The prompt repertoire: what is added to the prompt for code, by provider and model. The user's
 * file comes first and the first match wins. Source: seed 002, 4.2.2 (the real system appends the
 * user's entries, so that none can override a bundled one; dossier 1.8).
 */

export interface Hint {
  readonly provider: string;
  /** A glob on the model's name, in any letter case: `qwen*` is meant for `Qwen3.6-35B`. */
  readonly modelPattern: string;
  readonly useCase: string;
  readonly text: string;
}

/** Where a user may put entries of their own. */
export const HINTS_PATH = "/agentOS/config/metnos/prompts.toml";

/** A model that can write the whole file well needs to be told to. */
const WHOLE = "Constraints: write the whole file, def invoke included. Never leave it empty.";

/** Ours, after the seed's three and the real system's for local models: one line, imperative, no reasons. */
const BUNDLED_HINTS: readonly Hint[] = [
  codeHint("anthropic", "claude-*", "Constraints: follow the spec. Simple regular expressions."),
  codeHint("llamacpp", "*", "Constraints: raw strings with one backslash. No docstrings."),
  codeHint("ollama", "qwen2.5:*", "Constraints: write the whole file. Standard library only."),
  codeHint("ollama", "qwen3:*", WHOLE),
  codeHint("openai", "gpt-*", WHOLE),
];

function codeHint(provider: string, modelPattern: string, text: string): Hint {
  return { provider, modelPattern, useCase: "code_gen", text };
}

/** The text of the first entry that fits, the user's before the bundled ones; nothing when none does. */
export const hintFor = (coder: Coder, users: readonly Hint[]): string =>
  firstFit([...users, ...BUNDLED_HINTS], coder);

export interface Coder {
  readonly provider: string;
  /** A model without a name fits a pattern that takes any. */
  readonly model: string | null;
}

export function firstFit(entries: readonly Hint[], { provider, model }: Coder): string {
  const found = entries.find(
    (hint) =>
      hint.useCase === "code_gen" &&
      hint.provider === provider &&
      globOf(hint.modelPattern).test(model ?? ""),
  );
  return found?.text ?? "";
}

function globOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\[[^\]]+\]|[\s\S]/g, (part) => {
    if (part === "*") return "[^]*";
    if (part === "?") return "[^]";
    return part.length > 1 ? `[${escaped(part.slice(1, -1))}]` : escaped(part);
  });
  return new RegExp(`^${source}$`, "i");
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|-]/g, "\\$&");

export interface Repertoire {
  readonly entries: readonly Hint[];
  /** What is wrong with the file; none of its entries count then. Null for nothing. */
  readonly fault: string | null;
}

/** The `[[hint]]` tables of a user's TOML file: all of them, or none and the reason. */
export function repertoireOf(text: string): Repertoire {
  const tables = tablesOf(text);
  if (typeof tables === "string") return { entries: [], fault: tables };
  const entries: Hint[] = [];
  for (const [index, table] of tables.entries()) {
    const entry = entryOf(table);
    if (typeof entry === "string") return { entries: [], fault: `hint ${index + 1}: ${entry}` };
    entries.push(entry);
  }
  return { entries, fault: null };
}

function tablesOf(text: string): readonly unknown[] | string {
  try {
    const { hint = [], ...others } = parse(text);
    const [other] = Object.keys(others);
    if (other !== undefined) return `${other} is not known; entries stand under [[hint]]`;
    return Array.isArray(hint) ? hint : "hint is no list of tables; write [[hint]]";
  } catch (error) {
    // The first line says what is wrong; a picture of the place follows.
    const { line, message } = error as TomlError;
    return `no TOML, line ${line}: ${message.split("\n")[0]}`;
  }
}

const FIELDS = ["provider", "model_pattern", "use_case", "text"] as const;

function entryOf(table: unknown): Hint | string {
  const fields = table as { readonly [field: string]: unknown };
  const stray = Object.keys(fields).find((one) => !(FIELDS as readonly string[]).includes(one));
  if (stray !== undefined) return `${stray} is not known; there are ${FIELDS.join(", ")}`;
  const { model_pattern: modelPattern = "*", provider, use_case: useCase, text } = fields;
  const given = { provider, model_pattern: modelPattern, use_case: useCase, text };
  const wrong = FIELDS.find((field) => typeof given[field] !== "string");
  return wrong === undefined
    ? ({ provider, modelPattern, useCase, text } as Hint)
    : `${wrong} is no text`;
}
