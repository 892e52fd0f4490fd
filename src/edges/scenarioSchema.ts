/**
 * The YAML of a scenario as an Effect Schema: which fields there are, what each may hold, and what
 * each means. What one field demands of another is checked in scenarioChecks.ts. Source: DESIGN §5.
 */
import * as Schema from "effect/Schema";
import { OPERATORS } from "../scenario.ts";
import { defaultLimits, type LimitName } from "../substrate/limits.ts";
import { SEED_MAX } from "../substrate/random.ts";
import { DURATION_ALLOWED, DURATION_PATTERN, parseDuration } from "./duration.ts";
import { world } from "./worldSchema.ts";

/** Ours: far above every shipped scenario, and low enough that a mistake is named within seconds. */
const CHARS_MAX = 1_048_576;
const SENTENCE_CHARS_MAX = 10_000;
const ITEMS_MAX = 5_000;
const WEIGHT_MAX = 1_000_000;
/** A run's own bounds may be raised tenfold, not removed. */
const LIMIT_FACTOR_MAX = 10;

const matching = (pattern: RegExp, expected: string) =>
  Schema.String.check(Schema.isPattern(pattern, { expected })).annotate({ expected });

const words = (charsMax: number) => {
  const expected = `a text of 1 … ${charsMax} characters`;
  return Schema.String.check(Schema.isBetweenLength(1, charsMax, { expected })).annotate({
    expected,
  });
};

const whole = (minimum: number, maximum: number) => {
  const expected = `a whole number ${minimum} … ${maximum}`;
  return Schema.Number.check(
    Schema.isInt({ expected }),
    Schema.isBetween({ minimum, maximum }, { expected }),
  ).annotate({ expected });
};

const listOf = <S extends Schema.Top>(item: S, min: number, max: number) => {
  const expected = `a list of ${min} … ${max} items`;
  const list = Schema.Array(item).check(Schema.isMaxLength(max, { expected }));
  const atLeast = min === 0 ? list : list.check(Schema.isMinLength(min, { expected }));
  return atLeast.annotate({ expected });
};

const mapOf = <S extends Schema.Top>(pattern: RegExp, name: string, value: S) =>
  Schema.Record(matching(pattern, name), value).annotate({
    expected: `a map from ${name} to values`,
  });

const text = words(CHARS_MAX);
const anyText = Schema.String.check(
  Schema.isMaxLength(CHARS_MAX, { expected: `a text of up to ${CHARS_MAX} characters` }),
).annotate({ expected: "a text" });
const sentence = words(SENTENCE_CHARS_MAX);
const duration = matching(DURATION_PATTERN, DURATION_ALLOWED).check(
  Schema.makeFilter((value: string) => parseDuration(value) !== undefined, {
    expected: DURATION_ALLOWED,
  }),
);
const path = matching(/^\/agentOS\/.{1,990}$/u, "an absolute path below /agentOS/");
const idExpected = "1 … 60 of a-z, 0-9 and -, starting with a letter or digit";
const id = matching(/^[a-z0-9][a-z0-9-]{0,59}$/u, idExpected);
const agent = matching(
  /^[a-z][a-z0-9-]{0,30}$/u,
  "an agent's name: 1 … 31 of a-z, 0-9 and -, starting with a letter",
);

const says = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.annotateKey({ description });

const policy = Schema.Record(Schema.String, Schema.Unknown).annotate({
  identifier: "Policy",
  expected: "a map from paths such as router.kind to values",
});

const eventOf = <const Does extends string, const Fields extends Schema.Struct.Fields>(
  does: Does,
  description: string,
  fields: Fields,
) =>
  Schema.Struct({
    id: says(id, "The name by which a variant leaves it out and a report cites it."),
    at: says(duration, "When, counted from the start. Not after the end."),
    does: says(Schema.Literal(does), description),
    ...fields,
  });

const event = Schema.Union([
  eventOf("host.message", "A person writes to an agent.", {
    agent: says(agent, "Who receives the message."),
    text: says(text, "What the message says."),
  }),
  eventOf("files.write", "Somebody outside writes a file.", {
    path: says(path, "The file."),
    text: says(anyText, "What it holds then."),
  }),
  eventOf("files.move", "Somebody outside moves a file.", {
    path: says(path, "Where the file is."),
    to: says(path, "Where it goes."),
  }),
  eventOf("files.delete", "Somebody outside deletes a file.", { path: says(path, "The file.") }),
  eventOf("daemon.restart", "Somebody restarts the daemon and every agent with it.", {}),
]).annotate({ identifier: "Event", expected: "a map with id, at and does" });

const tool = Schema.Struct({
  name: says(matching(/^[a-z0-9_]{1,60}$/u, "1 … 60 of a-z, 0-9 and _"), "The tool's name."),
  description: says(sentence, "What its spec says; routers read this."),
  returns: says(Schema.Unknown, "What the scripted sandbox answers: any JSON."),
}).annotate({ identifier: "Tool", expected: "a map with name, description and returns" });

const step = Schema.Struct({
  intent: says(
    Schema.Union([sentence, listOf(sentence, 1, 100)]).annotate({
      expected: "a text, or a list of 1 … 100 texts",
    }),
    "What the step wants, in words. Of several, one is drawn each time.",
  ),
  params: says(
    Schema.optionalKey(mapOf(/^.{1,100}$/u, "names", Schema.Unknown)),
    "The call's arguments. Texts may hold {agent} {n} {slug} {goal} {artifact} {evidence}.",
  ),
}).annotate({ identifier: "Step", expected: "a map with intent and params" });

const plan = Schema.Struct({
  id: says(id, "Unique in its goal; `plan:<slug>/<id>` is the choice's name."),
  weight: says(whole(1, WEIGHT_MAX), "How often it is drawn, relative to the goal's other plans."),
  steps: says(listOf(step, 1, 200), "What the model proposes, in this order."),
}).annotate({ identifier: "Plan", expected: "a map with id, weight and steps" });

const goal = Schema.Struct({
  slug: says(id, "Unique; `goal:<slug>` is the choice's name."),
  agents: says(
    Schema.optionalKey(listOf(agent, 1, 50)),
    "Who may think of it. Everybody if absent.",
  ),
  weight: says(whole(1, WEIGHT_MAX), "How often it is drawn, relative to others that fit."),
  heard: says(Schema.optionalKey(sentence), "Only when a heard message holds this text."),
  claimBelow: says(
    Schema.optionalKey(path),
    "Only when a peer says that it wrote a file below this folder; {claim} is its path.",
  ),
  text: says(sentence, "The goal in words. May hold {agent} {n} {slug} {claim}."),
  artifact: says(sentence, "The path of the file that shows it is done. May hold the same."),
  evidence: says(Schema.optionalKey(sentence), "A text the file must hold. May hold the same."),
  plans: says(listOf(plan, 1, 100), "What the model may answer when asked how."),
}).annotate({ identifier: "Goal", expected: "a map with slug, weight, text, artifact and plans" });

const model = Schema.Struct({
  malformedPerMille: says(
    Schema.optionalKey(whole(0, 1_000)),
    "Of a thousand answers, how many are cut off in the middle. 0 if absent.",
  ),
  goals: says(listOf(goal, 1, 500), "What the model may think of."),
}).annotate({ expected: "a map with goals" });

const expectation = Schema.Struct({
  name: says(sentence, "What is expected, in words."),
  metric: says(words(100), "What is measured; the metrics are in the documentation."),
  actor: says(Schema.optionalKey(agent), "The agent it is measured on. The whole world if absent."),
  op: says(
    Schema.Literals(OPERATORS).annotate({ expected: OPERATORS.map((op) => `"${op}"`).join(" | ") }),
    "How the metric compares with the value.",
  ),
  value: says(Schema.Finite.annotate({ expected: "a number" }), "What it is compared with."),
  at: says(
    Schema.optionalKey(
      matching(
        new RegExp(`^(?:end|ever)$|${DURATION_PATTERN.source}`, "u"),
        `end | ever | ${DURATION_ALLOWED}`,
      ),
    ),
    "When: at the end (if absent), at some moment, or at a time counted from the start.",
  ),
}).annotate({ identifier: "Expectation", expected: "a map with name, metric, op and value" });

const expectations = listOf(expectation, 0, 500);
const events = listOf(event, 0, ITEMS_MAX);

const variant = Schema.Struct({
  why: says(sentence, "What is different, in words."),
  policy: says(Schema.optionalKey(policy), "Overrides on top of the scenario's."),
  events: says(Schema.optionalKey(events), "Added to the scenario's events."),
  without: says(
    Schema.optionalKey(
      Schema.Struct({
        events: says(Schema.optionalKey(listOf(id, 1, ITEMS_MAX)), "Ids of events left out."),
        choices: says(
          Schema.optionalKey(listOf(words(200), 1, ITEMS_MAX)),
          "What nobody thinks of: `goal:<slug>`, `plan:<slug>/<id>` or `answer:<id>`.",
        ),
      }).annotate({ expected: "a map with events and choices" }),
    ),
    "What is taken out.",
  ),
  expect: says(Schema.optionalKey(expectations), "Replaces the scenario's expectations."),
}).annotate({ identifier: "Variant", expected: "a map with why and what is different" });

const limit = (name: LimitName) =>
  says(
    Schema.optionalKey(whole(1, defaultLimits[name] * LIMIT_FACTOR_MAX)),
    `A run that reaches it ends with its name. ${defaultLimits[name]} if absent.`,
  );

const limits = Schema.Struct({
  envelopes: limit("envelopes"),
  queueLength: limit("queueLength"),
  lettersPerDelivery: limit("lettersPerDelivery"),
  deliveriesPerInstant: limit("deliveriesPerInstant"),
  payloadChars: limit("payloadChars"),
}).annotate({ expected: "a map of limits" });

export const scenarioSource = Schema.Struct({
  why: says(sentence, "What this scenario shows, in words."),
  source: says(sentence, "Where it comes from."),
  startsAt: says(
    matching(
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/u,
      "an instant such as 2026-05-02T09:00:00Z",
    ),
    "What virtual time 0 is called in reports.",
  ),
  seed: says(whole(0, SEED_MAX), "Fixes everything that is drawn."),
  runsFor: says(duration, "How much virtual time passes."),
  agents: says(listOf(agent, 1, 50), "Who lives there. Names are unique."),
  policy: says(Schema.optionalKey(policy), "Overrides of single leaves of the policy tree."),
  events: says(Schema.optionalKey(events), "What the outside does, and when."),
  tools: says(
    Schema.optionalKey(listOf(tool, 0, 1_000)),
    "Synthesized tools there from the start.",
  ),
  files: says(
    Schema.optionalKey(mapOf(/^\/agentOS\/.{1,990}$/u, "absolute paths below /agentOS/", anyText)),
    "Texts by absolute path, there from the start.",
  ),
  model: says(model, "The scripted model's repertoire."),
  world: says(Schema.optionalKey(world), "What somebody outside answers when a tool reaches them."),
  limits: says(Schema.optionalKey(limits), "Bounds of a run, where the defaults do not fit."),
  expect: says(Schema.optionalKey(expectations), "What must be seen."),
  variants: says(
    Schema.optionalKey(mapOf(/^[a-z0-9-]{1,60}$/u, "names of a-z, 0-9 and -", variant)),
    "Named counterfactuals: the same world with something different.",
  ),
}).annotate({ expected: "a map with why, source, startsAt, seed, runsFor, agents and model" });

export type ScenarioSource = typeof scenarioSource.Type;
export type EventSource = typeof event.Type;
export type ExpectationSource = typeof expectation.Type;
export type VariantSource = typeof variant.Type;
export type GoalSource = typeof goal.Type;
