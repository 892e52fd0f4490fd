// What `blame --keep` leaves in a bundle. SPEC, "Blame and prevent (BL)".
import { lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { blameIn } from "../../src/edges/causes/blameFile.ts";
import { keepBlame } from "../../src/edges/causes/keepBlame.ts";
import { reportPage } from "../../src/edges/report/reportPage.ts";
import type { ViewBlame } from "../../src/viewer/viewData.ts";
import { newFolder } from "../folders.ts";

const REPORT = "# a run\n\nIt went wrong.\n";
const HOSTILE = "without <b>a</b>";
const one = { first: "from outside", atMs: 0, place: 0, behind: "1 of 1" };
const decides = { ...one, still: "0 of 9", effect: "100 %", bar: null, decides: true };
const unclear = { ...one, still: "9 of 9", effect: "0 %", bar: null, decides: false };
const blame = (ranking: ViewBlame["ranking"]): ViewBlame => ({
  ...{ outcome: "it went wrong", head: "Would it happen again?", closing: "9 runs." },
  ...{ ranking, notes: ["Either alone changes nothing."], curve: [] },
});

function bundle() {
  const folder = newFolder();
  const page = reportPage({ title: "a run", markdown: REPORT, svg: "" });
  writeFileSync(join(folder, "report.md"), REPORT);
  writeFileSync(join(folder, "report.html"), page);
  return { folder, page, read: (name: string) => readFileSync(join(folder, name), "utf8") };
}

it("[BL60] the report ends with it in words, of suspects only those that decide", () => {
  const { folder, page, read } = bundle();
  keepBlame(
    folder,
    "d",
    blame([
      { ...decides, says: HOSTILE },
      { ...unclear, says: "without b" },
    ]),
  );
  const [report, html] = [read("report.md"), read("report.html")];

  expect(report.startsWith(`${REPORT}\n## What decided: it went wrong\n\nWould it`)).toBe(true);
  expect(report).toContain(HOSTILE);
  expect(report).not.toContain("without b");
  expect(report).toContain("1 more suspect, whose effect cannot be told from chance.");
  const [before, after = ""] = html.split('<section id="decided">\n');
  expect(page).toBe(`${before}${after.slice(after.indexOf("</main>"))}`);
  expect(after).toContain("without &lt;b&gt;a&lt;/b&gt;");
});

it("[BL60] where none decides all of them are told, under the digest of the run alone", () => {
  const { folder, read } = bundle();
  keepBlame(folder, "d", blame([{ ...unclear, says: "without b" }]));

  expect(read("report.md")).toContain("without b");
  const told = ["d", "e"].map((digest) => blameIn(read("blame.json"), digest)?.ranking.length);
  expect(told).toEqual([1, undefined]);
});

it("[BL60] what is kept later takes its place in the report", () => {
  const kept = ["without a", "without c"].map((says) => blame([{ ...decides, says }]));
  const [twice, once] = [bundle(), bundle()];
  for (const shown of kept) keepBlame(twice.folder, "d", shown);
  for (const shown of kept.slice(1)) keepBlame(once.folder, "d", shown);

  for (const name of ["blame.json", "report.md", "report.html"]) {
    expect(twice.read(name)).toBe(once.read(name));
  }
});

it("[BL60] a link in place of blame.json is replaced, not followed; one in place of the report, and a page of somebody else, are left alone", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "other"), "as it was");
  writeFileSync(join(folder, "report.html"), "<p>as it was");
  for (const name of ["blame.json", "report.md"]) symlinkSync("other", join(folder, name));
  const files = keepBlame(folder, "d", blame([{ ...decides, says: "without a" }]));

  expect(files).toEqual([join(folder, "blame.json")]);
  expect(lstatSync(join(folder, "blame.json")).isFile()).toBe(true);
  for (const name of ["report.md", "report.html"]) {
    expect(readFileSync(join(folder, name), "utf8")).toMatch(/as it was$/);
  }
});
