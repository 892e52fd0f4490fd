/** The worlds of a check, as a thread of a pool plays them. */

import { builtIn } from "../../builtIn/lists.ts";
import type { Overrides } from "../../contract/policy.ts";
import { askable } from "../../run/check/catalogue.ts";
import { type Tried, triedAt } from "../../run/check/check.ts";
import type { Interpreter } from "../../substrate/statechart.ts";
import { joinedParts } from "../parts/joinedParts.ts";
import { ownParts } from "../parts/ownParts.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import { checkedLists, worldsFor } from "./checkWorlds.ts";

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

/** Tries the world with a number. */
export async function tester(
  { near, set, interpreter, partFiles, first, ...work }: CheckWork,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<(at: number) => Promise<Tried>> {
  const lists = await checkedLists(joinedParts(builtIn, await ownParts(partFiles)));
  const chosen = askable(lists.promised).filter(({ id }) => work.chosen.includes(id));
  const worlds = worldsFor(lists, near, { set, chosen }, { sandbox, shell });
  return (at) => triedAt({ worlds: { ...worlds, interpreter }, chosen, first }, at);
}
