// Whether a quotation of the README is found out that is none: readme.goldens.ts prints what it quotes.
import { expect, it } from "vitest";
import { misquoted } from "./readmeTexts.ts";

it("[RM1] a line that is not printed, or not there, is found misquoted", () => {
  const printed = "a 1\nb 2\nc 3\n";

  expect(misquoted(["a …", "…", "c 3"], printed)).toEqual([]);
  expect(misquoted(["a 1", "c 3"], printed)).toEqual(["c 3"]);
  expect(misquoted(["b 2", "a 1"], printed)).toEqual(["b 2", "a 1"]);
  expect(misquoted(["a 2"], printed)).toEqual(["a 2"]);
});
