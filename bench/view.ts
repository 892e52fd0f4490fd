/**
 * What a page of a run costs in a real browser without a GPU: `npm run bench:view [-- --bundle FOLDER]`. Times are script, layout
 * and paint together; the bundle of the incident is taken where none is named.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import puppeteer, { type Page } from "puppeteer-core";
import "../src/edges/bundle/nodeSha256.ts";
import { builtIn } from "../src/builtIn/lists.ts";
import { exportPage } from "../src/edges/view/exportPage.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) =>
  existsSync(path),
);
/** Moves of the pointer while it scrubs. */
const MOVES = 200;
const WINDOW = { width: 1400, height: 1000 };

const { values } = parseArgs({
  options: { bundle: { type: "string", default: "recordings/safe-file-executor" } },
});

/** The script runs in the page: its compiler knows no browser here. */
const RECORD_FRAMES = `(() => {
  globalThis.frames_ = [];
  let last = performance.now();
  const tick = (now) => { globalThis.frames_.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
})()`;

async function scrubbed(page: Page): Promise<readonly number[]> {
  const box = await (await page.$(".lanes canvas"))?.boundingBox();
  if (box == null) throw new Error("the page has no time line");
  await page.evaluate(RECORD_FRAMES);
  await page.mouse.move(box.x + 300, box.y + 5);
  await page.mouse.down();
  for (let move = 0; move < MOVES; move++) {
    await page.mouse.move(box.x + 300 + (move * (box.width - 400)) / MOVES, box.y + 5);
  }
  await page.mouse.up();
  const frames = (await page.evaluate("globalThis.frames_.slice(2)")) as number[]; // As recorded.
  return frames.sort((a, b) => a - b);
}

async function measured(file: string): Promise<string> {
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const page = await browser.newPage();
    await page.setViewport(WINDOW);
    const began = performance.now();
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector(".event ol.chain li");
    const shownMs = performance.now() - began;
    const paintMs = await page.evaluate(
      `performance.getEntriesByName("first-contentful-paint")[0]?.startTime`,
    );
    const frames = await scrubbed(page);
    const at = (share: number): string =>
      (frames[Math.floor((frames.length - 1) * share)] ?? 0).toFixed(1);
    const { JSHeapUsedSize = 0 } = await page.metrics();
    return [
      `first paint ${Math.round(Number(paintMs))} ms`,
      `all shown ${Math.round(shownMs)} ms`,
      `${frames.length} frames while scrubbing: median ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)} ms`,
      `${Math.round(JSHeapUsedSize / 1e6)} MB of script's memory`,
    ].join("; ");
  } finally {
    await browser.close();
  }
}

if (CHROMIUM === undefined) {
  process.stdout.write("no Chromium here: nothing was measured\n");
} else {
  const folder = mkdtempSync(join(tmpdir(), "ghostlight-bench-"));
  try {
    const began = performance.now();
    const { html } = await exportPage(builtIn, [values.bundle], { withTexts: true });
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const file = join(folder, "page.html");
    writeFileSync(file, html);
    process.stdout.write(
      `${values.bundle}: verified and exported in ${seconds} s, ${(html.length / 1e6).toFixed(1)} MB; ${await measured(file)}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
