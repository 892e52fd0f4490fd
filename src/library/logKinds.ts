/** What an event log and a recording are, for verbs that a program hands them to. */
import { aList, aListOf, aMapWith, aText, aWhole, type Kind } from "./arguments.ts";

/** A number of a delivery, or a time. */
export const aSeq = aWhole(0, Number.MAX_SAFE_INTEGER);
export const deliveryList: Kind = aListOf(
  "deliveries",
  aMapWith("a delivery", {
    seq: aSeq,
    dueMs: aSeq,
    from: aText,
    to: aText,
    fate: aText,
    event: aMapWith("its event", { type: aText }),
    letters: aList,
    changes: aList,
  }),
);
export const inputList: Kind = aListOf(
  "inputs",
  aMapWith("an input", { kind: aText, seq: aSeq, deliveredAt: aSeq }),
);
