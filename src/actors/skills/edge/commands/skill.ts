/** `ghostlight skill normalize` and `check`: what create_skill would say to code of files, or of lines. */
import { basename } from "node:path";
import { parts } from "../../../../builtIn/parts.ts";
import { answerBatch, type Fields } from "../../../../cli/batch.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { echoSet, overridesOption, sandboxOption } from "../../../../cli/options.ts";
import {
  clearProgress,
  note,
  print,
  printExactly,
  printJson,
  progress,
} from "../../../../cli/output.ts";
import { type Policy, policyWith } from "../../../../contract/policyTree.ts";
import { type BadInput, badInput, eitherOrBatch, quoted } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { jsonText } from "../../../../edges/jsonText.ts";
import { cacheFolder, KeptAnswers } from "../../../../edges/play/keptAnswers.ts";
import { lazySandbox } from "../../../../edges/python/sandboxPort.ts";
import { markedPythonFile, unmarked } from "../../../../edges/pythonFile.ts";
import { argumentSchema, schemaFault } from "../../../../findings/argumentSchema.ts";
import { readJson } from "../../../../machines/readJson.ts";
import { CREATION_FIELDS, type CreationArgs } from "../../../../machines/skills/creation.ts";
import {
  checkedSkill,
  type NormalisedSkill,
  normalisedFile,
  normalisedSkill,
  type SkillCheck,
  type SkillPython,
} from "../skillCheck.ts";
import { checkTable, checkText, normalizedTable, refusalText, shownCode } from "./skillText.ts";

interface SkillFlags extends JsonFlag {
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly batch?: true;
  readonly sandbox?: string;
  readonly cache?: string;
}

export interface CheckFlags extends SkillFlags {
  readonly payload?: string;
  readonly name?: string;
  readonly description?: string;
  readonly schema?: string;
}

export async function skillNormalizeCommand(
  files: readonly string[],
  flags: SkillFlags,
): Promise<number> {
  eitherOrBatch(
    "skill normalize",
    files.length > 0,
    flags.batch,
    "a file",
    "the path of a Python file",
  );
  return withPython(flags, async (python, policy) => {
    if (flags.batch) {
      return answerLines((fields) => normalisedSkill(codeOf(fields), python, policy));
    }
    const all = await ofFiles(files, (text) => normalisedFile(text, python, policy));
    const [only] = all;
    if (flags.json) printJson(all.length === 1 ? only : { files: all });
    else if (all.length > 1) print(normalizedTable(all));
    else if (only !== undefined) tellNormalized(only);
    return all.some(({ verdict }) => verdict === "refused") ? EXIT.failed : EXIT.ok;
  });
}

/** The code on stdout, so that it can be kept, and what became of it on stderr. */
function tellNormalized({ code, changed, refusal }: NormalisedSkill): void {
  if (refusal !== null) print(refusalText(refusal));
  else note(changed.length === 0 ? "Unchanged: Python reads it as it is." : changed.join("; "));
  if (code === null) return;
  const shown = shownCode(code, process.stdout.isTTY === true);
  printExactly(shown.text);
  if (shown.note !== null) note(shown.note);
}

export async function skillCheckCommand(
  files: readonly string[],
  flags: CheckFlags,
): Promise<number> {
  eitherOrBatch(
    "skill check",
    files.length > 0,
    flags.batch,
    "a file",
    "the path of a Python file",
  );
  if (!flags.batch && flags.payload === undefined) throw noPayload();
  if (files.length > 1 && flags.name !== undefined) throw manyOfAName(files.length);
  if (flags.schema !== undefined) schemaOption(flags.schema, flags.payload);
  return withPython(flags, async (python, policy) => {
    const check = (args: CreationArgs) => checkedSkill(args, python, policy);
    if (flags.batch) return answerLines((fields) => check(argsOf(fields)));
    const all = await ofFiles(files, (code, file) =>
      check(argsOfFile(file, unmarked(code), flags)),
    );
    const [only] = all;
    if (flags.json) printJson(all.length === 1 ? only : { files: all });
    else if (all.length > 1) print(checkTable(all));
    else if (only !== undefined) print(checkText(only));
    return all.some(({ verdict }) => verdict === "refused") ? EXIT.failed : EXIT.ok;
  });
}

/** create_skill takes any JSON for a schema, and holds nothing against it: so a slip would show in no answer of its. */
function schemaOption(text: string, payload = ""): void {
  const where = { path: "--schema" };
  const todo = `For example: --schema '{"type": "object", "properties": {"city": {"type": "string"}}}'`;
  const schema = jsonText(text, where, todo);
  const wrong = schemaFault(schema);
  if (wrong !== null) {
    const found = `${quoted(schema)}: ${wrong}`;
    throw badInput(where, found, "a JSON Schema, which is an object", todo);
  }
  const given = readJson(payload);
  const fault = given === undefined ? undefined : argumentSchema(schema)?.faultOf(given);
  if (fault) note(`--payload does not fit --schema: ${fault} create_skill does not look at that.`);
}

const noPayload = (): BadInput =>
  badInput(
    "--payload",
    "none",
    "JSON",
    "Give what the skill's test gets as sys.argv[1]; --payload '{}' where it needs nothing.",
  );

const manyOfAName = (count: number): BadInput =>
  badInput(
    "--name",
    `one name for ${count} files`,
    "a name for a single file",
    "Omit it: each skill is then named after its file.",
  );

/** One sandbox for all, opened by the first text that is to be read. */
async function withPython(
  { set = [], profile, sandbox, cache }: SkillFlags,
  work: (python: SkillPython, policy: Policy) => Promise<number>,
): Promise<number> {
  const policy = policyWith(parts, overridesOption(parts, set, profile));
  echoSet(parts, set);
  const answers = new KeptAnswers(cacheFolder(cache));
  const python = lazySandbox({ kind: sandboxOption(sandbox), answers });
  try {
    return await work(python, policy);
  } finally {
    await python.close();
  }
}

export type OfFile<T> = T & { readonly file: string };

/** All files are read before the first is looked at, so that a bad path costs no time. */
async function ofFiles<T extends NormalisedSkill | SkillCheck>(
  files: readonly string[],
  answer: (code: string, file: string) => Promise<T>,
): Promise<readonly OfFile<T>[]> {
  const texts = files.map((file) => [file, markedPythonFile(file)] as const);
  const all: OfFile<T>[] = [];
  for (const [file, code] of texts) {
    progress(`${all.length + 1} of ${files.length}: ${file}`);
    all.push({ file, ...(await answer(code, file)) });
  }
  clearProgress();
  return all;
}

const argsOfFile = (
  file: string,
  code: string,
  { payload, name = basename(file).replace(/\.py$/, ""), description = name, schema }: CheckFlags,
): CreationArgs => ({
  name,
  description,
  parameters_schema: schema ?? '{"type": "object"}',
  python_code: code,
  test_payload: payload ?? "",
});

const isRefused = ({ verdict }: NormalisedSkill | SkillCheck): boolean => verdict === "refused";

/** What is answered to each line that has what there must be. */
const answerLines = (
  answer: (fields: Fields) => Promise<NormalisedSkill | SkillCheck>,
): Promise<number> =>
  answerBatch(
    (fields) => {
      const error = codeFault(fields);
      return error === undefined ? answer(fields) : { error };
    },
    { fields: ["id", ...FIELDS], isRefused },
  );

const FIELDS = [...CREATION_FIELDS, "filename"] as const;

/** An argument of another kind than text is create_skill's to refuse; code is what there must be. */
function codeFault(fields: Fields): string | undefined {
  const code = fields["python_code"];
  if (typeof code === "string") return undefined;
  return `python_code: found ${String(JSON.stringify(code))}; allowed: a text`;
}

const codeOf = (fields: Fields): string => String(fields["python_code"]);

/** A line is JSON, so its fields are. */
const argsOf = (fields: Fields): CreationArgs =>
  Object.fromEntries(
    FIELDS.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]),
  ) as CreationArgs;
