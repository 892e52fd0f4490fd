/** Whether anything came of what agents did: they act for goals that are completed. */

import { countOf } from "../../contract/countOf.ts";
import { answerReasons, type Done, type Fruitless, noneOf, top } from "../../contract/fruitless.ts";
import { startOf } from "../../contract/startOf.ts";
import type { GoalStatus } from "../../machines/agents/goal/goalContext.ts";
import { defined } from "../../machines/defined.ts";
import type { MailOf } from "../../machines/letter.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import { agentFacts, newsIn } from "./book/agentsBook.ts";

export function fruitless({ deliveries, use, soFar }: Done): readonly Fruitless[] {
  const goals = goalsIn(deliveries);
  if (!isActed(deliveries) || goals.includes("completed")) return [];
  const begun =
    goals.length === 0 ? "no goal was begun" : noneOf(goals.length, "goal", "completed");
  const what = `Nothing came of what the agents did${soFar}: ${begun}.`;
  const open = goals.filter((status) => status === "active").length;
  const reasons = [
    ...answerReasons(use),
    ...unfilled(deliveries),
    ...callReasons(deliveries),
    ...gateReasons(deliveries),
    ...(open > 0 ? [`${open} of ${goals.length} goals had not ended when the run did.`] : []),
  ];
  return [{ what, reasons: reasons.length > 0 ? reasons : ["No agent's goal came to its gate."] }];
}

function isActed(deliveries: Log): boolean {
  for (const { from } of ofTypes(deliveries, "llm.asked", "call.requested")) {
    if (from.startsWith("agent/")) return true;
  }
  return false;
}

/** How far each goal came, in the order in which they began. */
function goalsIn(deliveries: Log): readonly GoalStatus[] {
  const facts = agentFacts("goals");
  for (const _ of newsIn(deliveries, facts, "actor.start", "goal.ended"));
  return facts.goals.map(({ status }) => status);
}

/** What looks like a template's place in a path, and was never filled. */
function unfilled(deliveries: Log): string[] {
  const paths: string[] = [];
  for (const { to, event } of ofTypes(deliveries, "actor.start", "call.requested")) {
    if (event.type === "actor.start") paths.push(startOf(event, "goal")?.artifact ?? "");
    if (event.type === "call.requested" && to.startsWith("engine")) {
      paths.push(`${event.params["path"]}`);
    }
  }
  const places = paths.flatMap((path) => path.match(/\{\w+\}/g) ?? []);
  return top(places).map(
    ([place, count]) => `${place} stands in ${countOf(count, "path")} and nothing fills it.`,
  );
}

/** What is kept of the end of each call. */
type Finished = Pick<MailOf<"call.finished">, "ok" | "error" | "nothing" | "capability">;

function callReasons(deliveries: Log): string[] {
  const finished: Finished[] = [];
  for (const news of newsIn(deliveries, agentFacts("calls"), "call.finished")) {
    if (news.is !== "finished") continue;
    const { ok, error, nothing, capability } = news.event;
    finished.push(defined({ ok, error, nothing, capability }));
  }
  const failed = finished.flatMap(({ ok, error }) =>
    ok ? [] : [alike(error ?? "no reason given")],
  );
  const lost = finished.flatMap(({ ok, nothing, capability }) =>
    ok && nothing ? [String(capability)] : [],
  );
  return [
    ...(finished.length > 0 && failed.length === finished.length
      ? [`${countOf(failed.length, "step")}, none served.`]
      : []),
    ...top(failed).map(([error, count]) => `${countOf(count, "step")} failed: ${error}.`),
    ...top(lost).map(([name, count]) => `${countOf(count, "call")} of ${name} returned nothing.`),
  ];
}

function gateReasons(deliveries: Log): string[] {
  const missed: string[] = [];
  for (const { event, to } of ofTypes(deliveries, "goalGate.judged")) {
    if (!event.passed && !to.startsWith("lessons/")) missed.push(alike(String(event.reason)));
  }
  return top(missed).map(([reason, count]) => `${countOf(count, "gate")} missed: ${reason}.`);
}

/** What differs from call to call is omitted: quoted words, what lies in a folder, numbers; a digit of a name is none. */
const alike = (text: string): string =>
  text
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/(\/agentOS\/\w+\/)[\w./{}-]+/g, "$1…")
    .replaceAll(/(?<![\w.])\d+(?:\.\d+)?/g, "N")
    .replace(/\.+$/, "");
