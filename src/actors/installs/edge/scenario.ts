/** What a scenario says of installs, and what the outside does to those who install. */
import * as Schema from "effect/Schema";
import { parseDuration } from "../../../edges/duration.ts";
import { idsOf, namesFindings, wrong } from "../../../edges/findingParts.ts";
import { outsideEvent, says, sentence, words } from "../../../edges/scenarioFields.ts";
import type { ScenarioPart } from "../../../edges/scenarioPart.ts";
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
    "install.interrupt": typeof interrupt.Type;
    "gateway.restart": typeof restart.Type;
  }
}

const EVENTS: readonly string[] = [
  ...["install.attempt", "install.decide", "install.interrupt", "gateway.restart"],
];

const msOf = (text: string): number => parseDuration(text) ?? 0;

const sectionOf = ({ wanted, person = [] }: InstallsSource): InstallsSection => ({
  wanted: wanted.map(({ id: wish, at, goal, intent, code = false, loose = [], gating = null }) => ({
    ...{ wish, goal, needsCode: code, loose, gating, atMs: msOf(at) },
    intent: intent as IntentFields, // YAML's values are JSON's.
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
  events: { behind: [attempt, decide, interrupt, restart] },
  peopledBy: "installs",
  findings: ({ installs: own }) =>
    namesFindings(idsOf(own?.person ?? [], "id"), (index) => ["installs", "person", index, "id"]),
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
  eventOf: (event, atMs) =>
    event.does === "install.decide" ? { reason: null, ...event, atMs } : undefined,
  inputs: ({ installs: own }) =>
    (own?.wanted ?? []).map((one, index) => ({
      ...("at" in one ? { id: one.id, at: one.at } : { id: one.wish }),
      path: ["installs", "wanted", index],
    })),
  choices: ({ installs: own }) => (own?.person ?? []).map(({ id }) => `person:${id}`),
  counts: ({ installs: own }): { readonly [what: string]: number } =>
    own === undefined ? {} : { "wanted agents": own.wanted.length },
};
