/** Runs that machines elsewhere play: offered to the queue, and gathered as their results come in. */
import { setTimeout as sleep } from "node:timers/promises";
import { badInput, Divergence } from "../../errors.ts";
import { unpacked } from "../keptFacts.ts";
import { sha256 } from "../runKey.ts";
import type { Kept } from "../runTable.ts";
import { queueAddress } from "./queueAddress.ts";
import { type Differing, QueueDatabase, type ResultRow } from "./queueDatabase.ts";
import { idOf, isResultOf, jobText, nameOf, type QueuedRun, type QueueJob } from "./queueJob.ts";
import { ATTEMPTS_MAX } from "./queueServices.ts";

export interface QueuedOptions {
  /** `postgres://…`; its password may be in PGPASSWORD. */
  readonly queue: string;
  /** See codeHash.ts: only workers of the same code play them. */
  readonly code: string;
  /** No run stands in two. */
  readonly jobs: readonly QueueJob[];
  readonly signal?: AbortSignal | undefined;
  readonly onTrouble?: ((text: string) => void) | undefined;
}

/**
 * Ours: jobs that a study has in the queue at a time. They are taken in order, so that the fewer are in it, the sooner
 * another study's have their turn; they become more where fewer than half of them wait.
 */
export const OPEN_FIRST = 32;
const OPEN_MAX = 1_000;
/** Ours: results that are in memory at a time. */
const RESULTS_MAX = 100;
/** Ours: how often one looks for results where there was none. */
const LOOK_MS = 250;
/** Ours: looks in a row at which nobody had taken a run, until that is said: five seconds. */
const UNTAKEN_LOOKS = 20;
/** Ours: how often a job is offered under a new id whose last attempt came to nothing. */
const OFFERS_MAX = 4;
/** Ours: a thread that dies twice by chance is bad luck, thrice by one run is that run. */
export const DEATHS_MAX = 3;

/** In any order. Ends early, without the rest, where the signal says so. Throws Divergence and BadInput. */
export async function* queuedRuns(
  options: QueuedOptions,
): AsyncGenerator<readonly [key: string, kept: Kept], undefined> {
  const { queue, onTrouble = () => {} } = options;
  const database = await QueueDatabase.open(queueAddress(queue), onTrouble);
  try {
    yield* gathered(database, options);
  } finally {
    await database.close();
  }
}

/** A job of which something is missing. */
interface OpenJob {
  readonly id: string;
  /** By key. */
  readonly missing: Map<string, QueuedRun>;
  /** How often it was offered. */
  readonly offers: number;
}

/** The same, of a database that is open and stays so. */
export async function* gathered(
  database: QueueDatabase,
  options: Omit<QueuedOptions, "queue">,
): AsyncGenerator<readonly [key: string, kept: Kept], undefined> {
  const { code, jobs, signal, onTrouble = () => {} } = options;
  const open = new Map<string, OpenJob>();
  /** By key of a run. */
  const holding = new Map<string, OpenJob>();
  const opened = (runs: QueueJob, offers: number): OpenJob => {
    const missing = new Map(runs.map((one) => [one.key, one]));
    const job = { id: idOf(runs), missing, offers };
    open.set(job.id, job);
    for (const key of missing.keys()) holding.set(key, job);
    return job;
  };
  const rest = jobs.values();
  let [most, untaken] = [OPEN_FIRST, 0];
  for (let isMore = true; !signal?.aborted; ) {
    while (isMore && open.size < most) {
      const { value, done } = rest.next();
      if (done) isMore = false;
      else opened(value, 0);
    }
    // Whoever saw it plays no more: the rest would be waited for in vain.
    await throwDiffering(database, options);
    if (open.size === 0) break;
    // In this order: a worker keeps a result before it says that its job is done.
    const offered = [...open.values()].filter(({ offers }) => offers > 0);
    const pending = await database.pending(code, offered.map(offerOf));
    const waiting = [...pending.values()].filter((isTaken) => !isTaken).length;
    if (offered.length === most && waiting < most / 2) most = Math.min(2 * most, OPEN_MAX);
    const lost = [...open.values()].filter((job) => !pending.has(offerOf(job)));
    const keys = [...open.values()].flatMap(({ missing }) => [...missing.keys()]);
    const found = await database.results(keys, RESULTS_MAX);
    for (const row of found) {
      const job = holding.get(row.key);
      const run = job?.missing.get(row.key);
      if (job === undefined || run === undefined) continue;
      job.missing.delete(row.key);
      if (job.missing.size === 0) open.delete(job.id);
      yield [row.key, { result: resultOf(run, row) }];
    }
    // There may be more results than were fetched: then nothing is known to be lost yet.
    if (found.length === RESULTS_MAX) continue;
    const again: { id: string; text: string }[] = [];
    for (const { id, missing, offers } of lost) {
      const [first, ...others] = missing.values();
      if (first === undefined) continue;
      open.delete(id);
      // One of its runs may be why it came to nothing: the others are not to vanish with it.
      const parts: readonly QueueJob[] =
        offers === 0 ? [[first, ...others]] : [first, ...others].map((one) => [one]);
      for (const part of parts) {
        const [{ key }] = part;
        const why = offers === 0 ? undefined : await whyGivenUp(database, key, offers);
        if (why !== undefined) {
          yield [key, { died: why }];
          continue;
        }
        const job = opened(part, offers + 1);
        again.push({ id: offerOf(job), text: jobText(part) });
      }
    }
    await database.offer(code, again);
    if (found.length + again.length > 0) continue;
    untaken = waiting === pending.size ? untaken + 1 : 0;
    if (untaken === UNTAKEN_LOOKS) {
      onTrouble(
        "nobody plays these runs: waiting for `ghostlight work` of the same version, with this --queue",
      );
    }
    await sleep(LOOK_MS, null, { signal }).catch(() => {});
  }
}

async function throwDiffering(
  database: QueueDatabase,
  { jobs, code }: Pick<QueuedOptions, "code" | "jobs">,
): Promise<void> {
  for (const one of await database.differing()) {
    const run = jobs.flat().find(({ key }) => key === one.key);
    if (run !== undefined) throw differs(one, run, code);
  }
}

/** Of the time it was offered last. */
const offerOf = ({ id, offers }: OpenJob): string => `${id}/${offers}`;

/** Why a run is not offered once more; undefined where it is. */
async function whyGivenUp(
  database: QueueDatabase,
  key: string,
  offers: number,
): Promise<string | undefined> {
  const deaths = await database.deaths(key);
  if (deaths.length >= DEATHS_MAX) return deaths[0];
  if (offers < OFFERS_MAX) return undefined;
  return `the process that played it vanished ${OFFERS_MAX * ATTEMPTS_MAX} times`;
}

function resultOf(run: QueuedRun, row: ResultRow): string {
  const result = unpacked(row.result);
  const isWhole = result !== undefined && sha256(result) === row.sha256;
  if (isWhole && isResultOf(run, result)) return result;
  throw badInput(
    `--queue: key ${row.key}`,
    "a result that is not the one that was kept",
    "what its hash vouches for",
    "Delete its row from ghostlight_results: the run is then played again.",
  );
}

/** Two machines have two results of one run. */
export function differs(found: Differing, run: QueuedRun, code: string): Divergence {
  const { key, sha256: one, made_by: by, differing: other, differing_by: otherBy } = found;
  return new Divergence({
    where: { path: `--queue: key ${key}` },
    found: `two results of ${nameOf(run)}: ${one} by ${by}; ${other} by ${otherBy}; both of code ${code}`,
    allowed: "the same bytes whoever plays it",
    todo: "Report it with the study: a run that is not determined by its key is a bug of ghostlight, or of a part.",
  });
}
