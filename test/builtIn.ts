/** The verbs of the core, bound to the parts that come with the program. */
import type { Part } from "../src/actors/part.ts";
import type { Sections } from "../src/actors/scenario.ts";
import * as changed from "../src/changedRun.ts";
import * as compare from "../src/compare.ts";
import * as differences from "../src/diff.ts";
import * as metrics from "../src/meter.ts";
import * as table from "../src/metricTable.ts";
import * as calls from "../src/modelCalls.ts";
import * as use from "../src/modelUse.ts";
import * as narration from "../src/narrate.ts";
import { parts } from "../src/parts.ts";
import * as policy from "../src/policy.ts";
import * as purposes from "../src/purposes.ts";
import * as replaying from "../src/replay.ts";
import * as changes from "../src/runChanges.ts";
import * as simulation from "../src/simulate.ts";
import * as telling from "../src/story.ts";
import * as reasons from "../src/why.ts";

const bound =
  <A extends readonly unknown[], R>(verb: (parts: readonly Part[], ...given: A) => R) =>
  (...given: A): R =>
    verb(parts, ...given);

export const metricNames = table.metricNames(parts);
export const metricTable = table.metricTable(parts);
export const metricChecks = table.metricChecks(parts);
export const policyTree = policy.policyTree(parts);
export const profiles = policy.profiles(parts);
/** Of a run: an imported log is none, and is asked alone. */
const ofRuns = parts.filter(({ ofLogs }) => ofLogs !== true);
export const questionForms = reasons.questionForms(ofRuns);
export const nothingToAsk = reasons.nothingToAsk(ofRuns);

export const policyLeaves = bound(policy.policyLeaves);
export const policyWith = bound(policy.policyWith);
export const answerFormat = bound(purposes.answerFormat);
export const answerFault = bound(purposes.answerFault);
export const unusable = bound(purposes.unusable);
export const liveTierOf = bound(purposes.liveTierOf);
export const prepare = bound(simulation.prepare);
export const startRun = bound(simulation.startRun);
export const simulate = bound(simulation.simulate);
export const meterOf = bound(compare.meterOf);
export const observe = bound(compare.observe);
export const replay = bound(replaying.replay);
export const changedRun = bound(changed.changedRun);
export const diff = bound(differences.diff);
export const runChanges = bound(changes.runChanges);
export const narrate = bound(narration.narrate);
export const why = bound(reasons.why);
export const questions = bound(reasons.questions);
export const modelUse = bound(use.modelUse);
export const modelCalls = bound(calls.modelCalls);

export class Meter extends metrics.Meter {
  constructor(agents: readonly string[], sections: Partial<Sections> = {}) {
    super(parts, agents, sections);
  }
}

export class Story extends telling.Story {
  constructor(sections: Partial<Sections> = {}) {
    super(parts, sections);
  }
}
