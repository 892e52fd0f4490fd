/** A worker thread that plays worlds of a check, one after another, until none is left to take. */
import "./nodeSha256.ts";
import { parentPort, workerData } from "node:worker_threads";
import type { Overrides } from "../actors/policy.ts";
import { builtIn } from "../builtIn.ts";
import type { Tried } from "../check.ts";
import { triedAt } from "../checkLines.ts";
import { propertiesOf } from "../properties/catalogue.ts";
import type { Interpreter } from "../substrate/statechart.ts";
import { checkedLists, worldsFor } from "./checkWorlds.ts";
import { joinedParts } from "./joinedParts.ts";
import { KeptAnswers } from "./keptAnswers.ts";
import { ownParts } from "./ownParts.ts";
import { lazySandbox } from "./python/sandboxPort.ts";
import { lazyShell } from "./shell/shellProcess.ts";

/** What makes the plan of a check anew in another thread. */
export interface CheckWork {
  /** The scenario near which the worlds are; random ones when null. */
  readonly near: { readonly name: string; readonly text: string } | null;
  readonly set: Overrides;
  /** Ids of the chosen properties. */
  readonly chosen: readonly string[];
  readonly first: number;
  readonly runs: number;
  readonly interpreter: Interpreter;
  readonly cache: string | null;
  /** Files of parts besides the built-in ones. */
  readonly partFiles: readonly string[] | undefined;
}

/** The first number holds the next world that nobody has taken. */
export interface CheckShare extends CheckWork {
  readonly next: Int32Array<SharedArrayBuffer>;
}

/** One world that was played, by its number. */
export type TriedWorld = readonly [number: number, tried: Tried];

const { next, near, set, interpreter, cache, partFiles, ...share } = workerData as CheckShare;
const answers = new KeptAnswers(cache);
const sandbox = lazySandbox({ answers, spare: false });
const shell = lazyShell({ answers });
const lists = await checkedLists(joinedParts(builtIn, await ownParts(partFiles)));
const chosen = propertiesOf(lists.promised).filter(({ id }) => share.chosen.includes(id));
const worlds = { ...worldsFor(lists, near, { set, chosen }, { sandbox, shell }), interpreter };
const plan = { worlds, chosen, first: share.first };

for (let at = Atomics.add(next, 0, 1); at < share.runs; at = Atomics.add(next, 0, 1)) {
  const played: TriedWorld = [at, await triedAt(plan, at)];
  parentPort?.postMessage(played);
}
await Promise.all([sandbox.close(), shell.close()]);
