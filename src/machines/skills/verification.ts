/** Whether a lesson helped: only a strict improvement counts. Source: seed 001, Path B. */

/** How the solver did without the lesson. */
export interface SolvedWithout {
  readonly passed: boolean;
  /** Of the one that passed, or of all that failed. */
  readonly attempts: number;
}

/** How it did with the lesson, in its only attempt. */
export interface SolvedWith {
  readonly passed: boolean;
}

export const isVerified = (without: SolvedWithout, { passed }: SolvedWith): boolean =>
  passed && (!without.passed || without.attempts >= 2);
