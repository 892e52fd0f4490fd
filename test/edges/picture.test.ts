import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { ink, type Lane, type Picture } from "../../src/contract/picture.ts";
import { drawPicture } from "../../src/edges/report/picture.ts";
import { frameOf } from "../../src/edges/report/pictureFrame.ts";

const minuteMs = 60_000;
const runMs = 120 * minuteMs;
const ghost = { fromMs: 31 * minuteMs, toMs: 92 * minuteMs };

interface Agent {
  readonly name: string;
  readonly goals: readonly {
    readonly startMs: number;
    readonly endMs: number;
    readonly status: "completed" | "abandoned" | "active";
    readonly label: string;
  }[];
  readonly load: readonly { readonly atMs: number; readonly load: number }[];
}

interface RunPicture {
  readonly title: string;
  readonly startsAt: string;
  readonly endMs: number;
  readonly agents: readonly Agent[];
  readonly intervals: NonNullable<Picture["bands"]>;
  readonly marks: Picture["marks"];
}

const LEVELS = [
  { name: "prominent", value: 0.35 },
  { name: "crisis", value: 0.9 },
];

/** A row with goals and calls, and a panel of load below it. */
const lanesOf = ({ name, goals, load }: Agent): Lane[] => [
  {
    is: "row",
    label: name,
    outcome: `${goals.length} goals`,
    spans: goals.map(({ startMs, endMs, status, label }) => ({
      ...{ phase: status, fromMs: startMs, toMs: endMs, says: label },
    })),
    points: [],
  },
  {
    ...{ is: "steps", name: "load", isUnder: true, bound: null, most: 1, levels: LEVELS },
    lines: [{ label: "", steps: load.map((one) => ({ atMs: one.atMs, value: one.load })) }],
    format: String,
  },
];

const drawRun = (run: RunPicture, options?: { readonly width?: number }): string =>
  drawPicture(
    {
      says: "what happened",
      phases: {
        completed: { shape: "block", colour: ink.good },
        abandoned: { shape: "stroke", colour: ink.bad },
        active: { shape: "open", colour: ink.open },
      },
      ...{ lanes: run.agents.flatMap(lanesOf), marks: run.marks, bands: run.intervals },
      none: "No agents in this run.",
    },
    run,
    options,
  );

/** Goals one after another: mostly completed, all abandoned while the ghost is there. */
function goalsOf(healthyMs: number, ghostMs: number): Agent["goals"] {
  const goals: Agent["goals"][number][] = [];
  let startMs = 5000;
  while (startMs < runMs) {
    const haunted = startMs >= ghost.fromMs && startMs < ghost.toMs;
    const spread = 0.85 + 0.03 * ((goals.length * 7) % 10);
    const endMs = Math.min(runMs, startMs + (haunted ? ghostMs : healthyMs) * spread);
    const failed = haunted || goals.length % 13 === 5;
    const status = endMs === runMs ? "active" : failed ? "abandoned" : "completed";
    goals.push({ startMs, endMs, status, label: `goal ${goals.length}` });
    startMs = endMs + 3000;
  }
  return goals;
}

const load = [
  { atMs: 0, load: 0 },
  { atMs: 34 * minuteMs, load: 0.2 },
  { atMs: 70 * minuteMs, load: 0.27 },
  { atMs: 105 * minuteMs, load: 0 },
];

const run: RunPicture = {
  title: "safe-file-executor",
  startsAt: "2026-01-05T09:00:00.000Z",
  endMs: runMs,
  agents: [
    { name: "cedar", goals: goalsOf(80_000, 150_000), load },
    { name: "cipher", goals: goalsOf(82_000, 152_000), load },
    { name: "vault", goals: goalsOf(78_000, 50_000), load },
  ],
  intervals: [{ label: "ghost safe_file_executor", ...ghost }],
  marks: [
    { label: "operator archives the JSON", atMs: 31 * minuteMs },
    { label: "repeated_failure", atMs: 34 * minuteMs },
    { label: "daemon restart", atMs: 92 * minuteMs },
  ],
};

function parsed(svg: string) {
  return parseHTML(`<!doctype html><html><body>${svg}</body></html>`).document;
}

/** Texts of the picture in the order they are drawn, tooltips left out. */
function texts(svg: string): string[] {
  return [...parsed(svg).querySelectorAll("text")].map((text) => text.textContent ?? "");
}

test("draws a row and a panel for each agent, with what came of it", () => {
  const drawn = texts(drawRun(run));

  expect(drawn.filter((text) => ["cedar", "cipher", "vault"].includes(text))).toHaveLength(3);
  expect(drawn.filter((text) => text === "load")).toHaveLength(3);
  expect(drawn.filter((text) => text === "0.35")).toHaveLength(3);
  for (const { goals } of run.agents) expect(drawn).toContain(`${goals.length} goals`);
});

test("tells completed from abandoned goals by colour, place and shape", () => {
  const page = parsed(drawRun({ ...run, agents: run.agents.slice(0, 1), marks: [] }));
  const goals = run.agents[0]?.goals ?? [];
  const completed = [...page.querySelectorAll('g[fill="#0072b2"] > rect')];
  const abandoned = [...page.querySelectorAll('g[stroke="#d55e00"] > line')];

  expect(completed).toHaveLength(goals.filter(({ status }) => status === "completed").length);
  expect(abandoned).toHaveLength(goals.filter(({ status }) => status === "abandoned").length);
  expect(page.querySelectorAll('g[stroke="#d55e00"] > path').length).toBeGreaterThan(20);
  const line = Number(abandoned[0]?.getAttribute("y1"));
  const lowerEdges = completed.map((each) => Number(each.getAttribute("y")) + 10);
  expect(Math.max(...lowerEdges)).toBeLessThan(line);
});

test("draws the same string twice, without scripts and without addresses but the namespace", () => {
  const svg = drawRun(run);

  expect(drawRun(run)).toBe(svg);
  expect(svg.match(/https?:\/\/[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
  expect(svg).not.toMatch(/<script|<image|url\(|@import|\son\w+=|\sid=/i);
  expect(svg.startsWith("<svg ")).toBe(true);
});

test("names an interval once and events with their times", () => {
  const drawn = texts(drawRun(run));

  expect(drawn.filter((text) => text.startsWith("ghost"))).toEqual([
    "ghost safe_file_executor, 0:31 to 1:32",
  ]);
  expect(drawn).toContain("0:31 operator archives the JSON");
  expect(drawn).toContain("2:00 h of virtual time  ·  0:00 is 2026-01-05 09:00 UTC");
});

/** What a pointer is told, with the size of the area, px. */
const areas = (svg: string) =>
  [...parsed(svg).querySelectorAll("rect")].flatMap((rect) => {
    const says = rect.querySelector("title")?.textContent;
    const [width, height] = ["width", "height"].map((name) => Number(rect.getAttribute(name)));
    return says == null ? [] : [{ says, width: width ?? 0, height: height ?? 0 }];
  });

test("[VB60] tells every goal and event on hover, on areas of 8 px that neighbours share", () => {
  const drawn = areas(drawRun(run));
  const told = drawn.flatMap(({ says }) => says.split("\n"));
  const goals = run.agents.flatMap((agent) => agent.goals);

  expect(Math.min(...drawn.map(({ width }) => width))).toBeGreaterThan(7.99);
  expect(Math.min(...drawn.map(({ height }) => height))).toBeGreaterThanOrEqual(8);
  expect(told.filter((text) => /^goal \d+, /.test(text))).toHaveLength(goals.length);
  for (const { label } of run.marks) expect(told.join("\n")).toContain(label);
  // What shares an area with a long one leaves it as long.
  const goal = (startMs: number, endMs: number) => ({
    ...{ startMs, endMs, status: "completed" as const, label: "goal" },
  });
  const two = [goal(0, 60 * minuteMs), goal(5_000, 10_000)];
  const [shared] = areas(drawRun({ ...run, agents: [{ name: "cedar", goals: two, load: [] }] }));
  expect(shared?.says.split("\n")).toHaveLength(2);
  expect(shared?.width).toBeGreaterThan(300);
  expect(drawRun(run)).not.toMatch(/<script|\son\w+=/);
});

test("[VB60] what stands less than 8 px apart shares an area, and at 8 px each has its own", () => {
  const { msInPx } = frameOf(runMs, 960);
  const apart = (px: number) => {
    const marks = [0, px * msInPx].map((ms, nth) => ({ label: `e${nth}`, atMs: minuteMs + ms }));
    return areas(drawRun({ ...run, agents: [], marks })).map(({ says }) => says.split("\n").length);
  };

  expect(apart(7.9)).toEqual([2]);
  expect(apart(8.1)).toEqual([1, 1]);
});

test("[VB61] names seven events at most: the first of each kind, then the earliest", () => {
  const marks = Array.from({ length: 12 }, (_, at) => ({
    label: at < 8 ? `letter-${at} came` : `strike ${at % 2 === 0 ? "begins" : "ends"}: cedar`,
    atMs: at * 10 * minuteMs,
  }));
  const svg = drawRun({ ...run, marks });
  const named = texts(svg).filter((text) => /letter|strike/.test(text));

  expect(named.toSorted()).toEqual(
    [
      "1:20 strike begins: cedar",
      "1:30 strike ends: cedar",
      ...["0:00 letter-0", "0:10 letter-1", "0:20 letter-2", "0:30 letter-3", "0:40 letter-4"].map(
        (text) => `${text} came`,
      ),
    ].toSorted(),
  );
});

test("[VB61] counts the other events, and tells them on hover", () => {
  const marks = Array.from({ length: 12 }, (_, at) => ({
    label: `e ${at}`,
    atMs: at * 10 * minuteMs,
  }));
  const svg = drawRun({ ...run, marks });

  expect(texts(svg)).toContain("5 more on hover");
  expect(areas(svg).some(({ says }) => says === "1:50 e 11")).toBe(true);
});

test("keeps the labels of events in one row apart", () => {
  const marks = Array.from({ length: 14 }, (_, index) => ({
    label: `event ${index}`,
    atMs: index * 9 * minuteMs,
  }));

  const page = parsed(drawRun({ ...run, marks }));

  const places = [...page.querySelectorAll("text")]
    .filter((text) => /\d event \d/.test(text.textContent ?? ""))
    .map((text) => {
      const group = text.parentElement;
      const [, dx = "0", dy = "0"] =
        /\(([^,]+),([^)]+)\)/.exec(group?.getAttribute("transform") ?? "") ?? [];
      // A label is at least 5 px a character wide at 11 px.
      const width = 5 * (text.textContent ?? "").length;
      const from = Number(dx) - (group?.getAttribute("text-anchor") === "end" ? width : 0);
      return { row: dy, from, to: from + width };
    })
    .sort((a, b) => a.from - b.from);
  expect(places.length).toBeGreaterThan(5);
  for (const [index, place] of places.entries()) {
    const next = places.slice(index + 1).find(({ row }) => row === place.row);
    expect(next === undefined || next.from >= place.to).toBe(true);
  }
});

test("escapes names and labels, cuts long ones and drops what XML forbids", () => {
  const name = `<b>&"x'\u0000\u202e\ud800\u00a0東京`;
  const label = `]]><script>${"very ".repeat(100)}`;

  const svg = drawRun({
    ...run,
    title: `${name} ${"long ".repeat(100)}`,
    startsAt: label,
    agents: [{ name, goals: goalsOf(80_000, 90_000).map((goal) => ({ ...goal, label })), load }],
    intervals: [{ label, ...ghost }],
    marks: [{ label, atMs: 0 }],
  });

  expect(svg).toContain(`&lt;b&gt;&amp;"x'`);
  expect(svg).toContain("東京");
  expect(svg).not.toMatch(/<b>|<script|\]\]>|&nbsp;/);
  expect(svg).not.toMatch(/[\0\u202e\ud800]/);
  expect(svg).not.toMatch(/&(?!(?:lt|gt|amp|quot);)/);
  expect(Math.max(...texts(svg).map((text) => text.length))).toBeLessThan(110);
});

test("counts goals in bars when there are 10,000 and thins a load of 50,000 steps", () => {
  const goals = Array.from({ length: 10_000 }, (_, index) => ({
    startMs: index * 700,
    endMs: index * 700 + 650,
    status: index % 3 === 1 ? ("abandoned" as const) : ("completed" as const),
    label: `goal ${index}`,
  }));
  const steps = Array.from({ length: 50_000 }, (_, index) => ({
    atMs: index * 144,
    load: index === 25_001 ? 1 : (index % 7) / 10,
  }));

  const svg = drawRun({ ...run, agents: [{ name: "cedar", goals, load: steps }] });

  expect(svg.length).toBeLessThan(300_000);
  expect(texts(svg)).toContain("bars: goals that ended within 1/160 of the run");
  // The scale of the load is 58 px high: the one step that reaches 1 is still there.
  const path = parsed(svg).querySelector('g[aria-label="line"] path')?.getAttribute("d") ?? "";
  const heights = [...path.matchAll(/,(\d+(?:\.\d+)?)/g)].map(([, y]) => Number(y));
  expect(Math.max(...heights) - Math.min(...heights)).toBe(58);
});

test("stays below 2 MB whatever it is given", () => {
  const agent = (goalCount: number): Agent => ({
    name: "東".repeat(200),
    goals: Array.from({ length: goalCount }, (_, index) => ({
      startMs: index,
      endMs: index * 1000,
      status: index % 2 === 0 ? "completed" : "abandoned",
      label: "&".repeat(200),
    })),
    load: Array.from({ length: 5000 }, (_, index) => ({ atMs: index * 1440.1, load: index % 2 })),
  });
  const marks = Array.from({ length: 5000 }, (_, index) => ({
    label: "東".repeat(99),
    atMs: index,
  }));
  const intervals = Array.from({ length: 500 }, () => ({ label: "&".repeat(99), ...ghost }));
  const size = (agents: Agent[]) =>
    Buffer.byteLength(drawRun({ ...run, agents, marks, intervals }, { width: 9999 }));

  expect(size(Array.from({ length: 100 }, () => agent(62)))).toBeLessThan(2_000_000);
  expect(size(Array.from({ length: 100 }, () => agent(1000)))).toBeLessThan(2_000_000);
});

test("draws a run without agents, goals or time", () => {
  const nothing = { ...run, endMs: 0, agents: [], intervals: [], marks: [] };
  const idle = { ...run, endMs: 0, agents: [{ name: "cedar", goals: [], load: [] }] };
  const odd = {
    ...run,
    endMs: Number.NaN,
    marks: [{ label: "odd", atMs: Number.NaN }],
    intervals: [{ label: "odd", fromMs: Number.POSITIVE_INFINITY, toMs: -5 }],
  };

  expect(texts(drawRun(nothing))).toContain("No agents in this run.");
  expect(texts(drawRun(idle))).toContain("0 goals");
  for (const data of [nothing, idle, odd]) {
    expect(drawRun(data)).not.toMatch(/NaN|Infinity|undefined|null/);
  }
});

test("draws 120 lanes and says how many it left out", () => {
  const names = Array.from({ length: 61 }, (_, index) => `agent ${index}`);
  const agents = names.map((name) => ({ name, goals: [], load }));

  const drawn = texts(drawRun({ ...run, agents }));

  expect(drawn.filter((text) => text.startsWith("agent "))).toEqual(names.slice(0, 60));
  expect(drawn.some((text) => text.endsWith("2 more rows not drawn"))).toBe(true);
});

test("is as wide as asked, within bounds", () => {
  const width = (asked: number): string | null | undefined =>
    parsed(drawRun(run, { width: asked }))
      .querySelector("svg")
      ?.getAttribute("width");

  expect([960, 600, 1, 99_999].map(width)).toEqual(["960", "600", "480", "2400"]);
});
