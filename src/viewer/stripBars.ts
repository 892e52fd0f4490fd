/** The bars of the strip above the lanes: how much went wrong when. */
import type { Axis } from "./axis.ts";
import type { PageLog } from "./pageLog.ts";
import { FLAG } from "./viewData.ts";

/** Px of one bar. */
const BAR = 6;

/** Alike for all runs of a page: what any of them has most of is counted in each, and the highest bar of all is the scale. */
export function stripBars(log: PageLog, logs: readonly PageLog[], { to, endMs }: Axis, px: number) {
  const bars = Math.max(1, Math.floor(px / BAR));
  const count = (of: PageLog, flag: number): number[] => {
    const counts = new Array<number>(bars).fill(0);
    for (let place = 0; place < of.count; place++) {
      if (!of.has(place, flag)) continue;
      const at = Math.min(
        bars - 1,
        Math.floor((to(of.atMs(place)) / Math.max(1, to(endMs))) * bars),
      );
      counts[at] = (counts[at] ?? 0) + 1;
    }
    return counts;
  };
  for (const [flag, says, isWrong] of [
    [FLAG.failure, "failures", true],
    [FLAG.wrong, "what went wrong", true],
    [FLAG.told, "deliveries", false],
  ] as const) {
    const all = logs.map((one) => count(one, flag));
    const most = Math.max(...all.flat());
    const counts = all[logs.indexOf(log)] ?? [];
    if (most > 0) return { counts, most, says, isWrong, wide: px / bars };
  }
  return { counts: [], most: 1, says: "nothing", isWrong: false, wide: BAR };
}
