import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isLocked,
  type Locks,
  locked,
  lockKey,
  normalised,
} from "../../../../src/machines/synt/desk/locks.ts";
import { days, seconds } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { casesOf, golden, isAbsent } from "../metnosOracle.ts";

const policy = policyWith({}).synt.locks;

describe("locks", () => {
  it.each([
    ["abandon", days(1)],
    ["reject", days(30)],
    ["suspend", days(1)],
  ] as const)("[SN36] %s holds to the last millisecond and no longer", (kind, lasts) => {
    fc.assert(
      fc.property(fc.nat(days(4000)), (atMs) => {
        const key = lockKey(kind, "Do zork");
        const locks = locked({}, { kind, key }, atMs, policy);

        expect(isLocked(locks, key, atMs + lasts - 1)).toBe(true);
        expect(isLocked(locks, key, atMs + lasts)).toBe(false);
      }),
    );
    expect(isLocked({}, "toString", 0)).toBe(false);
  });

  it("[SN37] one intent has one key, however it is written", () => {
    const ways = ["Do zork", "  do  ZORK! ", "do\nzork", "Do—zork", "ｄｏ zork"];

    expect(new Set(ways.map((way) => lockKey("abandon", way)))).toEqual(
      new Set(["abandon:do zork"]),
    );
    expect(lockKey("reject", "do zork")).not.toBe(lockKey("abandon", "do zork"));
    expect(lockKey("abandon", "do zork")).not.toBe(lockKey("abandon", "dozork"));
  });

  it("[SN37] an intent without words leaves its place to the proto-mnest, then to the request", () => {
    expect(lockKey("abandon", "?!", "mn_1", "r1")).toBe("abandon:mn 1");
    expect(lockKey("abandon", "", null, "r1")).toBe("abandon:r1");
  });

  it("[SN37] normalising twice is normalising once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(normalised(normalised(text))).toBe(normalised(text));
      }),
    );
  });

  it("[SN37] what is plain ASCII is normalised as it is beside other letters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        expect(normalised(`${text} é`)).toBe(`${normalised(text)} é`.trim());
      }),
    );
  });
});

interface Step {
  readonly op: "lock" | "clear" | "is_locked" | "raw";
  readonly key: string;
  readonly t: number;
}

describe.skipIf(isAbsent)(golden("locks"), () => {
  it("[SN36, SN41] timelines", () => {
    const cases = casesOf<{ steps: Step[] }, (boolean | null)[]>("lock.timeline");

    expect(cases).toHaveLength(3);
    for (const { id, input, expected } of cases) {
      let locks: Locks = {};
      const said = input.steps.map(({ op, key, t }) => {
        const nowMs = seconds(t);
        if (op === "lock") locks = locked(locks, { kind: "abandon", key }, nowMs, policy);
        if (op === "clear") locks = { ...locks, [key]: nowMs };
        // A broken file of the real system: here locks lie in no file.
        if (op === "raw") locks = {};
        return op === "is_locked" ? isLocked(locks, key, nowMs) : null;
      });
      expect([id, said]).toEqual([id, expected]);
    }
  });
});
