// A live run as its users start it, against the server on loopback, in processes of their own.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBundle } from "../builtInScenarios.ts";
import { liveText } from "../edges/live/liveSession.ts";
import { type Loopback, loopback } from "../edges/ollama/loopbackServer.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json, started } from "./ghostlight.ts";

const cwd = newFolder();
writeFileSync(join(cwd, "village.yaml"), liveText(["cedar", "birch", "alder"]));

let server: Loopback;
let slow: Loopback;
beforeAll(async () => {
  server = await loopback({ latencyMs: [5, 20], faultPercent: 15, faults: ["server", "reset"] });
  slow = await loopback({ latencyMs: [150, 300] });
});
afterAll(async () => {
  await server.close();
  await slow.close();
});

const quick = ["--set", "live.backoffMs=1", "--set", "live.timeoutMs=2000"];
const live = (host: string, ...more: string[]) => [
  ...["run", "village", "--model", "ollama:tiny", "--host", host],
  ...quick,
  ...more,
];

interface Question {
  readonly came: string;
}

describe("a live run on the command line", () => {
  it("[LV3] run, replay, why: nothing but the recording is asked the second time", async () => {
    const args = live(server.host, "--until", "20s", "--out", "whole");
    const said = await ghostlight(args, { cwd });
    const asked = server.chats.length;
    const replayed = await ghostlight(["replay", "whole"], { cwd });

    expect([said.code, replayed.code]).toEqual([0, 0]);
    expect(said.stderr).toMatch(
      /tiny: \d+ asked, \d+ answered.* · usable \d+ of \d+ .* · 0:20 of virtual time in /,
    );
    expect(replayed.stdout).toContain("replays exactly");
    expect(server.chats.length).toBe(asked);
    expect((await ghostlight(["events", "whole", "--limit", "3"], { cwd })).code).toBe(0);
  });

  it("[LV10, LV20] what is missing is one sentence with what to do, exit 2, and nothing is written", async () => {
    const said = await Promise.all([
      ghostlight(["run", "village", "--model", "ollama:none", "--host", server.host], { cwd }),
      ghostlight(["run", "village", "--model", "ollama:tiny", "--host", "127.0.0.1:9"], { cwd }),
      ghostlight(["run", "village", "--model", "tiny"], { cwd }),
      ghostlight([...live(server.host), "--compare"], { cwd }),
      ghostlight(["run", "village", "--embed", "ollama:nomic-embed-text"], { cwd }),
      ghostlight(["run", "village", "--ask"], { cwd }),
      ghostlight(["run", "synt-budget", "--model", "ollama:tiny", "--host", server.host], { cwd }),
    ]);

    expect(said.map(({ code, stdout }) => [code, stdout])).toEqual(said.map(() => [2, ""]));
    expect(said[0]?.stderr).toContain("`ollama pull none` brings it.");
    expect(said[1]?.stderr).toContain("ollama serve");
    expect(said[2]?.stderr).toContain("ollama:NAME");
    expect(said[3]?.stderr).toContain("--compare");
    expect(said[4]?.stderr).toContain("--model ollama:NAME");
    expect(said[5]?.stderr).toContain("--ask");
    expect(said.at(-1)?.stderr).toContain("synt.tiers.floorBillions");
  });

  it("[LV10] OLLAMA_HOST names the server when --host does not", async () => {
    const env = { OLLAMA_HOST: server.host };
    const args = ["run", "village", "--model", "ollama:tiny", ...quick, "--until", "7s", "--json"];
    const said = await json(args.slice(0, -1), { cwd, env });

    expect(said).toMatchObject({ outcome: "ended", scenario: "village" });
  });

  it("[LV14] [LV16] [PQ1] Ctrl-C leaves a whole bundle, and resume goes on from there, with the questions of both", async () => {
    const code = await stopped(live(slow.host, "--out", "stopped"), "SIGINT");
    const { manifest, inputs } = readBundle(join(cwd, "stopped"));
    expect(code).toBe(130);
    expect(manifest.final?.outcome).toBe("interrupted");
    expect(inputs.some(({ kind }) => kind === "unanswered")).toBe(true);
    expect((await ghostlight(["replay", "stopped"], { cwd })).code).toBe(0);

    const until = ["--until", `${Math.ceil((manifest.final?.virtualMs ?? 0) / 1000) + 6}s`];
    const resumed = await json(
      ["resume", "stopped", "--host", server.host, "--out", "resumed", ...until],
      { cwd },
    );
    expect(resumed).toMatchObject({ resumed: "stopped", bundle: "resumed", outcome: "ended" });
    const again = await json(["replay", "resumed"], { cwd });
    expect(again).toMatchObject({ matches: true, partial: false, digest: resumed.digest });
    const [before = [], after = []] = ["stopped", "resumed"].map((one) =>
      readFileSync(join(cwd, one, "events.jsonl"), "utf8")
        .trimEnd()
        .split("\n"),
    );
    expect(after.slice(0, before.length)).toEqual(before);

    const [asked, all] = await Promise.all(
      ["stopped", "resumed"].map(
        async (one) => (await json(["prompts", one], { cwd })).questions as Question[],
      ),
    );
    const answered = asked?.filter(({ came }) => came !== "open") ?? [];
    expect(answered.length).toBeGreaterThan(0);
    expect(all).toEqual(expect.arrayContaining(answered));
    expect(all?.length).toBeGreaterThan(answered.length);
  });

  it("[LV15] [LV16] kill -9 leaves what replays up to its last line, and can be resumed", async () => {
    await stopped(live(slow.host, "--out", "killed"), "SIGKILL");
    const replayed = await json(["replay", "killed"], { cwd });
    expect(replayed).toMatchObject({ matches: true, partial: true });
    expect(replayed.envelopes).toBeGreaterThan(20);

    const sooner = await ghostlight(["resume", "killed", "--until", "1s", "--out", "no"], { cwd });
    expect([sooner.code, sooner.stderr]).toEqual([
      2,
      expect.stringMatching(/found a run that is at .* already/),
    ]);
    expect(existsSync(join(cwd, "no"))).toBe(false);

    const args = ["resume", "killed", "--host", server.host, "--until", "25s", "--out", "goes-on"];
    const resumed = await json(args, { cwd });
    expect(resumed.envelopes).toBeGreaterThan(replayed.envelopes);
    expect(await json(["replay", "goes-on"], { cwd })).toMatchObject({ matches: true });
  });

  it("[LV16] another model under the same name is refused, unless any will do", async () => {
    const models = [{ name: "tiny:latest", digest: "ff" }];
    const other = await loopback({ models });
    const runs = live(server.host, "--until", "7s", "--out", "short");
    expect((await ghostlight(runs, { cwd })).code).toBe(0);
    const resume = ["resume", "short", "--host", other.host, "--until", "15s"];

    const refused = await ghostlight(resume, { cwd });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--any-model")]);
    expect((await ghostlight([...resume, "--any-model"], { cwd })).code).toBe(0);
    await other.close();

    const embed = ["--embed", "ollama:nomic-embed-text", "--until", "7s", "--out", "compares"];
    expect((await ghostlight(live(server.host, ...embed), { cwd })).code).toBe(0);
    const changed = { name: "nomic-embed-text:latest", digest: "ff", capabilities: ["embedding"] };
    const compares = await loopback({ models: [{ name: "tiny:latest" }, changed] });
    const again = ["resume", "compares", "--host", compares.host, "--until", "15s"];
    expect(await ghostlight(again, { cwd })).toMatchObject({
      ...{ code: 2, stderr: expect.stringMatching(/nomic-embed-text.*--any-model/s) },
    });
    await compares.close();

    const ended = await ghostlight(["resume", "short", "--until", "5s"], { cwd });
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining("ended at 0:00:07")]);
  });

  it("[VB33] [VB32] a changed replay of a live run says first how many questions a script answered", async () => {
    await ghostlight(live(server.host, "--until", "20s", "--out", "lived"), { cwd });
    const set = ["--set", "planner.stepsPerCycle=1"];

    const { stdout } = await ghostlight(["replay", "lived", ...set, "--out", "relived"], { cwd });
    const said = await json(["replay", "lived", ...set, "--out", "retold"], { cwd });

    const [first = ""] = stdout.split("\n");
    const [, asked, scripted, recorded] =
      /^\*\*This replay of a live run was changed: of (\d+) questions to the model, a script answered (\d+) in place of tiny\S*, and the recording (\d+)\.\*\*$/
        .exec(first)
        ?.map(Number) ?? [];
    expect(said.coverage.model).toEqual({ recorded, scripted });
    expect([asked, (scripted ?? 0) > 0]).toEqual([(scripted ?? 0) + (recorded ?? 0), true]);
    expect(readFileSync(join(cwd, "relived", "report.md"), "utf8").split("\n")[0]).toBe(first);
    expect(readFileSync(join(cwd, "lived", "report.md"), "utf8")).toMatch(
      /The model tiny\S* was asked \d+ times: .* Its server counted \d+ tokens/,
    );
  });

  it("[LV17] a changed run says who answered; strictly, a miss exits 4 with the nearest call", async () => {
    await ghostlight(["run", "village", "--until", "1m", "--out", "scripted"], { cwd });
    const set = ["--set", "planner.stepsPerCycle=1"];

    const said = await json(["replay", "scripted", ...set, "--out", "changed"], { cwd });
    expect(said).toMatchObject({ outcome: "ended", coverage: { missed: 0 } });
    expect(said.coverage.exact * said.coverage.scripted).toBeGreaterThan(0);
    expect((await ghostlight(["replay", "changed"], { cwd })).code).toBe(0);

    const prose = await ghostlight(["replay", "scripted", "--variant", "silent"], { cwd });
    expect(prose.stdout).toMatch(/the recording answered \d+ exactly and \d+ when times and ids/);
    const strict = await ghostlight(["replay", "scripted", ...set, "--strict"], { cwd });
    expect([strict.code, strict.stderr]).toEqual([4, expect.stringContaining("nearest is call")]);

    const resumed = await ghostlight(["resume", "scripted"], { cwd });
    expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining("always goes")]);
  });
});

/** The exit code of a run that gets a signal in the middle of its work. */
async function stopped(args: string[], signal: NodeJS.Signals): Promise<number | null> {
  const before = slow.chats.length;
  const child = started(args, { cwd });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  await expect.poll(() => slow.chats.length - before).toBeGreaterThan(4);
  child.kill(signal);
  return ended;
}
