// The page of a study in a real browser, opened from disk.
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { studyPage } from "../../../../src/edges/studies/report/studyPage.ts";
import { HOSTILE, studyResult } from "./studyResult.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) =>
  existsSync(path),
);

describe.skipIf(CHROMIUM === undefined)("(skipped where Chromium is absent)", () => {
  const folder = mkdtempSync(join(tmpdir(), "ghostlight-page-"));
  const errors: string[] = [];
  const requests: string[] = [];
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const name = HOSTILE;
    const names = { study: name, outcome: name, value: name, factor: name };
    const file = join(folder, "report.html");
    writeFileSync(file, studyPage(studyResult(names)));
    browser = await puppeteer.launch({
      executablePath: CHROMIUM ?? "",
      // The page is ours, and a container's root has no sandbox of Chromium's.
      args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    });
    page = await browser.newPage();
    await page.setViewport({ width: 1100, height: 900 });
    page.on("dialog", (dialog) => {
      errors.push(dialog.message());
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => void errors.push(String(error)));
    page.on("console", (message) => void errors.push(message.text()));
    page.on("request", (request) => void requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
  });

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
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
    const svg = await page.$("[data-brush] svg");
    await svg?.scrollIntoView();
    const box = await svg?.boundingBox();
    if (box == null) throw new Error("all points are drawn");
    const scale = box.width / 940;
    const x = box.x + 90 * scale;
    await page.mouse.move(x, box.y + 20 * scale);
    await page.mouse.down();
    await page.mouse.move(x, box.y + 120 * scale, { steps: 4 });
    await page.mouse.up();

    expect(await text("#brushed")).toBe("2 of 6 points chosen");
    expect(await count(".lines > path.faded")).toBe(4);
    expect(await count(".cells > rect.faded")).toBe(8);
    expect(await count("tr.faded")).toBe(4);
    const picture = join(folder, "page.png");
    await page.screenshot({ path: picture, fullPage: true });
    expect(statSync(picture).size).toBeGreaterThan(20_000);
    await page.click("#clear");
    expect(await count(".faded")).toBe(0);
  });

  it("[ST103] prints", async () => {
    const pdf = await page.pdf();

    expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe("%PDF-");
    expect(errors).toEqual([]);
  });
});
