/** What happens in the agents' world, in words. */
import { startOf } from "../../contract/startOf.ts";
import { type Sentence, type Words, who } from "../../contract/words.ts";
import type { FallbackSource } from "../../machines/agents/goal/goalContext.ts";
import { isReadable, type Shaped } from "../../machines/agents/hookMail.ts";
import { decimal } from "../../machines/agents/suffering/sufferingLines.ts";
import type { SynthesisVerdict } from "../../machines/agents/synthesis/capabilitySynthesis.ts";
import type { Json, MailOf } from "../../machines/letter.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { modelAnswer } from "./modelWords.ts";

/** Copies for engine and ledger need no words. */
const sufferingWords: Words = {
  "stressor.changed": (event, { to }) =>
    !to.startsWith("agent/")
      ? null
      : event.sinceMs === null
        ? `${who(to)} was relieved of ${event.stressor}.`
        : `${who(to)} felt ${event.stressor}.`,
  "pursuit.assessed": (event, { to }) =>
    event.stuckCycles === 0
      ? `${who(to)} made progress.`
      : event.stuckCycles === 1
        ? `${who(to)} spent one cycle on a goal without progress.`
        : `${who(to)} spent ${event.stuckCycles} cycles in a row on alike goals without progress.`,
  "artifacts.assessed": (event, { to }) =>
    `Of ${who(to)}'s older artifacts, ${event.unseen} had no reference by a peer.`,
  "plans.assessed": (event, { to }) =>
    event.along === 0
      ? `A plan of ${who(to)} was judged to go against its own opinions.`
      : `Plans of ${who(to)} in a row that were not judged to go against its opinions: ${event.along}.`,
  "messages.assessed": (event, { to }) =>
    event.calm === 0
      ? `What ${who(to)} heard was judged a threat to it.`
      : `What ${who(to)} heard was not judged a threat, ${times(event.calm)}.`,
  "choices.assessed": (event, { to }) =>
    event.idleCycles === 0
      ? `${who(to)} had a goal.`
      : `${who(to)} had no goal for ${cycles(event.idleCycles)} in a row.`,
  "holdings.assessed": (event, { to }) =>
    `${who(to)} held up to ${event.bytes} bytes and ${event.files} files.`,
  "lock.assessed": (event, { to }) =>
    `The load of ${who(to)} was ${decimal(event.load)}` +
    `${event.lockedAt === null ? "" : `; what it wanted locks from ${decimal(event.lockedAt)} on`}.`,
  "output.assessed": (event, { to }) =>
    event.barrenCycles === 0
      ? `${who(to)} completed a goal.`
      : `${who(to)} completed nothing for ${cycles(event.barrenCycles)}.`,
  "place.answered": (event, { to }) =>
    event.granted ? null : `${who(to)} had no room for one more stressor; it was dropped.`,
  "capability.locked": (event) =>
    // A load, or work with others that is missing: the letter does not say which.
    `${event.agent} wanted ${event.capability}, and a lock refused it (load ${decimal(event.load)}).`,
  "crisis.reset": (event, { to }) =>
    to.startsWith("agent/") ? `The crisis of ${event.agent} was reset.` : null,
  "plan.judged": (event) =>
    event.contradicts
      ? `${event.agent}'s plan was judged against its opinion "${event.opinion}".`
      : null,
  "message.judged": (event) =>
    event.threat ? `What ${event.agent} heard was judged a threat.` : null,
  "peer.referenced": (event) => `${event.agent} took notice of ${event.path}.`,
};

const times = (count: number): string => (count === 1 ? "once" : `${count} times in a row`);
const cycles = (count: number): string => (count === 1 ? "one cycle" : `${count} cycles`);

/** Said of a letter that has the shape of its type; of any other, that it has not. */
const readable =
  <K extends Shaped>(what: string, sentence: Sentence<K>): Sentence<K> =>
  (event, delivery, choice) =>
    isReadable(event)
      ? sentence(event, delivery, choice)
      : `${who(delivery.from)} sent ${who(delivery.to)} ${what} which could not be read.`;

const hookWords: Words = {
  "capability.called": (event, { to }) =>
    `${event.agent}'s call of ${event.capability} was put to ${who(to)}.`,
  "capability.answered": readable("an answer", (event, { from }) =>
    event.ok ? `${who(from)} did it.` : `${who(from)} failed: ${event.error ?? "no reason given"}.`,
  ),
  "call.overdue": (event, { letters }) =>
    letters.length === 0
      ? null
      : `The engine waited no longer for an answer to call ${event.call}.`,
  // Listed anew whenever anything changes: only what the registry followed is worth a line.
  "entries.listed": readable("a list of entries", (event, { from, changes }) =>
    changes.length === 0
      ? null
      : `${who(from)} told the engine which entries of the kind ${event.kind} there are: ` +
        `${event.entries.map(({ name }) => name).join(", ") || "none"}.`,
  ),
  "permission.answered": readable("an answer", (event, { from }) =>
    event.granted ? null : `${who(from)} refused the call: ${event.reason ?? "no reason given"}.`,
  ),
  "section.answered": readable("a section", (event, { from, to }) =>
    event.lines.length === 0 ? null : `${who(from)} gave ${who(to)} a section, ${event.title}.`,
  ),
  "birth.asked": readable(
    "a request for a birth",
    (event, { from }) => `${who(from)} asked for an agent called ${event.name}.`,
  ),
  "birth.answered": (event) =>
    event.address === null ? `No agent called ${event.name} was born: ${event.reason}.` : null,
  "end.asked": readable("a request for an end", () => null),
  "end.answered": (event) =>
    event.ok ? null : `No agent called ${event.name} was ended: ${event.reason}.`,
  // The ledger and the agents hear it too.
  "agent.joined": (event, { to }) =>
    to.startsWith("engine") ? `${event.agent} was born at the request of ${event.by}.` : null,
  "agent.left": (event, { to }) =>
    to.startsWith("engine") ? `${event.agent} was ended: ${event.reason}.` : null,
};

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
  "call.routed": (event, { changes }) =>
    event.byName
      ? `${event.agent} called ${event.capability} by name.${unwritten(changes)}`
      : `The router gave ${event.agent}'s "${event.intent}" to ${event.capability} ` +
        `(score ${decimal(event.score)}${
          event.runnerUp === null ? "" : `; next ${event.runnerUp} ${decimal(event.runnerUpScore)}`
        }).${unwritten(changes)}`,
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
  const { agent, n, fallback: source } = startOf(event, "goal") ?? {};
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

/** The file that a call of a ghost was to write. */
const unwritten = (changes: Delivery["changes"]): string =>
  changes
    .flatMap((one) => (one.path[0] === "lost" && "to" in one ? one.path.slice(1) : []))
    .map((file) => ` It has no code, so ${file} was not written.`)
    .join("");

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
    ? `${name(path)} appeared in the tools folder and the engine registered it at once, without loading code${description(text)}.`
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
  return `${view.agent} looked for a goal under a load of ${decimal(view.load)}: ${felt}.`;
}
