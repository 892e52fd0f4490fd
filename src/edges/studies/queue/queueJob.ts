/** What is put into the queue: runs to play together, with all that a machine needs which has no file of the study or search that asks for them. */
import * as Schema from "effect/Schema";
import { FAULT_NAMES } from "../../../faults/faults.ts";
import { isMap } from "../../../machines/isMap.ts";
import { type Change, changesText } from "../../../run/causes/changes.ts";
import type { Trial } from "../../../run/causes/trial.ts";
import type { RunOf } from "../../../studies/study.ts";
import type { TrialWorld } from "../../pool/trialPlayer.ts";
import { isMapOf, isNumber, isOutcome, keptFacts } from "../keptFacts.ts";
import { runKey, type StudyWorld, sha256 } from "../runKey.ts";

/** A run of a study. */
interface StudyRun {
  readonly world: StudyWorld;
  readonly run: RunOf;
}

/** A run of a search for causes. */
interface SearchRun {
  readonly search: TrialWorld;
  readonly trial: Trial;
}

type Unkeyed = StudyRun | SearchRun;

export type QueuedRun = Unkeyed & { readonly key: string };

/** Runs of one study or search. */
export type QueueJob = readonly [QueuedRun, ...QueuedRun[]];

export const jobSchema = Schema.String;

/** What they share is said once. */
export const jobText = ([first, ...others]: QueueJob): string =>
  JSON.stringify([first, ...others.map(ownOf)]);

const ownOf = (one: QueuedRun) =>
  "run" in one ? { key: one.key, run: one.run } : { key: one.key, trial: one.trial };

/** Undefined for one of whose runs a key does not vouch for. */
export function jobOf(text: string, code: string): QueueJob | undefined {
  try {
    // A key is a hash of all that its run rests on.
    const [first, ...others] = JSON.parse(text) as QueueJob;
    const job = [first, ...others.map((one): QueuedRun => ({ ...first, ...one }))] as const;
    return job.every((one) => keyOf(one, code) === one.key) ? job : undefined;
  } catch {
    return undefined;
  }
}

/** One that has a single run has its key. */
export const idOf = (job: QueueJob): string =>
  job.length === 1 ? job[0].key : sha256(job.map(({ key }) => key).join("\n"));

/** In hex: of all that the result rests on. */
export const keyOf = (one: Unkeyed, code: string): string =>
  "run" in one
    ? runKey(one.world, code, one.run)
    : sha256(JSON.stringify([one.search, one.trial, code]));

/** As a message names it. */
export function nameOf(one: QueuedRun): string {
  if ("trial" in one) {
    const { seed, changes } = one.trial;
    return `the run of seed ${seed}, with this changed: ${changesText(changes)}`;
  }
  const { point, replicate, seed } = one.run;
  return `the run of point ${point}, replicate ${replicate}, seed ${seed}`;
}

/** What a suspect is left out as, where it is no answer of a tool. */
const OMITTED = ["event", "choice", "mail"] satisfies Change["kind"][];

/** Whether a text is what such a run leaves: a database of others may hold anything. */
export function isResultOf(one: QueuedRun, text: string): boolean {
  if ("run" in one) return keptFacts(text) !== undefined;
  try {
    const tried: unknown = JSON.parse(text);
    if (!isMap(tried)) return false;
    const { occurred, outcome, isUnknown = true, costs, suspects = [] } = tried;
    return (
      typeof occurred === "boolean" &&
      isOutcome(outcome) &&
      isUnknown === true &&
      isMapOf(costs, isNumber) &&
      Array.isArray(suspects) &&
      suspects.every(isSuspect)
    );
  } catch {
    return false;
  }
}

function isSuspect(value: unknown): boolean {
  if (!isMap(value)) return false;
  const { change, first, atMs, place, behind } = value;
  return (
    isOmitted(change) &&
    (first === null || typeof first === "string") &&
    [atMs, place, behind].every(isNumber)
  );
}

function isOmitted(change: unknown): boolean {
  if (!isMap(change)) return false;
  const { kind, id, does, tool } = change;
  if (kind !== "fault")
    return (OMITTED as readonly unknown[]).includes(kind) && typeof id === "string";
  return (FAULT_NAMES as readonly unknown[]).includes(does) && typeof tool === "string";
}

export const QUEUE_PREFIX = "ghostlight runs ";

/** Of one version of the code: a worker of another never claims from it. */
export const queueName = (code: string): string => `${QUEUE_PREFIX}${code}`;
