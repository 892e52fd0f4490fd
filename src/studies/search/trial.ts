/** Trials of a search, with the states that Optuna gives them. A point that breaks a constraint is told and never scored. */
import { assert } from "../../substrate/assert.ts";
import type { Goal } from "./pareto.ts";

type TrialState = "WAITING" | "RUNNING" | "COMPLETE" | "PRUNED" | "FAIL";

/** What a point broke, and what is known of how often it does. */
export interface Infeasible {
  readonly broken: readonly string[];
  /** In so many of its replicates. */
  readonly violated: number;
  readonly replicates: number;
}

export interface Trial<Point> {
  readonly number: number;
  readonly state: TrialState;
  readonly point: Point;
  /** Whether it was asked for by the study rather than by the search. */
  readonly isEnqueued: boolean;
  /** Null unless it is complete and feasible. */
  readonly value: number | null;
  readonly infeasible: Infeasible | null;
  /** Why it failed or was pruned. */
  readonly reason: string | null;
}

/** The number of the first of the best that have a value; null where none has. */
export function bestOf(trials: readonly Trial<unknown>[], goal: Goal): number | null {
  const sign = goal === "maximise" ? 1 : -1;
  const best = trials.reduce<Trial<unknown> | null>((first, one) => {
    if (one.value === null) return first;
    return first?.value == null || one.value * sign > first.value * sign ? one : first;
  }, null);
  return best?.number ?? null;
}

export class Trials<Point> {
  readonly #trials: Trial<Point>[] = [];

  /** In the order of their numbers. */
  get all(): readonly Trial<Point>[] {
    return this.#trials;
  }

  /** Known points go before whatever the search asks for. */
  enqueue(point: Point): number {
    return this.#add(point, "WAITING");
  }

  /** The next that waits, running from now on; else what the search proposes. */
  start(propose: () => Point): Trial<Point> {
    const waiting = this.#trials.findIndex(({ state }) => state === "WAITING");
    return waiting < 0
      ? this.#at(this.#add(propose(), "RUNNING"))
      : this.#change(waiting, "WAITING", { state: "RUNNING" });
  }

  complete(number: number, value: number): Trial<Point> {
    assert(Number.isFinite(value), "a complete trial has a finite value");
    return this.#change(number, "RUNNING", { state: "COMPLETE", value });
  }

  /** Complete, as its runs ended, and without a value. */
  completeInfeasible(number: number, infeasible: Infeasible): Trial<Point> {
    return this.#change(number, "RUNNING", { state: "COMPLETE", infeasible });
  }

  prune(number: number, reason: string): Trial<Point> {
    return this.#change(number, "RUNNING", { state: "PRUNED", reason });
  }

  fail(number: number, reason: string): Trial<Point> {
    return this.#change(number, "RUNNING", { state: "FAIL", reason });
  }

  #add(point: Point, state: TrialState): number {
    const number = this.#trials.length;
    const isEnqueued = state === "WAITING";
    const open = { value: null, infeasible: null, reason: null };
    this.#trials.push({ number, state, point, isEnqueued, ...open });
    return number;
  }

  #at(number: number): Trial<Point> {
    const trial = this.#trials[number];
    assert(trial !== undefined, "a trial has a number that was given");
    return trial;
  }

  #change(number: number, from: TrialState, change: Partial<Trial<Point>>): Trial<Point> {
    const trial = this.#at(number);
    assert(trial.state === from, `trial ${number} is ${trial.state}, not ${from}`);
    const changed = { ...trial, ...change };
    this.#trials[number] = changed;
    return changed;
  }
}
