/** What a report says of the models of a run: who answered, how often, and how much of it was usable. */

import { countOf } from "../../contract/countOf.ts";
import type { ModelUse } from "../../contract/modelUse.ts";
import type { Tally } from "../../contract/tally.ts";
import { SCRIPTED } from "../../run/modelUse.ts";
import { clean } from "../report/pictureLayout.ts";

const most = { name: 60, fault: 80, faults: 5, errors: 3 };

/** Empty where no model was asked. */
export function modelText(use: ModelUse): string {
  const { asked, answered, failed, usable, late, by, errors } = use;
  if (asked === 0) return "";
  const open = asked - answered - failed;
  const live = by.filter(([model]) => model !== SCRIPTED).map(([model]) => clean(model, most.name));
  const who = live.length === 0 ? "The scripted model" : `The model ${live.join(", ")}`;
  const parts = [
    `${countOf(answered, "answer")}, ${usable} usable${share(usable, answered)}`,
    ...(failed > 0 ? [`${failed} failed (${few(errors)})`] : []),
    ...(open > 0 ? [`${open} still open at the end`] : []),
  ];
  return [
    `${who} was asked ${asked === 1 ? "once" : `${asked} times`}: ${parts.join(", ")}.`,
    ...(late > 0 ? [`${late} of the answers came too late: the question was no longer open.`] : []),
    ...mixed(use),
    ...tokens(use),
    ...faults(use),
  ].join(" ");
}

const few = (errors: Tally): string =>
  errors
    .slice(0, most.errors)
    .map(([error, count]) => `${clean(error, most.fault)}: ${count}`)
    .join(", ");

/** Rounded down, so that 100 % is all of them. */
const share = (usable: number, answered: number): string =>
  answered === 0 ? "" : ` (${Math.floor((usable * 100) / answered)} %)`;

function mixed({ by }: ModelUse): string[] {
  if (by.length < 2) return [];
  const each = by.map(([model, count]) =>
    model === SCRIPTED ? `a script ${count}` : `${clean(model, most.name)} ${count}`,
  );
  return [`Of the answers gave ${each.join(", ")}.`];
}

function tokens({ promptTokens, answerTokens }: ModelUse): string[] {
  if (promptTokens + answerTokens === 0) return [];
  return [`Its server counted ${promptTokens} tokens of prompts and ${answerTokens} of answers.`];
}

function faults({ purposes }: ModelUse): string[] {
  const all = [...purposes].flatMap(([purpose, { faults }]) =>
    faults.map(([fault, count]) => `${count} to ${purpose} (${clean(fault, most.fault)})`),
  );
  if (all.length === 0) return [];
  const more = all.length > most.faults ? `, and ${all.length - most.faults} more kinds` : "";
  return [`Not usable: ${all.slice(0, most.faults).join(", ")}${more}.`];
}

/** The same as data. */
export const modelJson = ({ by, purposes, errors, ...counts }: ModelUse): object => ({
  ...counts,
  by: Object.fromEntries(by),
  errors: Object.fromEntries(errors),
  purposes: Object.fromEntries(
    [...purposes].map(([purpose, { faults, ...use }]) => [
      purpose,
      { ...use, faults: Object.fromEntries(faults) },
    ]),
  ),
});
