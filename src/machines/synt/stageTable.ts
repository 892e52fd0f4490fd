/**
 * The calls that make an executor: their order, tier, bound on the answer and how long they take.
 * Source: seed 002, 4.2.1 and 4.2.3; ruling Y13; bounds on answers are the real system's.
 */
import { choice, integer, type ValuesOf } from "../policyLeaf.ts";
import { minutes, seconds } from "../units.ts";
import { CODE_STAGE, type Tier, tierOf } from "./tiers.ts";

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
  integer(ms, { unit: "ms", min: 0, max: minutes(60), says, source });
const measured = "seed 002, 4.2.3 (measured); RULINGS Y13";

export const syntStageLeaves = {
  mode: choice("multistage", ["multistage", "poc"], {
    says: "Five stages, or the two calls of the proof of concept.",
    source: "seed 002, 4.2.1 and 4.2.3",
  }),
  retries: integer(3, {
    unit: "retries",
    min: 0,
    max: 20,
    says: "How often a stage is asked again after its first answer was no good.",
    source: "seed 002, 7; RULINGS Y13",
  }),
  testsMin: integer(4, {
    unit: "tests",
    min: 1,
    max: 50,
    says: "Fewest birth tests of the multistage pipeline.",
    source: "seed 002, 4.2.3",
  }),
  testsMax: integer(6, {
    unit: "tests",
    min: 1,
    max: 50,
    says: "Most birth tests.",
    source: "seed 002, 4.2.3",
  }),
  pocTestsMin: integer(3, {
    unit: "tests",
    min: 1,
    max: 50,
    says: "Fewest birth tests of the proof of concept.",
    source: "seed 002, 4.2.1",
  }),
  pocTestsMax: integer(5, {
    unit: "tests",
    min: 1,
    max: 50,
    says: "Most birth tests of the proof of concept.",
    source: "seed 002, 4.2.1",
  }),
  testLimitMs: takes(
    seconds(15),
    "Longest run of one birth test.",
    "the real system's; the seed is silent, so ours",
  ),
  modelTimeoutMs: takes(minutes(10), "Longest wait for a model's answer.", "ours"),
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

/** What a draft's stages are for; judging and planning are none. */
export type StagePurpose = Exclude<SyntPurpose, "synt.judge" | "synt.plan">;

export interface Stage {
  readonly purpose: StagePurpose;
  /** The number by which a tier is found; see tiers.ts. */
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

export const latencyOf = (purpose: string, { latency }: StagePolicy): number =>
  Object.hasOwn(LATENCY, purpose) ? latency[LATENCY[purpose as SyntPurpose]] : 0;
