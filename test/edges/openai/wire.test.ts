// Every shape that OpenAI's chat completions have, good and bad, through the real client and a real socket.
import { afterEach, describe, expect, it, vi } from "vitest";
import { Fault, type FaultKind, faultOfStatus } from "../../../src/edges/live/faults.ts";
import type { Question } from "../../../src/edges/live/liveSetup.ts";
import { type Answered, chat, Known } from "../../../src/edges/openai/chat.ts";
import { policyWith } from "../../builtIn.ts";
import {
  type Field,
  type OpenAiFault,
  type OpenAiLoopback,
  type OpenAiOptions,
  openaiLoopback,
} from "./loopbackServer.ts";

const servers: OpenAiLoopback[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) await server.close();
});

async function opened(options: OpenAiOptions = {}): Promise<OpenAiLoopback> {
  const server = await openaiLoopback(options);
  servers.push(server);
  return server;
}

const schema = {
  type: "object",
  properties: { action: { type: "string" } },
  required: ["action"],
} as const;

const question = (stream = true, more: Partial<Question> = {}): Question => ({
  model: {
    ...{ name: "tiny", digest: "", parameters: "unknown", quantization: "unknown" },
    ...{ contextLength: 0, canThink: false },
  },
  ...{ prompt: "You are cedar.", format: schema, seed: 7, maxTokens: 64 },
  policy: policyWith({ "live.timeoutMs": 2_000, "live.stream": stream }).live,
  signal: new AbortController().signal,
  ...more,
});

const KEY = "ghost-0123456789abcdef";

const ask = (
  { host }: OpenAiLoopback,
  asked = question(),
  known = new Known(),
): Promise<Answered> => chat({ host, key: KEY }, asked, known);

async function faultOf(work: () => Promise<unknown>): Promise<[FaultKind, string]> {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.kind, thrown.message];
    throw thrown;
  }
  throw new Error("it went well");
}

const answer = (): string => '{"action": "Zürich 🎭"}';

const onlyStreamed = (stream: boolean): [OpenAiFault, FaultKind][] =>
  stream
    ? [
        ["midstream", "midstream"],
        ["endless", "garbage"],
      ]
    : [];

describe.each([true, false])("with stream %s", (stream) => {
  it("[LM1] an answer is the same in pieces and whole, with its tokens, its end, its model and its build", async () => {
    const server = await opened({ answer, fingerprint: "fp_1", answersAs: "tiny-2026" });

    expect(await ask(server, question(stream))).toEqual({
      ...{ text: answer(), model: "tiny-2026", promptTokens: 200, answerTokens: 9, stop: "stop" },
      fingerprint: "fp_1",
    });
    expect(server.chats[0]?.stream).toBe(stream);
  });

  it("[LM2] a question has seed, temperature, bound and the JSON Schema of its answer", async () => {
    const server = await opened();
    await ask(server, question(stream));

    expect(server.chats[0]).toMatchObject({
      ...{ model: "tiny", seed: 7, temperature: 0.7, max_tokens: 64 },
      messages: [{ role: "user", content: "You are cedar." }],
      response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
    });
    const { live: policy } = policyWith({ "live.temperature": 0, "live.stream": stream });
    await ask(server, question(stream, { format: "json", policy }));
    expect(server.chats[1]).toMatchObject({
      ...{ temperature: 0, response_format: { type: "json_object" } },
    });
  });

  it.each<[OpenAiFault, FaultKind]>([
    ["reset", "gone"],
    ["busy", "busy"],
    ["server", "server"],
    ["denied", "denied"],
    ["missing", "missing"],
    ["elsewhere", "rejected"],
    ["hang", "timeout"],
    ["torn", "truncated"],
    ["silent", "timeout"],
    ["garbage", "garbage"],
    ["choiceless", "garbage"],
    ["html", "garbage"],
    ["filtered", "empty"],
    ["huge", "garbage"],
    ...onlyStreamed(stream),
  ])("[LM3] %s is the fault %s, and nothing is printed", async (fault, kind) => {
    const spies = (["log", "warn", "error", "debug"] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => {}),
    );
    const server = await opened({ script: () => fault });
    const policy = policyWith({
      "live.stream": stream,
      "live.timeoutMs": fault === "hang" || fault === "silent" ? 400 : 30_000,
    }).live;

    const [found, message] = await faultOf(() => ask(server, question(stream, { policy })));

    expect([found, message]).toEqual([kind, expect.stringMatching(/./)]);
    expect(spies.flatMap((spy) => spy.mock.calls)).toEqual([]);
    expect(server.chats.length).toBe(1);
  });

  it("[LM1, LM4] what the protocol allows is an answer with its own end: cut off, called, called with broken arguments", async () => {
    const said = async (fault: OpenAiFault) => {
      const { text, stop } = await ask(await opened({ script: () => fault }), question(stream));
      return [text, stop];
    };

    expect(await said("length")).toEqual(['{"action": "go', "length"]);
    expect(await said("tools")).toEqual(['{"action": "rest"}', "tool_calls"]);
    expect(await said("brokenTools")).toEqual(['{"action": "re', "tool_calls"]);
  });

  /** What comes of an answer that ends in its middle, for this reason. */
  const endedBy = (finish_reason: string | null) => {
    const choice = { index: 0, finish_reason };
    const body = JSON.stringify({
      choices: [{ ...choice, [stream ? "delta" : "message"]: { content: '{"action": "go' } }],
    });
    const type = stream ? "text/event-stream" : "application/json";
    const fetch = async (): Promise<Response> =>
      new Response(stream ? `data: ${body}\n\ndata: [DONE]\n\n` : body, {
        headers: { "content-type": type },
      });
    return chat({ host: "http://127.0.0.1:1/v1", fetch }, question(stream), new Known());
  };

  it("[LM4] an answer that was filtered in part is what is left of it", async () => {
    expect(await endedBy("content_filter")).toMatchObject({
      ...{ text: '{"action": "go', stop: "content_filter" },
    });
  });

  it("[LM3] an answer that names no end is torn, and a server that says 503 is too busy", async () => {
    expect((await faultOf(() => endedBy(null)))[0]).toBe("truncated");
    expect([429, 503].map((status) => faultOfStatus(status, "").kind)).toEqual(["busy", "busy"]);
  });

  it.each<[Field[], object]>([
    [["seed"], { seed: undefined, temperature: 0.7 }],
    [["temperature"], { seed: 7, temperature: undefined }],
    [["max_tokens"], { max_tokens: undefined }],
    [["json_schema"], { response_format: undefined, tools: [{ type: "function" }] }],
    [["json_schema", "tools"], { response_format: { type: "json_object" } }],
    [["json_schema", "tools", "json_object"], { response_format: undefined, tools: undefined }],
    [["seed", "temperature", "json_schema"], { seed: undefined, temperature: undefined }],
  ])("[LM5] a server that refuses %j is asked without, from then on", async (refuses, body) => {
    const notes: string[] = [];
    const known = new Known((text) => notes.push(text));
    const server = await opened({ refuses, answer });

    expect((await ask(server, question(stream), known)).text).toBe(answer());
    const asked = server.chats.length;
    await ask(server, question(stream), known);

    expect(server.chats.at(-1)).toMatchObject(
      Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)),
    );
    for (const [field, value] of Object.entries(body))
      if (value === undefined) expect(server.chats.at(-1)).not.toHaveProperty(field);
    expect([server.chats.length - asked, notes.length]).toEqual([1, asked - 1]);
    expect(notes[0]).toMatch(/^The server of tiny does not take .*; it is asked without\.$/);
  });
});

it("[LM5] a server that refuses streams, or answers whole all the same, is asked for whole answers", async () => {
  for (const options of [{ refuses: ["stream"] as const }, { ignoresStream: true }]) {
    const notes: string[] = [];
    const server = await opened({ ...options, answer });

    expect((await ask(server, question(), new Known((text) => notes.push(text)))).text).toBe(
      answer(),
    );
    expect(server.chats.map(({ stream }) => stream)).toEqual([true, false]);
    expect(notes).toEqual([
      "The server of tiny does not take answers in pieces; it is asked without.",
    ]);
  }
  const server = await opened({ refuses: ["stream_options"], answer });
  await ask(server);
  expect(server.chats.at(-1)).toMatchObject({ stream: true });
  expect(server.chats.at(-1)).not.toHaveProperty("stream_options");
});

it("[LM5] what several questions at once are refused is said once", async () => {
  const server = await opened({ answer, refuses: ["seed"] });
  const notes: string[] = [];
  const known = new Known((text) => void notes.push(text));
  await Promise.all([1, 2, 3].map(() => ask(server, question(), known)));

  expect(notes).toEqual([expect.stringContaining("does not take a seed")]);
});

it.each([
  "maximum context length is 4096 tokens: max_tokens is too large, invalid",
  "no seed was drawn at this temperature: ask again",
])("[LM5] an error that only mentions a field takes nothing away: %s", async (message) => {
  const host = "http://127.0.0.1:1/v1";
  let asked = 0;
  const fetch = async (): Promise<Response> => {
    asked += 1;
    return Response.json({ error: { message } }, { status: 400 });
  };

  const [kind] = await faultOf(() => chat({ host, fetch }, question(), new Known()));

  expect([kind, asked]).toEqual(["rejected", 1]);
});

it.each([true, false])(
  "[LM3] how long a try takes is ours alone to say: no clock of the client ends it, with stream %s",
  async (stream) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "Date"] });
    const stop = new AbortController();
    const type = stream ? "text/event-stream" : "application/json";
    const fetch = async (): Promise<Response> =>
      new Response(new ReadableStream(), { headers: { "content-type": type } });
    const asked = question(stream, { signal: stop.signal });

    const failed = faultOf(() =>
      chat({ host: "http://127.0.0.1:1/v1", fetch }, asked, new Known()),
    );
    await vi.advanceTimersByTimeAsync(60_000);
    stop.abort();

    expect(await failed).toEqual(["cancelled", "the run is over"]);
  },
);

it("[LM6] the key goes out in one header, and neither system nor versions go with it", async () => {
  const server = await opened({ key: KEY });
  await ask(server);

  const [headers = {}] = server.headers;
  expect(headers.authorization).toBe(`Bearer ${KEY}`);
  expect(headers["user-agent"]).toBe("ghostlight");
  expect(Object.keys(headers).filter((name) => name.startsWith("x-"))).toEqual([]);

  await chat({ host: (await opened()).host }, question(), new Known());
  expect(servers.at(-1)?.headers[0]).not.toHaveProperty("authorization");
});
