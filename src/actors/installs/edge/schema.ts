/** The `installs:` of a scenario: which agents are wanted, of what they are made, and who decides. */
import * as Schema from "effect/Schema";
import {
  duration,
  id,
  listOf,
  mapOf,
  matching,
  optional,
  says,
  sentence,
  text,
  WEIGHT_MAX,
  whole,
  words,
} from "../../../edges/scenario/scenarioFields.ts";
import { ROLES } from "../../../machines/installs/addresses.ts";
import { SEVERITIES } from "../../../machines/installs/gate/promotionRecords.ts";
import { CREW_PURPOSES } from "../scriptedCrew.ts";

export const anyMap = mapOf(/^.{1,100}$/u, "names", Schema.Unknown);

const decision = Schema.Literals(["approve", "reject"]).annotate({
  expected: '"approve" | "reject"',
});

/** With a point, as the addresses of agents that no part starts: whoever else lives has none. */
export const address = matching(
  /^[a-z][a-z0-9_-]{0,29}\.[a-z0-9_.-]{1,30}$/u,
  "an address such as architect.default: a-z, 0-9, _ and - with a point between, starting with a letter",
);

const person = Schema.Struct({
  id: says(id, "Unique; `person:<id>` is the choice's name."),
  agent: optional(words(64), "Only of the install of this agent. Of any if absent."),
  decision: says(decision, "What the person says."),
  reason: optional(sentence, "Why, in words."),
  after: says(duration, "How long the person thinks."),
  times: optional(whole(1, 1_000), "How often. Without end if absent."),
}).annotate({ identifier: "InstallWord", expected: "a map with id, decision and after" });

/** What is said of an agent that somebody wants, besides the wish's name and its time. */
export const wishFields = {
  goal: says(sentence, "What the agent is for, in words."),
  intent: says(
    anyMap,
    "What create_from_intent is to be given, as it is: rules decide whether it is an intent.",
  ),
  code: optional(Schema.Boolean, "Whether coder.default builds an artifact for it. Not if absent."),
  loose: optional(
    listOf(words(200), 1, 50),
    "Files or handles that come with it in place of an artifact.",
  ),
  gating: optional(
    Schema.Literals(["none", "required"]).annotate({ expected: '"none" | "required"' }),
    "What is said of gates from the start. The planner decides if absent.",
  ),
};

const wantedAgent = Schema.Struct({
  id: says(id, "The wish's name, by which a variant omits it."),
  at: says(duration, "When somebody asks the planner for it. Not after the end."),
  ...wishFields,
}).annotate({ identifier: "WantedAgent", expected: "a map with id, at, goal and intent" });

const files = mapOf(/^.{1,200}$/u, "names of files", text);
const entrypoints = optional(listOf(words(200), 0, 20), "Names of files.");

const crewThought = Schema.Struct({
  id: says(id, "Unique; `crew:<id>` is the choice's name."),
  to: says(
    Schema.Literals(CREW_PURPOSES).annotate({ expected: CREW_PURPOSES.join(" | ") }),
    "What it is asked: the planner to plan, the coder to build, the builder for its turn, the judges to evaluate or audit.",
  ),
  wish: optional(id, "Only of this wish. Of any if absent."),
  match: optional(
    words(500),
    "Only when what it is shown holds this text, as JSON. Whatever it holds if absent.",
  ),
  weight: optional(
    whole(1, WEIGHT_MAX),
    "How often it is drawn, relative to others that fit. 1 if absent.",
  ),
  answer: says(anyMap, "What it answers: the members that are asked for."),
}).annotate({ identifier: "CrewThought", expected: "a map with id, to and answer" });

const finding = Schema.Struct({
  severity: says(
    Schema.Literals(SEVERITIES).annotate({ expected: SEVERITIES.join(" | ") }),
    "How bad it is.",
  ),
  description: says(sentence, "What was found."),
}).annotate({ identifier: "JudgesFinding", expected: "a map with severity and description" });

const record = Schema.Struct({
  role: says(
    Schema.Literals(ROLES).annotate({ expected: ROLES.join(" | ") }),
    "Which judge made it.",
  ),
  pass: says(Schema.Boolean, "Whether the artifact passed."),
  findings: optional(listOf(finding, 0, 20), "What the judge found."),
}).annotate({ identifier: "PromotionRecord", expected: "a map with role and pass" });

const artifact = Schema.Struct({
  files: says(files, "Its texts by name."),
  entrypoints,
  records: optional(listOf(record, 0, 4), "What judges recorded of it."),
}).annotate({ identifier: "BuiltArtifact", expected: "a map with files" });

export const installs = Schema.Struct({
  wanted: says(
    listOf(wantedAgent, 0, 500),
    "Agents that somebody wants the planner to have installed.",
  ),
  person: optional(
    listOf(person, 0, 500),
    "What the person at the gate says of approvals. Nothing if absent.",
  ),
  crew: optional(
    listOf(crewThought, 0, 500),
    "What the models of those who install may think of. What is sensible if nothing fits.",
  ),
  artifacts: optional(
    listOf(artifact, 0, 100),
    "Artifacts that coder.default built before the start.",
  ),
}).annotate({ expected: "a map with wanted" });

export type InstallsSource = typeof installs.Type;
