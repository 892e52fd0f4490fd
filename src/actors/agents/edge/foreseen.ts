/**
 * What can be found before a run: that an agent's artifact lies where it may not write, that a
 * template's place is filled by nothing, that a step has no word in common with any capability. What the
 * scripted model may think of is looked at; a live model says what it wants.
 */

import type { Foreseeing } from "../../../edges/scenarioPart.ts";
import { builtins } from "../../../machines/agents/engine/builtins/list.ts";
import { writeFault } from "../../../machines/agents/engine/permissions.ts";
import { type Described, scoreLexical } from "../../../machines/agents/engine/router.ts";
import { allHooks } from "../../../machines/agents/hooks.ts";
import { isVirtualPath, rootsText } from "../../../machines/folders.ts";
import type { Json } from "../../../machines/letter.ts";
import { readObject } from "../../../machines/readJson.ts";
import type { Policy } from "../../../policy.ts";
import { type Scenario, variantOf } from "../../scenario.ts";
import {
  filled,
  GOAL_WORDS,
  PLAN_WORDS,
  type RepertoireGoal,
  type RepertoirePlan,
} from "../repertoire.ts";
import { textsIn } from "../scriptedWorld.ts";
import { namesWritten, unnamed } from "./foreseenNames.ts";

/** Parameters whose braces mean something else. */
const CODE_PARAMS = ["code", "implementation", "command"];

/** One sentence for each finding, each once, in the order of the scenario. */
export function foreseen(given: Scenario, known: Foreseeing): readonly string[] {
  const { policy } = known;
  const rules = {
    folders: policy.folders,
    tools: policy.tools,
    attached: allHooks(known.attached.agents ?? []),
  };
  const scenario = variantOf(given, known.variant);
  const { goals, fallbackPlans = [] } = scenario.model;
  const isThought = (choice: string): boolean => !scenario.without.choices.includes(choice);
  const served = scenario.agents.length === 0 ? [] : capabilities(scenario, known);
  const named = [...served.map(({ name }) => name), ...namesWritten(scenario)];
  const planFindings = (plans: readonly RepertoirePlan[], slug: string): string[] =>
    plans
      .filter(({ id }) => isThought(`plan:${slug}/${id}`))
      .flatMap((plan) => [
        ...placesOfPlan(plan, `plan ${slug}/${plan.id}`),
        ...unnamed(plan, `plan ${slug}/${plan.id}`, named, policy.router),
        ...unserved(plan, `plan ${slug}/${plan.id}`, served, policy),
      ]);
  const findings = goals
    .filter(({ slug }) => isThought(`goal:${slug}`))
    .flatMap((goal) => [
      ...placesOfGoal(goal),
      ...artifactFindings(goal, scenario.agents, rules),
      ...planFindings(goal.plans, goal.slug),
    ]);
  return [...new Set([...findings, ...planFindings(fallbackPlans, "fallback")])];
}

const places = (text: string): string[] => text.match(/\{[a-z]+\}/g) ?? [];

/** Places that a text holds and `words` do not fill. */
const unfilled = (texts: readonly string[], words: readonly string[]): string[] => [
  ...new Set(texts.flatMap(places).filter((place) => !words.includes(place.slice(1, -1)))),
];

function placesOfGoal({ slug, text, artifact, evidence, claimBelow }: RepertoireGoal): string[] {
  const words: readonly string[] =
    claimBelow === null ? GOAL_WORDS.filter((one) => one !== "claim") : GOAL_WORDS;
  return unfilled([text, artifact, evidence ?? ""], words).map((place) =>
    place === "{claim}"
      ? `goal ${slug}: {claim} stays empty without claimBelow.`
      : `goal ${slug}: nothing fills ${place}; what there is: ${words.map((one) => `{${one}}`).join(" ")}.`,
  );
}

function placesOfPlan({ steps }: RepertoirePlan, name: string): string[] {
  const texts = steps.flatMap(({ intents, params, verbatim }) => [
    ...intents,
    ...Object.entries(verbatim ? {} : params)
      .filter(([key]) => !CODE_PARAMS.includes(key) && !isCode(params["path"]))
      .flatMap(([, value]) => textsIn(value)),
  ]);
  return unfilled(texts, PLAN_WORDS).map(
    (place) =>
      `${name}: nothing fills ${place}; what there is: ${PLAN_WORDS.map((one) => `{${one}}`).join(" ")}.`,
  );
}

const isCode = (path: Json | undefined): boolean =>
  typeof path === "string" && path.endsWith(".py");

/** Where the goal's file would lie, for each agent that may think of it. */
function artifactFindings(
  goal: RepertoireGoal,
  all: readonly string[],
  rules: Parameters<typeof writeFault>[1],
): string[] {
  const agents = goal.agents.length === 0 ? all : goal.agents;
  const claim = `${goal.claimBelow ?? ""}/x`;
  return agents.flatMap((agent) => {
    const path = filled(goal.artifact, { agent, n: "1", slug: goal.slug, claim });
    if (!isVirtualPath(path, rules.folders)) {
      const roots = rootsText(rules.folders);
      return `goal ${goal.slug}: its artifact ${path} is no path below ${roots}/, so no agent takes the goal up.`;
    }
    const fault = writeFault(path, rules);
    return fault === undefined
      ? []
      : `goal ${goal.slug}: agents may not write its artifact ${path} (${fault}).`;
  });
}

/** What could serve a step: what is there or attached, and whatever a plan or an event describes. */
function capabilities(
  scenario: Scenario,
  { policy, attached, offered }: Foreseeing,
): readonly Described[] {
  const names: readonly string[] = policy.engine.builtins;
  const { goals, fallbackPlans = [] } = scenario.model;
  const steps = [...goals.flatMap(({ plans }) => plans), ...fallbackPlans].flatMap(
    (plan) => plan.steps,
  );
  const written = [
    ...steps.flatMap(({ params }) => [params["description"], described(params["content"])]),
    ...Object.values(scenario.files).map(described),
    // Of events that hold a text, of whatever part.
    ...scenario.events.map((event) => described((event as { readonly text?: Json }).text)),
  ].filter((one) => typeof one === "string");
  return [
    ...[...builtins, ...allHooks(attached.agents ?? []).builtins].filter(({ name }) =>
      names.includes(name),
    ),
    ...scenario.tools,
    ...offered,
    ...written.map((description, index) => ({ name: `written ${index}`, description })),
  ];
}

const described = (text: Json | undefined): Json | undefined =>
  typeof text === "string" ? readObject(text)?.["description"] : undefined;

/** The embedding router may find a likeness where no word is shared. */
function unserved(
  { steps }: RepertoirePlan,
  name: string,
  served: readonly Described[],
  policy: Policy,
): string[] {
  if (policy.router.kind !== "lexical") return [];
  return steps
    .flatMap(({ intents }) => intents)
    .filter((intent) =>
      scoreLexical(intent, served, policy.router).every(({ score }) => score === 0),
    )
    .map((intent) => `${name}: no tool serves "${intent}", which shares no word with any.`);
}
