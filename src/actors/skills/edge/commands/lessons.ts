/** `ghostlight skill utility` and `skill analyse`: what the formulas say of lessons given by hand, and of a policy. */
import { markdownTable } from "markdown-table";
import { parts } from "../../../../builtIn/parts.ts";
import { answerBatch, type Fields } from "../../../../cli/batch.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { echoSet, overridesOption } from "../../../../cli/options.ts";
import { print, printJson } from "../../../../cli/output.ts";
import { policyWith } from "../../../../contract/policyTree.ts";
import { badInput, quoted } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { isMap } from "../../../../machines/isMap.ts";
import { UTILITY_TERMS } from "../../../../machines/skills/retention.ts";
import type { SkillsPolicy } from "../../../../machines/skills/skillsPolicy.ts";
import { MILLION } from "../../../../machines/units.ts";
import { analysePlaybook, type PlaybookAnalysis } from "../../playbookAnalysis.ts";
import { type Finding, playbookFindings } from "../../playbookFindings.ts";
import { lessonFields, lessonFile } from "./lessonFields.ts";
import { type WeighedLesson, weighed } from "./weighed.ts";

interface PolicyFlags extends JsonFlag {
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly batch?: true;
}

const policyBy = (set: readonly string[], profile: string | undefined): SkillsPolicy =>
  policyWith(parts, overridesOption(parts, set, profile)).skills;

function skillsPolicy({ set = [], profile }: PolicyFlags): SkillsPolicy {
  const policy = policyBy(set, profile);
  echoSet(parts, set);
  return policy;
}

export interface UtilityFlags extends PolicyFlags {
  readonly confidence?: string;
  readonly retrievals?: string;
  readonly helpful?: string;
  readonly frequency?: string;
  readonly verified?: true;
  readonly file?: string;
}

// The answers about lessons as people read them.

const decimal = (value: number): string => String(Number(value.toFixed(6)));
const share = (millionths: number): string => decimal(millionths / MILLION);

function utilityText({ lesson, assumed, form, utility, forms, decided }: WeighedLesson): string {
  const given = Object.entries(lesson).map(
    ([name, value]) => `${name} ${value}${assumed.includes(name) ? " (assumed)" : ""}`,
  );
  const { seed, real } = forms;
  return [
    given.join(", "),
    "",
    markdownTable([
      ["Term", "Form seed", "Form real"],
      ...UTILITY_TERMS.map((term) => [term, decimal(seed.terms[term]), decimal(real.terms[term])]),
      ["utility", decimal(seed.total), decimal(real.total)],
      ["hit_rate", decimal(seed.hit_rate), decimal(real.hit_rate)],
    ]),
    "",
    `${"utility".padEnd(13)} ${decimal(utility)} by the form ${form}`,
    ...decided.map(({ clause, says }) => `${clause.padEnd(13)} ${says}`),
  ].join("\n");
}

function analysisText(
  analysis: PlaybookAnalysis & { readonly findings: readonly Finding[] },
): string {
  const { form, terms, total, clauses, cap, findings } = analysis;
  return [
    `utility by the form ${form}; what is kept, in ${terms[0]?.tried ?? 0} playbooks tried`,
    "",
    markdownTable([
      ["Term", "Range", "Decides in"],
      ...terms.map(({ term, least, most, decides }) => [
        term,
        `${share(least)} … ${share(most)}`,
        String(decides),
      ]),
      ["utility", `${share(total.least)} … ${share(total.most)}`, ""],
    ]),
    "",
    markdownTable([
      ["Clause", "Tried", "Holds", "Decides"],
      ...clauses.map(({ says, tried, holds, decides }) => [
        says,
        ...[tried, holds, decides].map(String),
      ]),
    ]),
    "",
    `Of ${cap.useful} useful lessons that come one by one, a playbook of ${cap.size}`,
    markdownTable([
      ["Verified ones before", "Keeps", "Starves"],
      ...cap.rows.map(({ pins, kept, starved }) => [pins, kept, starved].map(String)),
    ]),
    "",
    "Findings",
    ...findings.map(({ says }) => `- ${says}`),
  ].join("\n");
}

export async function skillUtilityCommand(flags: UtilityFlags): Promise<number> {
  const { confidence, retrievals, helpful, frequency, verified, file } = flags;
  const fields = { confidence, retrievals, helpful, frequency, verified };
  const given = Object.values(fields).some((value) => value !== undefined);
  onlyOne([
    ...(given ? ["options of a lesson"] : []),
    ...(file === undefined ? [] : ["--file"]),
    ...(flags.batch ? ["--batch"] : []),
  ]);
  const policy = skillsPolicy(flags);
  if (flags.batch) return answerBatch((line) => weighed(lessonFields(line), policy));
  const said = weighed(file === undefined ? lessonFields(fields) : lessonFile(file), policy);
  if (flags.json) printJson(said);
  else print(utilityText(said));
  return EXIT.ok;
}

function onlyOne(given: readonly string[]): void {
  if (given.length === 1) return;
  throw badInput(
    "skill utility",
    given.length === 0 ? "no lesson" : given.join(" and "),
    "options of a lesson, --file, or --batch",
    "Give one of them, such as: npx ghostlight skill utility --confidence 0.8 --retrievals 10 --helpful 3",
  );
}

export async function skillAnalyseCommand(flags: PolicyFlags): Promise<number> {
  if (flags.batch) {
    const { set = [], profile } = flags;
    skillsPolicy(flags);
    const answer = (fields: Fields) => analysed(policyBy([...set, ...setOf(fields)], profile));
    return answerBatch(answer, { fields: ["id", "set"] });
  }
  const said = analysed(skillsPolicy(flags));
  if (flags.json) printJson(said);
  else print(analysisText(said));
  return EXIT.ok;
}

function analysed(policy: SkillsPolicy) {
  const analysis = analysePlaybook(policy);
  return { ...analysis, findings: playbookFindings(analysis) };
}

/** `{"set": {"skills.utility.form": "real"}}`, as `--set` would have it. */
function setOf({ set = {} }: Fields): readonly string[] {
  if (isMap(set)) return Object.entries(set).map(([path, value]) => `${path}=${leafText(value)}`);
  throw badInput("set", quoted(set), "an object of values by path", "");
}

/** A list or an object is no leaf's value: its JSON is refused as such, by name. */
const leafText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);
