/** What a part of a program's own is measured and asked with. */
import { type Metric, type MetricName, WORLD } from "../contract/gauge.ts";
import type { Part, Questions } from "../contract/part.ts";
import type { EventType } from "../machines/letter.ts";
import type { Delivery } from "../substrate/envelope.ts";

/** A count of the world, in words, and by which events it is one more or one less. */
export interface Count {
  readonly says: string;
  readonly up: readonly EventType[];
  readonly down?: readonly EventType[];
}

/** A part's `metrics` and `meter`, where what is measured are counts of events: `...counted("customers", { … })`. */
export function counted<const Counts extends { readonly [name: string]: Count }>(
  unit: string,
  counts: Counts,
): {
  readonly metrics: { readonly [Name in keyof Counts]: Metric };
  readonly meter: NonNullable<Part["meter"]>;
} {
  // Its keys are names of metrics, since a part joins those to `Metrics`.
  const entries = Object.entries(counts) as [MetricName, Count][];
  const metrics = entries.map(([name, { says }]) => [name, { unit, perAgent: false, says }]);
  return {
    metrics: Object.fromEntries(metrics),
    meter: (_, gauge) => ({
      observe: ({ event: { type }, fate, dueMs }) => {
        if (fate !== "handled") return;
        for (const [name, { up, down }] of entries) {
          const by = Number(includes(up, type)) - Number(includes(down, type));
          if (by !== 0) gauge.set(name, WORLD, dueMs, gauge.at(name, WORLD, dueMs) + by);
        }
      },
    }),
  };
}

const includes = (types: readonly string[] = [], type: string): boolean => types.includes(type);

/**
 * A part's `questions`, where all are of one form, such as `customer:NAME`: `nameIn` says which NAME a delivery
 * answers for, if any. The first of its name is explained, and the first of all is what a person wants explained
 * before anything else. `none` is what is so where nothing can be asked.
 */
export function questionsBy(
  form: `${string}:${string}`,
  none: string,
  nameIn: (delivery: Delivery) => string | undefined,
): Questions {
  const kind = form.slice(0, form.indexOf(":") + 1);
  const of = (delivery: Delivery): string | undefined => {
    const name = nameIn(delivery);
    return name === undefined ? undefined : `${kind}${name}`;
  };
  return {
    ...{ forms: [form], none: [none], of },
    find: (deliveries, question) => deliveries.find((one) => of(one) === question),
    all: (deliveries) => [...new Set(deliveries.flatMap((one) => of(one) ?? []))],
    trouble: (deliveries) => deliveries.find((one) => of(one) !== undefined),
  };
}
