/** `play` and `record`: a scenario with everything it needs, and with a program's own functions behind its ports. */

import type { Scenario } from "../contract/scenario.ts";
import { claimFolder } from "../edges/bundle/bundleWriter.ts";
import { type Problem, refuse } from "../edges/errors.ts";
import type { PartLists, ReadingLists } from "../edges/parts/partLists.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import { type Recorded, recordRun } from "../edges/play/recordRun.ts";
import { SANDBOX_KINDS, type SandboxKind } from "../edges/processes/sandboxKind.ts";
import { portNames } from "../edges/program/portAnswers.ts";
import type { Ports } from "../edges/program/portContracts.ts";
import { reportText } from "../edges/report/report.ts";
import { reportInput, textsOf } from "../edges/report/reportTexts.ts";
import { parseScenario, textOf } from "../edges/scenario/scenarioFile.ts";
import { isMap } from "../machines/isMap.ts";
import type { Observed } from "../run/compare.ts";
import { canonicalJson } from "../substrate/canonicalJson.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input } from "../substrate/port.ts";
import {
  aFlag,
  aList,
  aMap,
  aMapWith,
  aSignal,
  aText,
  checked,
  type Kind,
  notA,
  unknownName,
  valueText,
} from "./arguments.ts";
import { Meter } from "./checkedMeter.ts";
import { lookingOn, ownCopy } from "./lookingOn.ts";
import { checkedRun, type RunOptions, runKinds } from "./runOptions.ts";

/** What can be set for `play`, besides what every run has. When empty: the scenario as it stands. */
export interface PlayOptions extends RunOptions {
  /** Functions that answer in place of the scenario, by port. See PortContracts. */
  readonly ports?: Ports | undefined;
  /** Whether Python runs inside the walls of bubblewrap: `auto` (where the machine has them) when absent. */
  readonly sandbox?: SandboxKind | undefined;
  /**
   * A folder in which answers of Python and of the shell are kept for later runs: what runs is the same, without
   * them. None when absent, unless the environment's GHOSTLIGHT_CACHE names one.
   */
  readonly cache?: string | undefined;
  /** Ends the run as `interrupted` when aborted; its bundle is whole. */
  readonly signal?: AbortSignal | undefined;
}

/** What can be set for `record`: what `play` has but the level, since a bundle is full. */
export interface RecordOptions extends Omit<PlayOptions, "level"> {
  /** Whether the bundle keeps its event log, which can be derived again; true when absent. */
  readonly log?: boolean | undefined;
}

/** A run that is over, with everything that was seen of it. */
export interface PlayedRun extends Observed {
  readonly scenario: Scenario;
  readonly seed: number;
  /** The event log: every delivery with its cause, in order. Empty unless the run is full. */
  readonly deliveries: readonly Delivery[];
  /** The recording: everything that came from outside. Empty of a bare run. */
  readonly inputs: readonly Input[];
  /** Who answered at each port. */
  readonly providers: { readonly [port: string]: string };
  /** The folder of its bundle; null when it was played without one. */
  readonly bundle: string | null;
}

/** A run that left a bundle in a folder. */
export interface RecordedRun extends PlayedRun {
  readonly bundle: string;
}

/** Of `cache`. */
export const aCache: Kind = { ...aText, allowed: "the path of a folder" };

const playKinds: { readonly [option in keyof PlayOptions]-?: Kind } = {
  ...runKinds,
  ports: { ...aMap, allowed: "a map of ports to functions" },
  sandbox: {
    allowed: SANDBOX_KINDS.join(" | "),
    accepts: (value) => SANDBOX_KINDS.some((kind) => kind === value),
  },
  cache: aCache,
  signal: aSignal,
};

const { level: _, ...kindsOfBoth } = playKinds;
const recordKinds: { readonly [option in keyof RecordOptions]-?: Kind } = {
  ...kindsOfBoth,
  log: aFlag,
};

const aFolder: Kind = { ...aText, allowed: "the path of a new or empty folder" };

/** See `World.play`. */
export async function playIn(
  lists: PartLists,
  scenario: Scenario,
  options: PlayOptions = {},
): Promise<PlayedRun> {
  return {
    ...(await played(lists, "play", { scenario, options, kinds: playKinds })),
    bundle: null,
  };
}

/** See `World.record`. */
export async function recordIn(
  lists: PartLists,
  scenario: Scenario,
  folder: string,
  options: RecordOptions = {},
): Promise<RecordedRun> {
  if (!aFolder.accepts(folder)) {
    refuse([notA("record folder", folder, aFolder)], "Call record(scenario, folder, options).");
  }
  const wanted = { scenario, options, kinds: recordKinds, folder, log: options.log ?? true };
  return { ...(await played(lists, "record", wanted)), bundle: folder };
}

async function played(
  lists: PartLists,
  verb: "play" | "record",
  wanted: {
    readonly scenario: Scenario;
    readonly options: PlayOptions;
    readonly kinds: { readonly [option: string]: Kind };
    readonly folder?: string;
    readonly log?: boolean;
  },
): Promise<Omit<PlayedRun, "bundle">> {
  const { scenario, options, kinds, folder = null, log = false } = wanted;
  const run = checkedRun(lists, verb, scenario, options, kinds);
  const { ports = {}, sandbox, cache, signal } = options;
  refuse(
    portProblems(lists, verb, ports),
    "The type `PortContracts` of ghostlight lists the ports.",
  );
  const text = folder === null ? "" : recordedText(lists, scenario, run.without !== undefined);
  const answers = new KeptAnswers(cacheFolder(cache, "cache"));
  if (folder !== null) claimFolder(folder, "folder");
  const { seed } = run;
  const looking = lookingOn(options, false);
  const { observed, deliveries, inputs, providers } = await recordRun(lists, {
    ...run,
    ...{ scenario: ownCopy(run.scenario, looking), text, folder, withLog: log, program: ports },
    answers,
    meter: new Meter(lists.parts, scenario.agents, scenario),
    ...(sandbox && { sandbox }),
    ...looking.looks,
    // The program gets all of them.
    keptMost: Number.POSITIVE_INFINITY,
    onSlice: () => looking.hasThrown() || (signal?.aborted ?? false),
    ...(folder !== null && {
      texts: (done: Recorded) => {
        return textsOf(lists, reportInput(lists, { scenario, seed, done, folder }));
      },
    }),
  });
  looking.rethrow();
  return {
    ...observed,
    ...{ deliveries: [...deliveries], inputs: [...inputs] },
    ...{ providers, scenario, seed },
  };
}

const portTodo = "a function, or {answer: a function, latencyMs: a whole number or a function}";

function portProblems(
  lists: PartLists,
  verb: string,
  ports: { readonly [port: string]: unknown },
): Problem[] {
  return Object.entries(ports).flatMap(([port, entry]): Problem[] => {
    const path = `${verb} ports.${port}`;
    const known = portNames(lists);
    if (!known.some((name) => name === port)) {
      return [unknownName(`${verb} ports`, port, known, "a port")];
    }
    if (entry === undefined || isEntry(entry)) return [];
    return [{ where: { path }, found: valueText(entry), allowed: portTodo }];
  });
}

function isEntry(entry: unknown): boolean {
  if (typeof entry === "function") return true;
  if (!isMap(entry) || typeof entry["answer"] !== "function") return false;
  const { latencyMs } = entry;
  const isKnown = Object.keys(entry).every((key) => key === "answer" || key === "latencyMs");
  const isLatency = Number.isSafeInteger(latencyMs) && Number(latencyMs) >= 0;
  return isKnown && (isLatency || typeof latencyMs === "function");
}

function recordedText(lists: ReadingLists, scenario: Scenario, isReduced: boolean): string {
  if (isReduced) {
    const found = "`without` beside it, which no bundle can say";
    const allowed = "a variant of the scenario with that `without`";
    refuse([{ where: { path: "record scenario" }, found, allowed }], TEXT_TODO);
  }
  return textFor(lists, "record", scenario);
}

/** The text that a scenario was read from: it must be the one that is played. Throws BadInput. */
export function textFor(lists: ReadingLists, verb: string, scenario: Scenario): string {
  const text = textOf(scenario);
  const isSame =
    text !== undefined &&
    canonicalJson(parseScenario(lists, text, `${scenario.name}.yaml`)) === canonicalJson(scenario);
  if (isSame) return text;
  const found = "a scenario that was put together or changed by the program";
  const allowed = "one that `loadScenario` or `parseScenario` gave";
  refuse([{ where: { path: `${verb} scenario` }, found, allowed }], TEXT_TODO);
  return "";
}

const TEXT_TODO =
  "Write the change into the scenario's text and read it with `parseScenario(text, file)`, or `play` it without a bundle.";

const UNLOGGED: Problem = {
  where: { path: "report run" },
  found: "a run without its log",
  allowed: "one of the level full",
};

const aRun: Kind = aMapWith("what `play` or `record` gives", {
  scenario: aMap,
  meter: aMap,
  story: aMap,
  verdicts: aList,
  deliveries: aList,
  inputs: aList,
  providers: aMap,
});

/** See `World.report`. */
export const reportIn = (lists: PartLists) =>
  checked("report", { run: aRun }, (run: PlayedRun): string => {
    const { scenario, seed, deliveries, inputs, providers, bundle } = run;
    if (deliveries.length < run.result.envelopes) refuse([UNLOGGED], "Play it without a level.");
    const done = { observed: run, deliveries, inputs, providers };
    return reportText(lists, reportInput(lists, { scenario, seed, done, folder: bundle }));
  });
