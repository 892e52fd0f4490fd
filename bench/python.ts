/**
 * `node bench/python.ts`: the Python sandbox. 200 small tools, milliseconds each; 2,000 mixed ones, in
 * all; the start with and without a snapshot; the highest resident memory of a process, with ordinary
 * tools and with a hostile one. Absolute numbers belong to the machine.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { openSandbox, type Sandbox } from "../src/edges/python/sandbox.ts";
import { descendants } from "../test/edges/python/descendants.ts";
import { honestTools } from "../test/edges/python/mixedTools.ts";

const TOOLS = 200;
const MIXED = 2_000;
const limits = { wallMs: 12_000, events: 3_000_000 };
/** Takes memory of each kind until something stops it. */
const HOSTILE = `import os
def tool():
    kept = []
    while True:
        try: kept.append(bytearray(1 << 20))
        except MemoryError: pass
        try: open("f%d" % len(kept), "wb").write(b"x" * (1 << 20))
        except OSError: pass
        os.write(os.pipe()[1], b"x" * 65_000)
`;

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

async function mixed(sandbox: Sandbox): Promise<void> {
  for (const { code, seed } of honestTools(MIXED)) {
    const call = { code, functionName: "tool", kwargs: {} };
    const setting = { seed, nowMs: Date.UTC(2026, 4, 3), files: { "given.txt": "given" } };
    const { ok, error } = await sandbox.call(call, limits, setting);
    if (!ok) throw new Error(error?.message);
  }
}

/** As the machine sees it, every 20 ms. */
async function hostilePeakMb(sandbox: Sandbox): Promise<number> {
  let mostMb = 0;
  const looks = setInterval(() => {
    for (const { residentMb } of descendants(process.pid)) mostMb = Math.max(mostMb, residentMb);
  }, 20);
  const call = { code: HOSTILE, functionName: "tool", kwargs: {} };
  await sandbox.call(call, limits, { seed: 0, nowMs: 0 });
  clearInterval(looks);
  return Math.round(mostMb);
}

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
  const many = await timed(() => mixed(sandbox));
  const peakMb = sandbox.peakMb();
  const hostileMb = await hostilePeakMb(sandbox);
  await sandbox.close();
  fs.rmSync(cacheFolder, { recursive: true });
  each.sort((a, b) => a - b);
  const result = {
    node: process.version,
    processors: os.availableParallelism(),
    startMs: { withoutSnapshot: without.ms, makingSnapshot: making.ms, withSnapshot: start.ms },
    tools: TOOLS,
    toolMs: { median: each[TOOLS / 2], p95: each[Math.floor(TOOLS * 0.95)], most: each.at(-1) },
    mixed: { tools: MIXED, ms: many.ms },
    residentMb: { ordinary: peakMb, hostile: hostileMb },
  };
  console.log(JSON.stringify(result, null, 2));
}

await main();
