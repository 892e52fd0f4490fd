/** Plays what a bundle recorded, as far as its recording is certain. Pure: the bundle is already read. */

import type { Part } from "../contract/part.ts";
import type { Scenario } from "../contract/scenario.ts";
import type { LiveIdentity } from "../machines/livePolicy.ts";
import type { Checkpoint } from "../substrate/checkpoint.ts";
import type { Kernel } from "../substrate/kernel.ts";
import type { Lines } from "../substrate/log.ts";
import type { Input } from "../substrate/port.ts";
import type { OnMiss, RecordedOptions } from "../substrate/recordedPort.ts";
import { livePorts, type Manifest } from "./bundle.ts";
import type { Fork } from "./fork.ts";
import { type Run, type RunResult, type SimulateOptions, startFrom, startRun } from "./simulate.ts";

/** What a bundle holds of a run: how it was started, what came from outside, what was logged. */
export interface Recorded {
  readonly manifest: Manifest;
  readonly scenario: Scenario;
  readonly inputs: readonly Input[];
  /** The whole lines of events.jsonl, in order; absent for a golden. */
  readonly log?: Lines;
  /** The log's last line was torn. */
  readonly logTorn?: boolean;
  /** The recording ends early: its last line was torn, or the run was killed. */
  readonly partial: boolean;
}

type Observers = Pick<
  SimulateOptions,
  "onDelivery" | "onInput" | "onCheckpoint" | "onTurn" | "interpreter"
> &
  Pick<RecordedOptions, "onRequest"> & {
    /** Looks at the run after so many deliveries, if it comes so far. */
    readonly after?: { readonly deliveries: number; readonly look: (kernel: Kernel) => void };
    /** Where it goes on: what the same recording came to when it was shorter. */
    readonly from?: Checkpoint | undefined;
  };

/** The run up to where it was recorded. No port but the recording is ever called. */
export function playRecorded(
  parts: readonly Part[],
  recorded: Recorded,
  { after, ...observers }: Observers = {},
): RunResult {
  const run = startRecorded(parts, recorded, observers);
  const { final } = recorded.manifest;
  const cutAs = final?.outcome === "waiting" ? "waiting" : "interrupted";
  const isCut = final?.outcome === cutAs;
  const most = isCut ? final.envelopes : Number.MAX_SAFE_INTEGER;
  const pause = Math.min(after?.deliveries ?? 0, most);
  const early = after === undefined ? undefined : run.advance(pause);
  if (typeof early === "object") return early;
  if (early === undefined) after?.look(run.kernel);
  const state = early ?? run.advance(most - pause);
  return typeof state === "object" ? state : run.interrupt(cutAs);
}

/** The same, to be advanced piece by piece. */
export function startRecorded(
  parts: readonly Part[],
  recorded: Recorded,
  { onRequest, from, ...observers }: Omit<Observers, "after"> = {},
): Run {
  const { manifest, inputs } = recorded;
  const { serving, horizonMs } = isOpenEnded(recorded)
    ? openEnded(manifest, inputs)
    : { horizonMs: () => Number.MAX_SAFE_INTEGER };
  const options: SimulateOptions = {
    ...settingsOf(manifest),
    ...observers,
    recorded: inputs,
    serving: { ...serving, ...(onRequest && { onRequest }) },
    horizonMs,
  };
  return from === undefined
    ? startRun(parts, recorded.scenario, options)
    : startFrom(parts, recorded.scenario, options, from, { set: {}, drop: [] });
}

/** What the manifest says about how the run was started. */
export const settingsOf = ({
  variant,
  seed,
  policy,
  untilMs,
  live,
  forks,
}: Manifest): SimulateOptions => {
  const opened = openedWith(live, forks);
  return {
    variant,
    seed,
    set: policy,
    untilMs,
    ...(opened && { live: opened }),
    ...(forks && { turns: forks }),
  };
};

/** The models with which a run began, whatever answers since. */
export const openedWith = (
  live: LiveIdentity | undefined,
  [first]: readonly Fork[] = [],
): LiveIdentity | undefined => (first === undefined ? live : (first.before ?? undefined));

/** A live run that was killed: the calls that were open then are not in its recording. */
export const isOpenEnded = ({ manifest, partial }: Recorded): boolean =>
  partial && manifest.final === undefined && livePorts(manifest).size > 0;

function openEnded(
  manifest: Manifest,
  inputs: readonly Input[],
): Required<Pick<SimulateOptions, "horizonMs">> & Pick<SimulateOptions, "serving"> {
  const live = livePorts(manifest);
  const onMiss: OnMiss = ({ request, inPlace, error }) => {
    if (inPlace === undefined && live.has(request.port)) return null;
    throw error;
  };
  const untilMs = certainMs(inputs, live);
  return { serving: { onMiss }, horizonMs: () => untilMs };
}

/**
 * Up to when a recording without its end is whole. Live replies are delivered in the order of their
 * lines, and every other line was written when its question was asked: what is missing came later.
 */
export const certainMs = (inputs: readonly Input[], live: ReadonlySet<string>): number =>
  inputs.reduce((most, one) => {
    const isAhead = one.kind === "reply" && !live.has(one.port);
    return Math.max(most, isAhead ? one.deliveredAt - one.latencyMs : one.deliveredAt);
  }, 0);
