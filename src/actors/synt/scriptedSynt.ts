/**
 * The outside of synt, scripted: what its models answer, what the person decides, how handcrafted
 * executors fare, and who signs. Each answers from what it is shown and from the scenario's list.
 */
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { nobodyDecides } from "../../contract/nobodyDecides.ts";
import { defined } from "../../machines/defined.ts";
import type { Json, Mail, MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { View } from "../../machines/portMail.ts";
import { type Artefact, isChain, type NightDossier } from "../../machines/synt/contract.ts";
import {
  isSyntView,
  type JudgeView,
  type SyntView,
} from "../../machines/synt/stages/stagePrompts.ts";
import { isSigned, publicKey, sign } from "../../substrate/ed25519.ts";
import type { PortReply, PortRequest, PromptProvider } from "../../substrate/port.ts";
import type { NamedRandom, Stream } from "../../substrate/random.ts";

// The scripted judge of synt: its score follows from the text of what it is shown, and from the seed
// that blurs it; never from what the scenario knows of good and bad. Ours.

/** How a judge weighs a text. Thousandths. */
interface JudgeRule {
  /** What each permission takes off. */
  readonly reach: number;
  /** How far chance moves the score, either way. */
  readonly noise: number;
}

/** Ours: shorter words carry no meaning, and longer ones are told by how they begin. */
const WORD = { least: 4, stem: 5 };

const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
      .filter(({ length }) => length >= WORD.least)
      .map((word) => word.slice(0, WORD.stem)),
  ),
];

/** The answer of a judge: the share of the request's words that stand in the proposal, less its reach. */
export function judgement(
  { request, artefact }: JudgeView,
  { reach, noise }: JudgeRule,
  draw: Stream,
): Json {
  const { text, permissions } = readable(artefact);
  const wanted = wordsOf(request);
  const missing = wanted.filter((word) => !text.includes(word));
  const found = wanted.length - missing.length;
  const share = wanted.length === 0 ? 0 : Math.floor((found * 1_000) / wanted.length);
  const blurred = share - reach * permissions.length + draw.integer(-noise, noise);
  return {
    score: Math.min(1_000, Math.max(0, blurred)) / 1_000,
    reasoning:
      `${found} of the request's ${wanted.length} words stand in it` +
      `${permissions.length === 0 ? "" : `; it reaches ${permissions.join(", ")}`}`,
    violates: null,
  };
}

/** A chain is read by its names, an executor by its name, description and permissions. */
function readable(artefact: Artefact): { text: string; permissions: readonly string[] } {
  if (isChain(artefact)) return { text: artefact.join(" ").toLowerCase(), permissions: [] };
  const { name = "", description = "", profile = {} } = artefact ?? {};
  return { text: `${name} ${description}`.toLowerCase(), permissions: Object.keys(profile) };
}

/** One answer that a model of synt may give. */
export interface SyntAnswer {
  readonly id: string;
  /** `synt.naming`, `synt.plan`, … */
  readonly to: string;
  /** Only to a view whose text holds this, in any letter case; to any when null. */
  readonly match: string | null;
  /** Only when an earlier answer was found at fault with this. */
  readonly afterFault: string | null;
  readonly weight: number;
  /** A text is said as it is, anything else as JSON. */
  readonly answer: Json;
  /** In place of an answer: a judge that reads what it is shown. */
  readonly judges: JudgeRule | null;
  /** The error with which the call fails in place of an answer; null for none. */
  readonly fails: string | null;
  readonly tokens: Tokens | null;
  /** How long it takes; what is usual for its stage when null. */
  readonly afterMs: number | null;
}

interface Tokens {
  readonly asked: number;
  readonly answered: number;
}

export type Decision = "approve" | "amend" | "discard";

/** What the person decides. The first that fits and is not used up counts; none is no answer. */
export interface PersonAnswer {
  readonly id: string;
  /** `chain`, `executor`, `proposal`, `soft-cap`; any when null. */
  readonly to: string | null;
  readonly match: string | null;
  readonly decision: Decision;
  readonly feedback: string | null;
  readonly target: string | null;
  readonly afterMs: number;
  /** How often; without end when null. */
  readonly times: number | null;
}

/** How a handcrafted executor fares. */
export interface Craft {
  readonly name: string;
  /** Of a thousand runs, how many go well. */
  readonly works: number;
  readonly takesMs: number;
  /** Cents a run. */
  readonly costs: number;
}

export interface SyntRepertoire {
  readonly answers: readonly SyntAnswer[];
  readonly person: readonly PersonAnswer[];
  readonly crafts: readonly Craft[];
}

interface Setting {
  readonly repertoire: SyntRepertoire;
  readonly random: NamedRandom;
  readonly without: ReadonlySet<string>;
}

interface SyntSetting extends Setting {
  /** The text that a live model would read, for the recording's key. */
  readonly render: (view: SyntView) => string;
  /** How long that text is. */
  readonly lengthOf: (view: SyntView) => number;
  /** What is usual for a purpose. */
  readonly latencyOf: (purpose: string) => number;
  readonly jitter: number;
}

/** Ours: a token is about four characters. */
const CHARS_A_TOKEN = 4;

/** `text` is in lower case. */
const holds = (text: string, part: string | null): boolean =>
  part === null || text.includes(part.toLowerCase());

/** Answers to the purposes of synt. */
export const syntModel = (options: SyntSetting): PromptProvider<"llm.asked"> => ({
  text: ({ view }) => options.render(own(view)),
  answer: (request) => syntAnswer(request, own(request.event.view), options),
});

function own(view: View): SyntView {
  if (!isSyntView(view)) throw new Error(`${view.purpose} is no purpose of synt`);
  return view;
}

function syntAnswer(
  { from, purpose, nth }: PortRequest<"llm.asked">,
  view: SyntView,
  options: SyntSetting,
): PortReply {
  const { repertoire, random, without, latencyOf, lengthOf, jitter } = options;
  const faults = "faults" in view ? view.faults : [];
  const text = JSON.stringify({ ...view, faults: undefined }).toLowerCase();
  const said = faults.join("\n").toLowerCase();
  const fits = repertoire.answers.filter(
    ({ id, to, match, afterFault }) =>
      to === purpose &&
      !without.has(`synt:${id}`) &&
      holds(text, match) &&
      (afterFault === null || (faults.length > 0 && holds(said, afterFault))),
  );
  // A model that has been shown a fault thinks first of what mends it.
  const mends = fits.filter(({ afterFault }) => afterFault !== null);
  const fitting = mends.length > 0 ? mends : fits;
  const draw = random.at(from, purpose, nth);
  const found = fitting[fitting.length === 0 ? 0 : draw.weighted(fitting.map((one) => one.weight))];
  const judges = found?.judges ?? null;
  const answer =
    judges === null || view.purpose !== "synt.judge"
      ? (found?.answer ?? {})
      : judgement(view, judges, draw);
  const whole = typeof answer === "string" ? answer : JSON.stringify(answer);
  const middleMs = found?.afterMs ?? latencyOf(purpose);
  const spread = Math.floor((middleMs * jitter) / 1000);
  const tokens = found?.tokens ?? {
    asked: Math.ceil(lengthOf(view) / CHARS_A_TOKEN),
    answered: Math.ceil(whole.length / CHARS_A_TOKEN),
  };
  const fails = found?.fails ?? null;
  return {
    event:
      fails === null
        ? { type: "llm.replied", text: whole, tokens }
        : { type: "llm.failed", error: fails },
    latencyMs: draw.integer(middleMs - spread, middleMs + spread),
    choice: `synt:${found?.id ?? "nothing"}`,
  };
}

const saidBy = ({ decision, feedback, target }: PersonAnswer): Omit<Decided, "request"> =>
  defined({ decision, feedback: feedback ?? undefined, target: target ?? undefined });

/** What the person says to one request of a dossier. */
type Decided = NonNullable<Mail["person.decided"]["decisions"]>[number];

/** The person at the gate. */
export function scriptedPerson({ repertoire, without }: Setting): PromptProvider<"person.asked"> {
  let used: { [id: string]: number } = {};
  const wordOn = (purpose: string, dossier: object): PersonAnswer | undefined => {
    const text = JSON.stringify(dossier).toLowerCase();
    const found = repertoire.person.find(
      ({ id, to, match, times }) =>
        (to === null || to === purpose) &&
        holds(text, match) &&
        !without.has(`person:${id}`) &&
        (times === null || (ownValue(used, id) ?? 0) < times),
    );
    if (found !== undefined) used = { ...used, [found.id]: (ownValue(used, found.id) ?? 0) + 1 };
    return found;
  };
  const on = (purpose: string, dossier: object): PortReply => {
    const found = wordOn(purpose, dossier);
    if (found === undefined) return nobodyDecides;
    const event = { type: "person.decided", ...saidBy(found) } as const;
    return { event, latencyMs: found.afterMs, choice: `person:${found.id}` };
  };
  /** Each proposal for itself; the answer comes with the word on which they thought longest. */
  const onDossier = ({ proposals }: NightDossier): PortReply => {
    const words = proposals.flatMap((one) => {
      const found = wordOn("proposal", one);
      return found === undefined ? [] : [{ request: one.request, found }];
    });
    if (words.length === 0) return nobodyDecides;
    const decisions = words.map(({ request, found }) => ({ request, ...saidBy(found) }));
    return {
      event: { type: "person.decided", decisions },
      latencyMs: Math.max(...words.map(({ found }) => found.afterMs)),
      choice: [...new Set(words.map(({ found }) => `person:${found.id}`))].join(" "),
    };
  };
  return {
    answer({ event }) {
      return event.purpose === "proposals"
        ? onDossier(event.dossier)
        : on(event.purpose, event.dossier);
    },
    persist: () => used,
    restore: (kept) => {
      used = { ...(kept as { [id: string]: number }) };
    },
  };
}

/** Runs of executors that a person wrote by hand: the scenario says how they fare. */
export const scriptedExecutors = ({
  repertoire,
  random,
}: Setting): PromptProvider<"executor.run"> => ({
  answer({ from, nth, event: { name } }) {
    const craft = repertoire.crafts.find((one) => one.name === name);
    const { works, takesMs, costs } = craft ?? { works: 1_000, takesMs: 40, costs: 0 };
    const ok = random.at(from, `executor ${name}`, nth).integer(1, 1_000) <= works;
    const event: MailOf<"executor.ended"> = defined({
      type: "executor.ended",
      ok,
      cents: costs,
      error: ok ? undefined : `${name} did not manage`,
    });
    return { event, latencyMs: takesMs };
  },
});

/** Ours: signing and verifying take about this. */
const SIGN_MS = 2;

/** Signs with a key that is drawn from the seed and guards nothing. */
export function scriptedSigner(random: NamedRandom): PromptProvider<"sign.asked"> {
  let keys: { readonly secret: Uint8Array; readonly open: string } | undefined;
  const made = () => {
    const draw = random.at("port/sign", "key", 1);
    const secret = Uint8Array.from({ length: 32 }, () => draw.integer(0, 255));
    return { secret, open: hexOf(publicKey(secret)) };
  };
  return {
    answer({ purpose, event }) {
      keys ??= made();
      const { secret, open } = keys;
      const message = utf8ToBytes(event.text);
      if (purpose === "sign") {
        const signature = hexOf(sign(message, secret));
        return { event: { type: "sign.signed", signature, key: open }, latencyMs: SIGN_MS };
      }
      const signature = bytesOf(event.signature ?? "");
      const ok = event.key === open && isSigned(message, signature, bytesOf(open));
      return { event: { type: "sign.verified", ok }, latencyMs: SIGN_MS };
    },
  };
}

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
