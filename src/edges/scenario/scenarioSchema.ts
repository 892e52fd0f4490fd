/**
 * The YAML of a scenario as an Effect Schema: which fields there are, what each may hold, and what
 * each means. What one field demands of another is checked in scenarioChecks.ts. Source: DESIGN §5.
 */
import * as Schema from "effect/Schema";
import * as SchemaAST from "effect/SchemaAST";
import type {
  AgentSources,
  EventSource,
  ScenarioPart,
  SectionSources,
} from "../../contract/edge/scenarioPart.ts";
import { OPERATORS } from "../../contract/scenario.ts";
import { FAULT_NAMES, faultText } from "../../faults/faults.ts";
import { onceFor } from "../../machines/onceFor.ts";
import { defaultLimits, type LimitName } from "../../substrate/limits.ts";
import { SEED_MAX } from "../../substrate/random.ts";
import { DURATION_ALLOWED, DURATION_PATTERN } from "../duration.ts";
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
  optional,
  outsideEvent,
  path,
  says,
  sentence,
  whole,
  words,
} from "./scenarioFields.ts";

/** A run's own bounds may be raised tenfold, not removed. */
const LIMIT_FACTOR_MAX = 10;

const policy = Schema.Record(Schema.String, Schema.Unknown).annotate({
  identifier: "Policy",
  expected: "a map from paths such as router.kind to values",
});

const filesEvents = [
  outsideEvent("files.write", "A person or program outside writes a file.", {
    path: says(path, "The file."),
    text: says(anyText, "What it holds then."),
  }),
  outsideEvent("files.move", "A person or program outside moves a file.", {
    path: says(path, "Where the file is."),
    to: says(path, "Where it goes."),
  }),
  outsideEvent("files.delete", "A person or program outside deletes a file.", {
    path: says(path, "The file."),
  }),
] as const;

type FilesEvent = (typeof filesEvents)[number]["Type"];

declare module "../../contract/edge/scenarioPart.ts" {
  interface EventSources {
    files: FilesEvent;
  }
}

/** The events that every world knows. */
export const coreEvents: readonly Schema.Top[] = filesEvents;

const eventsOf = (scenarioParts: readonly ScenarioPart[]) =>
  listOf(
    // Which events there are is told by merging types, for the parts are a list.
    Schema.Union([
      ...scenarioParts.flatMap(({ events: { before = [] } }) => before),
      ...filesEvents,
      ...scenarioParts.flatMap(({ events: { behind = [] } }) => behind),
    ]).annotate({
      identifier: "Event",
      expected: "a map with id, at and does",
    }) as unknown as Schema.Codec<EventSource>,
    0,
    ITEMS_MAX,
  );
type Events = ReturnType<typeof eventsOf>;

const expectation = Schema.Struct({
  name: says(sentence, "What is expected, in words."),
  metric: says(words(100), "What is measured; `ghostlight metrics` lists what can be."),
  actor: optional(
    agent,
    "The agent it is measured on, or another actor. The whole world if absent.",
  ),
  op: says(
    Schema.Literals(OPERATORS).annotate({ expected: OPERATORS.map((op) => `"${op}"`).join(" | ") }),
    "How the metric compares with the value.",
  ),
  value: says(
    Schema.Finite.annotate({
      expected: "a number in the metric's unit (`ghostlight metrics`), times in ms",
    }),
    "What it is compared with, in the metric's unit; shares, loads and severities are 0 … 1.",
  ),
  at: optional(
    matching(
      new RegExp(`^(?:end|ever)$|${DURATION_PATTERN.source}`, "u"),
      `end | ever | ${DURATION_ALLOWED}`,
    ),
    "When: at the end (if absent), at some moment, or at a time counted from the start.",
  ),
}).annotate({ identifier: "Expectation", expected: "a map with name, metric, op and value" });

const expectations = listOf(expectation, 0, 500);

const fault = Schema.Struct({
  id: says(id, "Unique; `fault:<id>` is the choice's name, by which a variant omits it."),
  does: says(
    Schema.Literals(FAULT_NAMES).annotate({ expected: FAULT_NAMES.join(" | ") }),
    `What becomes of the answer. ${FAULT_NAMES.map((one) => `${one}: ${faultText(one)}`).join("; ")}.`,
  ),
  tool: optional(words(100), "The tool that meets it. Any if absent."),
  from: optional(duration, "From when on. The start if absent."),
  to: optional(duration, "Up to, and without, when. The end if absent."),
  calls: optional(
    listOf(whole(1, 1_000_000), 1, 5_000),
    "Only these calls of its tool, the first being 1. All if absent.",
  ),
  perMille: optional(whole(1, 1_000), "Of a thousand calls, how many meet it. All if absent."),
  times: optional(whole(1, 1_000_000), "How often at most. Without end if absent."),
  by: optional(duration, "Only of `late`, which needs it: how much later the answer comes."),
}).annotate({ identifier: "Fault", expected: "a map with id and does" });

const faults = listOf(fault, 0, 500);

const variantWith = (events: Events) =>
  Schema.Struct({
    why: says(sentence, "What is different, in words."),
    policy: optional(policy, "Overrides on top of the scenario's."),
    events: optional(events, "Added to the scenario's events."),
    faults: optional(faults, "Added before the scenario's faults."),
    without: optional(
      Schema.Struct({
        events: optional(listOf(id, 1, ITEMS_MAX), "Ids of events that are omitted."),
        choices: optional(
          listOf(words(200), 1, ITEMS_MAX),
          "What no model thinks of: `goal:<slug>`, `plan:<slug>/<id>` or `answer:<id>`; faults: `fault:<id>`; and mail, as `blame` names it: " +
            "`registration:<tool>`, `birth:<address>`, `timer:<address>/<timer>`; in place of `route:<tool>` the router takes its second.",
        ),
      }).annotate({ expected: "a map with events and choices" }),
      "What is taken out.",
    ),
    expect: optional(
      Schema.Union([Schema.Literal("inherit"), expectations]).annotate({
        expected: 'a list, or "inherit"',
      }),
      "What must be seen instead; `inherit` asks for what the scenario expects, and nothing is asked if absent.",
    ),
  }).annotate({ identifier: "Variant", expected: "a map with why and what is different" });

const limit = (name: LimitName) =>
  optional(
    whole(1, defaultLimits[name] * LIMIT_FACTOR_MAX),
    `A run that reaches it ends with its name. ${defaultLimits[name]} for each fifty agents if absent.`,
  );

const limits = Schema.Struct({
  envelopes: limit("envelopes"),
  queueLength: limit("queueLength"),
  lettersPerDelivery: limit("lettersPerDelivery"),
  deliveriesPerInstant: limit("deliveriesPerInstant"),
  payloadChars: limit("payloadChars"),
}).annotate({ expected: "a map of limits" });

const inhabitantOf = (scenarioParts: readonly ScenarioPart[]) =>
  Schema.Union([
    agent,
    Schema.Struct({
      name: says(agent, "Its name."),
      ...Object.assign({}, ...scenarioParts.map(({ agentFields = {} }) => agentFields)),
    }).annotate({ identifier: "Agent", expected: "a map with name" }),
  ]).annotate({
    expected: `${AGENT_ALLOWED}, or a map with name`,
  }) as unknown as Schema.Codec<AgentSource>; // As for events.

const headWith = (events: Events, scenarioParts: readonly ScenarioPart[]) => ({
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
    listOf(inhabitantOf(scenarioParts), 0, 10_000),
    "Who lives there: a name, or a map of who it is. Names are unique.",
  ),
  policy: optional(policy, "Overrides of single leaves of the policy tree."),
  events: optional(events, "What the outside does, and when."),
  faults: optional(
    faults,
    "What goes wrong with the answers of tools; of several that fit a call the first.",
  ),
});

const files = {
  files: optional(
    mapOf(/^\/.{1,997}$/u, "absolute paths below /agentOS/", anyText),
    "Texts by absolute path, there from the start.",
  ),
};

const tailWith = (events: Events) => ({
  limits: optional(limits, "Bounds of a run, where the defaults do not fit."),
  expect: optional(expectations, "What must be seen."),
  variants: optional(
    mapOf(/^[a-z0-9-]{1,60}$/u, "names of a-z, 0-9 and -", variantWith(events)),
    "Named counterfactuals: the same world with something different.",
  ),
});

const partFields = (
  scenarioParts: readonly ScenarioPart[],
  place: "before" | "behind",
): Schema.Struct.Fields =>
  Object.assign({}, ...scenarioParts.map(({ fields }) => fields[place] ?? {}));

function fieldsOf(scenarioParts: readonly ScenarioPart[]): Schema.Struct.Fields {
  const events = eventsOf(scenarioParts);
  return {
    ...{ ...headWith(events, scenarioParts), ...partFields(scenarioParts, "before") },
    ...{ ...files, ...partFields(scenarioParts, "behind") },
    ...tailWith(events),
  };
}

/** The fields of every scenario. */
export const coreFields: readonly string[] = Object.keys(fieldsOf([]));

/** `a, b and c`: the fields that no scenario goes without. */
const requiredIn = (fields: Schema.Struct.Fields): string =>
  Object.keys(fields)
    .filter((name) => !SchemaAST.isOptional((fields[name] as Schema.Top).ast))
    .join(", ")
    .replace(/, (?=\w+$)/, " and ");

/** A scenario as it is written, each field right by itself. */
export type ScenarioSource = Schema.Struct.Type<
  ReturnType<typeof headWith> & typeof files & ReturnType<typeof tailWith>
> &
  SectionSources;
export type FaultSource = typeof fault.Type;
export type ExpectationSource = typeof expectation.Type;
export type VariantSource = ReturnType<typeof variantWith>["Type"];
export type AgentSource = string | ({ readonly name: string } & AgentSources);

// As for events.
export const scenarioSource = onceFor((scenarioParts: readonly ScenarioPart[]) => {
  const fields = fieldsOf(scenarioParts);
  return Schema.Struct(fields).annotate({
    expected: `a map with ${requiredIn(fields)}`,
  }) as unknown as Schema.Codec<ScenarioSource>;
});
