// Results that other programs may have written.
import { expect, it } from "vitest";
import { keptFacts } from "../../../src/edges/studies/keptFacts.ts";

const FACTS = {
  outcome: "limit:envelopes",
  virtualMs: 60_000,
  finals: { load: { world: 0.5 } },
  series: { load: [[0, 0.5]] },
  tooLong: { "load|vault": 50_001 },
  promises: { "load-within-bounds": null, "blacklist-holds": "broken at once" },
  unknown: "vault left the recording",
};

it("[ST64] a result is read as it was kept", () => {
  expect(keptFacts(JSON.stringify(FACTS))).toEqual(FACTS);
});

it.each<[string, string]>([
  ["no JSON", "{"],
  ["nothing", "null"],
  ["a map of nothing", "{}"],
  ["an end that steers a terminal", text({ outcome: "bug\u001b[31m" })],
  ["no time", text({ virtualMs: null })],
  ["a text for a number", text({ finals: { load: { world: "1" } } })],
  ["half a step", text({ series: { load: [[0]] } })],
  ...Object.keys(FACTS).flatMap((field): [string, string][] => [
    [`a list for ${field}`, text({ [field]: [] })],
    ...(field === "unknown"
      ? []
      : [[`no ${field}`, text({ [field]: undefined })] as [string, string]]),
  ]),
  ["a length that is no number", text({ tooLong: { load: "1" } })],
  ["a number for what broke a promise", text({ promises: { "load-within-bounds": 1 } })],
  ["nothing for a series", text({ series: { load: null } })],
])("[ST64] a result of %s is none", (_, kept) => {
  expect(keptFacts(kept)).toBeUndefined();
});

function text(changed: object): string {
  return JSON.stringify({ ...FACTS, ...changed });
}
