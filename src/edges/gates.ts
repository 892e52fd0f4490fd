/** The gates of the parts. */
import type { PartGate } from "./gate.ts";
import type { PartLists } from "./partLists.ts";

type Lists = Pick<PartLists, "edgeParts">;

export const gatesOf = ({ edgeParts }: Lists): readonly PartGate[] =>
  edgeParts.flatMap(({ gate }) => gate ?? []);

export const gateAt = (lists: Lists, port: string): PartGate | undefined =>
  gatesOf(lists).find((gate) => gate.port === port);

/** The names of the parts that have one. */
export const gatedParts = ({ edgeParts }: Lists): readonly string[] =>
  edgeParts.flatMap(({ name, gate }) => (gate === undefined ? [] : [name]));
