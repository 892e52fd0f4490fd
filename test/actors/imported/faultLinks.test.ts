// What rests on a fault that was put on the wire on purpose.
import { expect, it } from "vitest";
import { bounds } from "../../../src/actors/imported/bounds.ts";
import { Linker, tellingValues } from "../../../src/actors/imported/linker.ts";
import type { LogRecord } from "../../../src/actors/imported/record.ts";
import { called, noted, returned, said } from "./pieces.ts";

const at = (line: number) => ({ place: { file: "log.jsonl", line } });
const fault = (where: unknown, line = 1): LogRecord =>
  noted(null, "fault", { data: { fault: "nothing", at: where } as never, ...at(line) });

/** What the last of these rests on, each record by its number from 1. */
function restsOn(...records: readonly LogRecord[]): readonly string[] {
  const linker = new Linker();
  const linked = records.map((one, index) => linker.linked(one, index + 1).links);
  return (linked.at(-1) ?? []).map(({ rule, seq }) => `${rule} #${seq}`);
}

it("[WR46] a result rests on the fault that was put at its call, by its id, else by its tool", () => {
  const pay = called("pay", {}, { call: "c1" });

  expect(restsOn(pay, fault("pay c1"), returned(null, { call: "c1" }))).toEqual([
    ...["faulted #2", "result-of #1"],
  ]);
  expect(restsOn(called("pay", {}), fault("pay 1"), returned(null, { tool: "pay" }))).toEqual([
    ...["faulted #2", "open-call #1"],
  ]);
  // The id is that of a call of another tool.
  const look = called("look", {}, { call: "c1" });
  const both = [look, called("pay", {}), fault("pay c1")];
  expect(restsOn(...both, returned(null, { tool: "pay" }))).toEqual(["faulted #3", "open-call #2"]);
  expect(restsOn(...both, returned(null, { call: "c1" }))).toEqual(["result-of #1"]);
});

it("[WR46] words and errors of an answer rest on the fault that was put at it, those of another answer do not", () => {
  const words = (line: number) => restsOn(fault("answer 1", 5), said("a", "Sorry.", at(line)));
  const error = (line: number) => restsOn(fault("answer 1", 5), noted(null, "error", at(line)));

  expect([words(5), words(6)]).toEqual([["faulted #1"], []]);
  expect([error(5), error(6)]).toEqual([["faulted #1"], []]);
});

it("[WR46] what lacks the words of a fault is a note and no fault", () => {
  expect(restsOn(fault(7, 5), said("a", "Sorry.", at(5)))).toEqual([]);
});

it("[IM51] a value of 120 characters is looked for, and a longer one is not", () => {
  const value = (chars: number) => tellingValues(`${"a".repeat(chars - 1)}1`).length;

  expect([value(bounds.valueChars), value(bounds.valueChars + 1)]).toEqual([1, 0]);
});
