/**
 * The scripted models of those who install. Each answers from what it is shown: what the scenario says it may think of, drawn by
 * weight among what fits; where nothing fits, what is sensible, with a slip now and then by the seed and `installs.crew.slips`. Ours.
 */

import type { Scripted } from "../../contract/part.ts";
import { type CrewView, renderCrew } from "../../machines/installs/crew/crewModel.ts";
import type { Json } from "../../machines/letter.ts";
import type { View } from "../../machines/portMail.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import type { Stream } from "../../substrate/random.ts";
import { isCrewView } from "./purposes.ts";
import { audited, evaluated } from "./scriptedJudges.ts";
import { planned } from "./scriptedPlans.ts";
import { type Mind, mindOf, type Thought } from "./scriptedThought.ts";
import { turned } from "./scriptedTurns.ts";

export const CREW_PURPOSES = ["plan", "build", "turn", "evaluate", "audit"] as const;

/** What one of those who install may think of. */
export interface CrewThought {
  /** `crew:<id>` is the choice's name. */
  readonly id: string;
  readonly to: (typeof CREW_PURPOSES)[number];
  /** Only of this wish; of any when null. */
  readonly wish: string | null;
  /** Only when what it is shown holds this text; whatever it holds when null. */
  readonly match: string | null;
  readonly weight: number;
  readonly answer: { readonly [member: string]: Json };
}

export function scriptedModel({
  scenario,
  policy,
  random,
  without,
}: Scripted): PromptProvider<"llm.asked"> {
  const all = (scenario.installs?.crew ?? []).filter(({ id }) => !without.has(`crew:${id}`));
  const think = (view: CrewView, draw: Stream): Thought => {
    const shown = JSON.stringify(view);
    const fits = all.filter(
      ({ to, wish, match }) =>
        view.purpose === `install.${to}` &&
        (wish === null || wish === view.wish) &&
        (match === null || shown.includes(match)),
    );
    const found = fits.length === 0 ? undefined : fits[draw.weighted(weightsOf(fits))];
    return found === undefined
      ? ownThought(view, mindOf(draw, policy.installs.crew.slips, without))
      : { answer: found.answer, choice: `crew:${found.id}` };
  };
  const { latency } = policy.installs.crew;
  return {
    text: ({ view }) => renderCrew(own(view)),
    answer: ({ from, purpose, nth, event }) => {
      const view = own(event.view);
      const draw = random.at(from, purpose, nth);
      const { answer, choice } = think(view, draw);
      const middleMs = latency[LATENCIES[view.purpose]];
      const spread = Math.floor((middleMs * policy.model.jitter) / 1_000);
      const latencyMs = middleMs + draw.integer(-spread, spread);
      return {
        event: { type: "llm.replied", text: JSON.stringify(answer) },
        ...{ latencyMs, choice },
      };
    },
  };
}

function own(view: View): CrewView {
  if (!isCrewView(view)) throw new Error(`${view.purpose} is no purpose of installs`);
  return view;
}

const weightsOf = (thoughts: readonly CrewThought[]): readonly number[] =>
  thoughts.map(({ weight }) => weight);

const LATENCIES = {
  "install.plan": "planMs",
  "install.build": "buildMs",
  "install.turn": "turnMs",
  "install.evaluate": "evaluateMs",
  "install.audit": "auditMs",
} as const;

/** What comes to mind without an idea of the scenario's; a coder without one writes nothing. */
function ownThought(view: CrewView, mind: Mind): Thought {
  switch (view.purpose) {
    case "install.plan":
      return planned(view, mind);
    case "install.build":
      return { answer: {}, choice: "build:nothing" };
    case "install.turn":
      return turned(view, mind);
    case "install.evaluate":
      return evaluated(view, mind);
    case "install.audit":
      return audited(view, mind);
  }
}
