// SPEC VW: what is exported for other viewers, read by their own code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { mermaidSequence } from "../../../src/edges/export/mermaidSequence.ts";
import { openRun } from "../../../src/edges/view/openRun.ts";
import { lists } from "../../builtInRuns.ts";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { hasChromium, inBrowser } from "./inBrowser.ts";

const MERMAID = fileURLToPath(import.meta.resolve("@mermaid-js/tiny"));

/** The engine that the panel is built on; its file comes with the browser. */
const READ = `import("./models/trace/trace.js").then(async ({ TraceModel }) => {
  const model = TraceModel.Model.createWithAllHandlers();
  await model.parse(JSON.parse(TRACE).traceEvents);
  const { Meta, Renderer } = model.parsedTrace().data;
  const threads = [...Renderer.processes.values()].flatMap((one) => [...one.threads.values()]);
  const slices = ({ entries }) => entries.filter(({ ph }) => ph === "X");
  return {
    counts: Object.fromEntries(threads.map((one) => [one.name, slices(one).length])),
    spanUs: Math.round(Meta.traceBounds.range / 1_000) * 1_000,
  };
})`;

/** Names that mean something to Mermaid. */
const NAMES = [
  ...["end", "loop", "a;b", "x # y", "#35;", "%% said", "%%{init: {}}%%", "$$x$$", "a<br>b"],
  ...["<img src=x onerror=alert(1)>", "a->>b: c", '@{ "type": "actor" }', "note over a0", "ёж 😀"],
];

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at, opened } = inBrowser();
  /** The texts of the picture that Mermaid draws; an error of Mermaid's rejects. */
  let drawn: (text: string) => Promise<readonly string[]>;
  beforeAll(async () => {
    const { page } = await opened("<p>Mermaid", "", "p");
    await page.addScriptTag({ path: MERMAID });
    drawn = async (text) => {
      const draw = `mermaid.parse(TEXT).then(() => mermaid.render("drawn", TEXT)).then(({ svg }) =>
        [...new DOMParser().parseFromString(svg, "text/html").querySelectorAll("text")].map((one) => one.textContent))`;
      // Texts of an SVG.
      return (await page.evaluate(draw.replaceAll("TEXT", JSON.stringify(text)))) as string[];
    };
  });

  it("[VW22] Mermaid reads the letters of a run, and draws each with its actors", async () => {
    const file = join(newFolder(), "letters.mmd");
    const window = ["--actor", "gateway"];
    await ghostlight(["export", "recordings/weather-fetcher", "--mermaid", file, ...window]);
    const text = readFileSync(file, "utf8");
    const texts = await drawn(text);
    const letters = [...text.matchAll(/^ {2}\w+->>\w+: (.+)$/gm)].map(([, says = ""]) => says);

    expect(letters.length).toBeGreaterThan(20);
    expect(texts.filter((one) => letters.includes(one))).toEqual(letters);
    expect(texts).toContain("gateway");
  });

  it.each(NAMES)("[VW22] an actor called %s is drawn by that name", async (name) => {
    const letter = { dueMs: 1_000, from: name, to: "z", event: { type: name } };
    const run = { deliveries: [letter] } as unknown as Parameters<typeof mermaidSequence>[0];
    const texts = await drawn(mermaidSequence(run, () => true).join(""));

    expect(texts.filter((one) => one === name)).toHaveLength(2);
    expect(texts).toContain(`0:00:01 ${name}`);
  });

  it("[VW20] the performance panel of Chromium reads a trace: each actor with its deliveries", async () => {
    const file = join(newFolder(), "trace.json");
    await ghostlight(["export", "recordings/weather-fetcher", "--perfetto", file]);
    const trace = readFileSync(file, "utf8");
    const { deliveries } = openRun(lists, "recordings/weather-fetcher").run;
    const counts: { [to: string]: number } = {};
    for (const { to } of deliveries) counts[to] = (counts[to] ?? 0) + 1;
    const { page } = await at("devtools://devtools/bundled/devtools_app.html", "body");
    const read = await page.evaluate(READ.replace("TRACE", JSON.stringify(trace)));

    expect(read).toEqual({ counts, spanUs: 1_000 * (deliveries.at(-1)?.dueMs ?? 0) });
  });

  it("[VW22] what is no diagram Mermaid refuses", async () => {
    await expect(drawn("sequenceDiagram\n  a-b")).rejects.toThrow("Parse error");
  });
});
