/** What a scenario says of installs, and what the outside does to those who install. */
import * as Schema from "effect/Schema";
import { parseDuration } from "../../../edges/duration.ts";
import { idsOf, namesFindings, wrong } from "../../../edges/findingParts.ts";
import { outsideEvent, says, sentence, words } from "../../../edges/scenarioFields.ts";
import type { ScenarioPart } from "../../../edges/scenarioPart.ts";
import { CODER } from "../../../machines/installs/addresses.ts";
import type { IntentFields } from "../../../machines/installs/crewMail.ts";
import { crewAddresses, type InstallsSection } from "../stage.ts";
import { address, anyMap, type InstallsSource, installs } from "./schema.ts";

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
    reason: says(Schema.optionalKey(sentence), "Why, in words."),
  },
);
const rollback = outsideEvent(
  "install.rollback",
  "A person asks the builder to roll an agent back.",
  {
    agent: says(words(64), "The agent."),
    to: says(
      Schema.optionalKey(words(64)),
      "The revision that is to be active. The one before if absent.",
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
  "The gateway loses what it has not written, and reads its books again.",
  {},
);

declare module "../../../edges/scenarioPart.ts" {
  interface SectionSources {
    readonly installs?: InstallsSource;
  }
  interface EventSources {
    "install.attempt": typeof attempt.Type;
    "install.decide": typeof decide.Type;
    "install.rollback": typeof rollback.Type;
    "install.interrupt": typeof interrupt.Type;
    "gateway.restart": typeof restart.Type;
  }
}

const EVENTS: readonly string[] = [
  ...["install.attempt", "install.decide", "install.rollback", "install.interrupt"],
  "gateway.restart",
];

const msOf = (text: string): number => parseDuration(text) ?? 0;

const sectionOf = ({
  wanted,
  person = [],
  crew = [],
  artifacts = [],
}: InstallsSource): InstallsSection => ({
  wanted: wanted.map(({ id: wish, at, goal, intent, code = false, loose = [], gating = null }) => ({
    ...{ wish, goal, needsCode: code, loose, gating, atMs: msOf(at) },
    intent: intent as IntentFields, // YAML's values are JSON's.
  })),
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

export const installsScenario: ScenarioPart = {
  name: "installs",
  fields: {
    behind: {
      installs: says(Schema.optionalKey(installs), "Agents that are to be installed, and by whom."),
    },
  },
  events: { behind: [attempt, decide, rollback, interrupt, restart] },
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
    if (event.does === "install.decide") return { reason: null, ...event, atMs };
    return event.does === "install.rollback" ? { to: null, ...event, atMs } : undefined;
  },
  inputs: ({ installs: own }) =>
    (own?.wanted ?? []).map((one, index) => ({
      ...("at" in one ? { id: one.id, at: one.at } : { id: one.wish }),
      path: ["installs", "wanted", index],
    })),
  choices: ({ installs: own }) => [
    ...(own?.crew ?? []).map(({ id }) => `crew:${id}`),
    ...(own?.person ?? []).map(({ id }) => `person:${id}`),
  ],
  counts: ({ installs: own }): { readonly [what: string]: number } =>
    own === undefined ? {} : { "wanted agents": own.wanted.length },
};
