/** Other ways to say who did it, of the same runs and with as many more runs as blame had. */
import type { Asked } from "../../src/run/causes/asked.ts";
import { runToEnd, startRun } from "../../src/run/simulate.ts";
import { why } from "../../src/run/why.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";

/** What was done by name: chosen, or from outside. */
interface Done {
  readonly id: string;
  readonly by: string;
  readonly atMs: number;
  /** Deliveries before it was decided. */
  readonly place: number;
}

function doneIn({ run }: Asked): readonly Done[] {
  const { deliveries, inputs } = run;
  const harm = deliveries.findIndex(({ event }) => event.type === "planted.harmed");
  const places = new Map(deliveries.map(({ seq }, place) => [seq, place]));
  const chosen = inputs.flatMap((one) => {
    if (one.kind !== "reply" || one.choice === undefined) return [];
    const reply = deliveries[places.get(one.seq) ?? -1];
    if (reply === undefined) return [];
    const place = places.get(reply.re ?? reply.seq) ?? 0;
    return [{ id: one.choice, by: one.from, atMs: reply.dueMs, place }];
  });
  const outside = deliveries.flatMap(({ event, from, dueMs }, place) =>
    event.type === "planted.did" && from.startsWith("outside/")
      ? [{ id: event.step, by: "outside", atMs: dueMs, place }]
      : [],
  );
  const untilMs = deliveries[harm]?.dueMs ?? 0;
  return [...chosen, ...outside]
    .filter(({ atMs }) => atMs <= untilMs)
    .toSorted((a, b) => a.atMs - b.atMs);
}

const isDone = ({ id }: Done): boolean => !id.startsWith("not-");

export const lastStep = (asked: Asked): string | undefined => doneIn(asked).findLast(isDone)?.id;

/** The last thing that it did. */
export function mostFrequentActor(asked: Asked): string | undefined {
  const counts = new Map<string, number>();
  for (const { to, from } of asked.run.deliveries) {
    for (const one of [to, from].filter((name) => name.startsWith("hand/"))) {
      counts.set(one, (counts.get(one) ?? 0) + 1);
    }
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  return doneIn(asked).findLast((one) => one.by === most && isDone(one))?.id;
}

export const whysRoot = ({ parts, run }: Asked): string | undefined =>
  why(parts, run.deliveries, run.inputs)?.origins.findLast(({ id }) => id !== "stage")?.id;

/** What occurs in failing runs more than in others: of so many runs from the start, with other seeds. */
export function ochiai(asked: Asked, runs: number): string | undefined {
  const { parts, world, run } = asked;
  const spectra = Array.from({ length: runs }, (_, at) => {
    const done = new Set<string>();
    let failed = false;
    const onSeen = ({ event }: Pick<Delivery, "event">) => {
      if (event.type === "planted.did") done.add(event.step);
      if (event.type === "planted.harmed") failed = true;
    };
    const seed = world.seed + 1_000_003 * (at + 1);
    runToEnd(startRun(parts, world.scenario, { seed, level: "bare", onSeen }));
    return { done, failed };
  });
  const failing = spectra.filter(({ failed }) => failed).length;
  const scores = doneIn({ ...asked, run })
    .filter(isDone)
    .map(({ id }) => {
      const those = spectra.filter(({ done }) => done.has(id));
      const both = those.filter(({ failed }) => failed).length;
      return { id, score: both === 0 ? 0 : both / Math.sqrt(failing * those.length) };
    });
  // Of equals the later one.
  return scores.toReversed().toSorted((a, b) => b.score - a.score)[0]?.id;
}

export interface Contrast {
  readonly id: string;
  /** Of the continuations in which this step and all after it were drawn anew. */
  readonly bad: number;
  readonly isRescuing: boolean;
}

/**
 * Causal Agent Replay's contrastive estimator (J. Shah, arXiv 2606.08275): every step of an agent is held up to one, and that
 * one and all after it drawn anew; the locus is the last step of which the interval of the effect excludes nothing. What is
 * compared is the run as it was, which is bad. Its percentile bootstrap of K noughts and ones with mean p leaves 1 out exactly
 * where p^K is below 2.5 %.
 */
export async function contrasts(asked: Asked, runs: number): Promise<readonly Contrast[]> {
  const steps = doneIn(asked).filter(({ by }) => by !== "outside");
  const each = Math.max(2, Math.floor(runs / Math.max(1, steps.length)));
  const found: Contrast[] = [];
  for (const [at, { id, place }] of steps.entries()) {
    const seeds = Array.from({ length: each }, (_, nth) => 7_919 * (at + 1) + nth);
    const tried = await asked.play(
      seeds.map((seed) => ({ seed, changes: [], from: place, isWhole: false })),
    );
    const bad = tried.filter(({ occurred }) => occurred).length / each;
    found.push({ id, bad, isRescuing: bad ** each < 0.025 });
  }
  return found;
}

export const locusOf = (all: readonly Contrast[]): string | undefined =>
  all.findLast(({ isRescuing }) => isRescuing)?.id;
