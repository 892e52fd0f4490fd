// Stand-ins for servers of tools that run under a gateway: who is let in, what is written in which order, and who answers in a rerun.
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { rerunCommand } from "../../../../src/actors/imported/edge/commands/rerun.ts";
import { readLogs } from "../../../../src/actors/imported/edge/readLogs.ts";
import { Redaction } from "../../../../src/actors/imported/edge/redacted.ts";
import { variablesFor } from "../../../../src/actors/imported/edge/wire/apis.ts";
import {
  ExchangeWriter,
  exchangesIn,
  MESSAGES,
  readExchanges,
} from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import { type Gateway, openGateway } from "../../../../src/actors/imported/edge/wire/gateway.ts";
import {
  type LearnedRule,
  readRules,
} from "../../../../src/actors/imported/edge/wire/learnedRules.ts";
import { McpRelay } from "../../../../src/actors/imported/edge/wire/mcpRelay.ts";
import { Recorder } from "../../../../src/actors/imported/edge/wire/recorder.ts";
import { Replayer } from "../../../../src/actors/imported/edge/wire/replayer.ts";
import { gatewayKeeper, ownKeeper } from "../../../../src/actors/imported/edge/wire/standIns.ts";
import { linesOf } from "../../../../src/actors/imported/edge/wire/upstream.ts";
import { faultOf, WireFaults } from "../../../../src/actors/imported/edge/wire/wireFaults.ts";
import type { LogRecord } from "../../../../src/actors/imported/record.ts";
import { holdOutput, takeHeld } from "../../../../src/cli/output.ts";
import { newFolder } from "../../../folders.ts";
import { scriptedModel } from "./scriptedModel.ts";

const gateways: Gateway[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const one of gateways.splice(0)) await one.close();
});

async function recording(keepsBodies = false, base?: string, put: readonly string[] = []) {
  const folder = newFolder();
  const model = await scriptedModel(1);
  const writer = new ExchangeWriter(exchangesIn(folder));
  const openai = base ?? model.base;
  const upstreams = { openai, anthropic: openai, ollama: openai };
  const faults = new WireFaults(
    put.map((one) => faultOf(one)),
    0,
  );
  const recorder = new Recorder({ upstreams, writer, faults, keepsBodies });
  const gateway = await openGateway(0, recorder);
  gateways.push(gateway, { ...gateway, close: async () => model.close() });
  return { folder, gateway, file: exchangesIn(folder) };
}

/** What a stand-in under the gateway makes of messages. */
async function standIn(
  gateway: Gateway,
  { server = "files", faults = [] as readonly string[] } = {},
) {
  for (const [name, value] of Object.entries(variablesFor(gateway.base))) vi.stubEnv(name, value);
  const lost: string[] = [];
  const keeper = await gatewayKeeper(server, new Redaction(), (reason) => lost.push(reason));
  if (keeper === null) throw new Error("no gateway keeps messages here");
  const made = new WireFaults(
    faults.map((one) => faultOf(one, "server")),
    0,
  );
  const relay = new McpRelay(keeper.keep, made);
  const text = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message });
  return {
    lost,
    isAnswered: keeper.isAnswered,
    client: (message: object) => relay.client(text(message)),
    server: (message: object) => relay.server(text(message)),
  };
}
const call = (id: number, args: object, name = "pay") => ({
  ...{ id, method: "tools/call", params: { name, arguments: args } },
});
const result = (id: number, text: string) => ({
  ...{ id, result: { content: [{ type: "text", text }] } },
});
const changed = { method: "notifications/tools/list_changed" };

async function recordsIn(file: string): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const piece of readLogs([file])) {
    if (piece.kind === "unread") throw new Error(piece.unread.reason);
    if (piece.kind === "record") records.push(piece.record);
  }
  return records;
}

/** A model's request, as an agent sends it. */
const asks = (gateway: Gateway, messages: readonly object[]): Promise<Response> =>
  fetch(`${gateway.base("openai")}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "m", messages }),
  });
const toUser = { role: "user", content: "Pay." };
const made = {
  role: "assistant",
  content: null,
  tool_calls: [
    { id: "call_0", type: "function", function: { name: "pay", arguments: '{"amount": 42}' } },
  ],
};

/** An agent that lists tools, calls one by itself, and one that its model calls. */
async function played(gateway: Gateway, faults: readonly string[] = []) {
  const one = await standIn(gateway, { faults });
  await one.client({ id: 0, method: "initialize", params: { clientInfo: { name: "clerk" } } });
  await one.server({ id: 0, result: { capabilities: {} } });
  await one.client(call(1, { at: 1 }, "look"));
  await one.server(result(1, "a field"));
  await asks(gateway, [toUser]);
  await one.client(call(2, { amount: 42 }));
  await one.server(changed);
  await one.server(result(2, "paid 42"));
  await asks(gateway, [toUser, made, { role: "tool", tool_call_id: "call_0", content: "paid 42" }]);
  return one;
}

it("[WR21] a line ends with a line feed, and with no sign that JSON may hold", async () => {
  async function* pieces() {
    yield* ["one\u2028\u2029", "\rstill\r\n\ntw", "o\nthree"].map((text) => Buffer.from(text));
  }
  const lines: string[] = [];
  for await (const line of linesOf(pieces())) lines.push(line);

  expect(lines).toEqual(["one\u2028\u2029\rstill", "", "two", "three"]);
});

it("[WR21] without a gateway each message is in the log before it goes on, so that a kill leaves them whole", async () => {
  const folder = newFolder();
  const keeper = ownKeeper(folder, new Redaction());
  const relay = new McpRelay(keeper.keep, new WireFaults([], 0));
  const kept = () => readExchanges(join(folder, MESSAGES)).messages.map(({ from }) => from);
  const text = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message });

  await relay.client(text(call(1, {})));
  expect(kept()).toEqual(["client"]);
  const answer = text(result(1, "paid"));
  expect(await relay.server(answer)).toBe(answer);
  expect(kept()).toEqual(["client", "server"]);
});

describe("under record", () => {
  it("[WR1] a call of a model passes byte for byte both ways, and is kept with its answer and status", async () => {
    const [sent, told] = ['{ "model":"m",\n "messages": [] }\n', ' {"error": "no\\u0020room"}\r\n'];
    let came = "";
    const server = createServer(async (request, response) => {
      for await (const piece of request) came += String(piece);
      const headers = { "content-type": "application/json", "x-asked": request.headers["x-ask"] };
      response.writeHead(529, headers).end(told);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const { gateway, file } = await recording(false, `http://127.0.0.1:${port}/v1`);
    const url = `${gateway.base("openai")}/chat/completions`;
    const answer = await fetch(url, { method: "POST", body: sent, headers: { "x-ask": "1" } });
    const got = await answer.text();
    server.close();

    expect([came, answer.status, got]).toEqual([sent, 529, told]);
    expect(answer.headers.get("x-asked")).toBe("1");
    expect(readExchanges(file).exchanges).toMatchObject([
      { request: { model: "m", messages: [] }, status: 529, response: { error: "no room" } },
    ]);
  });

  it("[WR30] each message is written before it goes on, in the order in which it came", async () => {
    const { gateway, file } = await recording();
    const one = await standIn(gateway);
    const kept = (): number => readExchanges(file).messages.length;
    const counts: number[] = [];
    await one.client(call(1, {}));
    counts.push(kept());
    await one.server(changed);
    counts.push(kept());
    await one.server(result(1, "paid"));
    counts.push(kept());

    expect(counts).toEqual([1, 2, 3]);
    expect(
      readExchanges(file).messages.map(({ from, server, stream }) => [from, server, stream]),
    ).toEqual(["client", "server", "server"].map((from) => [from, "files", "1"]));
  });

  it("[WR30] who does not know the token writes nothing, nor does what is no message", async () => {
    const { gateway, folder } = await recording();
    const base = gateway.base("mcp");
    const line = JSON.stringify({ timestamp: "t", from: "client", message: 1 });
    const posted = async (url: string, body: string): Promise<number> =>
      (await fetch(url, { method: "POST", body })).status;
    const wrong = base.replace(/\/[^/]+\/mcp$/, "/wrong/mcp");

    expect([await posted(wrong, line), await posted(base, '{"from":"client"}')]).toEqual([
      404, 400,
    ]);
    expect(readFileSync(exchangesIn(folder), "utf8")).toBe("");
    expect(await posted(base, line)).toBe(200);
  });

  it("[WR30] a gateway that is named and does not answer is bad usage", async () => {
    const { gateway } = await recording();
    vi.stubEnv("GHOSTLIGHT_GATEWAY", gateway.base("mcp").replace(/\/[^/]+\/mcp$/, "/wrong/mcp"));

    await expect(gatewayKeeper("files", new Redaction(), () => {})).rejects.toThrow(
      /GHOSTLIGHT_GATEWAY: found a gateway that does not answer: HTTP 404/,
    );
  });

  it("[WR20, WR30] secrets are taken out of what models and tools are asked, unless bodies are kept whole", async () => {
    const texts = await Promise.all(
      [false, true].map(async (keepsBodies) => {
        const { gateway, file } = await recording(keepsBodies);
        await (await standIn(gateway)).client(call(1, { password: "hunter22" }));
        await asks(gateway, [{ role: "user", content: "password: hunter33" }]);
        return readFileSync(file, "utf8");
      }),
    );

    for (const secret of ["hunter22", "hunter33"])
      expect(texts.map((text) => text.includes(secret))).toEqual([false, true]);
  });

  it("[WR13] of an answer that stalls the first half comes, and the recording has no more", async () => {
    const { gateway, file } = await recording(false, undefined, ["stalled"]);
    const leaving = new AbortController();
    const { body } = await fetch(`${gateway.base("openai")}/chat/completions`, {
      ...{ method: "POST", body: JSON.stringify({ model: "m", messages: [toUser] }) },
      signal: leaving.signal,
    });
    const half = Buffer.from((await body?.getReader().read())?.value ?? []).toString("utf8");
    leaving.abort();

    expect(() => JSON.parse(half)).toThrow(SyntaxError);
    expect(readExchanges(file).exchanges.map(({ response }) => response)).toEqual([half]);
  });

  it("[WR15] a tool that the server has itself stands in its list once", async () => {
    const one = await standIn((await recording()).gateway, { faults: ["ghost@pay", "ghost@look"] });
    await one.client({ id: 1, method: "tools/list" });
    const { result } = JSON.parse(
      await one.server({ id: 1, result: { tools: [{ name: "pay" }] } }),
    );

    expect(result.tools.map(({ name }: { readonly name: string }) => name)).toEqual([
      "pay",
      "look",
    ]);
  });

  it("[WR13] the recording has what the agent saw and what stood there, and no fault where nothing changed", async () => {
    const { gateway, file } = await recording(false, undefined, ["unknown-tool"]);
    const seen = await (await asks(gateway, [toUser])).text();
    await asks(gateway, [toUser, made, { role: "tool", tool_call_id: "call_0", content: "paid" }]);
    const [first, second] = readExchanges(file).exchanges;

    expect(seen).toContain("pay_v2");
    expect(first?.response).toEqual(JSON.parse(seen));
    expect(first?.faults).toMatchObject([{ fault: "unknown-tool", at: "answer 1" }]);
    expect(JSON.stringify(first?.faults)).toMatch(/"instead":.*"name":"pay"/);
    expect(second).not.toHaveProperty("faults");
  });

  it("[WR2] a secret in a message that is said again is taken out again, and one beside it", async () => {
    const { gateway, file } = await recording();
    const plain = { role: "user", content: "Pay 42 to A-17." };
    const secret = { role: "user", content: "password: hunter22" };
    await asks(gateway, [plain, secret]);
    await asks(gateway, [plain, secret, { ...plain, api_key: "hunter22" }]);
    const { exchanges } = readExchanges(file);

    expect(readFileSync(file, "utf8")).not.toContain("hunter22");
    expect(exchanges.map(({ redacted }) => redacted)).toEqual([1, 2]);
    expect(
      exchanges.map(({ request }) => JSON.stringify(request).match(/Pay 42/g)?.length),
    ).toEqual([1, 2]);
  });

  it("[WR31] a model's call is told once, and what passed its server beside it; an agent's own is a call", async () => {
    const { gateway, file } = await recording();
    await played(gateway);
    const records = await recordsIn(file);
    const told = records.map((one) =>
      one.kind === "called"
        ? `${one.agent} calls ${one.tool}`
        : one.kind === "returned"
          ? `${one.tool ?? one.call} returns ${JSON.stringify(one.result)}`
          : one.kind === "noted"
            ? `notes ${one.what}`
            : one.kind,
    );

    expect(told).toEqual([
      ...["notes initialize", "notes initialize", "clerk calls look", 'look returns "a field"'],
      ...["said", "said", "assistant calls pay", "notes tools/call"],
      ...["notes notifications/tools/list_changed", "notes tools/call", 'call_0 returns "paid 42"'],
      "said",
    ]);
  });

  it("[WR22, WR46] a fault stands before what the client got of it", async () => {
    const { gateway, file } = await recording();
    await played(gateway, ["truncated@pay", "nothing@look"]);
    const told = (await recordsIn(file)).map((one) =>
      one.kind === "noted" ? [one.what, JSON.stringify(one.data)] : [one.kind],
    );

    expect(told).toContainEqual(["fault", expect.stringContaining('"at":"pay 2"')]);
    expect(told[told.findIndex(([, data]) => data?.includes("pay 2")) + 1]).toEqual([
      ...["tools/call", '{"content":[{"type":"text","text":"pai"}]}'],
    ]);
  });

  it("[WR31] ids of two servers, and what is spoken before any model, are no confusion", async () => {
    const { gateway, file } = await recording();
    const [one, two] = [await standIn(gateway), await standIn(gateway, { server: "mail" })];
    await one.client(call(1, {}, "look"));
    await two.client(call(1, {}, "send"));
    await two.server(result(1, "sent"));
    await one.server(result(1, "seen"));
    const returned = (await recordsIn(file)).flatMap((record) =>
      record.kind === "returned" ? [`${record.tool} ${record.result}`] : [],
    );

    expect(returned).toEqual(["send sent", "look seen"]);
  });

  it("[WR31] fifty messages before the first model's call are no log of their own", async () => {
    const { gateway, file } = await recording();
    const one = await standIn(gateway);
    for (let id = 0; id < 51; id++) await one.client({ id, method: "ping" });
    await asks(gateway, [toUser]);
    const logs = new Set<string>();
    for await (const piece of readLogs([file])) if (piece.kind === "record") logs.add(piece.log);

    expect([...logs]).toHaveLength(1);
    expect((await recordsIn(file)).filter(({ kind }) => kind === "called")).toHaveLength(1);
  });

  it("[WR8] what breaks off in a message is read up to its last whole line, and a changed one is found by the next message", async () => {
    const { gateway, file } = await recording();
    await played(gateway);
    const cut = join(newFolder(), "exchanges.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(cut, text.slice(0, text.indexOf("list_changed")));
    const { exchanges, messages, isCut } = readExchanges(cut);

    expect([exchanges.length, messages.length, isCut]).toEqual([1, 5, true]);
    writeFileSync(cut, text.replace('"look"', '"pay"'));
    expect(() => readExchanges(cut)).toThrow(
      "exchanges.jsonl:4: found a line that does not follow",
    );
  });

  it("[WR33] where the gateway is gone, messages go on", async () => {
    const { gateway } = await recording();
    const one = await standIn(gateway);
    await gateway.close();

    expect(await one.client(call(1, {}))).toBeUndefined();
    expect(JSON.parse(await one.server(result(1, "paid")))).toMatchObject(result(1, "paid"));
    expect(one.lost).toHaveLength(2);
  });
});

describe("under rerun", () => {
  async function again(file: string, rules: readonly LearnedRule[] = []) {
    const { exchanges, messages } = readExchanges(file);
    const parted: string[] = [];
    const replayer = new Replayer({
      ...{ exchanges, messages, learned: rules, isStrict: false, isPaced: false },
      onParted: (one) => parted.push(`${one.number} ${one.path} ${one.difference?.path}`),
    });
    const gateway = await openGateway(0, replayer);
    gateways.push(gateway);
    return { gateway, replayer, parted };
  }
  const recorded = async (faults: readonly string[] = []): Promise<string> => {
    const { gateway, file } = await recording();
    await played(gateway, faults);
    return file;
  };
  const said = (told: readonly string[] | undefined) => (told ?? []).map((one) => JSON.parse(one));

  it("[WR32] the recording answers, with its notifications, under the ids of now", async () => {
    const { gateway, replayer } = await again(await recorded(["truncated@pay"]));
    const one = await standIn(gateway, { faults: ["nothing"] });
    const opening = { clientInfo: { name: "clerk" } };

    expect(one.isAnswered).toBe(true);
    expect(said(await one.client({ id: 7, method: "initialize", params: opening }))).toEqual([
      { jsonrpc: "2.0", id: 7, result: { capabilities: {} } },
    ]);
    expect(said(await one.client({ method: "notifications/initialized" }))).toEqual([]);
    expect(said(await one.client(call(9, { amount: 42 })))).toEqual([
      ...[
        { jsonrpc: "2.0", ...changed },
        { jsonrpc: "2.0", ...result(9, "pai") },
      ],
    ]);
    expect(said(await one.client({ id: 10, method: "ping" }))).toMatchObject([{ result: {} }]);
    // The call of `look`, and two of the model.
    expect([replayer.answered, replayer.left, replayer.parted]).toEqual([2, 3, null]);
  });

  it("[WR32] what one server was asked is no answer of another server's", async () => {
    const { gateway, parted } = await again(await recorded());
    const other = await standIn(gateway, { server: "mail" });

    expect(said(await other.client(call(1, { amount: 42 })))).toMatchObject([{ error: {} }]);
    expect(parted).toEqual(["1 mail tools/call undefined"]);
  });

  it("[WR6] the first request that differs is where it parts", async () => {
    const { gateway, parted } = await again(await recorded());
    const one = await standIn(gateway);
    const answer = said(await one.client(call(1, { amount: 43 })));
    const after = said(await one.client(call(2, { amount: 42 })));

    expect([...answer, ...after]).toMatchObject([{ error: {} }, { error: {} }]);
    expect(parted).toEqual(["1 files tools/call params.arguments.amount"]);
  });

  it("[WR19] a rule learned of two recordings of servers answers what it was accepted for, by name, alone", async () => {
    const other = await recording();
    const one = await standIn(other.gateway);
    await one.client(call(1, { amount: 43, to: 8 }));
    await one.server(result(1, "paid 43"));
    const first = await recording();
    const two = await standIn(first.gateway);
    await two.client(call(1, { amount: 42, to: 7 }));
    await two.server(result(1, "paid 42"));
    await two.client(call(2, { more: 1 }));
    await two.server(result(2, "paid 1"));
    holdOutput();
    const code = await rerunCommand(first.folder, [], { learn: other.folder });
    const printed = takeHeld();
    const name = "field-params-arguments-amount";
    holdOutput();
    await rerunCommand(first.folder, [], { accept: [name] });
    takeHeld();
    const rules = readRules(first.folder);
    const { gateway, parted } = await again(first.file, rules);
    const now = await standIn(gateway);

    expect(code).toBe(0);
    expect(printed).toContain(`proposed  ${name}  at params.arguments.amount: 42 or 43`);
    expect(printed).toContain(
      "No rule covers 2 of files tools/call in one, 1 in the other.\nNone counts before you accept it",
    );
    expect(rules.map(({ at, accepted }) => [...at, accepted])).toEqual([
      ["params.arguments.amount", true],
      ["params.arguments.to", false],
    ]);
    expect(said(await now.client(call(5, { amount: 44, to: 7 })))).toMatchObject([
      { id: 5, result: { content: [{ text: "paid 42" }] } },
    ]);
    await now.client(call(6, { more: 2 }));
    expect(parted).toHaveLength(1);
    const { gateway: next, parted: late } = await again(first.file, rules);
    await (await standIn(next)).client(call(7, { amount: 42, to: 8 }));
    expect(late).toEqual(["1 files tools/call params.arguments.to"]);
    await expect(rerunCommand(first.folder, [], { accept: ["another"] })).rejects.toThrow(
      `${name} | `,
    );
    const file = join(first.folder, "rules.json");
    writeFileSync(file, JSON.stringify([...rules, { name: "x" }]));
    expect(() => readRules(first.folder)).toThrow("found no list of rules");
  });

  it("[WR32] what a client gave up is not answered again", async () => {
    const { gateway, file } = await recording();
    const one = await standIn(gateway);
    await one.client(call(1, {}, "hang"));
    await one.client({ method: "notifications/cancelled", params: { requestId: 1 } });
    const { gateway: next, replayer } = await again(file);

    expect(await (await standIn(next)).client(call(1, {}, "hang"))).toEqual([]);
    expect(replayer.parted).toBeNull();
  });

  it("[WR32] where nothing of tools was recorded, a stand-in is on its own", async () => {
    const { gateway, file } = await recording();
    await asks(gateway, [toUser]);
    const { gateway: next } = await again(file);

    await expect(standIn(next)).rejects.toThrow("no gateway keeps messages here");
  });
});

it("[WR19] a file of rules in which one is none is refused, as is what is no list", () => {
  const rule = { name: "x", at: ["messages[0].content"], pattern: null, accepted: false };
  const broken = [
    ...[{ name: 1 }, { at: [0] }, { at: "x" }, { pattern: "(" }, { pattern: 1 }],
    ...[{ accepted: "yes" }, { accepted: null }],
  ];
  const read = (value: object) => {
    const folder = newFolder();
    writeFileSync(join(folder, "rules.json"), JSON.stringify(value));
    return () => readRules(folder);
  };

  expect(read([rule])()).toEqual([rule]);
  expect(read(rule)).toThrow("no list of rules");
  for (const one of broken) expect(read([rule, { ...rule, ...one }])).toThrow("no list of rules");
});
