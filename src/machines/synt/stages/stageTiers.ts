/**
 * The calls that make an executor: their order, bound on the answer and how long they take; which
 * model serves each, what it costs, and the floor below which no code is written.
 * Source: seed 002, 4.2; rulings Y9, Y13, Y17 and Y22; bounds on answers are the real system's.
 */
import { ownValue } from "../../ownValue.ts";
import { between, choice, integer, type ValuesOf } from "../../policyLeaf.ts";
import { minutes, seconds } from "../../units.ts";

export type SyntPurpose =
  | "synt.naming"
  | "synt.signature"
  | "synt.tests"
  | "synt.description"
  | "synt.code"
  | "synt.propose"
  | "synt.pocTests"
  | "synt.transform"
  | "synt.judge"
  | "synt.plan";

const takes = (ms: number, says: string, source: string) =>
  integer(ms, between(0, minutes(60), "ms"), {
    says,
    source,
  });
const measured = "seed 002, 4.2.3 (measured); RULINGS Y13";

export const syntStageLeaves = {
  mode: choice("multistage", ["multistage", "poc"], {
    says: "Five stages, or the two calls of the proof of concept.",
    source: "seed 002, 4.2.1 and 4.2.3",
  }),
  latency: {
    namingMs: takes(seconds(13), "Stage 1, naming.", measured),
    signatureMs: takes(seconds(25), "Stage 2, signature.", measured),
    testsMs: takes(seconds(35), "Stage 3, birth tests.", measured),
    descriptionMs: takes(seconds(25), "Stage 4, description.", measured),
    codeMs: takes(seconds(45), "Stage 5, code.", measured),
    proposeMs: takes(seconds(36), "propose_executor of the POC.", "seed 002, 4.2.1"),
    pocTestsMs: takes(seconds(28), "Birth tests of the POC.", "seed 002, 4.2.1"),
    transformMs: takes(seconds(45), "An introspective rewrite.", "ours, as stage 5"),
    judgeMs: takes(120, "The judge, a small local model.", "ours: the seed's chain took 142 ms"),
    planMs: takes(seconds(2), "The planner of a user turn.", "ours"),
  },
};

export type StagePolicy = ValuesOf<typeof syntStageLeaves>;

/** Cheapest first. */
export const TIERS = ["local-fast", "middle", "wise", "frontier"] as const;
export type Tier = (typeof TIERS)[number];

const price = (value: number, says: string) =>
  integer(value, between(0, 1_000_000, "cents per million tokens"), {
    says,
    source:
      "the real system's price table (local 0, frontier $5 and $25); ours as a price per tier",
  });
const prices = (asked: number, answered: number) => ({
  asked: price(asked, "Price of what is asked."),
  answered: price(answered, "Price of what is answered."),
});

export const syntTierLeaves = {
  floorBillions: integer(35, between(0, 10_000, "billions of parameters"), {
    says: "Smallest local model that may write code (stage 5).",
    source: "seed 002, 4.2 (Qwen 3.6 35B-A3B); RULINGS Y17",
  }),
  price: {
    localFast: prices(0, 0),
    middle: prices(0, 0),
    wise: prices(0, 0),
    frontier: prices(500, 2500),
  },
};

export type TierPolicy = ValuesOf<typeof syntTierLeaves>;

/** The stage that writes code; the four before it only fill in forms. */
export const CODE_STAGE = 5;

/** The tier of a stage of the pipeline, 1 to 5: what writes code, and what fills in forms. */
export const tierOf = (stage: number): Tier => (stage === CODE_STAGE ? "wise" : "middle");

/** What a draft's stages are for; judging and planning are none. */
export type StagePurpose = Exclude<SyntPurpose, "synt.judge" | "synt.plan">;

export interface Stage {
  readonly purpose: StagePurpose;
  /** The number by which a tier is found. */
  readonly stage: number;
  readonly maxTokens: number;
}

const NAMING: Stage = { purpose: "synt.naming", stage: 1, maxTokens: 1_800 };
const SIGNATURE: Stage = { purpose: "synt.signature", stage: 2, maxTokens: 4_000 };
const TESTS: Stage = { purpose: "synt.tests", stage: 3, maxTokens: 4_000 };
const DESCRIPTION: Stage = { purpose: "synt.description", stage: 4, maxTokens: 2_200 };
const CODE: Stage = { purpose: "synt.code", stage: CODE_STAGE, maxTokens: 5_000 };
/** Writes code as well, so it needs what stage 5 needs. */
const PROPOSE: Stage = { purpose: "synt.propose", stage: CODE_STAGE, maxTokens: 5_000 };
const POC_TESTS: Stage = { purpose: "synt.pocTests", stage: CODE_STAGE, maxTokens: 4_000 };
const TRANSFORM: Stage = { purpose: "synt.transform", stage: CODE_STAGE, maxTokens: 5_000 };

export type DraftKind = "multistage" | "poc" | "transform";

/** Strictly one after another: each needs what the one before filled in. */
export const STAGES: { readonly [kind in DraftKind]: readonly Stage[] } = {
  multistage: [NAMING, SIGNATURE, TESTS, DESCRIPTION, CODE],
  poc: [PROPOSE, POC_TESTS],
  transform: [TRANSFORM],
};

/** Which stage is asked again when the code, or what it does, is no good. */
export const codeStageOf = (kind: DraftKind): number => (kind === "multistage" ? 4 : 0);

/** The judge answers in a line or two. Ours. */
export const JUDGE_TOKENS = 400;
export const JUDGE_TIER: Tier = "local-fast";

/** The tiers that a world with synt asks: of the stages of its mode, of the night's rewrite, of the judge. */
export const usedTiers = ({ mode }: Pick<StagePolicy, "mode">): readonly Tier[] => [
  ...new Set([
    JUDGE_TIER,
    ...[...STAGES[mode], ...STAGES.transform].map(({ stage }) => tierOf(stage)),
  ]),
];

const LATENCY: { readonly [purpose in SyntPurpose]: keyof StagePolicy["latency"] } = {
  "synt.naming": "namingMs",
  "synt.signature": "signatureMs",
  "synt.tests": "testsMs",
  "synt.description": "descriptionMs",
  "synt.code": "codeMs",
  "synt.propose": "proposeMs",
  "synt.pocTests": "pocTestsMs",
  "synt.transform": "transformMs",
  "synt.judge": "judgeMs",
  "synt.plan": "planMs",
};

export function latencyOf(purpose: string, { latency }: StagePolicy): number {
  const leaf = ownValue(LATENCY, purpose);
  return leaf === undefined ? 0 : latency[leaf];
}

/** A model as the user configured it for a tier. */
export interface Binding {
  readonly provider: string;
  readonly model: string | null;
  /** Billions of parameters; read from the model's name when omitted. */
  readonly billions?: number;
  /** Cents per million tokens; the tier's when omitted, unknown when null. */
  readonly price?: Price | null;
}

export interface Price {
  readonly asked: number;
  readonly answered: number;
}

export type TierConfig = { readonly [T in Tier]?: Partial<Binding> };
export type Bindings = { readonly [T in Tier]?: Binding };

/**
 * Providers on the user's own machine. Source: seed 002, 4.2.2. Of an OpenAI-compatible server of a live run
 * nobody knows whose machine it is on: its size counts, too.
 */
const LOCAL_PROVIDERS: readonly string[] = ["llamacpp", "ollama", "openai-compatible"];

const FACTORY: Binding = { provider: "llamacpp", model: "Qwen3.6-35B-A3B-UD-Q4_K_M.gguf" };

/**
 * What serves each tier. A tier that was not configured is served by the factory's local model, but
 * frontier is not; `none` removes a tier; a configuration without a provider is a fault.
 */
export function bindingsOf(config: TierConfig): {
  readonly bindings: Bindings;
  readonly faults: readonly string[];
} {
  const faults: string[] = [];
  const bindings: { [T in Tier]?: Binding } = {};
  for (const tier of TIERS) {
    const given = config[tier];
    if (given === undefined) {
      if (tier !== "frontier") bindings[tier] = FACTORY;
    } else if (given.provider === undefined) {
      faults.push(`tier ${tier} names no provider`);
    } else if (given.provider !== "none") {
      bindings[tier] = { ...given, provider: given.provider, model: given.model ?? null };
    }
  }
  return { bindings, faults };
}

export const isLocal = ({ provider }: Binding): boolean => LOCAL_PROVIDERS.includes(provider);

/** A local model needs the size, an external one only a name. */
export function meetsFloor(binding: Binding, { floorBillions }: TierPolicy): boolean {
  if (!isLocal(binding)) return binding.model !== null;
  return billionsOf(binding) >= floorBillions;
}

/** `Qwen3.6-35B-A3B` has 35; a model whose name tells no size has none. */
function billionsOf({ billions, model }: Binding): number {
  if (billions !== undefined) return billions;
  const [, size] = /(?:^|[-_:])(\d+(?:\.\d+)?)b(?![a-z])/i.exec(model ?? "") ?? [];
  return Number(size ?? 0);
}

export type Served = { readonly tier: Tier; readonly binding: Binding } | Unserved;

/**
 * What serves a stage. Its own tier, for code at or above the floor; where wise is not, an external
 * provider that tier frontier names, which is no less. A smaller tier never serves for a larger one.
 */
export function serverOf(stage: number, bindings: Bindings, policy: TierPolicy): Served {
  const tier = tierOf(stage);
  const binding = bindings[tier];
  if (tier !== "wise") return binding === undefined ? missing(tier) : { tier, binding };
  if (binding !== undefined && meetsFloor(binding, policy)) return { tier, binding };
  const { frontier } = bindings;
  const isNamed = frontier !== undefined && !isLocal(frontier) && meetsFloor(frontier, policy);
  return isNamed ? { tier: "frontier", binding: frontier } : belowFloor(binding, policy);
}

/**
 * Everything that must be mended before the first request: of the tiers that a world uses, each that
 * nothing serves, with the setting that mends it. A tier that it never uses may be `none`.
 */
export function bootFaults(
  config: TierConfig,
  policy: TierPolicy,
  used: readonly Tier[],
): readonly string[] {
  const { bindings, faults } = bindingsOf(config);
  const unserved = used.flatMap((tier) => {
    if (tier !== "wise") return bindings[tier] === undefined ? [missing(tier)] : [];
    const served = serverOf(CODE_STAGE, bindings, policy);
    return "fault" in served ? [served] : [];
  });
  return [...faults, ...unserved.map(({ fault, setting }) => `${fault} (${setting})`)];
}

interface Unserved {
  readonly fault: string;
  readonly setting: string;
}

export const missing = (tier: Tier): Unserved => ({
  fault: `no model serves tier ${tier}`,
  setting: `tiers.${tier}.provider`,
});

function belowFloor(wise: Binding | undefined, { floorBillions }: TierPolicy): Unserved {
  const has = wise === undefined ? "is none" : `has ${wise.model ?? "a model without a name"}`;
  return {
    fault:
      `stage ${CODE_STAGE} writes code and needs a local model of ${floorBillions} billion parameters ` +
      `or more, or an external provider; tier wise ${has}`,
    setting: `tiers.wise.${wise === undefined ? "provider" : "model"}`,
  };
}

const PRICES = {
  "local-fast": "localFast",
  middle: "middle",
  wise: "wise",
  frontier: "frontier",
} as const;

/** The price of a tier's model; null when it is unknown: an external model on a tier priced as local. */
export function priceOf(tier: Tier, binding: Binding, policy: TierPolicy): Price | null {
  if (binding.price !== undefined) return binding.price;
  if (isLocal(binding) || tier === "frontier") return policy.price[PRICES[tier]];
  const { asked, answered } = policy.price[PRICES[tier]];
  return asked + answered > 0 ? { asked, answered } : null;
}

/** What a call costs, in millionths of a cent; null for an unknown price. */
export const callCost = (
  tokens: { readonly asked: number; readonly answered: number },
  price: Price | null,
): number | null =>
  price === null ? null : tokens.asked * price.asked + tokens.answered * price.answered;
