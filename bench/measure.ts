/**
 * Measures one variant at each size. It runs in a process of its own, started with `--expose-gc`, so
 * that no other variant has shaped its machine code or its heap. Time is the processor's: a host has other work.
 */
import { processorMs } from "./processorTime.ts";
import { inTemporaryFolder } from "./temporaryFolder.ts";
import { type VariantName, variants } from "./variants.ts";
import { type Tally, tallyOf, type World } from "./workload.ts";

export interface MeasureOptions {
  readonly variant: VariantName;
  readonly sizes: readonly number[];
  /** Of the stretch after which all variants must agree. */
  readonly agreedTicks: number;
  readonly warmMs: number;
  readonly timedMs: number;
  readonly weighs: boolean;
}

export interface Measured {
  readonly actors: number;
  readonly tally: Tally;
  readonly envelopesPerSecond: number;
  /** Null when not weighed. */
  readonly bytesPerActor: number | null;
}

/** Small worlds are weighed many at a time, so that the heap's own noise is small beside them. */
const WEIGHED_ACTORS = 2_000;
const WEIGHED_WORLDS = 100;
/** The first world warms up the code for all sizes, each later one only itself. */
const WARM_ACTORS = 100;
const WARM_TIMES = 3;
/** Between two looks at the host's clock. */
const SLICE_MS = 5;

export function measure(options: MeasureOptions): Measured[] {
  return inTemporaryFolder((folder) => {
    warmUp(options, folder);
    return options.sizes.map((actors) => measureSize(options, actors, folder));
  });
}

function warmUp({ variant, warmMs }: MeasureOptions, folder: string): void {
  const world = variants[variant].open(WARM_ACTORS, folder);
  runFor(world, WARM_TIMES * warmMs);
  world.close();
}

function measureSize(options: MeasureOptions, actors: number, folder: string): Measured {
  const open = () => variants[options.variant].open(actors, folder);
  const { world, bytesPerActor } = options.weighs
    ? weighed(open, actors)
    : { world: open(), bytesPerActor: null };
  world.advance(options.agreedTicks);
  const tally = tallyOf(world);
  runFor(world, options.warmMs);
  collectGarbage();
  let ticks = 0;
  const ms = processorMs(() => {
    ticks = runFor(world, options.timedMs);
    world.close();
  });
  return { actors, tally, envelopesPerSecond: (2_000 * ticks) / ms, bytesPerActor };
}

/** Advances slice by slice until the time is over, and says by how many ticks. */
function runFor(world: World, lastsMs: number): number {
  const endsAt = performance.now() + lastsMs;
  let ticks = 0;
  let slice = 1;
  for (let startedAt = performance.now(); startedAt < endsAt; ) {
    world.advance(slice);
    ticks += slice;
    const now = performance.now();
    if (now - startedAt < SLICE_MS) slice *= 2;
    startedAt = now;
  }
  return ticks;
}

/** Heap after collection with all actors started; each carries its share of the world around it. */
function weighed(open: () => World, actors: number): { world: World; bytesPerActor: number } {
  const count = Math.min(WEIGHED_WORLDS, Math.ceil(WEIGHED_ACTORS / actors));
  const before = heapUsed();
  const world = open();
  const others = Array.from({ length: count - 1 }, open);
  const bytesPerActor = (heapUsed() - before) / (count * actors);
  for (const other of others) other.close();
  return { world, bytesPerActor };
}

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function collectGarbage(): void {
  globalThis.gc?.();
  globalThis.gc?.();
}
