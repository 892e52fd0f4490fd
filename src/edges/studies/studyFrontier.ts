/** What is wrong with a frontier in a study's file. */
import type { Outcome } from "../../studies/outcomes/outcome.ts";
import type { Factor } from "../../studies/study.ts";
import type { Finding } from "../scenario/finding.ts";
import { reference, wrong } from "../scenario/findingParts.ts";
import type { StudySource } from "./studySchema.ts";

/** One finding at a time where one thing rests on another. */
export function frontierFindings(
  source: StudySource,
  factors: readonly Factor[],
  outcomes: readonly Outcome[],
): readonly Finding[] {
  const { design } = source;
  if (design?.kind !== "frontier") return [];
  return [
    ...alongFindings(design.along, factors),
    ...outcomeFindings(design.outcome, outcomes, Object.keys(source.outcomes)),
    ...besides(source),
  ];
}

function alongFindings(along: string, factors: readonly Factor[]): readonly Finding[] {
  const names = factors.map(({ name }) => name);
  const unknown = reference(["design", "along"], along, names, "factor that varies");
  if (unknown.length > 0) return unknown;
  return factors.flatMap((factor): readonly Finding[] => {
    const isList = factor.kind === "list";
    if (factor.name !== along) {
      const allowed = `a list: the frontier is looked for along ${along} alone`;
      return isList ? [] : [{ path: ["factors", factor.name], found: "a range", allowed }];
    }
    if (!isList || (factor.isOrdered && factor.values.length > 1)) return [];
    const allowed = "a factor of which the values are numbers, two or more";
    return [wrong(["design", "along"], along, allowed)];
  });
}

function outcomeFindings(
  name: string,
  outcomes: readonly Outcome[],
  names: readonly string[],
): readonly Finding[] {
  const unknown = reference(["design", "outcome"], name, names, "outcome");
  if (unknown.length > 0) return unknown;
  const found = outcomes.find((one) => one.name === name);
  if (found?.kind !== "reduced") return [];
  const allowed =
    "an outcome that is 0 or 1: a spiral, a promise, or an expression such as peak > .9";
  return [wrong(["design", "outcome"], name, allowed)];
}

/** A bisection has one look at each level, on the same seeds, and compares with no baseline. */
function besides({ where, stop, baseline, replicates }: StudySource): readonly Finding[] {
  const seeds = typeof replicates === "number" ? "common" : (replicates.seeds ?? "common");
  const fields = Object.entries({ where, stop, baseline }).filter(([, one]) => one !== undefined);
  return [
    ...fields.map(([name]): Finding => {
      const allowed = `no ${name} beside a frontier`;
      return { path: [name], part: "key", found: `the key "${name}"`, allowed };
    }),
    ...(seeds === "common"
      ? []
      : [wrong(["replicates", "seeds"], seeds, "common, beside a frontier")]),
  ];
}
