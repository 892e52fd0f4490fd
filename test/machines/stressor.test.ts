import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyWith } from "../../src/machines/policy.ts";
import {
  loadAt,
  type StressorInput,
  type Suffering,
  severityAt,
  stressorMachine,
  sufferingPath,
} from "../../src/machines/stressor.ts";
import { days, hours, MILLION } from "../../src/machines/units.ts";
import { driven, lettersTo } from "./driven.ts";

const policy = policyWith({});
const path = sufferingPath("cedar", "repeated_failure");
const input: StressorInput = {
  agent: "cedar",
  agentAddress: "agent/cedar",
  type: "repeated_failure",
  since: null,
};

const stressor = (since: number | null = null) =>
  driven<{ sinceMs: number | null }>(stressorMachine(policy), { ...input, since });

const assessed = (failed: number, total: number) => ({ type: "window.assessed", failed, total });

const suffering = (sinceMs: number): Suffering => ({
  type: "repeated_failure",
  sinceMs,
  start: 200_000,
  growthPerDay: 40_000,
});

describe("severity", () => {
  it("[U1] starts at .20 and grows by .04 a day, in whole millionths", () => {
    expect(severityAt(suffering(0), 0)).toBe(200_000);
    expect(severityAt(suffering(0), days(1))).toBe(240_000);
    expect(severityAt(suffering(0), days(1) - 1)).toBe(239_999);
    expect(severityAt(suffering(hours(3)), hours(15))).toBe(220_000);
  });

  it("[U1] ends at one", () => {
    expect(severityAt(suffering(0), days(20) - 1)).toBe(999_999);
    expect(severityAt(suffering(0), days(20))).toBe(MILLION);
    expect(severityAt(suffering(0), days(9_000))).toBe(MILLION);
  });

  it("[U1] an onset that lies ahead counts from now", () => {
    expect(severityAt(suffering(days(9)), days(1))).toBe(200_000);
  });

  it("[U2] load is the sum of severities, at most one", () => {
    expect(loadAt([], 0)).toBe(0);
    expect(loadAt([suffering(0), suffering(0)], days(1))).toBe(480_000);
    expect(loadAt(Array<Suffering>(4).fill(suffering(0)), 0)).toBe(800_000);
    expect(loadAt(Array<Suffering>(5).fill(suffering(0)), 0)).toBe(MILLION);
    expect(loadAt(Array<Suffering>(6).fill(suffering(0)), 0)).toBe(MILLION);
  });
});

describe("repeated_failure", () => {
  it("[U3] fires above one half: 20 of 40 is not enough, 21 is", () => {
    const one = stressor();

    one.send(assessed(20, 40));
    expect(one.value).toBe("absent");

    one.send(assessed(21, 40));
    expect(one.value).toBe("active");
  });

  it("[U3] fires from four failed goals on: 3 of 3 is not enough, 4 of 4 is", () => {
    const one = stressor();

    one.send(assessed(3, 3));
    expect(one.value).toBe("absent");

    one.send(assessed(4, 4));
    expect(one.value).toBe("active");
  });

  it("[U3] clears below three tenths: 12 of 40 is too many, 11 is not", () => {
    const one = stressor();
    one.send(assessed(40, 40));

    one.send(assessed(12, 40));
    expect(one.value).toBe("active");

    one.send(assessed(11, 40));
    expect(one.value).toBe("absent");
  });

  it("[U3] clears from three done goals on: 2 of 2 is not enough, 3 of 3 is", () => {
    const one = stressor();
    one.send(assessed(4, 4));

    one.send(assessed(0, 2));
    expect(one.value).toBe("active");

    one.send(assessed(0, 3));
    expect(one.value).toBe("absent");
  });

  it("[ST1] tells its agent and writes its file when it fires, and when it clears", () => {
    const one = stressor();

    const onset = one.send(assessed(4, 4), hours(1));
    expect(lettersTo(onset, "agent/cedar")).toEqual([
      {
        to: "agent/cedar",
        event: {
          type: "stressor.changed",
          stressor: "repeated_failure",
          sinceMs: hours(1),
          start: 200_000,
          growthPerDay: 40_000,
        },
        because: [one.seq],
      },
    ]);
    expect(lettersTo(onset, "files")[0]?.event).toEqual({
      type: "files.write",
      path,
      text: `{"type":"repeated_failure","sinceMs":${hours(1)}}\n`,
    });

    const end = one.send(assessed(0, 4), hours(1));
    expect(lettersTo(end, "agent/cedar")[0]?.event["sinceMs"]).toBeNull();
    expect(lettersTo(end, "files")[0]?.event["text"]).toContain('"sinceMs":null');
  });

  it("[ST1] keeps its onset while it lasts", () => {
    const one = stressor();
    one.send(assessed(4, 4), hours(1));

    expect(one.send(assessed(40, 40), hours(1))).toEqual([]);
    expect(one.context.sinceMs).toBe(hours(1));
  });

  it("[ST2] wakes up active when its file said so, and says so to its agent", () => {
    const one = stressor(hours(2));

    expect(one.value).toBe("active");
    expect(one.letters.map(({ to }) => to)).toEqual(["agent/cedar"]);
    expect(one.letters[0]?.event["sinceMs"]).toBe(hours(2));
    one.send(assessed(0, 3));
    expect(one.value).toBe("absent");
  });

  it("[U4] the agent's word changes nothing", () => {
    const one = stressor();
    one.send({ type: "stressor.resolved", stressor: "repeated_failure" });
    expect(one.value).toBe("absent");

    one.send(assessed(4, 4));
    one.send({ type: "stressor.resolved", stressor: "repeated_failure" });
    one.send({ type: "suffering.assessed", resolved: ["repeated_failure"] });
    expect(one.value).toBe("active");
  });

  it("[DA2] ends with its daemon, whatever it feels", () => {
    for (const one of [stressor(), stressor(0)]) {
      one.send({ type: "daemon.stopped" });

      expect(one.value).toBe("stopped");
      expect(one.ended).toBe(true);
    }
  });

  it("[U3] it is active exactly from a firing to a clearing assessment", () => {
    const window = fc.nat(40).chain((total) => fc.tuple(fc.nat(total), fc.constant(total)));

    fc.assert(
      fc.property(fc.array(window, { maxLength: 30 }), (windows) => {
        const one = stressor();
        let active = false;
        for (const [failed, total] of windows) {
          one.send(assessed(failed, total), 1_000);
          if (!active && failed > total / 2 && failed >= 4) active = true;
          else if (active && failed * 10 < total * 3 && total - failed >= 3) active = false;
          expect(one.value).toBe(active ? "active" : "absent");
          expect(one.context.sinceMs === null).toBe(!active);
        }
      }),
      { numRuns: 50 },
    );
  });
});

const TRACE = new URL("../../../shared/oracles/hollow-trace.json", import.meta.url);

describe.skipIf(!existsSync(TRACE))(
  "the real system's recorded stressors (skipped where shared/oracles/hollow-trace.json is absent)",
  () => {
    it("[U1] the law fits all 160 within one minute's rounding", () => {
      const { suffering: rows } = JSON.parse(readFileSync(TRACE, "utf8")) as {
        suffering: { at: string; onset: string; rate: number; severity: number }[];
      };
      const instant = (text: string) => Date.parse(`${text.replace(" ", "T")}:00Z`);

      expect(rows).toHaveLength(160);
      for (const { at, onset, rate, severity } of rows) {
        const recorded = { type: "", start: 200_000, sinceMs: instant(onset) };
        const growthPerDay = Math.round(rate * MILLION);
        const ours = severityAt({ ...recorded, growthPerDay }, instant(at)) / MILLION;
        expect(Math.abs(ours - severity)).toBeLessThanOrEqual(6.3e-5);
      }
    });
  },
);
