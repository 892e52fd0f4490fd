import { afterEach, expect, it } from "vitest";
import type { Policy, PolicyValue } from "../../../src/contract/policyTree.ts";
import { LiveUnavailable } from "../../../src/edges/errors.ts";
import { ollamaHost } from "../../../src/edges/live/hostOption.ts";
import { preflight } from "../../../src/edges/live/liveServer.ts";
import { identityOf } from "../../../src/edges/live/liveSetup.ts";
import { modelNames } from "../../../src/edges/live/modelName.ts";
import { millionsOf } from "../../../src/machines/livePolicy.ts";
import { liveTierOf, policyWith } from "../../builtIn.ts";
import { type FaultName, type Loopback, type LoopbackOptions, loopback } from "./loopbackServer.ts";

const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Look extends LoopbackOptions {
  readonly model?: string;
  readonly tier?: readonly string[];
  readonly embed?: string;
  readonly set?: { readonly [path: string]: PolicyValue };
  readonly host?: string;
  readonly fetch?: typeof fetch;
}

async function look({ model = "ollama:tiny", tier = [], embed, set = {}, ...given }: Look) {
  const { host, fetch: ask = fetch, ...options } = given;
  const server = await loopback(options);
  servers.push(server);
  return preflight({
    server: { host: host ?? server.host, fetch: ask },
    names: modelNames({ model, tier, embed }),
    policy: policyWith(set).live,
    warm: true,
  });
}

async function refusal(options: Look): Promise<string> {
  const error = await look(options).catch((thrown: unknown) => thrown);
  if (!(error instanceof LiveUnavailable)) throw error;
  expect(error.exitCode).toBe(2);
  return error.message.replaceAll(/http:\/\/127.0.0.1:\d+/g, "HOST");
}

it("[LV10] [LV12] what is there is described by its server, for the manifest, and loaded", async () => {
  const loaded: string[] = [];
  const setup = await look({
    fetch: (url, init) => {
      if (String(url).endsWith("/api/chat")) loaded.push(JSON.parse(String(init?.body)).model);
      return fetch(url, init);
    },
    embed: "ollama:nomic-embed-text",
    tier: ["wise=ollama:big"],
    models: [
      { name: "tiny:latest", digest: "aa", parameters: "1.5B" },
      {
        name: "big",
        digest: "bb",
        parameters: "36B",
        context: 262_144,
        capabilities: ["thinking"],
      },
      { name: "nomic-embed-text:latest", digest: "cc", parameters: "137M" },
    ],
  });

  expect(loaded.toSorted()).toEqual(["big", "tiny"]);
  const tiny = { name: "tiny", digest: "aa", parameters: "1.5B", contextLength: 32_768 };
  expect(identityOf(setup)).toEqual({
    server: "ollama 0.12.6",
    models: {
      fast: { ...tiny, quantization: "Q4_K_M" },
      middle: { ...tiny, quantization: "Q4_K_M" },
      wise: {
        ...{ name: "big", digest: "bb", parameters: "36B", contextLength: 262_144 },
        quantization: "Q4_K_M",
      },
    },
    embed: {
      ...{ name: "nomic-embed-text", digest: "cc", parameters: "137M", contextLength: 32_768 },
      quantization: "Q4_K_M",
    },
  });
  expect([setup.models.wise.canThink, setup.models.fast.canThink]).toEqual([true, false]);
});

it("[LV10] no server: how to start it, or name another", async () => {
  expect(await refusal({ host: "http://127.0.0.1:9" })).toMatch(
    /^--host: found no answer at HOST: .*\nStart it with `ollama serve`, or name another with --host/,
  );
});

/** As quick as a test may be. */
const quick = { "live.backoffMs": 1 };

it.each<[FaultName, number]>([
  ["server", 0],
  ["reset", 0],
  ["busy", 1],
  ["proxy", 2],
  ["reset", 3],
  ["server", 3],
])(
  "[LV21] one %s at question %i is tried again before it is a reason to stop",
  async (fault, at) => {
    const setup = await look({
      set: quick,
      lookScript: (nth) => (nth === at ? fault : undefined),
    });

    expect(setup.version).toBe("ollama 0.12.6");
    expect(servers.at(-1)?.looks).toBe(5);
  },
);

it("[LV21] it is tried as often as the policy says, and whether anybody listens only once", async () => {
  const set = { ...quick, "live.retries": 3 };
  await refusal({ set, lookScript: () => "server" });
  expect(servers.at(-1)?.looks).toBe(4);

  await refusal({ set: { ...quick, "live.retries": 0 }, lookScript: () => "reset" });
  expect(servers.at(-1)?.looks).toBe(1);

  await refusal({ set, lookScript: () => "garbage" });
  expect(servers.at(-1)?.looks).toBe(1);
});

it.each<[FaultName, number, RegExp]>([
  [
    "server",
    0,
    /^--host: found an error of the server at HOST: 500: llama-server .*, at the last of 3 tries; allowed: a server that works\nSee what the server itself logs/,
  ],
  ["reset", 0, /^--host: found a connection to HOST that broke: the connection broke/],
  ["busy", 0, /^--host: found a server at HOST that is too busy: 503: server busy/],
  ["proxy", 0, /^--host: found an error of the server at HOST: 502: 502 Bad Gateway/],
  ["memory", 0, /^--host: found an error of the server at HOST: 500: model requires more system/],
  ["garbage", 0, /^--host: found something at HOST that does not answer as Ollama does \(/],
  [
    "memory",
    3,
    /^--model: found tiny does not load \(500: model requires more system memory.*fits/,
  ],
  ["server", 3, /^--host: found an error of the server at HOST: 500: llama-server process has/],
])("[LV10] [LV22] %s at question %i is called what it is", async (fault, from, message) => {
  const lookScript = (nth: number) => (nth >= from ? fault : undefined);

  expect(await refusal({ set: quick, lookScript })).toMatch(message);
});

it("[LV22] a model that takes too long to load is one that does not load", async () => {
  const late: typeof fetch = async (url, init) => {
    if (String(url).endsWith("/api/chat")) throw new DOMException("late", "TimeoutError");
    return fetch(url, init);
  };

  expect(await refusal({ fetch: late })).toMatch(
    /^--model: found tiny does not load \(late\); allowed: a model that is loaded within/,
  );
});

it("[LV22] a port without a server is one where nobody listens", async () => {
  const server = await loopback({});
  await server.close();

  expect(await refusal({ host: server.host })).toMatch(
    /^--host: found no answer at HOST: nobody listens there; allowed: an Ollama server\nStart it with/,
  );
});

it("[LV10] one that does not say its version is no Ollama", async () => {
  const asked = preflight({
    server: { host: "http://box.test", fetch: async () => Response.json({ models: [] }) },
    names: modelNames({ model: "ollama:tiny", tier: [], embed: undefined }),
    policy: policyWith({}).live,
  });

  await expect(asked).rejects.toThrow("as Ollama does (it does not say its version)");
});

it("[LV10] a model that is not there: which are, and which command brings it", async () => {
  expect(await refusal({ model: "ollama:qwen3.5:9b" })).toBe(
    "--model: found no model qwen3.5:9b on that server; allowed: tiny:latest | nomic-embed-text:latest\n" +
      "`ollama pull qwen3.5:9b` brings it.",
  );
  expect(await refusal({ embed: "ollama:mxbai" })).toContain("`ollama pull mxbai` brings it.");
  expect(await refusal({ models: [] })).toContain("none: the server has no model yet");
});

it("[LV10] a context that is too small", async () => {
  expect(await refusal({ models: [{ name: "tiny", context: 4_096 }] })).toBe(
    "--model: found tiny, whose context ends at 4096 tokens; allowed: at least the 8192 of live.contextTokens\n" +
      "Take another model, or ask for less: --set live.contextTokens=4096.",
  );
});

it("[LV10] a context of just as many tokens as are asked for is large enough, one less is not", async () => {
  const models = (context: number) => ({ models: [{ name: "tiny", context }] });

  expect((await look(models(8_192))).models.fast.contextLength).toBe(8_192);
  expect(await refusal(models(8_191))).toContain("ends at 8191 tokens");
});

it("[LV11] a tier with a floor takes no smaller model; the size is the model's own", async () => {
  const set = { "live.floor.wise": 35_000 };
  const models = [
    { name: "tiny", parameters: "9.7B" },
    { name: "big", parameters: "36B" },
  ];

  expect(await refusal({ set, models })).toBe(
    "--tier wise: found tiny, which has 9700 million parameters; allowed: at least the 35000 million of live.floor.wise\n" +
      "Give the wise tier a larger one: --tier wise=ollama:NAME.",
  );
  expect((await look({ set, models, tier: ["wise=ollama:big"] })).models.wise.name).toBe("big");
  expect(await refusal({ set, models: [{ name: "tiny", parameters: "?" }] })).toContain("no known");
  const sized = (parameters: string) => ({ set, models: [{ name: "tiny", parameters }] });
  expect((await look(sized("35B"))).models.wise.name).toBe("tiny");
  expect(await refusal(sized("34999M"))).toContain("has 34999 million");
});

it("[LV11] each purpose is served by the tier that the policy names for it", () => {
  const tiers = { goal: "wise", plan: "fast", judge: "middle", lesson: "wise", chat: "fast" };
  const set = Object.entries(tiers).map(([kind, tier]) => [`live.tier.${kind}`, tier]);
  const purposes = ["goal.choose", "plan", "judge.goal", "judge.threat", "lesson.extract"] as const;
  const all = [...purposes, "judge.identity", "tool.chat"] as const;
  const serving = (policy: Policy) => all.map((purpose) => liveTierOf({ purpose }, policy.live));

  expect(serving(policyWith(Object.fromEntries(set)))).toEqual([
    ...["wise", "fast", "middle", "middle", "wise", "middle", "fast"],
  ]);
  expect(serving(policyWith({}))).toEqual([
    ...["middle", "middle", "fast", "fast", "fast", "fast", "wise"],
  ]);
});

it("[LV11] sizes as Ollama writes them", () => {
  expect(["9.7B", "566.70M", "1T", "350K", "", "B"].map(millionsOf)).toEqual([
    ...[9_700, 566, 1_000_000, 0, 0, 0],
  ]);
});

it.each<[string | undefined, string | undefined, string]>([
  [undefined, undefined, "http://127.0.0.1:11434"],
  [undefined, "0.0.0.0", "http://127.0.0.1:11434"],
  [undefined, ":8080", "http://127.0.0.1:8080"],
  [undefined, "box:1", "http://box:1"],
  ["box", "other", "http://box:11434"],
  ["https://box/llm/", undefined, "https://box/llm"],
  ["http://[::1]:11434", undefined, "http://[::1]:11434"],
])("[LV10] --host %s and OLLAMA_HOST %s mean %s", (given, env, host) => {
  expect(ollamaHost(given, { OLLAMA_HOST: env })).toBe(host);
});

it.each(["http://ann:pw@box", "ftp://box", "http://", "a b"])("[LV10] %s is no address", (host) => {
  expect(() => ollamaHost(host, {})).toThrow(/--host: found .*allowed: an address such as/);
});

it.each<[string, readonly string[], string | undefined, RegExp]>([
  ["qwen", [], undefined, /--model: found "qwen"; allowed: ollama:NAME or openai:NAME/],
  ["ollama:", [], undefined, /--model/],
  ["ollama:a b", [], undefined, /--model/],
  ["ollama:a", ["mid=ollama:b"], undefined, /--tier: found .*Did you mean "middle"|--tier: found/],
  ["ollama:a", ["fast"], undefined, /--tier/],
  ["ollama:a", [], "nomic", /--embed/],
])("[LV11] %s %j %s names no model", (model, tier, embed, message) => {
  expect(() => modelNames({ model, tier, embed })).toThrow(message);
});
