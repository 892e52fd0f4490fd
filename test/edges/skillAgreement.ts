// Path A beside the real system's answers: what ours says of each kind of case, and how many say the same.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { normalisedSkill, type SkillPython } from "../../src/actors/skills/edge/skillCheck.ts";
import { readPython } from "../../src/edges/python/parsePort.ts";
import { openSandbox, type Sandbox } from "../../src/edges/python/sandbox.ts";
import type { Json } from "../../src/machines/letter.ts";
import { contentHash } from "../../src/machines/skills/contentHash.ts";
import {
  type CreationArgs,
  creationFault,
  namedArgs,
  skillNameFault,
} from "../../src/machines/skills/creation.ts";
import { repairLine } from "../../src/machines/skills/normalise.ts";
import { trimPython } from "../../src/machines/skills/pythonText.ts";
import {
  resultOfText,
  skillResultClass,
  tddCause,
  tddVerdict,
} from "../../src/machines/skills/scriptRun.ts";
import {
  countCall,
  retirableRows,
  retireClauses,
  type SkillBook,
  type SkillRow,
  saveSkill,
  withoutRow,
} from "../../src/machines/skills/skillBook.ts";
import { withoutCdata, withoutEntities, withoutFence } from "../../src/machines/skills/wrappers.ts";
import { policyWith } from "../builtIn.ts";

const ORACLE = new URL("../../../shared/oracles/ghost.json", import.meta.url);

export interface OracleCase<Input, Expected> {
  readonly id: string;
  readonly kind: string;
  readonly input: Input;
  readonly expected: Expected;
}

export const oracle: readonly OracleCase<never, never>[] = existsSync(ORACLE)
  ? JSON.parse(readFileSync(ORACLE, "utf8")).cases
  : [];

/** Opened by the first kind that reads Python. */
let opened: Promise<Sandbox> | undefined;
const sandbox = (): Promise<Sandbox> =>
  (opened ??= openSandbox({ cacheFolder: resolve("node_modules/.cache/ghostlight") }));
export const closeSandbox = async (): Promise<void> => (await opened)?.close();

export const seed = policyWith({});
const healing = policyWith({ "skills.heal": "on" });
/** All that a ruling decides otherwise set back to the real system's. */
export const real = policyWith({
  "skills.heal": "on",
  "skills.outerSpace": "stripped",
  "skills.stderrCounts": true,
  "skills.usageCounts": "both",
});

/** Each text is read once, whatever asks about it. */
const read = new Map<string, ReturnType<Sandbox["syntax"]>>();
export const python: SkillPython = {
  call: async (...asked) => (await sandbox()).call(...asked),
  syntax: (text, limits) => {
    const found = read.get(text) ?? sandbox().then((one) => one.syntax(text, limits));
    read.set(text, found);
    return found;
  },
};

const parses = async (text: string): Promise<boolean> =>
  (await readPython(python, text, "test", seed.sandbox)).ok;

interface RowText {
  readonly name: string;
  readonly description: string;
  readonly parameters_schema: Json;
  readonly usage_count: number;
  readonly failure_count: number;
  readonly status: "active" | "degraded";
  readonly content_hash: string;
}
type Registry = Readonly<Record<string, RowText>>;

const bookOf = (registry: Registry): SkillBook =>
  Object.values(registry).map((row) => ({
    ...{ name: row.name, description: row.description, parametersSchema: row.parameters_schema },
    ...{ usageCount: row.usage_count, failureCount: row.failure_count },
    ...{ status: row.status, contentHash: row.content_hash },
  }));
const registryOf = (book: SkillBook): Registry =>
  Object.fromEntries(
    book.map((row: SkillRow): [string, RowText] => [
      row.name,
      {
        ...{ name: row.name, description: row.description },
        ...{ parameters_schema: row.parametersSchema, usage_count: row.usageCount },
        ...{ failure_count: row.failureCount, status: row.status, content_hash: row.contentHash },
      },
    ]),
  );

type Save = readonly ["save", string, string, Json, string];
type RegistryEvent = Save | ["log", string, boolean] | ["retire"] | ["delete", string];

function registryAfter(book: SkillBook, event: RegistryEvent): SkillBook {
  if (event[0] === "retire") {
    return retirableRows(book, real.skills).reduce((now, { name }) => withoutRow(now, name), book);
  }
  if (event[0] === "delete") return withoutRow(book, event[1]);
  if (event[0] === "log")
    return countCall(book, event[1], event[2] ? "success" : "failure", real.skills);
  const [, name, description, parametersSchema, code] = event;
  if (skillNameFault(name) !== null) return book;
  return saveSkill(book, { name, description, parametersSchema, code }).book;
}

async function created(
  given: CreationArgs,
  executed: string,
  policy: typeof real,
): Promise<Registry | null> {
  const args = namedArgs(given);
  if (creationFault(args, new Map()) !== null) return null;
  const { code } = await normalisedSkill(String(args.python_code), python, policy);
  if (code === null || !tddVerdict(resultOfText(executed), policy.skills).passed) return null;
  const [name, description] = [String(args.name), String(args.description)];
  const parametersSchema = JSON.parse(String(args.parameters_schema));
  return registryOf(saveSkill([], { name, description, parametersSchema, code }).book);
}

export interface SanitizeInput {
  readonly content: string;
  readonly filename: string;
}

export const isPython = (filename: string): boolean => /\.py$/i.test(filename);

/** Ours for a case's input, in the form of its expected value; undefined where the case is not about skills. */
const answers: { readonly [kind: string]: (input: never) => unknown } = {
  sanitize_code: async ({ content, filename }: SanitizeInput) => {
    if (!isPython(filename)) return undefined;
    return (await normalisedSkill(content, python, real)).code;
  },
  strip_cdata_envelope: async ({ content }: { content: string }) => {
    if (await parses(content)) return content;
    const left = withoutCdata(content).map(({ text }) => text);
    for (const one of left) if (await parses(one)) return one;
    return left.length > 1 ? left.at(-2) : content;
  },
  html_unescape_rescue: async ({ content, ext }: { content: string; ext: string }) => {
    if (ext !== "py") return undefined;
    const [{ text: decoded } = { text: content }] = withoutEntities(content);
    return !(await parses(content)) && (await parses(decoded)) ? decoded : content;
  },
  extract_code_from_markdown: async ({ text, filename }: { text: unknown; filename: string }) => {
    if (typeof text !== "string") return undefined;
    if (isPython(filename) && (await parses(text))) return trimPython(text);
    // Behind what may be one block that quotes fences stands the real system's own choice.
    const lefts = withoutFence(text).map((left) => left.text);
    return trimPython(lefts.find((left) => !left.includes("```")) ?? text);
  },
  fix_python_syntax: async ({ code }: { code: string }) =>
    (await normalisedSkill(code, python, healing)).code,
  repair_line: ({ line }: { line: string }) => repairLine(line),
  create_skill: async (input: { args: CreationArgs; execute_result: string }) =>
    created(input.args, input.execute_result, real),
  tdd_failure_summary: ({ execution_result: text }: { execution_result: unknown }) =>
    typeof text === "string" ? tddCause(text) : undefined,
  validate_skill_name: ({ name }: { name: Json }) => skillNameFault(name) === null,
  content_hash: (input: { python_code: string; parameters_schema: Json; description: string }) =>
    contentHash(input.python_code, input.parameters_schema, input.description),
  skill_registry_sequence: ({ events }: { events: readonly RegistryEvent[] }) => {
    let book: SkillBook = [];
    return events.map((event) => {
      book = registryAfter(book, event);
      return registryOf(book);
    });
  },
  retire_degraded_skills: ({ registry }: { registry: Registry }) => {
    const book = bookOf(registry);
    const names = retirableRows(book, real.skills).map(({ name }) => name);
    return { retired: names, registry_after: registryOf(registryAfter(book, ["retire"])) };
  },
  retire_rule: (input: { failure_count: number; usage_count: number }) => {
    const row = { failureCount: input.failure_count, usageCount: input.usage_count };
    const { failures, failuresOfYoung } = retireClauses(row, real.skills);
    return failures || failuresOfYoung;
  },
  skill_result_class: ({ result }: { result: string }) => skillResultClass(result),
};

/** What of a case's expected value ours is held against. */
const expectedOf: { readonly [kind: string]: (expected: never) => unknown } = {
  sanitize_code: ({ code, error }: { code: string; error: string | null }) =>
    error === null ? code : null,
  create_skill: ({ registry }: { registry: Json }) => registry,
  validate_skill_name: (expected: string | { ok: boolean }) =>
    typeof expected === "string" || expected.ok,
  skill_registry_sequence: ({ trace }: { trace: readonly { registry: Json }[] }) =>
    trace.map(({ registry }) => registry),
  // The seed's rule; the later one also looks at the status.
  retire_rule: ({ april }: { april: boolean }) => april,
};

/** Where ours differs, and by which ruling. */
export const otherwise: { readonly [id: string]: string } = {
  "own-sanitize-cdata-orphan-open-broken-body":
    "K9, SK2: a lone opener goes before the body is healed",
  "own-sanitize-clean-py-ending-cdata-comment": "K10: clean Python keeps its closer",
  "own-sanitize-clean-py-ending-cdata-string-stmt": "K10: clean Python keeps its closer",
  "up-sanitize_code-045": "K10: clean Python keeps its form feed",
  "own-sanitize-fence-nolang-sameline-eats-word":
    "SK5: on the fence's own line only a name of Python is a language; theirs makes (1) of print(1)",
  "own-name-686": "SK10: Python's $ lets a newline through, which no file name should hold",
};

interface Agreement {
  readonly same: number;
  readonly otherwise: readonly string[];
  readonly notApplicable: number;
}

export async function agreementOf(kind: string): Promise<Agreement> {
  let [same, notApplicable] = [0, 0];
  const other: string[] = [];
  for (const { id, input, expected } of oracle.filter((one) => one.kind === kind)) {
    const ours = await answers[kind]?.(input);
    const held = expectedOf[kind];
    const theirs = held === undefined ? expected : held(expected);
    if (ours === undefined) notApplicable += 1;
    else if (JSON.stringify(sorted(ours)) === JSON.stringify(sorted(theirs))) same += 1;
    else other.push(id);
  }
  return { same, otherwise: other, notApplicable };
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, held]) => [key, sorted(held)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
