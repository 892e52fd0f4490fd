// What a person sees: commands on a terminal of their own, which `script` of util-linux gives them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { liveText } from "../edges/live/liveSession.ts";
import { type Loopback, loopback } from "../edges/ollama/loopbackServer.ts";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";
import { misquoted, quotedOutput } from "./readmeTexts.ts";
import { type OnTerminal, onTerminal } from "./terminal.ts";

const cwd = newFolder();
const agents = ["cedar", "birch", "alder", "maple", "aspen", "hazel"];
writeFileSync(join(cwd, "village.yaml"), liveText(agents));

let server: Loopback;
beforeAll(async () => {
  server = await loopback({
    latencyMs: [120, 250],
    script: (nth) => (({ 1: "server", 3: "nonsense" }) as const)[nth],
  });
});
afterAll(async () => server.close());

const live = (...more: readonly string[]): readonly string[] => [
  ...["run", "village", "--model", "ollama:tiny", "--host", server.host],
  ...["--set", "live.backoffMs=1", ...more],
];

const shows = async ({ screen }: OnTerminal, text: RegExp): Promise<void> =>
  void (await expect.poll(() => screen.text(), { interval: 20 }).toMatch(text));

/** The names of agents that have a line, once for each line. */
const named = ({ screen }: OnTerminal): readonly string[] =>
  [...screen.text().matchAll(/^(\w+) \(load /gm)].map(([, name]) => name ?? "");

const usable = /\d+ asked, \d+ answered.*[\s\S]*usable \d+ of \d+ \(\d+ %\)/;

describe.runIf(process.platform === "linux")("a live run on a terminal", () => {
  it("[LD1] [LD2] [LD6] [LD7] one picture in its place, at any size; Ctrl-C leaves nothing of it", async () => {
    const seen = onTerminal(live("--out", "watched"), { cwd, columns: 80, rows: 24 });
    await shows(seen, /last error: agent\/birch, goal\.choose: server: 500: llama-server/);
    await shows(seen, usable);
    expect(named(seen)).toEqual(agents);
    expect(seen.screen.text().match(/^village \d+:\d\d of 10:00 · \d+:\d\d gone/gm)).toHaveLength(
      1,
    );
    expect(seen.screen.text()).toMatch(/: waits \d+\.\d s for [a-z.]+; /);
    expect(seen.screen.cursor().column).toBe(0);

    await seen.resize({ columns: 100, rows: 30 });
    await shows(seen, /village .* · usable \d+ of/);
    expect(seen.screen.visible().match(/village/g)).toHaveLength(1);
    expect(named(seen)).toEqual(agents);

    await seen.resize({ columns: 40, rows: 12 });
    await shows(seen, /^… \d more$/m);
    const lines = seen.screen.visible().split("\n");
    expect(lines.filter((line) => line.includes("village"))).toHaveLength(1);
    expect(lines.slice(lines.findIndex((line) => line.includes("village")))).toHaveLength(11);

    seen.type("\u0003");
    expect(await seen.ended).toBe(130);
    const left = seen.screen.text();
    expect(seen.screen.visible()).not.toMatch(/\(load/);
    expect(left).toContain("stopping; the bundle is being completed");
    expect(left).not.toContain("^C");
    expect(left.match(/^tiny: \d+ asked, \d+ answered/gm)).toHaveLength(1);
    // Nothing but moves, and what clears a line or the rest: no mode stays behind.
    const moves = seen.raw().split("\u001b").slice(1);
    expect(moves.filter((one) => !/^\[(\d+A|K|J)/.test(one))).toEqual([]);
    const { stdout } = await ghostlight(["replay", "watched"], { cwd });
    expect(stdout).toContain("replays exactly");
  });

  it("[LD5] with --json nothing of it is on stdout, and on a dumb terminal nothing moves", async () => {
    const shell = (env: NodeJS.ProcessEnv, ...more: string[]) =>
      onTerminal(live("--until", "12s", ...more), {
        ...{ cwd, columns: 80, rows: 24, env },
        stdout: join(cwd, "stdout.json"),
      });
    const dumb = shell({ TERM: "dumb" }, "--out", "dumb");
    await dumb.ended;
    const json = shell({ NO_COLOR: "1" }, "--json", "--out", "json");

    await shows(json, usable);
    expect([await json.ended, await dumb.ended]).toEqual([0, 0]);
    expect(dumb.raw()).not.toMatch(/\[\d+A/);
    const object: unknown = JSON.parse(readFileSync(join(cwd, "stdout.json"), "utf8"));
    expect(object).toMatchObject({ scenario: "village" });
    expect(json.screen.text()).toMatch(/^tiny: \d+ asked[\s\S]*virtual time in \d:\d\d/m);
  });

  it("[PQ3] prompts: long texts are cut, and whole with --full", async () => {
    await ghostlight([...live("--until", "9s", "--out", "asked")], { cwd });
    const size = { cwd, columns: 80, rows: 24, env: { PAGER: "cat" } };
    const [cut, whole] = [
      onTerminal(["prompts", "asked", "--limit", "1"], size),
      onTerminal(["prompts", "asked", "--limit", "1", "--full"], size),
    ];

    expect([await cut.ended, await whole.ended]).toEqual([0, 0]);
    expect(cut.screen.text()).toMatch(
      / {4}\| You are cedar\.[\s\S]*\n {4}… \d+ more lines\n {4}answer:/,
    );
    expect(whole.screen.text()).not.toContain("more lines");
    expect(readFileSync(join(cwd, "asked/inputs.jsonl"), "utf8")).toContain("goal.choose");
  });

  it("[LD1] [PQ1] [PQ4] [PQ5] what docs/live-display.md shows is what the program prints", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "village.yaml"), liveText(agents.slice(0, 3)));
    const other = await loopback({
      latencyMs: [120, 250],
      script: (nth) => (({ 5: "server", 9: "nonsense" }) as const)[nth],
    });
    const commands = [...docs.matchAll(/^\$ npx ghostlight (.*)$/gm)].map(([, line = ""]) => line);
    const [play = "", ...reads] = commands;
    const watched = onTerminal([...play.split(" "), "--host", other.host], {
      ...{ cwd: folder, columns: 80, rows: 24 },
    });

    const picture = plain(quotedOutput(`npx ghostlight ${play}`, docs).join("\n"));
    expect(picture).toContain("alder");
    await expect.poll(() => plain(watched.screen.text()), { interval: 20 }).toContain(picture);
    expect(await watched.ended).toBe(0);

    expect(reads).toHaveLength(2);
    for (const line of reads) {
      const quoted = quotedOutput(`npx ghostlight ${line}`, docs).map(plain);
      const { stdout } = await ghostlight(line.split(" "), { cwd: folder });
      expect(misquoted(quoted, plain(stdout))).toEqual([]);
    }
    await other.close();
  });
});

const docs = readFileSync("docs/live-display.md", "utf8");

/** Without the numbers, which are the machine's, and the widths of a table, which are those of its numbers. */
const plain = (text: string): string =>
  text
    .replaceAll(/\d+(\.\d+)? (ms|s)\b/g, "0 ms")
    .replaceAll(/(\d|(?<=\d)[.:])+/g, "0")
    .replaceAll(/ *\| */g, "|")
    .replaceAll(/-+:/g, "-:");

describe.runIf(process.platform === "linux")("long output on a terminal", () => {
  /** What came to the screen, and what the pager was given; undefined where none was asked. */
  const shown = async (args: readonly string[], pager: string | undefined, rows = 24) => {
    const folder = newFolder();
    const into = join(folder, "paged.txt");
    const PAGER = pager?.replace("FILE", into);
    const seen = onTerminal(args, { cwd: folder, columns: 100, rows, env: { PAGER } });
    const code = await seen.ended;
    const paged = existsSync(into) ? readFileSync(into, "utf8") : undefined;
    return { code, paged, text: seen.screen.text() };
  };

  it("[CL37] goes to the pager, whole, as it would stand there", async () => {
    const [paged, plain] = [await shown(["policy"], "cat > FILE"), await shown(["policy"], "cat")];

    expect([paged.code, plain.code, paged.text]).toEqual([0, 0, ""]);
    expect(paged.paged?.split("\n").length).toBeGreaterThan(100);
    expect(paged.paged).toContain(plain.text.split("\n").at(-1));
    expect(plain.paged).toBeUndefined();
  });

  it("[CL37] short output, and all of a pager that is not there, is printed", async () => {
    const short = await shown(["studies"], "cat > FILE", 900);
    const absent = await shown(["studies"], "no-such-pager", 5);

    expect([short.code, short.paged]).toEqual([0, undefined]);
    expect(short.text).toContain("stressor-thresholds");
    expect(absent.text).toContain("stressor-thresholds");
    const whole = await shown(["studies"], "cat > FILE", 5);
    // With the line on which the prompt stands.
    const rows = whole.paged?.split("\n").length ?? 0;
    const [fits, over] = [rows, rows - 1].map((most) => shown(["studies"], "cat > FILE", most));
    expect([(await fits)?.paged, (await over)?.paged]).toEqual([undefined, whole.paged]);
  });

  it("[CL37] less is asked where none is named, and what fails is told all the same", async () => {
    const seen = onTerminal(["policy"], { cwd, columns: 100, rows: 24, env: { PAGER: undefined } });
    await shows(seen, /^:|\(END\)|lines 1/m);
    seen.type("q");
    const failed = await shown(["why", "nowhere"], "cat > FILE");

    expect(await seen.ended).toBe(0);
    expect([failed.code, failed.paged]).toEqual([2, undefined]);
    expect(failed.text).toContain("nowhere");
  });
});

describe.runIf(process.platform === "linux")("a first scenario on a terminal", () => {
  const size = { columns: 80, rows: 24 };

  it("[WW11] is asked for; with --yes it is not, and who leaves with Ctrl-C has nothing written", async () => {
    const folder = newFolder();
    const asked = onTerminal(["scenarios", "--new", "asked"], { cwd: folder, ...size });
    await shows(asked, /What are the agents called\?/);
    asked.type("\u0003");
    const taken = onTerminal(["scenarios", "--new", "taken", "--yes"], { cwd: folder, ...size });

    expect([await asked.ended, await taken.ended]).toEqual([2, 0]);
    expect(asked.screen.text()).toContain("Nothing was written.");
    expect(taken.screen.text()).not.toContain("What are");
    expect([
      existsSync(join(folder, "asked.yaml")),
      existsSync(join(folder, "taken.yaml")),
    ]).toEqual([...[false, true]]);
  });
});
