/** The rounds of the long run (length.ts), put together. */
import { median } from "./median.ts";

/** The incident, bare, and the same world so many times as long. */
export interface Length {
  readonly scenario: string;
  readonly short: Cost;
  readonly long: Cost;
  /** The long run in stretches of as many envelopes as the short one has. */
  readonly stretches: readonly Cost[];
}

export interface Cost {
  readonly untilMs: number;
  readonly envelopes: number;
  /** Microseconds of the processor for one envelope. */
  readonly each: number;
}

export interface Lengths extends Length {
  /** An envelope of the long run over one of the short: median, least and most of the rounds. */
  readonly times: { readonly median: number; readonly least: number; readonly most: number };
}

/** The medians of rounds, which all did the same. */
export function lengthsOf([first, ...more]: readonly Length[]): Lengths {
  if (first === undefined) throw new Error("no round of the long run was made");
  const all = [first, ...more];
  const middle = (cost: Cost, of: (one: Length) => Cost | undefined): Cost => ({
    ...cost,
    each: median(all.map((one) => of(one)?.each ?? Number.NaN)),
  });
  const ratios = all.map(({ short, long }) => long.each / short.each);
  return {
    scenario: first.scenario,
    short: middle(first.short, ({ short }) => short),
    long: middle(first.long, ({ long }) => long),
    // What is left at the end is too short to be measured as well.
    stretches: first.stretches
      .map((cost, index) => middle(cost, ({ stretches }) => stretches[index]))
      .filter(({ envelopes }) => envelopes === first.short.envelopes),
    times: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
  };
}
