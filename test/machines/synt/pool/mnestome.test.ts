import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aged,
  decayed,
  fastPath,
  type Mnest,
  missed,
  promoted,
  recurs,
  used,
  weightAt,
} from "../../../../src/machines/synt/pool/mnestome.ts";
import { BILLION } from "../../../../src/machines/synt/score/reward.ts";
import { days } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { caseOf, casesOf, golden, isAbsent } from "../metnosOracle.ts";

const policy = policyWith({}).synt.mnest;
const rate = policy.decayPerDay;

const end = (name: string, version: string | null = "1") => ({ name, version });
const useAt = (day: number, ok = true) => ({
  from: end("a"),
  to: end("b"),
  atMs: days(day),
  ok,
});
const usedOn = (...on: readonly number[]) =>
  on.reduce<readonly Mnest[]>((all, day) => used(all, useAt(day), policy), []);
const missedOn = (...on: readonly number[]) =>
  on.reduce<readonly Mnest[]>(
    (all, day) => missed(all, { from: end("a"), name: "x", atMs: days(day) }, policy),
    [],
  );
const only = (mnests: readonly Mnest[]): Mnest => {
  expect(mnests).toHaveLength(1);
  return mnests[0] as Mnest;
};

describe("decay", () => {
  it("[SN20] is e^−rate·days, at most half a billionth of one away", () => {
    expect(decayed(BILLION, rate, days(365))).toBe(1_401_797);
    expect(decayed(300_000_000, rate, days(22))).toBe(201_902_009);
    expect(decayed(300_000_000, rate, days(23))).toBe(198_300_285);
    expect(decayed(BILLION, 1_000_000, days(1))).toBe(367_879_441);
  });

  it("[SN20] agrees with the host's exponential, for any weight, rate and time", () => {
    const weight = fc.integer({ min: 0, max: BILLION });
    const anyRate = fc.integer({ min: 0, max: 1_000_000 });
    const elapsed = fc.integer({ min: 0, max: days(20_000) });

    fc.assert(
      fc.property(weight, anyRate, elapsed, (w, perDay, ms) => {
        const exact = w * Math.exp(-((perDay / 1e6) * ms) / days(1));
        expect(Math.abs(decayed(w, perDay, ms) - exact)).toBeLessThanOrEqual(0.5 + 1e-4);
      }),
    );
  });

  it("[SN20] never rises with time, and time that runs backwards counts as none", () => {
    expect(decayed(300, rate, -days(30))).toBe(300);
    expect(decayed(BILLION, 1_000_000, days(100_000_000))).toBe(0);
    fc.assert(
      fc.property(fc.nat(days(4000)), fc.nat(days(4000)), (a, b) => {
        const [early, late] = [decayed(BILLION, rate, a), decayed(BILLION, rate, a + b)];
        expect(late).toBeLessThanOrEqual(early);
      }),
    );
  });
});

describe("mnests", () => {
  it("[SN21] are born at .30 and gain .15 a use, 1 at most", () => {
    expect(only(usedOn(0)).weight).toBe(300_000_000);
    expect(only(usedOn(0, 0)).weight).toBe(450_000_000);
    expect(only(usedOn(0, 0, 0, 0, 0, 0, 0, 0))).toMatchObject({ weight: BILLION, uses: 8 });
  });

  it("[SN21] have one edge for each pair of versions", () => {
    const second = used(usedOn(0), { ...useAt(0), to: end("b", "2") }, policy);

    expect(second.map(({ to, uses }) => [to.version, uses])).toEqual([
      ["1", 1],
      ["2", 1],
    ]);
  });

  it("[SN21] a hop that failed is counted and gains nothing; alone it makes no mnest", () => {
    const both = used(usedOn(0), useAt(3, false), policy);

    expect(only(both)).toMatchObject({ uses: 1, seen: { ok: 1, runs: 2 }, lastMs: 0 });
    expect(used([], useAt(0, false), policy)).toEqual([]);
  });

  it("[SN22] one use decays below .20 in 23 days, not in 22", () => {
    const once = usedOn(0);

    expect(aged(once, days(22), policy).demoted).toEqual([]);
    const { mnests, demoted } = aged(once, days(23), policy);
    expect([only(mnests).state, demoted.length]).toEqual(["decaying", 1]);
  });

  it("[SN22] at exactly .20 and .05 nothing happens yet", () => {
    const active = { ...only(usedOn(0)), weight: 200_000_000 };
    const proto = { ...only(missedOn(0)), weight: 50_000_000 };

    expect(aged([active, proto], 0, policy).mnests).toEqual([active, proto]);
    const less = [active, proto].map((one) => ({ ...one, weight: one.weight - 1 }));
    expect(aged(less, 0, policy)).toMatchObject({ demoted: [less[0]], deleted: [less[1]] });
  });

  it("[SN22] decay is counted from the last use, never from the first", () => {
    const twice = only(usedOn(0, 30));
    const again = decayed(300_000_000, rate, days(30)) + 150_000_000;

    expect(twice).toMatchObject({ firstMs: 0, lastMs: days(30), weight: again });
    expect(weightAt(twice, days(30), policy)).toBe(again);
    expect(weightAt(twice, days(40), policy)).toBe(decayed(again, rate, days(10)));
    // A use of before, heard late, makes it no older.
    const late = only(used([twice], useAt(10), policy));
    expect(late.lastMs).toBe(days(30));
    expect(weightAt(late, days(40), policy)).toBe(decayed(late.weight, rate, days(10)));
    // From the first use on it would be decaying by day 23, from the last one by day 37 and some.
    expect(aged([twice], days(37), policy).demoted).toEqual([]);
  });

  it("[SN22] a decaying mnest decays on and revives on use", () => {
    const { mnests } = aged(usedOn(0), days(23), policy);

    expect(weightAt(only(mnests), days(200), policy)).toBeLessThan(10_000_000);
    expect(only(used(mnests, useAt(23), policy))).toMatchObject({
      state: "active",
      weight: 348_300_285,
      uses: 2,
    });
  });

  it("[SN22] a proto-mnest below .05 is deleted: after 100 days, not after 99", () => {
    const once = missedOn(0);

    expect(aged(once, days(99), policy).mnests).toHaveLength(1);
    expect(aged(once, days(100), policy)).toMatchObject({ mnests: [], deleted: once });
  });

  it("[SN22] ageing every night ends where ageing once does", () => {
    const nightly = fc.array(fc.nat(40), { maxLength: 12 });

    fc.assert(
      fc.property(nightly, (gaps) => {
        let mnests = usedOn(0);
        let day = 0;
        for (const gap of gaps) {
          day += gap;
          mnests = aged(mnests, days(day), policy).mnests;
        }
        expect(only(mnests).weight).toBe(only(usedOn(0)).weight);
        const once = aged(usedOn(0), days(day), policy).mnests;
        expect(weightAt(only(mnests), days(day), policy)).toBe(
          weightAt(only(once), days(day), policy),
        );
      }),
    );
  });

  it("[SN23] a proto-mnest of an executor that is born becomes active at its version", () => {
    const mnests = promoted(missedOn(0), end("x", "0.1.0"));

    expect(only(mnests)).toMatchObject({ state: "active", to: end("x", "0.1.0"), uses: 1 });
    const others = [...missedOn(0), ...usedOn(0)];
    expect(promoted(others, end("y"))).toEqual(others);
    expect(promoted(usedOn(0), end("b", "2"))).toEqual(usedOn(0));
  });

  it("[SN24] five uses within 30 days make a proto-mnest recur; at 30 days one counts no more", () => {
    const five = only(missedOn(0, 1, 2, 3, 4));

    expect(recurs(five, days(30) - 1, policy)).toBe(true);
    expect(recurs(five, days(30), policy)).toBe(false);
    expect(recurs(only(missedOn(0, 1, 2, 3)), days(4), policy)).toBe(false);
    expect(recurs(only(usedOn(0, 1, 2, 3, 4)), days(4), policy)).toBe(false);
  });

  it("[SN25, SN66] the fast path replays 3 to 50 uses and promotes beyond", () => {
    const becomes = [2, 3, 50, 51].map((uses) => fastPath(uses, policy));

    expect(becomes).toEqual(["plan", "replay", "replay", "promote"]);
  });

  it("[SN21] a weight stays within 0 … 1 and uses grow, whatever is used when", () => {
    const steps = fc.array(fc.record({ gap: fc.nat(60), ok: fc.boolean() }), { maxLength: 30 });

    fc.assert(
      fc.property(steps, (all) => {
        let day = 0;
        let mnests: readonly Mnest[] = [];
        for (const { gap, ok } of all) {
          day += gap;
          mnests = used(aged(mnests, days(day), policy).mnests, useAt(day, ok), policy);
          for (const one of mnests) {
            expect(one.weight).toBeGreaterThan(0);
            expect(one.weight).toBeLessThanOrEqual(BILLION);
            expect(one.recentMs.length).toBeLessThanOrEqual(policy.recurrences);
            expect(one.seen.runs).toBeGreaterThanOrEqual(one.seen.ok);
          }
        }
      }),
    );
  });
});

interface Op {
  readonly day: number;
  readonly op: "pass" | "proto" | "promote" | "ager";
  readonly src?: string;
  readonly dst?: string;
  readonly dv?: string;
}

interface Ops {
  readonly mnests: readonly {
    readonly src_executor: string;
    readonly dst_executor: string;
    readonly dst_version: string | null;
    readonly state: string;
    readonly uses: number;
    readonly weight: number;
  }[];
}

function played(ops: readonly Op[]) {
  let mnests: readonly Mnest[] = [];
  for (const { day, op, src = "a", dst = "b", dv = "1" } of ops) {
    const atMs = days(day);
    if (op === "pass") mnests = used(mnests, { from: end(src), to: end(dst, dv), atMs }, policy);
    if (op === "proto") mnests = missed(mnests, { from: end(src), name: dst, atMs }, policy);
    if (op === "promote") mnests = promoted(mnests, end(dst, dv));
    if (op === "ager") mnests = aged(mnests, atMs, policy).mnests;
  }
  return mnests;
}

describe.skipIf(isAbsent)(golden("mnests"), () => {
  it.each([
    ["mnest.ops", 6],
    ["mnest.ager", 2],
  ] as const)("[SN21, SN22, SN41] %s, within a billionth", (kind, count) => {
    const cases = casesOf<{ ops: Op[] }, Ops>(kind);

    expect(cases).toHaveLength(count);
    for (const { id, input, expected } of cases) {
      const last = input.ops.findLast(({ op }) => op === "ager")?.day;
      const found = played(input.ops).map((one) => ({
        id,
        edge: [one.from.name, one.to.name, one.to.version],
        state: one.state,
        uses: one.uses,
        weight: last === undefined ? one.weight : weightAt(one, days(last), policy),
      }));
      const recorded = expected.mnests.map((one) => ({
        id,
        edge: [one.src_executor, one.dst_executor, one.dst_version],
        state: one.state,
        uses: one.uses,
        weight: Math.round(one.weight * BILLION),
      }));
      expect(found).toEqual(recorded);
    }
  });

  it("[SN24, SN41] three uses of a proto-mnest do not recur here (ruling Y15: five in 30 days)", () => {
    const [recurring] = casesOf<{ ops: Op[] }, { recurring_protos: string[] }>("mnest.ops").filter(
      ({ expected }) => expected.recurring_protos.length > 0,
    );

    expect(recurring?.id).toBe("mnest.ops-010");
    expect(recurs(only(played(recurring?.input.ops ?? [])), 0, policy)).toBe(false);
  });

  it("[SN20, SN41] decay alone", () => {
    const cases = casesOf<{ w0: number; days: number; lambda: number }, number>("mnest.decay");

    expect(cases).toHaveLength(1);
    for (const { input, expected } of cases) {
      const found = decayed(input.w0 * BILLION, input.lambda * 1e6, days(input.days));
      expect(Math.abs(found / BILLION - expected)).toBeLessThan(1e-9);
    }
  });

  it("[SN22, SO7] does not stop the decay of a decaying mnest, on purpose (dossier 1.9)", () => {
    const { adopt, input, expected } = caseOf<{ ops: Op[] }, Ops>("mnest.ager-006");
    const found = only(played(input.ops));
    const [theirs] = expected.mnests;

    expect([adopt, theirs?.state, found.state]).toEqual(["quirk", "decaying", "decaying"]);
    expect(theirs?.weight).toBeGreaterThan(0.19);
    expect(weightAt(found, days(200), policy)).toBeLessThan(BILLION / 100);
  });
});
