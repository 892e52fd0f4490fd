import { parquetReadObjects } from "hyparquet";
import { expect, it } from "vitest";
import { runsParquet } from "../../../src/edges/studies/runsParquet.ts";
import { studyResult } from "./report/studyResult.ts";

const rowsOf = (bytes: Uint8Array) =>
  parquetReadObjects({ file: new Uint8Array(bytes).buffer as ArrayBuffer });

it("[ST100] has a row for each run and outcome, in columns of one type, the same bytes each time", async () => {
  const result = studyResult({ factor: "value" });
  const bytes = runsParquet(result);
  const rows = await rowsOf(bytes);

  expect(rows).toHaveLength(result.runs.length * 2);
  expect(rows[0]).toEqual({
    ...{
      study: "locks",
      point: 0,
      "factor value": 100_000n,
      "router.kind": "lexical",
      variant: null,
    },
    ...{ replicate: 0, seed: BigInt(result.runs[0]?.seed ?? 0), outcome: "spirals", value: 20 },
    ...{ ended: "ended", censored: false },
  });
  expect(rows.at(-1)).toMatchObject({ value: null, ended: "limit:events" });
  expect(runsParquet(studyResult({ factor: "value" }))).toEqual(bytes);
});

it.each([
  ...["study", "point", "replicate", "task", "seed", "outcome", "value", "ended", "censored"],
])("[ST100] a factor that is named %s has a column of its own", async (factor) => {
  const [first] = await rowsOf(runsParquet(studyResult({ factor })));

  expect(first).toHaveProperty([`factor ${factor}`], 100_000n);
  expect(first).not.toHaveProperty([factor], 100_000n);
});

it("[ST100] says of each run its variant and replicate, and of each value whether only the least is known", async () => {
  const { runs, ...result } = studyResult();
  const told = runs.map((run) => ({ ...run, variant: "calm", censored: ["load"] }));
  const rows = await rowsOf(runsParquet({ ...result, runs: told }));

  expect(rows.slice(2, 4)).toMatchObject([
    { outcome: "spirals", replicate: 1, variant: "calm", censored: false },
    { outcome: "load", replicate: 1, variant: "calm", censored: true },
  ]);
});

it("[ST100] a study without runs has the columns", async () => {
  const bytes = runsParquet({ ...studyResult(), runs: [] });

  expect(await rowsOf(bytes)).toEqual([]);
});
