/** What happens in the agents' world, in words. */

import { type Words, who } from "../../contract/words.ts";
import type { FallbackSource } from "../../machines/agents/goal/goalContext.ts";
import type { SynthesisVerdict } from "../../machines/agents/synthesis/capabilitySynthesis.ts";
import type { Json, MailOf } from "../../machines/letter.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { goalBegun } from "./goalBegun.ts";
import { hookWords } from "./hookWords.ts";
import { modelAnswer } from "./modelWords.ts";
import { score } from "./score.ts";
import { sufferingWords } from "./sufferingWords.ts";

export const words: Words = {
  "host.message": (event, { cause }) =>
    cause === null ? `The host told ${event.agent}: "${event.text}"` : null,
  "outside.signal": (event, { cause }) =>
    cause === null && event.agents !== undefined
      ? `${event.agents.join(", ")} noticed from outside: "${event.text}"`
      : null,
  "daemon.restarted": () => "The operator restarted the daemon.",
  // Only the engine watches the tools folder.
  "folder.changed": (event, { to, changes }) =>
    to.startsWith("engine") ? toolFile(event, changes) : null,
  "llm.asked": (event) => weighedDown(event),
  "llm.replied": (event, delivery, choice) =>
    modelAnswer(delivery, event, who(delivery.to), choice === undefined ? "" : ` [${choice}]`),
  "call.requested": (event) =>
    event.tool === undefined
      ? `${event.agent} asked for "${event.intent}"${target(event.params)}.`
      : `${event.agent} asked for ${event.tool} by name${target(event.params)}.`,
  "call.routed": (event) =>
    event.byName
      ? `${event.agent} called ${event.capability} by name.`
      : `The router gave ${event.agent}'s "${event.intent}" to ${event.capability} ` +
        `(score ${score(event.score)}${
          event.runnerUp === null ? "" : `; next ${event.runnerUp} ${score(event.runnerUpScore)}`
        }).`,
  "call.finished": (event, { to }) =>
    event.nothing
      ? `${who(to)}'s call of ${event.capability} returned nothing` +
        (event.ok ? ", which looked like success." : ", which counted as a failure.")
      : event.ok
        ? `${who(to)}'s call of ${event.capability} succeeded` +
          (event.unwritten === undefined
            ? "."
            : `, and did not change ${event.unwritten.join(", ")}.`)
        : `${who(to)}'s call${event.capability === null ? "" : ` of ${event.capability}`} failed: ` +
          `${event.error}.`,
  "synthesis.stepped": (event) =>
    event.outcome === "skipped"
      ? null
      : `Step ${event.step}, ${event.title}, of ${event.capability || "a tool without a name"}: ` +
        `${event.outcome}, ${event.detail}.`,
  "synthesis.finished": (event) => `${event.capability}: ${verdicts[event.verdict]}.`,
  "tools.reloaded": () => "The engine loads the code of the tools folder.",
  "peer.message": (event, { to }) => `${event.from} wrote to ${who(to)}: "${event.text}"`,
  "tool.replied": (event) =>
    event.ok ? "The outside answered." : `The outside refused: ${event.error}.`,
  "goalGate.judged": (event) =>
    event.passed
      ? null
      : `${event.agent}'s goal ${event.n} missed its gate (${event.part}): ${event.reason}.`,
  "lesson.noted": (event) =>
    event.outcome === "promoted"
      ? `${event.agent} learnt a rule: ${event.lesson}`
      : event.outcome === "candidate" || event.outcome === "observed"
        ? `${event.agent} noted, from goal ${event.n}: ${event.lesson}`
        : null,
  "goal.ended": (event, { to }) =>
    // The keeper of lessons hears it too.
    to.startsWith("lessons/")
      ? null
      : event.status === "completed"
        ? `${event.agent} completed goal ${event.n}: ${event.text}.`
        : `${event.agent} failed goal ${event.n} (${event.text}): ${event.reason}` +
          `${event.misses > 0 ? `, after ${event.misses} missed gates` : ""}.`,
  "window.assessed": (event, { to }) =>
    `Of the last ${event.total} goals that count for ${who(to)}, ${event.failed} had failed.`,
  ...sufferingWords,
  ...hookWords,
  "actor.start": (event) => fallback(event),
};

/** A goal that an agent made itself. */
function fallback(event: MailOf<"actor.start">): string | null {
  const { agent, n, fallback: source } = goalBegun(event) ?? {};
  return source === undefined
    ? null
    : `${agent}'s model gave no goal, so ${agent} made goal ${n} itself: ${GROUNDS[source]}.`;
}

const GROUNDS: { readonly [Source in FallbackSource]: string } = {
  stressor: "from what weighs on it most",
  question: "from an open question",
  "peer-file": "from a peer's file",
  "last-outcome": "from how its last goal ended",
  journal: "from its journal",
};

const verdicts: { readonly [V in SynthesisVerdict]: string } = {
  deployed: "deployed and tested",
  untested: "deployed, but untested: it needs arguments",
  rejected: "rejected",
  already_deployed: "not deployed again, it is too young",
};

const name = (path: string): string => path.split("/").at(-1) ?? "";

const target = ({ path }: { readonly path?: Json }): string =>
  typeof path === "string" ? ` on ${path}` : "";

/** A spec makes an entry, or ends one, when the engine's registry says so: not every file is a spec. */
function toolFile({ path, text }: MailOf<"folder.changed">, changes: Delivery["changes"]): string {
  const went = text === null ? "left" : "appeared in";
  if (path.endsWith(".py")) return `The code ${name(path)} ${went} the tools folder.`;
  const isTaken = changes.some(({ path: [key] }) => key === "entries");
  if (text === null) {
    const entry = isTaken ? "dropped its entry" : "had no entry to drop";
    return `${name(path)} left the tools folder; the engine ${entry}.`;
  }
  return isTaken
    ? `${name(path)} appeared in the tools folder and the engine registered it at once${description(text)}.`
    : `${name(path)} appeared in the tools folder; the engine's entries stayed as they were.`;
}

function description(text: string): string {
  try {
    const found = (JSON.parse(text) as { description?: unknown }).description;
    return ` ("${String(found)}")`;
  } catch {
    return "";
  }
}

/** The load under which an agent chooses its goal, as far as its prompt speaks of it. */
function weighedDown({ view }: MailOf<"llm.asked">): string | null {
  // A log that was made up by hand may lack the view.
  if (view?.purpose !== "goal.choose" || view.level === "calm") return null;
  const felt = view.stressors.map(({ type }) => type).join(", ");
  return `${view.agent} looked for a goal under a load of ${score(view.load)}: ${felt}.`;
}
