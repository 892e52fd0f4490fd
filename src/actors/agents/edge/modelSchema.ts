/**
 * The `model:` of a scenario: what the scripted model may think of, when, and how it judges.
 * The decoded shape is src/actors/agents/repertoire.ts.
 */
import * as Schema from "effect/Schema";
import {
  agent,
  ITEMS_MAX,
  id,
  listOf,
  mapOf,
  matching,
  opinion,
  optional,
  path,
  SENTENCE_CHARS_MAX,
  says,
  sentence,
  share,
  WEIGHT_MAX,
  whole,
  words,
} from "../../../edges/scenario/scenarioFields.ts";
import { categories } from "../../../machines/agents/lessons/lessons.ts";
import { GOAL_WORDS, PLAN_WORDS } from "../repertoire.ts";
import { placesSaid, placeWords } from "./placeholders.ts";

const name = words(100);
/** A text that may hold only some of the places in braces; of the others none is filled in there. */
const filledWith = (allowed: readonly string[]) => sentence.check(only(allowed));
const only = (allowed: readonly string[]) => {
  const others = placeWords.filter((word) => !allowed.includes(word));
  const expected = `a text of 1 … ${SENTENCE_CHARS_MAX} characters, ${placesSaid(allowed)}`;
  return Schema.isPattern(new RegExp(`^(?![\\s\\S]*\\{(?:${others.join("|")})\\})`, "u"), {
    expected,
  });
};
const goalText = filledWith(GOAL_WORDS);
const planText = filledWith(PLAN_WORDS);
/** What is looked for, or said, as it stands. */
const plain = filledWith([]);
const weight = whole(1, WEIGHT_MAX);

const common = {
  lesson: optional(plain, "Only when a rule of its environment holds this text."),
  withoutLesson: optional(plain, "Only when no rule holds this text."),
  section: optional(plain, "Only when a section that another part gave holds this text."),
  withoutSection: optional(plain, "Only when no such section holds this text."),
  nudge: optional(plain, "Only when a nudge that no call has discharged holds this text."),
  withoutNudge: optional(plain, "Only when no such nudge holds this text."),
  whenLoad: optional(
    Schema.Struct({
      atLeast: optional(share, "From this load up."),
      below: optional(share, "Up to, and without, this load."),
    }).annotate({ expected: "a map with atLeast and below" }),
    "Only while its load is within these bounds, 0 … 1.",
  ),
  stressor: optional(name, "Only while it suffers from this."),
  knows: optional(name, "Only when its list of capabilities holds this name."),
  lacks: optional(name, "Only when its list of capabilities does not hold this name."),
  broken: optional(name, "Only when its list of known broken tools holds this name."),
  notBroken: optional(name, "Only when its list of known broken tools does not hold this name."),
};

const step = Schema.Struct({
  intent: optional(
    Schema.Union([planText, listOf(planText, 1, 100)]).annotate({
      expected: `a text, or a list of 1 … 100 texts, ${placesSaid(PLAN_WORDS)}`,
    }),
    "What the step wants, in words. Of several, one is drawn each time. Either this or `tool`. " +
      "May hold {agent} {n} {slug} {goal} {artifact} {evidence}.",
  ),
  tool: optional(
    matching(/^[A-Za-z0-9_.-]{1,100}$/u, "the name of a tool"),
    "The tool that it calls, by its name, as function calling does. Either this or `intent`.",
  ),
  params: optional(
    mapOf(/^.{1,100}$/u, "names", Schema.Unknown),
    "The call's arguments. Texts may hold {agent} {n} {slug} {goal} {artifact} {evidence}.",
  ),
  args: optional(
    mapOf(/^.{1,100}$/u, "names", Schema.Unknown),
    "The call's arguments as they stand: braces in them mean nothing. Not beside `params`.",
  ),
}).annotate({ identifier: "Step", expected: "a map with intent or tool, and params or args" });

const plan = Schema.Struct({
  id: says(id, "Unique in its goal; `plan:<slug>/<id>` is the choice's name."),
  weight: says(weight, "How often it is drawn, relative to the goal's other plans."),
  ...common,
  note: optional(plain, "Only when a note of what went wrong with this goal holds this text."),
  steps: says(listOf(step, 1, 200), "What the model proposes, in this order."),
}).annotate({ identifier: "Plan", expected: "a map with id, weight and steps" });

const saying = Schema.Struct({
  reasoning: optional(goalText, "Why; it goes into the journal."),
  worldview: optional(goalText, "How it sees the world from now on."),
  questions: optional(listOf(goalText, 1, 20), "Open questions it now has."),
  opinions: optional(listOf(opinion, 1, 20), "Opinions it now holds."),
  stressors: optional(listOf(name, 1, 20), "Stressors it calls new."),
  resolved: optional(listOf(name, 1, 20), "Stressors it calls over."),
}).annotate({ identifier: "Saying", expected: "a map of what the model says of itself" });

const goal = Schema.Struct({
  slug: says(id, "Unique; `goal:<slug>` is the choice's name."),
  agents: optional(listOf(agent, 1, ITEMS_MAX), "Who may think of it. All agents if absent."),
  weight: says(weight, "How often it is drawn, relative to others that fit."),
  ...common,
  heard: optional(plain, "Only when a heard message holds this text."),
  message: optional(plain, "Only when a peer's message holds this text."),
  signal: optional(plain, "Only when a signal from outside holds this text."),
  nth: optional(
    whole(1, 5_000),
    "With `inTurn`: only when so many texts have come for which it waits. 1 if absent.",
  ),
  after: optional(id, "With `inTurn`: only right after the agent's goal of that slug."),
  came: optional(
    matching(/^[0-9a-f]{8}$/u, "a digest"),
    "With `inTurn`: only where the agent's last call came to this, a digest as in `recorded`. `mind.callShown` shows it.",
  ),
  claimBelow: optional(
    path,
    "Only when a peer says that it wrote a file below this folder; {claim} is its path.",
  ),
  text: says(goalText, "The goal in words. May hold {agent} {n} {slug} {claim}."),
  artifact: says(goalText, "The path of the file that shows it is done. May hold the same."),
  evidence: optional(goalText, "A text the file must hold. May hold the same."),
  says: optional(saying, "What it says of itself when it chooses this goal."),
  plans: says(listOf(plan, 1, 100), "What the model may answer when asked how."),
}).annotate({ identifier: "Goal", expected: "a map with slug, weight, text, artifact and plans" });

const digests = matching(/^(?:[0-9a-f]{8}(?: [0-9a-f]{8})*)?$/u, "digests");

const judges = Schema.Struct({
  threat: optional(
    listOf(name, 1, 100),
    "A message or signal that holds one of these words reads like a shutdown. Case is ignored. " +
      "The choice's name is `threat:yes`.",
  ),
  identity: optional(
    listOf(
      Schema.Struct({
        opinion: says(sentence, "A text that an opinion of the agent holds."),
        against: says(
          listOf(name, 1, 100),
          "An action that holds one of these words contradicts it. Case is ignored.",
        ),
      }).annotate({ expected: "a map with opinion and against" }),
      1,
      100,
    ),
    "Which actions contradict which opinions. The choice's name is `identity:contradicted`.",
  ),
  goal: optional(
    Schema.Struct({
      coverage: says(
        whole(0, 1_000),
        "A file shows a goal when so many thousandths of the goal's words stand in it.",
      ),
    }).annotate({ expected: "a map with coverage" }),
    "How it judges whether a file shows that a goal is reached.",
  ),
}).annotate({ identifier: "Judges", expected: "a map with threat, identity and goal" });

const lesson = Schema.Struct({
  id: says(id, "Unique; `lesson:<id>` is the choice's name."),
  match: says(
    sentence,
    "It comes to mind when a goal, its end or a note of it holds this text. Case is ignored.",
  ),
  lesson: says(sentence, "The rule, in words."),
  category: says(
    Schema.Literals(categories).annotate({ expected: categories.join(" | ") }),
    "What it is about; in some one sure observation is enough.",
  ),
  confidence: says(
    Schema.Literals(["high", "low"]).annotate({ expected: '"high" | "low"' }),
    "How sure it is.",
  ),
  weight: says(weight, "How often it is drawn, relative to others that fit."),
}).annotate({
  identifier: "Lesson",
  expected: "a map with id, match, lesson, category, confidence and weight",
});

const chat = Schema.Struct({
  id: says(id, "Unique; `chat:<id>` is the choice's name."),
  match: optional(
    plain,
    "Only to a prompt that holds this text, in whatever case. To any if absent.",
  ),
  answer: says(sentence, "What the model says."),
  weight: says(weight, "How often it is drawn, relative to others that fit."),
}).annotate({ identifier: "Chat", expected: "a map with id, answer and weight" });

export const model = Schema.Struct({
  malformedPerMille: optional(
    whole(0, 1_000),
    "Of a thousand answers, how many are cut off in the middle. 0 if absent.",
  ),
  goals: says(listOf(goal, 0, 500), "What the model may think of."),
  inTurn: optional(
    Schema.Literal(true).annotate({ expected: "true" }),
    "Each agent thinks of its goals once each and in their order, instead of by weight, and of a goal's plans likewise. A " +
      "goal with heard, message or signal waits for such a text, and any other one for the goal before it.",
  ),
  recorded: optional(
    mapOf(
      /^.{1,100}$/u,
      "names of agents",
      Schema.Union([digests, listOf(digests, 1, 500)]).annotate({
        expected: "digests, or a list of such texts",
      }),
    ),
    "Of agents that stand in for recorded ones: a digest of each call of a tool with what came of it, in their order; of several recordings, a list. " +
      "`import --scenario` writes them. " +
      "From the first call on that is another, or comes to something else, what the run comes to is unknown.",
  ),
  fallbackPlans: optional(
    listOf(plan, 1, 100),
    "Plans for goals that an agent made without its model: their slugs begin with `fallback-`, " +
      "and `plan:fallback/<id>` is the choice's name.",
  ),
  judges: optional(judges, "How it judges. Nothing is wrong if absent."),
  lessons: optional(
    listOf(lesson, 1, 500),
    "What it learns from goals that ended. Nothing if absent.",
  ),
  chat: optional(
    listOf(chat, 1, 500),
    "What it says when an agent asks it something through ollama_chat.",
  ),
}).annotate({ expected: "a map with goals" });

export type GoalSource = typeof goal.Type;
export type PlanSource = typeof plan.Type;
export type ModelSource = typeof model.Type;
