/** The commands that show what there is: scenarios, policy, machines. */
import { constants, copyFileSync } from "node:fs";
import { markdownTable } from "markdown-table";
import { services, statecharts } from "../actors/cast.ts";
import { BadInput, hintFor, OutputRefused, quoted } from "../edges/errors.ts";
import { listScenarios, loadScenario } from "../edges/scenarioFile.ts";
import { mermaidOf } from "../machines/draw.ts";
import { allowedBy, policyLeaves, policyWith, profiles } from "../machines/policy.ts";
import { metricChecks, metricNames, metricTable } from "../metrics.ts";
import type { JsonFlag } from "./bundles.ts";
import { EXIT, print, printJson } from "./output.ts";

export function scenariosCommand(flags: JsonFlag & { copy?: [string, string] }): number {
  if (flags.copy !== undefined) return copyScenario(flags.copy);
  const all = listScenarios().map(({ name, file }) => {
    const { scenario } = loadScenario(file, metricChecks);
    return { name, file, why: scenario.why, variants: scenario.variants };
  });
  if (flags.json) {
    printJson({
      scenarios: all.map((one) => ({ ...one, variants: Object.keys(one.variants) })),
      metrics: metricTable,
    });
    return EXIT.ok;
  }
  for (const { name, why, variants } of all) {
    print(`${name}\n  ${why}`);
    for (const [variant, { why: reason }] of Object.entries(variants)) {
      print(`  --variant ${variant}: ${reason}`);
    }
  }
  return EXIT.ok;
}

function copyScenario([name, file]: [string, string]): number {
  const { file: source } = loadScenario(name, metricChecks);
  try {
    copyFileSync(source, file, constants.COPYFILE_EXCL);
  } catch (error) {
    throw new OutputRefused({
      where: { file },
      found: (error as Error).message,
      allowed: "a new file in a folder that can be written",
      todo: "Name another file.",
    });
  }
  print(`${file} is a copy of ${name}. Next: npx ghostlight run ./${file}`);
  return EXIT.ok;
}

export function policyCommand(filter: string | undefined, flags: JsonFlag): number {
  const leaves = policyLeaves().filter(([path]) => filter === undefined || path.includes(filter));
  if (leaves.length === 0) {
    const paths = policyLeaves().map(([path]) => path);
    throw new BadInput({
      where: {},
      found: `no policy path with ${quoted(filter)}`,
      allowed: "a path or a part of one",
      ...hintFor(filter ?? "", paths),
      todo: "`npx ghostlight policy` prints all of them.",
    });
  }
  if (flags.json) {
    printJson({ policy: Object.fromEntries(leaves), profiles });
    return EXIT.ok;
  }
  const rows = leaves.map(([path, leaf]) => [
    path,
    String(leaf.default),
    allowedBy(leaf),
    leaf.says,
    leaf.source,
  ]);
  print(markdownTable([["Path", "Default", "Allowed", "Meaning", "Source"], ...rows]));
  if (filter !== undefined) return EXIT.ok;
  for (const [name, set] of Object.entries(profiles)) {
    const pairs = Object.entries(set).map(([path, value]) => `${path}=${value}`);
    print(`profile ${name}: ${pairs.length === 0 ? "the defaults" : pairs.join(" ")}`);
  }
  return EXIT.ok;
}

export function machinesCommand(
  name: string | undefined,
  flags: JsonFlag & { mermaid?: true },
): number {
  const policy = policyWith({});
  const charts = statecharts(policy);
  if (name === undefined) return listMachines(flags, charts);
  const chart = Object.entries(charts).find(([known]) => known === name)?.[1];
  if (chart === undefined) {
    const names = Object.keys(charts);
    throw new BadInput({
      where: {},
      found: `no statechart ${quoted(name)}`,
      allowed: names.join(" | "),
      ...hintFor(name, names),
      todo: "Services are reducers without states, so there is nothing to draw.",
    });
  }
  const states = Object.keys(chart.root.states);
  const events = chart.events.filter((type) => !type.startsWith("xstate."));
  if (flags.json) printJson({ name, states, events, mermaid: mermaidOf(chart) });
  else if (flags.mermaid) print(mermaidOf(chart));
  else print(`${name}\n  states: ${states.join(", ")}\n  events: ${events.join(", ")}`);
  return EXIT.ok;
}

function listMachines(flags: JsonFlag, charts: ReturnType<typeof statecharts>): number {
  const drawn = Object.entries(charts).map(([name, chart]) => ({
    name,
    kind: "statechart",
    states: Object.keys(chart.root.states),
    events: chart.events.filter((type) => !type.startsWith("xstate.")).sort(),
  }));
  const reducers = Object.entries(services(policyWith({}))).map(([name, service]) => ({
    name,
    kind: "service",
    states: [],
    events: [...service.handles].sort(),
  }));
  const all = [...drawn, ...reducers];
  if (flags.json) printJson({ machines: all, metrics: metricNames });
  else {
    const rows = all.map(({ name, kind, states, events }) => [
      name,
      kind,
      states.join(", "),
      events.join(", "),
    ]);
    print(markdownTable([["Name", "Kind", "States", "Events"], ...rows]));
    print("`npx ghostlight machines NAME --mermaid` draws a statechart.");
  }
  return EXIT.ok;
}
