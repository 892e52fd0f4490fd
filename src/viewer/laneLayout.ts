/** Where the lanes of all pictures stand, and which actor a lane is of. */
import { isOf } from "./pageLog.ts";
import type { ViewHead, ViewLane, ViewPicture } from "./viewData.ts";

/** Px; on a phone the time gets more of the width than the names. */
export const size = {
  left: globalThis.innerWidth < 600 ? 96 : 210,
  right: 16,
  row: 30,
  split: 42,
  steps: 30,
  axis: 22,
  head: 20,
  others: 26,
} as const;

export interface PlacedLane {
  readonly lane: ViewLane;
  readonly picture: ViewPicture;
  /** Px below the upper edge of all lanes. */
  readonly top: number;
  readonly height: number;
  readonly isSplit: boolean;
}

const isSplitShape = (shape: string | undefined): boolean =>
  shape === "block" || shape === "stroke" || shape === "open";

function placed(lane: ViewLane, picture: ViewPicture, top: number): PlacedLane {
  const isSplit =
    lane.is === "row" && lane.spans.some(({ phase }) => isSplitShape(picture.phases[phase]?.shape));
  const height = lane.is === "steps" ? size.steps : isSplit ? size.split : size.row;
  return { lane, picture, top, height, isSplit };
}

export interface Lanes {
  readonly all: readonly PlacedLane[];
  readonly height: number;
  /** The middle of the row of whoever has this address; undefined where nobody drew one. */
  readonly middleOf: (address: string) => number | undefined;
  /** Of the row at the end, for steps of all those. */
  readonly others: number;
}

export function lanesOf({ pictures }: Pick<ViewHead, "pictures">): Lanes {
  const all: PlacedLane[] = [];
  let top = 0;
  for (const picture of pictures) {
    for (const lane of picture.lanes) {
      const one = placed(lane, picture, top);
      all.push(one);
      top += one.height;
    }
  }
  const rows = all.filter(({ lane }) => lane.is === "row");
  const known = new Map<string, number | undefined>();
  return {
    all,
    height: top + size.others,
    others: top + size.others / 2,
    middleOf: (address) => {
      if (!known.has(address)) {
        const row = rows.find(({ lane }) => lane.is === "row" && isOf(address, lane.label));
        known.set(address, row && row.top + row.height / 2);
      }
      return known.get(address);
    },
  };
}
