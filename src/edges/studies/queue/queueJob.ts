/** What is put into the queue: one run, with all that a machine needs which has no file of the study or search that asks for it. */
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

export type QueueJob = Unkeyed & { readonly key: string };

export const jobSchema = Schema.String;

export const jobText = (job: QueueJob): string => JSON.stringify(job);

/** Undefined for one that its key does not vouch for. */
export function jobOf(text: string, code: string): QueueJob | undefined {
  try {
    const job = JSON.parse(text) as QueueJob; // The key is a hash of all that a run rests on.
    return keyOf(job, code) === job.key ? job : undefined;
  } catch {
    return undefined;
  }
}

/** In hex: of all that the result rests on. */
export const keyOf = (job: Unkeyed, code: string): string =>
  "run" in job
    ? runKey(job.world, code, job.run)
    : sha256(JSON.stringify([job.search, job.trial, code]));

/** As a message names it. */
export function nameOf(job: QueueJob): string {
  if ("trial" in job) {
    const { seed, changes } = job.trial;
    return `the run of seed ${seed}, with this changed: ${changesText(changes)}`;
  }
  const { point, replicate, seed } = job.run;
  return `the run of point ${point}, replicate ${replicate}, seed ${seed}`;
}

/** What a suspect is left out as, where it is no answer of a tool. */
const OMITTED = ["event", "choice", "mail"] satisfies Change["kind"][];

/** Whether a text is what such a run leaves: a database of others may hold anything. */
export function isResultOf(job: QueueJob, text: string): boolean {
  if ("run" in job) return keptFacts(text) !== undefined;
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
