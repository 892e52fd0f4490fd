// An agent, its model and its servers of tools as programs: recorded in one log, run again without a server, and ended at any time.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readExchanges } from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import { program, type Said, saidBy, started } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";
import { type HttpToolServer, httpToolServer } from "./httpToolServer.ts";
import { type ScriptedModel, scriptedModel } from "./scriptedModel.ts";

const wire = resolve("test/actors/imported/wire");
const cwd = newFolder();
const node = process.execPath;
const agent = [node, join(wire, "toolAgent.mjs")];
const standIn = [node, program, "mcp", "--", node, join(wire, "payServer.mjs")];
const paid = join(cwd, "paid");
let model: ScriptedModel;
let tools: HttpToolServer;
beforeAll(async () => {
  [model, tools] = await Promise.all([scriptedModel(2), httpToolServer()]);
});
afterAll(() => {
  model.close();
  tools.close();
});

const run = (words: readonly string[], mode = ""): Promise<Said> =>
  saidBy(words, { cwd, env: { ...process.env, PAID: paid, TOOL_AGENT: mode } });
const payments = (): number =>
  existsSync(paid) ? readFileSync(paid, "utf8").trim().split("\n").length : 0;

it("[WR30, WR31, WR32, WR42] one bundle tells calls of models and tools, and a rerun needs no server", async () => {
  // As the official SDKs start a server: with few variables.
  const mode = process.platform === "linux" ? "bare" : "";
  const words = ["record", "--out", "one", "--openai", model.base, "--", ...agent, ...standIn];
  const told = await run(words, mode);
  const before = payments();
  const started = () => readFileSync(`${paid}.started`, { encoding: "utf8", flag: "a+" }).length;
  const startedBefore = started();
  const rerun = (...more: readonly string[]) => [
    "rerun",
    "one",
    ...more,
    "--",
    ...agent,
    ...standIn,
  ];
  const [again, other] = await Promise.all([run(rerun(), mode), run(rerun(), "other")]);
  const after = payments();
  expect(started()).toBe(startedBefore);
  const live = await run(rerun("--then", "live", "--out", "live", "--openai", model.base), "other");

  expect(told.code).toBe(0);
  expect(told.stdout).toMatch(/^servers {3}payServer-[0-9a-f]{8}; calls there: pay 2$/m);
  expect(readFileSync(join(cwd, "one/report.md"), "utf8")).toContain("pay is done");
  expect([again.code, after - before]).toEqual([0, 0]);
  expect(again.stdout).toContain("answered  7 of 7 recorded calls, 4 of them to servers of tools");
  expect(again.stdout).toMatch(/^spared {4}2 calls of tools, answered and not made: pay 2$/m);
  expect(again.stderr).toContain(
    "The gateway answers for its models and for servers of tools (look, pay)",
  );
  expect(other.code).toBe(3);
  expect(other.stderr).toMatch(
    /tools\/call\) is not in the recording[\s\S]*params\.arguments\.amount/,
  );
  // Live, servers of tools run from the start, and are recorded.
  expect([live.code, payments() - after]).toEqual([0, 2]);
  expect(started()).toBeGreaterThan(startedBefore);
  expect(readExchanges(join(cwd, "live/exchanges.jsonl")).messages.length).toBeGreaterThan(8);
});

it("[CL7] without a reader a recording is whole, a rerun ends as it would, and no stand-in says a word of it", async () => {
  // What the agent itself prints is its own: a reader that leaves ends it as it does elsewhere.
  const words = ["--", "sh", "-c", '"$0" "$@" > nowhere', ...agent, ...standIn];
  const silent = async (...all: readonly string[]) => {
    const child = started([...all, ...words], { cwd });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (piece) => (stderr += piece));
    const code = await new Promise((done) => child.once("close", done));
    return { code, stderr };
  };
  const told = await silent("record", "--out", "unread", "--openai", model.base);
  const again = await silent("rerun", "unread");

  expect([told.code, again.code]).toEqual([0, 0]);
  expect(readFileSync(join(cwd, "unread/report.md"), "utf8")).toContain("pay is done");
  expect(told.stderr + again.stderr).not.toMatch(/no longer|bug|not kept/);
});

it("[WR33] a gateway that is killed leaves whole lines, and the agent goes on", async () => {
  const words = ["record", "--out", "dead", "--openai", model.base, "--"];
  const child = spawn(node, [program, ...words, ...agent, ...standIn], {
    ...{ cwd, env: { ...process.env, TOOL_AGENT: "slow" } },
  });
  const file = join(cwd, "dead/exchanges.jsonl");
  const closed = new Promise<string>((done) => {
    let said = "";
    child.stdout.on("data", (piece) => (said += piece)).once("close", () => done(said));
  });
  while (!existsSync(file) || !readFileSync(file, "utf8").includes("tools/call"))
    await setTimeout(20);
  child.kill("SIGKILL");
  const said = await closed;
  const { messages } = readExchanges(file);

  expect(said).toContain("heard the second result");
  expect(messages.filter(({ message }) => JSON.stringify(message).includes("pay"))).not.toEqual([]);
});

it("[WR45] that a server asks to sign in is told once, with what is supported", async () => {
  const child = started(["mcp", "--url", tools.url.href, "--out", "shut"], { cwd });
  let [address, stderr] = ["", ""];
  child.stderr.on("data", (piece) => (stderr += piece));
  child.stdout.on("data", (piece) => (address += piece));
  const ended = new Promise((done) => child.once("close", done));
  while (!address.includes("\n")) await setTimeout(20);
  const call = { method: "tools/call", params: { name: "shut", arguments: {} } };
  const statuses: number[] = [];
  for (const id of [1, 2]) {
    const body = JSON.stringify({ jsonrpc: "2.0", id, ...call });
    const headers = { accept: "application/json, text/event-stream" };
    statuses.push((await fetch(address.trim(), { method: "POST", headers, body })).status);
  }
  child.kill("SIGINT");
  await ended;

  expect(statuses).toEqual([401, 401]);
  expect(stderr.match(/asks the agent to sign in \(401\)/g)).toHaveLength(1);
  expect(stderr).toContain(
    "An Authorization header of the agent's goes through and is never kept.",
  );
  expect(stderr).toContain("Signing in by OAuth is not supported");
});

it("[WR23, WR34] over HTTP, the address is what is printed, and the log is the gateway's", async () => {
  const url = tools.url.href;
  writeFileSync(
    join(cwd, "agent.sh"),
    `"${node}" "${program}" mcp --url '${url}' > address &
while [ ! -s address ]; do sleep 0.05; done
"${node}" "${join(wire, "toolAgent.mjs")}" "$(cat address)"
`,
  );
  const words = ["--out", "http", "--openai", model.base, "--", "sh", "agent.sh"];
  const told = await run(["record", ...words]);
  writeFileSync(join(cwd, "address"), "");
  tools.close();
  const again = await run(["rerun", "http", "--", "sh", "agent.sh"]);

  expect(told.stdout).toMatch(/^servers {3}127\.0\.0\.1-[0-9a-f]{8}; calls there: pay 2$/m);
  expect([told.code, again.code]).toEqual([0, 0]);
  // What goes through a stand-in is recorded.
  expect(told.stdout).not.toContain("past it");
  expect(again.stdout).toContain("answered  7 of 7 recorded calls");
});
