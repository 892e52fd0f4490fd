// Forks as their users make them: of scripted runs and of live ones, with the server on loopback.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Manifest, sealed } from "../../src/run/bundle.ts";
import type { Fork } from "../../src/run/fork.ts";
import { BLOCK, Chain } from "../../src/substrate/chain.ts";
import { chainedOf } from "../../src/substrate/deliveryLine.ts";
import { sha256Hex } from "../../src/substrate/digest.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { readBundle } from "../builtInScenarios.ts";
import { liveText } from "../edges/live/liveSession.ts";
import { type OpenAiLoopback, openaiLoopback } from "../edges/openai/loopbackServer.ts";
import { newFolder } from "../folders.ts";
import { forge } from "../recordedRun.ts";
import { ghostlight, json } from "./ghostlight.ts";

const cwd = newFolder();
const events = `events:
  - { id: note, at: 1m, does: files.write, path: /agentOS/workspace/n.md, text: hello }
  - { id: restart, at: 5m, does: daemon.restart }
`;
writeFileSync(join(cwd, "village.yaml"), liveText(["cedar", "birch"]) + events);

let server: OpenAiLoopback;
const models = ["tiny"];
beforeAll(async () => {
  server = await openaiLoopback({ latencyMs: 5, models, fingerprint: "fp_1" });
  await ghostlight(["run", "village", "--out", "told"], { cwd });
  await ghostlight(["run", "village", ...live(), "--until", "30s", "--out", "lived"], { cwd });
});
afterAll(() => server.close());

const live = (): string[] => ["--model", "openai:tiny", "--host", server.host];
const fork = (folder: string, at: string, ...more: string[]) =>
  json(["fork", folder, "--at", at, ...more], { cwd });
const replayed = (folder: string) => json(["replay", folder], { cwd });
const linesOf = (folder: string): string[] =>
  readFileSync(join(cwd, folder, "events.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
const set = ["--set", "planner.stepsPerCycle=1"];

describe("a fork", () => {
  it.each([
    ["1s", 1_000],
    ["1m", 60_000],
    ["3m7s", 187_000],
    ["9m30s", 570_000],
  ])(
    "[LM20] [LM21] at %s it is the run before up to there, and replays exactly",
    async (at, atMs) => {
      const out = `at-${at}`;
      // Beside a value that is so already.
      const said = await fork("told", at, ...set, "--set", "live.retries=2", "--out", out);

      const { deliveries } = said.at as { deliveries: number };
      expect(linesOf("told").findIndex((line) => JSON.parse(line).dueMs >= atMs)).toBe(deliveries);
      expect(linesOf(out).slice(0, deliveries)).toEqual(linesOf("told").slice(0, deliveries));
      expect(said).toMatchObject({ forked: "told", outcome: "ended" });
      expect(await replayed(out)).toMatchObject({ matches: true, digest: said.digest });
      const [recorded] = readBundle(join(cwd, out)).manifest.forks ?? [];
      expect(recorded).toMatchObject({
        ...{ at: deliveries, set: { "planner.stepsPerCycle": 1 }, drop: [], before: null },
        from: readBundle(join(cwd, "told")).manifest.final?.digest,
      });
      expect(recorded?.set).toEqual({ "planner.stepsPerCycle": 1 });
    },
  );

  it("[LM20] the number of a delivery is the first one that may be another", async () => {
    const seq = (JSON.parse(linesOf("told")[40] ?? "{}") as { seq: number }).seq;
    const said = await fork("told", String(seq), ...set, "--out", "at-seq");

    expect(said).toMatchObject({ at: { deliveries: 40, seq } });
    const diff = await json(["diff", "told", "at-seq"], { cwd });
    expect(
      (diff["divergence"] as { delivery: number } | undefined)?.delivery ?? 41,
    ).toBeGreaterThan(40);
    expect(await replayed("at-seq")).toMatchObject({ matches: true });
  });

  it("[CL24] [CL25] of a run that a stranger named, its folder and its commands are plain", async () => {
    const name = "a$(touch x)\n\u001b[2J`touch y`";
    cpSync(join(cwd, "told"), join(cwd, "strange"), { recursive: true });
    forge(join(cwd, "strange"), ({ scenario }) => ({ scenario: { ...scenario, name } }));
    const { code, stdout, stderr } = await ghostlight(["fork", "strange", "--at", "2m", ...set], {
      cwd,
    });

    expect(code).toBe(0);
    const [, out = ""] = /npx ghostlight diff strange (\S+)`/.exec(stdout) ?? [];
    expect(out).toMatch(/^runs\/a-touch-x-2J-touch-y-[0-9a-f]{8}-s\d+-fork-1$/);
    expect(existsSync(join(cwd, out, "manifest.json"))).toBe(true);
    expect(stdout + stderr).not.toContain("\u001b[2J");
    expect(stdout + stderr).not.toContain("ghostlight run a$");
  });

  it("[LM21] a timer that runs keeps its time, whatever its length is from then on", async () => {
    await fork("told", "2m", "--set", "planner.heartbeatMs=600000", "--out", "slow");
    const beats = (folder: string): number[] =>
      linesOf(folder)
        .map((line) => JSON.parse(line))
        .filter(({ to, from, dueMs }) => to === "agent/cedar" && from === to && dueMs < 240_000)
        .map(({ dueMs }) => dueMs);
    const told = beats("told");
    const running = told.findIndex((atMs) => atMs >= 120_000) + 1;

    expect(told.length).toBeGreaterThan(running);
    expect(beats("slow")).toEqual(told.slice(0, running));
  });

  it("[LM21] where nothing reads what was changed, it goes on as before, and says so", async () => {
    const args = ["fork", "told", "--at", "2m", "--set", "live.retries=5", "--out", "same"];
    const said = await ghostlight(args, { cwd });

    expect(said.stderr).toContain("what was changed made no difference");
    expect(linesOf("same")).toEqual(linesOf("told"));
  });

  const deliveriesOf = (folder: string) =>
    linesOf(folder).map((line) => JSON.parse(line) as Delivery);
  /** An answer of a model, and one millisecond before it comes. */
  const onItsWay = () => {
    const answer = deliveriesOf("told").find(
      ({ dueMs, event }) => dueMs > 120_000 && event.type === "llm.replied",
    ) as Delivery;
    return { answer, at: `${answer.dueMs - 1}ms` };
  };
  let redrawn: ReturnType<typeof fork> | undefined;
  const reseeded = () => {
    redrawn ??= fork("told", onItsWay().at, "--reseed", "99", "--out", "redrawn");
    return redrawn;
  };
  const inputsOf = (folder: string) =>
    readBundle(join(cwd, folder)).inputs.filter(({ kind }) => kind === "outside");

  it("[LM27] whatever is drawn from then on is drawn from another seed, and replays exactly", async () => {
    const said = await reseeded();

    const { deliveries } = said.at as { deliveries: number };
    expect(linesOf("redrawn").slice(0, deliveries)).toEqual(linesOf("told").slice(0, deliveries));
    expect(linesOf("redrawn")).not.toEqual(linesOf("told"));
    expect(await replayed("redrawn")).toMatchObject({ matches: true, digest: said.digest });
  });

  it("[LM27] outside inputs come as they came, and so does an answer that was on its way", async () => {
    await reseeded();
    const { answer } = onItsWay();
    const asked = deliveriesOf("told").find(({ seq }) => seq === answer.re);
    expect(asked?.dueMs).toBeLessThan(answer.dueMs - 1);
    expect(deliveriesOf("redrawn").find(({ seq }) => seq === answer.seq)).toMatchObject({
      ...{ event: answer.event, dueMs: answer.dueMs },
    });
    const told = (folder: string) =>
      inputsOf(folder).map((one) => ({ ...one, seq: undefined, deliveredAt: one.deliveredAt }));

    expect(told("redrawn").length).toBeGreaterThan(1);
    expect(told("redrawn")).toEqual(told("told"));
  });

  it("[LM21, LM27] the seed stands in the manifest, and is a seed", async () => {
    await reseeded();

    expect(readBundle(join(cwd, "redrawn")).manifest.forks).toEqual([
      expect.objectContaining({ reseed: 99, set: {} }),
    ]);
    expect((await ghostlight(["diff", "told", "redrawn"], { cwd })).stdout).toMatch(
      /forked.*drawn from seed 99/,
    );
    const { code, stderr } = await ghostlight(["fork", "told", "--at", "2m", "--reseed", "x"], {
      cwd,
    });
    expect([code, stderr]).toMatchObject([2, expect.stringContaining("--reseed")]);
  });

  it("[LM22] an input that is dropped never comes", async () => {
    const said = await fork("told", "2m", "--drop", "restart", "--out", "dropped");
    const ids = (folder: string): string[] =>
      readBundle(join(cwd, folder)).inputs.flatMap((one) =>
        one.kind === "outside" ? [one.id] : [],
      );

    expect(ids("told")).toContain("restart");
    expect(ids("dropped")).not.toContain("restart");
    expect(ids("dropped")).toContain("note");
    expect(await replayed("dropped")).toMatchObject({ matches: true, digest: said.digest });
    expect((await ghostlight(["diff", "told", "dropped"], { cwd })).stdout).toMatch(
      /forked.*without restart/,
    );
  });

  it("[LM21, LM23] a fork is forked again, earlier or later", async () => {
    await fork("told", "2m", ...set, "--out", "once");
    const later = await fork("once", "4m", "--set", "planner.stepsPerCycle=3", "--out", "twice");
    const earlier = await fork("once", "1m", "--drop", "restart", "--out", "instead");

    const forksOf = (folder: string) => readBundle(join(cwd, folder)).manifest.forks ?? [];
    expect(forksOf("twice").map((one) => Object.values(one.set))).toEqual([[1], [3]]);
    expect(forksOf("instead").map(({ drop }) => drop)).toEqual([["restart"]]);
    expect(await replayed("twice")).toMatchObject({ matches: true, digest: later.digest });
    expect(await replayed("instead")).toMatchObject({ matches: true, digest: earlier.digest });
  });

  it("[LM24] what cannot be forked is refused with the reason, and nothing is written", async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await ghostlight(["fork", "told", ...args, "--out", "no"], {
        cwd,
      });
      expect([code, stdout]).toEqual([2, ""]);
      return stderr;
    };

    expect(await refused("--at", "2m")).toContain("nothing to change");
    const { seed } = readBundle(join(cwd, "told")).manifest;
    expect(await refused("--at", "2m", "--reseed", String(seed))).toContain("nothing to change");
    expect(await refused("--at", "2m", "--set", "planner.stepsPerCycle=6")).toContain("so already");
    expect(await refused("--at", "600001ms", ...set)).toContain("when the run was over");
    expect(await refused("--at", "99999999", ...set)).toContain("no delivery #99999999");
    expect(await refused("--at", "soon", ...set)).toContain('"soon"');
    expect(await refused("--at", "2m", "--drop", "note")).toMatch(/came at 0:01:00/);
    expect(await refused("--at", "2m", "--drop", "restrat")).toMatch(/Did you mean "restart"/);
    expect(await refused("--at", "2m", "--set", "registry.rescan=300s")).toContain(
      "when it starts",
    );
    expect(await refused("--at", "10m", ...set)).toContain("the end of the run");
  });
});

describe("a fork and a live model", () => {
  it("[LM25] a scripted run goes on with a live model, and replays without it", async () => {
    const asked = server.chats.length;
    const said = await fork("told", "9m30s", ...live(), "--out", "alive");

    expect(server.chats.length).toBeGreaterThan(asked + 1);
    expect(await replayed("alive")).toMatchObject({ matches: true, digest: said.digest });
    const { manifest, inputs } = readBundle(join(cwd, "alive"));
    expect(manifest).toMatchObject({
      origin: "live:openai",
      forks: [{ before: null }],
      live: { models: { middle: { name: "tiny" } } },
    });
    const { virtualMs } = said.at as { virtualMs: number };
    for (const one of inputs) {
      if (one.kind !== "reply" || one.port !== "port/llm.chat") continue;
      const askedMs = one.deliveredAt - one.latencyMs;
      expect(one.choice?.startsWith("live:") ?? false).toBe(askedMs >= virtualMs);
    }
  });

  it("[LM25] a live run is forked without its model: the recording, then a script", async () => {
    const asked = server.chats.length;
    const said = await fork("lived", "10s", ...set, "--out", "relived");

    expect(server.chats.length).toBe(asked);
    expect(await replayed("relived")).toMatchObject({ matches: true, digest: said.digest });
    expect(said.coverage).toMatchObject({ missed: 0, model: { recorded: 0 } });
    const same = await fork("lived", "10s", "--set", "live.retries=5", "--out", "same-lived");
    expect(same.coverage).toMatchObject({ missed: 0, model: { scripted: 0 } });
    expect((same.coverage as { exact: number }).exact).toBeGreaterThan(0);
  });

  it("[LM25] a live model that is named answers every question, also those that the recording holds", async () => {
    const asked = server.chats.length;
    await fork("lived", "10s", ...live(), "--until", "20s", "--out", "anew");

    const { inputs } = readBundle(join(cwd, "anew"));
    const later = inputs.filter(
      (one) =>
        one.kind === "reply" &&
        one.port === "port/llm.chat" &&
        one.deliveredAt - one.latencyMs >= 10_000,
    );
    expect(later.length).toBeGreaterThan(0);
    // One question before the run.
    expect(server.chats.length - asked).toBeGreaterThan(later.length);
  });

  it("[LM26] a fork with a live model that ended early is resumed", async () => {
    await fork("lived", "10s", ...set, ...live(), "--until", "20s", "--out", "short");
    const args = ["resume", "short", "--host", server.host, "--until", "30s", "--out", "longer"];
    const said = await json(args, { cwd });

    expect(said).toMatchObject({ resumed: "short", outcome: "ended" });
    expect(await replayed("longer")).toMatchObject({ matches: true, digest: said.digest });
    expect(linesOf("longer").slice(0, linesOf("short").length)).toEqual(linesOf("short"));
  });

  it("[LM30] a changed replay asks the live model what the recording lacks, and replays exactly", async () => {
    const args = ["replay", "lived", ...set, ...live(), "--out", "again"];
    const asked = server.chats.length;
    const said = await json(args, { cwd });

    const { model } = said.coverage as {
      model: { recorded: number; scripted: number; live: number };
    };
    expect(model).toMatchObject({ scripted: 0 });
    expect(model.recorded * model.live).toBeGreaterThan(0);
    // One question before the run.
    expect(server.chats.length - asked).toBe(model.live + 1);
    expect(await replayed("again")).toMatchObject({ matches: true, digest: said.digest });
    expect(readFileSync(join(cwd, "again", "report.md"), "utf8").split("\n")[0]).toBe(
      `**This replay of a live run was changed: of ${model.recorded + model.live} questions to the ` +
        `model, tiny answered ${model.live} now, and the recording ${model.recorded}.**`,
    );
    const strict = await ghostlight([...args.slice(0, -2), "--strict"], { cwd });
    expect([strict.code, strict.stderr]).toEqual([2, expect.stringContaining("Omit --strict")]);
    const forked = await ghostlight(["replay", "alive", ...set], { cwd });
    expect([forked.code, forked.stderr]).toEqual([2, expect.stringContaining("Fork it once more")]);
  });
});

describe("an OpenAI-compatible server on the command line", () => {
  it("[LM6] a key is in no file and on no stream, even where the server says it back", async () => {
    const key = "correct-horse-battery-staple";
    const env = { OPENAI_API_KEY: key };
    const strict = await openaiLoopback({
      ...{ key, models },
      script: (nth) => (["echo", "denied"] as const)[nth - 1],
    });
    const at = ["--host", strict.host, "--until", "20s"];
    const run = ["run", "village", "--model", "openai:tiny", ...at];

    const said = [
      await ghostlight([...run, "--out", "keyed"], { cwd, env }),
      await ghostlight([...run, "--json"], { cwd, env: { OPENAI_API_KEY: "wrong-horse-battery" } }),
      await ghostlight(run, { cwd, env: { OPENAI_API_KEY: "" } }),
      await ghostlight(["why", "keyed"], { cwd, env }),
    ];
    await strict.close();

    expect(said.slice(0, 3).map(({ code }) => code)).toEqual([0, 2, 2]);
    const files = ["manifest.json", "inputs.jsonl", "events.jsonl", "report.md", "report.html"];
    const texts = files.map((file) => readFileSync(join(cwd, "keyed", file), "utf8"));
    for (const text of [...texts, ...said.flatMap(({ stdout, stderr }) => [stdout, stderr])]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain("wrong-horse");
    }
    expect(texts[1]).toContain("The key is [secret 1 removed].");
  });

  it("[LM9] no server is asked that was not named, and the refusal says how to name one", async () => {
    const said = await ghostlight(["run", "village", "--model", "openai:tiny"], {
      cwd,
      env: { OPENAI_BASE_URL: "" },
    });

    expect([said.code, said.stdout]).toEqual([2, ""]);
    expect(said.stderr).toContain("--host http://127.0.0.1:8000/v1");
  });
});

describe("a manifest that says what was not so", () => {
  const resealed = (out: string, change: (fork: Fork) => readonly Fork[]): string => {
    cpSync(join(cwd, "honest"), join(cwd, out), { recursive: true });
    const file = join(cwd, out, "manifest.json");
    const { seal: _, ...manifest } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    const [fork] = manifest.forks ?? [];
    if (fork === undefined) throw new Error("it is a fork");
    writeFileSync(
      file,
      `${JSON.stringify(sealed({ ...manifest, forks: change(fork) }), null, 2)}
`,
    );
    return out;
  };
  beforeAll(async () => {
    await fork("told", "2m", ...set, "--out", "honest");
  });

  it("[LM24] a fork of what goes differently now is a divergence, and leaves nothing", async () => {
    const never = resealed("never", (one) => [{ ...one, at: one.at + 1_000_000 }]);
    const other = resealed("other", (one) => [{ ...one, set: {} }]);
    for (const folder of [never, other]) {
      const args = ["fork", folder, "--at", "9m", "--set", "planner.heartbeatMs=9000"];
      const { code, stderr } = await ghostlight([...args, "--out", "nothing"], { cwd });
      expect([code, stderr]).toEqual([
        3,
        expect.stringMatching(/found another run than was recorded, by /),
      ]);
    }
    expect(existsSync(join(cwd, "nothing"))).toBe(false);
  });

  it.each([0, 1, BLOCK, 2 * BLOCK + 1])(
    "[LM24] a fork of what went differently at delivery %i alone, long before, is a divergence",
    async (place) => {
      const folder = `early-${place}`;
      cpSync(join(cwd, "told"), join(cwd, folder), { recursive: true });
      const log = linesOf("told").map((line) => JSON.parse(line) as Delivery);
      const chain = new Chain();
      const lines = log.map(({ digest: _, ...one }, at) => {
        const told = at === place ? { ...one, letters: [], event: { type: "kernel.idle" } } : one;
        chain.add(chainedOf(told as Delivery));
        const isMarked = chain.endsBlock || at === log.length - 1;
        return JSON.stringify(isMarked ? { ...told, digest: chain.digest } : told);
      });
      const text = `${lines.join("\n")}\n`;
      writeFileSync(join(cwd, folder, "events.jsonl"), text);
      forge(join(cwd, folder), ({ final }) => ({
        final: { ...final, digest: chain.digest, log: sha256Hex(text) },
      }));

      const { code, stderr } = await ghostlight(
        ["fork", folder, "--at", "9m", ...set, "--out", "nothing"],
        { cwd },
      );

      expect([code, stderr]).toEqual([3, expect.stringContaining("another run than was recorded")]);
      expect(existsSync(join(cwd, "nothing"))).toBe(false);
    },
  );

  it("[LM24] a run has a thousand forks at most", async () => {
    const full = resealed("full", (one) => Array.from({ length: 1_000 }, () => one));
    const over = resealed("over", (one) => Array.from({ length: 1_001 }, () => one));
    const almost = resealed("almost", (one) => Array.from({ length: 999 }, () => one));
    const again = ["--at", "9m", "--set", "planner.heartbeatMs=9000", "--out"];

    const [replays, forks, last] = [
      await ghostlight(["replay", over], { cwd }),
      await ghostlight(["fork", full, ...again, "nothing"], { cwd }),
      await ghostlight(["fork", almost, ...again, "thousandth"], { cwd }),
    ];

    expect(last.code).toBe(0);

    expect([replays.code, replays.stderr]).toEqual([
      2,
      expect.stringContaining("at most 1000 forks"),
    ]);
    expect([forks.code, forks.stderr]).toEqual([2, expect.stringContaining("at most 1000 forks")]);
    expect(existsSync(join(cwd, "nothing"))).toBe(false);
  });
});
