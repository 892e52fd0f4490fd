/**
 * Before a live run with an OpenAI-compatible server: does it let us in, does it list the models, do they
 * answer? Each model is asked one small question, which also loads it and shows what its server takes.
 */

import { isMap } from "../../machines/isMap.ts";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import { hintFor, LiveUnavailable, quoted } from "../errors.ts";
import { escapedLine } from "../escapedText.ts";
import { Fault, type FaultKind } from "../live/faults.ts";
import type { LiveModel, LiveSetup, Server, VectorLimits, Vectors } from "../live/liveSetup.ts";
import { optionOf } from "../live/modelName.ts";
import { floorFault, type PreflightOptions, tierModels } from "../live/preflight.ts";
import {
  looked,
  type ServerWords,
  triedAgain,
  tryEmbedding,
  unavailable,
} from "../live/serverLook.ts";
import { vectorsOf } from "../live/vectors.ts";
import { redactor } from "../redaction.ts";
import { chat, Known } from "./chat.ts";
import { withClient } from "./wire.ts";

/** Ours: a server that is there lists its models at once. */
const LOOK_MS = 10_000;
/** Ours: what a person reads of a long list. */
const SHOWN_MODELS = 20;
const MODELS_MAX = 10_000;

/** Throws LiveUnavailable (exit 2). */
export async function preflightOpenAi(options: PreflightOptions): Promise<LiveSetup> {
  const { server, names, policy, onStep, onNote } = options;
  onStep?.(`looking for models at ${server.host}`);
  const words = wordsFor(server);
  const wanted = [...new Set([...Object.values(names.tiers), names.embed ?? ""])];
  const listed = await listedModels(server, policy, words);
  if (listed === undefined)
    onNote?.("This server lists no models; the names are taken as they are.");
  const found = new Map<string, LiveModel>();
  for (const name of wanted.filter((one) => one !== "")) {
    if (listed !== undefined && !listed.includes(name))
      throw notListed(optionOf(names), name, listed);
    found.set(name, modelNamed(name));
  }
  for (const [tier, model] of tierModels(names, found)) {
    const fault = floorFault(tier, model, policy, "openai");
    if (fault !== undefined) throw fault;
  }
  const known = new Known(onNote);
  for (const name of new Set(Object.values(names.tiers))) {
    if (options.warm !== true) break;
    onStep?.(`asking ${name} a first question`);
    const fingerprint = await firstAnswer(
      options,
      words,
      found.get(name) ?? modelNamed(name),
      known,
    );
    found.set(name, { ...modelNamed(name), digest: fingerprint });
  }
  const { embed } = names;
  if (embed !== null) {
    const { timeoutMs } = policy;
    const vectors = () => embedAll(server, embed, ["ghostlight"], { timeoutMs });
    await tryEmbedding(words, policy, vectors, (message) => ({
      found: `${quoted(embed)}, which gives no vectors (${message})`,
      allowed: "an embedding model of the same server",
      todo: "Name one with --embed openai:NAME, or omit --embed.",
    }));
  }
  return {
    ...{ origin: "live:openai", kind: "an OpenAI-compatible server" },
    version: "an OpenAI-compatible server",
    models: Object.fromEntries(tierModels(names, found)) as LiveSetup["models"],
    embed: embed === null ? null : (found.get(embed) ?? null),
    chat: async (question) => {
      const { fingerprint: _, ...said } = await chat(server, question, known);
      return said;
    },
    embedAll: (texts, limits) => embedAll(server, embed ?? "", texts, limits),
  };
}

const wordsFor = ({ host, key }: Server): ServerWords => ({
  host,
  server: "an OpenAI-compatible server",
  speaks: "as OpenAI's chat completions do",
  start:
    "Start it, or name another with --host URL or OPENAI_BASE_URL; the address ends before /chat/completions.",
  another: "--host URL or OPENAI_BASE_URL",
  letsIn:
    key === undefined
      ? {
          allowed: "a server that needs no key, or OPENAI_API_KEY in the environment",
          todo: "Set OPENAI_API_KEY to the key of that server. It is neither stored nor printed.",
        }
      : {
          allowed: "the key of that server in OPENAI_API_KEY",
          todo: "See whether OPENAI_API_KEY holds the key of that server, and whether it may use this model.",
        },
});

/** Of a server that says no more, what its name says: `Llama-3.1-70B-Instruct` → `70B`. */
function modelNamed(name: string): LiveModel {
  const [, size] = /(?:^|[^a-z0-9.])(\d{1,4}(?:\.\d{1,2})?b)(?![a-z0-9])/i.exec(name) ?? [];
  return {
    ...{ name, digest: "", parameters: size?.toUpperCase() ?? "unknown" },
    ...{ quantization: "unknown", contextLength: 0, canThink: false },
  };
}

/** A server without such a list is one all the same. */
const LISTLESS: ReadonlySet<FaultKind> = new Set(["missing", "rejected", "garbage"]);

async function listedModels(
  server: Server,
  policy: LivePolicy,
  words: ServerWords,
): Promise<readonly string[] | undefined> {
  return looked(words, policy, async () => {
    try {
      return await withClient(server, { timeoutMs: LOOK_MS }, async (client) => {
        const page: unknown = await client.get("/models");
        const data = isMap(page) ? page["data"] : undefined;
        if (!Array.isArray(data)) throw new Fault("garbage", "no list of models");
        return data
          .slice(0, MODELS_MAX)
          .flatMap((one) => (isMap(one) && typeof one["id"] === "string" ? [one["id"]] : []));
      });
    } catch (thrown) {
      const isListless =
        thrown instanceof Fault && (LISTLESS.has(thrown.kind) || thrown.message.startsWith("501:"));
      if (isListless) return undefined;
      throw thrown;
    }
  });
}

function notListed(option: string, name: string, listed: readonly string[]): LiveUnavailable {
  const redacts = redactor();
  const names = listed.map((one) => escapedLine(redacts.text(one)));
  const shown = names.slice(0, SHOWN_MODELS);
  const more = listed.length > shown.length ? ` | … ${listed.length - shown.length} more` : "";
  return new LiveUnavailable({
    where: { path: option },
    found: `no model ${quoted(name)} on that server`,
    allowed: shown.length === 0 ? "none: the server has no model yet" : shown.join(" | ") + more,
    ...hintFor(name, names),
    todo: `Name one of those: ${option} openai:NAME.`,
  });
}

/** Which build answered; empty where the server does not say. Throws LiveUnavailable. */
async function firstAnswer(
  { server, policy, names }: PreflightOptions,
  words: ServerWords,
  model: LiveModel,
  known: Known,
): Promise<string> {
  const { value, attempts } = await triedAgain(policy, () =>
    chat(
      server,
      {
        ...{ model, policy, seed: 1, maxTokens: 16, signal: new AbortController().signal },
        prompt: 'Answer with one JSON object, and nothing else: {"ready": true}',
        format: {
          type: "object",
          properties: { ready: { type: "boolean" } },
          required: ["ready"],
          additionalProperties: false,
        },
      },
      known,
    ).catch((thrown: unknown) => {
      // The model is there and has nothing to say to this.
      if (thrown instanceof Fault && thrown.kind === "empty") return undefined;
      throw thrown;
    }),
  );
  if (value !== undefined) return redactor().text(value.fingerprint);
  const last = attempts.at(-1);
  if (last === undefined) return "";
  if (last.kind !== "missing" && last.kind !== "rejected") throw unavailable(words, attempts);
  const option = optionOf(names);
  throw new LiveUnavailable({
    where: { path: option },
    found: `${quoted(model.name)}, which answers no question (${last.error})`,
    allowed: "a model for chats, on that server",
    todo: `Name another with ${option} openai:NAME; the address ends before /chat/completions.`,
  });
}

/** The vectors by text. Throws a Fault only. */
const embedAll = (
  server: Server,
  model: string,
  texts: readonly string[],
  limits: VectorLimits,
): Promise<Vectors> =>
  withClient(server, limits, async (client) => {
    const body = { model, input: [...texts], encoding_format: "float" };
    const page: unknown = await client.post("/embeddings", { body });
    const data = isMap(page) ? page["data"] : undefined;
    if (!Array.isArray(data)) throw new Fault("garbage", "no list of vectors");
    const rows: unknown[] = [];
    for (const [place, one] of data.slice(0, texts.length + 1).entries()) {
      const index = isMap(one) ? (one["index"] ?? place) : place;
      if (typeof index === "number" && index >= 0 && index <= texts.length)
        rows[index] = isMap(one) ? one["embedding"] : undefined;
    }
    return vectorsOf(texts, [...rows]);
  });
