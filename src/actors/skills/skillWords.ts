/** What happens to skills, in words. */

import { countOf } from "../../contract/countOf.ts";
import type { Words } from "../../contract/words.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { UnfitRow } from "../../machines/skills/skillStore.ts";

export const skillWords: Words = {
  "skill.stepped": ({ skill, stage, detail }) => `${skill} passed ${stage}: ${detail}.`,
  "skill.registering": ({ skill }) => `${skill} is in the store; its row is written last.`,
  "skill.registered": ({ ok, error }, { to }) =>
    ok
      ? `${nameOf(to)} is a skill now.`
      : `${nameOf(to)} could not be registered: ${error ?? "no reason given"}.`,
  "skill.refused": ({ skill, stage, cause, found }) =>
    `${skill || "A skill without a name"} was refused at ${stage} (${cause}): ${found}.`,
  "skill.counted": (event) => outcomeText(event),
  "skill.left": ({ skill, how, because }) => `${skill} was ${how}: ${because}.`,
  "skill.wrapped": ({ skill, agent, wrap, isTold }) =>
    `${agent} reached for ${skill} with \`${wrap}\` instead of calling it by its name; ` +
    (isTold ? "the prompts say how it is called." : "no prompt says how it is called."),
  "store.found": (event) => storeText(event),
  "sandbox.wiped": () => "The sandbox was emptied.",
};

/** `top_news` of `skill/top_news#2`. */
const nameOf = (address: string): string => address.split(/[/#]/)[1] ?? address;

function outcomeText(event: MailOf<"skill.counted">): string {
  const { skill, outcome, cause, status, failureCount } = event;
  if (outcome === "success") return `${skill} did what it is for.`;
  const why = cause ?? "no reason given";
  if (outcome === "infra") return `A call of ${skill} was broken off by the machine: ${why}.`;
  const times = `${countOf(failureCount, "failure")} in a row`;
  const end = status === "degraded" ? ` It is degraded after ${times}.` : "";
  return `${skill} failed: ${why}.${end}`;
}

/** `top_news (its status is "retired")`. */
export const unfitText = ({ skill, why }: UnfitRow): string => `${skill || '""'} (${why})`;

function storeText(event: MailOf<"store.found">): string | null {
  const { skills, migrated, filesAlone, rowsAlone, unfit = [], changed = [], fault } = event;
  const said = [
    ...(fault === null ? [] : [fault]),
    ...(migrated.length === 0 ? [] : [`copied from the sandbox: ${migrated.join(", ")}`]),
    ...(filesAlone.length === 0 ? [] : [`files without a row: ${filesAlone.join(", ")}`]),
    ...(rowsAlone.length === 0 ? [] : [`rows without a file: ${rowsAlone.join(", ")}`]),
    ...(unfit.length === 0
      ? []
      : [`rows that cannot be taken: ${unfit.map(unfitText).join(", ")}`]),
    ...(changed.length === 0 ? [] : [`files changed behind their rows: ${changed.join(", ")}`]),
  ];
  if (skills === 0 && said.length === 0) return null;
  const rest = said.length === 0 ? "" : `; ${said.join("; ")}`;
  return `The store of skills holds ${countOf(skills, "skill")}${rest}.`;
}
