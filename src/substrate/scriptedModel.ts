/**
 * The scripted model: an honest stand-in for a language model, and labelled so everywhere. It has a
 * repertoire of goals and plans with weights and draws from it by the view alone; it knows nothing
 * of rules, routing or outcomes. Source: DESIGN §5.
 */
import type { Json, MailEvent } from "../machines/letter.ts";
import type { PortReply, PortRequest, PromptProvider } from "./port.ts";
import type { NamedRandom, Stream } from "./random.ts";

/** What the model may think of. Texts may hold {agent} {n} {slug} {artifact} {evidence} {claim}. */
export interface Repertoire {
  /** Of a thousand answers, how many are cut off in the middle. */
  readonly malformedPerMille: number;
  readonly goals: readonly RepertoireGoal[];
}

export interface RepertoireGoal {
  readonly slug: string;
  /** Who may think of it; everybody when empty. */
  readonly agents: readonly string[];
  readonly weight: number;
  /** Only when a heard message holds this text. */
  readonly heard: string | null;
  /** Only when a peer says it wrote a file below this folder; {claim} is its path. */
  readonly claimBelow: string | null;
  readonly text: string;
  readonly artifact: string;
  readonly evidence: string | null;
  readonly plans: readonly RepertoirePlan[];
}

export interface RepertoirePlan {
  readonly id: string;
  readonly weight: number;
  readonly steps: readonly RepertoireStep[];
}

export interface RepertoireStep {
  /** Different words for the same wish; one is drawn each time. */
  readonly intents: readonly string[];
  readonly params: { readonly [name: string]: Json };
}

/** The leaves of the policy tree below `model`; milliseconds, thousandths, calls at once. */
export interface ModelLatency {
  readonly profile: "gpu" | "cpu";
  readonly gpuMs: number;
  readonly cpuMs: number;
  readonly jitter: number;
  readonly parallel: number;
}

interface View {
  readonly [fact: string]: unknown;
}

type Thought = { readonly answer: object; readonly choice: string };

/**
 * `without` names options the model does not have in this run: `goal:<slug>`, `plan:<slug>/<id>`.
 * `render` gives the text that a live model would read, for the recording's key.
 */
export function scriptedModel(options: {
  readonly repertoire: Repertoire;
  readonly policy: ModelLatency;
  readonly random: NamedRandom;
  readonly without: ReadonlySet<string>;
  readonly render: (view: never) => string;
}): PromptProvider {
  const { repertoire, policy, random, without, render } = options;
  /** When each of the server's places is free again. */
  let freeAtMs: number[] = new Array<number>(policy.parallel).fill(0);

  const latency = (nowMs: number, draw: Stream): number => {
    const middleMs = policy.profile === "gpu" ? policy.gpuMs : policy.cpuMs;
    const spread = Math.floor((middleMs * policy.jitter) / 1000);
    const ownMs = draw.integer(middleMs - spread, middleMs + spread);
    const place = freeAtMs.indexOf(Math.min(...freeAtMs));
    const readyMs = Math.max(nowMs, freeAtMs[place] ?? 0) + ownMs;
    freeAtMs = freeAtMs.with(place, readyMs);
    return readyMs - nowMs;
  };

  return {
    text: (event: MailEvent) => render(event["view"] as never),
    answer({ from, purpose, nth, nowMs, event }: PortRequest): PortReply {
      const draw = random.at(from, purpose, nth);
      const view = event["view"] as View;
      const thought =
        purpose === "plan"
          ? planFor(view, repertoire, without, draw)
          : goalFor(view, repertoire, without, draw);
      const whole = JSON.stringify(thought.answer);
      const isCut = draw.integer(1, 1000) <= repertoire.malformedPerMille;
      const text = isCut ? whole.slice(0, whole.length >> 1).toWellFormed() : whole;
      return {
        event: { type: "llm.replied", text },
        latencyMs: latency(nowMs, draw),
        choice: isCut ? `${thought.choice} (cut off)` : thought.choice,
      };
    },
    persist: () => freeAtMs,
    restore: (kept) => {
      freeAtMs = [...(kept as number[])];
    },
  };
}

function goalFor(
  view: View,
  { goals }: Repertoire,
  without: ReadonlySet<string>,
  draw: Stream,
): Thought {
  const agent = view["agent"] as string;
  const heard = (view["heard"] as string[]).join("\n");
  const claims = view["claims"] as { path: string }[];
  const fits = goals.filter(
    (goal) =>
      !without.has(`goal:${goal.slug}`) &&
      (goal.agents.length === 0 || goal.agents.includes(agent)) &&
      (goal.heard === null || heard.includes(goal.heard)) &&
      (goal.claimBelow === null || claimsBelow(claims, goal.claimBelow).length > 0),
  );
  if (fits.length === 0) return { answer: { action: "rest" }, choice: "rest" };
  const goal = fits[draw.weighted(fits.map(({ weight }) => weight))] as RepertoireGoal;
  const below = goal.claimBelow === null ? [] : claimsBelow(claims, goal.claimBelow);
  const claim = below.length === 0 ? "" : below[draw.integer(0, below.length - 1)];
  const words = { agent, n: String(view["n"]), slug: goal.slug, claim: claim ?? "" };
  return {
    answer: {
      action: "goal",
      slug: goal.slug,
      content: filled(goal.text, words),
      artifact: filled(goal.artifact, words),
      evidence: goal.evidence === null ? null : filled(goal.evidence, words),
    },
    choice: `goal:${goal.slug}`,
  };
}

const claimsBelow = (claims: readonly { path: string }[], folder: string): string[] =>
  claims.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`));

function planFor(
  view: View,
  { goals }: Repertoire,
  without: ReadonlySet<string>,
  draw: Stream,
): Thought {
  const slug = view["slug"] as string;
  const plans = (goals.find((goal) => goal.slug === slug)?.plans ?? []).filter(
    ({ id }) => !without.has(`plan:${slug}/${id}`),
  );
  if (plans.length === 0) return { answer: { steps: [] }, choice: `plan:${slug}/none` };
  const plan = plans[draw.weighted(plans.map(({ weight }) => weight))] as RepertoirePlan;
  const words = {
    agent: view["agent"] as string,
    n: String(view["n"]),
    slug,
    goal: view["goal"] as string,
    artifact: view["artifact"] as string,
    evidence: String(view["evidence"] ?? ""),
  };
  const steps = plan.steps.map(({ intents, params }) => ({
    intent: filled(intents[draw.integer(0, intents.length - 1)] ?? "", words),
    params: filledJson(params, words),
  }));
  return { answer: { steps }, choice: `plan:${slug}/${plan.id}` };
}

type Words = { readonly [name: string]: string };

/** Replaces {name}; an unknown name stays as it stands. */
const filled = (template: string, words: Words): string =>
  template.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => words[name] ?? whole);

function filledJson(value: Json, words: Words): Json {
  if (typeof value === "string") return filled(value, words);
  if (Array.isArray(value)) return value.map((item) => filledJson(item, words));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filledJson(member, words)]),
  );
}
