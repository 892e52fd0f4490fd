// SPEC VW: the variants of a run, played from its page and shown beside it.
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Variant } from "../../../src/contract/scenario.ts";
import { manifestText } from "../../../src/edges/bundle/bundleWriter.ts";
import { exportPage } from "../../../src/edges/view/exportPage.ts";
import { openRun } from "../../../src/edges/view/openRun.ts";
import { Player } from "../../../src/edges/view/player.ts";
import { type RunOf, type ServedRun, servedRun } from "../../../src/edges/view/servedRun.ts";
import { Variants } from "../../../src/edges/view/variants.ts";
import { viewPages } from "../../../src/edges/view/viewPages.ts";
import { type ViewServer, viewServer } from "../../../src/edges/view/viewServer.ts";
import { type Manifest, sealed } from "../../../src/run/bundle.ts";
import type { ViewPage, ViewPlaying } from "../../../src/viewer/viewData.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";
import { clicked, hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";

const FOLDER = "recordings/lock-feedback";
const WITHOUT = "recordings/lock-feedback-no-feedback";

const LIVE = { "port/llm.chat": "live: a model" };

const opened = (folder: string): ServedRun => servedRun(openRun(lists, folder));

/** A recording whose manifest says something else, sealed anew. */
function changed(change: (manifest: Manifest) => Omit<Manifest, "seal">): string {
  const folder = join(newFolder(), "run");
  cpSync(FOLDER, folder, { recursive: true });
  const { seal: _, ...manifest } = JSON.parse(
    readFileSync(join(folder, "manifest.json"), "utf8"),
  ) as Manifest;
  writeFileSync(join(folder, "manifest.json"), manifestText(sealed(change(manifest as Manifest))));
  return folder;
}

describe("variants of a run that is looked at", () => {
  const player = new Player(lists);
  const variants = new Variants(lists, player);
  let run: ServedRun;
  beforeAll(() => {
    run = opened(FOLDER);
  });
  afterAll(() => player.dispose());

  it("[VW25] are listed before any was played; of a variant the scenario itself is one", () => {
    expect(variants.of(run)).toMatchObject({
      all: [{ name: "no-feedback", isThere: false, beside: null }],
      refusal: "",
    });
    expect(variants.table(run)).toBeNull();
    expect(variants.of(opened(WITHOUT))?.all.map(({ name }) => name)).toEqual(["(as it was)"]);
  });

  it("[VW56] each says what it changes, where --set made it something else, and whether anybody could do that", () => {
    const told = (of: Partial<RunOf>) =>
      variants
        .of({ ...run, of: { ...run.of, ...of } })
        ?.all.map((one) => [one.change, one.isSetting]);
    const { manifest, scenario } = run.of;
    const policy = { ...manifest.policy, "locks.dominant": 950_000 };
    const [variant] = Object.values(scenario.variants);
    const leaving = (without: Variant["without"]) =>
      told({ scenario: { ...scenario, variants: { x: { ...(variant as Variant), without } } } });

    expect(told({})).toEqual([["It sets stressors.lockFeedback = false.", true]]);
    const set = { "locks.dominant": 900_000 };
    const setting = { ...scenario, variants: { x: { ...(variant as Variant), policy: set } } };
    expect(told({ manifest: { ...manifest, policy }, scenario: setting })).toEqual([
      ["It would set locks.dominant = 900000, but --set made it 950000.", true],
    ]);
    expect(variants.of(opened(WITHOUT))?.all[0]?.change).toBe(
      "It takes back what no-feedback changes.",
    );
    expect(leaving({ events: ["a"], choices: [] })?.[0]?.[1]).toBe(false);
    expect(leaving({ events: [], choices: ["goal:a"] })).toEqual([
      ["It sets stressors.lockFeedback = false; leaves out goal:a.", false],
    ]);
    const [event, fault] = [{ id: "e" }, { id: "f" }];
    const adding = { ...(variant as Variant), policy: {}, events: [event], faults: [fault] };
    expect(
      told({ scenario: { ...scenario, variants: { x: adding as unknown as Variant } } }),
    ).toEqual([["It adds the event e; adds the fault f.", true]]);
    const many = Array.from({ length: 14 }, (_, at) => `goal:${at}`);
    expect(leaving({ events: [], choices: many })?.[0]?.[0]).toMatch(/goal:11; 2 more of these\.$/);
  });

  it("[VW25] one is played to the very run that `run --variant` records, with its figures beside, and once", async () => {
    const told: number[] = [];
    const folder = await variants.play(run, "no-feedback", { onMs: (ms) => told.push(ms) });
    const digestIn = (of: string): string =>
      JSON.parse(readFileSync(join(of, "manifest.json"), "utf8")).final.digest;

    expect(digestIn(folder)).toBe(digestIn(WITHOUT));
    expect(told.length).toBeGreaterThan(0);
    expect(variants.table(run)?.rows.map(({ cells }) => cells[0])).toEqual([
      "(as it was)",
      "no-feedback",
    ]);
    expect(await variants.play(run, "no-feedback", {})).toBe(folder);
  });

  it("[VW25] one has the seed, the end and the settings of the run, within the limits of its scenario", async () => {
    const { manifest } = run.of;
    const policy = { ...manifest.policy, "locks.dominant": 950_000 };
    const other = { ...manifest, policy, seed: 9, untilMs: 60_000 };
    const of = { ...run.of, folder: "another", manifest: other };
    const folder = await variants.play({ ...run, of }, "no-feedback", {});
    const played = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));

    expect(played).toMatchObject({ seed: 9, untilMs: 60_000, variant: "no-feedback" });
    expect(played.policy["locks.dominant"]).toBe(950_000);
    const envelopes = 100;
    const bounded = { ...run.of.scenario, limits: { ...run.of.scenario.limits, envelopes } };
    const short = { ...run, of: { ...run.of, folder: "a third", scenario: bounded } };
    const cut = await variants.play(short, "no-feedback", {});
    const { final } = JSON.parse(readFileSync(join(cut, "manifest.json"), "utf8"));
    expect(final).toMatchObject({ outcome: "limit:envelopes", envelopes });
    const old = { ...run, of: { ...run.of, manifest: { ...manifest, rulesVersion: 1 } } };
    expect(variants.of(old)?.refusal).toContain("this is a run under other rules.");
    await expect(variants.play(old, "no-feedback", {})).rejects.toThrow("under other rules");
  });

  it("[VW25] one is played at a time, and ends with the page that asked for it", async () => {
    const ownPlayer = new Player(lists);
    const own = new Variants(lists, ownPlayer);
    const closing = new AbortController();
    const stopped = own.play(run, "no-feedback", {
      onMs: () => closing.abort(new Error("the page was closed")),
      signal: closing.signal,
    });

    await expect(own.play(run, "no-feedback", {})).rejects.toThrow("one at a time");
    await expect(stopped).rejects.toThrow("the page was closed");
    expect(own.of(run)?.all[0]?.isThere).toBe(false);
    const folder = await own.play(run, "no-feedback", {});
    ownPlayer.dispose();
    expect(existsSync(folder)).toBe(false);
  });

  it("[VW46] those that a page does not hold are all named once, with the command for one of them", () => {
    const [variant] = Object.values(run.of.scenario.variants);
    const three = { a: variant, b: variant, c: variant } as { [name: string]: Variant };
    const of = { ...run.of, scenario: { ...run.of.scenario, variants: three } };
    const page = variants.onPage({ ...run, of }, ["b"], []);

    expect(page?.all.map(({ name }) => name)).toEqual(["b", "a", "c"]);
    expect(page?.refusal).toContain(`export ${FOLDER} --html FILE --with a`);
  });

  it("[VW41] what decided can be asked of the same runs: the page names the command", () => {
    const live = changed((manifest) => ({ ...manifest, providers: LIVE }));

    expect(run.head.asksBlame).toBe(`npx ghostlight blame ${FOLDER} --when --keep`);
    expect(opened(live).head.asksBlame).toBeNull();
    // What went wrong there is a delivery, which other runs do not have.
    expect(opened("recordings/install-no-hosts").head.asksBlame).toBeNull();
  });

  it.each<[string, Partial<Manifest>]>([
    ["a run that was forked", { forks: [] }],
    [
      "a run that goes on from a recording",
      { providers: { "port/llm.chat": "a recording, then a script" } },
    ],
    ["a run that goes on from a recording", { providers: { "port/human": "a person" } }],
    ["a run that did not come to its end", { final: { outcome: "waiting" } } as Partial<Manifest>],
  ])("[VW25] of %s none is played, and the page says why", (why, manifest) => {
    const of = { ...run.of, manifest: { ...run.of.manifest, ...manifest } };

    expect(variants.of({ ...run, of })?.refusal).toContain(`; this is ${why}.`);
  });

  it.each([
    ["is no variant of its scenario", FOLDER, "no-such", '"no-such"; allowed: no-feedback'],
    [
      "is of a run in which somebody live answered",
      changed((manifest) => ({ ...manifest, providers: LIVE })),
      "no-feedback",
      "somebody live answered",
    ],
    [
      "is of a run without an end",
      changed(({ final: _, ...manifest }) => manifest),
      "no-feedback",
      "did not come to its end",
    ],
  ])("[VW25] none is played that %s", async (_, folder, name, why) => {
    await expect(variants.play(opened(folder), name, {})).rejects.toThrow(why);
  });
});

describe("a page that is served", () => {
  const player = new Player(lists);
  let server: ViewServer;
  beforeAll(async () => {
    const pages = viewPages({ lists, folders: [FOLDER], notes: [] }, [], player);
    server = await viewServer(pages, { onError: () => {} });
  });
  afterAll(async () => {
    player.dispose();
    await server.close();
  });
  const at = (path: string): string => `${server.origin}${path}${server.query}`;
  const posted = async (path: string, body: string) => {
    const answer = await fetch(at(path), { method: "POST", body });
    const lines = (await answer.text()).trim().split("\n");
    return { code: answer.status, lines };
  };

  it("[VW11] [VW25] takes a POST where a variant is played, and nowhere else", async () => {
    const [wrong, nameless, long] = [
      await posted("0/", "{}"),
      await posted("0/play", "{}"),
      await posted("0/play", "x".repeat(4_097)),
    ];

    expect([wrong.code, long.code]).toEqual([405, 413]);
    expect((JSON.parse(nameless.lines.at(-1) ?? "") as ViewPlaying).fault).toContain(
      "the name of a variant",
    );
  });

  it("[VW25] says how far it is, then where both stand side by side, whose page plays nothing", async () => {
    const { lines } = await posted("0/play", JSON.stringify({ variant: "no-feedback" }));
    const said = lines.map((line) => JSON.parse(line) as ViewPlaying);
    const both = (await (await fetch(at("0-1/head"))).json()) as ViewPage;
    const one = (await (await fetch(at("0/head"))).json()) as ViewPage;

    expect(said[0]?.virtualMs).toBeGreaterThanOrEqual(0);
    expect(said.at(-1)).toEqual({ page: "0-1" });
    expect(both).toMatchObject({ alone: "../0/", beside: { names: expect.any(Array) } });
    expect(one.plays?.all).toMatchObject([{ name: "no-feedback", isThere: true }]);
    expect(one.runs[0]?.variants?.rows).toHaveLength(2);
    expect((await posted("0-1/play", '{"variant":"no-feedback"}')).code).toBe(405);
  });
});

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at, opened: openedPage } = inBrowser();
  const NAMES = "lock-feedback beside lock-feedback: no-feedback";

  it("[VW25] a click plays a variant and opens it beside the run; from there leads a way back", async () => {
    const player = new Player(lists);
    const pages = viewPages({ lists, folders: [FOLDER], notes: [] }, [], player);
    const server = await viewServer(pages, { onError: () => {} });
    const { page, errors } = await at(`${server.origin}0/${server.query}`, "button.play");
    await clicked(page, "button.play");
    await holds(page, "header h1", NAMES);
    await page.waitForSelector("table.both tbody tr");
    await clicked(page, "header button");
    await page.waitForFunction(`document.querySelectorAll(".variants tbody").length === 3`);

    expect(new URL(page.url()).pathname).toBe("/0/");
    expect(await textOf(page, "button.play")).toBe("compare ▸");
    expect(errors).toEqual([]);
    await page.close();
    player.dispose();
    await server.close();
  });

  describe("[VW26] an exported page", () => {
    let html: string;
    let page: Page;
    let errors: readonly string[];
    beforeAll(async () => {
      const options = { withTexts: true, variants: ["no-feedback"] };
      ({ html } = await exportPage(lists, [FOLDER], options));
      ({ page, errors } = await openedPage(html, "", "button.play"));
    });

    it("[VW26] holds the variants it was told to, and shows one beside the run at a click", async () => {
      expect(await textOf(page, "header h1")).toBe("lock-feedback");
      await clicked(page, "button.play");
      await holds(page, "header h1", NAMES);
      await page.waitForSelector(".both td.alone");
      await page.waitForFunction(`location.hash.includes("with=no-feedback")`);

      const { page: other } = await openedPage(html, "#with=no-feedback", "table.both tbody tr");
      expect(await textOf(other, "header h1")).toBe(NAMES);
      await other.close();
      await clicked(page, "header button");
      await page.waitForFunction(
        `document.querySelector("header h1").textContent === "lock-feedback"`,
      );
      expect(errors).toEqual([]);
    });
  });

  it("[VW46] names the variants that it does not hold, and the command that puts one on it", async () => {
    const { html } = await exportPage(lists, [FOLDER], { withTexts: false });
    const { page } = await openedPage(html);
    const says = await textOf(page, "section[aria-label^='What would have prevented it']");

    expect(await page.$("button.play")).toBeNull();
    expect(says).toContain("These were not played");
    expect(says).toContain(`npx ghostlight export ${FOLDER} --html FILE --with no-feedback`);
    expect(says).toContain("no-feedback");
  });
});
