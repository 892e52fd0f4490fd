import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { replay } from "../builtIn.ts";
import { readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, program, started } from "./ghostlight.ts";
import { smallScenario } from "./smallScenario.ts";

const cwd = newFolder();
const play = ["run", "safe-file-executor"];
const incident = readFileSync("scenarios/safe-file-executor.yaml", "utf8");
// Longer than any machine takes to send a signal.
writeFileSync(join(cwd, "endless.yaml"), incident.replace("runsFor: 2h", "runsFor: 300d"));
writeFileSync(join(cwd, "small.yaml"), smallScenario);

beforeAll(async () => {
  await ghostlight([...play, "--until", "8m", "--out", "whole"], { cwd });
  await ghostlight(["run", "small", "--out", "small-run"], { cwd });
}, 120_000);

const ended = (child: ReturnType<typeof started>): Promise<number | null> =>
  new Promise((done) => child.on("close", (code) => done(code)));

describe.concurrent("pipes", () => {
  it("[CL7] a reader that leaves early is no error", async () => {
    const child = started(["events", "whole"], { cwd });
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
    });

    child.stdout.once("data", () => child.stdout.destroy());

    expect(await ended(child)).toBe(0);
    expect(stderr).toMatch(/^\d+ of \d+ deliveries\n$/);
  });

  it.each([["sweep", "--help"], ["--help"], ["--version"]])(
    "[CL7] nor is one that is gone before anything is said: %s %s",
    async (...args) => {
      const child = started(args.filter((one) => typeof one === "string"));
      let stderr = "";
      child.stderr.on("data", (text) => {
        stderr += text;
      });
      child.stdout.destroy();

      expect(await ended(child)).toBe(0);
      expect(stderr).toBe("");
    },
  );

  it.each([
    ["replay", "whole"],
    ["replay", "whole", "--set", "planner.stepsPerCycle=1"],
    ["diff", "whole", "small-run"],
    ["check", "whole"],
    ["why", "no-such-run"],
    ["run", "small", "--out", "unheard"],
  ])("[CL7] without a reader, %s %s ends with its own code", async (...words) => {
    const heard = await ghostlight(
      words.with(-1, words.at(-1) === "unheard" ? "heard" : `${words.at(-1)}`),
      { cwd },
    );
    for (const silenced of [["stdout"], ["stdout", "stderr"]] as const) {
      const child = started(words, { cwd });
      for (const name of silenced) child[name].destroy();

      expect(await ended(child)).toBe(heard.code);
      if (words[0] === "run") {
        expect(replay(readBundle(join(cwd, "unheard"))).matches).toBe(true);
        rmSync(join(cwd, "unheard"), { recursive: true });
      }
    }
  });

  it("[CL7] a slow reader gets every line", async () => {
    const child = started(["events", "whole", "--json"], { cwd });
    await once(child.stdout, "readable");
    await setTimeout(200); // The pipe is full by now.
    const parts: Buffer[] = [];

    for await (const part of child.stdout) {
      parts.push(part as Buffer);
      if (parts.length % 10 === 0) await setTimeout(10);
    }

    const { events } = JSON.parse(Buffer.concat(parts).toString());
    expect(events).toHaveLength(readBundle(join(cwd, "whole")).manifest.final?.envelopes ?? 0);
  });

  it.each([undefined, { NO_COLOR: "1" }, { FORCE_COLOR: "1" }])(
    "[CL8] there are no control codes where nobody looks: %j",
    async (env) => {
      const said = await Promise.all([
        ghostlight(["run", "small", "--compare"], { cwd, ...(env && { env }) }),
        ghostlight(["--help"], env && { env }),
        ghostlight(["rnu"], env && { env }),
      ]);

      for (const { stdout, stderr } of said) {
        expect(stdout + stderr).not.toContain("\u001b");
        expect(stdout + stderr).not.toContain("\r");
      }
    },
  );
});

/** A run that has written some of its bundle, and a promise of its end. */
async function underWay(out: string) {
  const child = started(["run", "endless", "--out", out], { cwd });
  const end = ended(child);
  const inputs = join(cwd, out, "inputs.jsonl");
  const written = () => (existsSync(inputs) ? statSync(inputs).size : 0);
  await expect.poll(written, { interval: 5 }).toBeGreaterThan(20_000);
  return { child, end };
}

describe("signals", () => {
  it("[CL9, VB8] Ctrl-C completes the bundle, which replays, and exits 130", async () => {
    const { child, end } = await underWay("interrupted");

    child.kill("SIGINT");

    expect(await end).toBe(130);
    const bundle = readBundle(join(cwd, "interrupted"));
    expect(bundle.manifest.final?.outcome).toBe("interrupted");
    expect(readFileSync(join(cwd, "interrupted/report.md"), "utf8")).toContain("interrupted");
    expect(replay(bundle)).toMatchObject({
      matches: true,
      partial: false,
      digest: bundle.manifest.final?.digest,
      envelopes: bundle.manifest.final?.envelopes,
    });
  });

  it("[CL9] Ctrl-C ends --seeds with what was played, and exits 130", async () => {
    const child = started(["run", "small", "--seeds", "1..200", "--json"], { cwd });
    const end = ended(child);
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
      });
    }
    await expect.poll(() => said.stderr, { interval: 20 }).toMatch(/of 400 runs/);

    child.kill("SIGINT");

    expect(await end).toBe(130);
    const { interrupted, seeds, worlds } = JSON.parse(said.stdout);
    expect({ interrupted, seeds }).toEqual({ interrupted: true, seeds: [1, 200] });
    expect(worlds[0].played).toBeGreaterThan(0);
    expect(worlds[0].played).toBeLessThan(200);
    expect(said.stderr).toMatch(/interrupted: \d+ of 400 runs were played\./);
  });

  it("[CL9] a second Ctrl-C leaves at once, whatever is still to be done", async () => {
    const child = started([], { file: fileURLToPath(new URL("./patient.ts", import.meta.url)) });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const end = ended(child);
    for (const word of ["working", "stopping"]) {
      await expect.poll(() => said).toContain(word);
      child.kill("SIGINT");
    }

    expect(await end).toBe(130);
  });

  it("[VB8] kill -9 leaves a bundle that replays up to its last whole line", async () => {
    const { child, end } = await underWay("killed");

    child.kill("SIGKILL");
    await end;

    const bundle = readBundle(join(cwd, "killed"));
    const result = replay(bundle);
    expect(bundle.manifest.final).toBeUndefined();
    expect(result).toMatchObject({ matches: true, partial: true });
    expect(result.envelopes).toBeGreaterThanOrEqual(bundle.log?.length ?? 0);
    expect(result.portCalls).toBeGreaterThan(10);
    const { code, stdout } = await ghostlight(["replay", "killed"], { cwd });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("(partial)"),
    });
    expect((await ghostlight(["events", "killed", "--limit", "3"], { cwd })).code).toBe(0);
  });
});

it.runIf(process.platform === "linux")(
  "[CL13] where stdout takes no more, it is named, and nothing else is",
  async () => {
    const args = [process.execPath, program, "machines", "--json"];
    const shell = ["-c", 'exec "$0" "$@" > /dev/full', ...args];
    const said = await new Promise<{ code: unknown; stderr: string }>((done) => {
      execFile("sh", shell, { cwd }, (error, _, stderr) => done({ code: error?.code, stderr }));
    });

    expect(said.code).toBe(2);
    expect(said.stderr).toMatch(
      /^standard output: found ENOSPC.*\n.*what was printed is not whole\.\n$/,
    );
  },
);

it.runIf(process.platform === "linux")(
  "[CL13] a full disk ends the run in words, and keeps the rest",
  async () => {
    const args = [process.execPath, program, ...play, "--until", "8m", "--out", "full"];
    const shell = ["-c", 'ulimit -f 200; exec "$0" "$@"', ...args];

    const said = await new Promise<{ code: unknown; stderr: string }>((done) => {
      execFile("sh", shell, { cwd }, (error, _, stderr) => done({ code: error?.code, stderr }));
    });

    expect(said).toEqual({ code: 2, stderr: expect.stringContaining("Make room and run again.") });
    expect(replay(readBundle(join(cwd, "full")))).toMatchObject({ matches: true, partial: true });
  },
);
