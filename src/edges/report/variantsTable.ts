/** What would have been different: a scenario beside its variants. */

import { markdownTable } from "markdown-table";
import { figuresOf } from "../../run/compare.ts";
import { leftRecording } from "../../run/leftRecording.ts";
import { ITSELF } from "../../studies/study.ts";
import type { ViewVariants } from "../../viewer/viewData.ts";
import type { PartLists } from "../parts/partLists.ts";
import type { ReportInput } from "./reportInput.ts";
import { toldParts } from "./toldParts.ts";

/** How a table calls a run of the scenario without a variant. */
export const AS_IT_WAS = "(as it was)";

interface Compared extends Pick<ReportInput, "scenario" | "observed"> {
  readonly counterfactuals: readonly Pick<
    ReportInput["counterfactuals"][number],
    "variant" | "figures" | "verdicts" | "isUnknown"
  >[];
}

/** The scenario and its variants side by side, in the figures that any of them has; undefined where none was played. */
export function variantsOf(lists: PartLists, input: Compared): ViewVariants | undefined {
  const { scenario, observed, counterfactuals } = input;
  if (counterfactuals.length === 0) return undefined;
  const isUnknown = leftRecording(lists.parts, observed.meter) !== null;
  const itself = { ...observed, figures: figuresOf(observed), isUnknown };
  const worlds = [itself, ...counterfactuals];
  const all = worlds.map(({ figures }) => figures);
  const told = toldParts(lists, input).map(({ report }) => report.variants);
  const shares = told.map(({ columns }) => columns(all));
  const met = (verdicts: Compared["counterfactuals"][number]["verdicts"]): string =>
    `${verdicts.filter(({ ok }) => ok).length} of ${verdicts.length}`;
  const rows = worlds.map(({ variant, figures, verdicts, isUnknown }) => ({
    cells: [
      variant ?? (observed.variant === null ? AS_IT_WAS : ITSELF),
      ...shares.flatMap(({ cells }) => cells(figures)),
      verdicts.length === 0
        ? "none asked"
        : isUnknown
          ? `unknown (as played, ${met(verdicts)})`
          : met(verdicts),
      variant === null ? "" : (scenario.variants[variant]?.why ?? ""),
    ],
    wrong: shares.flatMap(({ wrong }) => wrong?.(figures) ?? [])[0] ?? null,
  }));
  const head = [
    "Variant",
    ...shares.flatMap((share) => share.head),
    "Expectations that came true",
    "What it sets out to show",
  ];
  return { title: told[0]?.title ?? "", head, rows };
}

export function variantsTable(lists: PartLists, input: Compared): string {
  const found = variantsOf(lists, input);
  if (found === undefined) return "";
  const { title, head, rows } = found;
  return `## ${title}\n\n${markdownTable([[...head], ...rows.map(({ cells }) => [...cells])])}`;
}
