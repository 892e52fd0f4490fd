// SPEC VW7: what of a view stands in its address.
import { expect, it } from "vitest";
import { type Address, addressText, readAddress } from "../../src/viewer/pageAddress.ts";
import { addressOf, openingState, type Run, type ViewState } from "../../src/viewer/viewState.ts";
import { madeLog } from "./madeLog.ts";

it("[VW7] the address holds instant, delivery, filter, stretch, panel and actor, and opens them again", () => {
  const address: Required<Address> = {
    ...{ atMs: 1_800_250, seq: 1_234_567, actor: "agent/cedar", type: "call.routed" },
    ...{ find: "from:0:30:00 a & b=c", fromMs: 60_000, toMs: 3_600_001, run: 1 },
    ...{ tab: "state", who: "goal/cedar/7", isSqueezed: true, with: "no-ghost" },
  };

  expect(readAddress(addressText(address))).toEqual(address);
  expect(addressText(address)).toContain("#at=0:30:00.250&n=1234567&actor=agent/cedar&");
  for (const [name, value] of Object.entries(address)) {
    expect(readAddress(addressText({ [name]: value }))).toEqual({ [name]: value });
  }
  expect(readAddress(addressText({ atMs: 0, seq: 0, run: 0, isSqueezed: false }))).toEqual({
    ...{ atMs: 0, seq: 0 },
  });
});

it("[VW7] what is no address opens nothing", () => {
  expect(readAddress("#at=soon&n=-1&n=x&actor=&run=c&idle=no&other=1")).toEqual({});
});

it("[VW7] what a person looks at stands in the address, and opens again from it", () => {
  const log = madeLog(Array.from({ length: 9 }, (_, at) => ({ atMs: at * 1_000, from: at % 2 })));
  const run: Run = { log, rows: {} as Run["rows"] }; // No row is read.
  const runs = [run, run];
  const opening = openingState(runs, "");
  const looked: ViewState = {
    ...{ ...opening, run: 1, place: 4, cursorMs: 4_000, view: { fromMs: 1_000, toMs: 6_000 } },
    filter: { actor: "vault", type: "call.routed", find: "handover", withPlumbing: false },
    ...{ tab: "state", actor: "agent/cedar", isSqueezed: true, with: "no-ghost" },
  };

  expect(openingState(runs, addressOf(log, looked))).toEqual(looked);
  expect(openingState(runs, addressOf(log, opening))).toEqual(opening);
});
