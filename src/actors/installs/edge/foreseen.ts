/** What can be said of installs before a run: how often models are asked at most, and what is likely to come to nothing. */
import type { Foreseeing } from "../../../contract/edge/scenarioPart.ts";
import type { Policy } from "../../../contract/policy.ts";
import { type Scenario, variantOf } from "../../../contract/scenario.ts";
import type { Wish } from "../../../machines/installs/crew/crewMail.ts";

/** A builder's turns for one install, besides looking up and waking: inspect, create, wait, create, promote, report. */
const TURNS = 6;

export function crewQuestions(
  scenario: Scenario,
  { policy, virtualMs }: { readonly policy: Policy; readonly virtualMs: number },
): { readonly [purpose: string]: number } {
  const wishes = wishesOf(scenario);
  const { decisions, builds, looks, wakes, workTimeoutMs } = policy.installs.crew;
  if (wishes.length === 0) return {};
  const most = wishes.length * decisions;
  const coded = wishes.filter(({ needsCode }) => needsCode).length;
  const judged = wishes.filter(
    ({ needsCode, intent }) => needsCode || intent["artifact_id"] !== undefined,
  ).length;
  // A coder that does not answer in time has not built, and is asked again.
  const buildsEach = virtualMs < workTimeoutMs ? Math.min(builds, decisions) : decisions;
  const interrupts = scenario.events.filter(({ does }) => does === "install.interrupt").length;
  return {
    "install.plan": most,
    ...(coded > 0 && { "install.build": coded * buildsEach }),
    "install.turn": most * (TURNS + looks + wakes) + interrupts,
    // There is nothing to judge without an artifact.
    ...(judged > 0 && {
      ...{ "install.evaluate": judged * decisions, "install.audit": judged * decisions },
    }),
  };
}

/** From the start, and by events. */
const wishesOf = ({ installs, events }: Scenario): readonly Wish[] => [
  ...(installs?.wanted ?? []),
  ...events.flatMap((event) => (event.does === "install.want" ? [event] : [])),
];

export function foreseen(given: Scenario, { variant }: Foreseeing): readonly string[] {
  const scenario = variantOf(given, variant);
  const { installs: own, without } = scenario;
  if (own === undefined) return [];
  const ideas = own.crew.filter(
    ({ id, to }) => to === "build" && !without.choices.includes(`crew:${id}`),
  );
  const names = wishesOf(scenario)
    .filter(({ needsCode, intent }) => needsCode && intent["artifact_id"] === undefined)
    .filter(({ wish }) => !ideas.some((idea) => idea.wish === null || idea.wish === wish));
  return names.map(
    ({ wish }) =>
      `installs: ${wish} needs code, and no thought of the coder's is for it (\`to: build\`); nothing will be built.`,
  );
}
