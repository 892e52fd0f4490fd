// SPEC VW: asking what decided from the page of a run.
import { cpSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Blames } from "../../../src/edges/view/blames.ts";
import { exportPage } from "../../../src/edges/view/exportPage.ts";
import { openRun } from "../../../src/edges/view/openRun.ts";
import { Player } from "../../../src/edges/view/player.ts";
import type { ServedRun } from "../../../src/edges/view/servedRun.ts";
import { viewPages } from "../../../src/edges/view/viewPages.ts";
import { type ViewServer, viewServer } from "../../../src/edges/view/viewServer.ts";
import type { ViewPage, ViewPlaying } from "../../../src/viewer/viewData.ts";
import { lists } from "../../builtInRuns.ts";
import { ghostlight } from "../../cli/ghostlight.ts";
import { plantedScenario } from "../../cli/plantedScenario.ts";
import { newFolder } from "../../folders.ts";
import { clicked, hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";

const cwd = newFolder();
const FOLDER = join(cwd, "bundle");
const player = new Player(lists);
let server: ViewServer;

async function servedPages(folder: string): Promise<ViewServer> {
  const pages = viewPages({ lists, folders: [folder], notes: [] }, [], player);
  return viewServer(pages, { onError: () => {} });
}

beforeAll(async () => {
  writeFileSync(join(cwd, "planted.yaml"), plantedScenario("6m"));
  await ghostlight(["run", "planted", "--out", "bundle"], { cwd });
  server = await servedPages(FOLDER);
});
afterAll(async () => {
  await server.close();
  player.dispose();
});

const head = async ({ origin, query }: ViewServer): Promise<ViewPage> =>
  JSON.parse(await (await fetch(`${origin}0/head${query}`)).text());

function asked({ origin, query }: ViewServer, signal?: AbortSignal) {
  return fetch(`${origin}0/blame${query}`, {
    method: "POST",
    body: "{}",
    ...(signal && { signal }),
  });
}

const linesOf = async (answer: Response): Promise<readonly ViewPlaying[]> =>
  (await answer.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

it("[VW42] it says how far it is, and the page holds the answer with its curve as long as it is served", async () => {
  const before = await head(server);
  const lines = await linesOf(await asked(server));
  const after = await head(server);

  expect(before).toMatchObject({ asks: { canKeep: true }, runs: [{ blame: null }] });
  expect(lines[0]?.says).toBe("playing the run that is asked about");
  expect(lines.some(({ says }) => / of \d+ runs$/.test(says ?? ""))).toBe(true);
  expect(lines.at(-1)).toEqual({ page: "0" });
  expect(after.runs[0]?.blame?.ranking.length).toBeGreaterThan(0);
  expect(after.runs[0]?.blame?.curve.length).toBeGreaterThan(1);
  expect(after.runs[0]?.pictures.map(({ part }) => part)).toContain("");
  expect(existsSync(join(FOLDER, "blame.json"))).toBe(false);
  expect(openRun(lists, FOLDER).head.blame).toBeNull();
});

it("[VW42] it takes its turn with variants, and ends with the page that asked", async () => {
  const [closing, own] = [new AbortController(), await servedPages(FOLDER)];
  const play = async () =>
    linesOf(
      await fetch(`${own.origin}0/play${own.query}`, {
        method: "POST",
        body: JSON.stringify({ variant: "unasked" }),
      }),
    );
  const answer = await asked(own, closing.signal);
  const [[second], [played]] = [await linesOf(await asked(own)), await play()];
  closing.abort();
  await answer.text().catch(() => {});
  let lines = await play();
  while (lines[0]?.fault?.includes("one at a time")) lines = await play();
  await own.close();

  expect([second?.fault, played?.fault]).toEqual(
    [second, played].map(() => expect.stringContaining("one at a time")),
  );
  expect(lines.at(-1)).toEqual({ page: "0-1" });
});

it("[VW42] where the bundle cannot be written, the page offers no place to keep the answer", () => {
  const blames = new Blames(lists, player, undefined);
  const asksOf = (folder: string) =>
    blames.asksOf({ head: { asksBlame: "blame" }, of: { folder } } as ServedRun);

  expect([asksOf(FOLDER), asksOf(join(cwd, "nothing"))]).toEqual([
    { canKeep: true },
    { canKeep: false },
  ]);
});

it("[VW42] of a run that cannot be asked nothing is", async () => {
  await ghostlight(["fork", "bundle", "--at", "2m", "--reseed", "5", "--out", "forked"], { cwd });
  const forked = await servedPages(join(cwd, "forked"));
  const { asks } = await head(forked);
  const lines = await linesOf(await asked(forked));
  await forked.close();

  expect(asks).toBeNull();
  expect(lines.at(-1)?.fault).toContain("a run that was forked");
});

it("[VW42] an exported page asks nothing", async () => {
  const { html } = await exportPage(lists, [FOLDER], { withTexts: false });

  expect(html).toContain('"asks":null');
});

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at } = inBrowser();

  it("[VW42] a click asks, and the panel opens; where it was ticked the bundle keeps it", async () => {
    const folder = join(newFolder(), "bundle");
    cpSync(FOLDER, folder, { recursive: true });
    const own = await servedPages(folder);
    const { page, errors } = await at(`${own.origin}0/${own.query}`, "button.ask");
    // As long as it takes.
    page.setDefaultTimeout(0);
    await clicked(page, "label.ask input");
    await clicked(page, "button.ask");
    await holds(page, ".answers [role=status]", "runs");
    await page.waitForSelector(".decided");
    const text = await textOf(page, ".decided");
    await own.close();

    expect(text).toContain("without goal:");
    expect(await page.$("button.ask")).toBeNull();
    expect(errors).toEqual([]);
    expect(openRun(lists, folder).head.blame).not.toBeNull();
    await page.close();
  });
});
