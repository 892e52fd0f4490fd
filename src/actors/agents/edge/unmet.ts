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

/** A condition that nothing may be able to meet. */
interface Bar {
  readonly name: keyof typeof SHOWN;
  readonly canBe: (wanted: string) => boolean;
  readonly why: (wanted: string) => string;
}

const quoted = (text: string): string => `"${text}"`;
const named = (name: string): string => name;

/** How what each of them looks for is told: a text in quotes, a name as it is. */
const SHOWN = {
  ...{ knows: named, broken: named, stressor: named },
  ...{ lesson: quoted, section: quoted, nudge: quoted, signal: quoted, message: quoted },
} as const;

function unmet(
  wanted: Conditions & GoalConditions,
  { scenario, known, names, said }: Meeting,
  never: (condition: string, why: string) => string,
): string[] {
  const { engine, stressors } = known.policy;
  const hooks = allHooks(known.attached.agents ?? []);
  const isTool = (name: string): boolean =>
    names.includes(name) || hooks.kinds.length > 0 || holds(said, name);
  const meant = (name: string, all: readonly string[]): string => {
    const near = nearest(name, all);
    return near === undefined ? "" : ` (did you mean ${near}?)`;
  };
  const hasSections = (): boolean => hooks.sections.length > 0;
  const enabled: readonly string[] = stressors.enabled;
  const bars: readonly Bar[] = [
    {
      ...{ name: "knows", canBe: isTool },
      why: (name) => `nothing offers a tool of that name${meant(name, names)}`,
    },
    {
      ...{ name: "broken", canBe: isTool },
      why: (name) => `there is no tool of that name${meant(name, names)}`,
    },
    { name: "lesson", canBe: (text) => holds(said, text), why: () => "no lesson holds that" },
    { name: "section", canBe: hasSections, why: () => "no part gives sections in this world" },
    { name: "nudge", canBe: hasSections, why: () => "no part gives nudges in this world" },
    {
      name: "signal",
      canBe: (text) =>
        eventsOf(scenario).some((one) => one.does === "outside.signal" && one.text.includes(text)),
      why: () => "no outside.signal holds that",
    },
    {
      name: "message",
      canBe: () => isListed("message_send", "engine.builtins", engine.builtins, scenario),
      why: () => "agents send no messages without message_send",
    },
    {
      name: "stressor",
      canBe: (name) => isListed(name, "stressors.enabled", enabled, scenario),
      why: (name) => `no such stressor is enabled${meant(name, enabled)}`,
    },
  ];
  return bars.flatMap(({ name, canBe, why }) => {
    const one = wanted[name];
    return one === undefined || canBe(one) ? [] : [never(`${name}: ${SHOWN[name](one)}`, why(one))];
  });
}
