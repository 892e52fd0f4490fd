/** The `installs:` of a scenario: which agents are wanted, of what they are made, and who decides. */
import * as Schema from "effect/Schema";
import {
  duration,
  id,
  listOf,
  mapOf,
  matching,
  says,
  sentence,
  whole,
  words,
} from "../../../edges/scenarioFields.ts";

export const anyMap = mapOf(/^.{1,100}$/u, "names", Schema.Unknown);

const decision = Schema.Literals(["approve", "reject"]).annotate({
  expected: '"approve" | "reject"',
});

/** An address at which nobody lives who is of the crew. */
export const address = matching(
  /^[a-z][a-z0-9_.-]{0,60}$/u,
  "an address of 1 … 61 of a-z, 0-9, _, . and -, starting with a letter",
);

const person = Schema.Struct({
  id: says(id, "Unique; `person:<id>` is the choice's name."),
  agent: says(
    Schema.optionalKey(words(64)),
    "Only of the install of this agent. Of any if absent.",
  ),
  decision: says(decision, "What the person says."),
  reason: says(Schema.optionalKey(sentence), "Why, in words."),
  after: says(duration, "How long the person thinks."),
  times: says(Schema.optionalKey(whole(1, 1_000)), "How often. Without end if absent."),
}).annotate({ identifier: "InstallWord", expected: "a map with id, decision and after" });

const wanted = Schema.Struct({
  id: says(id, "The wish's name, by which a variant omits it."),
  at: says(duration, "When somebody asks the planner for it. Not after the end."),
  goal: says(sentence, "What the agent is for, in words."),
  intent: says(
    anyMap,
    "What create_from_intent is to be given, as it is: rules decide whether it is an intent.",
  ),
  code: says(
    Schema.optionalKey(Schema.Boolean),
    "Whether coder.default builds an artifact for it. Not if absent.",
  ),
  loose: says(
    Schema.optionalKey(listOf(words(200), 1, 50)),
    "Files or handles that come with it in place of an artifact.",
  ),
  gating: says(
    Schema.optionalKey(
      Schema.Literals(["none", "required"]).annotate({ expected: '"none" | "required"' }),
    ),
    "What is said of gates from the start. The planner decides if absent.",
  ),
}).annotate({ identifier: "WantedAgent", expected: "a map with id, at, goal and intent" });

export const installs = Schema.Struct({
  wanted: says(listOf(wanted, 0, 500), "Agents that somebody wants the planner to have installed."),
  person: says(
    Schema.optionalKey(listOf(person, 0, 500)),
    "What the person at the gate says of approvals. Nothing if absent.",
  ),
}).annotate({ expected: "a map with wanted" });

export type InstallsSource = typeof installs.Type;
