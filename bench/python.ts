/**
 * `node bench/python.ts`: the Python sandbox. 200 small tools, milliseconds each; the start with and
 * without a snapshot; the highest resident memory. Absolute numbers belong to the machine.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openSandbox } from "../src/edges/python/sandbox.ts";

const TOOLS = 200;

interface Timed<T> {
  readonly ms: number;
  readonly value: T;
}

async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const started = performance.now();
  const value = await work();
  return { ms: Math.round(performance.now() - started), value };
}

const toolCode = (index: number): string => `import hashlib, json, random, time
def tool(limit=${index % 17}):
    words = {hashlib.sha256(str(random.random()).encode()).hexdigest()[:6] for _ in range(limit + 3)}
    return {"now": time.time(), "words": sorted(words), "text": json.dumps(list(words))}
`;

async function main(): Promise<void> {
  const cacheFolder = fs.mkdtempSync(path.join(os.tmpdir(), "ghostlight-bench-"));
  const without = await timed(() => openSandbox({ cacheFolder: null, spare: false }));
  await without.value.close();
  const making = await timed(() => openSandbox({ cacheFolder, spare: false }));
  await making.value.close();
  const start = await timed(() => openSandbox({ cacheFolder, spare: false }));
  const sandbox = start.value;
  const each: number[] = [];
  for (let index = 0; index < TOOLS; index++) {
    const call = { code: toolCode(index), functionName: "tool", kwargs: {} };
    const setting = { seed: index, nowMs: Date.UTC(2026, 4, 3) };
    const { ms, value } = await timed(() => sandbox.call(call, { wallMs: 12_000 }, setting));
    if (!value.ok) throw new Error(`tool ${index}: ${value.error?.message}`);
    each.push(ms);
  }
  const peakMb = sandbox.peakMb();
  await sandbox.close();
  fs.rmSync(cacheFolder, { recursive: true });
  each.sort((a, b) => a - b);
  const result = {
    node: process.version,
    processors: os.availableParallelism(),
    startMs: { withoutSnapshot: without.ms, makingSnapshot: making.ms, withSnapshot: start.ms },
    tools: TOOLS,
    toolMs: { median: each[TOOLS / 2], p95: each[Math.floor(TOOLS * 0.95)], most: each.at(-1) },
    peakMb,
  };
  console.log(JSON.stringify(result, null, 2));
}

await main();
