// What a gateway bears: thousands of calls at once, clients that leave, servers that never end, and programs that are killed.
import { readFileSync } from "node:fs";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import {
  ExchangeWriter,
  exchangesIn,
  readExchanges,
} from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import { type Gateway, openGateway } from "../../../../src/actors/imported/edge/wire/gateway.ts";
import { Recorder } from "../../../../src/actors/imported/edge/wire/recorder.ts";
import { WireFaults } from "../../../../src/actors/imported/edge/wire/wireFaults.ts";
import { ghostlight } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((done) =>
    server.listen({ port: 0, host: "127.0.0.1", backlog: 16_384 }, done),
  );
  open.push({ close: () => server.close().closeAllConnections() });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function recording(upstream: string): Promise<{ gateway: Gateway; file: string }> {
  const folder = newFolder();
  const writer = new ExchangeWriter(exchangesIn(folder));
  const upstreams = { openai: upstream, anthropic: upstream, ollama: upstream };
  const recorder = new Recorder({ upstreams, writer, faults: new WireFaults([], 0) });
  const gateway = await openGateway(0, recorder);
  open.push(gateway);
  return { gateway, file: exchangesIn(folder) };
}

/** Says what it was asked. */
const echo = (): Server =>
  createServer(async (asked, reply) => {
    let text = "";
    for await (const piece of asked) text += String(piece);
    const [{ content }] = (JSON.parse(text) as { messages: [{ content: string }] }).messages;
    const message = { role: "assistant", content: `You said ${content}` };
    reply.setHeader("content-type", "application/json");
    reply.end(JSON.stringify({ object: "chat.completion", choices: [{ index: 0, message }] }));
  });

const bodyOf = (content: string): string =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content }] });

it("[WR50] ten thousand calls, two thousand at a time, are each answered and kept with their own answer", async () => {
  const { gateway, file } = await recording(await listening(echo()));
  const agent = new Agent({ maxSockets: 2_000 });
  const url = `${gateway.base("openai")}/chat/completions`;
  const ask = (nth: number): Promise<boolean> =>
    new Promise((done, failed) => {
      const asked = request(url, { method: "POST", agent }, async (reply) => {
        let text = "";
        for await (const piece of reply) text += String(piece);
        done(text.includes(`You said number ${nth}"`));
      });
      asked.once("error", failed).end(bodyOf(`number ${nth}`));
    });
  const answered = await Promise.all(Array.from({ length: 10_000 }, (_, nth) => ask(nth)));
  agent.destroy();
  const { exchanges, isCut } = readExchanges(file);
  const said = exchanges.map(({ request: asked, response }) => {
    const [, nth] = /number (\d+)/.exec(JSON.stringify(asked)) ?? [];
    return JSON.stringify(response).includes(`You said number ${nth}"`);
  });

  expect(answered.every(Boolean)).toBe(true);
  expect([said.length, said.every(Boolean), isCut]).toEqual([10_000, true, false]);
});

it("[WR50] a client that leaves ends what its server would never have ended, and what came is kept", async () => {
  let left = 0;
  const endless = createServer((asked, reply) => {
    asked.resume();
    reply.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(
      () => reply.write(`data: {"choices":[{"index":0,"delta":{"content":"on "}}]}\n\n`),
      5,
    );
    reply.once("close", () => {
      clearInterval(timer);
      left += 1;
    });
  });
  const { gateway, file } = await recording(await listening(endless));
  const url = `${gateway.base("openai")}/chat/completions`;
  for (let nth = 0; nth < 3; nth++) {
    const stop = new AbortController();
    const reply = await fetch(url, { method: "POST", body: bodyOf("Go on."), signal: stop.signal });
    await reply.body?.getReader().read();
    stop.abort();
  }
  const kept = () => readExchanges(file).exchanges.map(({ response }) => JSON.stringify(response));
  while (left < 3 || kept().length < 3) await setTimeout(20);

  for (const one of kept()) expect(one).toContain("on ");
});

it("[WR50] of an agent that is killed there is what it had asked, and the exit code says so", async () => {
  const base = await listening(echo());
  const cwd = newFolder();
  const dies = `fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: ${JSON.stringify(bodyOf("Live."))} })
    .then((one) => one.text()).then(() => process.kill(process.pid, "SIGKILL"))`;
  const words = ["record", "--out", "dead", "--openai", base, "--", process.execPath, "-e", dies];
  const { code, stdout } = await ghostlight(words, { cwd });
  const events = await ghostlight(["events", "dead"], { cwd });

  expect(code).toBe(1);
  expect(stdout).toContain("program   was ended by SIGKILL");
  expect(readFileSync(join(cwd, "dead/exchanges.jsonl"), "utf8")).toContain("You said Live.");
  expect(events.stdout).toContain('assistant said: "You said Live."');
});

it("[WR51] agents in one process are logs of their own, though they speak at once and one asks again", async () => {
  const base = await listening(echo());
  const cwd = newFolder();
  const agents = `const ask = (system, user) => fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST",
      body: JSON.stringify({ model: "m", messages: [{ role: "system", content: system }, { role: "user", content: user }] }) }).then((one) => one.text());
    Promise.all([ask("You are ann.", "Write."), ask("You are bob.", "Write."), ask("You are bob.", "Read."), ask("You are ann.", "Write.")])`;
  const words = ["record", "--out", "all", "--openai", base, "--", process.execPath, "-e", agents];
  const { stdout } = await ghostlight(words, { cwd });
  const again = await ghostlight(["rerun", "all", ...words.slice(5)], { cwd });

  expect(stdout).toContain("logs      4 (openai)");
  expect([again.code, again.stdout]).toEqual([
    0,
    expect.stringContaining("answered  4 of 4 recorded calls"),
  ]);
});
