/** Makes a scenario of a log, plays it, and says how far what was played agrees with the log. */
import { writeFileSync } from "node:fs";
import { policyWith } from "../../../../contract/policyTree.ts";
import type { Scenario } from "../../../../contract/scenario.ts";
import { claimFolder, claimNumbered } from "../../../../edges/bundle/bundleWriter.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import type { PartLists } from "../../../../edges/parts/partLists.ts";
import { folderName, recordRun } from "../../../../edges/play/recordRun.ts";
import { reportInput, textsOf } from "../../../../edges/report/reportTexts.ts";
import { parseScenario } from "../../../../edges/scenario/scenarioFile.ts";
import { parseYaml } from "../../../../edges/scenario/yamlText.ts";
import { sortedJson } from "../../../../machines/sortedJson.ts";
import { type Agreement, agreementOf, PlayedCalls } from "../../agreement.ts";
import { worldBounds } from "../../worldBounds.ts";
import type { LogOfWorld } from "../../worldItems.ts";
import { type World, worldsOf } from "../../worldOf.ts";
import type { Recording, Recordings } from "../../worldRecordings.ts";
import { playedBeside, there } from "./wanted.ts";
import { worldText } from "./worldText.ts";

export interface MadeWorld {
  readonly world: World;
  readonly text: string;
  readonly scenario: Scenario;
}

/** The fullest world of the log that fits into a file. Throws BadInput where none does, or nobody acts in the log. */
export function madeWorld(
  lists: PartLists,
  recordings: Recordings,
  file: string,
  held?: Recording,
): MadeWorld {
  const taken = policyWith(lists.parts, {}).engine.builtins;
  const [{ log }] = recordings;
  for (const world of worldsOf(recordings, taken, held)) {
    if (world.notes.turns.turns.length === 0) throw nobodyActs(log);
    const text = [true, false]
      .map((plain) => worldText(world, log, plain))
      .find((one) => readsBack(one, world, file));
    if (text === undefined || text.length > worldBounds.fileChars * 1.5) continue;
    return { world, text, scenario: parseScenario(lists, text, file) };
  }
  throw badInput(
    { file: log.file },
    `the log ${log.name}, of which even a short beginning makes too long a scenario`,
    `a log that fits into a scenario of ${worldBounds.fileChars} characters`,
    "Read the log as it is: why, events and check work on its bundle.",
  );
}

function readsBack(text: string, { source }: World, file: string): boolean {
  const read = parseYaml(text, file);
  return "value" in read && sortedJson(read.value) === sortedJson(source);
}

const nobodyActs = ({ name, file }: LogOfWorld): BadInput =>
  badInput(
    { file },
    `the log ${name}, in which no agent calls a tool or speaks to another agent`,
    "a log with something to play",
    "Read the log as it is: why, events and check work on its bundle.",
  );

export interface PlayedWorld extends MadeWorld {
  readonly agreement: Agreement;
  readonly bundle: string | null;
  readonly digest: string | null;
  readonly outcome: string;
  readonly holds: boolean;
}

/** Plays it once; into a bundle, unless `folder` is null. */
export async function playedWorld(
  lists: PartLists,
  made: MadeWorld,
  folder: string | null,
  called: string,
): Promise<PlayedWorld> {
  const { scenario, text, world } = made;
  const played = new PlayedCalls();
  const { seed } = scenario;
  const recorded = await recordRun(lists, {
    ...{ scenario, text, variant: null, seed, set: {}, untilMs: null, folder, withLog: true },
    onDelivery: (delivery) => played.add(delivery),
    ...(folder !== null && {
      texts: (done) => textsOf(lists, reportInput(lists, { scenario, called, seed, done, folder })),
    }),
  });
  const { result, verdicts } = recorded.observed;
  return {
    ...made,
    agreement: agreementOf(world, played),
    ...{ bundle: folder, digest: result.digest, outcome: result.outcome },
    holds: verdicts.every(({ ok }) => ok),
  };
}

/** Throws OutputRefused where the file is there already, or cannot be written. */
export function writeScenario(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    throw there("--scenario", file, (error as NodeJS.ErrnoException).message);
  }
}

/** Beside the imported bundle where its folder was named, else a new one below runs/. */
export function playedFolder(out: string | undefined, scenario: Scenario): string {
  if (out === undefined)
    return claimNumbered("runs", folderName(scenario.name, null, scenario.seed));
  const folder = playedBeside(out);
  claimFolder(folder);
  return folder;
}
