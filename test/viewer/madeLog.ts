// A log as a page holds it, made of a few columns.
import { PageLog } from "../../src/viewer/pageLog.ts";
import { FLAG, type ViewHead } from "../../src/viewer/viewData.ts";

interface Made {
  readonly atMs?: number;
  readonly flags?: number;
  /** The place that its chain goes on to. */
  readonly next?: number;
  /** 0 is cedar, 1 is vault. */
  readonly from?: number;
  readonly to?: number;
}

/** Each delivery is told, unless its flags say otherwise. */
export function madeLog(all: readonly Made[]): PageLog {
  const none = () => new Int32Array(all.length);
  const head = {
    ...{ count: all.length, hasChains: true, pieceSize: 256 },
    addresses: ["agent/cedar", "agent/vault"],
    types: ["call.routed"],
    ...{ endMs: all.at(-1)?.atMs ?? 0, pictures: [], chains: [] },
  } as unknown as ViewHead; // Nothing else of it is asked.
  return new PageLog(head, {
    atMs: Float64Array.from(all, ({ atMs = 0 }) => atMs),
    flags: Uint8Array.from(all, ({ flags = FLAG.told }) => flags),
    next: Int32Array.from(all, ({ next = -1 }) => next),
    ...{ seq: Int32Array.from(all, (_, at) => at + 1), cause: none().fill(-1) },
    from: Int32Array.from(all, ({ from = 0 }) => from),
    to: Int32Array.from(all, ({ to = 0 }) => to),
    ...{ type: none(), because: none() },
    becauseStart: new Int32Array(all.length + 1),
  });
}
