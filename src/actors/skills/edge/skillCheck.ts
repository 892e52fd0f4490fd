/** A skill without a world: its code normalised by real Python, its test run in the sandbox, its row of the registry. */

import type { Policy } from "../../../contract/policyTree.ts";
import { readPython } from "../../../edges/python/parsePort.ts";
import type { Python } from "../../../edges/python/sandbox.ts";
import { callVerdict } from "../../../edges/python/sandboxPort.ts";
import { TRIED_SETTING } from "../../../edges/python/triedSetting.ts";
import { unmarked } from "../../../edges/pythonFile.ts";
import { readJson } from "../../../machines/readJson.ts";
import {
  type CreationArgs,
  creationFault,
  namedArgs,
  type TakenNames,
} from "../../../machines/skills/creation.ts";
import {
  type Normalised,
  normaliseCode,
  type ParseVerdict,
  parseVerdict,
} from "../../../machines/skills/normalise.ts";
import {
  type ScriptResult,
  scriptResult,
  scriptRun,
  tddVerdict,
  testRefusal,
} from "../../../machines/skills/scriptRun.ts";
import { type SkillRow, saveSkill } from "../../../machines/skills/skillBook.ts";
import { callDescription } from "../../../machines/skills/skillListing.ts";
import { skillPath, TEST_PATH } from "../../../machines/skills/skillStore.ts";

export type SkillPython = Pick<Python, "syntax" | "call">;
type SkillsPolicy = Pick<Policy, "engine" | "sandbox" | "skills">;

/** Why there is no skill: what was found, and what to do. */
export interface Refusal {
  readonly cause: string;
  readonly found: string;
  readonly todo: string;
}

export interface NormalisedSkill {
  readonly verdict: "clean" | "changed" | "refused";
  /** Null when it is refused. */
  readonly code: string | null;
  readonly changed: readonly string[];
  readonly refusal: Refusal | null;
}

export async function normalisedSkill(
  code: string,
  python: SkillPython,
  { sandbox, skills }: SkillsPolicy,
): Promise<NormalisedSkill> {
  const parses = new Map<string, ParseVerdict>();
  let result: Normalised = normaliseCode(code, parses, skills);
  while ("needs" in result) {
    const read = await readPython(python, result.needs, "skill", sandbox);
    parses.set(result.needs, parseVerdict(read));
    result = normaliseCode(code, parses, skills);
  }
  if ("error" in result) {
    return { verdict: "refused", code: null, changed: [], refusal: result.error };
  }
  const verdict = result.code === code ? "clean" : "changed";
  return { verdict, code: result.code, changed: result.changed, refusal: null };
}

/** Its byte order mark stays in front: CPython reads past it in a file, and takes none in a text. */
export async function normalisedFile(
  text: string,
  python: SkillPython,
  policy: SkillsPolicy,
): Promise<NormalisedSkill> {
  const code = unmarked(text);
  const mark = text.slice(0, text.length - code.length);
  const said = await normalisedSkill(code, python, policy);
  return { ...said, code: said.code === null ? null : mark + said.code };
}

export interface SkillCheck {
  readonly verdict: "registered" | "refused";
  /** At what it was refused; `registering` when it was not. */
  readonly state: "arguments" | "normalising" | "testing" | "registering";
  readonly refusal: Refusal | null;
  readonly changed: readonly string[];
  readonly run: ScriptResult | null;
  /** The row of the registry, the file with its code, and how models are shown it. */
  readonly registered: {
    readonly row: SkillRow;
    readonly path: string;
    readonly code: string;
    readonly shown: string;
  } | null;
}

const nothing = { changed: [], run: null, registered: null } as const;

export async function checkedSkill(
  given: CreationArgs,
  python: SkillPython,
  policy: SkillsPolicy,
): Promise<SkillCheck> {
  const args = namedArgs(given);
  const fault = creationFault(args, takenNames(policy));
  if (fault !== null) {
    const refusal = { ...fault, found: `${fault.found}; allowed: ${fault.allowed}` };
    return { ...nothing, verdict: "refused", state: "arguments", refusal };
  }
  const { code, changed, refusal } = await normalisedSkill(
    textOf(args.python_code),
    python,
    policy,
  );
  if (code === null) return { ...nothing, verdict: "refused", state: "normalising", refusal };
  const run = await testRun(code, textOf(args.test_payload), python, policy);
  const tested = tddVerdict(run, policy.skills);
  if (!tested.passed) {
    const failed = testRefusal(tested);
    return { ...nothing, verdict: "refused", state: "testing", refusal: failed, changed, run };
  }
  return {
    ...{ verdict: "registered", state: "registering", refusal: null, changed, run },
    registered: registeredAs(args, code, policy),
  };
}

/** A world has these from its start, whoever attaches them; what else it has, a scenario says. */
const takenNames = ({ engine: { builtins } }: SkillsPolicy): TakenNames =>
  new Map(builtins.map((name) => [name, "a builtin"]));

async function testRun(
  code: string,
  payload: string,
  python: SkillPython,
  { sandbox, skills }: SkillsPolicy,
): Promise<ScriptResult> {
  const file = TEST_PATH.slice(TEST_PATH.lastIndexOf("/") + 1);
  const { code: runner, name: functionName, params: kwargs } = scriptRun(code, file, [payload]);
  const wallMs = skills.testLimitMs;
  const limits = { wallMs, events: wallMs * sandbox.eventsPerMs };
  const result = await python.call({ code: runner, functionName, kwargs }, limits, TRIED_SETTING);
  return scriptResult(callVerdict(result));
}

function registeredAs(
  args: CreationArgs,
  code: string,
  { skills }: SkillsPolicy,
): NonNullable<SkillCheck["registered"]> {
  const [name, description] = [textOf(args.name), textOf(args.description)];
  const parametersSchema = readJson(textOf(args.parameters_schema)) ?? {};
  const { row } = saveSkill([], { name, description, parametersSchema, code });
  return { row, path: skillPath(name, skills.store), code, shown: callDescription(row) };
}

const textOf = (given: unknown): string => (typeof given === "string" ? given : "");
