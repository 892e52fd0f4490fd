// SPEC VW: the list of several bundles, and what a page is made of.
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { Divergence } from "../../../src/edges/errors.ts";
import { pageHtml } from "../../../src/edges/view/pageHtml.ts";
import { Player } from "../../../src/edges/view/player.ts";
import { listed, viewPages, worstFirst } from "../../../src/edges/view/viewPages.ts";
import { bareRow, type Fullness } from "../../../src/edges/view/viewRows.ts";
import { minutes } from "../../../src/machines/units.ts";
import type { ViewPage } from "../../../src/viewer/viewData.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";
import { recordedRun } from "../../recordedRun.ts";
import { viewed } from "./viewedRecording.ts";

it("[VW3] a page is made of no log that the seal does not vouch for, not even in what the digests leave out", async () => {
  const { folder } = await recordedRun({ untilMs: minutes(1) });
  const log = join(folder, "events.jsonl");
  const text = readFileSync(log, "utf8");
  const other = text.replace(/"changes":\[\{.*?"to":\d+/, "$&1");
  writeFileSync(log, other);

  expect(other).not.toBe(text);
  expect(() => viewed(folder)).toThrow(Divergence);
});

it("[VW8] without texts a row has no prompt, answer, content and context; words, states and questions stay", () => {
  const { open } = viewed("recordings/weather-fetcher");
  const rows = (fullness: Fullness) =>
    Array.from({ length: open.head.count }, (_, place) => open.row(place, fullness));
  const [whole, bare] = [rows("whole"), rows("bare")];

  for (const name of ["event", "changes"] as const) {
    expect(whole.some((row) => row[name] !== undefined)).toBe(true);
    expect(bare.some((row) => name in row)).toBe(false);
  }
  expect(whole.some(({ call }) => call?.prompt && call.answer)).toBe(true);
  expect(bare.some(({ call }) => call && ("prompt" in call || "answer" in call))).toBe(false);
  expect(bare).toEqual(whole.map(bareRow));
  const kept = bare.filter(({ says, re, call }) => says && re !== undefined && !call);
  expect(kept.length).toBeGreaterThan(3);
  expect(rows("silent").some((row) => "says" in row)).toBe(false);
});

it("[VW14] the worst comes first: by failures, then by what went wrong in itself, then by name", () => {
  const of = (folder: string, failures: number, wrong: number) => ({
    ...{ folder, title: folder, says: "", fault: null, failures, wrong },
  });
  const all = [of("d", 0, 9), of("c", 1, 0), of("b", 1, 3), of("a", 1, 0)];

  expect(worstFirst(all).map(({ folder }) => folder)).toEqual(["b", "a", "c", "d"]);
});

it("[VW12, VW13, VW14] a page holds no rows, notes stand on top, and a list says why a bundle cannot be opened", async () => {
  const player = new Player(lists);
  const folder = "recordings/weather-fetcher";
  const gone = { ...{ folder, title: "T", says: "", failures: 0, wrong: 0 }, fault: "it is torn" };
  const of = { lists, folders: [folder], notes: ["Line 2 was not read."], cache: newFolder() };
  const pages = viewPages(of, [gone], player);
  const body = async (path: string) => String((await pages.answering(path, ""))?.body);
  const [list, head, page] = [await body(""), JSON.parse(await body("0/head")), await body("0/")];
  player.dispose();

  expect(list).toContain("Cannot be opened: it is torn");
  expect(head.runs[0].notes).toContain("Line 2 was not read.");
  expect(page).not.toMatch(/<script type="text\/plain"/);
});

it("[VW2] what a run quotes ends no element of its page, which loads nothing by itself", () => {
  const title = "</script><!-- & \u2028";
  const page = { runs: [{ title }] } as unknown as ViewPage;
  const html = pageHtml({ page, script: "1", fallback: "", data: [] });

  expect(html).not.toContain("</script><!--");
  expect(html).toContain("\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028");
  expect(html.replaceAll("&#39;", "'")).toContain("default-src 'none'");
});

it("[VW14] a log of more than 8 MB is looked into when it is opened", () => {
  const folder = newFolder();
  const log = join(folder, "events.jsonl");
  writeFileSync(log, "");
  truncateSync(log, 8_000_000);
  expect(listed(builtIn, folder).fault).not.toBeNull();

  truncateSync(log, 8_000_001);
  expect(listed(builtIn, folder)).toMatchObject({
    ...{ says: "a log of 8 MB, looked into when it is opened", fault: null },
  });
});
