// Who answers command lines in random worlds.

import { expect, it } from "vitest";
import { standInShell } from "../../src/actors/agents/properties/promises.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { tryWorld } from "../../src/run/check/check.ts";
import type { PortRequest } from "../../src/substrate/port.ts";
import { randomWorlds, worldsNear } from "../builtInPromises.ts";
import { loadScenario } from "../builtInScenarios.ts";

const asking = (command: string, nth = 1): PortRequest<"shell.run"> => ({
  ...{ port: "port/shell.run", from: "engine", purpose: "command", nth, seq: 1, nowMs: 0 },
  request: "",
  event: {
    ...{ type: "shell.run", purpose: "command", agent: "cedar", command },
    ...{ cwd: "/agentOS/workspace/cedar", files: { "/agentOS/a": "x" } },
    ...{ mtimesMs: { "/agentOS/a": 0 }, limitMs: 30_000 },
  },
});
const answered = (command: string, nth = 1) => standInShell(7).answer(asking(command, nth));

it("[SH14] a stand-in knows echo and cat, and says so of anything else", () => {
  const path = "/agentOS/workspace/cedar/p.md";

  expect(answered("echo a b").event).toMatchObject({ exitCode: 0, stdout: "a b\n" });
  expect(answered("echo a b > p.md").event).toMatchObject({
    changed: { [path]: "a b\n" },
    created: [path],
  });
  expect(answered("echo a > /agentOS/a").event).toMatchObject({
    changed: { "/agentOS/a": "a\n" },
    created: [],
  });
  expect(answered("cat /agentOS/a").event).toMatchObject({
    exitCode: 0,
    stdout: "x",
    reads: ["/agentOS/a"],
  });
  expect(answered("cat __proto__").event).toMatchObject({ exitCode: 1 });
  expect(answered("ls").event).toMatchObject({
    ...{ exitCode: 127, stderr: "sh: a stand-in knows echo and cat only: ls" },
  });
  expect(answered("echo a", 2).latencyMs).not.toBe(answered("echo a").latencyMs);
});

it("[SH14] near a scenario a command line is put to the shell", () => {
  const { scenario, text } = loadScenario("crisis-and-locks");
  const put: string[] = [];
  const shell = {
    ...lazyShell(),
    run: ({ command }: { readonly command: string }) =>
      new Promise<never>(() => {
        put.push(command);
      }),
  };
  const sandbox = lazySandbox({ kind: "pyodide" });
  const ports = [worldsNear(scenario.name, text, {}, sandbox, shell), randomWorlds({})].map(
    (worlds) => worlds.stage(scenario).ports["port/shell.run"],
  );

  expect(ports.map((port) => port?.answer(asking("ls")) === null)).toEqual([true, false]);
  expect(put).toEqual(["ls"]);
});

it("[SH14] random worlds give command lines to it, and count them", async () => {
  const worlds = randomWorlds({});
  const seeds = Array.from({ length: 25 }, (_, index) => index + 1);
  const tried = await Promise.all(seeds.map((seed) => tryWorld(worlds, seed, [])));

  expect(worlds.python).toBe("stand-in");
  expect(tried.reduce((sum, { shellCalls }) => sum + shellCalls, 0)).toBeGreaterThan(0);
});
