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
import { hasChromium, holds, inBrowser, textOf } from "./inBrowser.ts";

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

describe.skipIf(!hasChromium)("(skipped where Chromium is absent)", () => {
  const { at } = inBrowser();
  const player = new Player(lists);
  let server: ViewServer;
  beforeAll(async () => {
    const folders: string[] = [];
    for (const one of examples) folders.push(await bundleOf(one));
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
});
