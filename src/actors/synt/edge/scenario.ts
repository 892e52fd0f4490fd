/** What a scenario says of synt: its pool, its user, its models, the person at the gate, and outside events. */
import type { ScenarioPart, UntimedEvent } from "../../../contract/edge/scenarioPart.ts";
import type { OutsideEvent } from "../../../contract/scenario.ts";
import { parseDuration } from "../../../edges/duration.ts";
import { wrong } from "../../../edges/scenario/findingParts.ts";
import {
  duration,
  optional,
  outsideEvent,
  says,
  words,
} from "../../../edges/scenario/scenarioFields.ts";
import {
  eachSaid,
  type Given,
  lasting,
  mapSaid,
  present,
} from "../../../edges/scenario/sourceFields.ts";
import { defined } from "../../../machines/defined.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import { unseen } from "../../../machines/synt/pool/poolState.ts";
import { hours, seconds } from "../../../machines/units.ts";
import type { SyntWorld } from "../stage.ts";
import { syntFindings } from "./checks.ts";
import { amendment, type SyntSource, synt, syntChoices } from "./schema.ts";

const homeostasis = outsideEvent(
  "synt.homeostasis",
  "The user has synt look through its pool now, not at night.",
  {
    lookback: optional(duration, "How far back it looks. The policy's if absent."),
  },
);
const revise = outsideEvent("synt.revise", "The person takes a proposal up again.", {
  request: says(words(100), "Which: `req-0001`, `req-0002`, …, as the audit counts them."),
  ...amendment,
});
const revoke = outsideEvent(
  "executor.revoke",
  "The person takes back an executor that is in the pool.",
  { executor: says(words(100), "Its name.") },
);

declare module "../../../contract/edge/scenarioPart.ts" {
  interface SectionSources {
    readonly synt?: SyntSource;
  }
  interface EventSources {
    "synt.homeostasis": typeof homeostasis.Type;
    "synt.revise": typeof revise.Type;
    "executor.revoke": typeof revoke.Type;
  }
}

const EVENTS: readonly string[] = ["synt.homeostasis", "synt.revise", "executor.revoke"];

function eventOf(event: UntimedEvent, atMs: number): OutsideEvent | undefined {
  if (event.does === "synt.homeostasis") {
    const { lookback, ...rest } = event;
    return {
      ...rest,
      atMs,
      lookbackMs: lookback === undefined ? null : (parseDuration(lookback) ?? 0),
    };
  }
  if (event.does === "synt.revise") {
    const { feedback = null, target = null } = event;
    return { ...event, atMs, feedback, target };
  }
  return undefined;
}

// What the part `synt:` of a scenario is decoded to.

const msOf = (value: string | undefined, otherwise: number): number =>
  value === undefined ? otherwise : (parseDuration(value) ?? otherwise);

const HOUR_MS = hours(1);
/** Ours: a person at a keyboard. */
const DECIDES_MS = seconds(20);

/** The caller has found nothing wrong with the source. */
function syntOf(source: SyntSource): SyntWorld {
  const { executors, mnests = [], missing: gaps = [], memos = [], turns = [] } = source;
  return {
    tiers: (source.tiers ?? {}) as SyntWorld["tiers"],
    pool: {
      executors: executors.map(executorOf),
      traces: mnests.map(({ failed = 0, over, ...one }) => ({
        ...one,
        ...{ failed, overMs: msOf(over, HOUR_MS) },
      })),
      missing: gaps.map(({ from = null, ...one }) => ({
        ...one,
        ...{ from, hints: [], chain: [], args: [] },
      })),
      memos: memos.map(({ args = [], ...one }) => ({
        ...one,
        ...{ args, isComposed: false, gaps: [], lastMs: 0, isPromoted: false },
      })),
    },
    turns: turns.map(({ id: turnId, at, args = {}, case: value = null, ...one }) => ({
      turn: turnId,
      says: one.says,
      args: args as { readonly [name: string]: Json },
      case: value,
      budgetCents: one.budgetCents ?? null,
      atMs: msOf(at, 0),
    })),
    repertoire: repertoireOf(source),
    labels: source.labels ?? [],
  };
}

function executorOf(one: SyntSource["executors"][number]): SyntWorld["pool"]["executors"][number] {
  const { seen, affinity, takes = [], gives = [], profile: reach = {}, shape = {} } = one;
  return defined({
    ...{ name: one.name, version: "1", description: one.description },
    ...{ takes, gives, profile: reach, shape },
    affinity,
    seen:
      seen === undefined
        ? unseen
        : {
            ...{ runs: seen.runs, ok: seen.ok, totalMs: seen.runs * seen.meanMs, lastMs: 0 },
            totalCents: seen.runs * (one.costs ?? 0),
            cases: seen.cases ?? {},
          },
  });
}

const repertoireOf = (source: SyntSource): SyntWorld["repertoire"] => ({
  answers: (source.answers ?? []).map((one) => ({
    ...{ id: one.id, to: `synt.${one.to}`, match: one.match ?? null },
    ...{ afterFault: one.afterFault ?? null, weight: one.weight ?? 1 },
    ...{ answer: (one.answer ?? null) as Json, fails: one.fails ?? null },
    judges: one.judges ?? null,
    tokens: one.tokens ?? null,
    afterMs: one.after === undefined ? null : msOf(one.after, 0),
  })),
  person: (source.person ?? []).map((one) => ({
    ...{ id: one.id, to: one.to ?? null, match: one.match ?? null, decision: one.decision },
    ...{ feedback: one.feedback ?? null, target: one.target ?? null },
    afterMs: msOf(one.after, DECIDES_MS),
    times: one.times ?? null,
  })),
  crafts: source.executors.map(({ name: called, works = 1_000, takesMs = 40, costs = 0 }) => ({
    ...{ name: called, works, takesMs, costs },
  })),
});

/** The other way round: what the YAML would say. */
function syntSaid({ tiers, pool, turns, repertoire, labels, ...rest }: Given): object {
  const { executors, traces, missing, memos, ...otherPool } = isMap(pool) ? pool : { pool };
  const { answers, person, crafts, ...others } = isMap(repertoire) ? repertoire : { repertoire };
  const craftOf = (name: unknown): object =>
    (Array.isArray(crafts) ? crafts : []).find((one) => isMap(one) && one["name"] === name) ?? {};
  return present({
    ...{ ...rest, ...otherPool, ...others, tiers, labels },
    executors: eachSaid(executors, ({ version: _, seen, ...one }) =>
      present({ ...craftOf(one["name"]), ...one, seen: mapSaid(seen, seenSaid) }),
    ),
    mnests: eachSaid(traces, ({ overMs, ...one }) => present({ ...one, over: lasting(overMs) })),
    missing: eachSaid(missing, ({ hints: _, chain: __, args: ___, ...one }) => present(one)),
    memos: eachSaid(memos, ({ query, chain, uses, args }) => present({ query, chain, uses, args })),
    turns: eachSaid(turns, ({ turn, atMs, ...one }) =>
      present({ ...one, id: turn, at: lasting(atMs) }),
    ),
    answers: eachSaid(answers, ({ to, afterMs, ...one }) =>
      present({
        ...{ ...one, after: lasting(afterMs) },
        to: typeof to === "string" ? to.replace(/^synt\./u, "") : to,
      }),
    ),
    person: eachSaid(person, ({ afterMs, ...one }) => present({ ...one, after: lasting(afterMs) })),
  });
}

const seenSaid = ({ runs, ok, totalMs, cases }: Given): object =>
  present({ runs, ok, cases, meanMs: runs === 0 ? 0 : Number(totalMs) / Number(runs) });

export const syntScenario: ScenarioPart = {
  name: "synt",
  fields: {
    behind: {
      synt: optional(synt, "A pool of executors, and who asks for what is missing."),
    },
  },
  events: { behind: [homeostasis, revise, revoke] },
  peopledBy: "synt",
  findings: (source) => (source.synt === undefined ? [] : syntFindings(source.synt)),
  eventFindings: ({ does }, own, source) =>
    EVENTS.includes(does) && source.synt === undefined
      ? [wrong([...own, "does"], does, "an event of a world with `synt:`")]
      : [],
  sectionsOf: (source) => (source.synt === undefined ? {} : { synt: syntOf(source.synt) }),
  eventOf,
  sourceOf: ({ synt: own }) => ({ synt: mapSaid(own, syntSaid) }),
  eventSourceOf: ({ lookbackMs, ...event }) =>
    event["does"] === "synt.homeostasis" ? { ...event, lookback: lasting(lookbackMs) } : undefined,
  inputs: ({ synt: own = {} }) => {
    const turns = "pool" in own ? own.turns.map(({ turn: id }) => ({ id })) : (own.turns ?? []);
    return turns.map((turn, index) => ({ ...turn, path: ["synt", "turns", index] }));
  },
  counts: ({ synt: own }) =>
    own === undefined ? {} : { turns: own.turns.length, executors: own.pool.executors.length },
  choices: ({ synt: own = {} }) => syntChoices("repertoire" in own ? own.repertoire : own),
};
