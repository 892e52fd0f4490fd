/** Runs a scenario and leaves a bundle: the verbs `run` and `play` without their callers. */

import { type Policy, policyValues, policyWith } from "../../contract/policyTree.ts";
import { defined } from "../../machines/defined.ts";
import type { LiveIdentity } from "../../machines/livePolicy.ts";
import { ownValue } from "../../machines/ownValue.ts";
import { FORMAT_VERSION, type Manifest, RULES_VERSION } from "../../run/bundle.ts";
import { type Observed, startObserved } from "../../run/compare.ts";
import { type Fork, setAfter } from "../../run/fork.ts";
import type { Meter } from "../../run/meter.ts";
import { openedWith } from "../../run/playRecorded.ts";
import {
  type ChosenWorld,
  lastDigest,
  prepare,
  type Run,
  type SimulateOptions,
} from "../../run/simulate.ts";
import { assert } from "../../substrate/assert.ts";
import { sha256Hex } from "../../substrate/digest.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Level } from "../../substrate/level.ts";
import type { Log } from "../../substrate/log.ts";
import type { Input, Provider } from "../../substrate/port.ts";
import { bundleWriter, FILES } from "../bundle/bundleWriter.ts";
import { KeptRun } from "../bundle/keptRun.ts";
import type { CatchUp } from "../live/catchUp.ts";
import { identityOf, type LiveSetup } from "../live/liveSetup.ts";
import type { PartLists } from "../parts/partLists.ts";
import { plainName } from "../plainName.ts";
import type { SandboxKind } from "../processes/sandboxKind.ts";
import { PRODUCT } from "../product.ts";
import type { Ports } from "../program/portContracts.ts";
import { providerName } from "../program/programPorts.ts";
import { type LazySandbox, lazySandbox } from "../python/sandboxPort.ts";
import { type LazyShell, lazyShell } from "../shell/shellProcess.ts";
import type { Forking } from "./forking.ts";
import { type Gate, gateNames } from "./gate.ts";
import { isGate } from "./gates.ts";
import { hostPorts } from "./hostPorts.ts";
import type { KeptAnswers } from "./keptAnswers.ts";
import type { Person } from "./person.ts";
import { playRun } from "./playRun.ts";
import { worldPorts } from "./worldPorts.ts";

export interface RecordOptions extends ChosenWorld {
  /** The scenario's file, whole. */
  readonly text: string;
  /** See SimulateOptions. A bundle cannot say it: only without a folder. */
  readonly without?: SimulateOptions["without"];
  /** What is kept; `full` when absent, as a bundle needs it. */
  readonly level?: Level | undefined;
  /** An empty folder, see claimFolder; null when no bundle is wanted. */
  readonly folder: string | null;
  readonly withLog: boolean;
  /** Between two slices: virtual time so far. True ends the run as interrupted. */
  readonly onSlice?: (nowMs: number, run: Run) => boolean;
  /** Whether Python runs inside the walls of bubblewrap; `auto` when absent. */
  readonly sandbox?: SandboxKind;
  /** Where answers of Python and of the shell are kept; each is asked anew when absent. */
  readonly answers?: KeptAnswers | undefined;
  /** Answers at once in place of a sandbox. */
  readonly standIns?: { readonly [port: string]: Provider } | undefined;
  /** What a program serves, in place of every other provider. */
  readonly program?: Ports | undefined;
  /** What answers as the model, in place of the scripted one. */
  readonly live?: LiveSetup | undefined;
  /** Of a changed replay: whose models the tiers of synt had in the recorded run. */
  readonly identity?: LiveIdentity | undefined;
  /** In a live run: who answers what agents ask of people, in place of the scenario. */
  readonly person?: Person | undefined;
  /** Who decides at the gates of the parts, in place of the scenario. */
  readonly gate?: Gate | undefined;
  /** The recorded live run that this one goes on from. */
  readonly catchUp?: CatchUp | undefined;
  /** Where this run left recorded ones; the last of them is made now where `forking` says how. */
  readonly forks?: readonly Fork[] | undefined;
  readonly forking?: Forking | undefined;
  /** Where the recorded run without a live model ended that this one goes on from. */
  readonly resumed?: { readonly envelopes: number; readonly digest: string } | undefined;
  /** A recording that answers before any provider is asked, and how. */
  readonly served?: Pick<SimulateOptions, "recorded" | "serving"> | undefined;
  /** Measures this run in place of a meter of its own. */
  readonly meter?: Meter;
  readonly onInput?: ((input: Input) => void) | undefined;
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
  /** Deliveries that may be kept in memory; of a longer run all stay in its files. */
  readonly keptMost?: number;
  /** The texts that people read, once the run is over. */
  readonly texts?: (recorded: Recorded) => Promise<{ readonly [file: string]: string }>;
}

export interface Recorded {
  readonly observed: Observed;
  /** These and the inputs are in files where they are many and the bundle has a log. */
  readonly deliveries: Log;
  readonly inputs: Iterable<Input>;
  /** Who answered at each port, as the manifest says it. */
  readonly providers: Manifest["providers"];
}

/** Deliveries between two looks at the world outside: some tens of milliseconds of work. */
const SLICE = 1_000;

export async function recordRun(lists: PartLists, options: RecordOptions): Promise<Recorded> {
  const { sandbox: kind = "auto", answers } = options;
  const sandbox = lazySandbox({ kind, answers });
  const shell = lazyShell({ kind, answers });
  try {
    return await recordIn(lists, { sandbox, shell }, options);
  } finally {
    await Promise.all([sandbox.close(), shell.close()]);
  }
}

async function recordIn(
  lists: PartLists,
  { sandbox, shell }: { readonly sandbox: LazySandbox; readonly shell: LazyShell },
  options: RecordOptions,
): Promise<Recorded> {
  const { parts } = lists;
  const { scenario, variant, seed, set, untilMs, interpreter, without, served } = options;
  const { live, person, gate, catchUp, program, forks, forking, level = "full" } = options;
  assert(level === "full" || options.folder === null, "a bundle is of a full run");
  const identity = identityIn(options);
  const simulation: SimulateOptions = defined({
    ...{ variant, seed, set, untilMs, interpreter, without },
    live: openedWith(identity, forks),
    turns: forks,
  });
  const { policy, kernelOptions } = prepare(parts, scenario, simulation);
  const afterMs = catchUp?.lastReplyMs ?? 0;
  // Nothing outside is asked before the last of them.
  const policyNow = policyWith(parts, setAfter(policyValues(parts, policy), forks));
  const { startsAt } = scenario;
  const world = worldPorts(lists, {
    ...{ sandbox, shell, policy: policyNow, seed, startsAt },
    ...{ live, person, gate, program, afterMs },
  });
  const { inbox, clock, isLeft } = world;
  const opening = openingOf(lists, options, policy, Object.keys(kernelOptions.ports));
  const writer =
    options.folder === null ? undefined : bundleWriter(options.folder, opening, options.withLog);
  const kept = new KeptRun(options.withLog ? options.folder : null, options.keptMost);
  const checkpoints: [number, string][] = [];
  const simulated: SimulateOptions = defined({
    ...simulation,
    ...served,
    horizonMs: clock?.horizonMs,
    ...(clock && catchUp?.simulation(clock)),
    ...forking?.simulation(clock),
    ports: { ...world.ports, ...options.standIns },
    level,
    ...(level !== "bare" && {
      onInput: (input: Input) => {
        kept.input(input);
        writer?.input(input);
        options.onInput?.(input);
      },
      onCheckpoint: (seq: number, digest: string) => checkpoints.push([seq, digest]),
    }),
    ...(level === "full" && {
      onDelivery: (delivery: Delivery, start: Uint8Array) => {
        kept.delivery(delivery);
        writer?.delivery(delivery, start);
        options.onDelivery?.(delivery);
      },
    }),
  });
  const { run, finish } = startObserved(parts, scenario, simulated, options.meter);
  const onSlice = (): boolean => {
    writer?.flush();
    return options.onSlice?.(run.kernel.nowMs, run) ?? false;
  };
  try {
    if (clock) await catchUp?.through(run, { inbox, clock, isLeft });
    const result = await playRun(run, { slice: SLICE, inbox, clock, isLeft, onSlice });
    const { providers } = opening;
    writer?.flush();
    const recorded = { observed: finish(result), ...kept.told(), providers };
    const { outcome, error, envelopes, virtualMs } = result;
    const texts = (await options.texts?.(recorded)) ?? {};
    writer?.finish(
      {
        outcome,
        error: error?.message ?? null,
        digest: lastDigest(result),
        envelopes,
        virtualMs,
        checkpoints,
      },
      { [FILES.metrics]: recorded.observed.meter.csv(), ...texts },
    );
    return recorded;
  } catch (error) {
    writer?.abandon();
    throw error;
  } finally {
    world.close();
  }
}

function openingOf(
  lists: PartLists,
  options: RecordOptions,
  policy: Policy,
  ports: readonly string[],
): Omit<Manifest, "seal" | "final"> {
  const { parts } = lists;
  const { scenario, text, variant, seed, untilMs, catchUp, resumed, forks } = options;
  const identity = identityIn(options);
  const providers = ports.map((port) => [port, providerOf(lists, port, options)]);
  return defined({
    format: FORMAT_VERSION,
    product: PRODUCT,
    rulesVersion: RULES_VERSION,
    scenario: { name: scenario.name, text, sha256: sha256Hex(text) },
    variant,
    seed,
    policy: policyValues(parts, policy),
    untilMs,
    origin: originOf(options),
    providers: Object.fromEntries(providers),
    live: identity,
    resumed: resumed ?? catchUp?.from,
    forks,
    startsAt: scenario.startsAt,
    parts: lists.own,
  });
}

function originOf({ live, program = {} }: RecordOptions): Manifest["origin"] {
  if (live !== undefined) return live.origin;
  return Object.keys(program).length > 0 ? "live:program" : "scripted";
}

const identityIn = ({ live, identity }: RecordOptions): LiveIdentity | undefined =>
  live === undefined ? identity : identityOf(live);

function providerOf(lists: PartLists, port: string, options: RecordOptions): string {
  const { live, served, resumed, gate, standIns, program = {} } = options;
  const entry = ownValue(program, port);
  if (entry !== undefined) return providerName(entry);
  if (gate && isGate(lists, port)) return gateNames[gate.kind];
  const lacking = served === undefined ? "" : ", for what a recording lacks";
  if (port === "port/llm.chat" && live)
    return `live: ${live.models.middle.name} of ${live.kind}${lacking}`;
  if (port === "port/tool.call" && options.person) return "live: a person";
  if (port === "port/llm.embed" && live?.embed)
    return `live: ${live.embed.name} of ${live.kind}${lacking}`;
  const isServed = (served !== undefined && !resumed) || options.forking?.isMixed === true;
  const scripted = isServed ? "a recording; what it lacks: scripted" : "scripted";
  const ofHost = hostPorts(lists).get(port);
  if (ofHost !== undefined) {
    const before = isServed ? "a recording; what it lacks: " : "";
    return `${before}${standIns?.[port] === undefined ? ofHost.name : "a stand-in"}`;
  }
  // The same Python with and without walls: they change no answer.
  const python = `code that agents wrote: ${standIns?.[port] === undefined ? "pyodide" : "a stand-in"}`;
  // Nothing of it is scripted: a scenario's own tools are never read.
  if (port === "port/python.parse") return scripted.replace("scripted", python);
  return port === "port/sandbox.run" ? `${scripted}; ${python}` : scripted;
}

/** How a bundle's folder is named when the user gives none. */
export const folderName = (scenario: string, variant: string | null, seed: number): string =>
  `${plainName(scenario)}${variant === null ? "" : `-${plainName(variant)}`}-s${seed}`;
