// `mcp`: a server of tools behind it, and a client that speaks to it line by line.
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ghostlight } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";

const cwd = newFolder();
const server = resolve("test/actors/imported/wire/toolServer.mjs");
const OPENING = [
  { id: 0, method: "initialize", params: { clientInfo: { name: "clerk" } } },
  { method: "notifications/initialized" },
  { id: 1, method: "tools/list" },
];
const call = (id: number, path: string, more: object = {}, name = "write_file") => ({
  ...{ id, method: "tools/call" },
  params: { name, arguments: { path, ...more } },
});

interface Told {
  readonly code: number | null;
  /** What the client got, message by message. */
  readonly got: readonly {
    readonly id: number;
    readonly result: { readonly [name: string]: unknown };
  }[];
  /** As it came. */
  readonly lines: readonly string[];
  readonly stderr: string;
}

/** Not as JSON.stringify spaces it: what is passed on as it is stays so. */
const spaced = (message: object): string =>
  JSON.stringify({ jsonrpc: "2.0", ...message }).replace(":", " : ");

/** A client that says these, and leaves. */
function spoken(
  out: string,
  options: readonly string[],
  messages: readonly object[],
): Promise<Told> {
  const words = ["mcp", "--out", out, ...options, "--", process.execPath, server];
  const child = spawn(process.execPath, [resolve("src/cli/main.ts"), ...words], { cwd });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (piece) => (stdout += piece));
  child.stderr.on("data", (piece) => (stderr += piece));
  child.stdin.end(messages.map((one) => `${spaced(one)}\n`).join(""));
  return new Promise((done) => {
    child.once("close", (code) => {
      const lines = stdout.split("\n").filter((line) => line !== "");
      done({ code, stderr, lines, got: lines.map((line) => JSON.parse(line)) });
    });
  });
}
const whole = (text: string, bytes = text.length) => ({
  content: [{ type: "text", text }],
  structuredContent: { said: text, bytes, isNew: true, parts: [text] },
});
const resultsIn = ({ got }: Told) => got.filter(({ id }) => id > 1).map(({ result }) => result);

describe("a conversation without faults", () => {
  let told: Told;
  beforeAll(async () => {
    told = await spoken("whole", [], [...OPENING, call(2, "a", { password: "hunter22" })]);
  });

  it("[WR21] passes every message on as it is", () => {
    expect(told.code).toBe(0);
    expect(told.got.map(({ id }) => id)).toEqual([0, 1, 2]);
    expect(resultsIn(told)).toEqual([whole("wrote a and more")]);
    expect(told.got[0]?.result["instructions"]).toBe(spaced(OPENING[0] ?? {}));
    expect(told.lines.map((line) => line.slice(0, 12))).toEqual(Array(3).fill('{"jsonrpc" :'));
    expect(told.stderr).toContain("Calls of tools: write_file 1; 0 results met a fault.");
  });

  it("[WR21] is kept as a log that import reads, for its owner and without secrets", async () => {
    const { stdout } = await ghostlight(["events", "whole"], { cwd });
    const kept = readFileSync(join(cwd, "whole/messages.jsonl"), "utf8");

    expect(stdout).toContain("clerk called write_file with");
    expect(stdout).toContain('The tool write_file was offered: "Writes a file."');
    expect(kept).not.toContain("hunter22");
    expect(statSync(join(cwd, "whole/messages.jsonl")).mode & 0o777).toBe(0o600);
  });
});

describe("a conversation with faults", () => {
  let told: Told;
  beforeAll(async () => {
    const faults = ["nothing@a", "truncated@b", "told-as-error@c", "stale@d"];
    const calls = ["a", "b", "c", "d"].map((tool, at) => call(2 + at, "x", {}, tool));
    told = await spoken(
      "faulty",
      faults.flatMap((one) => ["--fault", one]),
      [...OPENING, ...calls, call(9, "longer", {}, "d")],
    );
  });

  it("[WR22] keeps the shape that the tool's schema demands", () => {
    expect(resultsIn(told)).toEqual([
      { content: [], structuredContent: { said: "", bytes: 0, isNew: false, parts: [] } },
      whole("wrote x ", 16),
      {
        content: [{ type: "text", text: "Error: the operation failed: permission denied" }],
        isError: true,
      },
      // It had none before.
      whole("wrote x and more"),
      whole("wrote x and more"),
    ]);
    expect(told.stderr).toContain("4 results met a fault");
  });

  it("[WR22] is told in the log as the client got it, behind the fault and what stood there", async () => {
    const { stdout } = await ghostlight(["events", "faulty"], { cwd });

    expect(stdout).toMatch(
      /the fault \w+ was put at .*wrote x and more[\s\S]*a returned to clerk {"said":"","bytes":0,"isNew":false,"parts":\[\]}/,
    );
  });
});

describe("a server that offers what it should not", () => {
  let told: Told;
  beforeAll(async () => {
    const faults = ["--fault", "ghost@pay", "--fault", "takes-all@write_file"];
    told = await spoken("ghosts", faults, [...OPENING, call(2, "a"), call(3, "a", {}, "pay")]);
  });

  it("[WR15] lists a tool without code, calls of which return nothing and reach no server", () => {
    const results = new Map(told.got.map(({ id, result }) => [id, result]));

    expect(results.get(1)).toMatchObject({
      tools: [
        { name: "write_file", description: expect.stringContaining("for every request") },
        { name: "pay" },
      ],
    });
    expect(results.get(3)).toEqual({ content: [] });
    expect(results.get(2)).toEqual(whole("wrote a and more"));
    // The list and the call.
    expect(told.stderr).toContain("2 results met a fault");
  });

  it("[WR15] is told in the log, behind the fault", async () => {
    const { stdout } = await ghostlight(["events", "ghosts"], { cwd });

    expect(stdout).toMatch(/the fault ghost was put at pay.*\n.*pay returned an empty list/);
    expect(stdout).toMatch(
      /the fault takes-all was put at write_file .*\n.*write_file was offered: "Use this/,
    );
  });
});

it("[WR23] a server that dies is told, and what came before it stays", async () => {
  const told = await spoken("dead", [], [...OPENING, call(2, "a"), call(3, "die")]);

  expect(told.code).toBe(1);
  expect(resultsIn(told)).toHaveLength(1);
  expect(told.stderr).toContain("write_file 2");
});

it.each<[string, readonly string[], RegExp]>([
  ["no command", [], /found no command/],
  [
    "a fault of models",
    ["--fault", "overloaded", "--", "true"],
    /a fault at the result of a tool, or at what a server offers/,
  ],
  ["no such program", ["--", "no-such-program"], /no such program/],
  ["an address and a command", ["--url", "http://h/mcp", "--", "true"], /a command and --url/],
  ["an address that is none", ["--url", "ftp://h/mcp"], /an address, such as https:/],
  ["a port without an address", ["--listen", "8080", "--", "true"], /found no --url/],
])("[WR4] %s is bad usage", async (_, words, says) => {
  const { code, stderr } = await ghostlight(["mcp", ...words], { cwd });

  expect(code).toBe(2);
  expect(stderr).toMatch(says);
});

it("[WR23] a server that ends while its client speaks is no bug of ours", async () => {
  const words = ["mcp", "--out", "gone", "--", process.execPath, "-e", "process.exit(4)"];
  const child = spawn(process.execPath, [resolve("src/cli/main.ts"), ...words], { cwd });
  let stderr = "";
  child.stderr.on("data", (piece) => (stderr += piece));
  child.stdin.on("error", () => {});
  // Without an end: it waits for an answer.
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize" })}\n`);
  const code = await new Promise((done) => child.once("close", done));

  expect([code, stderr.includes("bug")]).toEqual([1, false]);
});

it("[WR23] a client that says nothing leaves nothing that looks like a recording", async () => {
  const told = await spoken("silent", [], []);

  expect(told.code).toBe(1);
  expect(told.stderr).toContain("No message came through");
});
