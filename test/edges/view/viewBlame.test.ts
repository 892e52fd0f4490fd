// SPEC VW: what decided, on the page of a run, as `blame --keep` left it.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { beforeAll, describe, expect, it } from "vitest";
import { blameFileText } from "../../../src/edges/causes/blameFile.ts";
import { variantsText } from "../../../src/edges/report/variantsFile.ts";
import { exportPage } from "../../../src/edges/view/exportPage.ts";
import { openRun } from "../../../src/edges/view/openRun.ts";
import type { ViewBlame } from "../../../src/viewer/viewData.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";
import { clicked, hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";

const FOLDER = "recordings/lock-feedback";
const HOSTILE = "<img src=x onerror=alert(1)>";

const { final } = JSON.parse(readFileSync(join(FOLDER, "manifest.json"), "utf8"));
const endMs: number = final.virtualMs;
const suspect = { behind: "3 of 3", first: "agent/cedar, plan, call 7", atMs: endMs / 4 };
const BLAME: ViewBlame = {
  outcome: "it went wrong",
  head: "Would it happen again?",
  ranking: [
    {
      ...{ ...suspect, says: "without plan:a", place: 40, still: "1 of 10", decides: true },
      ...{ effect: "90 % (25 … 100 %)", bar: [0.9, 0.25, 1] },
    },
    {
      ...{ ...suspect, says: HOSTILE, place: 1e9, still: "10 of 10", decides: false },
      ...{ effect: "0 % (-40 … 40 %)", bar: [0, -0.4, 0.4] },
    },
  ],
  notes: ["Either alone changes nothing; without both a and b it does not happen."],
  curve: [0, 0, 9].map((hits, at) => ({ atMs: Math.round((at * endMs) / 4), hits, n: 10 })),
  closing: "60 runs.",
};

/** A copy of the recording, with this beside it. */
function keptWith(text: string): string {
  const out = join(newFolder(), "bundle");
  cpSync(FOLDER, out, { recursive: true });
  writeFileSync(join(out, "blame.json"), text);
  return out;
}

const blameOf = (folder: string) => openRun(lists, folder).head.blame;

it("[VW40] what was kept is read again as it was", () => {
  expect(blameOf(keptWith(blameFileText(BLAME, final.digest)))).toEqual(BLAME);
});

it.each([
  ["is of another run", { ...BLAME, of: "0".repeat(64) }],
  ["has no ranking", { ...BLAME, of: final.digest, ranking: 7 }],
  ["has a moment that never was", { ...BLAME, of: final.digest, curve: [{ atMs: -1 }] }],
  ["is no table at all", null],
])("[VW40] what %s is not shown", (_, found) => {
  expect(blameOf(keptWith(JSON.stringify(found)))).toBeNull();
});

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { opened } = inBrowser();
  let page: Page;
  let errors: readonly string[];
  let html: string;
  beforeAll(async () => {
    const out = keptWith(blameFileText(BLAME, final.digest));
    const table = { title: "Otherwise", head: ["Variant"], rows: [{ cells: ["calm"], wrong: 0 }] };
    writeFileSync(join(out, "variants.json"), variantsText(table, final.digest));
    ({ html } = await exportPage(lists, [out], { withTexts: false }));
    ({ page, errors } = await opened(html, "", ".decided"));
  });

  it("[VW40] shows each suspect with its lane, its effect and the interval, and the sets in words", async () => {
    const text = await textOf(page, ".decided");
    const styles = await page.$$eval(".suspects :is(.lane i, .effect b)", (all) =>
      all.map((one) => one.getAttribute("style")),
    );

    expect(text).toContain("90 % (25 … 100 %)");
    expect(text).toContain("without both a and b it does not happen");
    expect(text).toContain("The seal of the bundle does not vouch for this.");
    expect(styles.slice(0, 2)).toEqual(["left: 25%;", "left: 25%; right: 0%;"]);
  });

  it("[VW40] names the jump of the curve, and a click on a suspect moves the one cursor", async () => {
    expect(await textOf(page, ".moments")).toContain("P(outcome) from 0 to 9 of 10");
    await clicked(page, ".suspects .link");
    const seq = openRun(lists, FOLDER).columns.seq[40];
    await holds(page, ".event .quiet", `#${seq} `);
  });

  it("[VB62] what a load locks stands on the time line, too", async () => {
    expect(await textOf(page, ".legend")).toContain("locked by load");
  });

  it("[VW4] [VW40] what a stranger wrote is text, leads nowhere beyond the log, and is told without a script", async () => {
    const others = await page.$$eval("details .suspects .link", (all) => all.length);

    expect(await textOf(page, "details .suspects")).toContain(HOSTILE);
    expect(others).toBe(0);
    expect(errors).toEqual([]);
    const plain = /<noscript>([\s\S]*)<\/noscript>/.exec(html)?.[1] ?? "";
    expect(plain).toContain("What decided: it went wrong");
    expect(plain).toMatch(/Otherwise[\s\S]*<td[^>]*>calm<\/td>/);
  });
});
