/** `play`: a scenario with everything it needs, and with a program's own functions behind its ports. */

import type { Scenario } from "../actors/scenario.ts";
import type { Observed } from "../compare.ts";
import { claimFolder } from "../edges/bundleWriter.ts";
import type { Problem } from "../edges/errors.ts";
import { SANDBOX_KINDS, type SandboxKind } from "../edges/processes/sandboxKind.ts";
import { portNames } from "../edges/program/portAnswers.ts";
import type { Ports } from "../edges/program/portContracts.ts";
import { recordRun } from "../edges/recordRun.ts";
import { reportText } from "../edges/report.ts";
import { reportInput, textsOf } from "../edges/reportTexts.ts";
import { parseScenario, textOf } from "../edges/scenarioFile.ts";
import { canonicalJson } from "../substrate/canonicalJson.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input } from "../substrate/port.ts";
import {
  aFlag,
  aList,
  aMap,
  aMapWith,
  aText,
  checked,
  isMap,
  type Kind,
  refuse,
  shown,
  unknownName,
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
  /** A new or empty folder for the bundle: recording, event log, metrics, report. None when absent. */
  readonly out?: string | undefined;
  /** Whether the bundle keeps its event log, which can be derived again; true when absent. */
  readonly log?: boolean | undefined;
  /** Ends the run as `interrupted` when aborted; its bundle is whole. */
  readonly signal?: AbortSignal | undefined;
}

/** A run that is over, with everything that was seen of it. */
export interface PlayedRun extends Observed {
  readonly scenario: Scenario;
  readonly seed: number;
  /** The event log: every delivery with its cause, in order. */
  readonly deliveries: readonly Delivery[];
  /** The recording: everything that came from outside. */
  readonly inputs: readonly Input[];
  /** Who answered at each port. */
  readonly providers: { readonly [port: string]: string };
  /** The folder of its bundle; null when none was wanted. */
  readonly bundle: string | null;
}

const playKinds: { readonly [option in keyof PlayOptions]-?: Kind } = {
  ...runKinds,
  ports: { ...aMap, allowed: "a map of ports to functions" },
  sandbox: {
    allowed: SANDBOX_KINDS.join(" | "),
    accepts: (value) => SANDBOX_KINDS.some((kind) => kind === value),
  },
  out: { ...aText, allowed: "the path of a new or empty folder" },
  log: aFlag,
  signal: { allowed: "an AbortSignal", accepts: (value) => value instanceof AbortSignal },
};

/**
 * Plays a scenario to its end. Opens and closes a sandbox when the world comes to need one; asks the
 * functions in `ports`, checks what they answer and records it, so that `replay(readBundle(out))`
 * needs none of them. Rejects with BadInput or OutputRefused before anything is written, with
 * PortFailed when a function answers what its port cannot take, with SandboxFailed when Python does
 * not start; a bundle then stays without its end, and replays up to there. What `onDelivery` or
 * `onInput` throws ends the run as interrupted, its bundle whole, and is thrown as it was.
 */
export async function play(scenario: Scenario, options: PlayOptions = {}): Promise<PlayedRun> {
  const run = checkedRun("play", scenario, options, playKinds);
  const { ports = {}, sandbox, out, log = true, signal } = options;
  refuse(portProblems(ports), "The type `PortContracts` of ghostlight lists the ports.");
  const text = out === undefined ? "" : textFor(scenario, run.without !== undefined);
  if (out !== undefined) claimFolder(out, "out");
  const { seed } = run;
  const looking = lookingOn(options, false);
  const { observed, ...recorded } = await recordRun({
    ...run,
    ...{
      scenario: ownCopy(scenario, looking),
      text,
      folder: out ?? null,
      withLog: log,
      program: ports,
    },
    meter: new Meter(scenario.agents, scenario),
    ...(sandbox && { sandbox }),
    ...looking.looks,
    onSlice: () => looking.hasThrown() || (signal?.aborted ?? false),
    ...(out !== undefined && {
      texts: (done) =>
        textsOf(
          reportInput({
            ...{ scenario, called: scenario.name, seed, done },
            ...{ counterfactuals: [], folder: out },
          }),
        ),
    }),
  });
  looking.rethrow();
  return { ...observed, ...recorded, scenario, seed, bundle: out ?? null };
}

const portTodo = "a function, or {answer: a function, latencyMs: a whole number or a function}";

function portProblems(ports: { readonly [port: string]: unknown }): Problem[] {
  return Object.entries(ports).flatMap(([port, entry]): Problem[] => {
    const path = `play ports.${port}`;
    if (!portNames.some((name) => name === port)) {
      return [unknownName("play ports", port, portNames, "a port")];
    }
    if (entry === undefined || isEntry(entry)) return [];
    return [{ where: { path }, found: shown(entry), allowed: portTodo }];
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

/** A bundle holds its scenario as a text: it must be the one that is played. */
function textFor(scenario: Scenario, isReduced: boolean): string {
  const problem = (found: string, allowed: string): Problem => ({
    where: { path: "play out" },
    ...{ found, allowed },
  });
  if (isReduced) {
    const allowed = "a variant of the scenario with that `without`";
    refuse([problem("`without` beside it, which no bundle can say", allowed)], BUNDLE_TODO);
  }
  const text = textOf(scenario);
  const isSame =
    text !== undefined &&
    canonicalJson(parseScenario(text, `${scenario.name}.yaml`)) === canonicalJson(scenario);
  if (isSame) return text;
  const found = "a scenario that was put together or changed by the program";
  refuse([problem(found, "one that `loadScenario` or `parseScenario` gave")], BUNDLE_TODO);
  return "";
}

const BUNDLE_TODO =
  "Write the change into the scenario's text and read it with `parseScenario(text, file)`, or omit `out`.";

const played: Kind = aMapWith("what `play` gives", {
  scenario: aMap,
  meter: aMap,
  story: aMap,
  verdicts: aList,
  deliveries: aList,
  inputs: aList,
  providers: aMap,
});

/** The report of a run as Markdown: what happened, who was hit, why, which expectations were met. */
export const report = checked("report", { played }, (run: PlayedRun): string => {
  const { scenario, seed, deliveries, inputs, providers, bundle } = run;
  const done = { observed: run, deliveries, inputs, providers };
  const called = scenario.name;
  const input = reportInput({
    ...{ scenario, called, seed, done, counterfactuals: [] },
    folder: bundle,
  });
  return reportText(input);
});
