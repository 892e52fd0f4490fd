/**
 * `npm run bench:live`: what recording adds to a live run, and how much faster its replay is. The model
 * is the tests' server on loopback with a fixed latency; a real one takes a hundred times longer.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { builtIn } from "../src/builtIn/lists.ts";
import { parts } from "../src/builtIn/parts.ts";
import { readBundle } from "../src/edges/bundle/bundleReader.ts";
import type { LiveSetup } from "../src/edges/live/liveSetup.ts";
import { preflightOllama } from "../src/edges/ollama/preflight.ts";
import { playRun } from "../src/edges/play/playRun.ts";
import { recordRun } from "../src/edges/play/recordRun.ts";
import { worldPorts } from "../src/edges/play/worldPorts.ts";
import { lazySandbox } from "../src/edges/python/sandboxPort.ts";
import { loadScenario } from "../src/edges/scenario/scenarioFile.ts";
import { lazyShell } from "../src/edges/shell/shellProcess.ts";
import { replay } from "../src/run/replay.ts";
import { prepare, startRun } from "../src/run/simulate.ts";
import { type Loopback, loopback } from "../test/edges/ollama/loopbackServer.ts";
import { median } from "./median.ts";

const LATENCY_MS = 40;
const UNTIL_MS = 120_000;
const set = { "model.parallel": 3 };

interface Spent {
  readonly calls: number;
  readonly wallMs: number;
  readonly cpuMs: number;
}

const { scenario, text } = loadScenario(builtIn, "safe-file-executor");
const seed = scenario.seed;

async function main(): Promise<void> {
  const { rounds } = parseArgs({ options: { rounds: { type: "string", default: "5" } } }).values;
  const server = await loopback({ latencyMs: [LATENCY_MS, LATENCY_MS] });
  const live = await setupOf(server);
  const plain: Spent[] = [];
  const recorded: (Spent & { readonly replayMs: number })[] = [];
  for (let round = 0; round <= Number(rounds); round++) {
    const [one, other] = [await playPlain(server, live), await playRecorded(server, live)];
    if (round === 0) continue; // To warm up.
    plain.push(one);
    recorded.push(other);
  }
  await server.close();
  print(plain, recorded);
}

const setupOf = ({ host }: Loopback): Promise<LiveSetup> => {
  const names = {
    kind: "ollama" as const,
    tiers: { fast: "tiny", middle: "tiny", wise: "tiny" },
    embed: null,
  };
  return preflightOllama({
    server: { host },
    names,
    policy: prepare(parts, scenario, { set }).policy.live,
  });
};

async function spent(server: Loopback, work: () => Promise<unknown>): Promise<Spent> {
  const [calls, cpu, started] = [server.chats.length, process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return {
    calls: server.chats.length - calls,
    wallMs: performance.now() - started,
    cpuMs: (user + system) / 1000,
  };
}

/** Live, with nothing kept. */
const playPlain = (server: Loopback, live: LiveSetup): Promise<Spent> =>
  spent(server, async () => {
    const { policy } = prepare(parts, scenario, { set });
    const sandbox = lazySandbox({ kind: "pyodide" });
    const shell = lazyShell();
    const { startsAt } = scenario;
    const { ports, inbox, clock, close } = worldPorts(builtIn, {
      sandbox,
      shell,
      policy,
      seed,
      startsAt,
      live,
    });
    const horizon = clock && { horizonMs: clock.horizonMs };
    const run = startRun(parts, scenario, { set, untilMs: UNTIL_MS, ports, ...horizon });
    await playRun(run, { slice: 1_000, inbox, clock });
    close();
    await sandbox.close();
  });

async function playRecorded(server: Loopback, live: LiveSetup) {
  const folder = mkdtempSync(join(tmpdir(), "ghostlight-bench-"));
  try {
    const options = { scenario, text, variant: null, seed, set, untilMs: UNTIL_MS };
    const took = await spent(server, () =>
      recordRun(builtIn, { ...options, folder, withLog: true, live }),
    );
    const started = performance.now();
    const { matches } = replay(parts, readBundle(builtIn, folder));
    if (!matches) throw new Error("a live run did not replay");
    return { ...took, replayMs: performance.now() - started };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(plain: readonly Spent[], recorded: readonly (Spent & { replayMs: number })[]): void {
  const of = <T>(all: readonly T[], value: (one: T) => number): number => median(all.map(value));
  const perCall = ({ cpuMs, calls }: Spent): number => cpuMs / calls;
  const [bare, kept] = [of(plain, perCall), of(recorded, perCall)];
  const wallMs = of(recorded, ({ wallMs, calls }) => wallMs / calls);
  const faster = of(recorded, (one) => one.wallMs / one.replayMs);
  const calls = of(recorded, (one) => one.calls);
  console.log(
    [
      `Live runs of ${UNTIL_MS / 1000} virtual seconds, three agents, ${calls} calls of ${LATENCY_MS} ms, ` +
        `medians of ${recorded.length} rounds; the server's own work is in the processor time.`,
      "",
      "| | processor ms for a call | as a ratio |",
      "| :-- | --: | --: |",
      `| live, nothing kept | ${bare.toFixed(1)} | 1 |`,
      `| live, bundle on disk | ${kept.toFixed(1)} | ${(kept / bare).toFixed(2)} |`,
      "",
      `Recording takes ${(((kept - bare) / wallMs) * 100).toFixed(1)} % of the ${wallMs.toFixed(0)} ms of a live ` +
        `call here, and ${(((kept - bare) / 6_000) * 100).toFixed(3)} % of one of 6 s. ` +
        `A replay is ${faster.toFixed(0)} times as fast as this live run; the factor grows with the latency.`,
    ].join("\n"),
  );
}

await main();
