/**
 * What an event costs in worlds of 3 to 10,000 agents, and how many bytes an agent takes. Each world is played by a
 * process of its own, to its end, bare. Prints the table of docs/scale.md.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { builtIn } from "../src/builtIn/lists.ts";
import { parseScenario } from "../src/edges/scenario/scenarioFile.ts";
import { minutes } from "../src/machines/units.ts";
import { startRun } from "../src/run/simulate.ts";
import { processorMs } from "./processorTime.ts";

const KNOWN = 8;
const MINUTES = 10;
/** Deliveries between two looks at the clock. */
const SLICE = 2_000;
/** So that worlds of every size have some 80,000 events at least: a program that has just begun is slow. */
const minutesOf = (agents: number): number => Math.max(MINUTES, Math.ceil(9_000 / agents));

/** Agents who write a report each and read that of an acquaintance; each has a model of its own. */
const world = (agents: number): string => `why: What an event costs among many agents.
source: ours
startsAt: 2026-05-02T09:00:00Z
seed: 7
runsFor: ${minutesOf(agents)}m
agents:
${Array.from({ length: agents }, (_, at) => `  - { name: a${at}, knows: [${knownTo(at, agents)}] }`).join("\n")}
policy: { planner.heartbeatMs: 60000, model.parallel: ${agents}, stressors.failureWindow: agent, lessons.enabled: false }
model:
  goals:
    - slug: report
      weight: 1
      text: Report what the shared figures say (goal {n})
      artifact: /agentOS/workspace/{agent}/report.md
      plans:
        - id: read-and-write
          weight: 1
          steps:
            - { intent: read the file contents, params: { path: /agentOS/workspace/shared/figures.md } }
            - intent: write file
              params:
                path: "{artifact}"
                content: |
                  # Report, goal {n}
                  The shared figures were read anew for this report, as for every goal of the kind, and nothing was left out.
            - { intent: read the file contents, params: { path: "{artifact}" } }
files: { /agentOS/workspace/shared/figures.md: "Monday 12, Tuesday 17, Wednesday 9." }
`;

const knownTo = (at: number, agents: number): string =>
  Array.from({ length: Math.min(KNOWN, agents - 1) }, (_, n) => `a${(at + n + 1) % agents}`).join(
    ", ",
  );

interface Scale {
  readonly agents: number;
  readonly minutes: number;
  readonly events: number;
  readonly microseconds: number;
  readonly bytesPerAgent: number;
}

function measured(agents: number): Scale {
  const scenario = parseScenario(builtIn, world(agents), "scale.yaml");
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const run = startRun(builtIn.parts, scenario, { level: "bare" });
  let result: ReturnType<typeof run.advance>;
  let bytes: number | undefined;
  let ms = 0;
  do {
    ms += processorMs(() => {
      result = run.advance(SLICE);
    });
    const isEarly = result === undefined && run.kernel.nowMs < minutes(MINUTES);
    if (bytes !== undefined || isEarly) continue;
    globalThis.gc?.();
    bytes = process.memoryUsage().heapUsed - before;
  } while (result === undefined);
  if (result === "waiting" || result.outcome !== "ended") throw new Error(JSON.stringify(result));
  const events = run.kernel.delivered;
  return {
    ...{ agents, minutes: minutesOf(agents), events },
    microseconds: (1_000 * ms) / events,
    bytesPerAgent: (bytes ?? 0) / agents,
  };
}

const own = process.argv[2];
if (own !== undefined) console.log(JSON.stringify(measured(Number(own))));
else {
  // The contexts of all that live outlast a small young generation, and would be copied again and again.
  const young = ["--min-semi-space-size=32", "--max-semi-space-size=64"];
  const flags = ["--expose-gc", "--max-old-space-size=8192", ...young];
  const file = fileURLToPath(import.meta.url);
  let base: number | undefined;
  console.log(
    "| agents | virtual time | events | µs of processor an event | to 3 agents | kB an agent |",
  );
  console.log("| --- | --- | --- | --- | --- | --- |");
  for (const agents of [3, 50, 1_000, 10_000]) {
    const text = execFileSync(process.execPath, [...flags, file, String(agents)], {
      encoding: "utf8",
    });
    const { minutes, events, microseconds, bytesPerAgent }: Scale = JSON.parse(text);
    base ??= microseconds;
    const cells = [
      ...[agents.toLocaleString("en"), `${minutes} min`, events.toLocaleString("en")],
      ...[microseconds.toFixed(1), `${(microseconds / base).toFixed(2)} ×`],
      Math.round(bytesPerAgent / 1_000),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
