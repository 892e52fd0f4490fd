/** The gates of all parts. */
import { edgeParts } from "../edgeParts.ts";
import type { PartGate } from "./gate.ts";

export const gates: readonly PartGate[] = edgeParts.flatMap(({ gate }) => gate ?? []);

export const gateAt = (port: string): PartGate | undefined =>
  gates.find((gate) => gate.port === port);

/** The names of the parts that have one. */
export const gatedParts: readonly string[] = edgeParts.flatMap(({ name, gate }) =>
  gate === undefined ? [] : [name],
);
