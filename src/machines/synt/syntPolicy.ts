/** The numbers and switches of synt, composed from its parts. Source: seed 002; rulings Y. */
import { choice, type ValuesOf } from "../policyLeaf.ts";
import { syntNightLeaves } from "./ager.ts";
import { syntBudgetLeaves } from "./budget.ts";
import { syntCalibrationLeaves } from "./calibrationPolicy.ts";
import { syntComposeLeaves } from "./compose.ts";
import { syntLifecycleLeaves } from "./executorLifecycle.ts";
import { syntGateLeaves } from "./gatePolicy.ts";
import { syntIntrospectionLeaves } from "./introspection.ts";
import { syntLockLeaves } from "./locks.ts";
import { syntMnestLeaves } from "./mnestome.ts";
import { syntRewardLeaves } from "./reward.ts";
import { syntStageLeaves } from "./stageTable.ts";
import { syntTierLeaves } from "./tiers.ts";
import { laterVocabulary, syntNamingLeaves } from "./vocabulary.ts";

export const syntLeaves = {
  budget: syntBudgetLeaves,
  calibration: syntCalibrationLeaves,
  compare: choice("first", ["first", "best"], {
    says: "The first strategy whose R reaches the threshold, or the best of chain and executor by R; the latter pays for a generation each time.",
    source: "seed 002, 3 and 6 (first); ours (best)",
  }),
  compose: syntComposeLeaves,
  gate: syntGateLeaves,
  introspection: syntIntrospectionLeaves,
  lifecycle: syntLifecycleLeaves,
  locks: syntLockLeaves,
  mnest: syntMnestLeaves,
  naming: syntNamingLeaves,
  night: syntNightLeaves,
  reward: syntRewardLeaves,
  stages: syntStageLeaves,
  tiers: syntTierLeaves,
};

export type SyntPolicy = ValuesOf<typeof syntLeaves>;

/** What the named profiles change here. */
export const syntProfiles = {
  real: laterVocabulary,
  strict: { "synt.reward.bonus.specialise": 500 },
};
