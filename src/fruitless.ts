/**
 * Whether anything came of what was done in a run, and if not, why: counted from the log. Agents act
 * for goals that are completed, users for turns that are answered, synt for requests that are granted.
 */

import { startOf } from "./actors/startOf.ts";
import { endName, type RequestStory } from "./actors/synt/requestStory.ts";
import type { Observed } from "./compare.ts";
import type { ProposalState } from "./machines/synt/contract.ts";
import type { ModelUse } from "./modelUse.ts";
import type { Delivery } from "./substrate/envelope.ts";
import { type Tally, tally } from "./tally.ts";

/** One thing that did not come about; reasons are counted, the most frequent first. */
export interface Fruitless {
  readonly what: string;
  readonly reasons: readonly string[];
}

export function fruitless(
  { story, result }: Pick<Observed, "story" | "result">,
  deliveries: readonly Delivery[],
  use: ModelUse,
): readonly Fruitless[] {
  const soFar = result.outcome === "ended" ? "" : " so far";
  return [...ofGoals(story, deliveries, use, soFar), ...ofSynt(story, use, soFar)];
}

/** Ours: how many reasons of a kind are told. */
const REASONS_MAX = 3;

function ofGoals(
  { goals }: Observed["story"],
  deliveries: readonly Delivery[],
  use: ModelUse,
  soFar: string,
): Fruitless[] {
  const isActed = deliveries.some(
    ({ from, event }) =>
      from.startsWith("agent/") && (event.type === "llm.asked" || event.type === "call.requested"),
  );
  if (!isActed || goals.some(({ status }) => status === "completed")) return [];
  const begun =
    goals.length === 0 ? "no goal was begun" : noneOf(goals.length, "goal", "completed");
  const what = `Nothing came of what the agents did${soFar}: ${begun}.`;
  const open = goals.filter(({ endMs }) => endMs === null).length;
  const reasons = [
    ...answerReasons(use),
    ...unfilled(deliveries),
    ...callReasons(deliveries),
    ...gateReasons(deliveries),
    ...(open > 0 ? [`${open} of ${goals.length} goals had not ended when the run did.`] : []),
  ];
  return [{ what, reasons: reasons.length > 0 ? reasons : ["No agent's goal came to its gate."] }];
}

/** A model of whose answers to a kind of question none could be used. */
function answerReasons({ asked, answered, usable, purposes, errors }: ModelUse): string[] {
  if (answered === 0) {
    return asked === 0
      ? []
      : [`${times(asked, "question")} to the model, no answer${list(errors)}.`];
  }
  if (usable === 0) {
    const faults = [...purposes].flatMap(([purpose, one]) =>
      one.faults.map(([fault, count]) => [`${fault} for ${purpose}`, count] as const),
    );
    return [`${times(answered, "answer")}, 0 usable${list(faults)}.`];
  }
  return [...purposes]
    .filter(([, one]) => one.usable === 0)
    .map(
      ([purpose, one]) =>
        `${times(one.answered, "answer")} to ${purpose}, 0 usable${list(one.faults)}.`,
    );
}

/** What looks like a template's place in a path, and was never filled. */
function unfilled(deliveries: readonly Delivery[]): string[] {
  const paths: string[] = [];
  for (const { to, event } of deliveries) {
    if (event.type === "actor.start") paths.push(startOf(event, "goal")?.artifact ?? "");
    if (event.type === "call.requested" && to.startsWith("engine")) {
      paths.push(`${event.params["path"]}`);
    }
  }
  const places = paths.flatMap((path) => path.match(/\{\w+\}/g) ?? []);
  return top(places).map(
    ([place, count]) => `${place} stands in ${times(count, "path")} and nothing fills it.`,
  );
}

function callReasons(deliveries: readonly Delivery[]): string[] {
  const finished = deliveries.flatMap(({ event, fate }) =>
    event.type === "call.finished" && fate === "handled" ? [event] : [],
  );
  const failed = finished.flatMap(({ ok, error }) =>
    ok ? [] : [alike(error ?? "no reason given")],
  );
  const lost = finished.flatMap(({ ok, nothing, capability }) =>
    ok && nothing ? [String(capability)] : [],
  );
  return [
    ...(finished.length > 0 && failed.length === finished.length
      ? [`${times(failed.length, "step")}, none served.`]
      : []),
    ...top(failed).map(([error, count]) => `${times(count, "step")} failed: ${error}.`),
    ...top(lost).map(([name, count]) => `${times(count, "call")} of ${name} returned nothing.`),
  ];
}

function gateReasons(deliveries: readonly Delivery[]): string[] {
  const missed = deliveries.flatMap(({ event, to }) =>
    event.type === "gate.judged" && !event.passed && !to.startsWith("lessons/")
      ? [alike(String(event.reason))]
      : [],
  );
  return top(missed).map(([reason, count]) => `${times(count, "gate")} missed: ${reason}.`);
}

const GRANTED: readonly ProposalState[] = [
  "delivered",
  "born",
  "fused",
  "generalised",
  "specialised",
];

function ofSynt({ synt }: Observed["story"], use: ModelUse, soFar: string): Fruitless[] {
  const { turns, requests } = synt;
  const reasons = [
    ...(synt.isThere && use.usable === 0 ? answerReasons(use) : []),
    ...ends(requests),
  ];
  const found: Fruitless[] = [];
  if (turns.length > 0 && !turns.some(({ ok }) => ok)) {
    const open = turns.filter(({ endMs }) => endMs === null).length;
    const still = open === 0 ? [] : [`${times(open, "turn")} had no end when the run did.`];
    const what = `Nothing came of what the user wanted${soFar}: ${noneOf(turns.length, "turn", "answered")}.`;
    found.push({ what, reasons: [...reasons, ...still] });
  }
  if (requests.length > 0 && !requests.some((one) => GRANTED.includes(stateOf(one)))) {
    const what = `Nothing came of what synt was asked${soFar}: ${noneOf(requests.length, "request", "granted")}.`;
    found.push({ what, reasons: found.length > 0 ? [] : reasons });
  }
  return found;
}

const ends = (requests: readonly RequestStory[]): string[] =>
  top(requests.map((one) => `${endName(stateOf(one))}: ${one.rationale}`)).map(
    ([reason, count]) => `${times(count, "request")}, ${reason}${/[.!?]$/.test(reason) ? "" : "."}`,
  );

const stateOf = ({ states }: RequestStory): ProposalState => states.at(-1)?.state ?? "composing";

/** What differs from call to call is left out: quoted words, what lies in a folder, numbers. */
const alike = (text: string): string =>
  text
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/(\/agentOS\/\w+\/)[\w./{}-]+/g, "$1…")
    .replaceAll(/\d+(?:\.\d+)?/g, "N");

const top = (texts: readonly string[]): Tally => tally(texts).slice(0, REASONS_MAX);

function list(counts: Tally): string {
  const words = counts.slice(0, REASONS_MAX).map(([text, count]) => `${text} (${count})`);
  return words.length === 0 ? "" : `: ${words.join(", ")}`;
}

const noneOf = (count: number, one: string, what: string): string =>
  count === 1 ? `the only ${one} was not ${what}` : `none of ${count} ${one}s was ${what}`;

const times = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;
