/**
 * What a page of a run costs in a real browser without a GPU: `npm run bench:view [-- --bundle FOLDER --served]`. Times are script,
 * layout and paint together; the bundle of the incident is taken where none is named. A page is a file, or served. Beside them stands the
 * processor time of the page's own thread, which other programs on the machine do not lengthen.
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
import { Player } from "../src/edges/view/player.ts";
import { type ViewPages, viewPages } from "../src/edges/view/viewPages.ts";
import { viewServer } from "../src/edges/view/viewServer.ts";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) =>
  existsSync(path),
);
/** Moves of the pointer while it scrubs. */
const MOVES = 200;
const JUMPS = 30;
const WINDOW = { width: 1400, height: 1000 };

const { values } = parseArgs({
  options: {
    bundle: { type: "string", default: "recordings/safe-file-executor" },
    served: { type: "boolean", default: false },
  },
});

/** The script runs in the page: its compiler knows no browser here. */
const RECORD_FRAMES = `(() => {
  globalThis.frames_ = [];
  let last = performance.now();
  const tick = (now) => { globalThis.frames_.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
})()`;

/** Milliseconds of processor time that the page's thread took since it was asked before. */
async function processorOf(page: Page): Promise<() => Promise<number>> {
  const client = await page.createCDPSession();
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  let before = 0;
  return async () => {
    const { metrics } = await client.send("Performance.getMetrics");
    const now = 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
    const spent = now - before;
    before = now;
    return spent;
  };
}

type Times = Record<"wall" | "processor", readonly number[]>;

const sorted = (all: readonly number[]): readonly number[] => all.toSorted((a, b) => a - b);

/** Of each frame, then of as many moves with a frame each. */
async function scrubbed(page: Page): Promise<Times> {
  const box = await (await page.$(".lanes canvas"))?.boundingBox();
  if (box == null) throw new Error("the page has no time line");
  const scrub = async (moved: () => Promise<unknown>): Promise<void> => {
    await page.mouse.move(box.x + 300, box.y + 5);
    await page.mouse.down();
    for (let move = 0; move < MOVES; move++) {
      await page.mouse.move(box.x + 300 + (move * (box.width - 400)) / MOVES, box.y + 5);
      await moved();
    }
    await page.mouse.up();
  };
  await page.evaluate(RECORD_FRAMES);
  await scrub(async () => {});
  const frames = (await page.evaluate("globalThis.frames_.slice(2)")) as number[]; // As recorded.
  const [spent, processor] = [await processorOf(page), [] as number[]];
  await spent();
  await scrub(async () => {
    await page.evaluate("new Promise((done) => requestAnimationFrame(done))");
    processor.push(await spent());
  });
  return { wall: sorted(frames), processor: sorted(processor) };
}

/** Presses F, which goes to the next failure, and gives the ms until its panel stands there, each time. */
async function jumps(page: Page): Promise<Times> {
  const [wall, processor] = [[] as number[], [] as number[]];
  const spent = await processorOf(page);
  await spent();
  for (let jump = 0; jump < JUMPS; jump++) {
    wall.push(Number(await page.evaluate(JUMP)));
    processor.push(await spent());
  }
  return { wall: sorted(wall), processor: sorted(processor) };
}

function timesText(what: string, { wall, processor }: Times): string {
  const said = (all: readonly number[]): string => {
    const [median, p95] = [0.5, 0.95].map((share) => all[Math.floor((all.length - 1) * share)]);
    return `median ${median?.toFixed(1)}, p95 ${p95?.toFixed(1)}, longest ${all.at(-1)?.toFixed(1)} ms`;
  };
  return `${wall.length} ${what}: ${said(wall)}; of processor time ${said(processor)}`;
}

/** Ms until the panel of the event says something else, and a frame of it was drawn. */
const JUMP = `new Promise((done) => {
  const said = () => document.querySelector(".event")?.textContent;
  const before = said();
  const began = performance.now();
  dispatchEvent(new KeyboardEvent("keydown", { key: "f" }));
  const look = () => said() !== before || performance.now() - began > 5000
    ? requestAnimationFrame(() => done(performance.now() - began)) : setTimeout(look, 1);
  look();
})`;

async function measured(url: string): Promise<string> {
  const browser = await puppeteer.launch({
    executablePath: CHROMIUM ?? "",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
  try {
    const page = await browser.newPage();
    await page.setViewport(WINDOW);
    const began = performance.now();
    await page.goto(url);
    await page.waitForSelector(".event ol.chain li");
    const shownMs = performance.now() - began;
    const paintMs = await page.evaluate(
      `performance.getEntriesByName("first-contentful-paint")[0]?.startTime`,
    );
    const frames = await scrubbed(page);
    await page.keyboard.press("Home");
    await new Promise((done) => setTimeout(done, 500));
    const jumped = await jumps(page);
    const { JSHeapUsedSize = 0 } = await page.metrics();
    return [
      `first paint ${Math.round(Number(paintMs))} ms`,
      `all shown ${Math.round(shownMs)} ms`,
      timesText("frames while scrubbing", frames),
      timesText("jumps", jumped),
      `${Math.round(JSHeapUsedSize / 1e6)} MB of script's memory`,
    ].join("; ");
  } finally {
    await browser.close();
  }
}

/** The page as one file. */
async function exported(bundle: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "ghostlight-bench-"));
  try {
    const began = performance.now();
    const { html } = await exportPage(builtIn, [bundle], { withTexts: true });
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    const file = join(folder, "page.html");
    writeFileSync(file, html);
    return `verified and exported in ${seconds} s, ${(html.length / 1e6).toFixed(1)} MB; ${await measured(pathToFileURL(file).href)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The page as `view` serves it; of a long log, from its index the second time. */
async function served(bundle: string): Promise<string> {
  const player = new Player(builtIn);
  const opened = (): { readonly pages: ViewPages; readonly says: string } => {
    const began = performance.now();
    const pages = viewPages({ lists: builtIn, folders: [bundle], notes: [] }, [], player);
    pages.open();
    return { pages, says: ((performance.now() - began) / 1_000).toFixed(1) };
  };
  const [first, { pages, says }] = [opened().says, opened()];
  const [words, processor]: [number[], number[]] = [[], []];
  const answering: ViewPages["answering"] = async (path, query) => {
    const before = process.cpuUsage();
    const answer = await pages.answering(path, query);
    const { user, system } = process.cpuUsage(before);
    if (path.includes("words-")) {
      words.push((answer?.body.length ?? 0) / 1_000);
      processor.push((user + system) / 1_000);
    }
    return answer;
  };
  const server = await viewServer(
    { ...pages, answering },
    { onError: (error) => console.error(error) },
  );
  try {
    const page = await measured(`${server.origin}0/${server.query}`);
    const { rss } = process.memoryUsage();
    const [kB, ms] = [words, processor].map((all) => sorted(all)[all.length >> 1]?.toFixed(1));
    const asked = `${words.length} times it asked for words: median ${kB} kB, ${ms} ms of the server's processor time`;
    return `opened in ${first} s, then in ${says} s; ${page}; ${asked}; ${Math.round(rss / 1e6)} MB of the server's`;
  } finally {
    player.dispose();
    await server.close();
  }
}

if (CHROMIUM === undefined) {
  process.stdout.write("no Chromium here: nothing was measured\n");
} else {
  const { bundle, served: isServed } = values;
  process.stdout.write(`${bundle}: ${await (isServed ? served : exported)(bundle)}\n`);
}
