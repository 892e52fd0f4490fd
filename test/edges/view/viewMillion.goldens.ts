// SPEC VW: a log of a million actors, whose page must stay in bounds.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readInto } from "../../../src/actors/imported/edge/readInto.ts";
import { exportPage } from "../../../src/edges/view/exportPage.ts";
import { openRun } from "../../../src/edges/view/openRun.ts";
import { pageHtml, pagePolicy, safeScript } from "../../../src/edges/view/pageHtml.ts";
import { pageScript } from "../../../src/edges/view/pageScript.ts";
import { viewServer } from "../../../src/edges/view/viewServer.ts";
import { FLAG, packColumns, type ViewPage, type ViewRow } from "../../../src/viewer/viewData.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";
import { hasChromium, holds, inBrowser } from "./inBrowser.ts";

const COUNT = 1_000_000;

/** Each delivery goes from one actor to the next; what is no number is that of a real run. */
function pageOfMillion() {
  const { head } = openRun(lists, "recordings/weather-fetcher");
  const addresses = Array.from({ length: COUNT }, (_, number) => `agent/a${number}`);
  const page: ViewPage = {
    runs: [
      {
        ...{ ...head, addresses, types: ["log.said"], count: COUNT, endMs: COUNT },
        ...{ starts: [], chains: [], becauseCount: 0, hasChains: false },
      },
    ],
    ...{ beside: null, plays: null, asks: null, alone: null },
  };
  const numbers = Int32Array.from({ length: COUNT }, (_, number) => number);
  const columns = {
    ...{ atMs: Float64Array.from(numbers), seq: numbers, from: numbers },
    ...{ to: numbers.map((number) => (number + 1) % COUNT), type: new Int32Array(COUNT) },
    ...{ cause: numbers.map((number) => number - 1), next: new Int32Array(COUNT).fill(-1) },
    ...{ becauseStart: new Int32Array(COUNT + 1), because: new Int32Array(0) },
    flags: new Uint8Array(COUNT).fill(FLAG.told),
  };
  return { page, columns: packColumns(columns) };
}

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at } = inBrowser();

  it("[VW45] a page of a million actors opens, steps and says whom its lists leave out", async () => {
    const { page: shown, columns } = pageOfMillion();
    const [script, pieceSize] = [await pageScript(), shown.runs[0]?.pieceSize ?? 0];
    const html = pageHtml({ page: shown, script, fallback: "", data: [], isServed: true });
    const row: ViewRow = {
      says: "It said a word.",
      fate: "handled",
      before: "idle",
      after: "idle",
    };
    const piece = Array.from({ length: pieceSize }, () => row);
    const answering = async (path: string) => {
      if (path === "0/") {
        return { type: "text/html", body: html, policy: pagePolicy(safeScript(script), true) };
      }
      const type = "application/json";
      if (path === "0/head") return { type, body: JSON.stringify(shown) };
      if (path === "0/0-columns") return { type, body: columns };
      if (path.startsWith("0/0-piece-")) return { type, body: JSON.stringify(piece) };
      const words = path.split("_").map(() => piece);
      return { type, body: JSON.stringify(words) };
    };
    const server = await viewServer({ answering, posting: () => undefined }, { onError: () => {} });
    const { page, errors } = await at(`${server.origin}0/${server.query}`, ".letters tr.here");
    const optionsOf = (selector: string) =>
      page.$$eval(`${selector} option`, (all) => all.map((one) => one.textContent));
    const names = await optionsOf("select[aria-label=Actor]");
    await page.keyboard.press("End");
    await holds(page, ".event .quiet", "#999999 ");
    await page.keyboard.press("2");
    await page.waitForSelector(".state select");
    const [actors, { Nodes, JSHeapUsedSize }] = [
      await optionsOf(".state select"),
      await page.metrics(),
    ];
    await page.close();
    await server.close();

    expect(names.length).toBeLessThan(2_100);
    for (const all of [names, actors]) expect(all.at(-1)).toBe("998000 more: find them by name");
    expect(Nodes).toBeLessThan(50_000);
    expect(JSHeapUsedSize).toBeLessThan(500_000_000);
    expect(errors).toEqual([]);
  });
});

it("[VW45] [VW8] a page whose names alone have no room is refused, and none passes its size", async () => {
  const [file, out] = [join(newFolder(), "names.json"), newFolder()];
  const said = (number: number) => ({
    ...{ role: "assistant", name: `agent_${"x".repeat(60)}${number}`, content: "word" },
  });
  writeFileSync(file, JSON.stringify(Array.from({ length: 2_000 }, (_, number) => said(number))));
  await readInto([file], out, new AbortController().signal);
  const whole = await exportPage(lists, [out], { withTexts: false });
  expect(whole.html).toMatch(/"undrawn":\[[^\]]*\d+ rows not drawn/);
  const shares = [0.3, 0.5, 0.7, 0.85, 0.95];
  const pages = await Promise.all(
    shares.map(async (share) => {
      const bytesMost = Math.round(whole.html.length * share);
      const made = await exportPage(lists, [out], { withTexts: false, bytesMost }).catch(String);
      return typeof made === "string" ? made : made.html.length <= bytesMost;
    }),
  );

  for (const one of pages) expect(one === true || String(one).includes("has no room")).toBe(true);
  expect(pages[0]).not.toBe(true);
});
