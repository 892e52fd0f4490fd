/**
 * What the models of a run were asked and what could be used of their answers, from its log and its
 * recording. An answer is usable when its reader takes it; see purposes.ts.
 */

import type { ModelUse, PurposeUse } from "../contract/modelUse.ts";
import type { Part } from "../contract/part.ts";
import { answerFault } from "../contract/purposeTable.ts";
import { tally } from "../contract/tally.ts";
import { groupedBy } from "../machines/grouped.ts";
import type { MailOf } from "../machines/letter.ts";
import { type Log, ofTypes } from "../substrate/log.ts";
import type { Input, Usage } from "../substrate/port.ts";

export const SCRIPTED = "scripted";

const PORT = "port/llm.chat";

interface Answer {
  readonly purpose: string;
  readonly fault: string | null;
  readonly usage: Usage | undefined;
  readonly isLate: boolean;
}

export function modelUse(
  parts: readonly Part[],
  deliveries: Log,
  inputs: Iterable<Input>,
): ModelUse {
  const usageOf = new Map<number, Usage>();
  for (const one of inputs) {
    if (one.kind === "reply" && one.usage !== undefined) usageOf.set(one.seq, one.usage);
  }
  let asked = 0;
  /** Those that wait for an answer: views are long. */
  const open = new Map<number, Pick<MailOf<"llm.asked">, "purpose" | "view">>();
  const errors: string[] = [];
  const answers: Answer[] = [];
  for (const one of ofTypes(deliveries, "llm.asked", "llm.replied", "llm.failed")) {
    const { seq, to, from, re = -1, event, fate } = one;
    if (to === PORT && event.type === "llm.asked") {
      asked += 1;
      open.set(seq, event);
    }
    if (from !== PORT) continue;
    const question = open.get(re);
    open.delete(re);
    if (event.type === "llm.failed") errors.push(event.error);
    if (event.type !== "llm.replied") continue;
    const { purpose = "unknown", view } = question ?? {};
    const fault = answerFault(parts, purpose, event.text, view);
    answers.push({ purpose, fault, usage: usageOf.get(seq), isLate: fate !== "handled" });
  }
  const tokens = (of: "promptTokens" | "answerTokens"): number =>
    answers.reduce((sum, { usage }) => sum + (usage?.[of] ?? 0), 0);
  return {
    asked,
    answered: answers.length,
    failed: errors.length,
    usable: answers.filter(({ fault }) => fault === null).length,
    late: answers.filter(({ isLate }) => isLate).length,
    by: tally(answers.map(({ usage }) => usage?.model ?? SCRIPTED)),
    promptTokens: tokens("promptTokens"),
    answerTokens: tokens("answerTokens"),
    purposes: new Map(
      [...groupedBy(answers, ({ purpose }) => purpose)].map(([purpose, those]) => [
        purpose,
        purposeUse(those),
      ]),
    ),
    errors: tally(errors),
  };
}

const purposeUse = (answers: readonly { readonly fault: string | null }[]): PurposeUse => {
  const faults = answers.flatMap(({ fault }) => fault ?? []);
  return {
    ...{ answered: answers.length, usable: answers.length - faults.length },
    faults: tally(faults),
  };
};
