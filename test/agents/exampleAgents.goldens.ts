// The agents of examples/agents, really run: recorded before a scripted server, two also before a small model, and again without
// either.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, type TestContext } from "vitest";
import { quotedCommands } from "../cli/quotedCommands.ts";
import { misquoted } from "../cli/readmeTexts.ts";
import { PAGE, sectionOf } from "./agentsPage.ts";
import { AGENTS, inFolder, installed, NOWHERE, tried, triedHollow } from "./exampleAgents.ts";
import { type ScriptedApis, scriptedApis } from "./scriptedApis.ts";
import { smallModel } from "./smallModel.ts";

let apis: ScriptedApis;
beforeAll(async () => {
  apis = await scriptedApis();
});
afterAll(() => apis.close());

/** In CI npm and PyPI are there: that one of these cannot be had is then a failure. Elsewhere the test is skipped, and says so. */
function had<T>(name: string, one: T | undefined, { skip }: TestContext): T {
  if (one !== undefined) return one;
  if (process.env["CI"]) throw new Error(`${name} cannot be had`);
  return skip(`${name} cannot be had here`);
}

it.for(AGENTS)(
  "[WR18] %s goes through the gateway as it is, and again without a server, and prints what docs/recorded-agents.md has: npm run agents",
  async (name, context) => {
    const agent = had(name, installed(name), context);
    const all = await tried(agent, apis.variables);

    expect(
      [all.recorded.code, all.rerun.code],
      all.recorded.stderr + all.rerun.stdout + all.rerun.stderr,
    ).toEqual([0, 0]);
    expect(all.events).toContain("called write_file with");
    expect(readFileSync(PAGE, "utf8")).toContain(sectionOf(agent, all));
    if (name !== "openai-python") return;
    const quoted = quotedCommands("docs/record-your-agent.md");
    for (const [index, { stdout, stderr }] of [all.recorded, all.rerun].entries())
      expect(misquoted(quoted[index]?.lines ?? [""], stderr + stdout)).toEqual([]);
  },
);

it("[WR18] mcp-node is told nothing by its server where that was asked for", async (context) => {
  const agent = had("mcp-node", installed("mcp-node"), context);
  const { said, events } = await triedHollow(agent);

  expect(said).toContain("It returned nothing.\n");
  expect(events).toContain("the fault nothing was put at write_file");
});

it.for(["openai-python", "openai-node"])(
  "[WR5, WR6, WR18] %s before a real model is run again to the byte without it, and not with another task",
  async (name, context) => {
    const agent = had(name, installed(name), context);
    const model = had("the small model", await smallModel(), context);
    await inFolder(agent, model.variables, async ({ cwd, run }) => {
      const known = [...readdirSync(cwd), "runs"];
      /** The files that the agent made, as its model named them, and its own words. */
      const made = () => {
        const names = readdirSync(cwd)
          .filter((file) => !known.includes(file))
          .sort();
        const files = names.map((file) => [file, readFileSync(join(cwd, file), "latin1")]);
        for (const file of names) rmSync(join(cwd, file));
        return files;
      };
      const command = `-- sh -c '${agent.command} > words.txt'`;
      const recorded = await run(`npx ghostlight record --out runs/mine ${command}`);
      model.close();
      const first = made();
      expect([recorded.code, first.length], recorded.stderr).toEqual([0, 2]);

      const rerun = await run(`npx ghostlight rerun runs/mine ${command}`, NOWHERE);
      expect([rerun.code, made()], rerun.stdout).toEqual([0, first]);
      expect(rerun.stdout).toContain("answered  2 of 2 recorded calls");

      const read = await Promise.all(
        ["events", "why", "prompts"].map((verb) => run(`npx ghostlight ${verb} runs/mine`)),
      );
      expect(read.map(({ code }) => code)).toEqual([0, 0, 0]);
      const [path] = first.find(([name]) => name !== "words.txt") ?? [];
      expect(read[0]?.stdout).toContain(`called write_file with {"path":"${path}"`);

      const [, file = ""] = agent.command.split(" ");
      const code = readFileSync(join(cwd, file), "utf8");
      writeFileSync(join(cwd, file), code.replace("Write hello", "Write goodbye"));
      const changed = await run(`npx ghostlight rerun runs/mine ${command}`, NOWHERE);
      expect([changed.code, changed.stderr]).toEqual([
        3,
        expect.stringContaining("Write [-hello-]{+goodbye+} to"),
      ]);
    });
  },
);

it("each example is of at most 60 lines, locked, and on the page", () => {
  const page = readFileSync(PAGE, "utf8");
  for (const name of AGENTS) {
    expect(page).toContain(`## ${name}\n`);
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
