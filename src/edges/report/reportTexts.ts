/** What a person reads first, from a run that is over. */

import type { EdgePart } from "../../contract/edge/edgePart.ts";
import { ink, type Picture } from "../../contract/picture.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { explainer as explainerOf } from "../../run/why.ts";
import { ITSELF } from "../../studies/study.ts";
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
  const told = { explanations, causeOf: explainer.cause };
  return { ...given, called, counterfactuals, ...done, ...told, bundle: folder };
}

/** Of lines that a person tells apart. */
const COLOURS = ["good", "orange", "green", "pink", "band", "water", "bad", "darkGrey"] as const;

/** Its picture, and below it this run beside its variants, as far as they were played and the part says what is drawn. */
function besideVariants({ report }: EdgePart, input: ReportInput): Picture {
  const picture = report.picture(input);
  const { series } = report.variants;
  const all = input.counterfactuals.filter((one) => one.series !== undefined);
  if (series === undefined || all.length === 0) return picture;
  const lines = COLOURS.flatMap((colour, at) => {
    const { variant, series: steps = [] } = all[at] ?? {};
    const label = `${variant ?? ITSELF} ${steps.at(-1)?.value}`;
    return variant === undefined ? [] : [{ label, steps, colour: ink[colour] }];
  });
  const more = all.length > lines.length ? `, ${all.length - lines.length} variants not drawn` : "";
  const own = { label: `wide: this run${more}`, steps: input.observed.meter.series(series.metric) };
  const lane = { is: "steps", name: series.name, bound: null, format: String } as const;
  return { ...picture, lanes: [...picture.lanes, { ...lane, lines: [own, ...lines] }] };
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
  const { scenario, observed, causeOf } = input;
  const head = {
    title: observed.variant === null ? scenario.name : `${scenario.name}: ${observed.variant}`,
    startsAt: scenario.startsAt,
    endMs: observed.result.virtualMs,
  };
  const drawn = told.map((part) => drawPicture(besideVariants(part, input), head, { causeOf }));
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
