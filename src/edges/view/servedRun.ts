/** A run as pages of it are served: opened whole, or read from an index of it that was made when it was opened first. */
import type { Part } from "../../contract/part.ts";
import type { Scenario } from "../../contract/scenario.ts";
import type { Manifest } from "../../run/bundle.ts";
import type { Columns, ViewHead } from "../../viewer/viewData.ts";
import { type OpenRun, pieceOf, startedIn } from "./openRun.ts";
import { viewCharts } from "./viewCharts.ts";

/** What is known of it without its log. */
export interface RunOf {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly scenario: Scenario;
  readonly parts: readonly Part[];
}

export interface ServedRun {
  readonly of: RunOf;
  readonly head: ViewHead;
  readonly columns: Columns;
  /** JSON of the rows of a piece; undefined beyond the last. */
  readonly piece: (number: number, fullness: "whole" | "bare") => string | undefined;
  /** JSON of its statecharts. */
  readonly charts: () => string;
  /** All of it: of a long log, after a while. */
  readonly whole: () => OpenRun;
}

export function servedRun(open: OpenRun): ServedRun {
  const { head, columns, run } = open;
  const { bundle, scenario, parts } = run;
  const { folder, manifest } = bundle;
  return {
    ...{ head, columns },
    of: { folder, manifest, scenario, parts },
    piece: (number, fullness) => {
      const rows = pieceOf(open, number, () => fullness);
      return rows && JSON.stringify(rows);
    },
    charts: () => JSON.stringify(viewCharts(run, startedIn(open))),
    whole: () => open,
  };
}
