// SPEC VW: the list of several bundles, and what a page is made of.
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { Divergence } from "../../../src/edges/errors.ts";
import { pageHtml } from "../../../src/edges/view/pageHtml.ts";
import { Player } from "../../../src/edges/view/player.ts";
import { type ServedRun, servedRun } from "../../../src/edges/view/servedRun.ts";
import { Variants } from "../../../src/edges/view/variants.ts";
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

it("[VW24] where to look first is named on the page of no run that was played", () => {
  const { head } = viewed("recordings/weather-fetcher").open;

  expect([head.suspects, head.found, head.marked]).toEqual([[], [], []]);
});

it("[VW25, VW46, VW56] a page lists every other variant and the run as it was, and plays the run's own world", async () => {
  const { open } = viewed("recordings/weather-fetcher-corrected");
  const served = servedRun(open);
  let world: object = {};
  class Seeing extends Player {
    override play(...[of]: Parameters<Player["play"]>) {
      world = of;
      return Promise.reject(new Error("seen"));
    }
  }
  const variants = new Variants(lists, new Seeing(lists));
  const { manifest, scenario } = served.of;
  const left = { why: "", policy: {}, events: [], expect: [], faults: [] };
  const more = {
    event: { ...left, without: { choices: [], events: ["e"] } },
    choice: { ...left, without: { choices: ["c"], events: [] } },
  };
  const run = (change: object, also: object = {}) => ({
    ...served,
    of: {
      ...{ ...served.of, scenario: { ...scenario, variants: { ...scenario.variants, ...also } } },
      manifest: { ...manifest, ...change },
    },
  });
  const all = variants.of(run({}, more) as ServedRun)?.all;
  const page = variants.onPage(run({ rulesVersion: 1 }, more) as ServedRun, [], []);
  const { "model.jitter": _, ...policy } = manifest.policy;
  const changed = run({ policy: { ...policy, "planner.stepsPerCycle": 1 }, untilMs: 9_000 });

  expect(all?.map(({ name, isSetting }) => [name, isSetting])).toEqual([
    ...[
      ["(as it was)", true],
      ["event", false],
      ["choice", false],
    ],
  ]);
  expect(page?.all.map(({ name }) => name)).toEqual(["(as it was)", "event", "choice"]);
  expect(page?.refusal).toContain("this is a run under other rules");
  await expect(variants.play(changed as ServedRun, "(as it was)", {})).rejects.toThrow("seen");
  expect(world).toMatchObject({
    ...{ seed: manifest.seed, untilMs: 9_000, variant: null, set: { "planner.stepsPerCycle": 1 } },
  });
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
