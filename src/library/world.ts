/** `world`: the verbs of the library over the parts that come with it and a program's own. */

import { builtIn } from "../builtIn/lists.ts";
import type { Figures } from "../contract/figures.ts";
import type { Metric, MetricName } from "../contract/gauge.ts";
import { metricNames, metricTable } from "../contract/metricTable.ts";
import type { Overrides } from "../contract/policy.ts";
import { type Policy, profiles } from "../contract/policyTree.ts";
import type { Expectation, Scenario } from "../contract/scenario.ts";
import type { ReadBundle } from "../edges/bundle/bundleReader.ts";
import { joinedParts } from "../edges/parts/joinedParts.ts";
import { checkedPart, type OwnPart } from "../edges/parts/ownPart.ts";
import type { LoadedScenario } from "../edges/scenario/scenarioFile.ts";
import type { LogFindings } from "../findings/findIn.ts";
import type { Suspects } from "../findings/suspects.ts";
import type { Leaf } from "../machines/policyLeaf.ts";
import type { Observed } from "../run/compare.ts";
import type { DiffResult, DiffSide } from "../run/diff.ts";
import type { Verdict } from "../run/expect.ts";
import type { Meter as PlainMeter } from "../run/meter.ts";
import type { Recorded } from "../run/playRecorded.ts";
import type { ReplayResult } from "../run/replay.ts";
import type { RunResult } from "../run/simulate.ts";
import type { Explanation } from "../run/why.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input } from "../substrate/port.ts";
import {
  type BlameOptions,
  type BlameResult,
  blameIn,
  type PreventOptions,
  type PreventResult,
  preventIn,
} from "./causes.ts";
import { type CheckOptions, type CheckResult, checkIn } from "./check.ts";
import { type MeterOfWorld, meterFor } from "./checkedMeter.ts";
import {
  type PlayedRun,
  type PlayOptions,
  playIn,
  type RecordedRun,
  type RecordOptions,
  recordIn,
  reportIn,
} from "./play.ts";
import { observeIn, type SimulateOptions, simulateIn } from "./simulated.ts";
import { type ReplayOptions, readingVerbs, tellingVerbs } from "./verbs.ts";

/** The verbs of the library over certain parts. Two worlds in one process do not touch one another. */
export interface World {
  /**
   * The scenario of that name, or of the YAML file at that path, with its text. `folder` is where names
   * are looked up. Throws BadInput that names file, line, path, what was found and what is allowed.
   */
  loadScenario(nameOrPath: string, options?: { readonly folder?: string }): LoadedScenario;
  /** The scenario of a YAML text; `file` names it in errors and in its bundles. Throws BadInput. */
  parseScenario(text: string, file: string): Scenario;
  /** Every number and switch of the policy by path: what it is, its default and what it allows. */
  policyLeaves(): [string, Leaf][];
  /** The whole policy with values by path in place of the defaults. Throws BadInput, all paths named. */
  policyWith(overrides: Overrides): Policy;
  /** Named sets of values of the policy, by path; `seed` is the defaults. */
  readonly profiles: { readonly [name: string]: Overrides };
  /** What can be measured, in the order of the table. */
  readonly metricNames: readonly MetricName[];
  /** For each metric its unit, whether each agent has one of its own, and what it says. */
  readonly metricTable: { readonly [Name in MetricName]: Metric };
  /**
   * Measures a run from its event log: `observe` every delivery in order, then ask. Values are step
   * functions of virtual time in milliseconds; an actor is an agent's name, or the world. `agents` are
   * the names of the agents; `scenario` is the one they live in, where it tells the meter more, as
   * `synt.labels` do. Throws BadInput.
   */
  readonly Meter: MeterOfWorld;
  /**
   * Plays a scenario to its end, at once: everything outside is scripted, or recorded. Gives the outcome
   * with digest, deliveries and virtual milliseconds. A world in which an agent writes code needs a
   * sandbox, and one in which it calls `shell_exec` a shell: then it throws BadInput that names `play`.
   * Throws BadInput for options that do not fit. With `level: "bare"` the run takes a part of the time, and
   * its digest is null.
   */
  simulate(scenario: Scenario, options?: SimulateOptions): RunResult;
  /** As `simulate`, with everything that was seen: meter, story, and the verdict on each expectation. */
  observe(scenario: Scenario, options?: SimulateOptions): Observed;
  /**
   * Plays a scenario to its end, whatever it needs, and leaves nothing on disk. Opens and closes a
   * sandbox when the world comes to need one; asks the functions in `ports`, and checks and records what
   * they answer. Rejects with BadInput, with PortFailed when a function answers what its port cannot
   * take, with SandboxFailed when Python does not start. What `onDelivery` or `onInput` throws ends the
   * run and is thrown as it was.
   */
  play(scenario: Scenario, options?: PlayOptions): Promise<PlayedRun>;
  /**
   * As `play`, and leaves a bundle in a new or empty folder: recording, event log, metrics, report. So
   * `replay(readBundle(folder))` needs none of the functions in `ports`. Rejects with BadInput or
   * OutputRefused before anything is written; the bundle of a run that fails later stays without its end,
   * and replays up to there. What `onDelivery` or `onInput` throws leaves a whole bundle.
   */
  record(scenario: Scenario, folder: string, options?: RecordOptions): Promise<RecordedRun>;
  /** The report of a run as Markdown: what happened, who was hit, why, which expectations were met. */
  report(run: PlayedRun): string;
  /** The bundle in a folder, checked byte by byte. Throws BadInput, NewerFormat or Divergence. */
  readBundle(folder: string): ReadBundle;
  /**
   * Plays a bundle again from its recording and compares every delivery with what was written. No port
   * is called but the recording. `watch` sees each delivery. Throws BadInput.
   */
  replay(
    recorded: Recorded,
    watch?: (delivery: Delivery) => void,
    options?: ReplayOptions,
  ): ReplayResult;
  /**
   * The chain of causes back from a goal (`goal:cedar/7`), a stressor, a call, a delivery's number, a
   * request, executor or turn of synt, or what a part of one's own can be asked; without a question, from
   * what went wrong first. Undefined when nothing did. Throws BadInput for a question that fits nothing
   * in the run.
   */
  why(
    deliveries: readonly Delivery[],
    inputs: readonly Input[],
    question?: string,
  ): Explanation | undefined;
  /** What `why` can be asked about a run. */
  questions(deliveries: readonly Delivery[]): string[];
  /** Where a log may have gone wrong: a ranking of what its agents said and did, each with its reason, and plain rules beside it. No verdict. */
  suspectsOf(deliveries: readonly Delivery[]): Suspects;
  /** Every place of a log at which a finding is found; none of them is a verdict, and all are untested (docs/findings.md). */
  findingsOf(deliveries: readonly Delivery[]): LogFindings;
  /** Two runs side by side: settings, final metrics, and the first delivery that went differently. */
  diff(a: DiffSide, b: DiffSide): DiffResult;
  /** The figures by which runs are compared: goals, calls, minutes until free, and those of each part. */
  figuresOf(observed: Pick<Observed, "meter" | "story">): Figures;
  /** Whether a run showed what an expectation asks for; `endMs` is the run's end in virtual milliseconds. */
  judge(expectation: Expectation, meter: PlainMeter, endMs: number): Verdict;
  /**
   * Puts properties to the test over random worlds of the parts, or over worlds near a scenario, in this
   * process; a world that breaks a promise is shrunk. Rejects with BadInput.
   */
  check(scenario?: Scenario, options?: CheckOptions): Promise<CheckResult>;
  /**
   * Which outside input, choice, fault or answer of a tool decided an outcome: each is left out alone, and all of them
   * together, in many runs, one after the other in this process. Of a scenario, or of the bundle in a folder. Rejects with
   * BadInput, also where the outcome did not come about.
   */
  blame(of: Scenario | string, options?: BlameOptions): Promise<BlameResult>;
  /** The least changes after which an outcome is gone, verified on fresh seeds; likewise. */
  prevent(of: Scenario | string, options?: PreventOptions): Promise<PreventResult>;
}

/**
 * A part of one's own, checked: the same object. Throws BadInput that names each member that is not what
 * it must be. Its behaviour is XState machines and services, its mail and its types merge with those of
 * ghostlight: `declare module "ghostlight" { interface Mail { … } }`.
 */
export const definePart = <const P extends OwnPart>(part: P): P => {
  checkedPart(part, "definePart");
  return part;
};

/**
 * The verbs over the built-in parts and these, whose actors start behind those of the built-in ones.
 * Throws BadInput for what is no part, and wherever two parts have something under one name.
 */
export function world(...own: readonly OwnPart[]): World {
  const lists = joinedParts(
    builtIn,
    own.map((part, index) => checkedPart(part, `world part ${index + 1}`)),
  );
  return {
    ...readingVerbs(lists),
    ...tellingVerbs(lists),
    profiles: profiles(lists.parts),
    metricNames: metricNames(lists.parts),
    metricTable: metricTable(lists.parts),
    Meter: meterFor(lists.parts),
    simulate: (...given) => simulateIn(lists, ...given),
    observe: (...given) => observeIn(lists, ...given),
    play: (...given) => playIn(lists, ...given),
    record: (...given) => recordIn(lists, ...given),
    report: reportIn(lists),
    check: (...given) => checkIn(lists, ...given),
    blame: (...given) => blameIn(lists, ...given),
    prevent: (...given) => preventIn(lists, ...given),
  };
}
