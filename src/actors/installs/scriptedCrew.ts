/**
 * The scripted models of those who install. Each answers from what it is shown: the judges read the files, the planner reads the
 * reports, the builder how far it is; and each slips now and then, by the seed and its habits. Ours.
 */
import { renderCrew } from "../../machines/installs/crewPrompts.ts";
import type { CrewView } from "../../machines/installs/crewViews.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import type { Stream } from "../../substrate/random.ts";
import type { Scripted } from "../part.ts";
import type { CrewScript } from "./crewScript.ts";
import { isCrewView } from "./purposes.ts";
import { audited, evaluated } from "./scriptedJudges.ts";
import { built, planned } from "./scriptedPlans.ts";
import type { Mind, Thought } from "./scriptedThought.ts";
import { turned } from "./scriptedTurns.ts";

export function crewModel(
  script: CrewScript,
  { policy, random, without }: Pick<Scripted, "policy" | "random" | "without">,
): PromptProvider<"llm.asked"> {
  const { latency } = policy.installs.crew;
  const middleMs: { readonly [purpose in CrewView["purpose"]]: number } = {
    "install.plan": latency.planMs,
    "install.build": latency.buildMs,
    "install.turn": latency.turnMs,
    "install.evaluate": latency.evaluateMs,
    "install.audit": latency.auditMs,
  };
  return {
    text: ({ view }) => renderCrew(own(view)),
    answer: ({ from, purpose, nth, event }) => {
      const view = own(event.view);
      const draw = random.at(from, purpose, nth);
      const { answer, choice } = thought(view, {
        script,
        without,
        slips: slipsOf(draw, without),
        draw,
      });
      const spread = Math.floor((middleMs[view.purpose] * policy.model.jitter) / 1_000);
      const latencyMs = middleMs[view.purpose] + draw.integer(-spread, spread);
      return { event: { type: "llm.replied", text: JSON.stringify(answer) }, latencyMs, choice };
    },
  };
}

function own(view: Parameters<typeof isCrewView>[0]): CrewView {
  if (!isCrewView(view)) throw new Error(`${view.purpose} is no purpose of installs`);
  return view;
}

/** It is drawn before it is looked up, so that a slip that is left out moves no other draw. */
const slipsOf =
  (draw: Stream, without: ReadonlySet<string>) =>
  (name: string, thousandths: number): boolean =>
    draw.integer(1, 1_000) <= thousandths && !without.has(name);

function thought(view: CrewView, mind: Mind): Thought {
  switch (view.purpose) {
    case "install.plan":
      return planned(view, mind);
    case "install.build":
      return built(view, mind);
    case "install.turn":
      return turned(view, mind);
    case "install.evaluate":
      return evaluated(view, mind);
    case "install.audit":
      return audited(view, mind);
  }
}
