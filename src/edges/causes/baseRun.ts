/** The run that a search for causes starts from, played once more with everything that is in reach noted. */

import { policyValues } from "../../contract/policyTree.ts";
import { livePorts, type Manifest } from "../../run/bundle.ts";
import type { SearchedRun } from "../../run/causes/asked.ts";
import { startObserved } from "../../run/compare.ts";
import { type ChosenWorld, prepare, type SimulateOptions } from "../../run/simulate.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Input } from "../../substrate/port.ts";
import { otherRun } from "../bundle/bundleFaults.ts";
import { type ReadBundle, readBundle } from "../bundle/bundleReader.ts";
import { refuseImported } from "../bundle/importedBundle.ts";
import { commandSaid } from "../command.ts";
import { badInput } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";
import { playRun } from "../play/playRun.ts";
import { worldPorts } from "../play/worldPorts.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import type { LazyShell } from "../shell/shellProcess.ts";

/** Which run it is. */
export interface Base extends ChosenWorld {
  readonly text: string;
  /** Its digest where it was recorded, and the folder. */
  readonly recorded: { readonly folder: string; readonly digest: string | undefined } | null;
}

/** Throws BadInput for a bundle that was never played. */
export const refuseLog = (bundle: Pick<ReadBundle, "folder" | "manifest">): void =>
  refuseImported(bundle, "look for causes by intervention; `why` shows the suspects");

/** The run of a bundle. Throws BadInput for one that no script can play again with other seeds. */
export function baseOfBundle(lists: PartLists, folder: string): Base {
  const bundle = readBundle(lists, folder);
  refuseLog(bundle);
  refuseMixed(bundle);
  const { manifest, scenario } = bundle;
  const { variant, seed, policy: set, untilMs, final } = manifest;
  const recorded = { folder, digest: final?.digest };
  return { scenario, text: manifest.scenario.text, variant, seed, set, untilMs, recorded };
}

/**
 * Why a run is none that scripts alone play again from the start, in words; undefined where it is one. A script never stands in
 * for a live model, and a fork is another world from its turn on.
 */
export function mixed(manifest: Manifest): string | undefined {
  const isLive = livePorts(manifest).size > 0 || manifest.origin !== "scripted";
  const isPerson = Object.values(manifest.providers).some((by) => by.startsWith("a person"));
  return isLive
    ? "a run in which somebody live answered"
    : isPerson || manifest.providers["port/llm.chat"]?.startsWith("a recording")
      ? "a run that goes on from a recording"
      : manifest.forks !== undefined
        ? "a run that was forked"
        : manifest.final?.outcome !== "ended"
          ? "a run that did not come to its end"
          : undefined;
}

function refuseMixed({ folder, manifest }: ReadBundle): void {
  const found = mixed(manifest);
  if (found === undefined) return;
  throw badInput(
    { file: folder },
    found,
    "the bundle of a scripted run that ended, or a scenario",
    `Ask of its scenario instead, or see ${commandSaid`why ${folder}`} for the suspects.`,
  );
}

/** Sandbox and shell are the caller's. Throws Divergence where it does not go as it was recorded. */
export async function playBase(
  lists: PartLists,
  { scenario, variant, seed, set, untilMs, recorded }: Base,
  host: { readonly sandbox: LazySandbox; readonly shell: LazyShell },
): Promise<SearchedRun> {
  const deliveries: Delivery[] = [];
  const inputs: Input[] = [];
  const readMs = new Map<string, number>();
  let nowMs = (): number => 0;
  const options: SimulateOptions = { variant, seed, set, untilMs };
  const { policy } = prepare(lists.parts, scenario, options);
  const { startsAt } = scenario;
  const world = worldPorts(lists, { ...host, policy, seed, startsAt });
  try {
    const { run, finish } = startObserved(lists.parts, scenario, {
      ...options,
      ports: world.ports,
      onDelivery: (one) => deliveries.push(one),
      onInput: (one) => inputs.push(one),
      onLeafRead: (path) => {
        if (!readMs.has(path)) readMs.set(path, nowMs());
      },
    });
    nowMs = () => run.kernel.nowMs;
    const result = await playRun(run, { slice: 1_000, inbox: world.inbox });
    if (recorded?.digest !== undefined && recorded.digest !== result.digest) {
      throw otherRun(recorded.folder, "another run than was recorded");
    }
    return {
      ...{ observed: finish(result), deliveries, inputs, readMs },
      policy: policyValues(lists.parts, policy),
    };
  } finally {
    world.close();
  }
}
