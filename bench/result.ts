/** Medians and ratios of the measured rounds: what `--json` prints. */
import { availableParallelism, cpus } from "node:os";
import { type Reached, reached } from "./goals.ts";
import type { Incident } from "./incident.ts";
import type { Lengths } from "./lengths.ts";
import { median } from "./median.ts";
import type { Plan, Round } from "./rounds.ts";
import type { Against } from "./sides.ts";
import { type VariantName, variantNames, variants } from "./variants.ts";

/** One variant at one size. */
export interface Cell {
  readonly actors: number;
  readonly envelopesPerSecond: number;
  /** Its time for one envelope, when that of the bare heap loop is 1. */
  readonly timesHeapLoop: number;
  /** Its envelopes in a second, when those of XState on its own SimulatedClock are 1. */
  readonly timesXstate: number;
  readonly bytesPerActor: number;
}

type Measurer = VariantName | "simpy";

export interface Row {
  readonly variant: Measurer;
  readonly title: string;
  readonly sizes: readonly Cell[];
}

export interface Result {
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly node: string;
    readonly platform: string;
  };
  readonly plan: Plan;
  /** Made; see Plan. */
  readonly rounds: number;
  /** What every variant did in its first ticks, at each size. */
  readonly agreed: readonly { readonly actors: number; readonly checksum: number }[];
  readonly rows: readonly Row[];
  /** What the product is held to. */
  readonly reached: readonly Reached[];
  readonly incident: Incident;
  readonly length: Lengths;
  /** Null without `--against`. */
  readonly against: Against | null;
}

interface Measurements {
  readonly rounds: readonly Round[];
  readonly incident: Incident;
  readonly length: Lengths;
  readonly against: Against | null;
}

export function resultOf(plan: Plan, measured: Measurements): Result {
  const { rounds, incident, length, against } = measured;
  const names: readonly Measurer[] = rounds.every(({ simpy }) => simpy)
    ? [...variantNames, "simpy"]
    : variantNames;
  return {
    machine: {
      cpu: cpus()[0]?.model.trim() ?? "unknown processor",
      cores: availableParallelism(),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    },
    plan,
    rounds: rounds.length,
    agreed: (rounds[0]?.heapLoop ?? []).map(({ actors, tally }) => ({
      actors,
      checksum: tally.checksum,
    })),
    rows: names.map((variant) => ({
      variant,
      title: variant === "simpy" ? "SimPy 2, in Python" : variants[variant].title,
      sizes: plan.sizes.map((actors, index) => cellOf(rounds, variant, actors, index)),
    })),
    reached: reached(rounds, plan.sizes),
    ...{ incident, length, against },
  };
}

function cellOf(rounds: readonly Round[], variant: Measurer, actors: number, index: number): Cell {
  const speeds = (of: Measurer) =>
    rounds.map((round) => round[of]?.[index]?.envelopesPerSecond ?? Number.NaN);
  const ratios = (over: Measurer) => {
    const others = speeds(over);
    return speeds(variant).map((speed, round) => speed / (others[round] ?? Number.NaN));
  };
  return {
    actors,
    envelopesPerSecond: median(speeds(variant)),
    timesHeapLoop: median(ratios("heapLoop").map((ratio) => 1 / ratio)),
    timesXstate: median(ratios("xstateSimulated")),
    bytesPerActor: rounds[0]?.[variant]?.[index]?.bytesPerActor ?? Number.NaN,
  };
}
