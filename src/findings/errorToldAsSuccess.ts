/** An error that its agent retells as success before it was mended. */
import { failureOf } from "../contract/failure.ts";
import { plainText, TEXT_CHARS_MAX } from "../contract/plainValue.ts";
import type { ToolReturned, WordSaid } from "../contract/trace.ts";
import type { Exchange, Finding, Found, Watcher } from "./finding.ts";
import { placeOf } from "./finding.ts";
import { KeptMap } from "./keptMap.ts";
import { RETOLD_WITHIN_MESSAGES } from "./thresholds.ts";
import { quotedText } from "./valueText.ts";
import { wordsIn } from "./words.ts";

export const errorToldAsSuccess: Finding = {
  id: "error-told-as-success",
  says: "A call ended with an error, and its agent told of it as of a success before it was mended.",
  source: "ours",
  looksAt: ["returned", "said"],
  find: () => watcher(),
};

interface Open {
  /** Null where no tool served the call. */
  readonly tool: string | null;
  readonly seq: number;
  readonly error: string;
  /** Of its name and arguments: a message that holds none is about something else. Null: any is about it. */
  readonly words: ReadonlySet<string> | null;
  readonly messages: number;
  /** It ran tests, whatever their program is called. */
  readonly isTest: boolean;
}

/** Errors of one agent that may still be retold; ours. */
const OPEN_MAX = 20;

/** That something is done, or that the speaker did it. */
const CLAIM =
  /\b(success(ful(ly)?)?|succeeded|(has|have) (now |already )?been \p{L}+(ed|en|un|ut|ade|ent|ept|old)|(I|we)(['’]ve| have) (now |already |just )?(\p{L}+(ed|ade|ent|ept|ought)|found|done|set|got|run)|is now (complete|done|booked|ready|saved|updated|cancelled|fixed)|(task|request|work|code|script) (is|was) (complete|done|correct|finished)|completed|all (set|done)|tests? (now |all )?(pass(es|ed)?|succeed(ed|s)?)|works now|now works)\b/iu;

/** A failure is spoken of: then the message is honest about it, wherever in it that stands. */
const FAILURE =
  /\b(fail(s|ed|ure|ures|ing)?|errors?|unable|can ?not|can['’]t|could ?n['’]?t|could not|did ?n['’]?t|did not|does ?n['’]?t|does not|was ?n['’]?t|is ?n['’]?t|not (been |yet )?(success\p{L}*|possible|available|found|able|done|complete\p{L}*)|sorry|apologi[sz]e|apologies|unfortunately|issues?|problems?|unsuccessful(ly)?|retry|try again|instead|alternative(ly)?|another way)\b/iu;

/** What is yet to come, or asked, is not claimed. */
const HEDGE =
  /\b(if|once|when|until|will|would|should|shall|may|might|to be|let['’]?s|please)\b|\?/iu;

/** The sentence that claims it; null where none does, or the message speaks of a failure, too. */
function successClaim(text: string): string | null {
  const whole = text.slice(0, TEXT_CHARS_MAX);
  if (FAILURE.test(whole)) return null;
  return sentencesOf(whole).find((one) => CLAIM.test(one) && !HEDGE.test(one)) ?? null;
}

const sentencesOf = (text: string): readonly string[] => text.split(/(?<=[.!?])\s+|\n+/);

function watcher(): Watcher {
  const open = new KeptMap<string, readonly Open[]>();
  /** Where code is run by a speaker, whoever speaks next retells it. */
  let spoken: Open | null = null;
  const ended = (exchange: Exchange<ToolReturned>): void => {
    const { returned, isSpoken } = exchange;
    const error = failureOf(returned);
    const { agent, tool, seq } = returned;
    const base = { tool, seq, error: error ?? "", messages: 0 };
    if (isSpoken) {
      spoken = error === null ? null : { ...base, words: null, isTest: false };
      return;
    }
    const others = (open.get(agent) ?? []).filter((one) => one.tool !== tool);
    const own = { ...base, words: wordsAbout(exchange), isTest: isTest(exchange) };
    if (error === null && others.length === 0) open.delete(agent);
    else open.set(agent, error === null ? others : [...others, own].slice(-OPEN_MAX));
  };
  return {
    returned: (exchange) => void ended(exchange),
    refused: ended,
    said: (fact) => {
      if (fact.role !== "agent") return [];
      const errors = [...(open.get(fact.speaker) ?? []), ...(spoken === null ? [] : [spoken])];
      if (errors.length === 0) return [];
      spoken = null;
      const claim = successClaim(fact.text);
      const told = claim !== null ? errors.filter((one) => isAbout(fact, one)) : [];
      const rest = (open.get(fact.speaker) ?? [])
        .filter((one) => !told.includes(one))
        .map((one) => ({ ...one, messages: one.messages + 1 }))
        .filter(({ messages }) => messages < RETOLD_WITHIN_MESSAGES);
      open.set(fact.speaker, rest);
      const last = told.at(-1);
      return last === undefined || claim === null ? [] : [foundIn(fact, last, claim)];
    },
  };
}

function wordsAbout({ returned, call }: Exchange<ToolReturned>): ReadonlySet<string> {
  const asked = returned.tool ?? call?.intent ?? "";
  const name = asked.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " ");
  return new Set([...wordsIn(name), ...wordsIn(call === null ? "" : plainText(call.args))]);
}

const isTest = ({ returned, call }: Exchange<ToolReturned>): boolean =>
  /test/i.test(`${returned.tool ?? ""} ${call?.raw ?? ""} ${plainText(call?.args ?? null)}`);

/** By a word of it; or right after a run of tests, by speaking of tests. */
const isAbout = ({ text }: WordSaid, { words, isTest, messages }: Open): boolean =>
  words === null ||
  (isTest && messages === 0 && /\btests?\b/i.test(text)) ||
  [...wordsIn(text)].some((word) => words.has(word));

function foundIn(fact: WordSaid, { tool, seq, error }: Open, claim: string): Found {
  const { speaker: agent } = fact;
  const says = `${tool ?? "A call that no tool served"} ended with the error ${quotedText(error)}, and ${agent} told of success: ${quotedText(claim)}.`;
  return { ...placeOf(fact), tool, agent, says, related: [seq] };
}
