import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { bars } from "../../../../src/edges/studies/report/bars.ts";
import { byFactor } from "../../../../src/edges/studies/report/byFactor.ts";
import { parallel } from "../../../../src/edges/studies/report/parallel.ts";
import { chartsMost, studyPage } from "../../../../src/edges/studies/report/studyPage.ts";
import { View } from "../../../../src/edges/studies/report/view.ts";
import { writeStudyFiles } from "../../../../src/edges/studies/studyFiles.ts";
import type { Outcome } from "../../../../src/studies/outcomes/outcome.ts";
import type { StudyResult } from "../../../../src/studies/result.ts";
import { newFolder } from "../../../folders.ts";
import { largeResult } from "./largeResult.ts";
import { frontierResult, HOSTILE, studyResult } from "./studyResult.ts";

const opened = (html: string) => parseHTML(html).document;

it("[ST103] draws every chart that the result allows, the same bytes each time", () => {
  const html = studyPage(studyResult());
  const headings = [...opened(html).querySelectorAll("h2")].map((one) => one.textContent);

  expect(headings).toEqual([
    ...[
      "On held-out seeds",
      "All points",
      "What matters",
      "Search",
      "Pareto front",
      "Outcomes by factor",
    ],
    ...["Outcomes over two factors", "Points"],
  ]);
  expect(studyPage(studyResult())).toBe(html);
  // Three of six points moved one factor, of each outcome.
  expect(opened(html).querySelectorAll(".bars > rect")).toHaveLength(6);
});

const PAWN = { median: [0.2, 0.1], maximum: [0.3, 0.2], dummy: { median: 0.1, maximum: 0.2 } };

it("[ST103] draws indices as bars where the design has them", () => {
  const list = [0.5, 0.25];
  const sobol = {
    ...{ kind: "sobol" as const, censored: 0 },
    ...{ S1: list, S1_conf: list, ST: list, ST_conf: list, S2: [], S2_conf: [] },
    ...{ noise: 0.1, rows: 8, left: 0, pawn: PAWN },
  };
  const page = opened(studyPage({ ...studyResult(), indices: { spirals: sobol } }));

  expect(page.querySelectorAll(".bars > rect")).toHaveLength(4);
  expect(page.body.textContent).toContain("0.1 is chance");
  const morris = {
    ...{ kind: "morris" as const, censored: 0, noise: null, mu: list, mu_star: list, sigma: list },
    ...{ mu_star_conf: list, trajectories: 8, left: 0 },
  };
  const screened = opened(studyPage({ ...studyResult(), indices: { spirals: morris } }));
  expect(screened.querySelectorAll(".bars > rect")).toHaveLength(2);
  expect(screened.body.textContent).toContain("Morris's mu_star");
});

it("[ST184] differences that are all 0 are said, and no bar fills the axis", () => {
  const none = { S1: [0, 0], S1_conf: [0, 0], ST: [0, 0], ST_conf: [0, 0], S2: [], S2_conf: [] };
  const rest = { noise: 0.1, rows: 8, left: 0, pawn: PAWN };
  const sobol = { kind: "sobol" as const, censored: 0, ...none, ...rest };
  const page = opened(studyPage({ ...studyResult(), indices: { spirals: sobol } }));

  const widths = [...page.querySelectorAll(".bars > rect")].map((one) => one.getAttribute("width"));
  expect(widths).toEqual(["0", "0", "0", "0"]);
  expect(page.body.textContent).toContain("All of them are 0.");
});

it("[ST104] each mark says its values, and names points whose commands the page holds", () => {
  const html = studyPage(studyResult());
  const page = opened(html);
  const data = JSON.parse(page.querySelector("#data")?.textContent ?? "");
  const marks = [...page.querySelectorAll("[data-spot]")];

  expect(marks.length).toBe(data.spots.length);
  expect(page.querySelectorAll("[data-at]").length).toBeGreaterThan(40);
  expect(Object.keys(data.opening)).toHaveLength(6);
  const lines = [...page.querySelectorAll(".lines > path")];
  expect(lines).toHaveLength(6);
  expect(lines[5]?.getAttribute("data-at")).toBe("5");
  expect(data.points["5"].head).toContain("locks.constrained = 0.3");
  expect(data.points["5"].outcomes[0]).toContain("1 run gave no value");
  expect(data.brush.at["5"][0]).toBe(1);
});

it("[ST105] loads nothing, runs one script that the policy names by its hash, and holds no address", () => {
  const html = studyPage(studyResult());
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)];
  const hash = createHash("sha256")
    .update(scripts[0]?.[1] ?? "")
    .digest("base64");

  expect(scripts).toHaveLength(1);
  expect(html).toContain(`script-src 'sha256-${hash}'`);
  expect(html).toContain("default-src 'none'");
  // What is loaded where a form leads is not among the default.
  expect(html).toContain("form-action 'none'");
  expect(new Set(html.match(/https?:\/\/[^"\s]*/g))).toEqual(
    new Set(["http://www.w3.org/2000/svg"]),
  );
  expect(html).not.toMatch(/\ssrc=|\shref="(?!#)|@import|url\(/);
});

it("[ST105] shows hostile names as text, wherever they stand", () => {
  const names = { study: HOSTILE, outcome: HOSTILE, value: HOSTILE, factor: HOSTILE };
  const html = studyPage(studyResult(names));
  const page = opened(html);

  expect(html).not.toContain("<img");
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  expect(page.querySelector("h1")?.textContent).toBe(HOSTILE);
  expect(page.querySelectorAll("img")).toHaveLength(0);
  const attributes = [...page.querySelectorAll("svg, svg *")].flatMap((one) =>
    [...one.attributes].map(({ value }) => value),
  );
  expect(attributes.filter((value) => value.includes("onerror"))).toEqual([]);
  // Commands and legends, too.
  const opening = studyResult().opening.map(() => HOSTILE);
  expect(studyPage({ ...studyResult(), opening })).not.toContain("<img");
  const result = frontierResult();
  const combinations = result.frontier?.combinations.map((one) => ({
    ...{ ...one, setting: { "router.kind": HOSTILE } },
  }));
  const frontier = result.frontier && { ...result.frontier, combinations: combinations ?? [] };
  expect(studyPage({ ...result, frontier })).not.toContain("<img");
});

it("[ST103] a result without values is a page, too", () => {
  const { runs, points, ...rest } = studyResult();
  const none = points.map((point) => ({ ...point, outcomes: {} }));

  expect(studyPage({ ...rest, runs: [], points: none, trials: [] })).toContain("<h2>Points</h2>");
});

it("[ST106] what is not drawn is said", () => {
  const page = opened(studyPage(largeResult(310, 1)));
  const text = page.body.textContent ?? "";

  expect(text).toContain("A page holds 36 of these charts; 12 more combinations are not drawn.");
  expect(text).toContain("Not drawn: axes of e, f");
  expect(text).toContain("without their intervals, which points.csv has");
  expect(page.querySelectorAll("section, figure").length).toBe(37);
});

/** The same points again, up to so many. */
function repeated(count: number) {
  const result = studyResult();
  const points = Array.from({ length: count }, (_, index) => {
    const of = result.points[index % result.points.length];
    if (of === undefined) throw new Error("there are points");
    return { ...of, index };
  });
  return { ...result, points };
}

it("[ST106] holds 1,000 lines, 300 intervals and 2,000 rows, and says what is more", () => {
  const linesOf = (count: number) => parallel(new View(repeated(count)))?.caption;
  const ringsOf = (count: number) => {
    const view = new View(repeated(count));
    const [factor] = view.result.study.factors;
    return factor && byFactor(view, factor, "load")?.caption;
  };

  expect(linesOf(1_000)).not.toContain("Not drawn");
  expect(linesOf(1_001)).toContain("Not drawn: 1 more points.");
  expect(ringsOf(300)).toContain("with 95 % intervals.");
  expect(ringsOf(301)).toContain("without their intervals");
  const { study, ...rest } = repeated(2_001);
  const none = { ...study, outcomes: [] };
  expect(studyPage({ ...rest, study: none })).toContain("1 more points are in points.csv");
});

it("[ST106] holds fewer charts where there are many points", () => {
  expect([1_000, 1_001, 2_000, 6_000, 9_000].map(chartsMost)).toEqual([36, 35, 18, 6, 6]);
});

it("[ST106] holds 12 axes, and says which it leaves out", () => {
  const captionOf = (outcomes: number) => {
    const { study, ...rest } = largeResult(2, 1);
    const some = { ...study, outcomes: study.outcomes.slice(0, outcomes) };
    return parallel(new View({ ...rest, study: some }))?.caption;
  };

  // Beside eight factors.
  expect(captionOf(4)).not.toContain("Not drawn");
  expect(captionOf(5)).toContain("Not drawn: axes of e.");
});

it("[ST106] holds 40 bars, the longest", () => {
  const { study, ...rest } = studyResult();
  const drawn = (count: number) => {
    const [factor] = study.factors;
    const factors = Array.from({ length: count }, (_, at) => ({ ...factor, name: `f${at}` }));
    const list = factors.map((_, at) => at);
    const morris = {
      ...{ kind: "morris" as const, censored: 0, mu: list, sigma: list, mu_star: list },
      ...{ mu_star_conf: list, noise: null, rows: 8, left: 0 },
    };
    const of = { ...study, factors: factors as typeof study.factors };
    return bars(new View({ ...rest, study: of, indices: { spirals: morris } as never }), "spirals");
  };

  expect(drawn(40)?.caption).not.toContain("not drawn");
  expect(drawn(40)?.svg).toContain(">f0<");
  expect(drawn(41)?.caption).toContain("1 smaller ones are not drawn.");
  expect(drawn(41)?.svg).not.toContain(">f0<");
});

it("[ST104] names of axes that would meet are turned, short, and whole when pointed at", () => {
  const page = opened(studyPage(largeResult(3, 1)));
  const names = [...page.querySelectorAll(".names > text")];
  const data = JSON.parse(page.querySelector("#data")?.textContent ?? "");
  const last = data.spots[Number(names[3]?.getAttribute("data-spot"))];

  expect(names[3]?.getAttribute("transform")).toContain("rotate(-30)");
  expect(names[3]?.textContent).toBe("…peatedFailure.clearsBelow");
  expect(last.says[0]).toBe("factor stressors.repeatedFailure.clearsBelow");
});

it("[ST101] axes and marks say times in words and shares as decimals", () => {
  const html = studyPage(largeResult(4, 2));
  const data = JSON.parse(opened(html).querySelector("#data")?.textContent ?? "");

  expect(data.points["0"].head.join()).toMatch(/locks\.constrained = \d\.\d+,/);
  expect(data.points["0"].head.join()).toMatch(/planner\.heartbeatMs = (\d+h)?(\d+m)?(\d+s)?\d+ms/);
  expect(html).toMatch(/locked \((min|h)\)/);
});

it.each([
  ["one point", 1, 3],
  ["one replicate", 5, 1],
])("[ST103] %s makes a page, too", (_, points, replicates) => {
  const html = studyPage(largeResult(points, replicates));

  expect(html).toContain("<h2>Points</h2>");
  const drawn = html.slice(0, html.indexOf("<aside")).match(/.{20}(?:NaN|Infinity|undefined).{20}/);
  expect(drawn).toBeNull();
});

it("[ST107] a frontier is drawn along its axis", () => {
  const page = opened(studyPage(frontierResult()));

  expect(page.querySelector("h2")?.textContent).toBe("Frontier");
  expect(page.querySelectorAll(".looks > circle")).toHaveLength(6);
  expect(page.body.textContent).toContain("shares of runs with 95 % intervals (Wilson)");
  const heights = [...page.querySelectorAll('[stroke-opacity="0.55"] line')].map(
    (one) => Number(one.getAttribute("y1")) - Number(one.getAttribute("y2")),
  );
  expect(heights).toHaveLength(6);
  // 2 of 4, and none of 4.
  expect((heights[1] ?? 0) / (heights[0] ?? 1)).toBeCloseTo(0.69992 / 0.48989, 3);
});

it("[ST58, ST107] a line for each combination shows where it has the probability, and between what", () => {
  const page = opened(studyPage(frontierResult()));
  const data = JSON.parse(page.querySelector("#data")?.textContent ?? "");
  const [first] = page.querySelectorAll(".threshold0 > *");

  expect([...page.querySelectorAll(".legend li")].map((one) => one.textContent)).toEqual([
    "router.kind lexical: 0.2 [0.1, 0.3]",
    "router.kind embedding: not monotone, so all values were played",
  ]);
  const { says } = data.spots[Number(first?.getAttribute("data-spot"))];
  expect(says).toContain("surely rarer or commoner at 0.1 and 0.3");
  expect(says).toContain("P(spirals) = 0.5 at locks.constrained = 0.2");
  const looks = [...page.querySelectorAll(".looks > circle")];
  const [low, , high] = looks.map((one) => Number(one.getAttribute("cx")));
  const place = first
    ?.getAttribute("transform")
    ?.match(/[\d.]+/g)
    ?.map(Number);
  // Of 201,234, between 100,000 and 300,000.
  expect(place?.[0]).toBeCloseTo((low ?? 0) + 0.50617 * ((high ?? 0) - (low ?? 0)), 1);
  expect(place?.[1]).toBe(Number(looks[1]?.getAttribute("cy")));
  const [bar] = page.querySelectorAll('[stroke-width="4"] > line');
  expect(["x1", "x2"].map((end) => Number(bar?.getAttribute(end)))).toEqual([low, high]);
  const lines = page.querySelector("figure")?.querySelectorAll('[aria-label="line"] > path') ?? [];
  const strokes = [...lines].map((one) => one.getAttribute("stroke"));
  expect(strokes).toEqual(["var(--line1)", "var(--line2)"]);
  // Of seven six stand in one chart, and one in another.
  const result = frontierResult();
  const combinations = [1, 2, 3, 4].flatMap(() => result.frontier?.combinations ?? []).slice(1);
  const frontier = result.frontier && { ...result.frontier, combinations };
  const many = opened(studyPage({ ...result, frontier })).querySelectorAll(".legend");
  expect([...many].slice(0, 2).map((one) => one.querySelectorAll("li").length)).toEqual([6, 1]);
});

it("[ST58, ST59] frontier.csv has a line for each combination, whole, and the page says why one has no threshold", async () => {
  const folder = newFolder();
  const result = frontierResult();
  const { design, combinations } = result.frontier ?? {};
  const others = [
    ...(["rarer", "commoner", "undecided"] as const).map(
      (side) => ({ kind: "beyond", side }) as const,
    ),
    { kind: "noValue", runs: 3 } as const,
  ].flatMap((threshold) => (combinations ?? []).slice(1).map((one) => ({ ...one, threshold })));
  if (design === undefined || combinations === undefined) throw new Error("it has a frontier");
  const frontier = { design: { ...design, at: 0.25 }, combinations: [...combinations, ...others] };
  await writeStudyFiles(folder, { ...result, frontier });
  const legend = [...opened(studyPage({ ...result, frontier })).querySelectorAll(".legend li")];

  expect(legend.slice(2).map((one) => one.textContent?.split(": ").slice(1).join(": "))).toEqual([
    ...["rarer at both ends", "commoner at both ends", "an end is undecided"],
    "nothing is claimed: 3 runs gave no value",
  ]);
  expect(readFileSync(join(folder, "frontier.csv"), "utf8").split("\n")).toEqual([
    "router.kind,along,outcome,probability,found,threshold,low,high,runs,grid_runs",
    "lexical,locks.constrained,spirals,0.25,rises,0.201234,0.1,0.3,12,12",
    ...["notMonotone", "rarer", "commoner", "undecided", "noValue"].map(
      (kind) => `embedding,locks.constrained,spirals,0.25,${kind},,,,12,12`,
    ),
    "",
  ]);
});

it("[ST73] a file that cannot be written exits with 2, and says what to do", async () => {
  const folder = join(newFolder(), "gone");

  await expect(writeStudyFiles(folder, frontierResult())).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("give the same command again"),
  });
});

it("[ST217] the page says what an outcome is that is no mean, of points, on charts and in what marks say", () => {
  const { study, ...rest } = studyResult();
  const [first, ...others] = study.outcomes;
  const across = { kind: "quantile", share: 0.9 } as const;
  const outcomes = [{ ...first, kind: "reduced", across } as Outcome, ...others];
  const page = opened(studyPage({ ...rest, study: { ...study, outcomes } }));
  const heads = [...page.querySelectorAll("th")].map((one) => one.textContent);
  const data = JSON.parse(page.querySelector("#data")?.textContent ?? "");

  expect(heads).toContain("quantile 0.9 of spirals");
  expect(heads).toContain("load");
  expect(data.points["0"].outcomes[0][0]).toMatch(/^quantile 0\.9 of spirals: /);
  const charts = [...page.querySelectorAll("figure")].map((one) => one.textContent ?? "");
  const titled = charts.filter((one) => one.includes("spirals"));
  expect(titled.length).toBeGreaterThan(1);
  for (const one of titled) expect(one).toContain("quantile 0.9 of spirals");
  // Of several points no quantile is known: the mean of theirs would stand on an axis of quantiles.
  const [by = ""] = titled.filter((one) => one.includes("Rings"));
  expect(by).not.toContain("Full dots: the mean");
});

function searchPage() {
  const result = studyResult();
  const held = result.points.slice(2, 4).map((point, at) => ({ ...point, index: 6 + at }));
  return opened(studyPage({ ...result, points: [...result.points, ...held], heldOut: [6, 7] }));
}

it("[ST108] the page of a search begins with what held-out seeds say", () => {
  const page = searchPage();

  expect(page.querySelector("h2")?.textContent).toBe("On held-out seeds");
  const [table] = page.querySelectorAll("table");
  expect(table?.textContent).toContain("Δ spirals");
  const cells = [...(table?.querySelectorAll("tbody td") ?? [])].map((one) => one.textContent);
  // Of each goal the difference and the mean.
  expect(cells.filter((text) => /n = \d+\)/.test(text ?? ""))).toHaveLength(4);
});

it("[ST103] trials stand at whole numbers, those without a value as crosses, the front in colour", () => {
  const page = searchPage();
  const [trials] = [...page.querySelectorAll("figure")].filter((one) =>
    one.textContent?.startsWith("Search:"),
  );
  const ticks = [...(trials?.querySelectorAll('[aria-label="x-axis tick label"] text') ?? [])];

  expect(ticks.map((one) => one.textContent)).toEqual([..."012345"]);
  // A circle is no path.
  expect(page.querySelectorAll(".rest > path").length).toBe(2);
  const fills = [...page.querySelectorAll(".front > circle")].map((one) =>
    one.getAttribute("fill"),
  );
  expect(fills.filter((fill) => fill === "var(--orange)")).toHaveLength(1);
  const data = JSON.parse(page.querySelector("#data")?.textContent ?? "");
  const first = page.querySelector('.front > circle[fill="var(--orange)"]');
  // The last trial has the least of what is to be little, and the most of what is to be much.
  expect(data.spots[Number(first?.getAttribute("data-spot"))].says[0]).toContain("trial 5,");
  expect(fills.filter((fill) => fill === "var(--blue)").length).toBeGreaterThan(1);
  expect(page.body.textContent).toContain("on the front: 1");
});

it("[ST109] marks that turn the direction of a line, and breaks of JavaScript's, are written out", () => {
  const name = "a\u202eb\u2028c\u200f";
  const html = studyPage(studyResult({ study: name, outcome: name, value: name, factor: name }));

  expect(html).not.toMatch(/[\u202e\u2028\u200f]/);
  expect(opened(html).querySelector("h1")?.textContent).toBe("a\\u{202e}b\\u{2028}c\\u{200f}");
});

it("[ST109] the page has colours of both lights, and prints on white", () => {
  const html = studyPage(studyResult());

  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toMatch(/@media screen and \(prefers-color-scheme: dark\)/);
  expect(html).toMatch(/@media print/);
});

// What lies beside the page.

/** What a result leaves, by the name of the file. */
async function filesOf(result: StudyResult): Promise<(name: string) => string> {
  const folder = newFolder();
  await writeStudyFiles(folder, result);
  return (name) => readFileSync(join(folder, name), "utf8");
}

it("[ST102, ST156] runs, points and trials have the numbers of all files, and held-out points are marked", async () => {
  const result = studyResult();
  const file = await filesOf({ ...result, heldOut: [1] });
  const lines = (name: string) => file(name).split("\n");
  const { study, points, heldOut } = JSON.parse(file("study.json"));

  expect(lines("runs.csv").slice(0, 2)).toEqual([
    "point,replicate,seed,ended,locks.constrained,router.kind,outcome,value,censored,held_out",
    `0,0,${result.runs[0]?.seed},ended,0.1,lexical,spirals,20,0,0`,
  ]);
  expect(lines("runs.csv")[9]).toMatch(/^1,0,.*,0\.1,embedding,spirals,.*,0,1$/);
  expect(lines("points.csv")[0]).toMatch(
    /^point,baseline,locks\.constrained,router\.kind,outcome,unit,kind,.*,held_out$/,
  );
  expect(lines("points.csv")[1]).toMatch(/^0,0,0\.1,lexical,spirals,share,.*,0$/);
  expect(lines("points.csv")[4]).toMatch(/^1,0,0\.1,embedding,load,load,.*,1$/);
  expect(lines("trials.csv").slice(0, 2)).toEqual([
    "number,values_0,values_1,params_locks.constrained,params_router.kind,state,enqueued,replicates,infeasible,violated,violation_bound,censored,why",
    "0,20,0,0.1,lexical,COMPLETE,0,4,0,0,,0,",
  ]);
  expect(lines("trials.csv")[5]).toBe("4,,,0.3,lexical,FAIL,0,4,0,0,,0,locks");
  expect(study.units).toEqual(result.study.units);
  expect([points[0].values["locks.constrained"], heldOut]).toEqual([0.1, [1]]);
});

it("[ST102] a frontier has the numbers of all files, in its table and in study.json", async () => {
  const result = frontierResult();
  const { frontier } = result;
  if (frontier === null) throw new Error("it has a frontier");
  const combinations = frontier.combinations.map((one) => ({
    ...one,
    setting: { "router.kind": 400_000 },
  }));
  const { study } = result;
  const units = { ...study.units, leaves: { ...study.units.leaves, "router.kind": "millionths" } };
  const file = await filesOf({
    ...result,
    ...{ study: { ...study, units }, frontier: { ...frontier, combinations } },
    ...{ points: [], runs: [] },
  });

  expect(file("frontier.csv").split("\n")).toEqual([
    "router.kind,along,outcome,probability,found,threshold,low,high,runs,grid_runs",
    "0.4,locks.constrained,spirals,0.5,rises,0.201234,0.1,0.3,12,12",
    "0.4,locks.constrained,spirals,0.5,notMonotone,,,,12,12",
    "",
  ]);
  const looks = [0.1, 0.2, 0.3].map((value) => ({ value }));
  expect(JSON.parse(file("study.json")).frontier).toMatchObject([
    { setting: { "router.kind": 0.4 }, threshold: { low: 0.1, high: 0.3, at: 0.201234 }, looks },
    { setting: { "router.kind": 0.4 }, threshold: { kind: "notMonotone" }, looks },
  ]);
});
