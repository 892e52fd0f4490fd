/** What would have been different: a scenario beside its variants. */
import { markdownTable } from "markdown-table";
import type { Figures } from "../actors/figures.ts";
import { syntColumns } from "../actors/synt/edge/report.ts";
import { figuresOf } from "../compare.ts";
import type { ReportInput } from "./report.ts";

/** The scenario and its variants side by side, in the figures that some of them has. */
export function variantsTable({
  scenario,
  observed,
  counterfactuals,
}: Pick<ReportInput, "scenario" | "observed" | "counterfactuals">): string {
  if (counterfactuals.length === 0) return "";
  const itself = { ...observed, figures: figuresOf(observed) };
  const worlds = [itself, ...counterfactuals];
  const all = worlds.map(({ figures }) => figures);
  const isSynt = all.some(({ synt }) => synt !== undefined);
  const parts = [
    ...(scenario.agents.length > 0 || !isSynt ? [goalColumns(all)] : []),
    ...(isSynt ? [syntColumns(all)] : []),
  ];
  const rows = worlds.map(({ variant, figures, verdicts }) => [
    variant ?? "(as it was)",
    ...parts.flatMap(({ cells }) => cells(figures)),
    verdicts.length === 0
      ? "none asked"
      : `${verdicts.filter(({ ok }) => ok).length} of ${verdicts.length}`,
    variant === null ? "" : (scenario.variants[variant]?.why ?? ""),
  ]);
  const head = [
    "Variant",
    ...parts.flatMap((part) => part.head),
    "Expectations met",
    "What it sets out to show",
  ];
  // Nothing was prevented in a world whose subject is how a pool grows.
  const title =
    scenario.agents.length === 0 && isSynt
      ? "What else could have happened"
      : "What would have prevented it, and what not";
  return `## ${title}\n\n${markdownTable([head, ...rows])}`;
}

/** Goals and ghosts; the ghost's column only where a world had one. */
function goalColumns(worlds: readonly Figures[]): ReturnType<typeof syntColumns> {
  const isHaunted = worlds.some(({ minutesUntilFree }) => minutesUntilFree !== null);
  return {
    head: ["Goals failed", ...(isHaunted ? ["Minutes until free"] : []), "Calls lost"],
    cells: ({ goalsFailed, goalsCompleted, callsLost, minutesUntilFree }) => [
      `${goalsFailed} of ${goalsFailed + goalsCompleted}`,
      ...(isHaunted ? [minutesUntilFree === null ? "no ghost" : minutesUntilFree.toFixed(1)] : []),
      String(callsLost),
    ],
  };
}
