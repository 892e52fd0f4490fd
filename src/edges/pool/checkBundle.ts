/** Leaves the world that breaks a promise as a bundle, so that `why` and `replay` can tell of it. */

import type { Property } from "../../contract/property.ts";
import type { Shrunk, Worlds } from "../../run/check/check.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import { commandSaid } from "../command.ts";
import { clock } from "../duration.ts";
import type { PartLists } from "../parts/partLists.ts";
import { recordRun } from "../play/recordRun.ts";
import { parseScenario, sourceText } from "../scenario/scenarioFile.ts";

export interface CheckBundle {
  readonly folder: string;
  readonly property: Property;
  readonly worlds: Worlds;
  readonly found: Shrunk;
  /** The one command that finds it again. */
  readonly command: string;
}

/** `folder` exists and is empty. The world is recorded as it was checked, with the same Python. */
export async function writeCheckBundle(lists: PartLists, bundle: CheckBundle) {
  const { folder, property, worlds, found } = bundle;
  const text = sourceText(found.world);
  const scenario = parseScenario(lists, text, `check-${property.id}.yaml`);
  const { observed } = await recordRun(lists, {
    ...{ scenario, text, folder },
    standIns: worlds.python === "stand-in" ? worlds.stage(scenario).ports : undefined,
    ...{ variant: null, seed: scenario.seed, set: {}, untilMs: null, withLog: true },
    texts: async () => ({ [FILES.report]: reportOf(bundle) }),
  });
  return observed.result;
}

function reportOf({ folder, property, found, command }: CheckBundle): string {
  const { seq, atMs, says } = found.violation;
  return `# ${property.id}

The promise: ${property.says} (${property.source})

Broken at ${clock(atMs)}${seq === null ? "" : `, delivery #${seq}`}: ${says}

This is the smallest world found that breaks it. To find it again: \`${command}\`.
${seq === null ? "" : `What led to it: ${commandSaid`why ${folder} ${seq}`}.\n`}`;
}
