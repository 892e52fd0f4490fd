/** The outcomes of one run: a number each, or none and the reason. */
import { type RunFacts, type RunOf, type Steps, type Study, worldName } from "../study.ts";
import { type Evaluated, evaluated, isSettled, namesOf } from "./expression.ts";
import type { ExpressionOutcome, Outcome, Span, Threshold } from "./outcome.ts";
import { type Reduced, reduced } from "./reduce.ts";
import { spirals } from "./spiral.ts";

export interface RunOutcomes {
  /** By name, in the order of the study; null where the run gives none. */
  readonly values: { readonly [outcome: string]: number | null };
  /** Why there are none, in words. */
  readonly faults: readonly string[];
  /** Those of which only the least is known, as the run ended too early. */
  readonly censored: readonly string[];
}

/** How the reason begins where an agent left its recording. */
export const UNKNOWN = "Unknown";

/** How a run of the study was made. */
type Made = Pick<RunOf, "scenario" | "variant" | "set">;

type Result = Reduced | { readonly fault: string } | null;

/** A run that did not end has no outcomes: what it was up to then says nothing of what was asked. Nor has one whose outcome is unknown. */
export function outcomesOf(study: Study, facts: RunFacts, made: Made): RunOutcomes {
  if (facts.outcome !== "ended" || facts.unknown !== undefined) {
    const fault =
      facts.unknown === undefined
        ? `The run did not end: it stopped as ${facts.outcome} at ${facts.virtualMs} ms.`
        : `${UNKNOWN}: ${facts.unknown}.`;
    const values = Object.fromEntries(study.outcomes.map(({ name }) => [name, null]));
    return { values, faults: [fault], censored: [] };
  }
  const known = new Map<string, Result>();
  const of = (outcome: Outcome): Result => {
    let result = known.get(outcome.name);
    if (result === undefined) {
      result =
        outcome.kind === "expression"
          ? expressed(
              outcome,
              (name) => of(namedIn(study, name)),
              // Of an expression over a bound nobody knows to which side it errs.
              (name) => namedIn(study, name).kind === "reduced",
            )
          : measured(outcome, study, facts, made);
      known.set(outcome.name, result);
    }
    return result;
  };
  const all = study.outcomes.map((outcome) => [outcome.name, of(outcome)] as const);
  return {
    values: Object.fromEntries(
      all.map(([name, result]) => [name, result && "value" in result ? result.value : null]),
    ),
    faults: all.flatMap(([name, result]) =>
      result && "fault" in result ? [`${name}: ${result.fault}`] : [],
    ),
    censored: all.flatMap(([name, result]) => (result && "isCensored" in result ? [name] : [])),
  };
}

function namedIn(study: Study, name: string): Outcome {
  const found = study.outcomes.find((one) => one.name === name);
  if (found === undefined) throw new Error(`the study has no outcome ${name}`);
  return found;
}

function measured(
  outcome: Exclude<Outcome, ExpressionOutcome>,
  study: Study,
  facts: RunFacts,
  made: Made,
): Result {
  if (outcome.kind === "read") return { fault: "no world says it" };
  if (outcome.kind === "promise") {
    const said = facts.promises[outcome.property];
    if (said === undefined) return { fault: `${outcome.property} was not watched` };
    return { value: said === null ? 1 : 0 };
  }
  const span = { fromMs: outcome.fromMs, untilMs: outcome.untilMs ?? facts.virtualMs };
  const missing = missingIn(span, facts);
  if (missing !== undefined) return { fault: missing };
  if (outcome.kind === "reduced") {
    const steps = stepsOf(facts, outcome.metric, outcome.actor);
    if (typeof steps === "string") return { fault: steps };
    const above = outcome.above === null ? null : thresholdIn(study, outcome.above, made);
    return reduced(steps, { ...outcome, ...span, above });
  }
  const rises = stepsOf(facts, outcome.rises, outcome.actor);
  const falls = stepsOf(facts, outcome.falls, outcome.actor);
  if (typeof rises === "string") return { fault: rises };
  if (typeof falls === "string") return { fault: falls };
  return { value: spirals(rises, falls, { ...outcome, ...span }) ? 1 : 0 };
}

const missingIn = ({ fromMs, untilMs }: Span & { untilMs: number }, { virtualMs }: RunFacts) =>
  fromMs < untilMs && untilMs <= virtualMs
    ? undefined
    : `nothing from ${fromMs} to ${untilMs} ms: the run ended at ${virtualMs} ms`;

/** What a metric was over time, or why that is not known. */
function stepsOf({ series, tooLong, finals }: RunFacts, metric: string, actor: string) {
  const name = seriesName(metric, actor);
  const length = tooLong[name];
  if (length !== undefined) return `${name} changed ${length} times, more than a study keeps`;
  // One that never changed was what it is at the end.
  const constant: Steps = [[0, finals[metric]?.[actor] ?? 0]];
  return series[name] ?? constant;
}

/** The name under which a series is kept. */
export const seriesName = (metric: string, actor: string): string =>
  actor === WORLD ? metric : `${metric}|${actor}`;

/** The whole world, as an actor of a study. */
export const WORLD = "world";

function thresholdIn({ leaves, set: stays }: Study, above: Threshold, made: Made) {
  if (typeof above === "number") return above;
  const { path, per } = above;
  const value = made.set[path] ?? stays[path] ?? leaves[path]?.[worldName(made)];
  return Number(value) / per;
}

/** An expression over what came to nothing comes to nothing; the reason was said there. */
function expressed(
  { expression }: ExpressionOutcome,
  of: (name: string) => Result,
  isLeast: (name: string) => boolean,
): Result {
  const used = namesOf(expression).map((name) => [name, of(name)] as const);
  const values = new Map<string, number>();
  for (const [name, result] of used) {
    if (result === null || !("value" in result)) return null;
    values.set(name, result.value);
  }
  const result: Evaluated = evaluated(expression, values);
  const bounds = used.flatMap(([name, one]) => (one !== null && "isCensored" in one ? [name] : []));
  const isCensored = bounds.length > 0 && !isSettled(expression, values, { bounds, isLeast });
  return "value" in result && isCensored ? { ...result, isCensored } : result;
}
