// The notebook of docs/studies.md on what a sweep leaves, where Python has what it imports.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { studyFile } from "./sweptStudy.ts";

const page = readFileSync("docs/studies.md", "utf8");
const notebook = /```python\n(.*?)```/su.exec(page)?.[1] ?? "";
const needs = "import matplotlib, pandas, polars, pyarrow";
const python = (code: string, cwd?: string) =>
  spawnSync("python3", ["-c", code], {
    ...{ cwd, encoding: "utf8", env: { ...process.env, MPLBACKEND: "Agg" } },
  });

describe.skipIf(python(needs).status !== 0)("(skipped where Python has no pandas, polars)", () => {
  it("[ST100] the notebook of ten lines reads runs.parquet", async () => {
    const folder = newFolder();
    await ghostlight(["sweep", studyFile(3), "--out", folder]);
    const { status, stdout, stderr } = python(notebook, folder);

    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^mean +0/mu);
    expect(stdout).toMatch(/│ peak +┆ 0/u);
    expect(notebook.split("\n").filter((line) => line !== "")).toHaveLength(10);
  });
});
