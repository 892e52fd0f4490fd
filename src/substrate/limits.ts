/** Bounds on everything a run can consume. Reaching one ends the run with its name, never a hang. */
export interface Limits {
  readonly envelopes: number;
  readonly queueLength: number;
  readonly lettersPerDelivery: number;
  readonly deliveriesPerInstant: number;
  /** UTF-16 units of one event's canonical text. */
  readonly payloadChars: number;
}

export type LimitName = keyof Limits;

/** Ours: ten times what the largest shipped scenario uses, so that a runaway ends within a minute. */
export const defaultLimits: Limits = {
  envelopes: 2_000_000,
  queueLength: 200_000,
  lettersPerDelivery: 20_000,
  deliveriesPerInstant: 100_000,
  payloadChars: 4_000_000,
};

/** Ours: for so many agents the limits are meant. */
const AGENTS = 50;

/** The limits of a world with so many agents: the more there are, the more each may consume. */
export const limitsFor = (agents: number): Limits => {
  const factor = Math.max(1, Math.ceil(agents / AGENTS));
  const all = Object.entries(defaultLimits).map(([name, most]) => [name, most * factor]);
  return Object.fromEntries(all) as unknown as Limits; // The same names.
};

/** Ends a run when thrown inside the kernel. */
export class LimitReached extends Error {
  override readonly name = "LimitReached";
  readonly limit: LimitName;
  constructor(limit: LimitName, detail: string) {
    super(`limit ${limit} reached: ${detail}`);
    this.limit = limit;
  }
}
