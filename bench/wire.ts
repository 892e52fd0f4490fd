/** `npm run bench:wire`: exchanges a second through the gateway of `record`, what it adds to a call, and its memory. */
import "../src/edges/bundle/nodeSha256.ts";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { CallCounter } from "../src/actors/imported/edge/commands/agentText.ts";
import { ExchangeWriter, exchangesIn } from "../src/actors/imported/edge/wire/exchangeLog.ts";
import { openGateway } from "../src/actors/imported/edge/wire/gateway.ts";
import { Recorder } from "../src/actors/imported/edge/wire/recorder.ts";
import { WireFaults } from "../src/actors/imported/edge/wire/wireFaults.ts";

const EXCHANGES = Number(process.argv[2] ?? 20_000);
const AT_ONCE = 16;
const BIG_MB = 100;
const TURNS = 1_000;
const TURN_CHARS = 3_500;

const answer = JSON.stringify({
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: "Done. ".repeat(40) } }],
});
const server = createServer((asked, reply) => {
  asked.resume().once("end", () => {
    reply.writeHead(200, { "content-type": "application/json" });
    reply.end(answer);
  });
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
const direct = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

const ask = (base: string, body: string): Promise<void> =>
  new Promise((done, failed) => {
    const asked = request(`${base}/chat/completions`, { method: "POST", agent }, (reply) => {
      reply.resume().once("end", done);
    });
    asked.once("error", failed).end(body);
  });
const bodyOf = (words: string): string =>
  JSON.stringify({ model: "m", messages: [{ role: "user", content: words }] });

/** No message is said twice: `from` numbers them. */
async function many(base: string, count: number, from = 0): Promise<number> {
  const startMs = performance.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await ask(base, bodyOf(`Pay ${from + next}. ${"word ".repeat(200)}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return performance.now() - startMs;
}

async function alone(base: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 300; n += 1) {
    const startMs = performance.now();
    await ask(base, bodyOf(`Pay ${n}.`));
    times.push(performance.now() - startMs);
  }
  return times.sort((a, b) => a - b)[150] ?? 0;
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** A conversation that each request repeats: ms of processor time for each of its last ten turns. */
async function long(base: string, turns: number): Promise<number> {
  const messages: object[] = [];
  let startMs = 0;
  for (let turn = 1; turn <= turns; turn += 1) {
    if (turn === turns - 9) startMs = processorMs();
    messages.push({ role: "user", content: `Turn ${turn}. ${"word ".repeat(TURN_CHARS / 5)}` });
    await ask(base, JSON.stringify({ model: "m", messages }));
    messages.push({ role: "assistant", content: "Done." });
  }
  return (processorMs() - startMs) / 10;
}

const folder = mkdtempSync(join(tmpdir(), "ghostlight-wire-"));
const counter = new CallCounter();
const writer = new ExchangeWriter(exchangesIn(folder), (kept) => counter.add(kept));
const upstreams = { openai: direct, anthropic: direct, ollama: direct };
const recorder = new Recorder({ upstreams, writer, faults: new WireFaults([], 0) });
const gateway = await openGateway(0, recorder);
const base = gateway.base("openai");
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const collected = (): NodeJS.MemoryUsage => {
  collect();
  return process.memoryUsage();
};
const mb = (): number => Math.round(process.memoryUsage().rss / 2 ** 20);

await many(base, 500);
const added = (await alone(base)) - (await alone(direct));
console.log(`one call takes ${added.toFixed(2)} ms more (median of 300)`);
const PARTS = 20;
const part = EXCHANGES / PARTS;
for (let done = part; done <= EXCHANGES; done += part) {
  const ms = await many(base, part, done);
  const { heapUsed } = collected();
  console.log(
    `${done} exchanges: ${Math.round((part * 1_000) / ms)} a second, ${mb()} MB, client and server included; ${(heapUsed / 2 ** 20).toFixed(1)} MB are in use`,
  );
}
const each = (await long(base, TURNS)) - (await long(direct, TURNS));
console.log(
  `the last of ${TURNS} turns of one conversation take ${each.toFixed(1)} ms of processor time more each`,
);
await ask(base, bodyOf("x".repeat(BIG_MB * 2 ** 20)));
console.log(`a body of ${BIG_MB} MB passes: ${mb()} MB`);
await gateway.close();
writer.close();
console.log(
  `${writer.count} lines, ${Math.round(statSync(exchangesIn(folder)).size / 2 ** 20)} MB`,
);
rmSync(folder, { recursive: true });
server.close();
server.closeAllConnections();
agent.destroy();
