// A real HTTP server on this machine that speaks Ollama's protocol: its thoughts are small, its
// latency and its faults are drawn from a seed.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as rest } from "node:timers/promises";

export type FaultName =
  | "missing"
  | "server"
  | "memory"
  | "busy"
  | "proxy"
  | "midstream"
  | "truncated"
  | "garbage"
  | "reset"
  | "hang"
  | "loaded"
  | "nonsense";

export const faultNames: readonly FaultName[] = [
  ...(["missing", "server", "memory", "busy", "proxy", "midstream", "truncated"] as const),
  ...(["garbage", "reset", "hang", "loaded", "nonsense"] as const),
];

export interface LoopbackOptions {
  readonly seed?: number;
  /** Of a chat; drawn between the two. */
  readonly latencyMs?: readonly [number, number];
  /** How often a chat goes wrong, of a hundred. */
  readonly faultPercent?: number;
  readonly faults?: readonly FaultName[];
  /** What goes wrong at the n-th chat, from 0, before anything is drawn. */
  readonly script?: (nth: number, prompt: string) => FaultName | undefined;
  /** What goes wrong at the n-th of the other requests, from 0: version, list, show, load, embed. */
  readonly lookScript?: (nth: number, url: string) => FaultName | undefined;
  readonly models?: readonly LoopbackModel[];
  readonly isOld?: boolean;
  /** In place of what the small mind thinks. */
  readonly answer?: (prompt: string) => string | undefined;
}

export interface LoopbackModel {
  readonly name: string;
  readonly digest?: string;
  readonly parameters?: string;
  readonly context?: number;
  readonly capabilities?: readonly string[];
}

export interface Loopback {
  readonly host: string;
  /** Bodies of the chats, in the order in which they came. */
  readonly chats: ChatBody[];
  readonly headers: IncomingMessage["headers"][];
  /** How many of the other requests came: version, list, show, load, embed. */
  looks: number;
  /** Requests that the other side ended. */
  aborted: number;
  /** How many are being answered, and the most there were at once. */
  open: number;
  mostOpen: number;
  close(): Promise<void>;
}

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream: boolean;
  readonly format?: unknown;
  readonly think?: unknown;
  readonly keep_alive?: string;
  readonly options: { readonly [name: string]: number };
}

const standard: readonly LoopbackModel[] = [
  { name: "tiny:latest" },
  { name: "nomic-embed-text:latest", capabilities: ["embedding"] },
];

/** Numbers from a seed: mulberry32. */
export function drawsOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export async function loopback(options: LoopbackOptions = {}): Promise<Loopback> {
  const draw = drawsOf(options.seed ?? 1);
  const state = {
    chats: [],
    headers: [],
    looks: 0,
    aborted: 0,
    open: 0,
    mostOpen: 0,
  } as unknown as Loopback;
  const server = createServer((request, response) => {
    answer(request, response, options, draw, state).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return Object.assign(state, { host: `http://127.0.0.1:${port}`, close });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: LoopbackOptions,
  draw: (below: number) => number,
  state: Loopback,
): Promise<void> {
  state.headers.push(request.headers);
  const models = options.models ?? standard;
  const body = await bodyOf(request);
  const send = (status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(value));
  };
  const isLook = request.url !== "/api/chat" || (body["messages"] as unknown[]).length === 0;
  const spoilt = isLook ? options.lookScript?.(state.looks++, request.url ?? "") : undefined;
  if (spoilt !== undefined) {
    return reply(response, send, { fault: spoilt, text: "", model: String(body["model"]) });
  }
  switch (request.url) {
    case "/api/version":
      return send(200, { version: "0.12.6" });
    case "/api/tags":
      return send(200, { models: models.map(listed) });
    case "/api/show":
      return send(200, shown(models.find((one) => isNamed(one, body["model"]))));
    case "/api/embed":
      if (options.isOld) return send(404, { error: "404 page not found" });
      return send(200, { embeddings: (body["input"] as string[]).map(vectorOf) });
    case "/api/embeddings":
      return send(200, { embedding: vectorOf(String(body["prompt"])) });
    case "/api/chat":
      break;
    default:
      return send(404, { error: "404 page not found" });
  }
  const chat = body as unknown as ChatBody;
  if (chat.messages.length === 0) return send(200, { model: chat.model, message: {}, done: true });
  state.open += 1;
  state.mostOpen = Math.max(state.mostOpen, state.open);
  const isFinished = { yes: false };
  response.on("close", () => {
    state.open -= 1;
    if (!isFinished.yes) state.aborted += 1;
  });
  const nth = state.chats.push(chat) - 1;
  const drawn = draw(100) < (options.faultPercent ?? 0);
  const faults = options.faults ?? faultNames;
  const prompt = chat.messages[0]?.content ?? "";
  const fault = options.script?.(nth, prompt) ?? (drawn ? faults[draw(faults.length)] : undefined);
  const [least, most] = options.latencyMs ?? [1, 3];
  await rest(least + draw(most - least + 1));
  const text = options.answer?.(prompt) ?? thought(chat, nth);
  if (fault !== "hang") isFinished.yes = true;
  return reply(response, send, { fault, text, model: chat.model });
}

async function reply(
  response: ServerResponse,
  send: (status: number, value: unknown) => void,
  { fault, text, model }: { fault: FaultName | undefined; text: string; model: string },
): Promise<void> {
  const line = (value: object): string => `${JSON.stringify({ model, ...value })}\n`;
  const piece = (content: string): string =>
    line({ message: { role: "assistant", content }, done: false });
  const end = line({
    ...{ message: { role: "assistant", content: "" }, done: true, done_reason: "stop" },
    ...{ total_duration: 5_000_000, prompt_eval_count: 200, eval_count: text.length >> 2 },
  });
  const half = text.length >> 1;
  switch (fault) {
    case "missing":
      return send(404, { error: `model '${model}' not found` });
    case "server":
      return send(500, { error: "llama-server process has terminated: signal: killed" });
    case "memory":
      return send(500, {
        error: "model requires more system memory (5.3 GiB) than is available (3.3 GiB)",
      });
    case "busy":
      return send(503, {
        error: "server busy, please try again.  maximum pending requests exceeded",
      });
    case "proxy":
      response.writeHead(502, { "content-type": "text/html" });
      return void response.end("<html><h1>502 Bad Gateway</h1></html>");
    case "reset":
      return void response.destroy();
    case "hang":
      return;
  }
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.write(piece(text.slice(0, half)));
  await rest(1);
  switch (fault) {
    case "midstream":
      return void response.end(`${JSON.stringify({ error: "an error was encountered" })}\n`);
    case "truncated":
      return void response.end(piece(text.slice(half)).slice(0, 20));
    case "garbage":
      return void response.end(`{"message": {"content": ${end}`);
    case "loaded":
      return void response.end(line({ message: { content: "" }, done: true, done_reason: "load" }));
    case "nonsense":
      return void response.end(end);
    default:
      return void response.end(piece(text.slice(half)) + end);
  }
}

export async function bodyOf(
  request: IncomingMessage,
): Promise<{ readonly [field: string]: unknown }> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text === "" ? {} : (JSON.parse(text) as { [field: string]: unknown });
}

const isNamed = ({ name }: LoopbackModel, asked: unknown): boolean =>
  name === asked || name === `${asked}:latest`;

const digestOf = ({ name, digest }: LoopbackModel): string =>
  digest ?? Buffer.from(name.padEnd(32, ".")).toString("hex").slice(0, 64);

const listed = (model: LoopbackModel) => ({
  ...{ name: model.name, model: model.name, digest: digestOf(model), size: 1 },
  details: detailsOf(model),
});

const detailsOf = ({ parameters = "1.5B" }: LoopbackModel) => ({
  ...{ format: "gguf", family: "tiny" },
  ...{ parameter_size: parameters, quantization_level: "Q4_K_M" },
});

const shown = (model: LoopbackModel | undefined) =>
  model === undefined
    ? { error: "model not found" }
    : {
        details: detailsOf(model),
        model_info: { "tiny.context_length": model.context ?? 32_768 },
        capabilities: model.capabilities ?? ["completion"],
      };

export const vectorOf = (text: string): number[] => {
  const draw = drawsOf([...text].reduce((sum, char) => sum * 31 + (char.codePointAt(0) ?? 0), 7));
  return Array.from({ length: 16 }, () => draw(2_000) / 1_000 - 1);
};

const PAGE =
  "# A page\nIt is long enough to count as one. It says what was found, what follows from it, and what " +
  "others may rely on; it says so at some length, since a page that is too short does not pass the gate.\n";

/** A goal, a plan for it, or something else that the format asks for. */
export function thought(
  { messages, format }: Pick<ChatBody, "messages" | "format">,
  nth: number,
): string {
  const prompt = messages[0]?.content ?? "";
  const agent = /You are (\w+)/.exec(prompt)?.[1] ?? "somebody";
  const fields = Object.keys((format as { properties?: object } | undefined)?.properties ?? {});
  if (fields.includes("action")) {
    const artifact = `/agentOS/workspace/${agent}/page-${nth}.md`;
    return JSON.stringify({
      ...{ action: "goal", content: `Write page ${nth}`, slug: "note", artifact, evidence: null },
    });
  }
  if (fields.includes("steps")) {
    const artifact = /done when (\S+) stands/.exec(prompt)?.[1] ?? "/agentOS/workspace/x.md";
    const step = { intent: "write file", params: { path: artifact, content: PAGE } };
    return JSON.stringify({ steps: [step, { ...step, intent: "write the file" }, step] });
  }
  if (fields.includes("threat")) return JSON.stringify({ threat: false });
  if (fields.includes("contradicts")) return JSON.stringify({ contradicts: null });
  if (fields.includes("passes")) return JSON.stringify({ passes: true, reason: "it is there" });
  return JSON.stringify({ lesson: null });
}
