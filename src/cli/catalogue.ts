/** The commands that show what a world is made of: metrics, policy, machines. */

import { markdownTable } from "markdown-table";
import type { AnyStateMachine } from "xstate";
import { metricNames, metricTable } from "../contract/metricTable.ts";
import type { Part } from "../contract/part.ts";
import { policyLeaves, policyWith, profiles } from "../contract/policyTree.ts";
import { badInput, hintFor, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { allowedFor } from "../edges/scenario/leafValue.ts";
import { mermaidOf } from "../machines/draw.ts";
import { servicesOf, statechartsOf } from "../run/cast.ts";
import { keptFromTables } from "../substrate/statechart.ts";
import type { JsonFlag } from "./bundles.ts";
import { readingLists } from "./chosenParts.ts";
import { print, printJson } from "./output.ts";

/** The metrics whose name contains `part`; all of them when it is absent. Throws BadInput when none does. */
export async function metricsCommand(part: string | undefined, flags: JsonFlag): Promise<number> {
  const { parts } = await readingLists(flags);
  const metrics = metricNames(parts).filter((name) => part === undefined || name.includes(part));
  if (metrics.length === 0) {
    throw badInput(
      {},
      `no metric with ${quoted(part)}`,
      "the name of a metric or a part of one",
      "`npx ghostlight metrics` prints all of them.",
      hintFor(part ?? "", pathsAndParts(metricNames(parts))),
    );
  }
  if (flags.json) {
    printJson({
      metrics: Object.fromEntries(metrics.map((name) => [name, metricTable(parts)[name]])),
    });
    return EXIT.ok;
  }
  const rows = metrics.map((name) => {
    const { unit, perAgent, each, says } = metricTable(parts)[name];
    const kind = perAgent ? "agent" : each?.kind;
    return [name, unit, kind === undefined ? "the world" : `the world, each ${kind}`, says];
  });
  print(markdownTable([["Metric", "Unit", "Measured on", "Meaning"], ...rows]));
  return EXIT.ok;
}

/** A slip may be in one part of a path: `gosts` is near to `ghosts`, not to a whole path. */
const pathsAndParts = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => [path, ...path.split(".")]);

export async function policyCommand(filter: string | undefined, flags: JsonFlag): Promise<number> {
  const { parts } = await readingLists(flags);
  const leaves = policyLeaves(parts).filter(
    ([path]) => filter === undefined || path.includes(filter),
  );
  if (leaves.length === 0) {
    const paths = policyLeaves(parts).map(([path]) => path);
    throw badInput(
      {},
      `no policy path with ${quoted(filter)}`,
      "a path or a part of one",
      "`npx ghostlight policy` prints all of them.",
      hintFor(filter ?? "", pathsAndParts(paths)),
    );
  }
  if (flags.json) {
    printJson({ policy: Object.fromEntries(leaves), profiles: profiles(parts) });
    return EXIT.ok;
  }
  const rows = leaves.map(([path, leaf]) => [
    path,
    String(leaf.default),
    allowedFor(leaf),
    leaf.says,
    leaf.source,
  ]);
  print(markdownTable([["Path", "Default", "Allowed", "Meaning", "Source"], ...rows]));
  if (filter !== undefined) return EXIT.ok;
  for (const [name, set] of Object.entries(profiles(parts))) {
    const pairs = Object.entries(set).map(([path, value]) => `${path}=${value}`);
    print(`profile ${name}: ${pairs.length === 0 ? "the defaults" : pairs.join(" ")}`);
  }
  return EXIT.ok;
}

export async function machinesCommand(
  name: string | undefined,
  flags: JsonFlag & { mermaid?: true },
): Promise<number> {
  const { parts } = await readingLists(flags);
  const charts = statechartsOf(parts, policyWith(parts, {}));
  const all = machines(parts, charts);
  if (name === undefined) return listMachines(flags, all);
  const machine = all.find((one) => one.name === name);
  const chart = Object.entries(charts).find(([known]) => known === name)?.[1];
  if (machine === undefined || (chart === undefined && flags.mermaid)) {
    const names = flags.mermaid ? Object.keys(charts) : all.map((one) => one.name);
    throw badInput(
      {},
      machine === undefined ? `no machine ${quoted(name)}` : `the service ${quoted(name)}`,
      names.join(" | "),
      flags.mermaid
        ? "A service is a reducer without states, so there is nothing to draw."
        : "`npx ghostlight machines` lists all of them.",
      hintFor(name, names),
    );
  }
  const { kind, states, events, interpreter } = machine;
  const mermaid = chart && mermaidOf(chart);
  if (flags.json) printJson({ ...machine, ...(mermaid !== undefined && { mermaid }) });
  else if (flags.mermaid) print(mermaid ?? "");
  else {
    const lines = states.length === 0 ? [] : [`  states: ${states.join(", ")}`];
    const driven = interpreter === undefined ? [] : [`  driven by: ${interpreter}`];
    const facts = [...lines, `  events: ${events.join(", ")}`, ...driven];
    print([`${name}, a ${kind}`, ...facts].join("\n"));
  }
  return EXIT.ok;
}

interface MachineFacts {
  readonly name: string;
  readonly kind: "statechart" | "service";
  readonly states: readonly string[];
  readonly events: readonly string[];
  /** Of a statechart: `tables`, or XState and which construct keeps it from tables. */
  readonly interpreter?: string;
}

function machines(
  parts: readonly Part[],
  charts: ReturnType<typeof statechartsOf>,
): MachineFacts[] {
  const drawn = Object.entries(charts).map(([name, chart]) => ({
    name,
    kind: "statechart" as const,
    states: Object.keys(chart.root.states),
    events: chart.events.filter((type) => !type.startsWith("xstate.")).sort(),
    interpreter: interpreterOf(chart),
  }));
  const reducers = Object.entries(servicesOf(parts, policyWith(parts, {}))).map(
    ([name, service]) => ({
      name,
      kind: "service" as const,
      states: [],
      events: Object.keys(service.on).sort(),
    }),
  );
  return [...drawn, ...reducers];
}

function interpreterOf(chart: AnyStateMachine): string {
  const kept = keptFromTables(chart);
  return kept === undefined ? "tables" : `xstate, for ${kept}`;
}

function listMachines(flags: JsonFlag, all: readonly MachineFacts[]): number {
  if (flags.json) printJson({ machines: all });
  else {
    const rows = all.map(({ name, kind, interpreter, states, events }) => [
      name,
      kind,
      interpreter ?? "",
      states.join(", "),
      events.join(", "),
    ]);
    print(markdownTable([["Name", "Kind", "Driven by", "States", "Events"], ...rows]));
    print("`npx ghostlight machines NAME --mermaid` draws a statechart.");
  }
  return EXIT.ok;
}
