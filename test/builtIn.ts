/** The verbs of the core, bound to the parts that come with the program. */

import { parts } from "../src/builtIn/parts.ts";
import * as table from "../src/contract/metricTable.ts";
import type { Part } from "../src/contract/part.ts";
import * as policy from "../src/contract/policyTree.ts";
import * as purposes from "../src/contract/purposeTable.ts";
import type { Sections } from "../src/contract/scenario.ts";
import * as changed from "../src/run/changedRun.ts";
import * as compare from "../src/run/compare.ts";
import * as differences from "../src/run/diff.ts";
import * as metrics from "../src/run/meter.ts";
import * as calls from "../src/run/modelCalls.ts";
import * as use from "../src/run/modelUse.ts";
import * as narration from "../src/run/narrate.ts";
import * as replaying from "../src/run/replay.ts";
import * as changes from "../src/run/runChanges.ts";
import * as simulation from "../src/run/simulate.ts";
import * as telling from "../src/run/story.ts";
import * as reasons from "../src/run/why.ts";

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
  constructor(agents: readonly string[], sections?: Partial<Sections>) {
    super(parts, agents, sections);
  }
}

export class Story extends telling.Story {
  constructor(sections: Partial<Sections> = {}, saved?: string) {
    super(parts, sections, saved);
  }
}
