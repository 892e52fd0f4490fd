/** The moments of a run, as a report and its pictures tell them. */

import type { Moment } from "../../contract/book.ts";
import type { Mark } from "../../contract/picture.ts";
import { clock } from "../duration.ts";

/** What happens to several agents at the same instant is one line. */
export function merged(moments: readonly Moment[]): Mark[] {
  const lines: { atMs: number; label: string; whos: string[] }[] = [];
  for (const { atMs, label, who } of moments) {
    const last = lines.at(-1);
    const whos = who === undefined ? [] : [who];
    if (last?.atMs === atMs && last.label === label) last.whos.push(...whos);
    else lines.push({ atMs, label, whos });
  }
  return lines.map(({ atMs, label, whos }) => ({
    atMs,
    label: whos.length === 0 ? label : `${label}: ${whos.join(", ")}`,
  }));
}

/** To the second. */
export const shortClock = (ms: number): string => clock(ms - (ms % 1000));
