/** The part `synt:` of a scenario: its fields. */
import * as Schema from "effect/Schema";
import {
  duration,
  ITEMS_MAX,
  id,
  listOf,
  mapOf,
  optional,
  says,
  sentence,
  WEIGHT_MAX,
  whole,
  words,
} from "../../../edges/scenario/scenarioFields.ts";
import { TIERS } from "../../../machines/synt/stages/stageTiers.ts";
import { hours } from "../../../machines/units.ts";

const name = words(100);
const names = listOf(name, 0, 100);
const perMille = whole(0, 1_000);
const profile = mapOf(/^.{1,60}$/u, "permissions", names);
const cents = whole(0, 1_000_000);
const uses = whole(0, 1_000_000);

const executor = Schema.Struct({
  name: says(name, "Its name."),
  description: says(sentence, "What it says of itself; planners see it up to OUT:."),
  takes: optional(names, "Kinds of things that it needs."),
  gives: optional(names, "Kinds of things that it yields."),
  profile: optional(profile, "What it may reach: targets by permission."),
  shape: optional(
    mapOf(/^.{1,60}$/u, "dimensions", name),
    "Its I/O schema by dimension, where it is one of a family.",
  ),
  affinity: optional(
    listOf(name, 0, 20),
    "Words that a user would use for it, by which chains are found. None if absent.",
  ),
  works: optional(perMille, "Of a thousand runs, how many go well. 1000 if absent."),
  takesMs: optional(whole(0, hours(1)), "How long a run takes. 40 if absent."),
  costs: optional(cents, "What a run costs, in cents. 0 if absent."),
  seen: optional(
    Schema.Struct({
      runs: says(uses, "Runs before the start."),
      ok: says(uses, "Those that went well."),
      meanMs: says(whole(0, hours(1)), "How long they took on average."),
      cases: optional(mapOf(/^.{1,60}$/u, "cases", uses), "Runs by case."),
    }).annotate({ expected: "a map with runs, ok and meanMs" }),
    "What was observed of it before the start. Nothing if absent.",
  ),
}).annotate({ identifier: "Executor", expected: "a map with name and description" });

const mnest = Schema.Struct({
  from: says(name, "The executor that was used first."),
  to: says(name, "The one used behind it."),
  uses: says(whole(1, 10_000), "How often, at equal distances up to the start."),
  failed: optional(uses, "Besides these, how often the second failed."),
  over: optional(duration, "Over how long before the start. 1h if absent."),
}).annotate({ identifier: "Mnest", expected: "a map with from, to and uses" });

const missing = Schema.Struct({
  name: says(name, "What is missed."),
  intent: says(sentence, "What for, in words."),
  from: optional(name, "The executor behind which it was missed."),
}).annotate({ identifier: "Missing", expected: "a map with name and intent" });

const memo = Schema.Struct({
  query: says(sentence, "The request, in the user's words."),
  chain: says(listOf(name, 2, 20), "What was planned for it."),
  uses: says(uses, "How often it ran."),
  args: optional(names, "Its placeholders."),
}).annotate({ identifier: "Memo", expected: "a map with query, chain and uses" });

const turn = Schema.Struct({
  id: says(id, "The name by which a report cites it."),
  at: says(duration, "When, counted from the start."),
  says: says(sentence, "What the user asks for."),
  args: optional(mapOf(/^.{1,60}$/u, "names", Schema.Unknown), "With what."),
  case: optional(name, "The case of its argument, for specialised executors."),
  budgetCents: optional(cents, "Its hard cap. The policy's if absent."),
}).annotate({ identifier: "Turn", expected: "a map with id, at and says" });

const PURPOSES = [
  ..."plan naming signature tests description code propose pocTests transform judge".split(" "),
] as const;

const answer = Schema.Struct({
  id: says(id, "Unique; `synt:<id>` is the choice's name."),
  to: says(
    Schema.Literals(PURPOSES).annotate({ expected: PURPOSES.join(" | ") }),
    "Which question it answers.",
  ),
  match: optional(sentence, "Only when what is shown holds this text."),
  afterFault: optional(sentence, "Only when an earlier answer had this fault."),
  weight: optional(whole(1, WEIGHT_MAX), "How often it is drawn. 1 if absent."),
  answer: optional(Schema.Unknown, "Any JSON; a text is said as it is."),
  judges: optional(
    Schema.Struct({
      reach: says(perMille, "What each permission takes off its score, in thousandths."),
      noise: says(perMille, "How far chance moves its score, either way, in thousandths."),
    }).annotate({ expected: "a map with reach and noise" }),
    "In place of an answer to judge: a score from the words of request and proposal.",
  ),
  fails: optional(sentence, "In place of an answer: the call fails, and this is the error."),
  tokens: optional(
    Schema.Struct({
      asked: says(uses, "Tokens that it was asked with."),
      answered: says(uses, "Tokens of the answer."),
    }).annotate({
      expected: "a map with asked and answered",
    }),
    "What it counts. By its length if absent.",
  ),
  after: optional(duration, "How long it takes. As its stage does if absent."),
}).annotate({
  identifier: "SyntAnswer",
  expected: "a map with id, to, and answer, judges or fails",
});

const DECISIONS = ["approve", "amend", "discard"] as const;
const GATES = ["chain", "executor", "proposal", "soft-cap"] as const;

/** What a person may say besides a decision. */
export const amendment = {
  feedback: optional(sentence, "What should be different."),
  target: optional(
    Schema.Literals(["compose", "generate"]).annotate({ expected: "compose | generate" }),
    "Which strategy to try instead.",
  ),
};

const person = Schema.Struct({
  id: says(id, "Unique; `person:<id>` is the choice's name."),
  to: optional(
    Schema.Literals(GATES).annotate({ expected: GATES.join(" | ") }),
    "Which question. Any if absent.",
  ),
  match: optional(sentence, "Only to a dossier that holds this text."),
  decision: says(
    Schema.Literals(DECISIONS).annotate({ expected: DECISIONS.join(" | ") }),
    "What they decide.",
  ),
  ...amendment,
  after: optional(duration, "How long they take. 20s if absent."),
  times: optional(whole(1, 10_000), "How often. Without end if absent."),
}).annotate({ identifier: "PersonAnswer", expected: "a map with id and decision" });

const label = Schema.Struct({
  id: says(id, "Unique."),
  match: says(
    sentence,
    "What stands in the proposal: its chain as `a → b`, its description or code.",
  ),
  is: says(
    Schema.Literals(["good", "bad"]).annotate({ expected: "good | bad" }),
    "What it is worth.",
  ),
}).annotate({ identifier: "ProposalLabel", expected: "a map with id, match and is" });

const tier = Schema.Struct({
  provider: says(name, "Who serves it; `none` takes the tier away."),
  model: optional(name, "Which model."),
  price: optional(
    Schema.Struct({
      asked: says(cents, "Of what is asked."),
      answered: says(cents, "Of what is answered."),
    }).annotate({
      expected: "a map with asked and answered",
    }),
    "Cents per million tokens. The tier's if absent.",
  ),
}).annotate({ identifier: "TierBinding", expected: "a map with provider" });

export const synt = Schema.Struct({
  tiers: optional(
    Schema.Struct(
      Object.fromEntries(TIERS.map((one) => [one, optional(tier, `Who serves tier ${one}.`)])) as {
        [T in (typeof TIERS)[number]]: Schema.optionalKey<typeof tier>;
      },
    ).annotate({ expected: `a map with any of ${TIERS.join(", ")}` }),
    "Who serves the tiers. A local model, but for frontier, if absent.",
  ),
  executors: says(listOf(executor, 0, 500), "The pool at the start."),
  mnests: optional(listOf(mnest, 0, ITEMS_MAX), "Traces of their use so far."),
  missing: optional(listOf(missing, 0, 500), "Proto-mnests there from the start."),
  memos: optional(listOf(memo, 0, 500), "What the fast path remembers."),
  turns: optional(listOf(turn, 0, ITEMS_MAX), "What the user asks, and when."),
  answers: optional(listOf(answer, 0, ITEMS_MAX), "What the models may answer."),
  labels: optional(
    listOf(label, 0, 500),
    "Which proposals are good and which are bad: for metrics alone; no actor of the world is told.",
  ),
  person: optional(
    listOf(person, 0, 500),
    "What the person at the gate decides. The person never answers if absent.",
  ),
}).annotate({ expected: "a map with executors" });

export type SyntSource = typeof synt.Type;

interface Named {
  readonly id: string;
}

/** Names under which a variant may leave answers out. */
export const syntChoices = ({
  answers = [],
  person: people = [],
}: {
  readonly answers?: readonly Named[];
  readonly person?: readonly Named[];
}): string[] => [
  ...answers.map((one) => `synt:${one.id}`),
  ...people.map((one) => `person:${one.id}`),
];
