/** The gates of the parts. */
import type { PartGate } from "./gate.ts";
import type { PartLists } from "./partLists.ts";

type Lists = Pick<PartLists, "edgeParts">;

export const gatesOf = ({ edgeParts }: Lists): readonly PartGate[] =>
  edgeParts.flatMap(({ gate }) => gate ?? []);

/** Whether a person decides there. */
export const isGate = (lists: Lists, port: string): boolean =>
  gatesOf(lists).some((gate) => gate.port === port);

/** The gate of the part whose question this is. */
export const gateFor = (
  lists: Lists,
  port: string,
  { type }: { readonly type: string },
): PartGate | undefined => gatesOf(lists).find((gate) => gate.port === port && gate.asks === type);

/** The names of the parts that have one. */
export const gatedParts = ({ edgeParts }: Lists): readonly string[] =>
  edgeParts.flatMap(({ name, gate }) => (gate === undefined ? [] : [name]));
