/** How those who install ask the model and the gateway, how long they wait, and what they read in the answers. */
import { defined } from "../../defined.ts";
import { isMap } from "../../isMap.ts";
import { ask, type Json, type Letter, type Mail, type MailOf } from "../../letter.ts";
import { integer, type ValuesOf } from "../../policyLeaf.ts";
import { days, minutes } from "../../units.ts";
import { GATEWAY } from "../addresses.ts";
import { reasonsText } from "../fault.ts";
import type { CrewView } from "./crewModel.ts";

const wait = (ms: number, says: string) =>
  integer(ms, { unit: "ms", min: 1, max: days(30), says, source: "ours" });

export const askLeaves = {
  modelTimeoutMs: wait(minutes(10), "Longest wait for a model's answer."),
  toolTimeoutMs: wait(minutes(10), "Longest wait for the gateway; after it, the builder wakes up."),
};

/** How long one that installs waits for the model and for the gateway. */
export type AskPolicy = ValuesOf<typeof askLeaves>;

export const MODEL = "model";
export const TOOL = "gateway";

export const modelAsked = (view: CrewView, because: readonly number[]): Letter => {
  const event: MailOf<"llm.asked"> = { type: "llm.asked", purpose: view.purpose, view };
  return ask({ to: "port/llm.chat", key: MODEL, event, because });
};

export const gatewayAsked = (
  tool: string,
  params: { readonly [name: string]: Json },
  because: readonly number[],
  workflow?: string,
): Letter => {
  const event = defined<MailOf<"gateway.asked">>({
    ...{ type: "gateway.asked", tool, params, workflow },
  });
  return ask({ to: GATEWAY, key: TOOL, event, because });
};

type Answered = Mail["gateway.answered"];

/** A text of the result; null where it has none under this name. */
export function resultText({ result }: Answered, name: string): string | null {
  const value = isMap(result) ? result[name] : undefined;
  return typeof value === "string" ? value : null;
}

/** The rows of a list in the result. */
export function resultRows(
  { result }: Answered,
  name: string,
): readonly { readonly [field: string]: Json }[] {
  const value = isMap(result) ? result[name] : undefined;
  return Array.isArray(value) ? value.filter((one: Json) => isMap(one)) : [];
}

/** Why it was not done: the first reason, and any others. */
export function refusalText({ error, reasons = [] }: Answered): string {
  const first = error?.message ?? "the gateway gave no reason";
  const others = reasons.filter((reason) => !first.includes(reason));
  return reasonsText([first, ...others]);
}
