/** A result of which nothing is used later: no message and no argument holds a word of it. */
import { failureOf } from "../contract/failure.ts";
import { plainText } from "../contract/plainValue.ts";
import type { ToolCalled } from "../contract/trace.ts";
import type { Exchange, Finding, Found, Watcher } from "./finding.ts";
import { placeOf } from "./finding.ts";
import { KeptMap } from "./keptMap.ts";
import { KEPT_MAX, UNUSED_WORDS_LEAST, UNUSED_WORDS_MAX } from "./thresholds.ts";
import { quotedText } from "./valueText.ts";
import { wordsIn, wordsOf } from "./words.ts";

interface Open {
  readonly exchange: Exchange;
  readonly words: ReadonlySet<string>;
  /** How much its agent had said and called by then. */
  readonly acts: number;
}

export const unusedResult: Finding = {
  id: "unused-result",
  says: "Nothing of what a call returned occurs in any later message or argument, although its agent went on.",
  source: "ours",
  looksAt: ["called", "returned"],
  find: () => watcher(),
};

function watcher(): Watcher {
  const open = new Unused();
  return {
    called: (call) => void open.use(call.agent, askedIn(call)),
    said: ({ text, speaker }) => void open.use(speaker, text),
    returned: (exchange) => {
      const words = newsIn(exchange);
      if (words.size < UNUSED_WORDS_LEAST) return [];
      const forgotten = open.add(exchange, words);
      return forgotten === undefined
        ? []
        : [foundIn(forgotten, `in the ${KEPT_MAX} results that followed`)];
    },
    ended: () => open.rest().map((exchange) => foundIn(exchange, "in the rest of the log")),
  };
}

/** Results of which nothing has been used yet, by their words. */
class Unused {
  readonly #open = new KeptMap<number, Open>();
  readonly #byWord = new Map<string, Set<number>>();
  readonly #acts = new KeptMap<string, number>();

  use(agent: string, text: string): void {
    this.#acts.set(agent, this.#actsOf(agent) + 1);
    for (const word of wordsIn(text)) {
      for (const seq of [...(this.#byWord.get(word) ?? [])]) {
        this.#forget(seq, this.#open.get(seq));
        this.#open.delete(seq);
      }
    }
  }

  /** Answers one that has been unused for too long to be kept. */
  add(exchange: Exchange, words: ReadonlySet<string>): Exchange | undefined {
    const { seq, agent } = exchange.returned;
    for (const word of words) {
      this.#byWord.set(word, (this.#byWord.get(word) ?? new Set()).add(seq));
    }
    const forgotten = this.#open.set(seq, { exchange, words, acts: this.#actsOf(agent) });
    if (forgotten === undefined) return undefined;
    const [oldest, one] = forgotten;
    this.#forget(oldest, one);
    return this.#isFollowed(one) ? one.exchange : undefined;
  }

  rest(): readonly Exchange[] {
    const those = [...this.#open.values()].filter((one) => this.#isFollowed(one));
    return those.map(({ exchange }) => exchange);
  }

  #actsOf(agent: string): number {
    return this.#acts.get(agent) ?? 0;
  }

  /** The last result of an agent is followed by nothing in which it could be used. */
  #isFollowed({ exchange, acts }: Open): boolean {
    return this.#actsOf(exchange.returned.agent) > acts;
  }

  #forget(seq: number, one: Open | undefined): void {
    for (const word of one?.words ?? []) {
      const those = this.#byWord.get(word);
      those?.delete(seq);
      if (those?.size === 0) this.#byWord.delete(word);
    }
  }
}

/** What a result tells that its call did not say. */
function newsIn({ returned, call }: Exchange): ReadonlySet<string> {
  if (failureOf(returned) !== null) return new Set();
  const asked = new Set(call === null ? [] : wordsIn(askedIn(call)));
  const all = wordsOf(returned.result, UNUSED_WORDS_MAX + asked.size);
  return new Set([...all].filter((word) => !asked.has(word)).slice(0, UNUSED_WORDS_MAX));
}

const askedIn = ({ raw, intent, args }: Pick<ToolCalled, "raw" | "intent" | "args">): string =>
  `${raw ?? ""} ${intent ?? ""} ${plainText(args)}`;

function foundIn({ returned, call }: Exchange, where: string): Found {
  const { tool, agent, result } = returned;
  const text = quotedText(plainText(result));
  const says = `Of what ${tool} returned to ${agent}, ${text}, no message and no argument holds a word ${where}.`;
  return { ...placeOf(returned), tool, agent, says, related: call === null ? [] : [call.seq] };
}
