// Agents of examples/agents that are cheap to install, really run: recorded before a scripted server, and again without one. All of
// them: `npm run agents`.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AGENTS, installed, tried, triedMcp } from "./exampleAgents.ts";
import { type ScriptedApis, scriptedApis } from "./scriptedApis.ts";

let apis: ScriptedApis;
beforeAll(async () => {
  apis = await scriptedApis();
});
afterAll(() => apis.close());

/** In CI npm and PyPI are there: that one of these cannot be had is then a failure. */
function had(name: string) {
  const agent = installed(name);
  if (agent === undefined && process.env["CI"]) throw new Error(`${name} cannot be had`);
  if (agent === undefined) console.warn(`${name} cannot be had here: it was not run`);
  return agent;
}

it.each(["openai-python", "openai-node", "anthropic-node"])(
  "[WR18] %s goes through the gateway as it is, and again without a server",
  async (name) => {
    const agent = had(name);
    if (agent === undefined) return;
    const { recorded, rerun, events } = await tried(agent, apis);

    expect([recorded.code, rerun.code], recorded.stderr + rerun.stdout + rerun.stderr).toEqual([
      0, 0,
    ]);
    expect(recorded.stdout).toContain("Done: hello stands in out.txt.");
    expect(rerun.stdout).toContain("answered  2 of 2 recorded calls");
    expect(events).toContain("called write_file with");
  },
);

it("[WR18] mcp-node speaks to its server through `mcp`, and is told nothing where that was asked for", async () => {
  const agent = had("mcp-node");
  if (agent === undefined) return;
  const [whole, hollow] = [
    await triedMcp(agent, []),
    await triedMcp(agent, ["nothing@write_file"]),
  ];

  expect([whole.said, hollow.said]).toEqual(["Done.\n", "It returned nothing.\n"]);
  expect(hollow.events).toContain("The log notes fault");
});

it("each example is of at most 60 lines, and locked", () => {
  for (const name of AGENTS) {
    const folder = `examples/agents/${name}`;
    const files = readdirSync(folder).filter((file) => /\.(py|mjs)$/.test(file));
    const lines = files.flatMap((file) =>
      readFileSync(`${folder}/${file}`, "utf8").trimEnd().split("\n"),
    );
    expect([name, lines.length <= 60]).toEqual([name, true]);
    const lock =
      readdirSync(folder).find((file) => /^(package-lock\.json|requirements\.lock)$/.test(file)) ??
      "";
    expect(statSync(`${folder}/${lock}`).size).toBeGreaterThan(100);
  }
  expect(AGENTS).toHaveLength(10);
});
