/** Of what the numbers of a study are: units of the leaves that it sets, and of its outcomes. */
import { metricNames, metricTable } from "../../contract/metricTable.ts";
import { policyLeaves } from "../../contract/policyTree.ts";
import type { Outcome, ReducedOutcome } from "../../studies/outcomes/outcome.ts";
import type { StudyUnits } from "../../studies/study.ts";
import type { ReadingLists } from "../parts/partLists.ts";

/** Paths of the leaves that outcomes compare with. */
export const comparedPaths = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap((one) =>
    one.kind === "reduced" && one.above !== null && typeof one.above === "object"
      ? [one.above.path]
      : [],
  );

export function leafUnits(
  { parts }: ReadingLists,
  paths: readonly string[],
  outcomes: readonly Outcome[],
): StudyUnits["leaves"] {
  const leaves = new Map(policyLeaves(parts));
  const all = [...new Set([...paths, ...comparedPaths(outcomes)])];
  return Object.fromEntries(
    all.flatMap((path) => {
      const leaf = leaves.get(path);
      return leaf?.kind === "integer" ? [[path, leaf.unit]] : [];
    }),
  );
}

export const outcomeUnits = (
  lists: ReadingLists,
  outcomes: readonly Outcome[],
): StudyUnits["outcomes"] =>
  Object.fromEntries(
    outcomes.flatMap((one) => {
      const unit = unitOf(lists, one);
      return unit === undefined ? [] : [[one.name, unit]];
    }),
  );

/** What is 0 or 1 in a run is a share of the runs; what an expression is nobody knows. */
function unitOf(lists: ReadingLists, outcome: Outcome): string | undefined {
  if (outcome.kind === "expression") return undefined;
  return outcome.kind === "reduced" ? reducedUnit(lists, outcome) : "share";
}

function reducedUnit({ parts }: ReadingLists, { metric, reduce }: ReducedOutcome) {
  if (reduce === "timeAbove" || reduce === "timeToRecover") return "ms";
  if (reduce === "count") return "times";
  const name = metricNames(parts).find((one) => one === metric);
  if (name === undefined) return undefined;
  const { unit } = metricTable(parts)[name];
  return reduce === "area" ? `${unit} × ms` : unit;
}
