import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { drawSynt, type SyntPicture } from "../../src/actors/synt/edge/picture.ts";
import { syntPictureOf } from "../../src/actors/synt/edge/pictureOf.ts";
import { days, hours } from "../../src/machines/units.ts";
import { observe } from "../builtIn.ts";
import { pythonPorts, syntScenario } from "../syntWorld.ts";

function pictured(name: string): SyntPicture {
  const scenario = syntScenario(name);
  const observed = observe(scenario, { ports: pythonPorts });
  return syntPictureOf({ scenario, observed });
}

const parsed = (svg: string) =>
  parseHTML(`<!doctype html><html><body>${svg}</body></html>`).document;

interface Place {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly from: number;
  readonly to: number;
}

/** Texts with their extents: 5 px a character at least, at 11 px. */
function places(svg: string): Place[] {
  return [...parsed(svg).querySelectorAll("text")].map((node) => {
    const text = node.textContent ?? "";
    const group = node.parentElement;
    const moved = (one: typeof group) =>
      /\(([^,]+),([^)]+)\)/
        .exec(one?.getAttribute("transform") ?? "")
        ?.slice(1)
        .map(Number) ?? [];
    const [dx = 0, dy = 0] = moved(group);
    const [ownX = 0, ownY = 0] = moved(node);
    const [x, y] = [dx + ownX, dy + ownY];
    const width = 5 * text.length;
    const anchor = group?.getAttribute("text-anchor");
    const from = anchor === "end" ? x - width : anchor === "middle" ? x - width / 2 : x;
    return { text, x, y, from, to: from + width };
  });
}

describe.each([
  ["synt-naming", 35],
  ["synt-month-lock", 4],
  ["synt-day-cap", 3],
])("%s", (name, rows) => {
  const picture = pictured(name);
  const svg = drawSynt(picture);

  it("[VB23] has a row for each request, refusals by one lock in one", () => {
    expect(picture.requests).toHaveLength(rows);
    const drawn = places(svg).filter(({ text }) => text.startsWith("req-"));
    expect(drawn).toHaveLength(rows);
    expect(new Set(drawn.map(({ y }) => y)).size).toBe(rows);
  });

  it("[VB23] keeps its words apart and on the paper", () => {
    const all = places(svg).sort((a, b) => a.from - b.from);
    const width = Number(parsed(svg).querySelector("svg")?.getAttribute("width"));
    for (const [index, one] of all.entries()) {
      expect(one.from, one.text).toBeGreaterThanOrEqual(0);
      expect(one.x, one.text).toBeLessThanOrEqual(width);
      const near = all.slice(index + 1).filter((other) => Math.abs(other.y - one.y) < 9);
      for (const other of near) {
        expect(other.from, `${one.text} / ${other.text}`).toBeGreaterThanOrEqual(one.to - 1);
      }
    }
  });

  it("[VB23] draws the same string twice, loads nothing and runs nothing", () => {
    expect(drawSynt(picture)).toBe(svg);
    expect(svg.match(/https?:\/\/[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
    expect(svg).not.toMatch(/<script|<image|url\(|NaN|Infinity|undefined/);
  });
});

it("[VB23] shows each state, question and end as the log has them", () => {
  const { requests, turns, nights, steps } = pictured("synt-generalise");

  expect(requests).toMatchObject([
    {
      spans: [{ state: "proposed", fromMs: hours(7) }],
      ends: [{ end: "made" }],
      questions: [{ isDecided: true }],
    },
  ]);
  expect(turns).toEqual([]);
  expect(nights).toHaveLength(29);
  expect(steps.map(({ name }) => name)).toEqual(["executors"]);
});

it("[VB23] money begins each day with nothing, beside its cap", () => {
  const [, money] = pictured("synt-day-cap").steps;

  expect(money?.bound).toEqual({ label: "cap 17 ct", value: 17 });
  expect(money?.lines[0]?.steps).toContainEqual({ atMs: hours(4), value: 0 });
});

const empty: SyntPicture = {
  ...{ title: "x", startsAt: "2026-01-05T09:00:00.000Z", endMs: days(1) },
  ...{ turns: [], requests: [], nights: [], marks: [], steps: [] },
};

it("[VB23] draws a world in which nothing happened, and one that never began", () => {
  for (const endMs of [days(1), 0, Number.NaN]) {
    expect(drawSynt({ ...empty, endMs })).not.toMatch(/NaN|Infinity|undefined|null/);
  }
});

it("[VB23] cuts what was wanted where the outcome begins, at any width", () => {
  const row: SyntPicture["requests"][number] = {
    ...{ label: "wanted ".repeat(40), outcome: "abandoned  ·  R 0.41  ·  12 of 500 ct  ·  2 min" },
    ...{ spans: [], ends: [], questions: [] },
  };

  for (const width of [480, 960, 2400]) {
    const [label, outcome] = places(drawSynt({ ...empty, requests: [row] }, { width })).filter(
      ({ text }) => /^(wanted|abandoned)/.test(text),
    );
    expect(label?.to).toBeLessThan(outcome?.from ?? 0);
    expect(outcome?.x).toBe(width - 16);
  }
});

it("[VB23] stays below 2 MB and keeps strangers' words words", () => {
  const hostile = `<b>&"x'\u0000\u202e\ud800 ${"very ".repeat(200)}]]><script>`;
  const row: SyntPicture["requests"][number] = {
    ...{ label: hostile, outcome: hostile },
    spans: Array.from({ length: 9 }, (_, n) => ({ state: "generating", fromMs: n, toMs: n + 1 })),
    ...{ ends: [{ end: "made", atMs: 9 }], questions: [{ atMs: 1, toMs: 5, isDecided: false }] },
  };
  const many = <T>(one: T): T[] => Array.from({ length: 5_000 }, () => one);

  const svg = drawSynt({
    ...empty,
    ...{ title: hostile, startsAt: hostile, requests: many(row), nights: many(hours(1)) },
    marks: many({ label: hostile, atMs: 5 }),
  });

  expect(Buffer.byteLength(svg)).toBeLessThan(2_000_000);
  expect(svg).toContain("4880 more rows of requests not drawn");
  expect(svg).not.toMatch(/<b>|<script|\]\]>|[\0\u202e\ud800]/);
});
