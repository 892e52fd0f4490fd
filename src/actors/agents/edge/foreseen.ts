/**
 * What can be found before a run: that an agent's artifact lies where it may not write, that a
 * template's place is filled by nothing, that a condition is met by nothing, where steps go. What the
 * scripted model may think of is looked at; a live model says what it wants.
 */
import type { Foreseeing } from "../../../contract/edge/scenarioPart.ts";
import type { Policy } from "../../../contract/policyTree.ts";
import { type Scenario, variantOf } from "../../../contract/scenario.ts";
import { builtins, writeFault } from "../../../machines/agents/engine/builtins.ts";
import { allHooks } from "../../../machines/agents/hooks.ts";
import { STEPS_MAX } from "../../../machines/agents/model/modelAnswers.ts";
import { isVirtualPath, rootsText } from "../../../machines/folders.ts";
import type { Json } from "../../../machines/letter.ts";
import { nearest } from "../../../machines/nearest.ts";
import { readObject } from "../../../machines/readJson.ts";
import {
  filled,
  GOAL_WORDS,
  PLAN_WORDS,
  type RepertoireGoal,
  type RepertoirePlan,
} from "../repertoire.ts";
import { textsIn } from "../scriptedWorld.ts";
import { callFindings, namesWritten, outputFindings, uncalled } from "./calledByName.ts";
import { staysAsItIs, texted, unfilled } from "./placeholders.ts";
import { type Routing, routeFindings } from "./routed.ts";
import { meetingOf, unmetOfGoal, unmetOfPlan } from "./unmet.ts";

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

/** Elsewhere than there the engine itself writes files, of tools and of memory. */
const WORKSPACE = "/agentOS/workspace/";

/**
 * The gate reads the goal's file, so some step must say where it is. `path` is the artifact of one agent, `said` all that the
 * scenario says.
 */
function unnamed(
  { slug, artifact, plans }: RepertoireGoal,
  path: string,
  said: string,
  policy: Policy,
): string[] {
  const parts: readonly string[] = policy.gate.parts;
  const steps = JSON.stringify(plans.map((plan) => plan.steps));
  // The goal itself says it once.
  const isSaid = [artifact, path].some(
    (one) => said.split(JSON.stringify(one).slice(1, -1)).length > 2,
  );
  const isDone = steps.includes("{artifact}") || steps.includes(path) || isSaid;
  return isDone ||
    !parts.includes("mechanical") ||
    !path.startsWith(WORKSPACE) ||
    artifact.includes("{claim}")
    ? []
    : [
        `goal ${slug}: no step of its plans names its artifact, ${artifact}; as a step's path, {artifact} does.`,
      ];
}

/** One sentence for each finding, each once, in the order of the scenario. */
export function foreseen(given: Scenario, known: Foreseeing): readonly string[] {
  const { policy } = known;
  const attached = allHooks(known.attached.agents ?? []);
  const rules = { folders: policy.folders, tools: policy.tools, attached };
  const scenario = variantOf(given, known.variant);
  const { goals, fallbackPlans = [] } = scenario.model;
  const isThought = (choice: string): boolean => !scenario.without.choices.includes(choice);
  const { served, atStart } = capabilities(scenario, known);
  const named = [...served.map(({ name }) => name), ...namesWritten(scenario)];
  const routing = { scenario, policy, attached, served, atStart };
  const meeting = meetingOf(scenario, known, [...atStart, ...builtins.map(({ name }) => name)]);
  const planFindings = (plans: readonly RepertoirePlan[], slug: string, words: Words): string[] =>
    plans
      .filter(({ id }) => isThought(`plan:${slug}/${id}`))
      .flatMap((plan) => [
        ...tooLong(plan, `plan ${slug}/${plan.id}`),
        ...placesOfPlan(plan, `plan ${slug}/${plan.id}`),
        ...unmetOfPlan(plan, `plan ${slug}/${plan.id}`, meeting),
        ...uncalled(plan, `plan ${slug}/${plan.id}`, named, policy.router),
        ...callFindings(plan, `plan ${slug}/${plan.id}`, words, routing),
        ...routeFindings(plan, `plan ${slug}/${plan.id}`, words, routing),
      ]);
  const thought = ({ slug, plans }: RepertoireGoal): readonly RepertoirePlan[] =>
    plans.filter(({ id }) => isThought(`plan:${slug}/${id}`));
  const findings = goals
    .filter(({ slug }) => isThought(`goal:${slug}`))
    .flatMap((goal) => [
      ...placesOfGoal(goal),
      ...unmetOfGoal(goal, meeting),
      ...artifactFindings(goal, scenario.agents, rules),
      ...unnamed(goal, wordsOf(goal, scenario).artifact, meeting.said, policy),
      ...outputFindings({ ...goal, plans: thought(goal) }, routing),
      ...planFindings(goal.plans, goal.slug, wordsOf(goal, scenario)),
    ]);
  const own = { agent: scenario.agents[0] ?? "agent", n: "1", slug: "fallback-x" };
  const artifact = `/agentOS/workspace/${own.agent}/1-fallback-x.md`;
  const ofFallback = { ...own, goal: "", artifact, evidence: "" };
  return scenario.agents.length === 0
    ? []
    : [
        ...new Set([
          ...faultsOfNothing(scenario, named),
          ...findings,
          ...planFindings(fallbackPlans, "fallback", ofFallback),
        ]),
      ];
}

/** Agents may make a tool of any name; one that is nearly called as another is most likely misspelt. */
const faultsOfNothing = ({ faults = [] }: Scenario, names: readonly string[]): readonly string[] =>
  faults.flatMap(({ id, tool }) => {
    const meant = tool === null || names.includes(tool) ? undefined : nearest(tool, names);
    return meant === undefined
      ? []
      : [`The fault ${id} is of ${tool}, which is not there from the start: ${meant} is.`];
  });

type Words = { readonly [place in (typeof PLAN_WORDS)[number]]: string };

/** What the places of a goal's plans hold for the first agent that may think of it. */
function wordsOf(
  { slug, agents, text, artifact, evidence, claimBelow }: RepertoireGoal,
  scenario: Scenario,
): Words {
  const agent = agents[0] ?? scenario.agents[0] ?? "agent";
  const claim = claimBelow === null ? "" : `${claimBelow}/x`;
  const words = { agent, n: "1", slug, claim };
  return {
    ...{ agent, n: "1", slug },
    goal: filled(text, words),
    artifact: filled(artifact, words),
    evidence: evidence === null ? "" : filled(evidence, words),
  };
}

function placesOfGoal({
  slug,
  text,
  artifact,
  evidence,
  claimBelow,
  says = {},
}: RepertoireGoal): string[] {
  const words: readonly string[] =
    claimBelow === null ? GOAL_WORDS.filter((one) => one !== "claim") : GOAL_WORDS;
  const { reasoning = "", worldview = "", questions = [], opinions = [] } = says;
  const said = [reasoning, worldview, ...questions, ...opinions.map(({ opinion }) => opinion)];
  return unfilled([text, artifact, evidence ?? "", ...said], words).map((place) =>
    place === "{claim}"
      ? `goal ${slug}: {claim} stays empty without claimBelow.`
      : staysAsItIs(`goal ${slug}`, place, words),
  );
}

function placesOfPlan({ steps }: RepertoirePlan, name: string): string[] {
  const texts = steps.flatMap(({ intents, params, verbatim }) => [
    ...intents,
    ...(verbatim ? [] : texted(params).flatMap(([, value]) => textsIn(value))),
  ]);
  return unfilled(texts, PLAN_WORDS).map((place) => staysAsItIs(name, place, PLAN_WORDS));
}

const tooLong = ({ steps }: RepertoirePlan, name: string): string[] =>
  steps.length <= STEPS_MAX
    ? []
    : [`${name}: agents take the first ${STEPS_MAX} of its ${steps.length} steps and no more.`];

/** What could serve a step: what is there or attached, and whatever a plan or an event describes. */
function capabilities(
  scenario: Scenario,
  { policy, attached, offered }: Foreseeing,
): Pick<Routing, "served" | "atStart"> {
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
  const there = [
    ...[...builtins, ...allHooks(attached.agents ?? []).builtins].filter(({ name }) =>
      names.includes(name),
    ),
    ...scenario.tools,
    ...offered,
  ];
  return {
    served: [
      ...there,
      ...written.map((description, index) => ({ name: `written ${index}`, description })),
    ],
    atStart: new Set(there.map(({ name }) => name)),
  };
}

const described = (text: Json | undefined): Json | undefined =>
  typeof text === "string" ? readObject(text)?.["description"] : undefined;
