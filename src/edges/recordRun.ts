/** Runs a scenario and leaves a bundle: the verb `run` without its command line. */
import { basename } from "node:path";
import { FORMAT_VERSION, RULES_VERSION } from "../bundle.ts";
import { type Observed, startObserved } from "../compare.ts";
import { type Policy, type PolicyValue, policyLeaves } from "../machines/policy.ts";

import type { Scenario } from "../scenario.ts";
import { prepare } from "../simulate.ts";
import { sha256Hex } from "../substrate/digest.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Input, Provider } from "../substrate/port.ts";
import { bundleWriter, FILES } from "./bundleWriter.ts";
import { playRun } from "./playRun.ts";
import { PRODUCT } from "./product.ts";
import type { SandboxKind } from "./python/sandbox.ts";
import { type LazySandbox, lazySandbox } from "./python/sandboxPort.ts";
import { worldPorts } from "./worldPorts.ts";

export interface RecordOptions {
  readonly scenario: Scenario;
  /** The scenario's file, whole. */
  readonly text: string;
  readonly variant: string | null;
  readonly seed: number;
  readonly set: { readonly [path: string]: PolicyValue };
  readonly untilMs: number | null;
  /** An empty folder; see claimFolder. */
  readonly folder: string;
  readonly withLog: boolean;
  /** Between two slices: virtual time so far. True ends the run as interrupted. */
  readonly onSlice?: (nowMs: number) => boolean;
  /** Where code that agents wrote is run; pyodide when absent. */
  readonly sandbox?: SandboxKind;
  /** Answers at once in place of a sandbox. */
  readonly standIns?: { readonly [port: string]: Provider };
  /** The texts that people read, once the run is over. */
  readonly texts?: (recorded: Recorded) => Promise<{ readonly [file: string]: string }>;
}

export interface Recorded {
  readonly observed: Observed;
  readonly deliveries: readonly Delivery[];
  readonly inputs: readonly Input[];
}

/** Deliveries between two looks at the world outside: some tens of milliseconds of work. */
const SLICE = 1_000;

export async function recordRun(options: RecordOptions): Promise<Recorded> {
  const sandbox = lazySandbox(options.sandbox ?? "pyodide");
  try {
    return await recordIn(sandbox, options);
  } finally {
    await sandbox.close();
  }
}

async function recordIn(sandbox: LazySandbox, options: RecordOptions): Promise<Recorded> {
  const { scenario, variant, seed, set, untilMs } = options;
  const simulation = { variant, seed, set, ...(untilMs !== null && { untilMs }) };
  const { policy } = prepare(scenario, simulation);
  const world = worldPorts({ sandbox, policy, seed, startsAt: scenario.startsAt });
  const writer = bundleWriter(options.folder, openingOf(options, policy), options.withLog);
  const deliveries: Delivery[] = [];
  const inputs: Input[] = [];
  const checkpoints: [number, string][] = [];
  const { run, finish } = startObserved(scenario, {
    ...simulation,
    ports: { ...world.ports, ...options.standIns },
    onInput: (input) => {
      inputs.push(input);
      writer.input(input);
    },
    onDelivery: (delivery) => {
      deliveries.push(delivery);
      writer.delivery(delivery);
    },
    onCheckpoint: (seq, digest) => checkpoints.push([seq, digest]),
  });
  const result = await playRun(run, {
    slice: SLICE,
    inbox: world.inbox,
    onSlice: () => {
      writer.flush();
      return options.onSlice?.(run.kernel.nowMs) ?? false;
    },
  });
  const recorded = { observed: finish(result), deliveries, inputs };
  const { outcome, error, digest, envelopes, virtualMs } = result;
  const texts = (await options.texts?.(recorded)) ?? {};
  writer.finish(
    { outcome, error: error?.message ?? null, digest, envelopes, virtualMs, checkpoints },
    { [FILES.metrics]: recorded.observed.meter.csv(), ...texts },
  );
  return recorded;
}

function openingOf(options: RecordOptions, policy: Policy) {
  const { scenario, text, variant, seed, set, untilMs } = options;
  const python = options.standIns === undefined ? (options.sandbox ?? "pyodide") : "a stand-in";
  const { kernelOptions } = prepare(scenario, { variant, seed, set });
  const providers = Object.keys(kernelOptions.ports).map((port) => [
    port,
    port === "port/sandbox.run" ? `scripted; code that agents wrote: ${python}` : "scripted",
  ]);
  return {
    format: FORMAT_VERSION,
    product: PRODUCT,
    rulesVersion: RULES_VERSION,
    scenario: { name: scenario.name, text, sha256: sha256Hex(text) },
    variant,
    seed,
    policy: flat(policy),
    untilMs,
    origin: "scripted" as const,
    providers: Object.fromEntries(providers),
    startsAt: scenario.startsAt,
  };
}

/** Every leaf's value by path. */
function flat(policy: object): { [path: string]: PolicyValue } {
  const values = policyLeaves().map(([path]) => [
    path,
    path.split(".").reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], policy),
  ]);
  return Object.fromEntries(values);
}

/** How a bundle's folder is named when the user gives none. */
export const folderName = (scenario: string, variant: string | null, seed: number): string =>
  `${basename(scenario)}${variant === null ? "" : `-${variant}`}-s${seed}`;
