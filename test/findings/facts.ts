// Facts written by hand: a log as small as the question it answers.
import type {
  LogJudged,
  ToolCalled,
  ToolOffered,
  ToolReturned,
  TraceFact,
  WordSaid,
} from "../../src/contract/trace.ts";
import { findIn } from "../../src/findings/findIn.ts";
import type { Occurrence } from "../../src/findings/finding.ts";
import { findings } from "../../src/findings/findings.ts";
import type { Json } from "../../src/machines/letter.ts";

const at = (seq: number) => ({ seq, atMs: seq * 1_000, step: seq });

export const offered = (
  seq: number,
  tool: string,
  schema: Json = null,
  description: string | null = null,
): ToolOffered => ({ is: "offered", ...at(seq), tool, description, schema });

export const called = (seq: number, tool: string, given: Partial<ToolCalled> = {}): ToolCalled => ({
  is: "called",
  ...at(seq),
  ...{ agent: "cedar", tool, intent: null, args: {}, raw: null },
  ...given,
});

export const returned = (
  seq: number,
  tool: string,
  result: Json,
  given: Partial<ToolReturned> = {},
): ToolReturned => ({
  is: "returned",
  ...at(seq),
  ...{ agent: "cedar", tool, call: seq - 1, result, ok: null, error: null },
  ...given,
});

export const said = (seq: number, text: string, given: Partial<WordSaid> = {}): WordSaid => ({
  is: "said",
  ...at(seq),
  ...{ speaker: "cedar", role: "agent", to: null, text },
  ...given,
});

export const judged = (given: Partial<LogJudged>): LogJudged => ({
  is: "judged",
  ...at(0),
  ...{ reward: null, success: null, mistake: null },
  ...given,
});

/** A value that lies so many lists deep. */
export const nested = (levels: number): Json =>
  Array.from({ length: levels }).reduce<Json>((inner) => [inner], null);

/** A call and its result, two facts from this number on. */
export const exchange = (
  seq: number,
  tool: string,
  result: Json,
  { call = {}, end = {} }: { call?: Partial<ToolCalled>; end?: Partial<ToolReturned> } = {},
): readonly TraceFact[] => [called(seq, tool, call), returned(seq + 1, tool, result, end)];

/** Where a finding is found in these facts. */
export const placesOf = (id: string, facts: readonly TraceFact[]): readonly Occurrence[] =>
  findIn(
    findings.filter((one) => one.id === id),
    facts,
  ).occurrences;

export const seqsOf = (id: string, facts: readonly TraceFact[]): readonly number[] =>
  placesOf(id, facts).map(({ seq }) => seq);
