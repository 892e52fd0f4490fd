/** The terms of R as people and batch lines give them: decimals, or exact shares such as `5/6`. */

import type { Fields } from "../../../../cli/batch.ts";
import { BadInput, badInput, hintFor, type Problem, quoted } from "../../../../edges/errors.ts";
import {
  ALL,
  ceiledTo,
  compareShares,
  NONE,
  type Share,
  share,
  shareOfDecimal,
} from "../../../../machines/synt/score/exactShare.ts";
import {
  BILLION,
  costRatio,
  type Measured,
  STRATEGIES,
  type Strategy,
} from "../../../../machines/synt/score/reward.ts";

/** Every name under which a term may be given; the first is the contract's (seed 002, 9). */
const NAMES = {
  det: ["det_pass_rate", "det"],
  judge: ["judge_score", "judge"],
  cost: ["cost_ratio", "cost"],
  similarity: ["similarity_penalty", "similarity", "cosine"],
  coverage: ["coverage_bonus", "coverage"],
} as const;

type TermName = keyof typeof NAMES;
const TERM_NAMES = Object.keys(NAMES) as TermName[];

/** What a term that the caller did not give is taken for: all at its best, and a judge of two minds. */
const ASSUMED: { readonly [T in TermName]: Share } = {
  det: ALL,
  judge: [1, 2],
  cost: ALL,
  similarity: NONE,
  coverage: ALL,
};

const MONEY = ["actual_cost", "estimate"];

/** Ours: far beyond any term, and far from where whole numbers end. */
const TERM_MAX = 1000;

export interface GivenTerms {
  readonly measured: Measured;
  /** The contract's names of the terms that the caller did not give. */
  readonly assumed: readonly string[];
}

/** All that a line may say of a proposal. */
export const TERM_FIELDS = ["id", "strategy", ...MONEY, ...Object.values(NAMES).flat()];

/** Thrown for a field that cannot be read; a batch line turns it into its answer. */
const termError = (path: string, problem: Omit<Problem, "where">): BadInput =>
  new BadInput({
    where: { path },
    ...problem,
    todo: "For example: npx ghostlight synt score --strategy compose --det 19/20 --judge 0.5",
  });

export function termsFrom(fields: Fields): GivenTerms {
  const strategy = strategyOf(fields["strategy"]);
  const given = TERM_NAMES.map((term) => [term, termIn(term, fields)] as const);
  const value = (term: TermName) => given.find(([one]) => one === term)?.[1] ?? ASSUMED[term];
  const cosine = value("similarity");
  if (compareShares(cosine, [-1, 1]) < 0 || compareShares(cosine, ALL) > 0) {
    const name = NAMES.similarity.find((one) => (fields[one] ?? null) !== null) ?? "similarity";
    throw termError(name, { found: quoted(fields[name]), allowed: "a cosine, -1 … 1" });
  }
  return {
    measured: {
      strategy,
      det: value("det"),
      judge: value("judge"),
      cost: value("cost"),
      // Whatever is above the threshold stays above it.
      cosine: ceiledTo(cosine, BILLION),
      coverage: value("coverage"),
    },
    assumed: given.flatMap(([term, found]) => (found === null ? [NAMES[term][0]] : [])),
  };
}

function termIn(term: TermName, fields: Fields): Share | null {
  const names = NAMES[term].filter((name) => (fields[name] ?? null) !== null);
  const [name, another] = names;
  if (another !== undefined) {
    throw termError(another, { found: `${name} as well`, allowed: "one of the two" });
  }
  if (term !== "cost" || !MONEY.some((field) => (fields[field] ?? null) !== null)) {
    return name === undefined ? null : numberOf(name, fields[name]);
  }
  if (name === undefined) return costFrom(fields);
  throw termError(name, { found: "actual_cost or estimate as well", allowed: "one of the two" });
}

/** `actual_cost` and `estimate`, in any unit of money. */
function costFrom(fields: Fields): Share {
  const [actual = 0, estimate = 0] = MONEY.map((name) => amountOf(name, fields[name]));
  return costRatio(actual, estimate);
}

function amountOf(name: string, given: unknown): number {
  const amount = decimalIn(given);
  if (amount !== null && amount >= 0 && amount <= 1e9) return Math.round(amount * 1e6);
  const other = MONEY.find((one) => one !== name);
  const isAlone = (given ?? null) === null;
  throw termError(name, {
    found: isAlone ? `nothing, although ${other} is given` : quoted(given),
    allowed: isAlone ? `${MONEY.join(" and ")} together` : "0 … 1000000000",
  });
}

/** As JSON writes a number, but for a plus and a point without a digit beside it; of bounded length, since it is exact. */
const DECIMAL = /^[+-]?(?=[\d.]{1,40}(?:e|$))(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;

function decimalIn(given: unknown): number | null {
  if (typeof given === "number") return given;
  return typeof given === "string" && DECIMAL.test(given.trim()) ? Number(given) : null;
}

/** A decimal, or a share of two whole numbers; exact either way. */
function numberOf(name: string, given: unknown): Share {
  const value = readNumber(given);
  if (value !== null) return value;
  throw termError(name, {
    found: quoted(given),
    allowed: "a number 0 … 1, or a share such as 5/6",
  });
}

function readNumber(given: unknown): Share | null {
  const text = typeof given === "string" ? given : "";
  const [, over, under] = /^(\d{1,15})\/(\d{1,15})$/.exec(text) ?? [];
  if (over !== undefined && under !== undefined) {
    return Number(under) > 0 && Number(over) <= TERM_MAX * Number(under)
      ? share(BigInt(over), BigInt(under))
      : null;
  }
  const value = decimalIn(given);
  if (value === null || Math.abs(value) > TERM_MAX) return null;
  return shareOfDecimal(text === "" ? String(value) : text.trim());
}

/** What a judge can say: 0 … 1 and nothing else. */
export function judgeOf(given: string): Share {
  const value = readNumber(given);
  if (value !== null && compareShares(value, NONE) >= 0 && compareShares(value, ALL) <= 0) {
    return value;
  }
  throw badInput(
    "--judge",
    quoted(given),
    "a number 0 … 1, or a share such as 5/6",
    "For example: npx ghostlight synt analyse --judge 0.8",
  );
}

/** Both spellings; `ask` is what a human gate says, and no strategy (ruling Y10). */
function strategyOf(given: unknown): Strategy {
  const name = typeof given === "string" ? given.toLowerCase().replace(/ize$/, "ise") : "";
  const strategy = STRATEGIES.find((one) => one === name);
  if (strategy !== undefined) return strategy;
  throw termError("strategy", {
    found: given === undefined ? "none" : quoted(given),
    allowed: STRATEGIES.join(" | "),
    ...hintFor(name, STRATEGIES),
  });
}
