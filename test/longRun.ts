// Many deliveries with a tenth as many inputs are played, reported and read in little memory.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { newFolder } from "./folders.ts";
import { relayText } from "./library/relayPart.ts";

const run = promisify(execFile);
const MEGABYTES_MAX = 600;

const folder = newFolder();
const inFolder = (name: string): string => join(folder, name);
const [world, bundle, memory] = [inFolder("world.yaml"), inFolder("bundle"), inFolder("memory")];

/** Says at its end how much the process took at most, in kB. What Linux counts as its `maxRSS` may be of the process that started it. */
const told = inFolder("told.mjs");
writeFileSync(
  told,
  `import { existsSync, readFileSync, writeFileSync } from "node:fs";
const status = "/proc/self/status";
const peak = () => existsSync(status) && /VmHWM:\\s*(\\d+)/.exec(readFileSync(status, "utf8"))?.[1];
process.on("exit", () =>
  writeFileSync(${JSON.stringify(memory)}, peak() || String(process.resourceUsage().maxRSS)));`,
);

/** What a command in a process of its own prints, and the most that it took. */
async function cli(...args: readonly string[]): Promise<{ out: string; megabytes: number }> {
  const own = ["--import", told, "src/cli/main.ts", ...args, "--part", "test/library/relayPart.ts"];
  const { stdout: out } = await run(process.execPath, own, { maxBuffer: 1_000_000_000 });
  return { out, megabytes: Number(readFileSync(memory, "utf8")) / 1_000 };
}

/** More than a million deliveries in 2,005 seconds. */
export async function expectLongRun(seconds: number, deliveries: number): Promise<void> {
  const policy = `policy: { relay.stumbleAt: ${seconds - 5} }\n`;
  writeFileSync(world, `${relayText(200, seconds)}${policy}`);
  const commands: readonly (readonly [readonly string[], RegExp])[] = [
    [["run", world, "--out", bundle], /Runner 0 stumbled\./],
    [["why", bundle], /because runner\/0 was told of a slope/],
    [["events", bundle, "--actor", "runner/7", "--json"], /"matching": \d{4},/],
    [["diff", bundle, bundle], /went the same way/],
  ];
  for (const [args, expected] of commands) {
    const { out, megabytes } = await cli(...args);
    expect(expected.test(out), `${args[0]}: ${out.slice(0, 300)}`).toBe(true);
    expect(megabytes, args[0]).toBeLessThan(MEGABYTES_MAX);
  }

  const { envelopes, inputs } = JSON.parse(
    readFileSync(join(bundle, "manifest.json"), "utf8"),
  ).final;
  expect(envelopes).toBeGreaterThan(deliveries);
  expect(inputs.lines).toBeGreaterThan(deliveries / 10);
  expect(existsSync(join(bundle, "report.html"))).toBe(true);
}
