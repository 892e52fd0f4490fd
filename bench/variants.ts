/** The ways in which the bench runs its workload, by name. */
import { bundleLog } from "./bundleLog.ts";
import { heapLoop } from "./heapLoop.ts";
import { type Kind, kernelWorld } from "./kernelWorld.ts";
import type { World } from "./workload.ts";
import { heapClock, steppedClock, xstateWorld } from "./xstateWorld.ts";

export interface Variant {
  readonly title: string;
  /** `folder` is a temporary one for what it writes. */
  readonly open: (actors: number, folder: string) => World;
}

const bare =
  (kind: Kind): Variant["open"] =>
  (actors) =>
    kernelWorld(actors, kind, "bare");

const recorded =
  (kind: Kind): Variant["open"] =>
  (actors) =>
    kernelWorld(actors, kind, "recorded");

const onDisk =
  (kind: Kind): Variant["open"] =>
  (actors, folder) =>
    kernelWorld(actors, kind, "full", bundleLog(folder));

export const variants = {
  heapLoop: { title: "bare heap loop, plain functions", open: heapLoop },
  service: { title: "Ghostlight, services, bare", open: bare("service") },
  serviceRecorded: { title: "… with digests", open: recorded("service") },
  serviceDisk: { title: "… log on disk", open: onDisk("service") },
  statechart: { title: "Ghostlight, statecharts, bare", open: bare("statechart") },
  statechartRecorded: { title: "… with digests", open: recorded("statechart") },
  statechartDisk: { title: "… log on disk", open: onDisk("statechart") },
  xstateHeap: {
    title: "XState actors, a heap as their clock",
    open: (actors) => xstateWorld(actors, heapClock()),
  },
  xstateSimulated: {
    title: "XState actors, its `SimulatedClock`",
    open: (actors) => xstateWorld(actors, steppedClock()),
  },
} as const satisfies Readonly<Record<string, Variant>>;

export type VariantName = keyof typeof variants;
export const variantNames = Object.keys(variants) as readonly VariantName[];
