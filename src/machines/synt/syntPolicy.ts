/** The numbers and switches of synt, composed from its parts. Source: seed 002; rulings Y. */
import type { ValuesOf } from "../policyLeaf.ts";
import { syntNightLeaves } from "./ager.ts";
import { syntBudgetLeaves } from "./desk/budget.ts";
import { syntLockLeaves } from "./desk/locks.ts";
import { laterVocabulary, syntNamingLeaves } from "./naming.ts";
import { syntComposeLeaves } from "./pool/compose.ts";
import { syntLifecycleLeaves } from "./pool/executorLifecycle.ts";
import { syntIntrospectionLeaves } from "./pool/introspection.ts";
import { syntMnestLeaves } from "./pool/mnestome.ts";
import { chainsMaxLeaf, compareLeaf } from "./request/requestChoice.ts";
import { estimateLeaves } from "./request/requestScore.ts";
import { revisionsLeaf } from "./request/synthesisRequest.ts";
import { syntCalibrationLeaves, syntRewardLeaves } from "./score/reward.ts";
import { birthTestLeaves } from "./stages/birthTests.ts";
import { syntDraftLeaves } from "./stages/executorDraft.ts";
import { modelWaitLeaf, personWaitLeaf } from "./stages/paidCall.ts";
import { syntStageLeaves, syntTierLeaves } from "./stages/stageTiers.ts";

export const syntLeaves = {
  budget: syntBudgetLeaves,
  calibration: syntCalibrationLeaves,
  compare: compareLeaf,
  compose: { ...syntComposeLeaves, chainsMax: chainsMaxLeaf },
  gate: { waitMs: personWaitLeaf, revisions: revisionsLeaf },
  introspection: syntIntrospectionLeaves,
  lifecycle: syntLifecycleLeaves,
  locks: syntLockLeaves,
  mnest: syntMnestLeaves,
  naming: syntNamingLeaves,
  night: syntNightLeaves,
  reward: syntRewardLeaves,
  stages: {
    ...syntStageLeaves,
    ...syntDraftLeaves,
    ...birthTestLeaves,
    modelTimeoutMs: modelWaitLeaf,
  },
  tiers: { ...syntTierLeaves, estimateCents: estimateLeaves },
};

export type SyntPolicy = ValuesOf<typeof syntLeaves>;

/** What the named profiles change here. */
export const syntProfiles = {
  real: laterVocabulary,
  strict: { "synt.reward.bonus.specialise": 500 },
};
