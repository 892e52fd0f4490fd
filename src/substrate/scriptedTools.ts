/** Scripted stand-ins for the sandbox and the embedding model; labelled so in every manifest. */
import type { Json } from "../machines/letter.ts";
import { embed } from "./hashedEmbedding.ts";
import type { Provider } from "./port.ts";
import type { NamedRandom } from "./random.ts";

/** Ours: a small script starts and returns within this. */
const SANDBOX_MS = { least: 20, most: 200 };
/** Ours: a small embedding model on the same machine. */
const EMBED_MS = { least: 10, most: 60 };

/** Answers a call of a synthesized tool with what the scenario says it returns. */
export const scriptedSandbox = (
  returns: { readonly [tool: string]: Json },
  random: NamedRandom,
): Provider => ({
  answer({ from, purpose, nth }) {
    const latencyMs = random
      .at(from, `sandbox ${purpose}`, nth)
      .integer(SANDBOX_MS.least, SANDBOX_MS.most);
    const result = Object.hasOwn(returns, purpose) ? returns[purpose] : undefined;
    const event =
      result === undefined
        ? { type: "sandbox.replied", ok: false, error: `${purpose}: no scripted return value` }
        : { type: "sandbox.replied", ok: true, result };
    return { event, latencyMs };
  },
});

/** Hashed lexical vectors, 256 whole numbers each. */
export const scriptedEmbedding = (
  terms: (text: string) => readonly string[],
  random: NamedRandom,
): Provider => ({
  answer({ from, purpose, nth, event }) {
    const texts = event["texts"] as readonly string[];
    const vectors = Object.fromEntries(texts.map((text) => [text, embed(text, terms)]));
    const latencyMs = random
      .at(from, `embed ${purpose}`, nth)
      .integer(EMBED_MS.least, EMBED_MS.most);
    return { event: { type: "embed.replied", vectors }, latencyMs };
  },
});
