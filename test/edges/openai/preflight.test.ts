import { afterEach, expect, it } from "vitest";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import { BadInput, LiveUnavailable } from "../../../src/edges/errors.ts";
import { serverOption } from "../../../src/edges/live/hostOption.ts";
import { preflight } from "../../../src/edges/live/liveServer.ts";
import { identityOf } from "../../../src/edges/live/liveSetup.ts";
import { modelNames } from "../../../src/edges/live/modelName.ts";
import { policyWith } from "../../builtIn.ts";
import {
  type OpenAiFault,
  type OpenAiLoopback,
  type OpenAiOptions,
  openaiLoopback,
} from "./loopbackServer.ts";

const servers: OpenAiLoopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Look extends OpenAiOptions {
  readonly model?: string;
  readonly tier?: readonly string[];
  readonly embed?: string;
  readonly set?: { readonly [path: string]: PolicyValue };
  readonly with?: string;
  readonly host?: string;
}

const notes: string[] = [];

async function look({
  model = "openai:tiny",
  tier = [],
  embed,
  set = {},
  with: key,
  host,
  ...options
}: Look) {
  const server = await openaiLoopback(options);
  servers.push(server);
  notes.length = 0;
  return preflight({
    server: { host: host ?? server.host, key },
    names: modelNames({ model, tier, embed }),
    policy: policyWith({ "live.backoffMs": 1, ...set }).live,
    warm: true,
    onNote: (text) => notes.push(text),
  });
}

async function refusal(options: Look): Promise<string> {
  const error = await look(options).catch((thrown: unknown) => thrown);
  if (!(error instanceof LiveUnavailable)) throw error;
  expect(error.exitCode).toBe(2);
  return error.message.replaceAll(/http:\/\/127.0.0.1:\d+/g, "HOST");
}

const plain = (name: string, parameters: string, digest: string) => ({
  ...{ name, digest, parameters, quantization: "unknown", contextLength: 0 },
});

it("[LM7] a server is known by its models, their builds, and the size that their names give", async () => {
  const setup = await look({
    models: ["tiny", "org/Big-70B-Instruct", "nomic-embed-text"],
    tier: ["wise=openai:org/Big-70B-Instruct"],
    embed: "openai:nomic-embed-text",
    fingerprint: "fp_44709d6fcb",
  });

  expect(identityOf(setup)).toEqual({
    server: "an OpenAI-compatible server",
    models: {
      fast: plain("tiny", "unknown", "fp_44709d6fcb"),
      middle: plain("tiny", "unknown", "fp_44709d6fcb"),
      wise: plain("org/Big-70B-Instruct", "70B", "fp_44709d6fcb"),
    },
    embed: plain("nomic-embed-text", "unknown", ""),
  });
  expect([setup.origin, notes]).toEqual(["live:openai", []]);
});

it("[LM7] vectors come whole, in the order of their texts", async () => {
  const setup = await look({ embed: "openai:nomic-embed-text" });

  const limits = { timeoutMs: 1_000 };
  const both = await setup.embedAll(["a", "b"], limits);

  expect(Object.keys(both)).toEqual(["a", "b"]);
  expect(both["b"]).toEqual((await setup.embedAll(["b"], limits))["b"]);
  expect(both["a"]?.every(Number.isSafeInteger)).toBe(true);
});

it("[LM8] a model that is not listed: which are, and the nearest", async () => {
  expect(await refusal({ model: "openai:tony" })).toBe(
    '--model: found no model "tony" on that server; allowed: tiny | nomic-embed-text. Did you mean "tiny"?\n' +
      "Name one of those: --model openai:NAME.",
  );
  const models = Array.from({ length: 30 }, (_, nth) => `model-${nth}`);
  expect(await refusal({ models })).toContain("model-19 | … 10 more");
  // Also where it is one of those that are not shown.
  expect(await refusal({ models: [...models, "tina"] })).toContain('Did you mean "tina"?');
  expect(await refusal({ models: ["a\u001b[2Jb"] })).not.toContain("\u001b");
});

it("[LM8] a server that lists nothing is taken at its word", async () => {
  const setup = await look({ isListless: true, model: "openai:anything" });

  expect(setup.models.fast.name).toBe("anything");
  expect(notes).toEqual(["This server lists no models; the names are taken as they are."]);
});

it.each<[OpenAiFault, RegExp]>([
  ["server", /^--host: found an error of the server at HOST.*: 500: .*, at the last of 3 tries/],
  ["reset", /^--host: found a connection to HOST\S* that broke/],
  ["busy", /^--host: found a server at HOST\S* that is too busy: 429: Rate limit/],
])("[LM8] %s at the first look is called what it is", async (fault, message) => {
  expect(await refusal({ lookScript: () => fault })).toMatch(message);
});

it("[LM8] a first question that fails is called what it is, whichever model it is put to", async () => {
  const others = { models: ["tiny", "other"], tier: ["wise=openai:other"] };
  const fails = { script: (nth: number) => (nth === 0 ? undefined : ("missing" as const)) };
  expect(await refusal({ ...others, ...fails })).toContain('"other", which answers no question');
  expect(await refusal({ script: () => "missing" })).toMatch(
    /^--model: found "tiny", which answers no question \(404: The model 'tiny' does not exist\)/,
  );
  expect(await refusal({ script: () => "elsewhere" })).toContain("which answers no question (");
  expect(await refusal({ script: () => "html" })).toMatch(/does not answer as OpenAI's chat/);
  expect(await refusal({ host: "http://127.0.0.1:9" })).toMatch(/^--host: found no answer at HOST/);
});

it("[LM6] a key that is missing or wrong: what to set, and never what it was", async () => {
  const key = "correct-horse-battery";
  expect(await refusal({ key })).toMatch(/refuses access: 401.*Set OPENAI_API_KEY to the key/s);

  process.env["OPENAI_API_KEY"] = "wrong-horse-battery";
  const said = await refusal({ key, with: "wrong-horse-battery" });
  delete process.env["OPENAI_API_KEY"];
  expect(said).toMatch(/See whether OPENAI_API_KEY holds the key/);
  expect(said).not.toContain("wrong-horse");
});

it("[LM8] a tier with a floor takes a model whose name says that it is large enough", async () => {
  const set = { "live.floor.wise": 35_000 };
  expect(await refusal({ set })).toContain("--tier wise=openai:NAME");

  const models = ["tiny", "qwen2.5:72b"];
  expect(
    (await look({ set, models, tier: ["wise=openai:qwen2.5:72b"] })).models.wise.parameters,
  ).toBe("72B");
});

it.each<[string | undefined, Record<string, string>, string, string | undefined]>([
  ["127.0.0.1:8000", {}, "http://127.0.0.1:8000/v1", undefined],
  ["http://[::1]:8000/", { OPENAI_API_KEY: "k" }, "http://[::1]:8000/v1", "k"],
  ["https://api.openai.com/v1", { OPENAI_API_KEY: " k\n" }, "https://api.openai.com/v1", "k"],
  [undefined, { OPENAI_BASE_URL: "https://box/llm/v1/" }, "https://box/llm/v1", undefined],
  ["http://box:1", { OPENAI_BASE_URL: "http://other" }, "http://box:1/v1", undefined],
])("[LM9] --host %s with %j means %s", (given, env, host, key) => {
  expect(serverOption("openai", given, env)).toEqual({ host, ...(key !== undefined && { key }) });
});

it.each<[string | undefined, Record<string, string>, RegExp]>([
  [undefined, {}, /found no server for openai:NAME.*--host https:\/\/api.openai.com\/v1/s],
  // A key is no address.
  [undefined, { OPENAI_API_KEY: "k" }, /found no server for openai:NAME/],
  ["http://box:8000", { OPENAI_API_KEY: "k" }, /anybody on the way could read the key/],
  ["http://localhost.evil", { OPENAI_API_KEY: "k" }, /anybody on the way/],
  ["https://box", { OPENAI_API_KEY: "a b" }, /a key that no header can hold/],
  ["https://me:pw@box", {}, /an address with a user name/],
  ["https://box/v1?api-version=1", {}, /an address with a \? or a # in it/],
])("[LM9] --host %s with %j is refused", (given, env, message) => {
  expect(() => serverOption("openai", given, env)).toThrow(message);
  expect(() => serverOption("openai", given, env)).toThrow(BadInput);
});

it("[LM8] a model can be named by its path, as vLLM and llama.cpp list it", () => {
  for (const name of ["/models/qwen.gguf", "../models/qwen.gguf"])
    expect(modelNames({ model: `openai:${name}`, tier: [], embed: undefined })).toMatchObject({
      tiers: { middle: name },
    });
});

it("[LM9] a run asks one kind of server", () => {
  const names = { model: "openai:a", tier: ["fast=ollama:b"], embed: undefined };
  expect(() => modelNames(names)).toThrow(/--tier: found "ollama:b"; allowed: a model of the same/);
});
