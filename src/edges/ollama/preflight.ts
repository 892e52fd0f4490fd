/**
 * Before a live run: is the server there, are the models, do they fit? What is not is told in one
 * sentence with what to do, and nothing has been written yet.
 */
import type { ListResponse, Ollama, ShowResponse } from "ollama";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import { LiveUnavailable } from "../errors.ts";
import { Fault } from "../live/faults.ts";
import type { LiveModel, LiveSetup, Server, VectorLimits, Vectors } from "../live/liveSetup.ts";
import { optionOf } from "../live/modelName.ts";
import { floorFault, type PreflightOptions, tierModels } from "../live/preflight.ts";
import type { Tried } from "../live/retrying.ts";
import {
  lastFault,
  looked,
  otherProtocol,
  type ServerWords,
  triedAgain,
  tryEmbedding,
  unavailable,
} from "../live/serverLook.ts";
import { vectorsOf } from "../live/vectors.ts";
import { chat } from "./chat.ts";
import { withClient } from "./wire.ts";

/** Ours: a server that is there answers such questions at once. */
const LOOK_MS = 10_000;

interface Look {
  readonly server: Server;
  readonly policy: LivePolicy;
  readonly words: ServerWords;
  /** What named the model. */
  readonly option: string;
}

/** Throws LiveUnavailable (exit 2). */
export async function preflightOllama(options: PreflightOptions): Promise<LiveSetup> {
  const { server, names, policy, onStep } = options;
  onStep?.(`looking for Ollama at ${server.host}`);
  const option = optionOf(names);
  const asked: Look = { server, policy, words: wordsFor(server), option };
  const version = await versionOf(asked);
  const listed = await look(asked, (client) => client.list());
  const found = new Map<string, LiveModel>();
  for (const name of new Set([...Object.values(names.tiers), names.embed ?? ""])) {
    if (name !== "") found.set(name, await describe(asked, name, listed));
  }
  const models = tierModels(names, found);
  for (const [tier, model] of models) {
    checkContext(asked, model);
    const fault = floorFault(tier, model, policy, "ollama");
    if (fault !== undefined) throw fault;
  }
  for (const name of new Set(Object.values(names.tiers))) {
    if (options.warm !== true) continue;
    onStep?.(`loading ${name}`);
    await load(asked, name);
  }
  const { embed } = names;
  if (embed !== null) {
    const { timeoutMs } = policy;
    const vectors = () => embedAll(server, embed, ["ghostlight"], { timeoutMs });
    await tryEmbedding(asked.words, policy, vectors, (message) => ({
      found: `${embed}, which gives no vectors (${message})`,
      todo: "`ollama pull nomic-embed-text` brings one; then --embed ollama:nomic-embed-text.",
    }));
  }
  return {
    ...{ origin: "live:ollama", kind: "Ollama", version: `ollama ${version}` },
    models: Object.fromEntries(models) as LiveSetup["models"],
    embed: embed === null ? null : (found.get(embed) ?? null),
    chat: (question) => chat(server, question),
    embedAll: (texts, limits) => embedAll(server, embed ?? "", texts, limits),
  };
}

const wordsFor = ({ host }: Server): ServerWords => ({
  host,
  server: "an Ollama server",
  speaks: "as Ollama does",
  start: "Start it with `ollama serve`, or name another with --host URL or OLLAMA_HOST.",
  another: "--host URL or OLLAMA_HOST",
  letsIn: {
    allowed: "a server that asks for no key",
    todo: "Name one that lets you in with --host URL or OLLAMA_HOST.",
  },
});

/** Throws LiveUnavailable. */
const look = <T>(
  { server, policy, words }: Look,
  work: (client: Ollama) => Promise<T>,
): Promise<T> => looked(words, policy, () => withClient(server, { timeoutMs: LOOK_MS }, work));

async function versionOf(asked: Look): Promise<string> {
  const said = await look(asked, (client) => client.version());
  if (typeof said?.version === "string") return said.version.slice(0, 40);
  throw otherProtocol(asked.words, "it does not say its version");
}

async function describe(asked: Look, name: string, listed: ListResponse): Promise<LiveModel> {
  const models = Array.isArray(listed?.models) ? listed.models : [];
  const entry = models.find((one) => [name, `${name}:latest`].includes(one.name ?? one.model));
  if (entry === undefined) {
    throw new LiveUnavailable({
      where: { path: asked.option },
      found: `no model ${name} on that server`,
      allowed: models.map((one) => one.name).join(" | ") || "none: the server has no model yet",
      todo: `\`ollama pull ${name}\` brings it.`,
    });
  }
  const shown = await look(asked, (client) => client.show({ model: name }));
  const { details = entry.details } = shown;
  const capabilities = shown.capabilities ?? [];
  return {
    name,
    digest: String(entry.digest ?? ""),
    parameters: String(details?.parameter_size ?? "unknown"),
    quantization: String(details?.quantization_level ?? "unknown"),
    contextLength: contextOf(shown),
    canThink: capabilities.includes("thinking"),
  };
}

/** `qwen3.context_length` and the like; 0 when the server does not say. */
function contextOf({ model_info }: ShowResponse): number {
  // The client types it as a Map, and the server sends an object.
  const info = model_info as unknown as Record<string, unknown> | undefined;
  const key = Object.keys(info ?? {}).find((one) => one.endsWith(".context_length"));
  const length = Number(key === undefined ? 0 : info?.[key]);
  return Number.isSafeInteger(length) && length > 0 ? length : 0;
}

function checkContext({ policy, option }: Look, { name, contextLength }: LiveModel): void {
  if (contextLength === 0 || contextLength >= policy.contextTokens) return;
  throw new LiveUnavailable({
    where: { path: option },
    found: `${name}, whose context ends at ${contextLength} tokens`,
    allowed: `at least the ${policy.contextTokens} of live.contextTokens`,
    todo: `Take another model, or ask for less: --set live.contextTokens=${contextLength}.`,
  });
}

/** A chat without messages only loads the model. */
async function load(asked: Look, model: string): Promise<void> {
  const { policy } = asked;
  const { contextTokens: num_ctx, keepAliveMs, timeoutMs } = policy;
  const keep_alive = `${keepAliveMs}ms`;
  const loaded = await triedAgain(policy, () =>
    withClient(asked.server, { timeoutMs }, (client) =>
      client.chat({ model, messages: [], stream: false, options: { num_ctx }, keep_alive }),
    ),
  );
  if (loaded.value === undefined) throw notLoaded(asked, model, loaded);
}

function notLoaded({ words, option }: Look, model: string, tried: Tried<unknown>): LiveUnavailable {
  const { kind, message } = lastFault(tried);
  // Any other fault is the server's, and is told as such.
  if (kind !== "timeout" && kind !== "memory") return unavailable(words, tried.attempts);
  const found = `${model} does not load (${message})`;
  return kind === "timeout"
    ? new LiveUnavailable({
        where: { path: option },
        found,
        allowed: "a model that is loaded within live.timeoutMs",
        todo: "Give it more time: --set live.timeoutMs=290000; or take a smaller model.",
      })
    : new LiveUnavailable({
        where: { path: option },
        found,
        allowed: "a model that fits into this machine's memory",
        todo: "Take a smaller model, or a smaller context: --set live.contextTokens=4096.",
      });
}

/* Vectors from an embedding model of an Ollama server. */

/** The vectors by text. Throws a Fault only. */
export const embedAll = (
  server: Server,
  model: string,
  texts: readonly string[],
  limits: VectorLimits,
): Promise<Vectors> =>
  withClient(server, limits, async (client) =>
    vectorsOf(texts, await rowsOf(client, model, texts)),
  );

/** Servers before 0.3 know only the older way, one text at a time. */
async function rowsOf(client: Ollama, model: string, texts: readonly string[]): Promise<unknown[]> {
  try {
    return (await client.embed({ model, input: [...texts], truncate: true })).embeddings ?? [];
  } catch (thrown) {
    const isOld =
      thrown instanceof Fault && thrown.kind === "missing" && !/model/.test(thrown.message);
    if (!isOld) throw thrown;
    const rows: unknown[] = [];
    for (const prompt of texts) rows.push((await client.embeddings({ model, prompt })).embedding);
    return rows;
  }
}
