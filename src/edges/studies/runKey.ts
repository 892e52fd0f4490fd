/** What a run of a study is, whole: two runs with one key have one result, in whichever study they stand. */
import { createHash } from "node:crypto";
import { ownValue } from "../../machines/ownValue.ts";
import { sortedJson } from "../../machines/sortedJson.ts";
import type { RunOf, Study } from "../../studies/study.ts";
import type { Interpreter } from "../../substrate/statechart.ts";
import type { SandboxKind } from "../processes/sandboxKind.ts";

/** What all runs of a study share. Plain data: threads and other machines are given it. */
export type StudyWorld = Pick<Study, "scenario" | "scenarios" | "limits" | "untilMs" | "watched">;

/** What of a study its runs rest on. */
export const worldOf = (study: Study): StudyWorld => {
  const { scenario, scenarios, limits, untilMs, watched } = study;
  return { scenario, ...(scenarios && { scenarios }), limits, untilMs, watched };
};

/** The text of the scenario that a run plays. */
export const textOf = (
  {
    scenario,
    scenarios = {},
  }: { readonly scenario: { readonly text: string } } & Pick<Study, "scenarios">,
  run: Pick<RunOf, "scenario">,
): string =>
  (run.scenario === undefined ? undefined : ownValue(scenarios, run.scenario)) ?? scenario.text;

/** How a machine plays them; no result depends on it. */
export interface StudyHost {
  readonly sandbox: SandboxKind;
  /** The folder of kept answers of Python and the shell; none when null. */
  readonly cache: string | null;
  /** Files of parts besides the built-in ones; their bytes are in the hash of the code. */
  readonly partFiles?: readonly string[] | undefined;
  /** What drives the statecharts; tables when undefined. */
  readonly interpreter?: Interpreter | undefined;
  /** Whether each run is played by itself: to measure and to test what it spares that it is not. */
  readonly isApart?: boolean | undefined;
}

/** A part that a program brings may keep something of a run in its machines, and who watches promises sees one run alone. */
export const isPlayedApart = (
  { watched }: Pick<StudyWorld, "watched">,
  { isApart = false, partFiles = [] }: Pick<StudyHost, "isApart" | "partFiles">,
): boolean => isApart || partFiles.length > 0 || watched.length > 0;

/** Studies play bare: nobody reads a log of a thousand runs. */
const LEVEL = "bare";

export const sha256 = (data: string | Uint8Array): string =>
  createHash("sha256").update(data).digest("hex");

/** In hex. Point and replicate are no part of it: they are where a study has put the run. */
export function runKey(world: StudyWorld, code: string, run: RunOf): string {
  const { seed, variant, set } = run;
  const { limits, untilMs, watched } = world;
  const text = textOf(world, run);
  const promises = [...new Set(watched)].sort();
  return sha256(
    sortedJson({ text, variant, set, limits, untilMs, seed, level: LEVEL, promises, code }),
  );
}
