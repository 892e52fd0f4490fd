/**
 * The YAML of a scenario as an Effect Schema: which fields there are, what each may hold, and what
 * each means. What one field demands of another is checked in scenarioChecks.ts. Source: DESIGN §5.
 */
import * as Schema from "effect/Schema";
import { model } from "../actors/agents/edge/modelSchema.ts";
import { world } from "../actors/agents/edge/worldSchema.ts";
import { OPERATORS } from "../actors/scenario.ts";
import { synt } from "../actors/synt/edge/schema.ts";
import { defaultLimits, type LimitName } from "../substrate/limits.ts";
import { SEED_MAX } from "../substrate/random.ts";
import { DURATION_ALLOWED, DURATION_PATTERN } from "./duration.ts";
import {
  AGENT_ALLOWED,
  agent,
  anyText,
  duration,
  ITEMS_MAX,
  id,
  listOf,
  mapOf,
  matching,
  opinion,
  path,
  says,
  sentence,
  text,
  whole,
  words,
} from "./scenarioFields.ts";

/** A run's own bounds may be raised tenfold, not removed. */
const LIMIT_FACTOR_MAX = 10;

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
  eventOf(
    "outside.signal",
    "Agents notice something that is not said to them: an alarm, a notice.",
    {
      agents: says(
        Schema.optionalKey(listOf(agent, 1, ITEMS_MAX)),
        "Who notices it. All agents if absent.",
      ),
      text: says(text, "What they notice, in words."),
    },
  ),
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
  eventOf("synt.homeostasis", "Somebody has synt look through its pool now, not at night.", {
    lookback: says(Schema.optionalKey(duration), "How far back it looks. The policy's if absent."),
  }),
  eventOf("synt.revise", "The person takes a proposal up again.", {
    request: says(words(100), "Which: `req-0001`, `req-0002`, …, as the audit counts them."),
    feedback: says(Schema.optionalKey(sentence), "What should be different."),
    target: says(
      Schema.optionalKey(
        Schema.Literals(["compose", "generate"]).annotate({ expected: "compose | generate" }),
      ),
      "Which strategy to try instead.",
    ),
  }),
  eventOf("executor.revoke", "The person takes back an executor that is in the pool.", {
    executor: says(words(100), "Its name."),
  }),
]).annotate({ identifier: "Event", expected: "a map with id, at and does" });

const tool = Schema.Struct({
  name: says(matching(/^[a-z0-9_]{1,60}$/u, "1 … 60 of a-z, 0-9 and _"), "The tool's name."),
  description: says(sentence, "What its spec says; routers read this."),
  returns: says(Schema.Unknown, "What the scripted sandbox answers: any JSON."),
}).annotate({ identifier: "Tool", expected: "a map with name, description and returns" });

const expectation = Schema.Struct({
  name: says(sentence, "What is expected, in words."),
  metric: says(words(100), "What is measured; `ghostlight metrics` lists what can be."),
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
  expect: says(
    Schema.optionalKey(
      Schema.Union([Schema.Literal("inherit"), expectations]).annotate({
        expected: 'a list, or "inherit"',
      }),
    ),
    "What must be seen instead; `inherit` asks for what the scenario expects, and nothing is asked if absent.",
  ),
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

const inhabitant = Schema.Union([
  agent,
  Schema.Struct({
    name: says(agent, "Its name."),
    traits: says(Schema.optionalKey(listOf(sentence, 1, 12)), "What it is like, in words."),
    opinions: says(Schema.optionalKey(listOf(opinion, 1, 20)), "What it thinks from the start."),
    questions: says(Schema.optionalKey(listOf(sentence, 1, 12)), "What it asks itself."),
  }).annotate({ identifier: "Agent", expected: "a map with name" }),
]).annotate({
  expected: `${AGENT_ALLOWED}, or a map with name`,
});

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
  agents: says(
    listOf(inhabitant, 0, 50),
    "Who lives there: a name, or a map of who it is. Names are unique.",
  ),
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
  synt: says(Schema.optionalKey(synt), "A pool of executors, and who asks for what is missing."),
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
export type AgentSource = typeof inhabitant.Type;
