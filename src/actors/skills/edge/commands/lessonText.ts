/** The answers about lessons as people read them. */
import { markdownTable } from "markdown-table";
import { UTILITY_TERMS } from "../../../../machines/skills/retention.ts";
import { MILLION } from "../../../../machines/units.ts";
import type { PlaybookAnalysis } from "../../playbookAnalysis.ts";
import type { Finding } from "../../playbookFindings.ts";
import type { WeighedLesson } from "./weighed.ts";

const decimal = (value: number): string => String(Number(value.toFixed(6)));
const share = (millionths: number): string => decimal(millionths / MILLION);

export function utilityText({
  lesson,
  assumed,
  form,
  utility,
  forms,
  decided,
}: WeighedLesson): string {
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

export function analysisText(
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
