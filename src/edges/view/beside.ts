/** Two runs that stand side by side on a page: where they part, and what came out differently. */
import { basename, resolve } from "node:path";
import type { Metric } from "../../contract/gauge.ts";
import { metricTable } from "../../contract/metricTable.ts";
import { ownValue } from "../../machines/ownValue.ts";
import { type DiffSide, diff, shownValue, unpaired } from "../../run/diff.ts";
import { originText } from "../../run/why.ts";
import { FLAG, type ViewBeside, type ViewLink } from "../../viewer/viewData.ts";
import { partsForBoth } from "../bundle/importedBundle.ts";
import type { PartLists } from "../parts/partLists.ts";
import type { OpenRun } from "./openRun.ts";
import { CHAINED_MOST } from "./viewColumns.ts";

/** Two runs as a page shows them. */
export interface BothRuns {
  readonly told: ViewBeside;
  /** The flags of each, in which what the other one does not have is marked. */
  readonly flags: readonly [a: Uint8Array, b: Uint8Array];
}

/** As `diff` finds it. */
export function beside({ parts: all }: PartLists, a: OpenRun, b: OpenRun): BothRuns {
  const [left, right] = [sideOf(a), sideOf(b)];
  const parts = partsForBoth(all, left, right);
  const { settings, metrics, first } = diff(parts, left, right);
  const flags = [a.columns.flags.slice(), b.columns.flags.slice()] as const;
  if (first !== null) {
    const from = first.delivery - 1;
    const logs = [left.deliveries, right.deliveries] as const;
    const isLong = Math.max(logs[0].length, logs[1].length) > CHAINED_MOST;
    const marks = isLong ? undefined : unpaired(parts, logs, from);
    flags.forEach((marked, side) => {
      for (let place = from; place < marked.length; place++) {
        if (marks?.[side]?.[place - from] ?? true)
          marked[place] = (marked[place] ?? 0) | FLAG.differs;
      }
    });
  }
  const row = ([name, x, y]: readonly [string, unknown, unknown]) =>
    [name, shownValue(x ?? undefined), shownValue(y ?? undefined)] as const;
  const table: { readonly [name: string]: Metric } = metricTable(parts);
  const says = (name: string): string => ownValue(table, name)?.says ?? "";
  const origins = [first?.a, first?.b].flatMap((told) => told?.because?.origins ?? []);
  const told: ViewBeside = {
    names: namesOf(a, b),
    settings: settings.map(row),
    figures: metrics.map((one) => [...row(one), says(one[0])]),
    first: first && {
      atMs: first.atMs,
      sides: [linkOf(a, first.a), linkOf(b, first.b)],
      origins: [...new Set(origins.map((origin) => originText(origin)))],
    },
  };
  return { told, flags };
}

const sideOf = ({ run: { bundle, deliveries, scenario } }: OpenRun): DiffSide => ({
  ...{ manifest: bundle.manifest, inputs: bundle.inputs, agents: scenario.agents },
  ...{ deliveries, scenario },
});

function linkOf(
  { columns }: OpenRun,
  told: { readonly seq: number; readonly says: string } | null,
): ViewLink | null {
  const place = told === null ? -1 : columns.seq.indexOf(told.seq);
  return told === null || place < 0 ? null : { place, says: told.says };
}

/** The first of title, seed and folder that tells them apart. */
function namesOf(a: OpenRun, b: OpenRun): readonly [string, string] {
  const said: ((run: OpenRun) => string)[] = [
    ({ head }) => head.title,
    ({ head, run }) => `${head.title}, seed ${run.bundle.manifest.seed}`,
    ({ run }) => basename(resolve(run.bundle.folder)),
    ({ run }) => run.bundle.folder,
  ];
  const pairs = said.map((say) => [say(a), say(b)] as const);
  return pairs.find(([one, other]) => one !== other) ?? ["a", "b"];
}
