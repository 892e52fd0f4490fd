import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { mappingText } from "../../../src/actors/imported/edge/mapping.ts";
import { FORMATS } from "../../../src/actors/imported/record.ts";
import { recordsOf } from "./gathered.ts";

const page = readFileSync("docs/import-formats.md", "utf8");
const examples = [
  ...page.matchAll(/^### ([\w-]+)\n\n```json\n([\s\S]*?)```\n(?:\n```yaml\n([\s\S]*?)```)?/gm),
];

it("[IM1] the page has an example of each format", () => {
  expect(examples.map(([, format]) => format)).toEqual([...new Set(FORMATS)].sort(byPage));
});

const order = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, format = ""]) => format);
const byPage = (a: string, b: string): number => order.indexOf(a) - order.indexOf(b);

it.each(examples.map(([, format, text, map]) => ({ format, text: text ?? "", map })))(
  "[IM1] the example of $format is read whole",
  async ({ format, text, map }) => {
    const options = map === undefined ? {} : { map: mappingText(map, "map.yaml") };
    const read = await recordsOf(text, "x.jsonl", options);

    expect(read.unread).toEqual([]);
    expect(read.format).toBe(format);
    expect(
      read.records.some(({ kind }) => kind === (format === "speakers" ? "said" : "returned")),
    ).toBe(true);
  },
);
