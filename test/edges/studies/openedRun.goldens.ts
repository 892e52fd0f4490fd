// The command that opens a point, for every kind of study, beside the row of that run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ghostlight, json } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { UNCACHED } from "./killed.ts";
import { fileOf, KINDS } from "./kindsOfStudy.ts";

/** As a shell takes a command whose arguments have no quotes. */
const argumentsOf = (command: string): readonly string[] => command.split(" ").slice(2);

describe.each(KINDS)("$kind", (kind) => {
  it("[ST98] opens the very run, with its limits, as an ordinary bundle", async () => {
    const left = newFolder();
    const said = await ghostlight([kind.command, fileOf(kind, 2), "--out", left, ...UNCACHED]);
    const page = readFileSync(join(left, "report.html"), "utf8");
    const { opening } = JSON.parse(/id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? "");
    const rows = readFileSync(join(left, "runs.csv"), "utf8").trimEnd().split("\n");
    const points = Object.keys(opening);

    expect(said.code).toBe(0);
    for (const point of [points[0], points.at(-1)]) {
      const command = String(opening[point ?? ""]);
      const own = rows.map((row) => row.split(",")).filter(([at]) => at === point);
      const row = own.find((cells) => cells.includes("peak") && cells[1] === "0") ?? [];
      const bundle = newFolder();
      const run = await json([...argumentsOf(command), "--out", bundle, "--cache", "none"]);
      const manifest = JSON.parse(readFileSync(join(bundle, "manifest.json"), "utf8"));
      const replayed = await ghostlight(["replay", bundle]);

      expect(command).toContain("--limit envelopes=90000 --limit queueLength=5000");
      expect(command).toContain(`--seed ${row[2]} `);
      expect(run.metrics.load.world).toBe(Number(row[row.indexOf("peak") + 1]));
      expect(manifest.scenario.text).toMatch(/envelopes: 90000/);
      expect(replayed.code).toBe(0);
    }
  });
});
