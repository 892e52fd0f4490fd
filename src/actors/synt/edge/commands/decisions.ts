/** `ghostlight synt audit --decisions`: what people decided in recorded runs, a line of JSON each. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { readingLists } from "../../../../cli/chosenParts.ts";
import { note, printEach, printJson } from "../../../../cli/output.ts";
import { hasManifest, kindOf, readBundle } from "../../../../edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../../../../edges/bundle/derive.ts";
import { badInput } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { decisionsIn } from "../../decisions.ts";

interface DecisionFlags extends JsonFlag {
  readonly request?: string;
  readonly lines?: true;
}

export async function writeDecisions(
  folders: readonly string[],
  flags: DecisionFlags,
): Promise<number> {
  if (flags.lines) {
    throw badInput(
      "--decisions",
      "--lines as well",
      "one of the two",
      "Ask for the audit's lines and for decisions one after the other.",
    );
  }
  const lists = await readingLists(flags);
  const bundles = folders.flatMap(bundlesAt);
  const lines = [...new Set(bundles)].flatMap((folder) => {
    const bundle = readBundle(lists, folder);
    if (bundle.scenario.synt === undefined) return [];
    return decisionsIn(deliveriesOf(lists.parts, bundle))
      .filter(({ request }) => flags.request === undefined || request === flags.request)
      .map((line) => ({ bundle: folder, ...line }));
  });
  if (flags.json) printJson({ bundles, decisions: lines });
  else printEach(lines.map((line) => JSON.stringify(line)));
  if (lines.length === 0) note("No person decided on a proposal with R in these runs.");
  return EXIT.ok;
}

/** A bundle itself, or the bundles of a folder by name. */
function bundlesAt(folder: string): readonly string[] {
  if (hasManifest(folder) || kindOf(folder) !== "a folder") return [folder];
  const inside = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter(hasManifest);
  // Its reader says what is wrong with a folder that holds none.
  return inside.length === 0 ? [folder] : inside;
}
