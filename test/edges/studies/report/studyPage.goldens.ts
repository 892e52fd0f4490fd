// The pages of studies in a real browser, opened from disk; and the pictures that README and docs show.
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { studyPage } from "../../../../src/edges/studies/report/studyPage.ts";
import { ghostlight } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";
import { clicked, heardOf } from "../../view/inBrowser.ts";
import { largeResult } from "./largeResult.ts";
import { HOSTILE, studyResult } from "./studyResult.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) =>
  existsSync(path),
);
/** Bytes of a picture in the docs. */
const PICTURE_MOST = 150_000;

describe.skipIf(CHROMIUM === undefined)("(skipped where Chromium is absent)", () => {
  const folder = newFolder();
  let browser: Browser;

  beforeAll(async () => {
    browser = await puppeteer.launch({
      executablePath: CHROMIUM ?? "",
      // The page is ours, and a container's root has no sandbox of Chromium's.
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
  });

  afterAll(async () => {
    await browser?.close();
  });

  /** With what it asked for and complained of. */
  async function opened(file: string, width = 1100) {
    const page = await browser.newPage();
    await page.setViewport({ width, height: 900 });
    const heard = heardOf(page);
    await page.goto(pathToFileURL(file).href);
    return { page, ...heard };
  }

  function written(name: string, html: string): string {
    const file = join(folder, name);
    writeFileSync(file, html);
    return file;
  }

  describe("a page with hostile names", () => {
    let page: Page;
    let errors: string[];
    let requests: string[];

    beforeAll(async () => {
      const names = { study: HOSTILE, outcome: HOSTILE, value: HOSTILE, factor: HOSTILE };
      const file = written("report.html", studyPage(studyResult(names)));
      ({ page, errors, requests } = await opened(file));
    });

    const count = (selector: string) => page.$$eval(selector, (all) => all.length);
    const text = (selector: string) => page.$eval(selector, (one) => one.textContent);

    it("[ST105] opens from disk, asks for nothing else, and runs nobody else's script", () => {
      expect(requests).toHaveLength(1);
      expect(errors).toEqual([]);
    });

    it("[ST104] says the values of a mark, and shows the command that opens its run", async () => {
      const mark = await page.$(".levels > circle");
      await mark?.hover();
      expect(await text("#tip")).toContain(HOSTILE.slice(0, 20));
      await mark?.click();
      expect(await text("#command")).toContain("npx ghostlight run x --seed 7 --set point=");
      await page.keyboard.press("Escape");
      expect(await count("#chosen[hidden]")).toBe(1);
    });

    it("[ST104] drawing along an axis fades the marks of other points in every chart", async () => {
      await brush(page, 0, 0, 106);

      expect(await text("#brushed")).toBe("2 of 6 points chosen");
      expect(await count(".lines > path.faded")).toBe(4);
      expect(await count(".cells > rect.faded")).toBe(8);
      expect(await count("tr.faded")).toBe(4);
      await clicked(page, "#clear");
      expect(await count(".faded")).toBe(0);
    });

    it("[ST103] prints", async () => {
      const pdf = await page.pdf();

      expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe("%PDF-");
      expect(errors).toEqual([]);
    });

    it("[ST109] follows the reader's choice of light or dark, and is white on paper", async () => {
      const paper = () =>
        page.$eval(
          "body",
          (body) => body.ownerDocument.defaultView?.getComputedStyle(body).backgroundColor,
        );
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
      expect(await paper()).toBe("rgb(20, 24, 29)");
      await page.emulateMediaType("print");
      expect(await paper()).toBe("rgb(255, 255, 255)");
    });
  });

  it("[ST109] a screen of 400 px holds a page with many factors", async () => {
    const file = written("narrow.html", studyPage(largeResult(40, 2)));
    const { page, errors } = await opened(file, 400);

    expect(await page.$eval("html", ({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(400);
    expect(errors).toEqual([]);
  });

  it("[ST106] intervals of 300 points are drawn, and of one more none", () => {
    const says = "without their intervals";

    expect([300, 301].map((points) => studyPage(largeResult(points, 1)).includes(says))).toEqual([
      ...[false, true],
    ]);
  });

  it("[ST106] 2,000 points open, and can be brushed", async () => {
    const html = studyPage(largeResult(2_000, 2));
    const { page, errors } = await opened(written("large.html", html));
    await brush(page, 0, 60, 160);

    expect(html.length).toBeLessThan(8_000_000);
    expect(await page.$eval("#brushed", (one) => one.textContent)).toMatch(/of 1000 points chosen/);
    expect(errors).toEqual([]);
  });

  it.each([
    ["lock-thresholds", "[data-brush]", "studies-points"],
    ["spiral-frontier", "figure", "studies-frontier"],
  ])("[ST103] the page of %s makes the picture in the docs", async (study, selector, name) => {
    const out = join(folder, study);
    // The whole of it takes minutes, so all replicates are played only where the docs' picture is taken.
    const isForDocs = process.env["GHOSTLIGHT_PICTURES"] === "docs";
    const whole = readFileSync(`studies/${study}.yaml`, "utf8");
    const few = written(`${study}.yaml`, whole.replace("replicates: 30", "replicates: 4"));
    const played = isForDocs ? study : few;
    const said = await ghostlight(["sweep", played, "--out", out, "--workers", "2"]);
    expect(said.code).toBe(0);
    const { page, errors } = await opened(join(out, "report.html"));
    const picture = join(folder, `${name}.png`);
    const figure = await page.$(selector);
    await figure?.screenshot({ path: picture as `${string}.png` });

    expect(errors).toEqual([]);
    expect(statSync(picture).size).toBeGreaterThan(10_000);
    expect(statSync(picture).size).toBeLessThan(PICTURE_MOST);
    // Fonts are the host's, so the docs' own are taken anew only where that is asked for.
    if (isForDocs) copyFileSync(picture, `docs/${name}.png`);
  });
});

/** Draws down along an axis, from and to so many px of the chart's own below its upper edge. */
async function brush(page: Page, axis: number, from: number, to: number): Promise<void> {
  const svg = await page.$("[data-brush] svg");
  await svg?.scrollIntoView();
  const place = await page.$eval("#data", (one) => JSON.parse(one.textContent ?? "").brush);
  const box = await svg?.boundingBox();
  if (box == null) throw new Error("all points are drawn");
  const scale = box.width / 940;
  const x = box.x + place.axes[axis].x * scale;
  const top = box.y + (place.top - 14) * scale;
  await page.mouse.move(x, top + from * scale);
  await page.mouse.down();
  await page.mouse.move(x, top + to * scale, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction("document.querySelector('#brushed').textContent !== ''");
}
