// Whether a quotation of the README is found out that is none: readme.goldens.ts prints what it quotes.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { misquoted, pages } from "./readmeTexts.ts";

it("[RM1] a line that is not printed, or not there, is found misquoted", () => {
  const printed = "a 1\nb 2\nc 3\n";

  expect(misquoted(["a …", "…", "c 3"], printed)).toEqual([]);
  expect(misquoted(["a 1", "c 3"], printed)).toEqual(["c 3"]);
  expect(misquoted(["b 2", "a 1"], printed)).toEqual(["b 2", "a 1"]);
  expect(misquoted(["a 2"], printed)).toEqual(["a 2"]);
});

it("[RM2] the README has at most 150 lines, and docs/README.md names every page of docs", () => {
  const index = pages.get("docs/README.md") ?? "";
  const named = [...pages.keys()].filter((name) => name.startsWith("docs/"));

  expect((pages.get("README.md") ?? "").split("\n").length - 1).toBeLessThanOrEqual(150);
  expect(
    named.filter((name) => name !== "docs/README.md" && !index.includes(`(${name.slice(5)})`)),
  ).toEqual([]);
});

it("[RM3] each link of README and docs leads to a file that is in the package", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  const packed = ["README.md", "LICENSE", ...files];
  const links = [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to]) =>
      normalize(join(dirname(page), to ?? "")),
    ),
  );

  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((to) => !existsSync(to))).toEqual([]);
  expect(
    links.filter((to) => !packed.some((one) => to === one || to.startsWith(`${one}/`))),
  ).toEqual([]);
});
