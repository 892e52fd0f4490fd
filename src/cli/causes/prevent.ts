/** `ghostlight prevent`: the least changes after which an outcome is gone. */

import { certainMs, reachOf } from "../../edges/causes/baseRun.ts";
import { EXIT } from "../../edges/exit.ts";
import { singleChanges } from "../../run/causes/candidates.ts";
import { changesOf } from "../../run/causes/changes.ts";
import { prevent, preventBy } from "../../run/causes/prevent.ts";
import { Interrupted } from "../../run/causes/trial.ts";
import { variantOption } from "../options.ts";
import { note, print, printJson } from "../output.ts";
import { preventJson, preventText } from "./preventText.ts";
import { type SearchFlags, type Searching, searching } from "./searching.ts";

export interface PreventFlags extends SearchFlags {
  readonly try?: readonly string[];
  readonly most?: number;
}

/** Ours: seeds that tell a share from none to within 17 %, and answers of which a person reads a table. */
const RUNS = 20;
const MOST = 8;

export async function preventCommand(
  named: string,
  outcome: string | undefined,
  flags: PreventFlags,
): Promise<number> {
  let found: readonly string[] = [];
  try {
    const told = await searching(named, outcome, flags, async (search) => {
      const { effect, base } = search;
      const options = {
        ...optionsOf(search, flags),
        onFound: (says: readonly string[]) => (found = says),
      };
      const asked = flags.try !== undefined;
      const result = await (asked ? preventBy(options) : prevent(options));
      return {
        named,
        isBundle: base.recorded !== null,
        scenario: base.scenario.name,
        effect,
        result,
        asked,
      };
    });
    if (flags.json) printJson(preventJson(told));
    else print(preventText(told));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (flags.json) printJson({ named, interrupted: true, foundUnverified: found });
    else if (found.length > 0)
      print(`In the search, and not verified, it was gone:\n${list(found)}`);
    note("interrupted before an answer was verified.");
    return EXIT.interrupted;
  }
}

const list = (all: readonly string[]): string => all.map((one) => `  ${one}`).join("\n");

function optionsOf(search: Searching, flags: PreventFlags) {
  const { lists, base, run, effect, play, onStep } = search;
  const { scenario } = base;
  const names = flags.try?.map((name) => variantOption(scenario, name));
  const variants = Object.entries(scenario.variants)
    .filter(([name]) => name !== base.variant && (names === undefined || names.includes(name)))
    .map(([variant, one]) => ({ variant, changes: changesOf(one, run.policy) }))
    .filter(({ changes }) => changes.length > 0);
  const reach = reachOf(lists, base, run, certainMs(effect, run));
  return {
    ...{ parts: lists.parts, seed: base.seed, play, onStep, variants },
    singles: singleChanges(flags.policy ? reach : { ...reach, leaves: [] }),
    runs: flags.runs ?? RUNS,
    most: flags.most ?? MOST,
  };
}
