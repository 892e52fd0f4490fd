/** What a scenario says of installs, and what the outside does to those who install. */
import * as Schema from "effect/Schema";
import type { ScenarioPart } from "../../../contract/edge/scenarioPart.ts";
import { parseDuration } from "../../../edges/duration.ts";
import { idsOf, namesFindings, wrong } from "../../../edges/scenario/findingParts.ts";
import {
  optional,
  outsideEvent,
  says,
  sentence,
  words,
} from "../../../edges/scenario/scenarioFields.ts";
import {
  eachSaid,
  filled,
  type Given,
  lasting,
  mapSaid,
  present,
} from "../../../edges/scenario/sourceFields.ts";
import { CODER } from "../../../machines/installs/addresses.ts";
import type { IntentFields, Wish } from "../../../machines/installs/crew/crewMail.ts";
import { crewAddresses, type InstallsSection } from "../stage.ts";
import { crewQuestions, foreseen } from "./foreseen.ts";
import { address, anyMap, type InstallsSource, installs, wishFields } from "./schema.ts";

const want = outsideEvent(
  "install.want",
  "Somebody wants an agent of the planner; the event's id is the wish's name.",
  wishFields,
);
const attempt = outsideEvent(
  "install.attempt",
  "Whoever lives at an address that installs nothing asks the gateway for something.",
  {
    by: says(address, "The address that tries. None of those who install lives there."),
    tool: says(words(100), "The gateway's tool."),
    params: says(anyMap, "What the tool is given."),
  },
);
const decide = outsideEvent(
  "install.decide",
  "A person decides on an approval, by another way than the gate.",
  {
    of: says(words(100), "The approval's id, or the agent of the open one."),
    decision: says(
      Schema.Literals(["approve", "reject"]).annotate({ expected: '"approve" | "reject"' }),
      "What the person says.",
    ),
    by: says(words(100), "Who it is."),
    reason: optional(sentence, "Why, in words."),
  },
);
const rollback = outsideEvent(
  "install.rollback",
  "A person asks the builder to roll an agent back.",
  {
    agent: says(words(64), "The agent."),
    to: optional(
      words(64),
      "The revision that is to be active; `none` switches the agent off. The one before if absent.",
    ),
    reason: says(sentence, "Why, in words."),
  },
);
const interrupt = outsideEvent(
  "install.interrupt",
  "The builder's turn breaks off, and it wakes up.",
  {},
);
const restart = outsideEvent(
  "gateway.restart",
  "The gateway loses what it has begun and not written, and reads its books again.",
  {},
);

declare module "../../../contract/edge/scenarioPart.ts" {
  interface SectionSources {
    readonly installs?: InstallsSource;
  }
  interface EventSources {
    "install.want": typeof want.Type;
    "install.attempt": typeof attempt.Type;
    "install.decide": typeof decide.Type;
    "install.rollback": typeof rollback.Type;
    "install.interrupt": typeof interrupt.Type;
    "gateway.restart": typeof restart.Type;
  }
}

const EVENTS: readonly string[] = [
  ...["install.want", "install.attempt", "install.decide", "install.rollback"],
  ...["install.interrupt", "gateway.restart"],
];

/** What the scripted models do besides, by name. */
const SLIPS: readonly string[] = [
  ...["plan:skips-judges", "plan:says-none", "plan:installs-loose", "plan:gives-up"],
  ...["turn:retries", "turn:ends", "turn:records", "turn:mends", "turn:invents", "turn:looks"],
  ...["evaluate:misses", "evaluate:strict", "evaluate:forgets", "evaluate:fails"],
  ...["audit:misses", "audit:misreads", "audit:denies-remote", "audit:forgets", "audit:fails"],
];

const msOf = (text: string): number => parseDuration(text) ?? 0;

type WishSource = Omit<typeof want.Type, "id" | "at" | "does">;

const wishOf = (
  wish: string,
  { goal, intent, code = false, loose = [], gating }: WishSource,
): Wish => ({
  ...{ wish, goal, needsCode: code, loose, gating: gating ?? null },
  intent: intent as IntentFields, // YAML's values are JSON's.
});

const sectionOf = ({
  wanted,
  person = [],
  artifacts = [],
  crew = [],
}: InstallsSource): InstallsSection => ({
  wanted: wanted.map(({ id, at, ...wish }) => ({ ...wishOf(id, wish), atMs: msOf(at) })),
  crew: crew.map(({ wish = null, match = null, weight = 1, answer, ...thought }) => ({
    ...{ ...thought, wish, match, weight },
    answer: answer as IntentFields, // YAML's values are JSON's.
  })),
  artifacts: artifacts.map(({ files, entrypoints = [], records = [] }) => ({
    ...{ files, entrypoints, builtBy: CODER },
    records: records.map(({ findings = [], ...record }) => ({ ...record, findings })),
  })),
  person: person.map(({ agent = null, reason = null, after, times = null, ...word }) => ({
    ...{ ...word, agent, reason, times, afterMs: msOf(after) },
  })),
});

/** The other way round: what the YAML would say. */
const wishSaid = ({ wish: _, needsCode, loose, ...wish }: Given): Given => ({
  ...{ ...wish, code: needsCode, loose: filled(loose) },
});

const sectionSaid = ({ wanted, crew, artifacts, person, ...rest }: Given): object => ({
  ...rest,
  wanted: eachSaid(wanted, ({ atMs, ...one }) =>
    present({ ...wishSaid(one), id: one["wish"], at: lasting(atMs) }),
  ),
  crew: eachSaid(crew, present),
  artifacts: eachSaid(artifacts, ({ builtBy: _, ...one }) => one),
  person: eachSaid(person, ({ afterMs, ...one }) => present({ ...one, after: lasting(afterMs) })),
});

export const installsScenario: ScenarioPart = {
  name: "installs",
  fields: {
    behind: {
      installs: optional(installs, "Agents that are to be installed, and by whom."),
    },
  },
  events: { behind: [want, attempt, decide, rollback, interrupt, restart] },
  peopledBy: "installs",
  findings: ({ installs: own }) =>
    (["person", "crew"] as const).flatMap((list) =>
      namesFindings(idsOf(own?.[list] ?? [], "id"), (index) => ["installs", list, index, "id"]),
    ),
  eventFindings: (event, own, source) => {
    if (!EVENTS.includes(event.does)) return [];
    if (source.installs === undefined) {
      return [wrong([...own, "does"], event.does, "an event of a world with `installs:`")];
    }
    return event.does === "install.attempt" && crewAddresses.includes(event.by)
      ? [wrong([...own, "by"], event.by, "an address at which none of those who install lives")]
      : [];
  },
  sectionsOf: ({ installs: own }) => (own === undefined ? {} : { installs: sectionOf(own) }),
  eventOf: (event, atMs) => {
    if (event.does === "install.want") {
      const { id, does, ...wish } = event;
      return { id, does, atMs, ...wishOf(id, wish) };
    }
    if (event.does === "install.decide") return { reason: null, ...event, atMs };
    return event.does === "install.rollback" ? { to: null, ...event, atMs } : undefined;
  },
  sourceOf: ({ installs: own }) => ({ installs: mapSaid(own, sectionSaid) }),
  eventSourceOf: (event) => (event["does"] === "install.want" ? wishSaid(event) : undefined),
  inputs: ({ installs: own }) =>
    (own?.wanted ?? []).map((one, index) => ({
      ...("at" in one ? { id: one.id, at: one.at } : { id: one.wish }),
      path: ["installs", "wanted", index],
    })),
  choices: ({ installs: own }) => {
    if (own === undefined) return [];
    return [
      ...(own.crew ?? []).map(({ id }) => `crew:${id}`),
      ...(own.person ?? []).map(({ id }) => `person:${id}`),
      ...SLIPS,
    ];
  },
  asks: crewQuestions,
  foreseen,
  counts: ({ installs: own }): { readonly [what: string]: number } =>
    own === undefined ? {} : { "wanted agents": own.wanted.length },
};
