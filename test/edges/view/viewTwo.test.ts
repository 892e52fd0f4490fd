// SPEC VW: two runs on one page, side by side, in a real browser.
import type { Page } from "puppeteer-core";
import { beforeAll, describe, expect, it } from "vitest";
import { beside } from "../../../src/edges/view/beside.ts";
import { exportPage } from "../../../src/edges/view/exportPage.ts";
import { openRun } from "../../../src/edges/view/openRun.ts";
import { minutes } from "../../../src/machines/units.ts";
import { FLAG } from "../../../src/viewer/viewData.ts";
import { lists } from "../../builtInRuns.ts";
import { hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";

const AS_IT_WAS = "recordings/weather-fetcher";
const CORRECTED = "recordings/weather-fetcher-corrected";

describe("two runs side by side", () => {
  const [a, b] = [openRun(lists, AS_IT_WAS), openRun(lists, CORRECTED)];

  it("[VW16] part where `diff` says, with its words and causes, and from there on what the other has not is marked", () => {
    const { told, flags } = beside(lists, a, b);
    const { names, first, settings, figures } = told;
    const marked = [...flags[0]].map((flag) => (flag & FLAG.differs) !== 0);
    const parted = first?.sides[0]?.place ?? -1;

    expect(names).toEqual(["weather-fetcher", "weather-fetcher: corrected"]);
    const says = "An agent is wanted, weather-fetcher: Fetch the weather and keep it as notes.";
    expect(first).toEqual({
      ...{ atMs: minutes(1), sides: [parted, parted].map((place) => ({ place, says })) },
      origins: ["the outside input as-written", "the outside input corrected"],
    });
    expect(settings).toContainEqual(["variant", "–", "corrected"]);
    expect(figures).toContainEqual(["installs.created", "0", "1", "Revisions that were created."]);
    expect(marked.slice(0, parted).some((one) => one)).toBe(false);
    expect(marked.filter((one) => one).length).toBeGreaterThan(10);
    expect(marked.slice(parted).some((one) => !one)).toBe(true);
    // What is left without a mark both have, at the same times.
    const shared = [a, b].map(({ columns }, side) =>
      [...columns.atMs].filter((_, place) => ((flags[side]?.[place] ?? 0) & FLAG.differs) === 0),
    );
    expect(shared[0]).toEqual(shared[1]);
  });

  it("[VW16] of a delivery that one of them lacks, the other alone is marked", () => {
    const deliveries = [...a.run.deliveries].toSpliced(50, 1);
    const { flags } = beside(lists, a, { ...a, run: { ...a.run, deliveries } });
    const marked = flags.map((all) => all.slice(50, 60).map((flag) => flag & FLAG.differs));

    expect(marked[0]?.findIndex((one) => one !== 0)).toBe(0);
    expect(marked[0]?.slice(1).some((one) => one !== 0)).toBe(false);
    expect(marked[1]?.some((one) => one !== 0)).toBe(false);
  });

  it("[VW16] in logs of more than 250,000 deliveries, all from there on are marked", () => {
    const long = (length: number) => {
      const { deliveries } = a.run;
      const log = new Proxy(deliveries, {
        get: (all, name) => {
          const own = Reflect.get(all, name);
          if (name === "length") return length;
          return typeof own === "function" ? own.bind(all) : own;
        },
      });
      const { told, flags } = beside(lists, { ...a, run: { ...a.run, deliveries: log } }, b);
      const from = told.first?.sides[0]?.place ?? -1;
      return flags[0].slice(from).every((flag) => (flag & FLAG.differs) !== 0);
    };

    expect([long(250_000), long(250_001)]).toEqual([false, true]);
  });

  it("[VW16] that are the same part nowhere, and nothing is marked", () => {
    const { told, flags } = beside(lists, a, openRun(lists, AS_IT_WAS));

    expect(told).toMatchObject({ first: null, settings: [], figures: [] });
    expect(flags[0].some((flag) => (flag & FLAG.differs) !== 0)).toBe(false);
  });
});

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { opened } = inBrowser();
  let page: Page;
  let html: string;
  let errors: readonly string[];
  let requests: readonly string[];

  beforeAll(async () => {
    ({ html } = await exportPage(lists, [AS_IT_WAS, CORRECTED], { withTexts: true }));
    ({ page, errors, requests } = await opened(html, "", "table.both tbody tr"));
  });

  it("[VW16] open where they part, with words for it, and the figures of both", async () => {
    const different = await textOf(page, "section[aria-label='What is different']");
    const figures = await textOf(page, "section[aria-label='Side by side']");

    expect(different).toMatch(/Both went the same way until \d:\d\d:\d\d/);
    expect(different).toContain("It goes back to");
    expect(figures).toContain("installs.created Revisions that were created.01");
    expect(await page.$$eval(".timeline canvas:not(.over)", (all) => all.length)).toBe(4);
    expect(await page.$$eval(".both td.alone", (all) => all.length)).toBeGreaterThan(0);
    expect({ errors, asked: requests.filter((url) => !url.startsWith("blob:")).length }).toEqual({
      errors: [],
      asked: 1,
    });
  });

  it("[VW16] have one cursor: the panels show either at the same moment, and the address says which", async () => {
    await page.keyboard.press("End");
    const clock = await textOf(page, ".clock");
    const first = await textOf(page, ".event h2");
    await page.keyboard.press("x");
    await page.waitForFunction(
      `document.querySelector(".event h2").textContent !== ${JSON.stringify(first)}`,
    );
    await page.waitForFunction(`location.hash.includes("run=b")`);

    expect(await textOf(page, ".timeline.chosen h2")).toBe("weather-fetcher: corrected");
    expect((await textOf(page, ".clock")).slice(0, 7)).toBe(clock.slice(0, 7));

    const { page: other } = await opened(
      html,
      await page.evaluate("location.hash").then(String),
      "table.both tbody tr",
    );
    await holds(other, ".timeline.chosen h2", "corrected");
    await other.close();
    await page.keyboard.press("g");
    await page.waitForSelector(".both td.alone");
  });

  it("[VW16] [VW4] say it without a script, too", () => {
    const plain = /<noscript>([\s\S]*)<\/noscript>/.exec(html)?.[1] ?? "";

    expect(plain).toContain("They part at");
    expect(plain).toMatch(/variant<\/td>\s*<td[^>]*>–<\/td>\s*<td[^>]*>corrected/);
    expect(plain.match(/<svg/g)).toHaveLength(2);
    expect(plain).toMatch(/installs\.created<\/td>\s*<td[^>]*>0<\/td>\s*<td[^>]*>1/);
  });
});
