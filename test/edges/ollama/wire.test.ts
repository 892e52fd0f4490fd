// Every shape that Ollama's protocol has, good and bad, through the real client.
import { delay, HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { Fault, type FaultKind } from "../../../src/edges/live/faults.ts";
import type { Question } from "../../../src/edges/live/liveSetup.ts";
import { chat } from "../../../src/edges/ollama/chat.ts";
import { embedAll } from "../../../src/edges/ollama/preflight.ts";
import { policyWith } from "../../builtIn.ts";

const host = "http://ollama.test:11434";
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

const asking: Question = {
  model: {
    ...{ name: "tiny", digest: "", parameters: "1B", quantization: "unknown" },
    ...{ contextLength: 0, canThink: true },
  },
  ...{ prompt: "You are cedar.", format: "json", seed: 7, maxTokens: 64 },
  policy: policyWith({ "live.timeoutMs": 2_000 }).live,
  signal: new AbortController().signal,
};
const ask = (more: Partial<Question> = {}) => chat({ host }, { ...asking, ...more });

const part = (content: string): object => ({
  ...{ model: "tiny", created_at: "2026-05-02T09:00:00Z", done: false },
  message: { role: "assistant", content },
});
const last = {
  ...part(""),
  ...{ done: true, done_reason: "stop", total_duration: 4, prompt_eval_count: 26, eval_count: 3 },
};
const lines = (...parts: (object | string)[]): string =>
  parts.map((one) => (typeof one === "string" ? one : `${JSON.stringify(one)}\n`)).join("");

function answers(body: string | (() => Response | Promise<Response>), pieces = 1): void {
  server.use(
    http.post(`${host}/api/chat`, () =>
      typeof body === "string" ? streamed(body, pieces) : (body() as never),
    ),
  );
}

/** In so many pieces, cut without regard to lines or characters. */
function streamed(text: string, pieces: number): HttpResponse<ReadableStream<Uint8Array>> {
  const bytes = new TextEncoder().encode(text);
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new HttpResponse(stream, { headers: { "content-type": "application/x-ndjson" } });
}

async function faultOf(work: () => Promise<unknown>): Promise<[FaultKind, string]> {
  try {
    await work();
  } catch (thrown) {
    if (thrown instanceof Fault) return [thrown.kind, thrown.message];
    throw thrown;
  }
  throw new Error("it went well");
}

it.each([1, 3, 40, 400])("[LV5] an answer is the same in %i pieces", async (pieces) => {
  answers(lines(part("Zürich "), part("ist\n"), part("schön 🎭"), last), pieces);

  expect(await ask()).toEqual({
    ...{ text: "Zürich ist\nschön 🎭", model: "tiny", promptTokens: 26, answerTokens: 3 },
    stop: "stop",
  });
});

it("[LV5] seed, temperature and context stand inside options, and the answer is streamed", async () => {
  let body: unknown;
  server.use(
    http.post(`${host}/api/chat`, async ({ request }) => {
      body = await request.json();
      return streamed(lines(last), 1);
    }),
  );

  await ask();

  expect(body).toEqual({
    ...{ model: "tiny", stream: true, format: "json", think: false, keep_alive: "1800000ms" },
    messages: [{ role: "user", content: "You are cedar." }],
    options: { seed: 7, temperature: 0.7, num_ctx: 8192, num_predict: 64 },
  });
});

it("[LV7] an answer cut off by length, or empty, is an answer; zeros may be omitted", async () => {
  const { prompt_eval_count: _, eval_count: __, ...without } = last;
  answers(lines(part('{"action": "go'), { ...without, done_reason: "length" }));

  expect(await ask()).toMatchObject({
    ...{ text: '{"action": "go', promptTokens: 0, answerTokens: 0, stop: "length" },
  });

  answers(lines(last));
  expect(await ask()).toMatchObject({ text: "", stop: "stop" });

  answers(lines({ ...last, done_reason: "length" }));
  expect(await ask()).toMatchObject({ text: "", stop: "length" });
});

const json = (status: number, error: string) => (): Response =>
  HttpResponse.json({ error }, { status });

it.each<[string, FaultKind, string | (() => Response | Promise<Response>)]>([
  ["a model that is not there", "missing", json(404, "model 'tiny' not found")],
  ["the older words", "missing", json(404, 'model "tiny" not found, try pulling it first')],
  ["a bad request", "rejected", json(400, '"tiny" does not support thinking')],
  ["a closed door", "denied", json(401, "unauthorized")],
  [
    "a full queue",
    "busy",
    json(503, "server busy, please try again.  maximum pending requests exceeded"),
  ],
  [
    "too little memory",
    "memory",
    json(500, "model requires more system memory (5.3 GiB) than is available (3.3 GiB)"),
  ],
  [
    "a runner that went",
    "memory",
    json(500, "model runner has unexpectedly stopped, this may be due to resource limitations"),
  ],
  ["a server's error", "server", json(500, "llama-server process has terminated: exit status 2")],
  [
    "a proxy's page",
    "server",
    () =>
      new HttpResponse("<h1>502</h1>", { status: 502, headers: { "content-type": "text/html" } }),
  ],
  [
    "broken JSON of an error",
    "server",
    () => new HttpResponse("{", { status: 500, headers: { "content-type": "application/json" } }),
  ],
  ["no connection", "gone", () => HttpResponse.error()],
  ["an error in the middle", "midstream", lines(part("a"), { error: "an error was encountered" })],
  ["an end before the end", "truncated", lines(part("a"))],
  ["an end within a line", "truncated", lines(part("a"), '{"message": {"cont')],
  ["nothing at all", "truncated", ""],
  ["a line that is no JSON", "garbage", lines(part("a"), "<html>\n", last)],
  ["a line that is no object", "garbage", lines("7\n", last)],
  ["an answer that is no text", "garbage", lines({ ...part(""), message: { content: 7 } }, last)],
  ["a model that was only loaded", "empty", lines({ ...last, done_reason: "load" })],
])("[LV6] [LV8] %s is the fault %s, and nothing is printed", async (_, kind, body) => {
  const printed = vi.spyOn(console, "warn").mockImplementation(() => {});
  const logged = vi.spyOn(console, "log").mockImplementation(() => {});
  answers(body);

  const [found, message] = await faultOf(() => ask());

  expect(found).toBe(kind);
  expect(message).not.toBe("");
  // The client would print; stdout belongs to the answer of a command.
  expect([printed.mock.calls, logged.mock.calls]).toEqual([[], []]);
});

it("[LV8] a server that does not answer in time is a time-out", async () => {
  answers(async () => {
    await delay(5_000);
    return streamed(lines(last), 1);
  });
  expect((await faultOf(() => ask({ policy: { ...asking.policy, timeoutMs: 50 } })))[0]).toBe(
    "timeout",
  );
});

it("[LV14] ending the run ends the request", async () => {
  const over = new AbortController();
  answers(async () => {
    over.abort();
    await delay(5_000);
    return streamed(lines(last), 1);
  });

  expect((await faultOf(() => ask({ signal: over.signal })))[0]).toBe("cancelled");
});

it("[LV9] vectors are whole numbers of one length, one for each text", async () => {
  server.use(
    http.post(`${host}/api/embed`, () =>
      HttpResponse.json({
        embeddings: [
          [3, 4],
          [0, 0],
          [-1e-9, 1],
        ],
      }),
    ),
  );

  expect(await embedAll({ host }, "nomic", ["a", "b", "c"], { timeoutMs: 1_000 })).toEqual({
    ...{ a: [600_000, 800_000], b: [0, 0], c: [0, 1_000_000] },
  });
});

it("[LV9] an older server is asked once for each text, and each gets its own vector", async () => {
  const asked: string[] = [];
  server.use(
    http.post(`${host}/api/embed`, () => new HttpResponse("404 page not found", { status: 404 })),
    http.post(`${host}/api/embeddings`, async ({ request }) => {
      const { prompt } = (await request.json()) as { readonly prompt: string };
      asked.push(prompt);
      return HttpResponse.json({ embedding: prompt === "a" ? [1, 0] : [0, 1] });
    }),
  );

  const vectors = await embedAll({ host }, "nomic", ["a", "b"], { timeoutMs: 1_000 });

  expect(asked).toEqual(["a", "b"]);
  expect(vectors).toEqual({ a: [1_000_000, 0], b: [0, 1_000_000] });
});

it("[LV9] an older server is asked the older way", async () => {
  server.use(
    http.post(`${host}/api/embed`, () => new HttpResponse("404 page not found", { status: 404 })),
    http.post(`${host}/api/embeddings`, () => HttpResponse.json({ embedding: [1, 0] })),
  );

  const vectors = await embedAll({ host }, "nomic", ["a", "b"], { timeoutMs: 1_000 });

  expect(vectors).toEqual({ a: [1_000_000, 0], b: [1_000_000, 0] });
});

it("[LV9] a server that has no such model is not taken for an older one", async () => {
  const error = 'model "nomic" not found, try pulling it first';
  let asked = 0;
  server.use(
    http.post(`${host}/api/embed`, () => HttpResponse.json({ error }, { status: 404 })),
    http.post(`${host}/api/embeddings`, () => {
      asked += 1;
      return HttpResponse.json({ embedding: [1, 0] });
    }),
  );

  const vectors = () => embedAll({ host }, "nomic", ["a"], { timeoutMs: 1_000 });

  expect((await faultOf(vectors))[0]).toBe("missing");
  expect(asked).toBe(0);
});

it.each<[string, unknown]>([
  ["too few", { embeddings: [[1]] }],
  ["too many", { embeddings: [[1], [1], [1]] }],
  ["none", {}],
  ["empty ones", { embeddings: [[], []] }],
  ["no numbers", { embeddings: [["x"], [null]] }],
])("[LV9] %s vectors are garbage", async (_, body) => {
  server.use(http.post(`${host}/api/embed`, () => HttpResponse.json(body as object)));

  const asked = () => embedAll({ host }, "nomic", ["a", "b"], { timeoutMs: 1_000 });

  expect((await faultOf(asked))[0]).toBe("garbage");
});
