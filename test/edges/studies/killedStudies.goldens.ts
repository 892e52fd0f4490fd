// Every kind of study, killed and interrupted at drawn moments; a sweep more often: killedSweep.goldens.ts.
import { describe, expect, it } from "vitest";
import { ghostlight, started } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { killedStudies, UNCACHED, whole } from "./killed.ts";
import { fileOf, KINDS } from "./kindsOfStudy.ts";
import { keptIn } from "./sweptStudy.ts";

describe.each(KINDS.filter(({ kind }) => kind !== "sweep"))("$kind", (kind) => {
  it("[ST97] loses no run where it is killed, and doubles none", async () => {
    const file = fileOf(kind, 4);
    const folder = newFolder();
    await ghostlight([kind.command, file, "--out", folder, ...UNCACHED]);

    const { folders, lost } = await killedStudies(kind.command, file, 2);

    for (const one of folders) expect(whole(one)).toEqual(whole(folder));
    expect(lost).toEqual([]);
  });

  it("[ST97] ends at Ctrl-C with 130, says how to go on, and goes on", async () => {
    const file = fileOf(kind, 6);
    const folder = newFolder();
    const child = started([kind.command, file, "--out", folder, ...UNCACHED]);
    let told = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      // The first tenth of its first batch is over.
      if (/ of \d+ runs/.test(text) && told === "") child.kill("SIGINT");
      told += / of \d+ runs/.test(text) || told !== "" ? text : "";
    });
    child.stdout.resume();
    const code = await new Promise((resolve) => child.on("close", resolve));
    const running = keptIn(folder).filter(({ state }) => state === "running");
    const again = await ghostlight([kind.command, file, "--out", folder, ...UNCACHED]);

    expect([code, running]).toEqual([130, []]);
    expect(told).toContain("were played and kept. The same command goes on.");
    expect(again.code).toBe(0);
  });
});
