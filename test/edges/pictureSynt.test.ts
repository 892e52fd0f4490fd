import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { syntPicture } from "../../src/actors/synt/edge/picture.ts";
import type { Picture, Row, Steps } from "../../src/contract/picture.ts";
import { drawPicture } from "../../src/edges/report/picture.ts";
import { days, hours } from "../../src/machines/units.ts";
import { observe } from "../builtIn.ts";
import { pythonPorts, syntScenario } from "../syntWorld.ts";

const head = { title: "x", startsAt: "2026-01-05T09:00:00.000Z", endMs: days(1) };

const requestsOf = ({ lanes }: Picture): Row[] =>
  lanes.filter((lane) => lane.is === "row").filter(({ label }) => label !== "turns");
const stepsOf = ({ lanes }: Picture): Steps[] => lanes.filter((lane) => lane.is === "steps");

function pictured(name: string): Picture & { readonly endMs: number } {
  const scenario = syntScenario(name);
  const observed = observe(scenario, { ports: pythonPorts });
  return { ...syntPicture({ scenario, observed }), endMs: observed.result.virtualMs };
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
  const svg = drawPicture(picture, { ...head, endMs: picture.endMs });

  it("[VB23] has a row for each request, refusals by one lock in one", () => {
    expect(requestsOf(picture)).toHaveLength(rows);
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
    expect(drawPicture(picture, { ...head, endMs: picture.endMs })).toBe(svg);
    expect(svg.match(/https?:\/\/[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
    expect(svg).not.toMatch(/<script|<image|url\(|NaN|Infinity|undefined/);
  });
});

it("[VB23] shows each state, question and end as the log has them", () => {
  const picture = pictured("synt-generalise");

  expect(requestsOf(picture)).toMatchObject([
    {
      spans: [{ phase: "proposed", fromMs: hours(7) }, { phase: "asked" }],
      points: [{ kind: "made" }, { kind: "question" }, { kind: "decision" }],
    },
  ]);
  expect(picture.lanes.filter((lane) => lane.is === "row" && lane.label === "turns")).toEqual([]);
  expect(picture.instants?.at).toHaveLength(29);
  expect(stepsOf(picture).map(({ name }) => name)).toEqual(["executors"]);
});

it("[VB23] turns stand on a row by how they ended, and a request that was rejected is marked as refused", () => {
  const scenario = syntScenario("synt-day-cap");
  const observed = observe(scenario, { untilMs: 0 });
  const { synt } = observed.story;
  const turn = { says: "wish", unasked: null, isReplayed: false, told: "" };
  synt.turns.push(
    { ...turn, turn: "a", atMs: 1, endMs: 9, ok: true },
    { ...turn, turn: "b", atMs: 2, endMs: 9, ok: false },
    { ...turn, turn: "c", atMs: 3, endMs: null, ok: false },
  );
  for (const state of ["born", "rejected", "abandoned", "suspended"] as const) {
    synt.requests.push({
      ...{
        request: state,
        asker: "x",
        intent: state,
        strategy: null,
        states: [{ state, atMs: 4 }],
      },
      ...{ reward: null, terms: null, weighed: [], spent: 0, cap: null, isRefused: false },
      ...{ rationale: state, made: null, endMs: 5 },
    });
  }
  synt.pool.push({ atMs: 6, loaded: 3, visible: 2 });
  const picture = syntPicture({ scenario, observed });
  const [turns, ...requests] = picture.lanes.filter((lane) => lane.is === "row");

  expect(turns?.label).toBe("turns");
  expect(turns?.points).toEqual([
    { kind: "turn done", atMs: 1, says: "a: wish" },
    { kind: "turn declined", atMs: 2, says: "b: wish" },
    { kind: "turn open", atMs: 3, says: "c: wish" },
  ]);
  expect(requests.map(({ points }) => points[0]?.kind)).toEqual([
    ...["made", "refused", "refused", "suspended"],
  ]);
  const [pool] = stepsOf(picture);
  expect(pool?.lines.map(({ label, steps }) => [label, steps.at(-1)?.value])).toEqual([
    ["3 can be called (wide line)", 3],
    ["planners see 2", 2],
  ]);
});

it("[VB23] money begins each day with nothing, beside its cap", () => {
  const [, money] = stepsOf(pictured("synt-day-cap"));

  expect(money?.bound).toEqual({ label: "cap 17 ct", value: 17 });
  expect(money?.lines[0]?.steps).toContainEqual({ atMs: hours(4), value: 0 });
});

const empty: Picture = {
  ...{ says: "", phases: { generating: { shape: "bar", colour: "#e69f00" } } },
  ...{ lanes: [], marks: [] },
};

it("[VB23] draws a world in which nothing happened, and one that never began", () => {
  for (const endMs of [days(1), 0, Number.NaN]) {
    expect(drawPicture(empty, { ...head, endMs })).not.toMatch(/NaN|Infinity|undefined|null/);
  }
});

it("[VB23] cuts what was wanted where the outcome begins, at any width", () => {
  const row: Row = {
    ...{ is: "row", label: "wanted ".repeat(40), spans: [], points: [] },
    outcome: "abandoned  ·  R 0.41  ·  12 of 500 ct  ·  2 min",
  };

  for (const width of [480, 960, 2400]) {
    const [label, outcome] = places(
      drawPicture({ ...empty, lanes: [row] }, head, { width }),
    ).filter(({ text }) => /^(wanted|abandoned)/.test(text));
    expect(label?.to).toBeLessThan(outcome?.from ?? 0);
    expect(outcome?.x).toBe(width - 16);
  }
});

it("[VB23] stays below 2 MB and keeps strangers' words words", () => {
  const hostile = `<b>&"x'\u0000\u202e\ud800 ${"very ".repeat(200)}]]><script>`;
  const row: Row = {
    ...{ is: "row", label: hostile, outcome: hostile },
    spans: Array.from({ length: 9 }, (_, n) => ({ phase: "generating", fromMs: n, toMs: n + 1 })),
    points: [{ kind: "made", atMs: 9, says: hostile }],
  };
  const many = <T>(one: T): T[] => Array.from({ length: 5_000 }, () => one);

  const svg = drawPicture(
    {
      ...{ ...empty, lanes: many(row), instants: { says: "night", at: many(hours(1)) } },
      marks: many({ label: hostile, atMs: 5 }),
    },
    { ...head, title: hostile, startsAt: hostile },
  );

  expect(Buffer.byteLength(svg)).toBeLessThan(2_000_000);
  expect(svg).toContain("4880 more rows not drawn");
  expect(svg).not.toMatch(/<b>|<script|\]\]>|[\0\u202e\ud800]/);
});

it("[VW49] the end of a request tells R with what each term adds to it", () => {
  const said = requestsOf(pictured("synt-naming")).flatMap(({ points }) =>
    points.flatMap(({ says }) => (says?.startsWith("R ") ? [says] : [])),
  );

  expect(said.length).toBeGreaterThan(3);
  for (const one of said) {
    const [total = 0, ...terms] = [...one.matchAll(/-?\d\.\d{3}/g)].map(Number);
    expect(one).toMatch(/^R \d\.\d{3} = det_pass_rate .* \+ judge_score /);
    expect(terms).toHaveLength(6);
    expect(Math.abs(terms.reduce((sum, term) => sum + term, 0) - total)).toBeLessThan(0.004);
  }
});
