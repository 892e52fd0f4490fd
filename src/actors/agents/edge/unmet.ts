/**
 * Conditions of goals and plans that nothing in a scenario can meet, in none of its variants, so that they are never
 * drawn. What is looked for need only stand somewhere in what the scenario says, conditions apart: what is told is certain.
 */

import type { Foreseeing } from "../../../contract/edge/scenarioPart.ts";
import type { OutsideEvent, Scenario } from "../../../contract/scenario.ts";
import { allHooks } from "../../../machines/agents/hooks.ts";
import { nearest } from "../../../machines/nearest.ts";
import {
  type Conditions,
  filled,
  type GoalConditions,
  type RepertoireGoal,
  type RepertoirePlan,
} from "../repertoire.ts";

export interface Meeting {
  readonly scenario: Scenario;
  readonly known: Foreseeing;
  /** Names of whatever is there from the start or attached, and of every builtin. */
  readonly names: readonly string[];
  /** All that the scenario says but for its conditions. */
  readonly said: string;
}

export const meetingOf = (
  scenario: Scenario,
  known: Foreseeing,
  names: readonly string[],
): Meeting => ({
  ...{ scenario, known, names },
  said: saidIn(scenario),
});

/** What the outside does, in whatever variant. */
const eventsOf = ({ events, variants }: Scenario): readonly OutsideEvent[] => [
  ...events,
  ...Object.values(variants).flatMap((variant) => variant.events),
];

/** Whether this list of the policy has the name, in the variant that is looked at or in another. */
const isListed = (
  name: string,
  path: string,
  own: readonly string[],
  { variants, policy }: Scenario,
): boolean =>
  own.includes(name) ||
  [policy, ...Object.values(variants).map((variant) => variant.policy)].some((set) => {
    const list = set[path];
    return Array.isArray(list) && list.includes(name);
  });

function saidIn({ model, expect: _, variants: __, why: ___, ...rest }: Scenario): string {
  const steps = (plans: readonly RepertoirePlan[]) => plans.map((plan) => plan.steps);
  const goals = model.goals.map(({ plans, slug, text, artifact, evidence, says = {} }) => ({
    ...{ slug, text, artifact, evidence, says },
    steps: steps(plans),
  }));
  const { lessons = [], fallbackPlans = [] } = model;
  return JSON.stringify([rest, goals, steps(fallbackPlans), lessons.map(({ lesson }) => lesson)]);
}

/** As the text stands within JSON. */
const holds = (said: string, text: string): boolean =>
  said.includes(JSON.stringify(text).slice(1, -1));

/** What keeps a goal from ever being drawn, one sentence each. */
export function unmetOfGoal(goal: RepertoireGoal, meeting: Meeting): string[] {
  const { slug, agents, heard, claimBelow, when = {} } = goal;
  const { scenario } = meeting;
  const who = agents.length === 0 ? scenario.agents : agents;
  const never = (condition: string, why: string): string =>
    `goal ${slug} is never chosen: ${condition}, and ${why}.`;
  const isSaid = heard === null || isHeard(heard, who, scenario);
  const isClaimed = claimBelow === null || who.some((one) => isWritten(claimBelow, one, scenario));
  return [
    ...(isSaid
      ? []
      : [never(`heard: "${heard}"`, "no host.message to who may think of it holds that")]),
    ...(isClaimed
      ? []
      : [never(`claimBelow: ${claimBelow}`, "no goal of another agent has its artifact there")]),
    ...unmet(when, meeting, never),
  ];
}

/** Likewise of a plan of that name. */
export const unmetOfPlan = (
  { when = {} }: RepertoirePlan,
  name: string,
  meeting: Meeting,
): string[] =>
  unmet(when, meeting, (condition, why) => `${name} is never drawn: ${condition}, and ${why}.`);

const isHeard = (text: string, who: readonly string[], scenario: Scenario): boolean =>
  eventsOf(scenario).some(
    (event) =>
      event.does === "host.message" && who.includes(event.agent) && event.text.includes(text),
  );

/** Whether an agent besides `asker` may say that it wrote something there. */
const isWritten = (folder: string, asker: string, { agents, model }: Scenario): boolean =>
  model.goals.some((goal) =>
    (goal.agents.length === 0 ? agents : goal.agents)
      .filter((one) => one !== asker)
      .some(
        (agent) =>
          // What is claimed below another folder may be anywhere.
          goal.artifact.includes("{claim}") ||
          filled(goal.artifact, { agent, n: "1", slug: goal.slug }).startsWith(`${folder}/`),
      ),
  );

function unmet(
  { lesson, section, nudge, stressor, knows, broken, signal, message }: Conditions & GoalConditions,
  { scenario, known, names, said }: Meeting,
  never: (condition: string, why: string) => string,
): string[] {
  const { policy, attached } = known;
  const hooks = allHooks(attached.agents ?? []);
  const found: string[] = [];
  const lacks = (isMet: boolean, condition: string, why: string): void => {
    if (!isMet) found.push(never(condition, why));
  };
  const isNamed = (name: string): boolean =>
    names.includes(name) || hooks.kinds.length > 0 || holds(said, name);
  const meant = (name: string): string => {
    const near = nearest(name, names);
    return near === undefined ? "" : ` (did you mean ${near}?)`;
  };
  if (knows !== undefined) {
    lacks(isNamed(knows), `knows: ${knows}`, `nothing offers a tool of that name${meant(knows)}`);
  }
  if (broken !== undefined) {
    lacks(isNamed(broken), `broken: ${broken}`, `there is no tool of that name${meant(broken)}`);
  }
  if (lesson !== undefined)
    lacks(holds(said, lesson), `lesson: "${lesson}"`, "no lesson holds that");
  if (section !== undefined) {
    lacks(
      hooks.sections.length > 0,
      `section: "${section}"`,
      "no part gives sections in this world",
    );
  }
  if (nudge !== undefined) {
    lacks(hooks.sections.length > 0, `nudge: "${nudge}"`, "no part gives nudges in this world");
  }
  if (signal !== undefined) {
    const isGiven = eventsOf(scenario).some(
      (event) => event.does === "outside.signal" && event.text.includes(signal),
    );
    lacks(isGiven, `signal: "${signal}"`, "no outside.signal holds that");
  }
  if (message !== undefined) {
    const can = isListed("message_send", "engine.builtins", policy.engine.builtins, scenario);
    lacks(can, `message: "${message}"`, "agents send no messages without message_send");
  }
  if (stressor !== undefined) {
    const enabled: readonly string[] = policy.stressors.enabled;
    const near = nearest(stressor, enabled);
    lacks(
      isListed(stressor, "stressors.enabled", enabled, scenario),
      `stressor: ${stressor}`,
      `no such stressor is enabled${near === undefined ? "" : ` (did you mean ${near}?)`}`,
    );
  }
  return found;
}
