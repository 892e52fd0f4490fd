/** What one delivery costs, in counts that are the same on every machine: calls, hashes, texts and bytes. */
import { Session } from "node:inspector/promises";
import { builtIn } from "../src/builtIn/lists.ts";
import { parts } from "../src/builtIn/parts.ts";
import { loadScenario } from "../src/edges/scenario/scenarioFile.ts";
import { startRun } from "../src/run/simulate.ts";
import { type Kind, kernelWorld, type Level } from "./kernelWorld.ts";

export interface Counts {
  /** Of functions of the product. */
  readonly calls: number;
  readonly hashes: number;
  readonly canonicalTexts: number;
  readonly bytes: number;
}

/** Per delivery, by what was run. */
export type CountTable = { readonly [what: string]: Counts };

const ACTORS = 200;
const WARM_TICKS = 2_000;
const TICKS = 4_000;
/** Of the incident, after the first so many, in which everything starts. */
const DELIVERIES = 2_000;
/** These count calls of the function of that name in that file. */
const HASH = { file: "/src/edges/bundle/nodeSha256.ts", name: "nodeSha256Hex" };
const TEXT = { file: "/src/substrate/canonicalJson.ts", name: "canonicalJson" };

/**
 * Needs `--expose-gc`, `--no-opt`, since optimized code calls and allocates less from a moment on that no run
 * repeats, and a young generation so large that nothing is collected meanwhile.
 */
export async function countAll(): Promise<CountTable> {
  const worlds = (["bare", "recorded", "full"] as const).flatMap((level) =>
    (["statechart", "service"] as const).map((kind) => ({ level, kind })),
  );
  const table: { [what: string]: Counts } = {};
  for (const { level, kind } of worlds) table[`${kind}, ${level}`] = await ofKernel(kind, level);
  table["the incident, recorded"] = await ofIncident();
  return table;
}

function ofKernel(kind: Kind, level: Level): Promise<Counts> {
  const log = level === "full" ? { onDelivery: () => {} } : {};
  const world = kernelWorld(ACTORS, kind, level, log);
  world.advance(WARM_TICKS);
  return counted(2 * TICKS, () => world.advance(TICKS));
}

function ofIncident(): Promise<Counts> {
  const { scenario } = loadScenario(builtIn, "safe-file-executor");
  const run = startRun(parts, scenario);
  run.advance(DELIVERIES);
  return counted(DELIVERIES, () => void run.advance(DELIVERIES));
}

/** Runs it twice: once for its bytes, and once more to count calls, which allocates too. */
async function counted(deliveries: number, run: () => void): Promise<Counts> {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  run();
  const bytes = process.memoryUsage().heapUsed - before;
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  run();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  const callsIn = (file: string, name?: string): number =>
    result
      .filter(({ url }) => url.includes(file))
      .flatMap(({ functions }) => functions)
      .filter(({ functionName }) => functionName !== "" && functionName === (name ?? functionName))
      .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  return {
    calls: callsIn("/src/") / deliveries,
    hashes: callsIn(HASH.file, HASH.name) / deliveries,
    canonicalTexts: callsIn(TEXT.file, TEXT.name) / deliveries,
    bytes: bytes / deliveries,
  };
}
