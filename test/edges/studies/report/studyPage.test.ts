import { createHash } from "node:crypto";
import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { studyPage } from "../../../../src/edges/studies/report/studyPage.ts";
import { HOSTILE, studyResult } from "./studyResult.ts";

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
});

it("[ST103] draws indices as bars where the design has them", () => {
  const list = [0.5, 0.25];
  const sobol = {
    ...{ S1: list, S1_conf: list, ST: list, ST_conf: list, S2: [], S2_conf: [] },
    ...{ noise: 0.1, rows: 8, left: 0 },
  };
  const page = opened(
    studyPage({ ...studyResult(), indices: { kind: "sobol", of: { spirals: sobol } } }),
  );

  expect(page.querySelectorAll(".bars > rect")).toHaveLength(4);
  expect(page.body.textContent).toContain("0.1 is chance");
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
});

it("[ST103] a result without values is a page, too", () => {
  const { runs, points, ...rest } = studyResult();
  const none = points.map((point) => ({ ...point, outcomes: {} }));

  expect(studyPage({ ...rest, runs: [], points: none, trials: [] })).toContain("<h2>Points</h2>");
});
