/** What answers in a scripted run in place of Python's parser and of an embedding model. */

import { NeedsPython } from "../../contract/needsHost.ts";
import { embed } from "../../substrate/hashedEmbedding.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import type { NamedRandom } from "../../substrate/random.ts";

/** Ours: a small embedding model on the same machine. */
const EMBED_MS = { least: 10, most: 60 };

/** Only CPython says what CPython takes, so nothing stands in for it: throws NeedsPython. */
export const noParser: PromptProvider<"python.parse"> = {
  answer({ from }) {
    throw new NeedsPython(`a text of ${from}`);
  },
};

/** Hashed lexical vectors, 256 whole numbers each. */
export const scriptedEmbedding = (
  terms: (text: string) => readonly string[],
  random: NamedRandom,
): PromptProvider<"llm.embed"> => ({
  answer({ from, purpose, nth, event: { texts } }) {
    const vectors = Object.fromEntries(texts.map((text) => [text, embed(text, terms)]));
    const latencyMs = random
      .at(from, `embed ${purpose}`, nth)
      .integer(EMBED_MS.least, EMBED_MS.most);
    return { event: { type: "embed.replied", vectors }, latencyMs };
  },
});
