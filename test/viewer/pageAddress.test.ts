// SPEC VW7: what of a view stands in its address.
import { expect, it } from "vitest";
import { type Address, addressText, readAddress } from "../../src/viewer/pageAddress.ts";

it("[VW7] the address holds instant, delivery, filter, stretch, panel and actor, and opens them again", () => {
  const address: Required<Address> = {
    ...{ atMs: 1_800_250, seq: 41, actor: "agent/cedar", type: "call.routed" },
    ...{ find: "from:0:30:00 a & b=c", fromMs: 60_000, toMs: 3_600_001, run: 1 },
    ...{ tab: "state", who: "goal/cedar/7", isSqueezed: true, with: "no-ghost" },
  };

  expect(readAddress(addressText(address))).toEqual(address);
  expect(addressText(address)).toContain("#at=0:30:00.250&n=41&actor=agent/cedar&");
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
