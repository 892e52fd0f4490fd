// What is measured of an imported log, for the world and by agent.
import { expect, it } from "vitest";
import { Importer } from "../../../src/actors/imported/importer.ts";
import { imported } from "../../../src/actors/imported/part.ts";
import type { LogRecord } from "../../../src/actors/imported/record.ts";
import { Meter } from "../../../src/run/meter.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { called, judged, offered, returned, said } from "./pieces.ts";

function measured(...records: readonly LogRecord[]) {
  const importer = new Importer({ name: "talk", format: "openai", file: "log.jsonl" });
  const log: Delivery[] = records.flatMap((record) => importer.add(record));
  log.push(...importer.end());
  const meter = new Meter([imported], []);
  for (const one of log) meter.observe(one);
  return meter;
}
const usage = (promptTokens: number | null, answerTokens: number | null) => ({
  usage: { promptTokens, answerTokens } as never,
});

it("[IM59] records, messages, calls, errors, empty results and tokens count, by agent too, people's in the world alone", () => {
  const meter = measured(
    offered("find", "finds"),
    said("user", "Go", usage(7, null)),
    said("ann lee", "I go", usage(10, 2)),
    called("find", {}, { agent: "ann lee", call: "a" }),
    called("find", {}, { agent: "bob", call: "b" }),
    returned([], { call: "a" }),
    returned("Error: no", { call: "b" }),
    returned("x", { call: "c" }),
    returned("", { call: "d" }),
    judged({ reward: 1 }),
  );

  expect(meter.finals()).toEqual({
    "log.records": { world: 10 },
    "log.messages": { world: 2, ann_lee: 1, bob: 0 },
    "log.calls": { world: 2, ann_lee: 1, bob: 1 },
    "log.errors": { world: 1, ann_lee: 0, bob: 1 },
    "log.empty": { world: 2, ann_lee: 1, bob: 0 },
    "log.tokens.prompt": { world: 17, ann_lee: 10, bob: 0 },
    "log.tokens.answer": { world: 2, ann_lee: 2, bob: 0 },
  });
});

it("[IM59] of 201 agents the first 200 have series of their own", () => {
  const all = Array.from({ length: 201 }, (_, n) => said(`agent ${n}`, "Hm"));
  const names = Object.keys(measured(...all, ...all).finals()["log.messages"] ?? {});

  expect(names).toHaveLength(201);
  expect(names).toContain("agent_199");
  expect(names).not.toContain("agent_200");
});

it("[IM59] up to 10,000 records each is a sample, from there every thousandth and the last", () => {
  const all = Array.from({ length: 11_500 }, () => judged({}));
  const samples = measured(...all).series("log.records");

  expect(samples.map(({ value }) => value).slice(9_998)).toEqual([9_999, 10_000, 11_000, 11_500]);
});
