// What passes between an agent and its models: streams, results of tools, and who is served.
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ANSWERS, isSealed } from "../../../../src/actors/imported/edge/wire/answerFaults.ts";
import type { Exchange } from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import {
  type Answering,
  type Came,
  openGateway,
} from "../../../../src/actors/imported/edge/wire/gateway.ts";
import { covered, learned } from "../../../../src/actors/imported/edge/wire/learnedRules.ts";
import { withResults } from "../../../../src/actors/imported/edge/wire/messages.ts";
import { bodyOfStream, streamOf } from "../../../../src/actors/imported/edge/wire/streamed.ts";
import {
  faultOf,
  faultsOf,
  WireFaults,
} from "../../../../src/actors/imported/edge/wire/wireFaults.ts";
import type { Json } from "../../../../src/machines/letter.ts";
import { ghostlight } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";

const call = { id: "c1", type: "function", function: { name: "pay", arguments: '{"a":1}' } };
const bodies: readonly (readonly [string, Json])[] = [
  [
    "a completion",
    {
      ...{ id: "x", model: "m", object: "chat.completion" },
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "hi", tool_calls: [call] },
          finish_reason: "tool_calls",
        },
      ],
    },
  ],
  [
    "a message",
    {
      ...{
        id: "m",
        type: "message",
        role: "assistant",
        model: "m",
        stop_reason: "tool_use",
        stop_sequence: null,
      },
      content: [
        { type: "thinking", thinking: "well", signature: "c2lnbmVk" },
        { type: "text", text: "hi" },
        { type: "tool_use", id: "t", name: "pay", input: { a: 1 } },
      ],
      usage: { output_tokens: 3 },
    },
  ],
  [
    "a response",
    {
      ...{ id: "r", object: "response" },
      output: [
        { type: "reasoning", id: "rs", encrypted_content: "x" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "hi" }] },
        { type: "function_call", call_id: "c", name: "pay", arguments: "{}" },
      ],
    },
  ],
  ["a line of Ollama's", { model: "m", message: { role: "assistant", content: "hi" }, done: true }],
];

it.each(bodies)("[WR11] %s is the same body as a stream of its API", (_, body) => {
  expect(bodyOfStream(streamOf(body))).toEqual(body);
});

it("[WR11] Ollama's pieces are one answer, and a stream that breaks off is what came of it", () => {
  const piece = (content: string, done: boolean) =>
    JSON.stringify({ message: { role: "assistant", content }, done });

  expect(bodyOfStream(`${piece("a", false)}\n${piece("b", true)}\n`)).toEqual({
    ...{ message: { role: "assistant", content: "ab" }, done: true },
  });
  const begun = 'data: {"choices":[{"delta":{"content":"ha"}}]}\n\ndata: {"choi';
  expect(bodyOfStream(begun)).toMatchObject({
    choices: [{ message: { content: "ha" }, finish_reason: null }],
  });
  expect(bodyOfStream("<html>")).toBeNull();
});

it.each<[string, string, readonly object[], object]>([
  [
    "a completion whose calls come in turns by their index, with its refusal and what it took",
    "data: ",
    [
      {
        choices: [{ delta: { tool_calls: [{ index: 1, id: "b", function: { name: "look" } }] } }],
        usage: { total_tokens: 1 },
      },
      { choices: [{ delta: { tool_calls: [{ index: 0, id: "a", function: { name: "pay" } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index: 1, function: { arguments: "{" } }] } }] },
      { choices: [{ delta: { tool_calls: [{ index: 1, function: { arguments: "}" } }] } }] },
      { choices: [{ delta: { refusal: "I " } }] },
      { choices: [{ delta: { refusal: "won't." }, finish_reason: "stop" }] },
      { choices: [], usage: { total_tokens: 3 } },
    ],
    {
      choices: [
        {
          message: {
            refusal: "I won't.",
            tool_calls: [
              { id: "b", function: { name: "look", arguments: "{}" } },
              { id: "a", function: { name: "pay", arguments: "" } },
            ],
          },
          finish_reason: "stop",
        },
      ],
      usage: { total_tokens: 3 },
    },
  ],
  [
    "a message, with what it took at its start and at its end",
    "data: ",
    [
      { type: "message_start", message: { usage: { input_tokens: 5, output_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } },
    ],
    {
      content: [{ type: "text", text: "hi" }],
      ...{ stop_reason: "end_turn", usage: { input_tokens: 5, output_tokens: 9 } },
    },
  ],
  [
    "a completion of a bare prompt",
    "data: ",
    [{ choices: [{ text: "ha" }] }, { choices: [{ text: "llo" }] }],
    { choices: [{ message: { content: "hallo" } }] },
  ],
  [
    "Ollama's calls, which come before its last line",
    "",
    [
      { message: { content: "", tool_calls: [{ function: { name: "pay" } }] }, done: false },
      { message: { content: "" }, done: true },
    ],
    { message: { tool_calls: [{ function: { name: "pay" } }] }, done: true },
  ],
  [
    "what Ollama answers to a bare prompt",
    "",
    [
      { response: "ha", done: false },
      { response: "llo", done: true },
    ],
    { response: "hallo", done: true },
  ],
])("[WR11] %s is the body that its pieces amount to", (_, begin, pieces, body) => {
  const text = pieces.map((one) => `${begin}${JSON.stringify(one)}\n\n`).join("");

  expect(bodyOfStream(text)).toMatchObject(body);
});

describe("results of tools", () => {
  const requests: readonly (readonly [string, Json])[] = [
    [
      "chat completions",
      {
        messages: [
          { role: "assistant", tool_calls: [call] },
          { role: "tool", tool_call_id: "c1", content: "42" },
        ],
      },
    ],
    [
      "messages",
      {
        messages: [
          { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "pay", input: {} }] },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "42" }] },
        ],
      },
    ],
    [
      "responses",
      {
        input: [
          { type: "function_call", call_id: "c1", name: "pay", arguments: "{}" },
          { type: "function_call_output", call_id: "c1", output: "42" },
        ],
      },
    ],
  ];

  it.each(requests)("[WR9] are found in %s with the name of their tool", (_, given) => {
    const seen: unknown[] = [];
    const changed = withResults(given, (result) => {
      seen.push(result);
      return "gone";
    });

    expect(seen).toEqual([{ call: "c1", tool: "pay", content: "42" }]);
    expect(JSON.stringify(changed)).toBe(JSON.stringify(given).replace('"42"', '"gone"'));
  });

  it.each([
    ["nothing", "null"],
    ["empty", ""],
    ["truncated", "4"],
    ["told-as-success", "ok"],
    ["told-as-error", "Error: the operation failed: permission denied"],
    ["stale", "42"],
    ["another", "42"],
    ["late", "42"],
  ])("[WR9] %s makes %j of it", (name, content) => {
    const faults = new WireFaults([faultOf(`${name}@pay`)], 1);
    const { request } = faults.request(requests[0]?.[1] ?? null);

    expect(request).toMatchObject({ messages: [{}, { content }] });
  });
});

it("[WR47] another tool's result comes in its place, and a late one is held back once", () => {
  const faults = new WireFaults([faultOf("another@look"), faultOf("late@pay")], 1);
  const result = (tool: string, id: string, content: string) => [
    { role: "assistant", tool_calls: [{ id, type: "function", function: { name: tool } }] },
    { role: "tool", tool_call_id: id, content },
  ];
  const first = { messages: result("pay", "c1", "paid") };
  const both = { messages: [...first.messages, ...result("look", "c2", "seen")] };
  const late = { fault: "late", at: "pay c1" };

  expect(faults.request(first)).toEqual({ request: first, done: [late], got: {}, delayMs: 5_000 });
  expect(faults.request(both)).toMatchObject({
    request: { messages: [{}, { content: "paid" }, {}, { content: "paid" }] },
    done: [{ fault: "another", at: "look c2", instead: "seen" }],
    delayMs: 0,
  });
});

it("[WR10] which result and which answer meet a fault follows from the seed and their ids alone", () => {
  const ids = Array.from({ length: 40 }, (_, n) => `c${n}`);
  const met = (seed: number, order: readonly string[]): readonly string[] => {
    const faults = new WireFaults([faultOf("nothing:0.5@pay")], seed);
    return order
      .filter((call) => faults.result({ call, tool: "pay", content: "42" }) !== null)
      .toSorted();
  };
  const answers = (seed: number) => {
    const faults = new WireFaults([faultOf("overloaded:0.5@openai")], seed);
    return ids.map(() => faults.answer("openai")?.done.at ?? null);
  };

  expect(met(1, ids).length).toBeGreaterThan(9);
  expect(met(1, ids).length).toBeLessThan(31);
  expect(met(1, ids)).toEqual(met(1, ids.toReversed()));
  expect(met(2, ids)).not.toEqual(met(1, ids));
  expect(answers(1)).toEqual(answers(1));
  const some = answers(1).filter((one) => one !== null);
  expect([some.length > 9, some.length < 31]).toEqual([true, true]);
  expect(answers(2)).not.toEqual(answers(1));
});

it("[WR47] of other tools' results the last one comes, whichever tool was first", () => {
  const faults = new WireFaults([faultOf("another@mail")], 1);
  const told = [
    ...[
      ["pay", "paid"],
      ["look", "seen"],
      ["pay", "paid again"],
      ["mail", "sent"],
      ["mail", "again"],
    ],
  ].map(([tool = "", content = ""], n) => faults.result({ call: `c${n}`, tool, content }));

  expect(told.map((met) => met?.content)).toEqual([
    ...[undefined, undefined, undefined, "paid again", "paid again"],
  ]);
});

it("[WR48] faults may stand in a file, one a line", () => {
  const file = join(newFolder(), "faults.txt");
  writeFileSync(file, "# of the clerk\nnothing:0.5@pay\n\n  slow\n");

  expect(faultsOf([file, "empty"]).map(({ name, rate }) => [name, rate])).toEqual([
    ...[
      ["nothing", 500_000],
      ["slow", 1_000_000],
      ["empty", 1_000_000],
    ],
  ]);
  writeFileSync(file, "nothng\n");
  expect(() => faultsOf([file])).toThrow('Did you mean "nothing"?');
  expect(() => faultsOf(["missing.txt"])).toThrow("| a file of such lines");
});

it("[WR48] a file without a fault is refused", () => {
  const file = join(newFolder(), "faults.txt");
  writeFileSync(file, "# none yet\n");

  expect(() => faultsOf([file])).toThrow(/faults.txt.*found a file without a fault/);
});

it("[WR48] a fault is meant by its name, also where a file is called so", async () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, "nothing"), "no fault\n");
  const words = ["record", "--fault", "nothing", "--fault", "nothng", "--", "true"];
  const { stderr } = await ghostlight(words, { cwd });

  expect(stderr).toContain('found "nothng"');
});

const changed = (name: string, body: Json): Json | undefined => {
  const fault = ANSWERS[name];
  return fault !== undefined && "change" in fault ? fault.change(body) : body;
};
const named = new Map(bodies);
const SORRY = "I'm sorry, but I can't help with that.";

describe("faults at a model's answer", () => {
  it.each(bodies)(
    "[WR13] change words, calls and ends in %s, and nothing that is signed",
    (_, body) => {
      const refused = JSON.stringify(changed("refusal", body));

      expect(refused).not.toContain("pay");
      expect(refused).not.toContain('"hi"');
      for (const sealed of ["c2lnbmVk", "encrypted_content"]) {
        expect(refused.includes(sealed)).toBe(JSON.stringify(body).includes(sealed));
      }
    },
  );

  it.each([
    [
      "empty-answer",
      "a completion",
      { choices: [{ message: { content: "" }, finish_reason: "stop" }] },
    ],
    [
      "cut-off",
      "a completion",
      { choices: [{ message: { content: "h" }, finish_reason: "length" }] },
    ],
    ["cut-off", "a message", { content: [{}, { text: "h" }], stop_reason: "max_tokens" }],
    [
      "no-json",
      "a response",
      { output: [{}, { content: [{ text: "Sure, here it is:\nh" }] }, { arguments: "{" }] },
    ],
    [
      "unknown-tool",
      "a message",
      { content: [{}, {}, { type: "tool_use", name: "pay_v2", input: { a: 1 } }] },
    ],
    ["wrong-usage", "a message", { usage: { output_tokens: 0 } }],
    ["cut-off", "a line of Ollama's", { message: { content: "h" }, done_reason: "length" }],
  ])("[WR13] %s of %s", (name, which, expected) => {
    expect(changed(name, named.get(which) ?? null)).toMatchObject(expected);
  });

  it("[WR13] an error stands in place of an answer in the shape of its API", () => {
    const fault = ANSWERS["overloaded"];
    const bodies =
      fault !== undefined && "body" in fault
        ? [fault.status, ...(["ollama", "openai", "anthropic"] as const).map(fault.body)]
        : [];

    expect(bodies).toMatchObject([
      ...[529, { error: "overloaded" }, { error: { message: "overloaded" } }],
      { type: "error", error: { type: "overloaded_error", message: "overloaded" } },
    ]);
    const codes = ["rate-limited", "server-error", "overloaded"].map((name) => ANSWERS[name]);
    expect(codes).toMatchObject([{ status: 429 }, { status: 500 }, { status: 529 }]);
    expect(ANSWERS["slow"]).toMatchObject({ delayMs: 5_000 });
  });

  it("[WR13] change what Ollama answers to a bare prompt", () => {
    const body = { model: "m", response: "hi", done: true };

    expect(changed("refusal", body)).toEqual({ ...body, response: SORRY });
  });

  it("[WR13] without anything to change there is none", () => {
    expect(changed("unknown-tool", { choices: [{ message: { content: "hi" } }] })).toBeUndefined();
  });

  it("[WR13] wrong-usage of Ollama's counts beside the answer, and of nothing where nothing is counted", () => {
    const body = { message: { role: "assistant", content: "hi" }, done: true };

    expect(changed("wrong-usage", { ...body, prompt_eval_count: 7, eval_count: 3 })).toEqual({
      ...{ ...body, prompt_eval_count: 0, eval_count: 0 },
    });
    expect(changed("wrong-usage", body)).toBeUndefined();
  });

  it.each<[string, Json, boolean]>([
    ["a signature", { type: "text", text: "a", signature: "s" }, true],
    ["a signature of a thought", { text: "a", thought_signature: "s" }, true],
    ["what is encrypted, however deep", [{ a: { encrypted_content: "x" } }], true],
    ["what is encrypted under another name", { type: "text", encrypted_index: "x" }, true],
    ["redacted thinking", { type: "redacted_thinking", data: "x" }, true],
    ["an empty signature", { type: "text", text: "a", signature: "" }, false],
    ["none", { type: "text", text: "a", signature: null }, false],
  ])("[WR14] %s is what no fault changes: %j, %j", (_, block, isKept) => {
    expect(isSealed(block)).toBe(isKept);
    if (!isKept || Array.isArray(block)) return;
    const words = { type: "text", text: "hi" };
    const message = { type: "message", content: [block, words], stop_reason: "end_turn" };
    const item = { object: "response", output: [block, { type: "message", content: [words] }] };

    expect(changed("refusal", message)).toMatchObject({ content: [block, { text: SORRY }] });
    expect(changed("refusal", item)).toMatchObject({
      output: [block, { content: [{ text: SORRY }] }],
    });
  });

  it("[WR14] an item of a response that is sealed stays whole, call or words, and those beside it change", () => {
    const call = { type: "function_call", call_id: "c", name: "pay", arguments: "{}" };
    const words = { type: "message", content: [{ type: "output_text", text: "hi" }] };
    const sealed = [call, words].map((one) => ({ ...one, encrypted_content: "x" }));

    expect(changed("refusal", { object: "response", output: [...sealed, call, words] })).toEqual({
      object: "response",
      output: [...sealed, { ...words, content: [{ type: "output_text", text: SORRY }] }],
    });
  });

  it("[WR14] leaves a result alone that holds what was signed or encrypted", () => {
    const sealed = {
      role: "tool",
      tool_call_id: "c1",
      content: [{ type: "text", text: "a", signature: "s" }],
    };
    const open = { role: "tool", tool_call_id: "c2", content: "b" };
    const { request, done } = new WireFaults([faultOf("nothing")], 1).request({
      messages: [sealed, open],
    });

    expect(request).toEqual({ messages: [sealed, { ...open, content: "null" }] });
    expect(done).toHaveLength(1);
  });

  it.each([
    ["ghost@pay", "models", "ghostlight mcp --fault"],
    ["takes-all", "models", "a fault at a result or at an answer"],
    ["refusal", "server", "a fault at the result of a tool"],
    ["ghost", "server", "ghost without a tool"],
    ["slow@pay", "models", "openai | anthropic | ollama"],
  ] as const)("[WR16] %s is refused at %s, with where it goes", (text, at, says) => {
    expect(() => faultOf(text, at)).toThrow(says);
  });
});

const asks = (request: Json): Exchange =>
  ({
    ...{ api: "openai", path: "/chat/completions", timestamp: "", latency_ms: 1, request },
    ...{ status: 200, response: null, type: "" },
  }) as const;

it("[WR19] rules are proposed for numbers and words by their field, and what no rule covers is told", () => {
  const said = (words: string, seed: number, more: readonly Json[] = []) =>
    asks({ seed, messages: [{ role: "user", content: words }, ...more] });
  const first = [said("Ticket 7 (a.b) x1", 3), said("one", 3)];
  const more = { role: "user", content: "more" };
  const second = [said("Ticket 8 (a.b) x2", 4), said("one two", 3, [more])];
  const { rules, open } = learned([{ what: "calls", first, second }], (request) => request);

  expect(rules.map(({ name, at, pattern }) => [name, at[0], pattern])).toEqual([
    ["field-seed", "seed", null],
    ["after-ticket", "messages[0].content", "(?<=(?:^|\\s)Ticket\\s+)\\S+"],
    ["after-ab", "messages[0].content", "(?<=(?:^|\\s)\\(a\\.b\\)\\s+)\\S+"],
  ]);
  expect(rules.every(({ accepted }) => !accepted)).toBe(true);
  const counted = (one: readonly Exchange[], other: readonly Exchange[]) =>
    learned([{ what: "calls", first: one, second: other }], (request) => request).open;
  const [same = asks(null)] = first;
  expect(counted([same], [same, same])).toEqual(["1 calls in one, 2 in the other"]);
  expect(counted([same, same], [same])).toEqual(["2 calls in one, 1 in the other"]);
  expect(open).toEqual([
    "messages[0].content: 1 words in one, 2 in the other",
    "messages[1]: stands in one alone",
  ]);
  const other = { role: "user", content: "Ticket 9" };
  // Elsewhere the same words are not covered.
  const asked = said("Ticket 9 (a.b) x3", 5, [other]).request as object;
  expect(covered({ ...asked, seeds: 5 }, rules)).toEqual({
    ...{ seed: "<field-seed>", seeds: 5 },
    messages: [{ role: "user", content: "Ticket <after-ticket> (a.b) <after-ab>" }, other],
  });
});

it("[WR12] serves who knows its token, at this machine's names only", async () => {
  const answering: Answering<Came> = async ({ path }, reply) => {
    reply.head(200, {});
    reply.piece(Buffer.from(path));
    reply.end();
  };
  const gateway = await openGateway(0, { answering, standIn: answering });
  const base = new URL(gateway.base("openai"));
  const asked = (path: string, host = base.host): Promise<number> =>
    new Promise((done, failed) => {
      request({ port: base.port, path, headers: { host } }, (answer) => {
        answer.resume();
        done(answer.statusCode ?? 0);
      })
        .once("error", failed)
        .end();
    });

  const statuses = [
    await asked(`${base.pathname}/models`),
    await asked("/wrong/openai/models"),
    await asked(`${base.pathname}x/models`),
    await asked(base.pathname.replace(/[^/]/, (sign) => (sign === "A" ? "B" : "A"))),
    await asked(`${base.pathname}/models`, "evil.example"),
    await asked(`${base.pathname}/models`, "localhost.evil.example"),
    await asked(`${base.pathname}/models`, `localhost:${base.port}`),
  ];
  await gateway.close();

  expect(statuses).toEqual([200, 404, 404, 404, 404, 404, 200]);
  expect(gateway.strangers()).toBe(5);
});

it.skipIf(process.platform !== "linux")("[WR12] listens at one address of loopback", async () => {
  const answering: Answering<Came> = async () => {};
  const gateway = await openGateway(0, { answering, standIn: answering });
  const { port, hostname } = new URL(gateway.base("openai"));
  const reached = (host: string): Promise<boolean> =>
    new Promise((done) => {
      const open = connect(Number(port), host)
        .once("connect", () => done(true))
        .once("error", () => done(false));
      open.once("connect", () => open.destroy());
    });
  // What listens at every address is reached at each one of loopback.
  const found = [await reached("127.0.0.1"), await reached("127.0.0.2")];
  await gateway.close();

  expect([hostname, ...found]).toEqual(["127.0.0.1", true, false]);
});
