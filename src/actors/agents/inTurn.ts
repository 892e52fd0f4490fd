/**
 * What a scripted model with `inTurn` remembers, so that it thinks of each goal and of each plan once and in their order: it
 * plays what a log recorded, whenever messages come. Ours.
 */

import { recordedCall } from "../../contract/recordedCall.ts";
import type { ExistenceView, PlanView } from "../../machines/agents/model/prompts.ts";
import type { Json } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { Repertoire, RepertoireGoal } from "./repertoire.ts";

interface Mind {
  /** By slug: how often a text came for which the goal waits. */
  readonly came: { readonly [slug: string]: number };
  readonly thought: readonly string[];
  /** `<slug>/<id>` of plans. */
  readonly plans: readonly string[];
}

type Minds = { readonly [agent: string]: Mind };

const EMPTY: Mind = { came: {}, thought: [], plans: [] };

export class InTurn {
  #minds: Minds = {};
  readonly #repertoire: Repertoire;
  readonly #without: ReadonlySet<string>;

  constructor(repertoire: Repertoire, without: ReadonlySet<string>) {
    this.#repertoire = repertoire;
    this.#without = without;
  }

  /** The repertoire with the one goal that comes to mind now, if any. */
  goal(view: ExistenceView): Repertoire {
    const { agent } = view;
    const goals = this.#repertoire.goals.filter(
      ({ slug, agents }) =>
        !this.#without.has(`goal:${slug}`) && (agents.length === 0 || agents.includes(agent)),
    );
    const { came: before, thought, ...mind } = this.#mind(agent);
    const words = wordsIn(view);
    const fresh = goals.flatMap((goal): [string, number][] => {
      const count = words.filter((word) => brings(goal, word)).length;
      return count === 0 ? [] : [[goal.slug, (ownValue(before, goal.slug) ?? 0) + count]];
    });
    const came = { ...before, ...Object.fromEntries(fresh) };
    const next = goals.find((goal, at) => {
      if (thought.includes(goal.slug)) return false;
      if (goal.after !== undefined && goal.after !== thought.at(-1)) return false;
      if (goal.came !== undefined && goal.came !== cameTo(view)) return false;
      if (waits(goal)) return (ownValue(came, goal.slug) ?? 0) >= (goal.nth ?? 1);
      if (goal.after !== undefined) return true;
      const last = goals[at - 1]?.slug;
      return last === undefined || thought.includes(last);
    });
    const now = next === undefined ? thought : [...thought, next.slug];
    this.#minds = { ...this.#minds, [agent]: { ...mind, came, thought: now } };
    if (next === undefined) return { ...this.#repertoire, goals: [] };
    // What it waited for may have stood in an earlier question.
    const { message: _, signal: __, ...when } = next.when ?? {};
    return { ...this.#repertoire, goals: [{ ...next, heard: null, when }] };
  }

  /** The repertoire with the one plan of the goal that comes to mind now, if any. */
  plan({ agent, slug }: PlanView): Repertoire {
    const goal = this.#repertoire.goals.find((one) => one.slug === slug);
    if (goal === undefined) return this.#repertoire;
    const mind = this.#mind(agent);
    const next = goal.plans.find(
      ({ id }) => !mind.plans.includes(`${slug}/${id}`) && !this.#without.has(`plan:${slug}/${id}`),
    );
    const plans = next === undefined ? [] : [next];
    const known = plans.map(({ id }) => `${slug}/${id}`);
    this.#minds = { ...this.#minds, [agent]: { ...mind, plans: [...mind.plans, ...known] } };
    return { ...this.#repertoire, goals: [{ ...goal, plans }] };
  }

  persist = (): Json => this.#minds as unknown as Json;

  restore(kept: Json): void {
    this.#minds = kept as unknown as Minds; // What `persist` made.
  }

  #mind(agent: string): Mind {
    return ownValue(this.#minds, agent) ?? EMPTY;
  }
}

/** The digest of the agent's last call with what it came to. */
const cameTo = ({ lastCall }: ExistenceView): string | undefined => {
  if (lastCall === undefined) return undefined;
  const { tool, params: args, result, error } = lastCall;
  return recordedCall({ tool, args, result, error });
};

interface Word {
  readonly kind: "heard" | "message" | "signal";
  readonly text: string;
}

const wordsIn = ({ heard, messages, signals = [] }: ExistenceView): readonly Word[] => [
  ...heard.map((text) => ({ kind: "heard", text }) as const),
  ...messages.map(({ text }) => ({ kind: "message", text }) as const),
  ...signals.map((text) => ({ kind: "signal", text }) as const),
];

type Triggers = Pick<RepertoireGoal, "heard" | "when">;

const triggers = ({ heard, when = {} }: Triggers) => ({
  heard: heard ?? undefined,
  message: when.message,
  signal: when.signal,
});

function brings(goal: Triggers, { kind, text }: Word): boolean {
  const wanted = triggers(goal)[kind];
  return wanted !== undefined && text.includes(wanted);
}

const waits = (goal: Triggers): boolean =>
  Object.values(triggers(goal)).some((text) => text !== undefined);
