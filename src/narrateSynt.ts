/** What happens in synt, in words. */

import { cutText } from "./machines/cutText.ts";
import { DESK, EXECUTORS_FOLDER, type Stated, type Wanted } from "./machines/synt/contract.ts";
import { isCode } from "./machines/synt/stageAnswers.ts";
import { MILLION } from "./machines/units.ts";
import type { Delivery } from "./substrate/envelope.ts";

type Event = Delivery["event"];
type Sentence = (event: Event, delivery: Delivery, choice: string | undefined) => string | null;

const cents = (millionths: unknown): string => `${(Number(millionths) / MILLION).toFixed(2)} ct`;
const chainText = (chain: unknown): string => (chain as readonly string[]).join(" → ");
const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;
/** Ends in one full stop; what people wrote may bring its own. */
const ended = (text: string): string => (/[.!?]["']?$/.test(text) ? text : `${text}.`);
/** `first` of `gateway/first`, `req-0001` of `synt/req-0001/draft-1`. */
const whose = (address: string): string => address.split(/[/#]/)[1] ?? address;
const by = (choice: string | undefined): string => (choice === undefined ? "" : ` [${choice}]`);

export const syntSentences: { readonly [type: string]: Sentence } = {
  "actor.start": (event) => started(event),
  "synth.requested": (event, { from }) => requested(event as unknown as Wanted, from),
  "synth.stated": (event) => {
    const { request, state, rationale } = event as unknown as Stated;
    return `${request} is ${state}: ${ended(rationale)}`;
  },
  "pool.answered": (event, { to }) => {
    const { executors, edges } = event as unknown as { executors: unknown[]; edges: unknown[] };
    return `${whose(to)} saw ${count(executors.length, "executor")} and ${count(edges.length, "trace")} in use.`;
  },
  "catalogue.answered": (event, { to }) =>
    event["replay"] === null
      ? null
      : `What turn ${whose(to)} wants was done before: the fast path replays ${chainText(event["replay"])}.`,
  // A plan with steps is what the planner's model said, or the fast path.
  "plan.made": (event, { to }) =>
    (event["steps"] as readonly string[]).length === 0
      ? `There was no plan for turn ${whose(to)}.`
      : null,
  "draft.ended": (event, { to }) => {
    const { draft, passed, run, why } = event as unknown as DraftEnded;
    return draft === null
      ? `The draft of ${whose(to)} failed: ${ended(why ?? "no reason given")}`
      : `The draft of ${whose(to)}, ${draft.name}, passed ${passed} of ${count(run, "birth test")}.`;
  },
  // A refused call and a declined one were told already.
  "paid.ended": (event) =>
    event["why"] === null || event["error"] !== null
      ? null
      : `The call brought no answer: ${ended(String(event["why"]))}`,
  "money.answered": (event) => moneyAnswered(event),
  "money.settled": (event) =>
    event["actual"] === null
      ? "What that call cost was not counted; what was set aside counts in full."
      : Number(event["actual"]) > 0
        ? `That call cost ${cents(event["actual"])}.`
        : null,
  "money.decided": (event) =>
    event["goesOn"] === true
      ? `${event["request"]} may go on beyond its soft cap.`
      : `${event["request"]} may spend nothing more.`,
  "gate.asked": (event) => `${event["request"]} lies ready for the gate of the night.`,
  "person.asked": (event) => personAsked(event),
  // The desk passes on what the person said of a whole dossier.
  "person.decided": (event, { from }, choice) =>
    from === DESK ? null : personDecided(event, choice),
  "python.parsed": (event, { to }) =>
    event["ok"] === true || !isSyntAddress(to)
      ? null
      : `The code is no Python: ${ended(String(event["error"] ?? "invalid syntax"))}`,
  "executor.offered": (event) => {
    const { request, facts } = event["offer"] as {
      readonly request: string;
      readonly facts: { readonly name: string };
    };
    return `${request} offered ${facts.name} to the pool, signed.`;
  },
  "sign.verified": (event) => (event["ok"] === true ? null : "The signature is not right."),
  "pool.admitted": (event) =>
    event["ok"] === true ? null : `The pool refused it: ${ended(String(event["why"]))}`,
  "executor.found": (event) =>
    event["isLoaded"] === true ? null : `${event["name"]} cannot be called.`,
  "executor.ended": (event, { to }) =>
    event["ok"] === true
      ? null
      : `An executor failed in turn ${whose(to)}: ${ended(String(event["error"] ?? "no reason given"))}`,
  "executor.ran": (event) =>
    `${event["executor"]} ${event["ok"] === true ? "did its work" : "failed"}` +
    `${event["behind"] === null ? "" : ` behind ${event["behind"]}`}.`,
  "chain.ran": (event) =>
    `${chainText(event["chain"])} was run for "${cutText(String(event["query"]), 80)}"` +
    `${event["ok"] === true ? "" : " and did not come to its end"}.`,
  "executor.changed": (event) =>
    `${event["name"]} is ${event["state"]}${event["into"] ? `, in favour of ${event["into"]}` : ""}.`,
  "residue.counted": (event, { to }) =>
    `${count(Number(event["mnests"]), "active mnest")} still cite ${whose(to)}.`,
  "signature.broken": (_, { to }) => `What lies under ${whose(to)} is not what was signed.`,
  "night.came": (event, { to }) => (to === "pool" ? `Night ${event["night"]} came.` : null),
  "proto.raised": (event) =>
    `${(event["missing"] as { readonly name: string }).name} was missed: a proto-mnest.`,
  "pattern.refused": (event) =>
    `The nightly sweep left ${event["pattern"]} alone: ${ended(String(event["reason"]))}`,
  "hints.faulty": (event) =>
    `The prompt repertoire in ${event["path"]} is passed over: ${ended(String(event["fault"]))}`,
  "name.collided": (event) =>
    `${chainText(event["chain"])} would be called ${event["name"]}, which the pool has already.`,
  "night.locked": (event) =>
    `${event["by"]} of the night failed, and locks until ${event["until"]} what ${event["hits"]} was ` +
    `${event["how"]}.`,
  "money.exceeded": (event) =>
    `${event["call"]} cost ${cents(event["cost"])}, and ${cents(event["setAside"])} were set aside: ` +
    `${event["request"]} begins no call any more.`,
  "money.dayPassed": (event) =>
    `${cents(event["spent"])} of ${event["day"]} are spent and set aside, above its cap of ` +
    `${cents(event["cap"])}: no call begins that day any more.`,
  "money.ran": (event) =>
    `Turn ${event["turn"]} ran ${event["executor"]} for ${Number(event["cents"]).toFixed(2)} ct.`,
  "turn.closed": (event) =>
    `Turn ${event["turn"]} ${event["ok"] === true ? "was done" : "ended without a result"}.`,
  "user.told": (event) => `The user was told: "${event["text"]}"`,
};

interface DraftEnded {
  readonly draft: { readonly name: string } | null;
  readonly passed: number;
  readonly run: number;
  readonly why: string | null;
}

function started({ machine, input }: Event): string | null {
  const given = input as { readonly [field: string]: unknown };
  if (machine === "userTurn") return `The user said: "${given["says"]}" (turn ${given["turn"]}).`;
  if (machine !== "pool") return null;
  const many = (field: string): number => (given[field] as readonly unknown[]).length;
  const parts = [
    count(many("executors"), "executor"),
    ...(many("traces") > 0 ? [count(many("traces"), "trace")] : []),
    ...(many("missing") > 0 ? [count(many("missing"), "proto-mnest")] : []),
    ...(many("memos") > 0 ? [count(many("memos"), "memoised sequence")] : []),
  ];
  return `The world began with a pool of ${parts.join(", ")}.`;
}

function requested({ need, strategy, mode }: Wanted, from: string): string {
  const intent = cutText(need.intent, 120);
  if (mode === "introspective")
    return `The night asked to ${strategy ?? "generate"}: ${ended(intent)}`;
  return `Turn ${whose(from)} asked synt for ${need.name}: "${intent}"`;
}

function moneyAnswered(event: Event): string | null {
  const { outcome, amount, why } = event;
  if (outcome === "ask")
    return "A call could go beyond the soft cap: the person must say whether to go on.";
  if (outcome === "refused") return `A call was refused: ${ended(String(why))}`;
  return Number(amount) === 0 ? null : `${cents(amount)} were set aside for a call.`;
}

const PURPOSES: { readonly [purpose: string]: string } = {
  chain: "whether its chain may run",
  executor: "whether its executor may enter the pool",
  proposal: "whether its proposal may change the pool",
  "soft-cap": "whether it may go on beyond its soft cap",
};

function personAsked({ purpose, request, dossier }: Event): string {
  const { proposals = [] } = (dossier ?? {}) as { readonly proposals?: readonly unknown[] };
  if (proposals.length > 0)
    return `The person was asked about ${count(proposals.length, "proposal")} of the night.`;
  return `The person was asked about ${request}: ${PURPOSES[String(purpose)] ?? "what to do"}.`;
}

const DECISIONS: { readonly [decision: string]: string } = {
  approve: "approved",
  amend: "wanted a change",
  discard: "turned it down",
};

function personDecided(event: Event, choice: string | undefined): string {
  const { decision, decisions, feedback } = event;
  const said = (one: unknown): string => DECISIONS[String(one)] ?? `said ${one}`;
  if (Array.isArray(decisions)) {
    const each = (decisions as readonly { readonly request: string; readonly decision: string }[])
      .map((one) => `${said(one.decision)} (${one.request})`)
      .join(", ");
    return `The person ${each || "decided nothing"}${by(choice)}.`;
  }
  const word = typeof feedback === "string" ? `: ${cutText(feedback, 160)}` : "";
  return ended(`The person ${said(decision)}${by(choice)}${word}`);
}

/** Whether a model's answer is one to synt or to a user's planner. */
export const isSyntAddress = (to: string): boolean => /^(synt|planner)\//.test(to);

/** What a model of synt answered, by the shape of its answer. */
export function syntAnswer(text: string, to: string, choice: string | undefined): string {
  const what = gist(text);
  const model = to.startsWith("planner/")
    ? `The planner of turn ${whose(to)}`
    : `${whose(to)}'s model`;
  return ended(`${model} ${what}${by(choice)}`);
}

interface Answer {
  readonly [field: string]: unknown;
}

function gist(text: string): string {
  const answer = objectIn(text);
  if (answer === null)
    return isCode(text) ? "wrote code" : "gave an answer that is neither JSON nor code";
  const { name, reason, steps, missing, score, reasoning, violates, tests, code } = answer;
  if (Array.isArray(steps))
    return steps.length === 0 ? "saw no way" : `planned ${chainText(steps)}`;
  if (typeof missing === "string") return `missed ${missing}`;
  if (typeof score === "number") {
    const breach = typeof violates === "string" ? `, and saw a breach: ${violates}` : "";
    return `judged it at ${score.toFixed(2)}${breach}: ${cutText(String(reasoning ?? ""), 160)}`;
  }
  if (name === null) return `found no name: ${cutText(String(reason ?? "no reason given"), 160)}`;
  if (typeof name === "string") return `${code === undefined ? "named it" : "wrote"} ${name}`;
  if (Array.isArray(tests)) return `wrote ${count(tests.length, "birth test")}`;
  if ("description" in answer) return "described it";
  return "args_schema" in answer ? "wrote its signature" : "gave no answer that could be used";
}

function objectIn(text: string): Answer | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null ? (found as Answer) : {};
  } catch {
    return null;
  }
}

/** What changes below an executor's folder is no tool of agents. */
export function executorFile(event: Event): string | null {
  const path = String(event["path"]);
  if (!path.startsWith(`${EXECUTORS_FOLDER}/`)) return null;
  const below = path.slice(EXECUTORS_FOLDER.length + 1);
  return `${below} ${event["text"] === null ? "left" : "changed in"} the executors' folder.`;
}
