/** The verbs of the edges, bound to the parts that come with the program. */
import { edgeParts } from "../src/edgeParts.ts";
import * as actors from "../src/actors/agents/edge/foreseen.ts";
import * as reading from "../src/edges/bundleReader.ts";
import * as checkBundles from "../src/edges/checkBundle.ts";
import * as deriving from "../src/edges/derive.ts";
import * as questions from "../src/edges/openQuestion.ts";
import * as overrides from "../src/edges/policyOverrides.ts";
import type { PartLists } from "../src/edges/partLists.ts";
import * as recording from "../src/edges/recordRun.ts";
import * as reports from "../src/edges/report.ts";
import * as heads from "../src/edges/reportHead.ts";
import * as jsons from "../src/edges/reportJson.ts";
import * as files from "../src/edges/scenarioFile.ts";
import * as schemas from "../src/edges/scenarioJsonSchema.ts";
import * as waiting from "../src/edges/waitingRuns.ts";
import { parts } from "../src/parts.ts";
import { scenarioParts } from "../src/scenarioParts.ts";

export const lists: PartLists = { parts, scenarioParts, edgeParts };

const bound =
  <A extends readonly unknown[], R>(verb: (lists: PartLists, ...given: A) => R) =>
  (...given: A): R =>
    verb(lists, ...given);

export const parseScenario = bound(files.parseScenario);
export const loadScenario = bound(files.loadScenario);
export const scenarioOfSource = bound(files.scenarioOfSource);
export const scenarioJsonSchema = bound(schemas.scenarioJsonSchema);
export const readBundle = bound(reading.readBundle);
export const recordRun = bound(recording.recordRun);
export const writeCheckBundle = bound(checkBundles.writeCheckBundle);
export const reportText = bound(reports.reportText);
export const reportHead = bound(heads.reportHead);
export const reportJson = bound(jsons.reportJson);
export const gateStory = bound(questions.gateStory);
export const questionLeft = bound(questions.questionLeft);
export const waitingRuns = bound(waiting.waitingRuns);
