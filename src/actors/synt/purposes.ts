/** What synt asks models for. What a stage makes of the fields of an answer is in the log; only the form is looked at here. */

import type { Purpose } from "../../contract/part.ts";
import { NO_OBJECT, NOT_JSON } from "../../contract/purposes.ts";
import { defined } from "../../machines/defined.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { View } from "../../machines/portMail.ts";
import { fieldsIn, isCode, syntAnswerSchemas } from "../../machines/synt/stages/stageAnswers.ts";
import { renderSynt, type SyntView } from "../../machines/synt/stages/stagePrompts.ts";
import { LIVE_TIER } from "./liveTiers.ts";

const isOwn = (view: View): view is SyntView => Object.hasOwn(syntAnswerSchemas, view.purpose);

function render(view: View): string {
  if (!isOwn(view)) throw new Error(`${view.purpose} is no purpose of synt`);
  return renderSynt(view);
}

const unusable = (text: string): string | null => (fieldsIn(text) !== undefined ? null : NOT_JSON);
const unusableCode = (text: string): string | null =>
  isCode(text) ? null : "it has no def invoke";

export const purposes: { readonly [purpose: string]: Purpose } = Object.fromEntries(
  Object.entries(syntAnswerSchemas).map(([purpose, format]): [string, Purpose] => [
    purpose,
    defined({
      render,
      format,
      // A paid call names its tier; the planner of a turn names none.
      tier: ({ tier }, tiers) => ownValue(LIVE_TIER, tier ?? "") ?? tiers.plan,
      countsTokens: true,
      fault: () => (purpose === "synt.code" ? "there is no def invoke" : NO_OBJECT),
      unusable: purpose === "synt.code" ? unusableCode : unusable,
    }),
  ]),
);
