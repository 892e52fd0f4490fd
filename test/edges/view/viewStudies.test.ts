// SPEC VW: the page of a study, and points that are played from it.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pointOf } from "../../../src/edges/studies/studyPoints.ts";
import { Player } from "../../../src/edges/view/player.ts";
import { STUDY_PATH, studyPages } from "../../../src/edges/view/studyPages.ts";
import { viewServer } from "../../../src/edges/view/viewServer.ts";
import { lists } from "../../builtInRuns.ts";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { clicked, hasChromium, inBrowser, textOf } from "./inBrowser.ts";

const STUDY = `why: Does the second lock hold?
scenario: lock-feedback
factors:
  locks.constrained: [.3, 1.0]
  planner.heartbeatMs: [90s, 2m]
set: { engine.builtins: [fs_read, fs_write] }
limits: { envelopes: 1500 }
until: 10m
design: { kind: grid }
replicates: 1
variants: [itself, no-feedback]
outcomes: { peak: { metric: load, reduce: max } }
`;

let folder: string;
beforeAll(async () => {
  folder = join(newFolder(), "study");
  const file = join(newFolder(), "mine.yaml");
  writeFileSync(file, STUDY);
  const { code, stderr } = await ghostlight(["sweep", file, "--out", folder]);
  if (code !== 0) throw new Error(stderr);
});

/** With a text in one of its files replaced. */
function changed(name: string, was: RegExp, by: string): string {
  const other = join(newFolder(), "study");
  cpSync(folder, other, { recursive: true });
  const text = readFileSync(join(other, name), "utf8");
  expect(text).toMatch(was);
  writeFileSync(
    join(other, name),
    text.replace(was, () => by),
  );
  return other;
}

interface Said {
  readonly opening: { readonly [point: string]: string };
}

const commandsIn = (html: string): Said["opening"] =>
  (JSON.parse(/id="data">(.*?)<\/script>/.exec(html)?.[1] ?? "{}") as Said).opening;

async function served(isPlayed: boolean, of = folder) {
  const player = new Player(lists);
  const server = await viewServer(studyPages(lists, of, { player, isPlayed }), {
    onError: () => {},
  });
  return {
    url: `${server.origin}${STUDY_PATH}${server.query}`,
    player,
    close: () => {
      player.dispose();
      return server.close();
    },
  };
}

describe("the folder of a study", () => {
  it("[VW27] each point is the run that its command opens", () => {
    const commands = commandsIn(readFileSync(join(folder, "report.html"), "utf8"));
    const told = Object.entries(commands).map(([point, command]) => {
      const { seed, variant, set, untilMs, scenario } = pointOf(lists, folder, Number(point));
      const of = (name: string): string | undefined =>
        new RegExp(`--${name} (\\S+)`).exec(command)?.[1];
      expect(seed).toBe(Number(of("seed")));
      expect(variant ?? undefined).toBe(of("variant"));
      expect({ untilMs, until: of("until") }).toEqual({ untilMs: 600_000, until: "10m" });
      expect(scenario.limits).toMatchObject({ envelopes: 1_500 });
      expect(set["engine.builtins"]).toEqual(["fs_read", "fs_write"]);
      return [set["locks.constrained"], set["planner.heartbeatMs"], variant];
    });

    expect(told).toHaveLength(8);
    expect(told).toContainEqual([1_000_000, 120_000, "no-feedback"]);
    expect(told).toContainEqual([300_000, 90_000, null]);
  });

  it.each([
    ["has no such point", () => folder, 99, "no point 99"],
    [
      "sets what is no leaf",
      () => changed("study.json", /"locks\.constrained": 0\.3/, '"locks.nothing": 1'),
      0,
      "locks.nothing",
    ],
    [
      "sets more than a leaf allows",
      () => changed("study.json", /"locks\.constrained": 0\.3/, '"locks.constrained": 7'),
      0,
      "locks.constrained",
    ],
    [
      "has a variant that its scenario lacks",
      () => changed("study.json", /"itself",(?=\s*"locks\.constrained": 0\.3)/, '"no-such",'),
      0,
      "no-such",
    ],
    [
      "is of another format",
      () => changed("study.json", /"format": 1/, '"format": 2'),
      0,
      "no study",
    ],
    [
      "is a trial",
      () => changed("study.json", /"scenario": \{/, '"scenario": { "isTrial": true,'),
      0,
      "view .*runs/0-0",
    ],
  ])("[VW27] nothing is played of one that %s", (_, of, index, why) => {
    expect(() => pointOf(lists, of(), index)).toThrow(new RegExp(why));
  });

  it("[VW27] of its page the script of this version runs, and no other", async () => {
    const harm = `<script>alert(1)</script><img src=x onerror="alert(2)">`;
    const { url, close } = await served(true, changed("report.html", /<h1>/, `${harm}<h1>`));
    const answer = await fetch(url);
    const html = await answer.text();
    await close();

    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-[^']+'; connect-src 'self'; base-uri/,
    );
    expect(html).not.toContain("alert(1)");
    expect(html).not.toContain("http-equiv");
  });

  it("[VW27] without `--play` its page plays nothing, and asks nobody", async () => {
    const { url, close } = await served(false);
    const [page, posted] = await Promise.all([
      fetch(url),
      fetch(url.replace("/?", "/play?"), { method: "POST", body: '{"point":0}' }),
    ]);
    const html = await page.text();
    await close();

    expect(posted.status).toBe(405);
    expect(html).not.toContain('id="play"');
    expect(page.headers.get("content-security-policy")).not.toContain("connect-src");
    expect(Object.keys(commandsIn(html))).toHaveLength(8);
  });

  it("[VW25, VW27] with `--play` a POST that names a point plays it, one at a time", async () => {
    const { url, player, close } = await served(true);
    const posted = async (body: string): Promise<string> =>
      (await fetch(url.replace("/?", "/play?"), { method: "POST", body })).text();
    const busy = await player.alone(() => posted('{"point":0}'));
    const played = await posted('{"point":0}');
    const busyAgain = await player.alone(() => posted('{"point":1}'));
    const none = await Promise.all(["{}", '{"point":-1}', '{"point":0.5}'].map(posted));
    await close();

    for (const said of [busy, busyAgain]) expect(said).toContain("one at a time");
    expect(played.trim().split("\n").at(-1)).toBe('{"page":"0"}');
    for (const said of none) expect(said).toContain("the number of a point");
  });

  it("[VW27] `--play` is for a study, which is not followed; what is no page of one is refused", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "study.json"), "{}");
    const trial = changed("study.json", /"scenario": \{/, '"scenario": { "isTrial": true,');
    const said = await Promise.all(
      [["recordings/null-stub", "--play"], [folder, "--follow"], [cwd], [trial, "--play"]].map(
        (args) => ghostlight(["view", ...args]),
      ),
    );

    expect(said.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
    expect(said[0]?.stderr).toContain("--play: found it without the folder of a study");
    expect(said[1]?.stderr).toContain("a study with an option of runs");
    expect(said[2]?.stderr).toContain("report.html: found no page of the study");
    expect(said[3]?.stderr).toContain("a trial, whose agent is no world");
  });
});

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at } = inBrowser();
  let close = (): Promise<void> => Promise.resolve();
  afterAll(() => close());

  it("[VW27] a point is played at a click, with its command beside, and opens", async () => {
    const study = await served(true);
    ({ close } = study);
    const { page, errors } = await at(study.url, "#play");
    await clicked(page, 'tr[data-point="1"]');
    const command = await textOf(page, "#command");
    await clicked(page, "#play");
    await page.waitForSelector(".event h2");

    expect(command).toMatch(/^npx ghostlight run lock-feedback --seed \d+ /);
    expect(await textOf(page, "header")).toContain(`seed ${/--seed (\d+)/.exec(command)?.[1]}`);
    expect(new URL(page.url()).pathname).toBe("/0/");
    expect(errors).toEqual([]);
    await page.close();
  });
});
