// Who answers command lines in random worlds.

import { expect, it } from "vitest";
import { standInShell } from "../../src/actors/agents/properties/promises.ts";
import { tryWorld } from "../../src/run/check/check.ts";
import { randomWorlds } from "../builtInPromises.ts";

const answered = (command: string, nth = 1) =>
  standInShell(7).answer({
    ...{ port: "port/shell.run", from: "engine", purpose: "command", nth, seq: 1, nowMs: 0 },
    request: "",
    event: {
      ...{ type: "shell.run", purpose: "command", agent: "cedar", command },
      ...{ cwd: "/agentOS/workspace/cedar", files: { "/agentOS/a": "x" } },
      ...{ mtimesMs: { "/agentOS/a": 0 }, limitMs: 30_000 },
    },
  });

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

it("[SH14] random worlds give command lines to it, and count them", async () => {
  const worlds = randomWorlds({});
  const seeds = Array.from({ length: 25 }, (_, index) => index + 1);
  const tried = await Promise.all(seeds.map((seed) => tryWorld(worlds, seed, [])));

  expect(worlds.python).toBe("stand-in");
  expect(tried.reduce((sum, { shellCalls }) => sum + shellCalls, 0)).toBeGreaterThan(0);
});
