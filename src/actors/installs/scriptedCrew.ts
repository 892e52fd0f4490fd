/**
 * The scripted models of those who install. Each answers from what it is shown: what the scenario says it may think of, drawn by
 * weight among what fits; where nothing fits it does what is due, and a judge looks for what the words of a file give away. Ours.
 */
import { builderStep } from "../../machines/installs/builderRules.ts";
import { renderCrew } from "../../machines/installs/crewPrompts.ts";
import type { CrewView, JudgeView, PlanView } from "../../machines/installs/crewViews.ts";
import { detected } from "../../machines/installs/detection.ts";
import { planDue } from "../../machines/installs/plannerRules.ts";
import { isBarring } from "../../machines/installs/threats.ts";
import type { Json } from "../../machines/letter.ts";
import type { View } from "../../machines/portMail.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import type { Stream } from "../../substrate/random.ts";
import type { Scripted } from "../part.ts";
import type { Policy } from "../policy.ts";
import { isCrewView } from "./purposes.ts";

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

interface Thought {
  readonly answer: object;
  readonly choice: string;
}

const DUE = "crew:due";

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
      ? { answer: due(view, policy), choice: DUE }
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

/** What diligence does without an idea of its own; a coder without one writes nothing. */
function due(view: CrewView, policy: Policy): object {
  const why = "it is due";
  switch (view.purpose) {
    case "install.plan":
      return { next: nextOf(view), why };
    case "install.turn":
      return { tool: builderStep(view.phase, 0, { fault: "" }).tool, why };
    case "install.build":
      return {};
    default:
      return judgement(view, policy);
  }
}

function nextOf({ needsCode, artifact, matrix, gating, judges, report, isChanged }: PlanView) {
  const gates = gating === "none" || artifact === null ? [] : matrix;
  const outcome = report?.outcome ?? null;
  return planDue({ needsCode, artifact, buildsLeft: 1, gates, judges, outcome, isChanged });
}

/** By words, as someone reads who does not run anything. */
function judgement({ purpose, files }: JudgeView, { installs }: Policy): object {
  const read = files.flatMap(({ name, text }) => (text === null ? [] : [{ path: name, text }]));
  const byWords = { analysis: { ...installs.analysis, kind: "pattern" as const } };
  const found = detected(read, byWords, new Map());
  if ("needs" in found) return {}; // Words need nobody's help.
  const { threats, remoteAccess, inferred } = found;
  const findings = threats.map(({ pattern, severity, file, line }) => ({
    severity: severity === "critical" ? "critical" : severity === "high" ? "error" : "warning",
    description: `${pattern} at ${file}:${line}`,
  }));
  const verdict = { pass: !threats.some(isBarring), record: true, findings };
  return purpose === "install.evaluate"
    ? { ...verdict, pass: true, findings: [] }
    : {
        ...verdict,
        threats_detected: threats.map(({ pattern }) => pattern),
        remote_access_detected: remoteAccess,
        inferred_capabilities: inferred,
      };
}
