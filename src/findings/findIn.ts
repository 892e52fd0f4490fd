/** Runs findings over one log. */
import type { Part } from "../contract/part.ts";
import type { LogJudged, TraceFact } from "../contract/trace.ts";
import type { SeenDelivery } from "../substrate/envelope.ts";
import type { Finding, Found, Occurrence, Watcher } from "./finding.ts";
import { Joined, type Moment } from "./moments.ts";

/** Occurrences of one log that are kept one by one; of more, only how many there are. Ours: some 50 MB. */
export const OCCURRENCES_MAX = 100_000;

/** How often a finding occurs with one tool and agent. */
export interface Tally {
  readonly finding: string;
  readonly tool: string | null;
  readonly agent: string | null;
  readonly count: number;
}

/** What was found in one log. */
export interface LogFindings {
  /** By seq, at most OCCURRENCES_MAX, or so many of each tally as were asked for. */
  readonly occurrences: readonly Occurrence[];
  /** Of all occurrences, those that are not kept included. */
  readonly tallies: readonly Tally[];
  /** How many facts of each kind there were: a log without any says nothing of findings that rest on them. */
  readonly facts: { readonly [is in TraceFact["is"]]: number };
  /** What people said of it; null where nobody did. */
  readonly judged: LogJudged | null;
}

/** Follows one log, fact by fact, and says at each what is found there. */
export function watchFacts(findings: readonly Finding[]) {
  const joined = new Joined();
  const watchers = findings.map(({ id, find }) => ({ id, watcher: find() }));
  const all = (found: (watcher: Watcher) => readonly Found[] | undefined): readonly Occurrence[] =>
    watchers.flatMap(({ id, watcher }) =>
      (found(watcher) ?? []).map((one) => ({ finding: id, ...one })),
    );
  const counts = { offered: 0, called: 0, returned: 0, said: 0, judged: 0 };
  return {
    /** How many facts of each kind there were so far, those included that were made of words. */
    counts: counts as LogFindings["facts"],
    see: (fact: TraceFact): readonly Occurrence[] => {
      if (fact.is === "judged" || fact.is === "offered") counts[fact.is]++;
      if (fact.is === "offered") return all(({ offered }) => offered?.(fact));
      return joined.of(fact).flatMap((moment) => {
        counts[moment.is]++;
        return all((watcher) => at(watcher, moment));
      });
    },
    end: (): readonly Occurrence[] => all(({ ended }) => ended?.()),
  };
}

function at(watcher: Watcher, moment: Moment): readonly Found[] | undefined {
  if (moment.is === "said") return watcher.said?.(moment.fact);
  const { tool } = moment.is === "called" ? moment.fact : moment.exchange.returned;
  if (moment.is === "called") {
    return tool === null ? [] : watcher.called?.({ ...moment.fact, tool });
  }
  const { exchange } = moment;
  if (tool !== null) {
    return watcher.returned?.({ ...exchange, returned: { ...exchange.returned, tool } });
  }
  watcher.refused?.(exchange);
  return [];
}

/** Reads the facts of one log, delivery by delivery, as its parts tell them. */
export function factReader(
  parts: readonly Part[],
): (delivery: SeenDelivery) => readonly TraceFact[] {
  const readers = parts.flatMap(({ trace }) => trace?.() ?? []);
  return (delivery) => readers.flatMap((read) => read(delivery));
}

/** The facts of a whole log, as its parts tell them. */
export function* factsIn(
  parts: readonly Part[],
  log: Iterable<SeenDelivery>,
): Generator<TraceFact, undefined> {
  const read = factReader(parts);
  for (const delivery of log) yield* read(delivery);
}

/** Everything that these findings find in a log. `ofEach`: how many places of each tally are kept; all when absent. */
export function findIn(
  findings: readonly Finding[],
  facts: Iterable<TraceFact>,
  ofEach: number = OCCURRENCES_MAX,
): LogFindings {
  const watch = watchFacts(findings);
  const kept: Occurrence[] = [];
  const tallies = new Map<string, Tally>();
  let judged: LogJudged | null = null;
  const add = (occurrences: readonly Occurrence[]): void => {
    for (const one of occurrences) {
      const { finding, tool, agent } = one;
      const key = JSON.stringify([finding, tool, agent]);
      const count = (tallies.get(key)?.count ?? 0) + 1;
      tallies.set(key, { finding, tool, agent, count });
      if (count <= ofEach && kept.length < OCCURRENCES_MAX) kept.push(one);
    }
  };
  for (const fact of facts) {
    if (fact.is === "judged") judged = fact;
    add(watch.see(fact));
  }
  add(watch.end());
  const occurrences = kept.sort((a, b) => a.seq - b.seq);
  return { occurrences, tallies: [...tallies.values()], facts: watch.counts, judged };
}
