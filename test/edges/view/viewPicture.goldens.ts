// The picture of the page of a run that README shows, taken in a real browser.
import { copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportPage } from "../../../src/edges/view/exportPage.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";
import { clicked, hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";

/** Bytes of a picture in the docs. */
const PICTURE_MOST = 250_000;

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { opened } = inBrowser();

  it("[VW3] [VW16] [VW26] [VW56] [VW57] the page of the incident makes the picture in README, and shows no-ghost beside it", async () => {
    const variants = ["no-ghost", "null-is-failure"];
    const incident = ["recordings/safe-file-executor"] as const;
    const { html } = await exportPage(lists, incident, { withTexts: true, variants });
    const { page, errors } = await opened(html);
    await page.setViewport({ width: 1200, height: 800 });
    const picture = join(newFolder(), "viewer.png");
    await page.waitForSelector(".letters tr.here");
    await page.screenshot({ path: picture as `${string}.png` });

    expect(errors).toEqual([]);
    expect(statSync(picture).size).toBeGreaterThan(50_000);
    expect(statSync(picture).size).toBeLessThan(PICTURE_MOST);
    // Fonts are the host's, so the docs' own is taken anew only where that is asked for.
    if (process.env["GHOSTLIGHT_PICTURES"] === "docs") copyFileSync(picture, "docs/viewer.png");

    // What a designer can do stands before what only tells the cause.
    expect(await textOf(page, ".variants")).toMatch(
      /Prevents the failures:✓ null-is-failure.* It sets ghosts\.nullIsFailure = true\..*no remedy:.*✓ no-ghost.* It leaves out goal:safer-writes\./,
    );

    await clicked(page, "button[aria-label='Show beside this run: no-ghost']");
    await holds(page, "header h1", "safe-file-executor beside safe-file-executor: no-ghost");
    await page.waitForSelector(".both td.alone");
    const said = await textOf(page, "section[aria-label='What is different']");
    const figures = await textOf(page, "section[aria-label='Side by side']");
    expect(said).toMatch(/Both went the same way until 0:30:\d\d/);
    expect(figures).toMatch(/goals\.abandoned[^0-9]*970/);
    const strips = await page.$$eval(".strip", (all) => all.map((one) => one.ariaLabel));
    expect(new Set(strips)).toEqual(
      new Set(["failures over the whole run; drag to choose a stretch"]),
    );
    expect(errors).toEqual([]);
  }, 300_000);
});
