/**
 * Before a live run: is the server there, are the models, do they fit? What is not is told in one
 * sentence with what to do, and nothing has been written yet.
 */
import type { ListResponse, ShowResponse } from "ollama";
import type { LiveIdentity, ModelIdentity } from "../../machines/livePolicy.ts";
import { type LivePolicy, millionsOf, type Tier, tiers } from "../../machines/livePolicy.ts";
import { BadInput, LiveUnavailable } from "../errors.ts";
import { embedAll } from "./embed.ts";
import type { ModelNames } from "./modelName.ts";
import type { Tried } from "./retrying.ts";
import {
  type Look,
  lastFault,
  look,
  notOllama,
  triedAgain,
  tryLook,
  unavailable,
} from "./serverLook.ts";
import type { Server } from "./wire.ts";

export interface LiveModel extends ModelIdentity {
  readonly canThink: boolean;
}

export interface OllamaSetup {
  readonly server: Server;
  /** `ollama 0.12.6` */
  readonly version: string;
  readonly models: { readonly [tier in Tier]: LiveModel };
  readonly embed: LiveModel | null;
}

export interface PreflightOptions {
  readonly server: Server;
  readonly names: ModelNames;
  readonly policy: LivePolicy;
  /** Load the models, so that the first call does not wait for it. */
  readonly warm?: boolean;
  readonly onStep?: (text: string) => void;
}

/** Ours: a server that is there answers such questions at once. */
const LOOK_MS = 10_000;

/** Throws LiveUnavailable (exit 2). */
export async function preflight(options: PreflightOptions): Promise<OllamaSetup> {
  const { server, names, policy, onStep } = options;
  onStep?.(`looking for Ollama at ${server.host}`);
  const asked = { server, policy, timeoutMs: LOOK_MS };
  const version = await versionOf(asked);
  const listed = await look(asked, (client) => client.list());
  const found = new Map<string, LiveModel>();
  for (const name of new Set([...Object.values(names.tiers), names.embed ?? ""])) {
    if (name !== "") found.set(name, await describe(asked, name, listed));
  }
  const modelOf = (name: string): LiveModel => found.get(name) as LiveModel;
  for (const tier of tiers) checkModel(tier, modelOf(names.tiers[tier]), policy);
  for (const name of new Set(Object.values(names.tiers))) {
    if (options.warm !== true) continue;
    onStep?.(`loading ${name}`);
    await load({ ...asked, timeoutMs: policy.timeoutMs }, name, policy);
  }
  if (names.embed !== null) await tryEmbedding(asked, names.embed, policy);
  return {
    server,
    version: `ollama ${version}`,
    models: {
      fast: modelOf(names.tiers.fast),
      middle: modelOf(names.tiers.middle),
      wise: modelOf(names.tiers.wise),
    },
    embed: names.embed === null ? null : modelOf(names.embed),
  };
}

/** For the manifest: what answered, not where. */
export function identityOf({ version, models, embed }: OllamaSetup): LiveIdentity {
  const plain = ({ canThink: _, ...model }: LiveModel): ModelIdentity => model;
  const { fast, middle, wise } = models;
  return {
    server: version,
    models: { fast: plain(fast), middle: plain(middle), wise: plain(wise) },
    embed: embed === null ? null : plain(embed),
  };
}

async function versionOf(asked: Look): Promise<string> {
  const said = await look(asked, (client) => client.version());
  if (typeof said?.version === "string") return said.version.slice(0, 40);
  throw notOllama(asked.server, "it does not say its version");
}

async function describe(asked: Look, name: string, listed: ListResponse): Promise<LiveModel> {
  const models = Array.isArray(listed?.models) ? listed.models : [];
  const entry = models.find((one) => [name, `${name}:latest`].includes(one.name ?? one.model));
  if (entry === undefined) {
    throw new LiveUnavailable({
      where: { path: "--model" },
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

function checkModel(tier: Tier, model: LiveModel, policy: LivePolicy): void {
  const { name, contextLength, parameters } = model;
  if (contextLength > 0 && contextLength < policy.contextTokens) {
    throw new LiveUnavailable({
      where: { path: "--model" },
      found: `${name}, whose context ends at ${contextLength} tokens`,
      allowed: `at least the ${policy.contextTokens} of live.contextTokens`,
      todo: `Take another model, or ask for less: --set live.contextTokens=${contextLength}.`,
    });
  }
  const floor = policy.floor[tier];
  const size = millionsOf(parameters);
  if (floor === 0 || size >= floor) return;
  throw new LiveUnavailable({
    where: { path: `--tier ${tier}` },
    found: `${name}, which has ${size === 0 ? "no known number of" : size} million parameters`,
    allowed: `at least the ${floor} million of live.floor.${tier}`,
    todo: `Give the ${tier} tier a larger one: --tier ${tier}=ollama:NAME.`,
  });
}

/** A chat without messages only loads the model. */
async function load(asked: Look, model: string, policy: LivePolicy): Promise<void> {
  const { contextTokens: num_ctx, keepAliveMs } = policy;
  const keep_alive = `${keepAliveMs}ms`;
  const loaded = await tryLook(asked, (client) =>
    client.chat({ model, messages: [], stream: false, options: { num_ctx }, keep_alive }),
  );
  if (loaded.value === undefined) throw notLoaded(asked.server, model, loaded);
}

function notLoaded(server: Server, model: string, tried: Tried<unknown>): LiveUnavailable {
  const { kind, message } = lastFault(tried);
  // Any other fault is the server's, and is told as such.
  if (kind !== "timeout" && kind !== "memory") return unavailable(server, tried.attempts);
  const found = `${model} does not load (${message})`;
  return kind === "timeout"
    ? new LiveUnavailable({
        where: { path: "--model" },
        found,
        allowed: "a model that is loaded within live.timeoutMs",
        todo: "Give it more time: --set live.timeoutMs=290000; or take a smaller model.",
      })
    : new LiveUnavailable({
        where: { path: "--model" },
        found,
        allowed: "a model that fits into this machine's memory",
        todo: "Take a smaller model, or a smaller context: --set live.contextTokens=4096.",
      });
}

async function tryEmbedding(asked: Look, model: string, policy: LivePolicy): Promise<void> {
  const { server } = asked;
  const { timeoutMs } = policy;
  const embedded = await triedAgain(asked, () =>
    embedAll(server, model, ["ghostlight"], { timeoutMs }),
  );
  if (embedded.value !== undefined) return;
  const { kind, message } = lastFault(embedded);
  // Ollama answers 500 or 501 for a model that is no embedding model.
  const isOfModel = ["rejected", "missing", "garbage", "server"].includes(kind);
  if (!isOfModel) throw unavailable(server, embedded.attempts);
  throw new LiveUnavailable({
    where: { path: "--embed" },
    found: `${model}, which gives no vectors (${message})`,
    allowed: "an embedding model",
    todo: "`ollama pull nomic-embed-text` brings one; then --embed ollama:nomic-embed-text.",
  });
}

/** `--host`, else OLLAMA_HOST, else the default. Throws BadInput. */
export function hostOption(given: string | undefined, env: NodeJS.ProcessEnv): string {
  const where = given === undefined ? "OLLAMA_HOST" : "--host";
  const raw = (given ?? env["OLLAMA_HOST"] ?? "").trim();
  const text = raw === "" ? "127.0.0.1:11434" : raw;
  const withScheme = /^https?:\/\//.test(text)
    ? text
    : `http://${text.replace(/^:/, "127.0.0.1:")}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (
    url === undefined ||
    url.username !== "" ||
    url.hostname === "" ||
    /^\w+:\/\/.*:\/\//.test(withScheme)
  ) {
    throw new BadInput({
      where: { path: where },
      found: url?.username ? "an address with a user name in it" : JSON.stringify(text),
      allowed: "an address such as http://127.0.0.1:11434",
      todo: "Give the address of the Ollama server.",
    });
  }
  // A server listens on 0.0.0.0; a client cannot call it.
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  const hasPort = url.port !== "" || /^https?:\/\//.test(text);
  if (!hasPort) url.port = "11434";
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, "")}`;
}
