// docs/studies-coverage.md holds what `npm run bench:coverage` prints; of Sobol studies a small version is played here.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Data, type RowsKind, sobolHeld } from "../../../bench/coverageOf.ts";
import {
  acrossTable,
  fixedTable,
  rareTable,
  stoppedTable,
  wilsonTable,
} from "../../../bench/coverageTables.ts";

const PAGE = readFileSync(new URL("../../../docs/studies-coverage.md", import.meta.url), "utf8");
const STUDIES = 50;

interface Said {
  readonly index: "S1" | "ST";
  readonly rows: RowsKind;
  readonly data: Data;
  readonly n: number;
  readonly held: number;
  readonly width: number;
}

/** What the page says of indices, by the rows of its table. */
const SAID: readonly Said[] = [
  ...PAGE.matchAll(
    /^\| `(S1|ST)_conf` \| 64 (random|scrambled) rows\s*\| (\w+)\s*\|\s*([\d.]+) % \|\s*([\d.]+) % \|\s*([\d.]+) \|\s*([\d.]+) \|$/gm,
  ),
].flatMap(([, index, rows, data, ...figures]) => {
  const [held30 = 0, held100 = 0, width30 = 0, width100 = 0] = figures.map(Number);
  // The expression above lets nothing else through.
  const one = { index, rows, data } as Pick<Said, "index" | "rows" | "data">;
  return [
    { ...one, n: 30, held: held30 / 100, width: width30 },
    { ...one, n: 100, held: held100 / 100, width: width100 },
  ];
});

describe("docs/studies-coverage.md", () => {
  it("[ST38] holds the figures of fixed n, of stopped studies and of all shares to the digit", () => {
    expect(PAGE).toContain(fixedTable(1000));
    expect(PAGE).toContain(wilsonTable());
    expect(PAGE).toContain(rareTable());
    expect(PAGE).toContain(stoppedTable(1000));
    expect(PAGE).toContain(acrossTable(1000));
  });

  it("[ST38] says of Sobol studies with random rows that at least 91 % held, of scrambled ones that 97 % did", () => {
    expect(SAID).toHaveLength(24);
    for (const { rows, held, width, ...one } of SAID) {
      const least = rows === "random" ? 0.91 : 0.97;
      expect(held, JSON.stringify(one)).toBeGreaterThanOrEqual(least);

      expect(width > 1.5, JSON.stringify(one)).toBe(rows === "scrambled");
    }
  });

  const small = SAID.filter(({ n }) => n === 30);
  it.each(small.filter(({ index }) => index === "S1"))(
    "[ST38] a few Sobol studies say the same of S1 and of ST, $rows rows, $data",
    ({ rows, data, n }) => {
      const both = sobolHeld(data, n, rows, STUDIES);
      const said = small.filter((one) => one.rows === rows && one.data === data);
      expect(said).toHaveLength(2);
      for (const { index, held, width } of said) {
        const found = both[index];
        const chance = Math.sqrt((Math.min(held, 0.98) * (1 - Math.min(held, 0.98))) / STUDIES);

        expect(Math.abs(found.held - held), index).toBeLessThan(4 * chance);
        // A deviation of fifty values is known to a tenth.
        expect(Math.abs(found.width / width - 1), index).toBeLessThan(0.4);
      }
    },
  );
});
