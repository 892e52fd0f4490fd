import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { allowedFor } from "../../src/edges/scenario/leafValue.ts";
import { listScenarios } from "../../src/edges/scenario/scenarioFolder.ts";
import { withReference } from "../../src/edges/scenario/schemaReference.ts";
import { servicesOf, statechartsOf } from "../../src/run/cast.ts";
import { metricNames, metricTable, policyLeaves, policyWith } from "../builtIn.ts";
import { loadScenario } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

const cwd = newFolder();

describe.concurrent("what there is", () => {
  it("[CL10] scenarios with their variants, in words and as JSON", async () => {
    const [words, { scenarios, metrics }] = await Promise.all([
      ghostlight(["scenarios"]),
      json(["scenarios"]),
    ]);

    for (const { name, why, variants } of scenarios) {
      expect(words.stdout).toContain(`${name}\n  ${why}\n`);
      for (const variant of variants) expect(words.stdout).toContain(`  --variant ${variant}: `);
    }
    const incident = scenarios.find(({ name }: { name: string }) => name === "safe-file-executor");
    expect(incident).toMatchObject({ why: expect.any(String) });
    expect(incident.variants).toContain("no-ghost");
    expect(scenarios.map(({ name }: { name: string }) => name)).toEqual(
      listScenarios().map(({ name }) => name),
    );
    expect(Object.keys(metrics)).toEqual(metricNames);
  });

  it.each(["schema.yaml", "deep/er/schema.yaml", "with blanks/schema.yaml"])(
    "[CL21] the copy %s leads an editor to the schema from where it lies",
    async (name) => {
      const file = join(cwd, name);
      mkdirSync(dirname(file), { recursive: true });

      await ghostlight(["scenarios", "--copy", "null-stub", name], { cwd });

      const [line = "", ...rest] = readFileSync(file, "utf8").split("\n");
      const [, reference = ""] = /^# yaml-language-server: \$schema=(\S+)$/.exec(line) ?? [];
      const schema = new URL(reference, pathToFileURL(file));
      expect(readFileSync(schema, "utf8")).toBe(
        readFileSync("scenarios/scenario.schema.json", "utf8"),
      );
      const [, ...whole] = readFileSync("scenarios/null-stub.yaml", "utf8").split("\n");
      expect(rest).toEqual(whole);
    },
  );

  it("[CL21] a scenario without such a line gets one, and a path with blanks is a URL", () => {
    expect(withReference("why: w\n", "mine.yaml")).toBe(
      "# yaml-language-server: $schema=./scenarios/scenario.schema.json\nwhy: w\n",
    );
    expect(withReference("why: w\n", "scenarios/mine.yaml")).toContain("=./scenario.schema.json\n");
    const below =
      "# mine\n# yaml-language-server: $schema=x\nwhy: |\n  # yaml-language-server: $schema=x\n";
    expect(withReference(below, "scenarios/mine.yaml")).toBe(
      below.replace("$schema=x", "$schema=./scenario.schema.json"),
    );
    expect(withReference("", "/a/mine.yaml", "/with blanks/schema.json")).toBe(
      "# yaml-language-server: $schema=file:///with%20blanks/schema.json\n",
    );
  });

  it("[CL20] metrics prints the whole table, or the part that is asked for", async () => {
    const [all, part, some] = await Promise.all([
      ghostlight(["metrics"]),
      ghostlight(["metrics", "goals."]),
      json(["metrics", "window"]),
    ]);

    for (const name of metricNames) {
      const { unit, perAgent, says } = metricTable[name];
      const [row = ""] = all.stdout.split("\n").filter((line) => line.startsWith(`| ${name} `));
      expect(row.split("|").map((cell) => cell.trim())).toEqual([
        ...["", name, unit, perAgent ? "the world, each agent" : "the world", says, ""],
      ]);
    }
    const goals = metricNames.filter((name) => name.startsWith("goals."));
    expect(part.stdout.trim().split("\n")).toHaveLength(2 + goals.length);
    expect(some).toEqual({ metrics: { "window.failed": metricTable["window.failed"] } });
  });

  it("[CL10] a copied scenario is the same world, and runs by its path", async () => {
    const copied = await ghostlight(["scenarios", "--copy", "safe-file-executor", "mine.yaml"], {
      cwd,
    });

    expect(copied).toMatchObject({ code: 0, stdout: expect.stringContaining("run ./mine.yaml") });
    expect(loadScenario(join(cwd, "mine.yaml")).scenario).toEqual({
      ...loadScenario("safe-file-executor").scenario,
      name: "mine",
    });
    const args = ["run", "./mine.yaml", "--until", "1m", "--no-log"];
    const { scenario, bundle } = await json(args, { cwd });
    expect({ scenario, bundle }).toEqual({ scenario: "mine", bundle: "runs/mine-s7-1" });
    const report = readFileSync(join(cwd, bundle, "report.md"), "utf8");
    expect(report).toContain("npx ghostlight run ./mine.yaml --variant ");
  });

  it("[CL10] --dry-run names file, line and path of what is wrong, and writes nothing", async () => {
    const text = readFileSync("scenarios/safe-file-executor.yaml", "utf8");
    writeFileSync(join(cwd, "wrong.yaml"), text.replace("at: 30m\n", "at: soon\n"));

    const [wrong, right] = await Promise.all([
      ghostlight(["run", "wrong.yaml", "--dry-run"], { cwd }),
      ghostlight(["run", "safe-file-executor", "--dry-run"], { cwd: newFolder() }),
    ]);

    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toMatch(/^wrong\.yaml:\d+:\d+ events\[0\]\.at: found "soon"; allowed: /);
    expect(right).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing was run.") });
  });

  it("[CL10] policy prints every leaf with default, bounds, meaning and source", async () => {
    const [{ stdout }, part, { policy, profiles }] = await Promise.all([
      ghostlight(["policy"]),
      ghostlight(["policy", "ghosts.null"]),
      json(["policy"]),
    ]);

    for (const [path, leaf] of policyLeaves()) {
      const row = stdout.split("\n").find((line) => line.startsWith(`| ${path} `));
      const cells = [String(leaf.default), allowedFor(leaf), leaf.says, leaf.source];
      for (const cell of cells) expect(row).toContain(`| ${cell} `);
    }
    for (const name of Object.keys(profiles)) expect(stdout).toContain(`\nprofile ${name}: `);
    expect(part.stdout.trim().split("\n")).toHaveLength(3);
    expect(Object.keys(policy)).toEqual(policyLeaves().map(([path]) => path));
    expect(policy["ghosts.nullIsFailure"]).toMatchObject({ kind: "flag", default: true });
    expect(Object.keys(profiles)).toEqual(["seed", "real", "strict"]);
  });

  it("[CL10] [KN31] machines, drawn and as JSON", async () => {
    const [all, drawn, service, one] = await Promise.all([
      json(["machines"]),
      ghostlight(["machines", "agent", "--mermaid"]),
      ghostlight(["machines", "engine"]),
      json(["machines", "goal"]),
    ]);

    const policy = policyWith({});
    expect(all.machines.map(({ name }: { name: string }) => name)).toEqual([
      ...Object.keys(statechartsOf(parts, policy)),
      ...Object.keys(servicesOf(parts, policy)),
    ]);
    expect(drawn.stdout).toMatch(/^stateDiagram-v2\n/);
    expect(service.stdout).toContain("engine, a service");
    expect(service.stdout).not.toContain("driven by");
    expect(one).toMatchObject({ kind: "statechart", interpreter: "tables" });
    expect(one).toMatchObject({ kind: "statechart", mermaid: expect.stringContaining("judging") });
  });
});
