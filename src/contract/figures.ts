/** The figures by which runs are compared. */

import type { Story } from "./book.ts";
import type { MetricName } from "./gauge.ts";

/** The figures by which counterfactuals are compared. Each part adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Figures {}

/** A run that is over, as far as figures need it. */
export interface Counted {
  readonly story: Story;
  /** Of the world, at the end. */
  readonly last: (metric: MetricName) => number;
}

/** Figures that are the last values of metrics: each metric says what its figure is. */
export const lastValues = <const Table extends { readonly [figure: string]: MetricName }>(
  table: Table,
  { last }: Pick<Counted, "last">,
): { readonly [Figure in keyof Table]: number } =>
  // Its keys are those of the table.
  Object.fromEntries(Object.entries(table).map(([figure, metric]) => [figure, last(metric)])) as {
    readonly [Figure in keyof Table]: number;
  };
