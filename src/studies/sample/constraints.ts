/** Linear constraints on factors: whether they can be asked of them, and whether a setting keeps them. */
import type { Constraint, Factor, NumberFactor, Setting } from "../study.ts";

/** Why there are no points: what was found, what is allowed, what to do. */
export interface Refused {
  readonly refused: string;
}

/** `0.1 ≤ a + 2 × b`. */
export function constraintText({ weights, least, most, told }: Constraint): string {
  const sum = Object.entries(weights)
    .map(([factor, weight]) => (weight === 1 ? factor : `${weight} × ${factor}`))
    .join(" + ");
  const bounds = told ?? { least: String(least), most: String(most) };
  if (least === most) return `${sum} = ${bounds.least}`;
  return `${least === null ? "" : `${bounds.least} ≤ `}${sum}${most === null ? "" : ` ≤ ${bounds.most}`}`;
}

/** Exact where weights are whole numbers, since values are. */
export function keeps({ weights, least, most }: Constraint, setting: Setting): boolean {
  let sum = 0;
  for (const [factor, weight] of Object.entries(weights)) sum += weight * Number(setting[factor]);
  return (least === null || sum >= least) && (most === null || sum <= most);
}

/** A constraint can only be asked of factors that are numbers. */
export function constraintFault(
  constraints: readonly Constraint[],
  factors: readonly Factor[],
): Refused | null {
  for (const constraint of constraints) {
    for (const name of Object.keys(constraint.weights)) {
      const factor = factors.find((one) => one.name === name);
      if (factor === undefined) {
        const refused = `\`${constraintText(constraint)}\` names ${name}, which is no factor. Name factors only.`;
        return { refused };
      }
      if (factor.kind === "list" && factor.values.some((value) => typeof value !== "number")) {
        const refused = `\`${constraintText(constraint)}\` adds ${name}, whose values are no numbers. Leave it out.`;
        return { refused };
      }
    }
  }
  return null;
}

/** The factors of a constraint that keeps a sum and may be drawn so that it does; null where it must be met by chance. */
export function summedFactors(
  constraint: Constraint,
  factors: readonly Factor[],
): readonly NumberFactor[] | null {
  if (constraint.least === null || constraint.least !== constraint.most) return null;
  const named = Object.entries(constraint.weights).filter(([, weight]) => weight !== 0);
  const summed = factors.filter(
    (factor): factor is NumberFactor =>
      factor.kind === "number" && !factor.isLog && named.some(([name]) => name === factor.name),
  );
  const [first] = summed;
  const isEven =
    summed.length === named.length &&
    first !== undefined &&
    named.every(([, weight]) => weight === named[0]?.[1]) &&
    summed.every(({ step }) => step === first.step);
  return isEven ? summed : null;
}
