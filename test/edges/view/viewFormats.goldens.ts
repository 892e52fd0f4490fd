// SPEC VW: a log of each format that `import` reads, as a page of it stands in a real browser.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readInto } from "../../../src/actors/imported/edge/readInto.ts";
import { Player } from "../../../src/edges/view/player.ts";
import { viewPages } from "../../../src/edges/view/viewPages.ts";
import { type ViewServer, viewServer } from "../../../src/edges/view/viewServer.ts";
import { examples } from "../../actors/imported/formatExamples.ts";
import { lists } from "../../builtInRuns.ts";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { clicked, hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";

/** The bundle of an example. */
async function bundleOf({ format, text, map }: (typeof examples)[number]): Promise<string> {
  const folder = newFolder();
  const [file, out] = [join(folder, `${format}.jsonl`), join(folder, "bundle")];
  writeFileSync(file, text);
  if (map === undefined) await readInto([file], out, new AbortController().signal);
  else {
    writeFileSync(join(folder, "map.yaml"), map);
    await ghostlight(["import", file, "--map", join(folder, "map.yaml"), "--out", out]);
  }
  return out;
}

/** An agent's call of a helper, whose own agent calls a tool: each a span within the one before. */
function nestedSpans(): string {
  const span = (nth: number, name: string, attributes: { readonly [name: string]: string }) => ({
    ...{ traceId: "0af7651916cd43dd8448eb211c80319c", spanId: `b7ad6b716920333${nth}`, name },
    ...(nth > 1 && { parentSpanId: `b7ad6b716920333${nth - 1}` }),
    startTimeUnixNano: `17000000${nth}0000000000`,
    endTimeUnixNano: `17000000${9 - nth}0000000000`,
    attributes: Object.entries(attributes).map(([key, stringValue]) => ({
      key: `gen_ai.${key}`,
      value: { stringValue },
    })),
  });
  const agent = (name: string) => ({ "operation.name": "invoke_agent", "agent.name": name });
  const tool = (name: string) => ({
    ...{ "operation.name": "execute_tool", "tool.name": name, "tool.call.result": "done" },
  });
  const spans = [
    ...[span(1, "invoke_agent boss", agent("boss")), span(2, "execute_tool ask", tool("ask"))],
    ...[span(3, "invoke_agent aide", agent("aide")), span(4, "execute_tool dig", tool("dig"))],
  ];
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at } = inBrowser();
  const player = new Player(lists);
  let server: ViewServer;
  beforeAll(async () => {
    const folders: string[] = [];
    for (const one of [...examples, { format: "nested", text: nestedSpans(), map: undefined }])
      folders.push(await bundleOf(one));
    const pages = viewPages({ lists, folders, notes: [] }, [], player);
    server = await viewServer(pages, { onError: () => {} });
  });
  afterAll(async () => {
    player.dispose();
    await server.close();
  });

  it.each(examples.map(({ format }, number) => [format, number] as const))(
    "[VW44] %s",
    async (format, number) => {
      const url = `${server.origin}${number}/${server.query}`;
      const { page, errors } = await at(url, ".letters tr.here");
      await holds(page, ".letters", `begins (${format}, `);
      const lanes = await page.$$eval(".timeline tbody tr td:first-child", (all) =>
        all.map((one) => one.textContent),
      );
      const [letters, look] = [
        await textOf(page, ".letters"),
        await textOf(page, "section[aria-label='Where to look first'] ol"),
      ];

      expect(lanes.length).toBeGreaterThanOrEqual(2);
      for (const lane of lanes) expect(letters).toContain(`/${lane}`);
      expect(lanes.some((lane) => look.includes(`${lane}: `))).toBe(true);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  it("[VW52] a call that a helper made lies within the call of the helper", async () => {
    const url = `${server.origin}${examples.length}/${server.query}`;
    const { page, errors } = await at(url, ".letters tr.here");
    await page.$$eval(".letters tbody tr", (rows) =>
      rows.find((row) => row.textContent.includes("agent/aide → tool/dig"))?.click(),
    );
    await holds(page, ".event .within", "Of aide the log notes");
    const [table, legend] = [await textOf(page, ".unseen"), await textOf(page, ".legend")];
    for (const around of ["Of aide the log notes", "boss called ask", "Of boss the log notes"]) {
      await clicked(page, ".event .within button");
      await holds(page, ".event h2", around);
    }

    const rows = await page.$$eval(".timeline tbody tr td:first-child", (all) =>
      all.map((one) => one.textContent),
    );
    const box = await (await page.$(".lanes canvas"))?.boundingBox();
    const { x = 0, y = 0, width = 0 } = box ?? {};
    await page.keyboard.press("0");
    // Below the axis a row has 30 px; in the middle of the time every one of them runs.
    await page.mouse.move(x + 220 + (width - 246) / 2, y + 42 + 30 * rows.indexOf("dig") + 15);
    await holds(page, ".hover", "dig: ran to a result, within aide");

    expect(table).toContain("1 × dig, ran to a result, within aide");
    expect(table).toContain("1 × aide, an agent's run, within ask");
    expect(legend).toContain("below a stretch: what lies within it");
    expect(await page.$(".event .within")).toBe(null);
    expect(errors).toEqual([]);
    await page.close();
  });
});
