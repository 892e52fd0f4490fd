// A real HTTP server on this machine that speaks OpenAI's chat completions: what it takes and what goes
// wrong is given, its thoughts are those of the Ollama one.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as rest } from "node:timers/promises";
import { bodyOf, thought, vectorOf } from "../ollama/loopbackServer.ts";

export type OpenAiFault =
  | "reset"
  | "busy"
  | "server"
  | "denied"
  | "missing"
  | "elsewhere"
  | "hang"
  | "torn"
  | "silent"
  | "garbage"
  | "choiceless"
  | "html"
  | "endless"
  | "huge"
  | "midstream"
  | "echo"
  | "length"
  | "filtered"
  | "tools"
  | "brokenTools";

/** Fields that a server may refuse by name. */
export type Field =
  | "stream"
  | "stream_options"
  | "seed"
  | "temperature"
  | "max_tokens"
  | "json_schema"
  | "tools"
  | "json_object";

export interface OpenAiOptions {
  readonly models?: readonly string[];
  /** No list of models. */
  readonly isListless?: boolean;
  readonly refuses?: readonly Field[];
  /** Answers whole even where a stream was asked for. */
  readonly ignoresStream?: boolean;
  /** What goes wrong at the n-th chat, from 0. */
  readonly script?: (nth: number) => OpenAiFault | undefined;
  /** What goes wrong at the n-th list of models or vectors, from 0. */
  readonly lookScript?: (nth: number) => OpenAiFault | undefined;
  readonly answer?: (prompt: string) => string | undefined;
  readonly latencyMs?: number;
  /** The only key it lets in; anybody when absent. */
  readonly key?: string;
  readonly fingerprint?: string;
  /** As which model it says it answers, where that is another name. */
  readonly answersAs?: string;
}

export interface OpenAiBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly schema: unknown };
  };
  readonly tools?: readonly { readonly function: { readonly parameters: unknown } }[];
  readonly [field: string]: unknown;
}

export interface OpenAiLoopback {
  readonly host: string;
  /** Bodies of the chats, refused ones too, in the order in which they came. */
  readonly chats: OpenAiBody[];
  readonly headers: IncomingMessage["headers"][];
  close(): Promise<void>;
}

export async function openaiLoopback(options: OpenAiOptions = {}): Promise<OpenAiLoopback> {
  const state = { chats: [] as OpenAiBody[], headers: [] as IncomingMessage["headers"][] };
  let looks = 0;
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    state.headers.push(request.headers);
    const body = (await bodyOf(request)) as unknown as OpenAiBody;
    const key = request.headers.authorization?.replace("Bearer ", "");
    if (options.key !== undefined && key !== options.key)
      return failed(response, 401, `Incorrect API key provided: ${key}.`);
    if (request.url !== "/v1/chat/completions") {
      const fault = options.lookScript?.(looks++);
      if (fault !== undefined) return spoilt(response, fault, body, key);
      return look(response, request.url ?? "", body, options);
    }
    const nth = state.chats.push(body) - 1;
    const refused = options.refuses?.find((field) => isSent(field, body));
    if (refused !== undefined) return failed(response, 400, `Unsupported parameter: ${refused}`);
    await rest(options.latencyMs ?? 1);
    const fault = options.script?.(nth);
    const text = fault === "echo" ? `The key is ${key}.` : answerTo(body, nth, options);
    if (fault !== undefined && fault !== "echo") return spoilt(response, fault, body, key);
    return said(response, body, text, options);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { ...state, host: `http://127.0.0.1:${port}/v1`, close };
}

const isSent = (field: Field, { response_format, ...body }: OpenAiBody): boolean =>
  field === "json_schema" || field === "json_object"
    ? response_format?.type === field
    : field === "stream"
      ? body.stream === true
      : body[field] !== undefined;

const schemaOf = ({ response_format, tools }: OpenAiBody): unknown =>
  response_format?.json_schema?.schema ?? tools?.[0]?.function.parameters;

function answerTo(body: OpenAiBody, nth: number, options: OpenAiOptions): string {
  const prompt = body.messages[0]?.content ?? "";
  if (prompt.includes('"ready"')) return '{"ready": true}';
  return (
    options.answer?.(prompt) ?? thought({ ...body, format: schemaOf(body) ?? guess(prompt) }, nth)
  );
}

/** Of a prompt without a schema, by its words, as a model would. */
const guess = (prompt: string): object | undefined => {
  const field = ["action", "steps", "threat", "contradicts", "passes"].find((one) =>
    prompt.includes(`"${one}"`),
  );
  return field === undefined ? undefined : { properties: { [field]: {} } };
};

function send(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers = {},
): ServerResponse {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  return response.end(JSON.stringify(value));
}

const failed = (
  response: ServerResponse,
  status: number,
  message: string,
  headers = {},
): ServerResponse =>
  send(response, status, { error: { message, type: "error", param: null } }, headers);

function look(
  response: ServerResponse,
  url: string,
  body: OpenAiBody,
  { models = ["tiny", "nomic-embed-text"], isListless }: OpenAiOptions,
): ServerResponse {
  if (url === "/v1/models" && isListless !== true)
    return send(response, 200, { object: "list", data: models.map((id) => ({ id })) });
  if (url !== "/v1/embeddings") return failed(response, 404, "Not Found");
  const data = (body["input"] as string[]).map((text, index) => ({
    ...{ object: "embedding", index, embedding: vectorOf(text) },
  }));
  // In another order than asked: the index counts.
  return send(response, 200, { object: "list", data: data.toReversed() });
}

const ended = (model: string, fingerprint: string | undefined) => ({
  ...{ id: "chatcmpl-1", created: 1, model },
  ...(fingerprint !== undefined && { system_fingerprint: fingerprint }),
});

const USAGE = { prompt_tokens: 200, completion_tokens: 9, total_tokens: 209 };

/** As it should be: whole, or in pieces that cut characters of JSON anywhere. */
function said(
  response: ServerResponse,
  body: OpenAiBody,
  text: string,
  { ignoresStream, fingerprint, answersAs = body.model }: OpenAiOptions,
): ServerResponse {
  const calls = (argumentsText: string) => ({
    tool_calls: [
      { index: 0, id: "call_1", type: "function", function: { arguments: argumentsText } },
    ],
  });
  const part = (piece: string): object =>
    body.tools === undefined ? { content: piece } : { content: null, ...calls(piece) };
  const head = ended(answersAs, fingerprint);
  if (body.stream !== true || ignoresStream === true) {
    const message = { role: "assistant", ...part(text) };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return send(response, 200, { ...head, choices, usage: USAGE });
  }
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  const half = text.length >> 1;
  for (const piece of [text.slice(0, half), text.slice(half)])
    event(response, { ...head, choices: [{ index: 0, delta: part(piece), finish_reason: null }] });
  event(response, { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
  // Not every piece says which build it is of.
  const last = { ...ended(answersAs, undefined), choices: [], usage: USAGE };
  if (body["stream_options"] !== undefined) event(response, last);
  return response.end("data: [DONE]\n\n");
}

const event = (response: ServerResponse, value: object): boolean =>
  response.write(`data: ${JSON.stringify(value)}\n\n`);

async function spoilt(
  response: ServerResponse,
  fault: OpenAiFault,
  { model, stream }: OpenAiBody,
  key: string | undefined,
): Promise<unknown> {
  const choice = (message: object, finish_reason: string | null): object => ({
    model,
    choices: [{ index: 0, [stream === true ? "delta" : "message"]: message, finish_reason }],
  });
  const answered = (value: object): ServerResponse => {
    if (stream !== true) return send(response, 200, value);
    response.writeHead(200, { "content-type": "text/event-stream" });
    event(response, value);
    return response.end("data: [DONE]\n\n");
  };
  const tool = (argumentsText: string) => ({
    tool_calls: [{ index: 0, function: { name: "answer", arguments: argumentsText } }],
  });
  switch (fault) {
    case "reset":
      return response.destroy();
    case "hang":
      return undefined;
    case "busy":
      return failed(response, 429, "Rate limit reached", { "retry-after": "0.2" });
    case "server":
      return failed(response, 500, "The server had an error while processing your request");
    case "missing":
      return failed(response, 404, `The model '${model}' does not exist`);
    case "denied":
      return failed(response, 401, `Incorrect API key provided: ${key}.`);
    case "elsewhere":
      response.writeHead(307, { location: "http://127.0.0.1:9/v1/chat/completions" });
      return response.end();
    case "html":
      response.writeHead(200, { "content-type": "text/html" });
      return response.end("<html><h1>Log in first</h1></html>");
    case "choiceless":
      return answered({ model, choices: [] });
    case "length":
      return answered(choice({ content: '{"action": "go' }, "length"));
    case "filtered":
      return answered(choice({ content: "" }, "content_filter"));
    case "tools":
      return answered(choice(tool('{"action": "rest"}'), "tool_calls"));
    case "brokenTools":
      return answered(choice(tool('{"action": "re'), "tool_calls"));
    case "garbage":
      if (stream !== true) {
        response.writeHead(200, { "content-type": "application/json" });
        return response.end('{"choices": [');
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.end("data: <html>\n\n");
  }
  response.writeHead(200, {
    "content-type": stream === true ? "text/event-stream" : "application/json",
    ...(stream !== true && { "content-length": "100000000" }),
  });
  const piece = choice({ content: "a".repeat(fault === "huge" ? 1_100_000 : 10_000) }, null);
  if (stream === true) event(response, piece);
  else response.write(`{"model": "${model}", "choices": [`);
  await rest(1);
  switch (fault) {
    case "torn":
      return stream === true ? response.end('data: {"choices": [{"del') : response.destroy();
    case "silent":
      return undefined;
    case "midstream":
      return response.end('data: {"error": {"message": "out of luck"}}\n\n');
  }
  // An answer without end, in one event that has none either, or in ever more of them.
  const line = fault === "huge" ? "a".repeat(100_000) : `data: ${JSON.stringify(piece)}\n\n`;
  while (!response.destroyed) {
    if (!response.write(line)) await rest(1);
  }
  return undefined;
}
