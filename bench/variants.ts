/** The ways in which the bench runs its workload, by name. */
import type { Delivery } from "../src/substrate/envelope.ts";
import { bundleLog } from "./bundleLog.ts";
import { heapLoop } from "./heapLoop.ts";
import { type Kind, kernelWorld, type Log } from "./kernelWorld.ts";
import type { World } from "./workload.ts";
import { heapClock, steppedClock, xstateWorld } from "./xstateWorld.ts";

export interface Variant {
  readonly title: string;
  /** `folder` is a temporary one for what it writes. */
  readonly open: (actors: number, folder: string) => World;
}

const onKernel =
  (kind: Kind, log: (folder: string) => Log): Variant["open"] =>
  (actors, folder) =>
    kernelWorld(actors, kind, log(folder));

const noLog = (): Log => ({});

function memoryLog(): Log {
  const log: Delivery[] = [];
  return { onDelivery: (delivery) => void log.push(delivery) };
}

export const variants = {
  heapLoop: { title: "bare heap loop, plain functions", open: heapLoop },
  service: { title: "Ghostlight, services", open: onKernel("service", noLog) },
  serviceMemory: { title: "… log in memory", open: onKernel("service", memoryLog) },
  serviceDisk: { title: "… log on disk", open: onKernel("service", bundleLog) },
  statechart: { title: "Ghostlight, statecharts", open: onKernel("statechart", noLog) },
  statechartMemory: { title: "… log in memory", open: onKernel("statechart", memoryLog) },
  statechartDisk: { title: "… log on disk", open: onKernel("statechart", bundleLog) },
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
