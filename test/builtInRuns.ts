/** What plays and tells, bound to the parts that come with the program. */

import { builtIn } from "../src/builtIn.ts";
import * as going from "../src/cli/continueRun.ts";
import * as gates from "../src/cli/gate.ts";
import * as checkBundles from "../src/edges/checkBundle.ts";
import * as open from "../src/edges/openQuestion.ts";
import type { PartLists } from "../src/edges/partLists.ts";
import * as answers from "../src/edges/program/portAnswers.ts";
import * as recording from "../src/edges/recordRun.ts";
import * as reports from "../src/edges/report.ts";
import * as heads from "../src/edges/reportHead.ts";
import * as jsons from "../src/edges/reportJson.ts";
import * as waiting from "../src/edges/waitingRuns.ts";

export const lists: PartLists = builtIn;

const bound =
  <A extends readonly unknown[], R>(verb: (lists: PartLists, ...given: A) => R) =>
  (...given: A): R =>
    verb(lists, ...given);

/** With the inputs as a list, wherever they lie. */
export async function recordRun(options: recording.RecordOptions) {
  const recorded = await recording.recordRun(lists, options);
  return { ...recorded, inputs: [...recorded.inputs] };
}
export const writeCheckBundle = bound(checkBundles.writeCheckBundle);
export const reportText = bound(reports.reportText);
export const reportHead = bound(heads.reportHead);
export const reportJson = bound(jsons.reportJson);
export const gateStory = bound(open.gateStory);
export const questionLeft = bound(open.questionLeft);
export const waitingRuns = bound(waiting.waitingRuns);
export const gateOption = bound(gates.gateOption);
export const continueRun = bound(going.continueRun);
export const checkedAnswer = bound(answers.checkedAnswer);
export const portNames = answers.portNames(lists);
