/** How a live model is asked. Source: DESIGN §2.8; Ollama's options; ruling Y17 for the floor. */
import { between, choice, flag, integer, type ValuesOf } from "./policyLeaf.ts";
import { days, minutes, seconds } from "./units.ts";

export const tiers = ["fast", "middle", "wise"] as const;

export type Tier = (typeof tiers)[number];

const tierOf = (value: Tier, says: string) =>
  choice(value, tiers, {
    says: `Which of the configured models ${says}.`,
    source: "ours, after Metnos' tiers",
  });

const floorOf = (tier: Tier) =>
  integer(0, between(0, 10_000_000, "millions of parameters"), {
    says: `The smallest live model that may serve the ${tier} tier; 0 allows any.`,
    source: "RULINGS Y17, which sets no number for agents' thoughts",
  });

export const liveLeaves = {
  temperature: integer(700, between(0, 2_000, "thousandths"), {
    says: "How freely a live model draws; always sent, with a seed of the run for each call.",
    source: "ours; Ollama's own default is 800",
  }),
  contextTokens: integer(8_192, between(512, 1_048_576, "tokens"), {
    says: "The context a live model is loaded with; always sent, since Ollama's default depends on the GPU.",
    source: "ours: a prompt here takes up to some 3,000 tokens",
  }),
  answerTokens: integer(1_024, between(16, 131_072, "tokens"), {
    says: "Where a live model's answer is cut off.",
    source: "ours: a plan of six steps with a page of text",
  }),
  timeoutMs: integer(seconds(180), between(50, seconds(290), "ms"), {
    says: "How long one try of a call may take; Node itself waits at most 300 s for a first byte.",
    source: "hollow-agentOS' own time-out",
  }),
  retries: integer(2, between(0, 20, "tries"), {
    says: "How often a failed call is tried again before the agent hears that it failed.",
    source: "ours",
  }),
  backoffMs: integer(seconds(1), between(0, minutes(1), "ms"), {
    says: "Rest before the second try; doubled before each further one.",
    source: "ours",
  }),
  keepAliveMs: integer(minutes(30), between(0, days(1), "ms"), {
    says: "How long the server keeps a model in memory after a call.",
    source: "ours; Ollama's own default of 5 minutes unloads it while agents rest",
  }),
  think: flag(false, {
    says: "Let a model that can think do so before it answers.",
    source: "ours: on a CPU it multiplies the time of a call",
  }),
  stream: flag(true, {
    says: "Ask an OpenAI-compatible server for its answers piece by piece; Ollama is always asked so.",
    source: "ours: a stream that breaks off says how far it came",
  }),
  pricePerMillion: integer(
    0,
    between(0, 1_000_000_000, "millionths of your currency for a million tokens"),
    {
      says: "What tokens cost, for the progress line; a model of your own costs nothing here.",
      source: "ours",
    },
  ),
  tier: {
    goal: tierOf("middle", "chooses goals"),
    plan: tierOf("middle", "plans"),
    judge: tierOf("fast", "judges"),
    lesson: tierOf("fast", "draws lessons"),
    chat: tierOf("wise", "answers tools"),
  },
  floor: { fast: floorOf("fast"), middle: floorOf("middle"), wise: floorOf("wise") },
};

export type LivePolicy = ValuesOf<typeof liveLeaves>;

/** A model as its server describes it. */
export interface ModelIdentity {
  readonly name: string;
  /** SHA-256 of its weights and settings. */
  readonly digest: string;
  readonly parameters: string;
  readonly quantization: string;
  /** Tokens. */
  readonly contextLength: number;
}

/** `9.7B` → 9700, `566.70M` → 566; 0 when it is neither. */
export function millionsOf(parameters: string): number {
  const [, number = "", unit] = /^(\d+(?:\.\d+)?)\s*([KMBT])$/.exec(parameters.trim()) ?? [];
  const millions = { K: 0.001, M: 1, B: 1_000, T: 1_000_000 }[unit ?? ""] ?? 0;
  return Math.floor(Number(number) * millions);
}

export interface LiveIdentity {
  /** `ollama 0.12.6` */
  readonly server: string;
  /** By tier. */
  readonly models: { readonly [tier: string]: ModelIdentity };
  readonly embed: ModelIdentity | null;
}
