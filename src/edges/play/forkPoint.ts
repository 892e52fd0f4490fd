/** Where a recorded run is to be left, and whether what is to change can change there. */

import type { Part } from "../../contract/part.ts";
import { type PolicyValue, policyLeaves, policyValues } from "../../contract/policyTree.ts";
import { type Fork, setAfter, stillToCome, turned } from "../../run/fork.ts";
import { startRecorded } from "../../run/playRecorded.ts";
import { prepare, type Run } from "../../run/simulate.ts";
import { digestOf } from "../../substrate/digest.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Log } from "../../substrate/log.ts";
import { otherRun } from "../bundle/bundleFaults.ts";
import type { ReadBundle } from "../bundle/bundleReader.ts";
import { deliveriesOf } from "../bundle/derive.ts";
import { FORKS_MAX } from "../bundle/manifestSchema.ts";
import { commandSaid } from "../command.ts";
import { clock, parseDuration } from "../duration.ts";
import { type BadInput, badInput, hintFor, quoted } from "../errors.ts";

export interface Wanted {
  /** A duration, or the number of a delivery. */
  readonly at: string;
  readonly set: { readonly [path: string]: PolicyValue };
  readonly drop: readonly string[];
  /** The seed of whatever is drawn from then on. */
  readonly reseed?: number | undefined;
}

export interface ForkPoint {
  readonly fork: Fork;
  /** The number of the first delivery that may be another; null at the end of the recording. */
  readonly seq: number | null;
  /** When that is, in virtual milliseconds. */
  readonly atMs: number;
  /** Deliveries of the run before. */
  readonly deliveries: number;
}

/**
 * Plays the recording up to there. Throws BadInput for a moment that it does not have, and for what
 * cannot change there; Divergence when it no longer goes as it was recorded.
 */
export function forkPoint(parts: readonly Part[], bundle: ReadBundle, wanted: Wanted): ForkPoint {
  const log = deliveriesOf(parts, bundle);
  const at = placeOf(log, bundle, wanted.at);
  const isAsBefore = new SameLog(log);
  const run = startRecorded(parts, bundle, { onDelivery: isAsBefore.take });
  if (at > 0) run.advance(at);
  const { kernel } = run;
  if (kernel.delivered !== at || !isAsBefore.holds) {
    throw otherRun(bundle.folder, `another run than was recorded, by ${clock(kernel.nowMs)}`);
  }
  const next = log.at(at);
  const atMs = parseDuration(wanted.at) ?? next?.dueMs ?? kernel.nowMs;
  const { final, live, forks = [] } = bundle.manifest;
  const fork: Fork = {
    ...{ at, set: changedLeaves(parts, run, wanted.set), drop: wanted.drop },
    ...(wanted.reseed !== undefined && { reseed: wanted.reseed }),
    ...{ digest: kernel.digest ?? "", from: final?.digest ?? null, before: live ?? null },
  };
  checkDrops(fork, run, bundle);
  const all = [...forks.filter((one) => one.at <= at), fork];
  if (all.length > FORKS_MAX)
    throw badInput(
      "--at",
      `a moment with ${all.length - 1} forks before it`,
      `at most ${FORKS_MAX} forks in a run`,
      "Fork one of the runs before it.",
    );
  tryTurn(parts, bundle, run, all);
  return { fork, seq: next?.seq ?? null, atMs, deliveries: log.length };
}

/** Compares what is played with a log: each block by its digest, and the last delivery itself. */
class SameLog {
  readonly #log: Log;
  #place = 0;
  #last: Delivery | undefined;
  #areBlocksSame = true;

  constructor(log: Log) {
    this.#log = log;
  }

  readonly take = (delivery: Delivery): void => {
    this.#areBlocksSame &&= delivery.digest === this.#log.at(this.#place)?.digest;
    this.#place += 1;
    this.#last = delivery;
  };

  get holds(): boolean {
    if (this.#last === undefined) return true;
    const logged = this.#log.at(this.#place - 1);
    return this.#areBlocksSame && logged !== undefined && digestOf(logged) === digestOf(this.#last);
  }
}

/** How many deliveries come before the moment. */
function placeOf(log: Log, bundle: ReadBundle, text: string): number {
  const { final } = bundle.manifest;
  const last = log.at(log.length - 1);
  const endMs = final?.virtualMs ?? last?.dueMs ?? 0;
  if (/^\d{1,15}$/.test(text)) {
    for (let place = 0; place < log.length; place++) {
      if (log.at(place)?.seq === Number(text)) return place;
    }
    throw badMoment(bundle, `no delivery #${text} in this run`, endMs);
  }
  const ms = parseDuration(text);
  if (ms === undefined) throw badMoment(bundle, quoted(text), endMs);
  if (ms > endMs) throw badMoment(bundle, `${clock(ms)}, when the run was over`, endMs);
  let place = 0;
  while (place < log.length && (log.at(place)?.dueMs ?? 0) < ms) place += 1;
  return place;
}

const badMoment = ({ folder }: ReadBundle, found: string, endMs: number): BadInput =>
  badInput(
    "--at",
    found,
    `a duration up to ${clock(endMs)}, such as 90s, or the number of a delivery`,
    `${commandSaid`events ${folder}`} lists the deliveries with their numbers and times.`,
  );

/** Those that are not so already. Throws BadInput for one that only counts at the start. */
function changedLeaves(parts: readonly Part[], { policy }: Run, set: Fork["set"]): Fork["set"] {
  const now = policyValues(parts, policy);
  const changed = Object.entries(set).filter(([path, value]) => `${now[path]}` !== `${value}`);
  const leaves = new Map(policyLeaves(parts));
  for (const [path] of changed) {
    const atStart = leaves.get(path)?.atStart;
    if (atStart === undefined) continue;
    throw badInput(
      `--set ${path}`,
      `a value that cannot change on the way: ${atStart}`,
      "any other value of `ghostlight policy`",
      `Change it from the start: ${commandSaid`replay BUNDLE --set ${path}=VALUE`}.`,
    );
  }
  return Object.fromEntries(changed);
}

function checkDrops({ drop }: Fork, { kernel }: Run, { folder, inputs }: ReadBundle): void {
  const ahead = stillToCome(kernel);
  for (const id of drop) {
    if (ahead.has(id)) continue;
    const came = inputs.find((one) => one.kind === "outside" && one.id === id);
    throw badInput(
      "--drop",
      came === undefined
        ? `${quoted(id)}, which is no outside input of this run`
        : `${quoted(id)}, which came at ${clock(came.deliveredAt)}, before that moment`,
      [...ahead.keys()].map((one) => quoted(one)).join(" | ") || "none: no input is still to come",
      `Give an earlier --at, or another id; ${commandSaid`why ${folder} --list`} shows what there is.`,
      hintFor(id, [...ahead.keys()]),
    );
  }
}

/** Makes the machines of that moment anew, for once without asking anybody. Throws BadInput. */
function tryTurn(
  parts: readonly Part[],
  { manifest, scenario }: ReadBundle,
  { kernel }: Run,
  forks: readonly Fork[],
): void {
  const { variant, seed, policy } = manifest;
  const set = setAfter(policy, forks);
  const recorded = { recorded: [], serving: { serves: () => false, onMiss: () => null } };
  const { kernelOptions } = prepare(parts, scenario, { variant, seed, set, ...recorded });
  try {
    turned(kernel.checkpoint(), kernelOptions, forks.at(-1)?.drop ?? []);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw badInput(
      "--set",
      `values under which what lives at that moment cannot go on: ${reason}`,
      "values that leave the machines as they are made",
      "Change them from the start: `npx ghostlight replay BUNDLE --set PATH=VALUE`.",
    );
  }
}
