// `npm run goldens`: a million deliveries with a hundred thousand inputs, in little memory.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { newFolder } from "./folders.ts";
import { relayText } from "./library/relayPart.ts";

const run = promisify(execFile);
const MEGABYTES_MAX = 600;

const folder = newFolder();
const [world, bundle, memory] = ["world.yaml", "bundle", "memory"].map((name) =>
  join(folder, name),
);

/** Says at its end how much the process took at most. */
const told = join(folder, "told.mjs");
writeFileSync(
  told,
  `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync(${JSON.stringify(memory)}, String(process.resourceUsage().maxRSS)));`,
);

/** What a command in a process of its own prints, and the most that it took. */
async function cli(...args: readonly string[]): Promise<{ out: string; megabytes: number }> {
  const own = ["--import", told, "src/cli/main.ts", ...args, "--part", "test/library/relayPart.ts"];
  const { stdout: out } = await run(process.execPath, own, { maxBuffer: 1_000_000_000 });
  return { out, megabytes: Number(readFileSync(memory as string, "utf8")) / 1_000 };
}

describe("[VB50] a million deliveries", () => {
  let played: { readonly out: string; readonly megabytes: number };
  beforeAll(async () => {
    writeFileSync(world as string, relayText(200, 2_005));
    played = await cli("run", world as string, "--out", bundle as string);
  });

  it("are played and reported", () => {
    const { envelopes, inputs } = JSON.parse(
      readFileSync(join(bundle as string, "manifest.json"), "utf8"),
    ).final;
    expect(envelopes).toBeGreaterThan(1_000_000);
    expect(inputs.lines).toBeGreaterThan(100_000);
    expect(played.out).toContain("Runner 0 stumbled.");
    expect(existsSync(join(bundle as string, "report.html"))).toBe(true);
    expect(played.megabytes).toBeLessThan(MEGABYTES_MAX);
  });

  it.each([
    ["why", ["why", bundle], /because runner\/0 was told of a slope/],
    ["events", ["events", bundle, "--type", "relay.stumbled"], /Runner 199 stumbled/],
    ["events --json", ["events", bundle, "--actor", "runner/7", "--json"], /"matching": 5\d\d\d,/],
    ["diff", ["diff", bundle, bundle], /went the same way/],
    ["replay", ["replay", bundle], /replays exactly/],
  ])("are read by %s", async (_, args, expected) => {
    const { out, megabytes } = await cli(...args.map(String));

    expect(out).toMatch(expected);
    expect(megabytes).toBeLessThan(MEGABYTES_MAX);
  });
});
