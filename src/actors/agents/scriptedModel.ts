/**
 * The scripted model: an honest stand-in for a language model, and labelled so everywhere. It has a
 * repertoire of goals and plans with weights and draws from it by the view alone; it knows nothing
 * of rules, routing or outcomes. Source: DESIGN §5.
 */
import type { View as AgentsView } from "../../machines/agents/model/prompts.ts";
import type { Json } from "../../machines/letter.ts";
import type { View } from "../../machines/portMail.ts";
import type { PortReply, PromptProvider } from "../../substrate/port.ts";
import type { NamedRandom, Stream } from "../../substrate/random.ts";
import { InTurn } from "./inTurn.ts";
import type { Repertoire, Thought } from "./repertoire.ts";
import {
  chat,
  extractLesson,
  goalJudge,
  judgeIdentity,
  judgeThreat,
  thinkOfGoal,
  thinkOfPlan,
} from "./scriptedChoices.ts";
import { SoonestFree } from "./soonestFree.ts";

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** The leaves of the policy tree below `model`; milliseconds, thousandths, calls at once. */
export interface ModelLatency {
  readonly profile: "gpu" | "cpu";
  readonly gpuMs: number;
  readonly cpuMs: number;
  readonly jitter: number;
  readonly parallel: number;
}

/**
 * `without` names options the model does not have in this run: `goal:<slug>`, `plan:<slug>/<id>`.
 * `render` gives the text that a live model would read, for the recording's key.
 */
export function scriptedModel(options: {
  readonly repertoire: Repertoire;
  readonly policy: ModelLatency;
  readonly random: NamedRandom;
  readonly without: ReadonlySet<string>;
  readonly render: (view: AgentsView) => string;
  /** The stems of a text's words; its words when absent. */
  readonly terms?: (text: string) => readonly string[];
}): PromptProvider<"llm.asked"> {
  const { repertoire, policy, random, without, render, terms = wordsOf } = options;
  const judgeGoal = goalJudge(terms);
  const turns = repertoire.inTurn ? new InTurn(repertoire, without) : undefined;

  /** What answers each purpose, one a line. */
  const think = (view: View, draw: Stream): Thought => {
    switch (view.purpose) {
      case "goal.choose":
        return thinkOfGoal(view, turns?.goal(view) ?? repertoire, draw, without);
      case "plan":
        return thinkOfPlan(view, turns?.plan(view) ?? repertoire, draw, without);
      case "judge.identity":
        return judgeIdentity(view, repertoire, draw, without);
      case "judge.threat":
        return judgeThreat(view, repertoire, draw, without);
      case "judge.goal":
        return judgeGoal(view, repertoire, draw, without);
      case "lesson.extract":
        return extractLesson(view, repertoire, draw, without);
      case "tool.chat":
        return chat(view, repertoire, draw, without);
      default:
        // A question unknown to this model gets an empty answer, as a live model might give one.
        return { answer: {}, choice: "nothing" };
    }
  };

  /** When each of the server's places is free again. */
  const places = new SoonestFree(policy.parallel);

  const latency = (nowMs: number, draw: Stream): number => {
    const middleMs = policy.profile === "gpu" ? policy.gpuMs : policy.cpuMs;
    const spread = Math.floor((middleMs * policy.jitter) / 1000);
    const ownMs = draw.integer(middleMs - spread, middleMs + spread);
    return places.take((freeMs) => Math.max(nowMs, freeMs) + ownMs) - nowMs;
  };

  return {
    text: ({ view }) => render(view as AgentsView), // The other parts' views are theirs to render.
    answer({ from, purpose, nth, nowMs, event: { view } }): PortReply {
      const draw = random.at(from, purpose, nth);
      const thought = think(view, draw);
      const { answer } = thought;
      const whole = typeof answer === "string" ? answer : JSON.stringify(answer);
      const isCut = draw.integer(1, 1000) <= repertoire.malformedPerMille;
      const text = isCut ? whole.slice(0, whole.length >> 1).toWellFormed() : whole;
      return {
        event: { type: "llm.replied", text },
        latencyMs: latency(nowMs, draw),
        choice: isCut ? `${thought.choice} (cut off)` : thought.choice,
      };
    },
    passedOver({ event: { view } }) {
      if (view.purpose === "goal.choose") turns?.goal(view);
      if (view.purpose === "plan") turns?.plan(view);
    },
    persist() {
      const freeAtMs = places.saved();
      return turns === undefined ? freeAtMs : { freeAtMs, turns: turns.persist() };
    },
    restore: (kept) => {
      const both = kept as { readonly freeAtMs: number[]; readonly turns: Json };
      places.restore(turns === undefined ? (kept as number[]) : both.freeAtMs);
      turns?.restore(both.turns);
    },
  };
}
