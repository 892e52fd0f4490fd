/** What plays and tells, bound to the parts that come with the program. */

import { builtIn } from "../src/builtIn/lists.ts";
import * as going from "../src/cli/continueRun.ts";
import * as gates from "../src/cli/live/gate.ts";
import type { PartLists } from "../src/edges/parts/partLists.ts";
import { cacheFolder, KeptAnswers } from "../src/edges/play/keptAnswers.ts";
import * as recording from "../src/edges/play/recordRun.ts";
import * as waiting from "../src/edges/play/waitingRuns.ts";
import * as checkBundles from "../src/edges/pool/checkBundle.ts";
import * as answers from "../src/edges/program/portAnswers.ts";
import * as open from "../src/edges/report/openQuestion.ts";
import * as reports from "../src/edges/report/report.ts";
import * as heads from "../src/edges/report/report.ts";
import * as jsons from "../src/edges/report/reportJson.ts";

export const lists: PartLists = builtIn;

const bound =
  <A extends readonly unknown[], R>(verb: (lists: PartLists, ...given: A) => R) =>
  (...given: A): R =>
    verb(lists, ...given);

/** What Python and the shell answered one run they need not answer another: each start of Python takes a second. */
const kept = new KeptAnswers(cacheFolder(undefined));

/** With the inputs as a list, wherever they lie. */
export async function recordRun(options: recording.RecordOptions) {
  const recorded = await recording.recordRun(lists, { answers: kept, ...options });
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
