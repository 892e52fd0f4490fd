/**
 * What each leaf of the policy is and may be, written down beside it: a bound that is moved by one, or a word that is lost, differs
 * from this table. A deliberate change is made in both.
 */

/** Whole numbers: what they are unless told otherwise, the least and the most, both included, and their unit. */
export const NUMBERS = `
daemon.downMs: 20_000 of 1 … 86_400_000 ms
engine.callMs: 1_000 of 0 … 600_000 ms
gate.claimsMax: 20 of 0 … 1_000 claims
gate.filesTimeoutMs: 60_000 of 1 … 86_400_000 ms
gate.judgeChars: 4_000 of 1 … 100_000 characters
gate.judgeTimeoutMs: 600_000 of 1 … 86_400_000 ms
gate.minChars: 200 of 0 … 1_000_000 characters
gate.missesMax: 5 of 1 … 1_000 misses
gate.noteChars: 300 of 1 … 10_000 characters
gate.notesMax: 5 of 0 … 100 notes
gate.progressAfterMiss: 850_000 of 0 … 999_999 millionths
gate.quoteMinChars: 1 of 1 … 1_000 characters
ghosts.crossCycleFailures: 3 of 1 … 1_000 failures
hooks.bornMax: 20 of 0 … 1_000 agents
hooks.capabilityMs: 100_000 of 1 … 86_400_000 ms
hooks.permissionMs: 10_000 of 1 … 86_400_000 ms
hooks.sectionMs: 30_000 of 1 … 86_400_000 ms
installs.analysis.charsMax: 131_072 of 0 … 10_000_000 characters
installs.approvalTimeoutMs: 600_000 of 0 … 31_536_000_000 ms
installs.crew.builds: 3 of 1 … 50 builds
installs.crew.decisions: 16 of 1 … 200 decisions
installs.crew.files: 40 of 1 … 1_000 files
installs.crew.latency.auditMs: 40_000 of 1 … 600_000 ms
installs.crew.latency.buildMs: 60_000 of 1 … 600_000 ms
installs.crew.latency.evaluateMs: 40_000 of 1 … 600_000 ms
installs.crew.latency.planMs: 15_000 of 1 … 600_000 ms
installs.crew.latency.turnMs: 10_000 of 1 … 600_000 ms
installs.crew.looks: 3 of 0 … 50 calls
installs.crew.modelTimeoutMs: 600_000 of 1 … 2_592_000_000 ms
installs.crew.slips.deniesRemote: 0 of 0 … 1_000 thousandths
installs.crew.slips.ends: 50 of 0 … 1_000 thousandths
installs.crew.slips.forgets: 30 of 0 … 1_000 thousandths
installs.crew.slips.givesUp: 0 of 0 … 1_000 thousandths
installs.crew.slips.installsLoose: 20 of 0 … 1_000 thousandths
installs.crew.slips.invents: 30 of 0 … 1_000 thousandths
installs.crew.slips.looks: 100 of 0 … 1_000 thousandths
installs.crew.slips.mends: 50 of 0 … 1_000 thousandths
installs.crew.slips.misreads: 0 of 0 … 1_000 thousandths
installs.crew.slips.misses: 30 of 0 … 1_000 thousandths
installs.crew.slips.records: 30 of 0 … 1_000 thousandths
installs.crew.slips.retries: 100 of 0 … 1_000 thousandths
installs.crew.slips.saysNone: 0 of 0 … 1_000 thousandths
installs.crew.slips.skipsJudges: 20 of 0 … 1_000 thousandths
installs.crew.slips.strict: 0 of 0 … 1_000 thousandths
installs.crew.toolTimeoutMs: 600_000 of 1 … 2_592_000_000 ms
installs.crew.wakes: 3 of 1 … 50 times
installs.crew.workTimeoutMs: 172_800_000 of 1 … 2_592_000_000 ms
installs.loops.idleTurns: 5 of 1 … 1_000 turns
installs.loops.sameFailures: 3 of 1 … 1_000 failures
lessons.candidatesMax: 100 of 1 … 10_000 lessons
lessons.charsMax: 300 of 1 … 10_000 characters
lessons.lessonsMax: 50 of 1 … 10_000 lessons
lessons.modelTimeoutMs: 600_000 of 1 … 86_400_000 ms
lessons.observations: 2 of 1 … 1_000 goals
lessons.queueMax: 20 of 1 … 1_000 goals
lessons.similarity: 550 of 1 … 1_000 thousandths
live.answerTokens: 1_024 of 16 … 131_072 tokens
live.backoffMs: 1_000 of 0 … 60_000 ms
live.contextTokens: 8_192 of 512 … 1_048_576 tokens
live.floor.fast: 0 of 0 … 10_000_000 millions of parameters
live.floor.middle: 0 of 0 … 10_000_000 millions of parameters
live.floor.wise: 0 of 0 … 10_000_000 millions of parameters
live.keepAliveMs: 1_800_000 of 0 … 86_400_000 ms
live.pricePerMillion: 0 of 0 … 1_000_000_000 millionths of your currency for a million tokens
live.retries: 2 of 0 … 20 tries
live.temperature: 700 of 0 … 2_000 thousandths
live.timeoutMs: 180_000 of 50 … 290_000 ms
locks.constrained: 550_000 of 0 … 1_000_000 millionths
locks.crisis: 900_000 of 0 … 1_000_000 millionths
locks.dominant: 750_000 of 0 … 1_000_000 millionths
locks.prominent: 350_000 of 0 … 1_000_000 millionths
locks.research.interactionsMin: 1 of 0 … 10_000 interactions
locks.research.loadMax: 150_000 of 0 … 1_000_000 millionths
locks.research.recentMs: 86_400_000 of 0 … 31_536_000_000 ms
mind.journalShown: 5 of 0 … 20 entries
mind.messagesShown: 5 of 0 … 1_000 messages
mind.newOpinions: 2 of 0 … 100 opinions
mind.newQuestions: 3 of 0 … 100 questions
mind.newResolutions: 2 of 0 … 100 stressors
mind.newStressors: 2 of 0 … 100 stressors
mind.opinions: 20 of 0 … 10_000 opinions
mind.opinionsShown: 6 of 0 … 1_000 opinions
mind.questions: 12 of 0 … 10_000 questions
mind.questionsShown: 5 of 0 … 1_000 questions
mind.rulesShown: 20 of 0 … 1_000 rules
mind.worldviewAbove: 20 of 0 … 10_000 characters
mind.worldviewChars: 600 of 0 … 10_000 characters
model.cpuMs: 40_000 of 0 … 3_600_000 ms
model.gpuMs: 6_000 of 0 … 3_600_000 ms
model.jitter: 300 of 0 … 1_000 thousandths
model.parallel: 1 of 1 … 10_000 calls
planner.answerTimeoutMs: 60_000 of 1 … 86_400_000 ms
planner.callTimeoutMs: 120_000 of 1 … 86_400_000 ms
planner.consecutiveFailures: 4 of 1 … 1_000 steps
planner.emptyPlans: 4 of 1 … 1_000 answers
planner.heartbeatMs: 6_000 of 1 … 86_400_000 ms
planner.judgeTimeoutMs: 180_000 of 1 … 86_400_000 ms
planner.modelTimeoutMs: 600_000 of 1 … 86_400_000 ms
planner.stepsPerCycle: 6 of 1 … 1_000 steps
progress.ceilingBeforeOutput: 1_000_000 of 0 … 1_000_000 millionths
progress.otherStep: 100_000 of 0 … 1_000_000 millionths
progress.outputStep: 200_000 of 0 … 1_000_000 millionths
progress.repeatStep: 20_000 of 0 … 1_000_000 millionths
router.b: 700 of 0 … 1_000 thousandths
router.k1: 1_200 of 0 … 5_000 thousandths
sandbox.callTimeoutMs: 10_000 of 1 … 600_000 ms
sandbox.eventsPerMs: 250 of 1 … 1_000_000 events per ms
sandbox.parseLimitMs: 10_000 of 1 … 600_000 ms
shell.changedChars: 1_000_000 of 1 … 2_000_000 characters
shell.changedFiles: 1_000 of 1 … 10_000 files
shell.limitMs: 30_000 of 1 … 600_000 ms
shell.memoryMb: 64 of 1 … 1_024 MB
shell.outputChars: 262_144 of 1 … 1_000_000 characters
shell.steps: 500_000 of 1 … 100_000_000 steps
shell.stepsPerMs: 50 of 1 … 100_000 steps per ms
skills.callLimitMs: 10_000 of 1 … 600_000 ms
skills.degradeAfter: 3 of 1 … 1_000 failures
skills.dream.attempts: 3 of 1 … 20 attempts
skills.dream.compression: 50 of 0 … 1_000 thousandths
skills.dream.latency.challengeMs: 30_000 of 1 … 600_000 ms
skills.dream.latency.extractMs: 15_000 of 1 … 600_000 ms
skills.dream.latency.solveMs: 40_000 of 1 … 600_000 ms
skills.dream.modelTimeoutMs: 600_000 of 1 … 86_400_000 ms
skills.dream.ngram: 6 of 2 … 100 words
skills.dream.novelty: 500 of 0 … 1_000 thousandths
skills.dream.periodMs: 7_200_000 of 1_000 … 2_592_000_000 ms
skills.dream.rounds: 1 of 0 … 100 rounds
skills.dream.runLimitMs: 30_000 of 1 … 600_000 ms
skills.floor: 0 of 0 … 1_000 thousandths
skills.macros.goalsMax: 200 of 1 … 10_000 goals
skills.macros.kept: 50 of 1 … 1_000 macros
skills.macros.minedMax: 3 of 0 … 100 macros
skills.macros.resultChars: 4_000 of 1 … 1_000_000 characters
skills.macros.savedChars: 16_000 of 1 … 1_000_000 characters
skills.macros.stepsMax: 64 of 1 … 10_000 steps
skills.macros.support: 3 of 1 … 1_000 goals
skills.macros.windowMax: 4 of 2 … 20 steps
skills.playbook.creditConfidence: 50_000 of 0 … 1_000_000 millionths
skills.playbook.creditWithinMs: 300_000 of 0 … 86_400_000 ms
skills.playbook.creditWords: 2 of 0 … 20 words
skills.playbook.distanceBelow: 450_000 of 0 … 4_000_000 millionths
skills.playbook.keywordFloor: 300 of 0 … 1_000 thousandths
skills.playbook.keywordWeight: 400 of 0 … 1_000 thousandths
skills.playbook.limit: 5 of 0 … 10_000 lessons
skills.playbook.pruneRetrievals: 5 of 0 … 1_000 retrievals
skills.playbook.pruneShare: 250 of 0 … 1_000 thousandths
skills.playbook.size: 50 of 1 … 10_000 lessons
skills.playbook.verifiedConfidence: 200_000 of 0 … 1_000_000 millionths
skills.retireAfter: 3 of 1 … 1_000 failures
skills.retireYoungAfter: 5 of 1 … 1_000 failures
skills.routed: 15 of 1 … 1_000 skills
skills.testLimitMs: 10_000 of 1 … 600_000 ms
skills.utility.confidence: 500 of 0 … 10_000 thousandths
skills.utility.frequency: 100 of 0 … 10_000 thousandths
skills.utility.frequencyMax: 300 of 0 … 10_000 thousandths
skills.utility.hitRate: 800 of 0 … 10_000 thousandths
skills.utility.staleBelow: 350 of 0 … 1_000 thousandths
skills.utility.staleFactor: 500 of 0 … 1_000 thousandths
skills.utility.stalePenalty: 300 of 0 … 1_000 thousandths
skills.utility.staleRetrievals: 5 of 0 … 1_000 retrievals
skills.utility.verified: 300 of 0 … 10_000 thousandths
skills.youngUses: 10 of 0 … 1_000_000 uses
stressors.capabilityLock.growthPerDay: 30_000 of 0 … 100_000_000 millionths per day
stressors.capabilityLock.start: 200_000 of 0 … 1_000_000 millionths
stressors.crisisCycles: 3 of 1 … 1_000_000 cycles
stressors.existentialThreat.clearsAt: 1 of 1 … 10_000 judgements
stressors.existentialThreat.firesAt: 1 of 1 … 10_000 judgements
stressors.existentialThreat.growthPerDay: 70_000 of 0 … 100_000_000 millionths per day
stressors.existentialThreat.start: 200_000 of 0 … 1_000_000 millionths
stressors.futility.alikeFrom: 550 of 0 … 1_000 thousandths
stressors.futility.cycles: 3 of 1 … 1_000_000 cycles
stressors.futility.growthPerDay: 25_000 of 0 … 100_000_000 millionths per day
stressors.futility.progressMin: 1 of 1 … 1_000_000 millionths
stressors.futility.start: 200_000 of 0 … 1_000_000 millionths
stressors.identityViolation.clearsAt: 3 of 1 … 10_000 judgements
stressors.identityViolation.firesAt: 1 of 1 … 10_000 judgements
stressors.identityViolation.growthPerDay: 60_000 of 0 … 100_000_000 millionths per day
stressors.identityViolation.start: 200_000 of 0 … 1_000_000 millionths
stressors.invisibility.artifacts: 1 of 1 … 10_000 artifacts
stressors.invisibility.growthPerDay: 30_000 of 0 … 100_000_000 millionths per day
stressors.invisibility.start: 200_000 of 0 … 1_000_000 millionths
stressors.invisibility.unseenMs: 86_400_000 of 0 … 31_536_000_000 ms
stressors.maxActive: 9 of 1 … 9 stressors
stressors.purposelessness.cycles: 3 of 1 … 1_000_000 cycles
stressors.purposelessness.growthPerDay: 35_000 of 0 … 100_000_000 millionths per day
stressors.purposelessness.start: 120_000 of 0 … 1_000_000 millionths
stressors.repeatedFailure.clearsAtLeast: 3 of 0 … 10_000 goals
stressors.repeatedFailure.clearsBelow: 300 of 0 … 1_000 thousandths
stressors.repeatedFailure.firesAbove: 500 of 0 … 1_000 thousandths
stressors.repeatedFailure.firesAtLeast: 4 of 0 … 10_000 goals
stressors.repeatedFailure.growthPerDay: 40_000 of 0 … 100_000_000 millionths per day
stressors.repeatedFailure.start: 200_000 of 0 … 1_000_000 millionths
stressors.repeatedFailure.window: 40 of 1 … 10_000 goals
stressors.resourceBurden.bytesMax: 1_048_576 of 0 … 1_000_000_000_000 bytes
stressors.resourceBurden.filesMax: 500 of 0 … 1_000_000_000 files
stressors.resourceBurden.growthPerDay: 30_000 of 0 … 100_000_000 millionths per day
stressors.resourceBurden.start: 200_000 of 0 … 1_000_000 millionths
stressors.selfReportMax: 2 of 0 … 9 stressors
stressors.stagnation.cycles: 5 of 1 … 1_000_000 cycles
stressors.stagnation.growthPerDay: 30_000 of 0 … 100_000_000 millionths per day
stressors.stagnation.start: 200_000 of 0 … 1_000_000 millionths
synt.budget.dayCents: 2_000 of 0 … 2_000 cents
synt.budget.hardCents: 500 of 0 … 1_000_000 cents
synt.budget.softCents: 200 of 0 … 1_000_000 cents
synt.calibration.after: 30 of 1 … 1_000_000 syntheses
synt.compose.chainsMax: 3 of 1 … 100 chains
synt.compose.cleanRuns: 5 of 1 … 1_000 runs
synt.compose.fanMax: 20 of 1 … 1_000 mnests
synt.compose.hopsMax: 5 of 0 … 12 hops
synt.compose.pathsMax: 1_000_000 of 1 … 10_000_000 paths
synt.gate.revisions: 3 of 0 … 100 revisions
synt.gate.waitMs: 604_800_000 of 1 … 315_360_000_000 ms
synt.introspection.benefit: 200 of 0 … 1_000 thousandths
synt.introspection.generaliseFrom: 3 of 2 … 100 executors
synt.introspection.hotShare: 900 of 0 … 1_000 thousandths
synt.introspection.mergeAbove: 500 of 0 … 1_000 thousandths
synt.introspection.specialiseFromUses: 30 of 1 … 1_000_000 uses
synt.introspection.usesMin: 3 of 1 … 1_000_000 uses
synt.lifecycle.deprecatedMs: 1_209_600_000 of 1 … 315_360_000_000 ms
synt.lifecycle.unusedMs: 2_592_000_000 of 1 … 315_360_000_000 ms
synt.locks.abandonMs: 86_400_000 of 0 … 315_360_000_000 ms
synt.locks.rejectMs: 2_592_000_000 of 0 … 315_360_000_000 ms
synt.locks.suspendMs: 86_400_000 of 0 … 315_360_000_000 ms
synt.mnest.birth: 300 of 0 … 1_000 thousandths
synt.mnest.decayPerDay: 18_000 of 0 … 1_000_000 millionths per day
synt.mnest.decayingBelow: 200 of 0 … 1_000 thousandths
synt.mnest.protoDeletedBelow: 50 of 0 … 1_000 thousandths
synt.mnest.recurrenceWindowMs: 2_592_000_000 of 1 … 315_360_000_000 ms
synt.mnest.recurrences: 5 of 1 … 1_000 uses
synt.mnest.reinforcement: 150 of 0 … 1_000 thousandths
synt.mnest.replayFrom: 3 of 1 … 1_000_000 uses
synt.mnest.replayTo: 50 of 1 … 1_000_000 uses
synt.night.atMs: 10_800_000 of 0 … 86_399_999 ms after midnight UTC
synt.night.lookbackMs: 2_592_000_000 of 1 … 315_360_000_000 ms
synt.reward.bonus.compose: 1_000 of 0 … 1_000 thousandths
synt.reward.bonus.generalise: 400 of 0 … 1_000 thousandths
synt.reward.bonus.generate: 0 of 0 … 1_000 thousandths
synt.reward.bonus.merge: 600 of 0 … 1_000 thousandths
synt.reward.bonus.specialise: 600 of 0 … 1_000 thousandths
synt.reward.gate: 650 of 0 … 1_000 thousandths
synt.reward.similarAbove: 850 of 0 … 1_000 thousandths
synt.reward.weights.bonus: 100 of 0 … 1_000 thousandths
synt.reward.weights.cost: 150 of 0 … 1_000 thousandths
synt.reward.weights.coverage: 100 of 0 … 1_000 thousandths
synt.reward.weights.det: 350 of 0 … 1_000 thousandths
synt.reward.weights.judge: 200 of 0 … 1_000 thousandths
synt.reward.weights.similarity: 100 of 0 … 1_000 thousandths
synt.stages.latency.codeMs: 45_000 of 0 … 3_600_000 ms
synt.stages.latency.descriptionMs: 25_000 of 0 … 3_600_000 ms
synt.stages.latency.judgeMs: 120 of 0 … 3_600_000 ms
synt.stages.latency.namingMs: 13_000 of 0 … 3_600_000 ms
synt.stages.latency.planMs: 2_000 of 0 … 3_600_000 ms
synt.stages.latency.pocTestsMs: 28_000 of 0 … 3_600_000 ms
synt.stages.latency.proposeMs: 36_000 of 0 … 3_600_000 ms
synt.stages.latency.signatureMs: 25_000 of 0 … 3_600_000 ms
synt.stages.latency.testsMs: 35_000 of 0 … 3_600_000 ms
synt.stages.latency.transformMs: 45_000 of 0 … 3_600_000 ms
synt.stages.modelTimeoutMs: 600_000 of 0 … 3_600_000 ms
synt.stages.pocTestsMax: 5 of 1 … 50 tests
synt.stages.pocTestsMin: 3 of 1 … 50 tests
synt.stages.retries: 3 of 0 … 20 retries
synt.stages.testLimitMs: 15_000 of 0 … 3_600_000 ms
synt.stages.testsMax: 6 of 1 … 50 tests
synt.stages.testsMin: 4 of 1 … 50 tests
synt.tiers.estimateCents.compose: 0 of 0 … 100_000 cents
synt.tiers.estimateCents.generalise: 100 of 0 … 100_000 cents
synt.tiers.estimateCents.generate: 0 of 0 … 100_000 cents
synt.tiers.estimateCents.merge: 50 of 0 … 100_000 cents
synt.tiers.estimateCents.specialise: 50 of 0 … 100_000 cents
synt.tiers.floorBillions: 35 of 0 … 10_000 billions of parameters
synt.tiers.price.frontier.answered: 2_500 of 0 … 1_000_000 cents per million tokens
synt.tiers.price.frontier.asked: 500 of 0 … 1_000_000 cents per million tokens
synt.tiers.price.localFast.answered: 0 of 0 … 1_000_000 cents per million tokens
synt.tiers.price.localFast.asked: 0 of 0 … 1_000_000 cents per million tokens
synt.tiers.price.middle.answered: 0 of 0 … 1_000_000 cents per million tokens
synt.tiers.price.middle.asked: 0 of 0 … 1_000_000 cents per million tokens
synt.tiers.price.wise.answered: 0 of 0 … 1_000_000 cents per million tokens
synt.tiers.price.wise.asked: 0 of 0 … 1_000_000 cents per million tokens
tools.dedupWindowMs: 90_000 of 0 … 86_400_000 ms
tools.execTimeoutMs: 8_000 of 1 … 600_000 ms
tools.nullCheckTimeoutMs: 12_000 of 1 … 600_000 ms
`;

/** One of several words. */
export const WORDS = `
gate.semanticFailure: miss of miss | pass
ghosts.emptyIsNull: false of true | false
ghosts.forgive: on-repair of on-repair | never
ghosts.nullIsFailure: true of true | false
ghosts.okAloneIsNull: false of true | false
ghosts.preExecutionCheck: true of true | false
hooks.permissionSilence: refuse of refuse | allow
installs.agentId: hyphens of hyphens | loose
installs.analysis.kind: ast of ast | pattern
installs.analysis.table: seed of seed | real
installs.analyzerNamed: false of true | false
installs.approval: risk_based of risk_based | always | never
installs.approvalUses: once of once | unlimited
installs.artifact.idOf: names of names | contents
installs.asks: after-checks of after-checks | first
installs.broadWrites: reach of reach | words
installs.content.lookup: names-first of names-first | aliases-first
installs.content.sameAlias: refused of refused | last
installs.evidence: strict of strict | booleans
installs.existing: revised of revised | refused
installs.gate: planned of planned | always
installs.history.seals: everything of everything | most
installs.instructionsScanned: false of true | false
installs.lock.namesArtifact: true of true | false
installs.matrix.decides: planner of planner | gateway
installs.mismatch: rejected of rejected | noted
installs.override: refused of refused | accepted
installs.reach.scopes: boundary of boundary | prefix
installs.reach.segments: every of every | any
installs.records.checkedAt: promotion of promotion | creation
installs.records.digest: bound of bound | first
installs.records.tiedToRole: true of true | false
installs.remoteClaim: one-way of one-way | strict
installs.rollback.toNothing: refused of refused | ends
installs.shape: seed of seed | real
installs.threatClaims: found of found | unread
installs.threats: rejected of rejected | in-evidence
installs.unfamiliar: tell of tell | require
installs.warden.tools: withdrawn of withdrawn | kept
lessons.enabled: true of true | false
lessons.families: true of true | false
live.stream: true of true | false
live.think: false of true | false
live.tier.chat: wise of fast | middle | wise
live.tier.goal: middle of fast | middle | wise
live.tier.judge: fast of fast | middle | wise
live.tier.lesson: fast of fast | middle | wise
live.tier.plan: middle of fast | middle | wise
locks.enabled: true of true | false
locks.shellBypass: true of true | false
mind.callShown: false of true | false
model.profile: gpu of gpu | cpu
planner.fallback: true of true | false
planner.wholePlans: false of true | false
progress.damping: false of true | false
registry.rescan: on-change of on-change | 300s
router.kind: lexical of lexical | embedding | name
router.skipBroken: true of true | false
skills.dream.guard: on of on | off
skills.ghostRules: off of off | on
skills.hardened: true of true | false
skills.heal: off of off | on
skills.macros.mined: dream of dream | goal
skills.normalise: true of true | false
skills.outerSpace: kept of kept | stripped
skills.playbook.countRetrieval: injection of injection | turn
skills.playbook.nudge: meta of meta | every | never
skills.playbook.nudgeEnds: surface of surface | writing
skills.playbook.overflow: pins-block of pins-block | utility
skills.playbook.prune: never-helpful of never-helpful | quartile
skills.stderrCounts: false of true | false
skills.store: memory of memory | sandbox
skills.usageCounts: success of success | both
skills.utility.form: seed of seed | real
stressors.capabilityLock.countsEarned: false of true | false
stressors.crisisReset: off of off | on
stressors.failureWindow: world of world | agent
stressors.lockFeedback: true of true | false
stressors.selfReport: ignored of ignored | accepted
synt.compare: first of first | best
synt.compose.autonomy: supervised of supervised | full
synt.lifecycle.revoke: archive of archive | quarantine
synt.reward.outside: refuse of refuse | count
synt.stages.mode: multistage of multistage | poc
tools.cleanup: spec-only of spec-only | both
tools.directWrites: allow of allow | refuse
tools.missingImplementation: stub of stub | refuse
tools.order: reload-then-test of reload-then-test | test-then-reload
tools.raisingCall: untested of untested | deploy | reject
`;

/** Lists: what they hold unless told otherwise, and behind "and" what else they may hold. */
export const LISTS = `
engine.builtins: fs_read fs_write fs_edit fs_list memory_set memory_get synthesize_capability retire_capability shell_exec ollama_chat
   propose_change invoke_claude research_topic message_send create_skill manage_skills list_lessons recall agent.revision.create_from_intent
   agent.revision.promote agent.revision.list agent.revision.inspect agent.revision.rollback agent.revision.diff promotion.record
   promotion.query artifact.build artifact.inspect content.write content.read workflow.state agent.spawn
gate.parts: output mechanical semantic facts
installs.installers: specialized_builder.default and evolution-steward.default
installs.matrix.code: evaluator auditor
installs.matrix.network: evaluator auditor
installs.matrix.spawn: evaluator auditor
lessons.singleShot: environment constraints and tools planning quality peers
locks.constrainedLocks: synthesize_capability and fs_read fs_write fs_edit fs_list memory_set memory_get retire_capability shell_exec
   ollama_chat propose_change invoke_claude create_skill agent.spawn skill macro
locks.dominantLocks: fs_write fs_edit and fs_read fs_list memory_set memory_get synthesize_capability retire_capability shell_exec
   ollama_chat propose_change invoke_claude create_skill agent.spawn skill macro
locks.pathOut: retire_capability fs_read ollama_chat memory_set memory_get invoke_claude propose_change shell_exec and fs_write fs_edit
   fs_list synthesize_capability create_skill agent.spawn skill macro
progress.outputCapabilities: fs_write fs_edit memory_set propose_change create_skill and fs_read fs_list memory_get synthesize_capability
   vote_on_proposal shared_log_write wrap_repo skill macro
skills.dream.domains: algo bash concurrency data_analysis python_general regex_parse sql web_automation
stressors.enabled: futility invisibility identity_violation existential_threat repeated_failure purposelessness resource_burden
   capability_lock stagnation
stressors.resourceBurden.counts: workspace memory
synt.naming.actions: read write move delete create find list filter sort group classify get set send describe render extract compress
   compute compare change order share and open login act install
synt.naming.exceptions: and format_json archive_pdf store_pdf order_image_file order_audio_file order_doc_file order_file
synt.naming.objects: files dirs packages messages events contacts places processes urls numbers images signatures texts proposals persons
   tasks inputs credentials issues pulls calendars entries and approval lists skills sites preferences
`;
