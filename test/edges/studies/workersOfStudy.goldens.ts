// Every kind of study, with any number of workers.
import { expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { UNCACHED } from "./killed.ts";
import { fileOf, KINDS } from "./kindsOfStudy.ts";
import { leftIn } from "./sweptStudy.ts";

it.each(KINDS)(
  "[ST69] [ST143] [ST155] $kind leaves the same bytes with 1 and 4 workers",
  async (kind) => {
    const file = fileOf(kind, 3);
    const folders = [1, 4].map((workers) => ({ workers, folder: newFolder() }));
    for (const { workers, folder } of folders) {
      const options = ["--out", folder, "--workers", String(workers), ...UNCACHED];
      const said = await ghostlight([kind.command, file, ...options]);
      expect([said.code, said.stderr]).toEqual([0, expect.any(String)]);
    }
    const [first = [], ...others] = folders.map(({ folder }) => leftIn(folder));

    expect(first.length).toBeGreaterThanOrEqual(5);
    for (const other of others) expect(other).toEqual(first);
  },
);
