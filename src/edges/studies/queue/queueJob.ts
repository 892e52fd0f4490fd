/** What is put into the queue: one run, with all that a machine needs which has no file of the study. */
import * as Schema from "effect/Schema";
import type { RunOf } from "../../../studies/study.ts";
import { runKey, type StudyWorld } from "../runKey.ts";

export interface QueueJob {
  readonly key: string;
  readonly world: StudyWorld;
  readonly run: RunOf;
}

export const jobSchema = Schema.String;

export const jobText = (job: QueueJob): string => JSON.stringify(job);

/** Undefined for one that its key does not vouch for. */
export function jobOf(text: string, code: string): QueueJob | undefined {
  try {
    const job = JSON.parse(text) as QueueJob; // The key is a hash of all that a run rests on.
    return runKey(job.world, code, job.run) === job.key ? job : undefined;
  } catch {
    return undefined;
  }
}

export const QUEUE_PREFIX = "ghostlight runs ";

/** Of one version of the code: a worker of another never claims from it. */
export const queueName = (code: string): string => `${QUEUE_PREFIX}${code}`;
