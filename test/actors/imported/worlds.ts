// Worlds made of logs in OpenAI's message shape, for tests.
import { madeWorld, playedWorld } from "../../../src/actors/imported/edge/world/playedWorld.ts";
import { Importer } from "../../../src/actors/imported/importer.ts";
import type { LogHead } from "../../../src/actors/imported/record.ts";
import type { LogOfWorld } from "../../../src/actors/imported/worldItems.ts";
import { onlyRecording } from "../../../src/actors/imported/worldRecordings.ts";
import { builtIn } from "../../../src/builtIn/lists.ts";
import type { Scenario } from "../../../src/contract/scenario.ts";
import { foreseen } from "../../../src/edges/scenario/foreseen.ts";
import { fileOf, gathered, lines } from "./gathered.ts";

export const said = (content: string) => ({ role: "user", content });
export const answered = (content: string) => ({ role: "assistant", content });

let ids = 0;
/** A call, and its result unless it is undefined. */
export function called(tool: string, args: unknown, result?: string): object[] {
  const id = `c${++ids}`;
  const text = typeof args === "string" ? args : JSON.stringify(args);
  const call = { id, type: "function", function: { name: tool, arguments: text } };
  return [
    { role: "assistant", content: null, tool_calls: [call] },
    ...(result === undefined ? [] : [{ role: "tool", tool_call_id: id, content: result }]),
  ];
}

export async function logOf(values: readonly unknown[]): Promise<LogOfWorld> {
  const { pieces } = await gathered([fileOf("talk.jsonl", lines(values))]);
  let head: LogHead | undefined;
  let importer: Importer | undefined;
  const deliveries = pieces.flatMap((piece) => {
    if (piece.kind === "opened") {
      head = piece.head;
      importer = new Importer(piece.head);
    }
    if (piece.kind === "closed") return importer?.end() ?? [];
    return piece.kind === "record" ? (importer?.add(piece.record) ?? []) : [];
  });
  if (head === undefined || importer === undefined) throw new Error("no log");
  const startsAt = new Date(importer.startMs ?? 0).toISOString();
  return { ...head, file: "talk.jsonl", startsAt, clock: importer.clock, deliveries };
}

export const made = async (values: readonly unknown[]) =>
  madeWorld(builtIn, [onlyRecording(await logOf(values))], "world.yaml");

export const played = async (values: readonly unknown[]) =>
  playedWorld(builtIn, await made(values), null, "world");

/** What a dry run finds. */
export const found = (scenario: Scenario): readonly string[] =>
  foreseen(builtIn, scenario, { variant: null, set: {} });
