// SPEC VW: what a page shows of statecharts, and of a run that still goes.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { manifestText } from "../../../src/edges/bundle/bundleWriter.ts";
import { FollowedRun } from "../../../src/edges/view/followedRun.ts";
import { startedIn } from "../../../src/edges/view/openRun.ts";
import { Player } from "../../../src/edges/view/player.ts";
import type { ServedRun } from "../../../src/edges/view/servedRun.ts";
import { viewCharts } from "../../../src/edges/view/viewCharts.ts";
import { viewPages } from "../../../src/edges/view/viewPages.ts";
import { viewServer } from "../../../src/edges/view/viewServer.ts";
import { type Manifest, sealed } from "../../../src/run/bundle.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { policyWith } from "../../builtIn.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";
import { hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";
import { viewed } from "./viewedRecording.ts";

const RECORDING = "recordings/skill-degrades";

describe("statecharts of a run", () => {
  const { open } = viewed(RECORDING);
  const { charts, guards, missing } = viewCharts(open.run, startedIn(open));
  const deliveries = [...open.run.deliveries];

  it("[VW17] hold every state in which the log shows an actor, each within its parent", () => {
    const machines = new Map(
      deliveries.flatMap(({ event }) =>
        event.type === "actor.start" ? [[event.address, event.machine] as const] : [],
      ),
    );
    const shown = deliveries.flatMap(({ to, after }) => {
      const chart = charts[machines.get(to) ?? ""];
      return chart === undefined ? [] : [{ chart, after }];
    });
    const idOf = (value: unknown): string =>
      typeof value === "object" && value !== null
        ? Object.entries(value)
            .map(([key, inner]) => `${key}.${idOf(inner)}`)
            .join()
        : String(value);
    const lost = shown.filter(
      ({ chart, after }) => !chart.states.some((one) => one.id === idOf(after)),
    );

    expect(missing).toBe("");
    expect(shown.length).toBeGreaterThan(1_000);
    expect(lost).toEqual([]);
    let nested = 0;
    for (const { states } of Object.values(charts)) {
      for (const { id, x, y, width, height } of states) {
        const parent = states.find((one) => one.id === id.split(".").slice(0, -1).join("."));
        if (parent === undefined) continue;
        nested += 1;
        expect(x).toBeGreaterThanOrEqual(parent.x);
        expect(y).toBeGreaterThan(parent.y);
        expect(x + width).toBeLessThanOrEqual(parent.x + parent.width);
        expect(y + height).toBeLessThanOrEqual(parent.y + parent.height);
      }
    }
    expect(nested).toBeGreaterThan(10);
  });

  it("[VW17] guards are asked again as they were in the run: no actor goes another way", () => {
    const said = Object.entries(guards ?? {});
    const choosing = said.find(([, all]) => all?.some(([name]) => name === "hasGoal"));
    const { after } = deliveries[Number(choosing?.[0])] ?? {};

    expect(said.length).toBeGreaterThan(100);
    expect(said.filter(([, all]) => all === null)).toEqual([]);
    expect(choosing?.[1]?.find(([name]) => name === "hasGoal")?.[1]).toBe(
      JSON.stringify(after)?.includes("planning") || JSON.stringify(after)?.includes("acting"),
    );
  });

  it("[VW17] where a copy goes another way than the log says, nothing is told of that actor's guards from there on", () => {
    const said = Object.keys(guards ?? {}).map(Number);
    const place = said[20] ?? 0;
    const { to } = deliveries[place] as Delivery;
    const other = deliveries.with(place, { ...(deliveries[place] as Delivery), after: "nowhere" });
    const told = viewCharts({ ...open.run, deliveries: other }, startedIn(open)).guards ?? {};
    const isLost = (at: number): boolean => at >= place && deliveries[at]?.to === to;

    expect(said.filter(isLost).length).toBeGreaterThan(100);
    for (const at of said) expect(told[at]).toEqual(isLost(at) ? null : guards?.[at]);
  });

  it("[VW17] are those under the policy of the run: under another one actors would go another way", () => {
    const { run } = open;
    const policy = policyWith({ "planner.stepsPerCycle": 1, "locks.constrained": 1 });
    const result = { ...run.observed.result, policy };
    const observed = { ...run.observed, result };
    const other = viewCharts({ ...run, observed }, startedIn(open)).guards ?? {};

    expect(Object.values(other)).toContain(null);
  });

  it.each<[string, Partial<Manifest>, RegExp]>([
    [
      "of rules that are not this version's",
      { rulesVersion: 1 },
      /^It was recorded under rules 1, and this version draws those of /,
    ],
    [
      "of a log that was not played",
      { imported: {} as NonNullable<Manifest["imported"]> },
      /^This log was not played, so its actors have none\.$/,
    ],
  ])("[VW17] %s none is drawn, and the page says why", (_, of, why) => {
    const { run } = open;
    const manifest = { ...run.bundle.manifest, ...of };
    const old = viewCharts({ ...run, bundle: { ...run.bundle, manifest } }, startedIn(open));

    expect(old.charts).toEqual({});
    expect(old.guards).toEqual({});
    expect(old.missing).toMatch(why);
  });
});

/** A recording as a run leaves it in the midst: no end, and the inputs so far. */
function inMidst(share: number): {
  readonly folder: string;
  readonly grow: (share: number) => void;
  /** As if it had been begun with another value, which no delivery shows. */
  readonly reset: () => void;
} {
  const folder = join(newFolder(), "run");
  mkdirSync(folder);
  const {
    final: _,
    seal: __,
    ...opening
  } = JSON.parse(readFileSync(join(RECORDING, "manifest.json"), "utf8")) as Manifest;
  writeFileSync(join(folder, "manifest.json"), manifestText(sealed(opening)));
  const lines = readFileSync(join(RECORDING, "inputs.jsonl"), "utf8").split("\n");
  const grow = (part: number): void => {
    if (part === 1) cpSync(RECORDING, folder, { recursive: true });
    else {
      const some = lines.slice(0, Math.floor(lines.length * part)).join("\n");
      writeFileSync(join(folder, "inputs.jsonl"), `${some}\n`);
    }
  };
  const reset = (): void => {
    const policy = { ...opening.policy, "live.retries": 5 };
    writeFileSync(join(folder, "manifest.json"), manifestText(sealed({ ...opening, policy })));
  };
  grow(share);
  return { folder, grow, reset };
}

it("[VW18] a run that grew is played on from where it was saved, and tells what it tells from its start", () => {
  const { folder, grow, reset } = inMidst(0.6);
  const followed = new FollowedRun();
  const first = (run: ServedRun) => run.whole().run.deliveries.at(0);
  const told = ({ head, columns, piece }: ServedRun) => [head, columns, piece(4, "whole")];
  const before = followed.open(lists, folder);
  grow(0.9);
  const grown = followed.open(lists, folder);

  expect(grown.head.count).toBeGreaterThan(before.head.count);
  expect(first(grown)).toBe(first(before));
  expect(told(grown)).toEqual(told(new FollowedRun().open(lists, folder)));

  // One that is no longer what it was is another one from its start.
  grow(0.3);
  const other = followed.open(lists, folder);
  expect(first(other)).not.toBe(first(grown));
  expect(told(other)).toEqual(told(new FollowedRun().open(lists, folder)));
  reset();
  expect(first(followed.open(lists, folder))).not.toBe(first(other));
});

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at } = inBrowser();

  it("[VW18] [VW25] a run that still goes is followed from its end, marked unsealed, until it ends; then its variants can be played", async () => {
    const { folder, grow } = inMidst(0.3);
    const pages = viewPages(
      { lists, folders: [folder], notes: [], isFollowed: true },
      [],
      new Player(lists),
    );
    const server = await viewServer(pages, { onError: () => {} });
    const { page } = await at(`${server.origin}0/${server.query}`, ".event h2");
    const counted = async (): Promise<number> =>
      Number(/ (\d+) deliveries/.exec(await textOf(page, "footer"))?.[1]);
    const before = await counted();
    const clock = await textOf(page, ".clock");

    expect(await textOf(page, "header")).toContain("still going, unsealed");
    expect(await textOf(page, "#app")).not.toContain("did not end as planned");
    expect(await textOf(page, "#app")).toContain("this is a run that did not come to its end.");
    expect(await page.$("button.play")).toBeNull();
    grow(0.6);
    await page.waitForFunction(
      `Number(/ (\\d+) deliveries/.exec(document.querySelector("footer").textContent)[1]) > ${before}`,
    );
    expect((await textOf(page, ".clock")) > clock).toBe(true);

    // Whoever looks at the past is left there.
    await page.keyboard.press("Home");
    grow(1);
    await page.waitForFunction(`document.querySelector(".live") === null`);
    expect(await textOf(page, ".clock")).toBe("0:00:00");
    expect(await counted()).toBe(viewed(RECORDING).log.count);
    expect(await page.$("button.play")).not.toBeNull();
    await page.close();
    await server.close();
  });

  it("[VW17] the state of an actor is lit at the cursor, and its guards say what they said", async () => {
    const pages = viewPages({ lists, folders: [RECORDING], notes: [] }, [], new Player(lists));
    const server = await viewServer(pages, { onError: () => {} });
    const url = `${server.origin}0/${server.query}#tab=state&n=0`;
    const { page, errors } = await at(url, ".chart svg, .state p");
    const agents = await page.$$eval(".state option", (all) =>
      all.map((one) => one.value).filter((one) => one.startsWith("agent/")),
    );
    await page.select(".state select", agents[0] ?? "");
    await page.keyboard.press("End");
    await page.waitForSelector(".chart .on");
    const said = await textOf(page, ".state .lit");
    const lit = await page.$$eval(".chart .on text", (all) => all.map((one) => one.textContent));

    expect(lit.join(".")).toBe(said);
    expect(await textOf(page, ".state")).toMatch(/Ways on from here \(\d+\)/);
    await page.select(".state select", "port/llm.chat");
    await holds(page, ".state", "has no statechart: it is a service");
    expect(errors).toEqual([]);
    await page.close();
    await server.close();
  });
});

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at } = inBrowser();

  it("[VW19] idle time is squeezed, a stretch is played over and over, and a link opens it like that", async () => {
    const pages = viewPages(
      { lists, folders: ["recordings/synt-day-lock"], notes: [] },
      [],
      new Player(lists),
    );
    const server = await viewServer(pages, { onError: () => {} });
    const { page } = await at(`${server.origin}0/${server.query}`, ".event h2");
    await page.keyboard.press("0");
    await page.keyboard.press("i");
    await page.waitForFunction(`location.hash.includes("idle=squeezed")`);
    const pressed = await page.$$eval("button[aria-pressed=true]", (all) =>
      all.map((one) => one.textContent),
    );
    expect(pressed).toContain("Squeeze idle time I");

    await page.keyboard.press("Home");
    await page.keyboard.press("l");
    for (let count = 0; count < 12; count++) await page.keyboard.press("w");
    await page.waitForFunction(`location.hash.includes("to=")`);
    const hash = String(await page.evaluate("location.hash"));
    const to = /to=([\d:.]+)/.exec(hash)?.[1] ?? "";
    await page.select("select[aria-label=Speed]", "14400");
    await page.keyboard.press(" ");
    // It goes on playing, and never leaves the stretch.
    await new Promise((done) => setTimeout(done, 600));
    const seconds = (text: string): number =>
      text.split(":").reduce((sum, one) => sum * 60 + Number(one), 0);
    expect(await page.$("button[aria-label=Stop]")).not.toBeNull();
    expect(seconds(await textOf(page, ".clock"))).toBeLessThanOrEqual(seconds(to) + 1);
    await page.close();
    await server.close();
  });
});
