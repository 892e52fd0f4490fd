/** How those who install ask the model and the gateway, how long they wait, and what they read in the answers. */

import type { EventObject, MachineContext } from "xstate";
import { chartActions } from "../../chart.ts";
import { defined } from "../../defined.ts";
import { isMap } from "../../isMap.ts";
import {
  ask,
  type Delivered,
  type EventType,
  type Json,
  type Letter,
  type Mail,
  type MailOf,
} from "../../letter.ts";
import { between, integer, type ValuesOf } from "../../policyLeaf.ts";
import { days, minutes } from "../../units.ts";
import { GATEWAY } from "../addresses.ts";
import { reasonsText } from "../fault.ts";
import type { CrewView } from "./crewModel.ts";

export const wait = (ms: number, says: string) =>
  integer(ms, between(1, days(30), "ms"), {
    says,
    source: "ours",
  });

/** How many of a thing those who install may have or do. */
export const most = (
  value: number,
  unit: string,
  { min = 1, max }: { readonly min?: number; readonly max: number },
  says: string,
) => integer(value, { says, source: "ours", unit, min, max });

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

/* States in which those who install ask, each left with its question. */

/** Of one that works for the planner: it asks the model and the gateway, and `over` is where a fault leads. */
export function workerStates<
  C extends MachineContext & { readonly fault: string | null },
  E extends EventObject,
  const O extends string,
>(over: O) {
  const { say, change, asking } = chartActions<C, E>();
  const askingModel = <const T extends string>(
    letter: (context: C) => Letter,
    target: T,
    update: (context: C, event: Delivered<"llm.replied">) => Partial<C>,
  ) => ({
    ...asking(MODEL, letter),
    on: {
      "llm.replied": { target, actions: change(update) },
      "llm.failed": { target: over, actions: "refused" as const },
    },
    after: { modelTimeout: { target: over, actions: "modelLate" as const } },
  });
  const askingGateway = <const T extends string>(
    letter: (context: C) => Letter,
    target: T,
    update: (context: C, event: Delivered<"gateway.answered">) => Partial<C>,
  ) => ({
    ...asking(TOOL, letter),
    on: { "gateway.answered": { target, actions: change(update) } },
    after: { toolTimeout: { target: over, actions: "gatewayLate" as const } },
  });
  return { say, change, askingModel, askingGateway };
}

export const LATE = {
  model: { fault: "the model did not answer in time" },
  gateway: { fault: "the gateway did not answer in time" },
};

/** Why nothing comes of it: the model's own words, or that there is none. */
export const refusalOf = (
  event: MailOf<"llm.failed"> | { readonly type: Exclude<EventType, "llm.failed"> },
) => ({ fault: event.type === "llm.failed" ? event.error : "nobody answers there" });

/** Of one that lets its model say what it wants next: what it cannot be asked, it wants without reason. */
export function askingWhat<C extends MachineContext, E extends EventObject, const T extends string>(
  letter: (context: C) => Letter,
  target: T,
  heard: (context: C, event: Delivered<"llm.replied">) => Partial<C>,
  silent: (fault: string) => Partial<C>,
) {
  const { change, asking } = chartActions<C, E>();
  return {
    ...asking(MODEL, letter),
    on: {
      "llm.replied": { target, actions: change(heard) },
      "llm.failed": {
        target,
        actions: change((_, { error }: Delivered<"llm.failed">) => silent(error)),
      },
      "ask.bounced": { target, actions: change(() => silent("no model is there")) },
    },
    after: {
      modelTimeout: { target, actions: change(() => silent("the model did not answer in time")) },
    },
  };
}

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
