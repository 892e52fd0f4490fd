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
  text,
  WEIGHT_MAX,
  whole,
  words,
} from "../../../edges/scenarioFields.ts";
import { SEVERITIES } from "../../../machines/installs/promotionRecords.ts";
import { ROLES } from "../../../machines/installs/role.ts";

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

/** What is said of an agent that somebody wants, besides the wish's name and its time. */
export const wishFields = {
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
};

const wanted = Schema.Struct({
  id: says(id, "The wish's name, by which a variant omits it."),
  at: says(duration, "When somebody asks the planner for it. Not after the end."),
  ...wishFields,
}).annotate({ identifier: "WantedAgent", expected: "a map with id, at, goal and intent" });

const weight = says(
  Schema.optionalKey(whole(1, WEIGHT_MAX)),
  "How often it is drawn, relative to others that fit. 1 if absent.",
);
const files = mapOf(/^.{1,200}$/u, "names of files", text);
const entrypoints = says(Schema.optionalKey(listOf(words(200), 0, 20)), "Names of files.");

const build = Schema.Struct({
  id: says(id, "Unique; `build:<id>` is the choice's name."),
  wish: says(id, "The wish that it is for."),
  weight,
  files: says(files, "The texts that the coder writes, by name."),
  entrypoints,
  mends: says(
    Schema.optionalKey(sentence),
    "It comes to mind only once these words stand in a flaw of the one before. At once if absent.",
  ),
}).annotate({ identifier: "ScriptedBuild", expected: "a map with id, wish and files" });

const amendment = Schema.Struct({
  id: says(id, "Unique; `plan:amends/<id>` is the choice's name."),
  wish: says(id, "The wish that it is for."),
  weight,
  after: says(
    sentence,
    "Words of the builder's report after which it comes to the planner's mind.",
  ),
  fields: says(anyMap, "The fields of the intent that are to be otherwise."),
}).annotate({
  identifier: "ScriptedAmendment",
  expected: "a map with id, wish, after and fields",
});

const thousandths = whole(0, 1_000);
const slip = (what: string) =>
  says(Schema.optionalKey(thousandths), `Of a thousand times that it could, how often ${what}.`);

const habits = Schema.Struct({
  skipsJudges: slip("the planner installs what no judge has seen"),
  saysNone: slip("it says `gating: none` against its matrix"),
  installsLoose: slip("it hands over what nobody has built"),
  givesUp: slip("it stops after a failure that could be mended"),
  retries: slip("the builder tries again what failed"),
  ends: slip("it ends its turn within an install"),
  records: slip("it makes the promotion record itself"),
  mends: slip("it builds what is missing itself"),
  invents: slip("it changes the intent"),
  looks: slip("it looks something up that it knows"),
  forgets: slip("a judge makes no promotion record"),
  misses: slip("a judge does not see one flaw or threat that is there"),
  strict: slip("the evaluator fails what is good"),
  misreads: slip("the auditor does not see that a capability is needed"),
  deniesRemote: slip("the auditor takes remote access for a threat, and says that there is none"),
}).annotate({ identifier: "CrewHabits", expected: "a map from habits to thousandths" });

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
  findings: says(Schema.optionalKey(listOf(finding, 0, 20)), "What the judge found."),
}).annotate({ identifier: "PromotionRecord", expected: "a map with role and pass" });

const artifact = Schema.Struct({
  files: says(files, "Its texts by name."),
  entrypoints,
  records: says(Schema.optionalKey(listOf(record, 0, 4)), "What judges recorded of it."),
}).annotate({ identifier: "BuiltArtifact", expected: "a map with files" });

export const installs = Schema.Struct({
  wanted: says(listOf(wanted, 0, 500), "Agents that somebody wants the planner to have installed."),
  person: says(
    Schema.optionalKey(listOf(person, 0, 500)),
    "What the person at the gate says of approvals. Nothing if absent.",
  ),
  builds: says(
    Schema.optionalKey(listOf(build, 0, 500)),
    "What the coder may write. Nothing if none fits.",
  ),
  amendments: says(
    Schema.optionalKey(listOf(amendment, 0, 500)),
    "How the planner may put intents right. Never if absent.",
  ),
  habits: says(
    Schema.optionalKey(habits),
    "How often those who install slip. As people do who are good at it, where absent.",
  ),
  artifacts: says(
    Schema.optionalKey(listOf(artifact, 0, 100)),
    "Artifacts that coder.default built before the start.",
  ),
}).annotate({ expected: "a map with wanted" });

export type InstallsSource = typeof installs.Type;
