import { expect, it } from "vitest";
import { mappingText } from "../../../src/actors/imported/edge/mapping.ts";
import { FORMATS } from "../../../src/actors/imported/record.ts";
import { examples, formatsPage } from "./formatExamples.ts";
import { recordsOf } from "./gathered.ts";

it("[IM1] the page has an example of each format", () => {
  expect(examples.map(({ format }) => format)).toEqual([...new Set(FORMATS)].sort(byPage));
});

const order = [...formatsPage.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, format = ""]) => format);
const byPage = (a: string, b: string): number => order.indexOf(a) - order.indexOf(b);

it.each(examples)("[IM1] the example of $format is read whole", async ({ format, text, map }) => {
  const options = map === undefined ? {} : { map: mappingText(map, "map.yaml") };
  const read = await recordsOf(text, "x.jsonl", options);

  expect(read.unread).toEqual([]);
  expect(read.format).toBe(format);
  expect(
    read.records.some(({ kind }) => kind === (format === "speakers" ? "said" : "returned")),
  ).toBe(true);
});
