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
import { lasting, mapSaid } from "../../../edges/scenario/sourceFields.ts";
import { syntFindings } from "./checks.ts";
import { amendment, type SyntSource, synt, syntChoices } from "./schema.ts";
import { syntOf, syntSaid } from "./sectionOf.ts";

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
