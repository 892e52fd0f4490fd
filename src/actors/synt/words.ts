/** What happens in synt, in words. */

import { countOf } from "../../contract/countOf.ts";
import type { Words } from "../../contract/words.ts";
import { cutText } from "../../machines/cutText.ts";
import type { MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import { DESK, EXECUTORS_FOLDER, type Wanted } from "../../machines/synt/contract.ts";
import type { PoolInput } from "../../machines/synt/pool/poolState.ts";
import { isCode } from "../../machines/synt/stages/stageAnswers.ts";
import type { TurnInput } from "../../machines/synt/turn/userTurn.ts";
import { MILLION } from "../../machines/units.ts";

export const cents = (millionths: number): string => `${(millionths / MILLION).toFixed(2)} ct`;
const chainText = (chain: readonly string[]): string => chain.join(" → ");
/** Ends in one full stop; what people wrote may bring its own. */
const ended = (text: string): string => (/[.!?]["']?$/.test(text) ? text : `${text}.`);
/** `first` of `gateway/first`, `req-0001` of `synt/req-0001/draft-1`. */
const whose = (address: string): string => address.split(/[/#]/)[1] ?? address;
const by = (choice: string | undefined): string => (choice === undefined ? "" : ` [${choice}]`);

export const words: Words = {
  "actor.start": (event) => started(event),
  "synth.requested": (event, { from }) => requested(event, from),
  "synth.stated": ({ request, state, rationale }) => `${request} is ${state}: ${ended(rationale)}`,
  "pool.answered": ({ executors, edges }, { to }) =>
    `${whose(to)} saw ${countOf(executors.length, "executor")} and ${countOf(edges.length, "trace")} in use.`,
  "catalogue.answered": ({ replay }, { to }) =>
    replay === null
      ? null
      : `What turn ${whose(to)} wants was done before: the fast path replays ${chainText(replay)}.`,
  "llm.replied": ({ text }, { to }, choice) =>
    isSyntAddress(to) ? modelAnswer(text, to, choice) : null,
  "llm.failed": ({ error }, { to }) =>
    isSyntAddress(to) ? `The model gave no answer: ${error}.` : null,
  // A plan with steps is what the planner's model said, or the fast path.
  "plan.made": ({ steps }, { to }) =>
    steps.length === 0 ? `There was no plan for turn ${whose(to)}.` : null,
  "draft.ended": ({ draft, passed, run, why }, { to }) =>
    draft === null
      ? `The draft of ${whose(to)} failed: ${ended(why ?? "no reason given")}`
      : `The draft of ${whose(to)}, ${draft.name}, passed ${passed} of ${countOf(run, "birth test")}.`,
  // A refused call and a declined one were told already.
  "paid.ended": ({ why, error }) =>
    why === null || error !== null ? null : `The call brought no answer: ${ended(why)}`,
  "money.answered": (event) => moneyAnswered(event),
  "money.settled": ({ actual }) =>
    actual === null
      ? "What that call cost was not counted; what was set aside counts in full."
      : actual > 0
        ? `That call cost ${cents(actual)}.`
        : null,
  "money.decided": ({ request, goesOn }) =>
    goesOn ? `${request} may go on beyond its soft cap.` : `${request} may spend nothing more.`,
  "gate.asked": ({ request }) => `${request} lies ready for the gate of the night.`,
  "person.asked": (event) => personAsked(event),
  // The desk passes on what the person said of a whole dossier.
  "person.decided": (event, { from }, choice) =>
    from === DESK ? null : personDecided(event, choice),
  "python.parsed": ({ ok, error }, { to }) =>
    ok || !isSyntAddress(to) ? null : `The code is no Python: ${ended(error ?? "invalid syntax")}`,
  "executor.offered": ({ offer: { request, facts } }) =>
    `${request} offered ${facts.name} to the pool, signed.`,
  "sign.verified": ({ ok }) => (ok ? null : "The signature is not right."),
  "pool.admitted": ({ ok, why }) => (ok ? null : `The pool turned it away: ${ended(why)}`),
  "executor.found": ({ isLoaded, name }) => (isLoaded ? null : `${name} cannot be called.`),
  "executor.ended": ({ ok, error }, { to }) =>
    ok ? null : `An executor failed in turn ${whose(to)}: ${ended(error ?? "no reason given")}`,
  "executor.ran": ({ executor, ok, behind }) =>
    `${executor} ${ok ? "did its work" : "failed"}${behind === null ? "" : ` behind ${behind}`}.`,
  "chain.ran": ({ chain, query, ok }) =>
    `${chainText(chain)} was run for "${cutText(query, 80)}"` +
    `${ok ? "" : " and did not come to its end"}.`,
  "folder.changed": (event) => executorFile(event),
  "executor.changed": ({ name, state, into }) =>
    `${name} is ${state}${into ? `, in favour of ${into}` : ""}.`,
  "residue.counted": ({ mnests }, { to }) =>
    `${countOf(mnests, "active mnest")} still cite ${whose(to)}.`,
  "signature.broken": (_, { to }) => `What lies under ${whose(to)} is not what was signed.`,
  "night.came": ({ night }, { to }) => (to === "pool" ? `Night ${night} came.` : null),
  "proto.raised": ({ missing }) => `${missing.name} was missed: a proto-mnest.`,
  "pattern.filtered": ({ pattern, reason }) =>
    `The nightly sweep left ${pattern} alone: ${ended(reason)}`,
  "hints.faulty": ({ path, fault }) =>
    `The prompt repertoire in ${path} is passed over: ${ended(fault)}`,
  "name.collided": ({ chain, name }) =>
    `${chainText(chain)} would be called ${name}, which the pool has already.`,
  "night.locked": ({ by: maker, until, hits, how }) =>
    `${maker} of the night failed, and locks until ${until} what ${hits} was ${how}.`,
  "money.exceeded": ({ call, cost, setAside, request }) =>
    `${call} cost ${cents(cost)}, and ${cents(setAside)} were set aside: ` +
    `${request} begins no call any more.`,
  "money.dayPassed": ({ spent, day, cap }) =>
    `${cents(spent)} of ${day} are spent and set aside, above its cap of ` +
    `${cents(cap)}: no call begins that day any more.`,
  "money.ran": (event) =>
    `Turn ${event.turn} ran ${event.executor} for ${event.cents.toFixed(2)} ct.`,
  "turn.closed": ({ turn, ok }) => `Turn ${turn} ${ok ? "was done" : "ended without a result"}.`,
  "chain.replayed": ({ chain, cleanRuns, turn }) =>
    `${chainText(chain)} was replayed in turn ${turn}, and the person was not asked: ` +
    `${countOf(cleanRuns, "clean run")} grant it.`,
  "user.told": ({ text }) => `The user was told: "${text}"`,
};

/** How a world with synt began, as far as people want to read of it. */
function started({ machine, input }: MailOf<"actor.start">): string | null {
  if (machine === "userTurn") {
    const { says, turn } = input as TurnInput; // By its machine.
    return `The user said: "${says}" (turn ${turn}).`;
  }
  if (machine !== "pool") return null;
  const { executors, traces, missing, memos } = input as PoolInput; // By its machine.
  const parts = [
    countOf(executors.length, "executor"),
    ...(traces.length > 0 ? [countOf(traces.length, "trace")] : []),
    ...(missing.length > 0 ? [countOf(missing.length, "proto-mnest")] : []),
    ...(memos.length > 0 ? [countOf(memos.length, "memoised sequence")] : []),
  ];
  return `The world began with a pool of ${parts.join(", ")}.`;
}

function requested({ need, strategy, mode }: Wanted, from: string): string {
  const intent = cutText(need.intent, 120);
  if (mode === "introspective")
    return `The night asked to ${strategy ?? "generate"}: ${ended(intent)}`;
  return `Turn ${whose(from)} asked synt for ${need.name}: "${intent}"`;
}

function moneyAnswered({ outcome, amount, why }: MailOf<"money.answered">): string | null {
  if (outcome === "ask")
    return "A call could go beyond the soft cap: the person must say whether to go on.";
  if (outcome === "denied") return `A call was denied its money: ${ended(String(why))}`;
  return amount === null || amount === 0 ? null : `${cents(amount)} were set aside for a call.`;
}

const PURPOSES = {
  chain: "whether its chain may run",
  executor: "whether its executor may enter the pool",
  proposal: "whether its proposal may change the pool",
  "soft-cap": "whether it may go on beyond its soft cap",
} as const;

function personAsked(event: MailOf<"person.asked">): string {
  if (event.purpose === "proposals") {
    const { proposals } = event.dossier;
    return `The person was asked about ${countOf(proposals.length, "proposal")} of the night.`;
  }
  return `The person was asked about ${event.request}: ${PURPOSES[event.purpose]}.`;
}

const DECISIONS: { readonly [decision: string]: string } = {
  approve: "approved",
  amend: "wanted a change",
  discard: "turned it down",
};

function personDecided(
  { decision, decisions, feedback }: MailOf<"person.decided">,
  choice: string | undefined,
): string {
  const said = (one: string): string => ownValue(DECISIONS, one) ?? `said ${one}`;
  if (decisions !== undefined) {
    const each = decisions.map((one) => `${said(one.decision)} (${one.request})`).join(", ");
    return `The person ${each || "decided nothing"}${by(choice)}.`;
  }
  const word = feedback === undefined ? "" : `: ${cutText(feedback, 160)}`;
  return ended(`The person ${said(String(decision))}${by(choice)}${word}`);
}

/** Whether a model's answer is one to synt or to a user's planner. */
const isSyntAddress = (to: string): boolean => /^(synt|planner)\//.test(to);

/** What a model of synt answered, by the shape of its answer. */
function modelAnswer(text: string, to: string, choice: string | undefined): string {
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
  if (Array.isArray(tests)) return `wrote ${countOf(tests.length, "birth test")}`;
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

/** What changes elsewhere is no executor. */
function executorFile({ path, text }: MailOf<"folder.changed">): string | null {
  if (!path.startsWith(`${EXECUTORS_FOLDER}/`)) return null;
  const below = path.slice(EXECUTORS_FOLDER.length + 1);
  return `${below} ${text === null ? "left" : "changed in"} the executors' folder.`;
}
