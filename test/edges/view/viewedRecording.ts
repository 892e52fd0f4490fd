// A recording as a page of it is made.

import { type OpenRun, openRun, pieceOf, startedIn } from "../../../src/edges/view/openRun.ts";
import { viewCharts } from "../../../src/edges/view/viewCharts.ts";
import { PageLog } from "../../../src/viewer/pageLog.ts";
import { Rows, type Source } from "../../../src/viewer/rows.ts";
import { packColumns, unpackColumns } from "../../../src/viewer/viewData.ts";
import { lists } from "../../builtInRuns.ts";

export interface Viewed {
  readonly open: OpenRun;
  readonly log: PageLog;
  readonly rows: Rows;
}

/** What its page reads, without a browser. */
export function viewed(folder: string): Viewed {
  const open = openRun(lists, folder);
  const { head } = open;
  const columns = unpackColumns(packColumns(open.columns).buffer as ArrayBuffer, head);
  const source: Source = {
    head,
    columns: () => Promise.resolve(columns),
    piece: (number) => {
      const rows = pieceOf(open, number, () => "whole");
      return Promise.resolve(rows && { rows, bytes: 0 });
    },
    charts: () => Promise.resolve(viewCharts(open.run, startedIn(open))),
  };
  return { open, log: new PageLog(head, columns), rows: new Rows(source) };
}
