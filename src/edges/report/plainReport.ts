/** What is told of a part that says nothing of its own: its metrics of the world, in figures, in words and drawn. */
import { markdownTable } from "markdown-table";
import type { PartReport } from "../../contract/edge/edgePart.ts";
import type { Figures } from "../../contract/figures.ts";
import { type Metric, type MetricName, WORLD } from "../../contract/gauge.ts";
import type { Part } from "../../contract/part.ts";
import { isMap } from "../../machines/isMap.ts";
import { merged } from "./moments.ts";

type Measured = Pick<Part, "name"> & { readonly metrics?: { readonly [name: string]: Metric } };

/** A part's names are names of metrics once it is joined. */
const namesOf = ({ metrics = {} }: Measured): readonly MetricName[] =>
  Object.keys(metrics) as MetricName[];

/** The last values of its metrics, under the part's name. */
export const plainFigures =
  (part: Measured): NonNullable<Part["figures"]> =>
  (_, { last }) => ({
    [part.name]: Object.fromEntries(namesOf(part).map((name) => [name, last(name)])),
  });

const larger = (one: number, other: number): number => Math.max(one, other);

/** Its sentence, its table, its columns beside variants and its picture. */
export function plainReport(part: Measured): PartReport {
  const names = namesOf(part);
  return {
    summary: ({ meter, result }) => {
      const last = names.map((name) => `${name} ${meter.valueAt(name, WORLD, result.virtualMs)}`);
      return last.length === 0 ? "" : `At the end: ${last.join(", ")}.`;
    },
    before: ({ observed: { meter } }) => {
      const rows = names.map((name) => {
        const values = meter.series(name, WORLD).map(({ value }) => value);
        const { unit = "", says = "" } = part.metrics?.[name] ?? {};
        return [name, `${values.at(-1)} ${unit}`, String(values.reduce(larger)), says];
      });
      const head = ["Metric", "At the end", "At most", "What it is"];
      return rows.length === 0
        ? []
        : [`## Measured: ${part.name}\n\n${markdownTable([head, ...rows])}`];
    },
    variants: {
      title: "What would have been different",
      columns: () => ({ head: names, cells: (figures) => cells(part.name, names, figures) }),
    },
    picture: ({ observed: { meter, story } }) => ({
      says: `${names.join(", ")} over virtual time`,
      lanes: names.map((name) => ({
        is: "steps",
        name,
        bound: null,
        format: String,
        lines: [{ label: part.metrics?.[name]?.unit ?? "", steps: meter.series(name, WORLD) }],
      })),
      marks: merged(story.moments),
    }),
  };
}

/** Empty where the part has figures of another form. */
const cells = (part: string, names: readonly string[], figures: Figures): string[] => {
  const own: unknown = Reflect.get(figures, part);
  return names.map((name) => (isMap(own) ? String(own[name] ?? "") : ""));
};
