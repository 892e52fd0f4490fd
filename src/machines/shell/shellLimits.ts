/** What one shell command may cost. Whatever it asks for, it ends, and says which bound it met. */

/** Ours: far above what agents type, and low enough that the worst case takes a moment. */
export const shellLimits = {
  /** Characters of the whole command, here-documents included. */
  commandChars: 65_536,
  /** Simple commands that are run, those of substitutions included. */
  commands: 200,
  /** Commands of one pipeline. */
  pipelineLength: 16,
  /** Words of one command after expansion. */
  words: 5_000,
  /** Characters of stdout, of stderr, and of what one command sends into a pipe or file. */
  outputChars: 262_144,
  /** Files made, written or removed. */
  filesChanged: 200,
  /** Substitutions within substitutions. */
  depth: 8,
  /** Characters and files looked at, all together. */
  steps: 10_000_000,
} as const;

export type ShellLimit = keyof typeof shellLimits;

/** What a command that meets a bound ends with: no real command uses it for anything else. */
export const LIMIT_EXIT = 125;

/** Unwinds to runShell, which turns it into an exit code and a sentence. */
export class ShellLimitReached extends Error {
  readonly limit: ShellLimit;

  constructor(limit: ShellLimit) {
    super(`${limit} limit of ${shellLimits[limit]} reached`);
    this.limit = limit;
  }
}

/** Ends the run where `amount` is beyond the bound. */
export function within(limit: ShellLimit, amount: number): void {
  if (amount > shellLimits[limit]) throw new ShellLimitReached(limit);
}

/** Counts towards one bound. */
export interface Meter {
  spend(amount: number): void;
}

export function meterOf(limit: ShellLimit): Meter {
  let spent = 0;
  return {
    spend(amount) {
      spent += amount;
      within(limit, spent);
    },
  };
}
