/** What a person reads first, from a run that is over. */

import type { Scenario } from "../../contract/scenario.ts";
import { explainer as explainerOf } from "../../run/why.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import type { PartLists } from "../parts/partLists.ts";
import type { Recorded } from "../play/recordRun.ts";
import type { Played } from "../pool/playWork.ts";
import { reportText } from "./report.ts";
import type { ReportInput } from "./reportInput.ts";
import { explanationsOf, toldParts } from "./toldParts.ts";
import { variantsText } from "./variantsFile.ts";
import { variantsOf } from "./variantsTable.ts";

export function reportInput(
  lists: PartLists,
  from: {
    scenario: Scenario;
    /** Its own name when absent. */
    called?: string;
    seed: number;
    done: Recorded;
    /** None when absent. */
    counterfactuals?: readonly Played[];
    folder: string | null;
    /** What goes before everything else. */
    lead?: string;
  },
): ReportInput {
  const { parts, edgeParts } = lists;
  const { called = from.scenario.name, counterfactuals = [], done, folder, ...given } = from;
  const { observed, deliveries, inputs } = done;
  const explainer = explainerOf(parts, deliveries, inputs);
  const explanations = explanationsOf(edgeParts, observed, explainer);
  return { ...given, called, counterfactuals, ...done, explanations, bundle: folder };
}

export async function textsOf(
  lists: PartLists,
  input: ReportInput,
): Promise<{ [file: string]: string }> {
  const told = toldParts(lists, input);
  // Loaded only now: the plotting library takes longer to load than a short run takes.
  const [{ reportPage }, { drawPicture }] = await Promise.all([
    import("./reportPage.ts"),
    import("./picture.ts"),
  ]);
  const { scenario, observed } = input;
  const head = {
    title: observed.variant === null ? scenario.name : `${scenario.name}: ${observed.variant}`,
    startsAt: scenario.startsAt,
    endMs: observed.result.virtualMs,
  };
  const drawn = told.map(({ report }) => drawPicture(report.picture(input), head));
  const markdown = reportText(lists, input);
  // Parts have little in common but time: a picture each.
  const pictures = told.map(({ name }, index) => [
    index === 0 ? "picture.svg" : `picture-${name}.svg`,
    drawn[index] ?? "",
  ]);
  const page = reportPage({ title: input.scenario.name, markdown, svg: drawn[0] ?? "" });
  const variants = variantsOf(lists, input);
  return {
    ...{ [FILES.report]: markdown, [FILES.page]: page },
    ...(variants && { [FILES.variants]: variantsText(variants, observed.result.digest) }),
    ...Object.fromEntries(pictures),
  };
}
