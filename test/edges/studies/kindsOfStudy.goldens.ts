// Every kind of study, whole and by pieces: what it leaves must not depend on who plays it, and each of its runs can be opened.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ghostlight, json } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { begun, killedStudies, UNCACHED, whole } from "./killed.ts";
import { fileOf, KINDS } from "./kindsOfStudy.ts";
import { keptIn, leftIn } from "./sweptStudy.ts";

/** As a shell takes a command whose arguments have no quotes. */
const argumentsOf = (command: string): readonly string[] => command.split(" ").slice(2);

describe.each(KINDS)("$kind", (kind) => {
  const file = fileOf(kind, 4);
  const [folder, interrupted] = [newFolder(), newFolder()];
  beforeAll(async () => {
    const options = ["--out", folder, "--workers", "3", ...UNCACHED];
    const said = await ghostlight([kind.command, file, ...options]);
    expect([said.code, said.stderr]).toEqual([0, expect.any(String)]);
    expect(leftIn(folder).length).toBeGreaterThanOrEqual(5);
  });

  it("[ST70] ends at Ctrl-C with 130, and says how to go on", async () => {
    const child = begun(kind.command, file, interrupted);
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      // The first tenth of its first batch is over.
      if (/ of \d+ runs/.test(text) && told === "") child.kill("SIGINT");
      told += / of \d+ runs/.test(text) || told !== "" ? text : "";
    });
    const code = await new Promise((resolve) => child.on("close", resolve));
    const running = keptIn(interrupted).filter(({ state }) => state === "running");

    expect([code, running]).toEqual([130, []]);
    expect(told).toContain("were played and kept. The same command goes on.");
  });

  it("[ST69] [ST70] [ST74] [ST143] [ST155] goes on from there, killed again and again, to the same bytes by one worker as by three", async () => {
    const { folders, lost } = await killedStudies(kind.command, file, 2, interrupted);

    for (const one of folders) expect(whole(one)).toEqual(whole(folder));
    expect(lost).toEqual([]);
  });

  it("[ST98] opens the very run, with its limits, as an ordinary bundle", async () => {
    const page = readFileSync(join(folder, "report.html"), "utf8");
    const { opening } = JSON.parse(/id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? "");
    const rows = readFileSync(join(folder, "runs.csv"), "utf8").trimEnd().split("\n");
    const points = Object.keys(opening);

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
