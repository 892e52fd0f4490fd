/**
 * What the models of a run were asked and what could be used of their answers, from its log and its
 * recording. An answer is usable when its reader takes it; see purposes.ts.
 */

import type { ModelUse, PurposeUse } from "./actors/modelUse.ts";
import type { Part } from "./actors/part.ts";
import { tally } from "./actors/tally.ts";
import { groupedBy } from "./machines/grouped.ts";
import { answerFault } from "./purposes.ts";
import type { Delivery } from "./substrate/envelope.ts";
import { isEvent } from "./substrate/isEvent.ts";
import type { Input } from "./substrate/port.ts";

export const SCRIPTED = "scripted";

const PORT = "port/llm.chat";

export function modelUse(
  parts: readonly Part[],
  deliveries: readonly Delivery[],
  inputs: readonly Input[],
): ModelUse {
  const questions = deliveries.filter(({ to }) => to === PORT);
  const purposeOf = new Map(
    questions.flatMap(({ seq, event }) =>
      event.type === "llm.asked" ? [[seq, event.purpose] as const] : [],
    ),
  );
  const usageOf = new Map(
    inputs.map((one) => [one.seq, one.kind === "reply" ? one.usage : undefined]),
  );
  const replies = deliveries.filter(({ from }) => from === PORT);
  const errors = replies.flatMap(({ event }) => (event.type === "llm.failed" ? [event.error] : []));
  const answers = replies
    .filter((one) => isEvent(one, "llm.replied"))
    .map(({ seq, re, event, fate }) => {
      const purpose = purposeOf.get(re ?? -1) ?? "unknown";
      const fault = answerFault(parts, purpose, event.text);
      return { purpose, fault, usage: usageOf.get(seq), isLate: fate !== "handled" };
    });
  const tokens = (of: "promptTokens" | "answerTokens"): number =>
    answers.reduce((sum, { usage }) => sum + (usage?.[of] ?? 0), 0);
  return {
    asked: questions.length,
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
