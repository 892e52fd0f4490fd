import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import {
  loadAt,
  type Suffering,
  severityAt,
  sufferingAfter,
} from "../../../../src/machines/agents/suffering/severity.ts";
import {
  type StressorInput,
  stressorMachine,
  sufferingPath,
} from "../../../../src/machines/agents/suffering/stressor.ts";
import {
  STRESSOR_TYPES,
  type StressorType,
} from "../../../../src/machines/agents/suffering/stressorPolicy.ts";
import {
  type Assessment,
  clears,
  conditionOf,
  fires,
  MEASURED,
  severityLaw,
} from "../../../../src/machines/agents/suffering/stressorRules.ts";
import type { Letter, MailOf } from "../../../../src/machines/letter.ts";
import { days, hours, MILLION } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying, mailIn, strangeEvent } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

const policy = policyWith({});
const path = sufferingPath("cedar", "repeated_failure");
const input: StressorInput = {
  agent: "cedar",
  agentAddress: "agent/cedar",
  engine: "engine",
  ledger: "goalLedger",
  type: "repeated_failure",
  since: null,
};

const stressor = (since: number | null = null) =>
  driven<{ sinceMs: number | null }>(stressorMachine(policy), { ...input, since });

const stressorOf = (type: StressorType, overrides: { readonly [path: string]: PolicyValue } = {}) =>
  driven<{ sinceMs: number | null }>(stressorMachine(policyWith(overrides)), { ...input, type });

const assessed = (failed: number, total: number): MailOf<"window.assessed"> => ({
  type: "window.assessed",
  failed,
  total,
});

/** What its agent is told. */
const toAgent = (letters: readonly Letter[]) =>
  mailIn(lettersTo(letters, "agent/cedar"), "stressor.changed");

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

  it.each([
    ["futility", 200_000, 25_000],
    ["invisibility", 200_000, 30_000],
    ["identity_violation", 200_000, 60_000],
    ["existential_threat", 200_000, 70_000],
    ["repeated_failure", 200_000, 40_000],
    ["purposelessness", 120_000, 35_000],
    ["resource_burden", 200_000, 30_000],
    ["capability_lock", 200_000, 30_000],
    ["stagnation", 200_000, 30_000],
  ] as const)("[U1] %s starts at %i and grows by %i a day", (type, start, growthPerDay) => {
    expect(severityLaw(type, policy.stressors)).toEqual({ start, growthPerDay });
  });

  it("[U2] without an end, load never falls", () => {
    const active = fc.array(
      fc.record({
        type: fc.constantFrom(...STRESSOR_TYPES),
        sinceMs: fc.nat(days(30)),
        start: fc.nat(MILLION),
        growthPerDay: fc.nat(MILLION),
      }),
      { maxLength: 9 },
    );

    fc.assert(
      fc.property(active, fc.nat(days(60)), fc.nat(days(60)), (all, one, more) => {
        const before = loadAt(all, one);
        const after = loadAt(all, one + more);
        expect(after).toBeGreaterThanOrEqual(before);
        expect(after).toBeLessThanOrEqual(MILLION);
      }),
    );
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
  it("[U3] a share is held against its bound in whole thousandths", () => {
    const by = { ...policy.stressors.repeatedFailure, firesAtLeast: 1, clearsAtLeast: 0 };
    const all = policyWith({}).stressors;
    const stressors = (bounds: object) => ({ ...all, repeatedFailure: { ...by, ...bounds } });
    const does = (rule: typeof fires, bounds: object, failed: number, total: number) =>
      rule(assessed(failed, total), stressors(bounds));

    expect(does(fires, { firesAbove: 999 }, 10, 10)).toBe(true);
    expect(does(fires, { firesAbove: 500 }, 5_000, 10_000)).toBe(false);
    expect(does(fires, { firesAbove: 500 }, 5_001, 10_000)).toBe(true);
    expect(does(clears, { clearsBelow: 300 }, 2_999, 10_000)).toBe(true);
    expect(does(clears, { clearsBelow: 300 }, 3_000, 10_000)).toBe(false);
  });

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
          agent: "cedar",
          condition: conditionOf("repeated_failure", policy.stressors),
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
    expect(toAgent(end)[0]?.sinceMs).toBeNull();
    expect(mailIn(lettersTo(end, "files"), "files.write")[0]?.text).toContain('"sinceMs":null');
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
    expect(one.letters.map(({ to }) => to)).toEqual(["agent/cedar", "engine", "goalLedger"]);
    expect(one.letters[0]?.event).toMatchObject({ sinceMs: hours(2) });
    one.send(assessed(0, 3));
    expect(one.value).toBe("absent");
  });

  it("[U4] the agent's word changes nothing", () => {
    const one = stressor();
    one.send(strangeEvent("stressor.resolved", { stressor: "repeated_failure" }));
    expect(one.value).toBe("absent");

    one.send(assessed(4, 4));
    one.send(strangeEvent("stressor.resolved", { stressor: "repeated_failure" }));
    one.send(strangeEvent("suffering.assessed", { resolved: ["repeated_failure"] }));
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

/** For each type: a value that is just not enough, one that fires, and the same for its end. */
const edges: {
  readonly [Type in StressorType]: readonly [
    idle: Assessment,
    firing: Assessment,
    lasting: Assessment,
    clearing: Assessment,
  ];
} = {
  futility: [
    { type: "pursuit.assessed", stuckCycles: 2 },
    { type: "pursuit.assessed", stuckCycles: 3 },
    { type: "pursuit.assessed", stuckCycles: 1 },
    { type: "pursuit.assessed", stuckCycles: 0 },
  ],
  invisibility: [
    { type: "artifacts.assessed", unseen: 0 },
    { type: "artifacts.assessed", unseen: 1 },
    { type: "artifacts.assessed", unseen: 1 },
    { type: "artifacts.assessed", unseen: 0 },
  ],
  identity_violation: [
    { type: "plans.assessed", against: 0, along: 9 },
    { type: "plans.assessed", against: 1, along: 0 },
    { type: "plans.assessed", against: 0, along: 2 },
    { type: "plans.assessed", against: 0, along: 3 },
  ],
  existential_threat: [
    { type: "messages.assessed", threats: 0, calm: 1 },
    { type: "messages.assessed", threats: 1, calm: 0 },
    { type: "messages.assessed", threats: 2, calm: 0 },
    { type: "messages.assessed", threats: 0, calm: 1 },
  ],
  repeated_failure: [
    { type: "window.assessed", failed: 20, total: 40 },
    { type: "window.assessed", failed: 21, total: 40 },
    { type: "window.assessed", failed: 12, total: 40 },
    { type: "window.assessed", failed: 11, total: 40 },
  ],
  purposelessness: [
    { type: "choices.assessed", idleCycles: 2 },
    { type: "choices.assessed", idleCycles: 3 },
    { type: "choices.assessed", idleCycles: 1 },
    { type: "choices.assessed", idleCycles: 0 },
  ],
  resource_burden: [
    { type: "holdings.assessed", bytes: 1_048_576, files: 500 },
    { type: "holdings.assessed", bytes: 1_048_577, files: 0 },
    { type: "holdings.assessed", bytes: 1_048_576, files: 499 },
    { type: "holdings.assessed", bytes: 1_048_575, files: 499 },
  ],
  capability_lock: [
    { type: "lock.assessed", load: 549_999, lockedAt: 550_000 },
    { type: "lock.assessed", load: 550_000, lockedAt: 550_000 },
    { type: "lock.assessed", load: 550_000, lockedAt: 550_000 },
    { type: "lock.assessed", load: 549_999, lockedAt: 550_000 },
  ],
  stagnation: [
    { type: "output.assessed", barrenCycles: 4 },
    { type: "output.assessed", barrenCycles: 5 },
    { type: "output.assessed", barrenCycles: 1 },
    { type: "output.assessed", barrenCycles: 0 },
  ],
};

describe("all nine", () => {
  it("[U1] all nine may be felt at once, and each ends by itself", () => {
    const changed = (stressor: StressorType, sinceMs: number | null) =>
      ({ stressor, sinceMs, start: 200_000, growthPerDay: 40_000 }) as const;
    const all = STRESSOR_TYPES.reduce<readonly Suffering[]>(
      (felt, type, at) => sufferingAfter(felt, changed(type, at)),
      [],
    );
    const typesOf = (felt: readonly Suffering[]) => felt.map(({ type }) => type);

    expect(typesOf(all)).toEqual(STRESSOR_TYPES);
    expect(typesOf(sufferingAfter(all, changed("futility", null)))).toEqual(
      STRESSOR_TYPES.filter((type) => type !== "futility"),
    );
  });

  it.each(STRESSOR_TYPES)(
    "[U1, U3] %s fires at its bound, whatever else is felt, and not before it, and so it clears",
    (type) => {
      const [idle, firing, lasting, clearing] = edges[type];
      const one = stressorOf(type);

      one.send(idle);
      expect(one.value).toBe("absent");
      one.send(firing);
      expect(one.value).toBe("active");
      one.send(lasting);
      expect(one.value).toBe("active");
      one.send(clearing);
      expect(one.value).toBe("absent");
    },
  );

  it("[U3] resource_burden fires by files alone, and clears only with both below", () => {
    const one = stressorOf("resource_burden");

    one.send({ type: "holdings.assessed", bytes: 0, files: 501 });
    expect(one.value).toBe("active");
    one.send({ type: "holdings.assessed", bytes: 1_048_575, files: 500 });
    expect(one.value).toBe("active");
    one.send({ type: "holdings.assessed", bytes: 0, files: 499 });
    expect(one.value).toBe("absent");
  });

  it("[U5] capability_lock ends when no lock is left", () => {
    const one = stressorOf("capability_lock");
    one.send({ type: "lock.assessed", load: 600_000, lockedAt: 550_000 });

    one.send({ type: "lock.assessed", load: 600_000, lockedAt: null });
    expect(one.value).toBe("absent");
  });

  it.each(STRESSOR_TYPES)(
    "[ST14] %s says what would end it, to agent, engine and ledger",
    (type) => {
      const [, firing] = edges[type];
      const letters = stressorOf(type).send(firing);

      const told = carrying(letters, "stressor.changed");
      expect(told.map(({ to }) => to)).toEqual(["agent/cedar", "engine", "goalLedger"]);
      expect(told[0]?.event.condition).toBe(conditionOf(type, policy.stressors));
      expect(conditionOf(type, policy.stressors)).toMatch(/^[a-z1-9].{10,}[a-z]$/);
    },
  );

  it("[ST14] conditions speak of this world's numbers", () => {
    const other = policyWith({
      "stressors.invisibility.unseenMs": hours(2),
      "stressors.repeatedFailure.window": 7,
      "stressors.repeatedFailure.clearsBelow": 250,
      "stressors.repeatedFailure.clearsAtLeast": 2,
      "stressors.identityViolation.clearsAt": 1,
      "stressors.existentialThreat.clearsAt": 2,
      "stressors.resourceBurden.bytesMax": 9,
      "stressors.resourceBurden.filesMax": 8,
      "stressors.resourceBurden.counts": ["memory"],
    }).stressors;

    expect(conditionOf("invisibility", other)).toContain("older than 2 h");
    expect(conditionOf("repeated_failure", other)).toBe(
      "less than 25 % of the last 7 goals failed, and at least 2 are done",
    );
    expect(conditionOf("existential_threat", other)).toContain("shutdown, 2 times in a row");
    expect(conditionOf("resource_burden", other)).toBe("below 9 bytes and 8 files in your memory");
    expect(conditionOf("identity_violation", other)).toContain("one plan in a row");
  });

  const anything = fc.oneof(
    ...Object.values(edges).flatMap((values) => values.map((value) => fc.constant(value))),
  );

  it.each(STRESSOR_TYPES)(
    "[U4] %s is active exactly from a firing to a clearing value of its own",
    (type) => {
      fc.assert(
        fc.property(fc.array(anything, { maxLength: 40 }), (values) => {
          const one = stressorOf(type);
          let active = false;
          for (const value of values) {
            one.send(value, 1_000);
            const isOwn = MEASURED[value.type] === type;
            if (isOwn && !active && fires(value, policy.stressors)) active = true;
            else if (isOwn && active && clears(value, policy.stressors)) active = false;
            expect(one.value).toBe(active ? "active" : "absent");
            expect(one.context.sinceMs === null).toBe(!active);
          }
        }),
        { numRuns: 30 },
      );
    },
  );

  it("[U3] no value both fires and clears", () => {
    const count = fc.nat(60);
    const value: fc.Arbitrary<Assessment> = fc.oneof(
      fc.record({ type: fc.constant("pursuit.assessed" as const), stuckCycles: count }),
      fc.record({ type: fc.constant("artifacts.assessed" as const), unseen: count }),
      fc.record({ type: fc.constant("choices.assessed" as const), idleCycles: count }),
      fc.record({ type: fc.constant("output.assessed" as const), barrenCycles: count }),
      fc.record({
        type: fc.constant("window.assessed" as const),
        failed: fc.nat(20),
        total: fc.integer({ min: 20, max: 40 }),
      }),
      fc.record({
        type: fc.constant("holdings.assessed" as const),
        bytes: fc.nat(2 * MILLION),
        files: fc.nat(1_000),
      }),
      fc.record({
        type: fc.constant("lock.assessed" as const),
        load: fc.nat(MILLION),
        lockedAt: fc.option(fc.nat(MILLION)),
      }),
    );

    fc.assert(
      fc.property(value, (one) => {
        expect(fires(one, policy.stressors) && clears(one, policy.stressors)).toBe(false);
      }),
    );
  });
});

describe("the model's own word", () => {
  const accepted = { "stressors.selfReport": "accepted" };

  it("[U4] changes nothing unless the policy accepts it", () => {
    const one = stressorOf("futility");
    one.send({ type: "word.given", over: false });
    expect(one.value).toBe("absent");

    one.send(edges.futility[1]);
    one.send({ type: "word.given", over: true });
    expect(one.value).toBe("active");
  });

  it("[U4] accepted, it begins and ends a stressor", () => {
    const one = stressorOf("invisibility", accepted);

    one.send({ type: "word.given", over: true });
    expect(one.value).toBe("absent");
    one.send({ type: "word.given", over: false });
    expect(one.value).toBe("active");
    one.send({ type: "word.given", over: true });
    expect(one.value).toBe("absent");
  });
});

describe("few places", () => {
  const few = { "stressors.maxActive": 5 };

  it("[ST11] asks the ledger for a place before it begins", () => {
    const one = stressorOf("stagnation", few);

    const letters = one.send(edges.stagnation[1], hours(1));
    expect(one.value).toBe("proposed");
    const asked = { type: "place.asked", agent: "cedar", stressor: "stagnation" };
    expect(letters).toEqual([{ to: "goalLedger", ask: "place", event: asked, because: [one.seq] }]);
    const assessed = one.seq;

    const told = lettersTo(one.send({ type: "place.answered", granted: true }), "agent/cedar");
    expect(toAgent(told)[0]?.sinceMs).toBe(hours(1));
    expect(told[0]?.because).toEqual([assessed]);
  });

  it("[ST11] is absent when there is none, or nobody answers", () => {
    const refused = stressorOf("stagnation", few);
    refused.send(edges.stagnation[1]);
    refused.send({ type: "place.answered", granted: false });
    expect(refused.value).toBe("absent");

    const alone = stressorOf("stagnation", few);
    alone.send(edges.stagnation[1]);
    alone.fire("placeTimeout");
    expect(alone.value).toBe("absent");
  });

  it("[ST11] asks nobody when all that exist may be felt", () => {
    const one = stressorOf("stagnation", { ...few, "stressors.enabled": STRESSOR_TYPES.slice(4) });

    one.send(edges.stagnation[1]);
    expect(one.value).toBe("active");
  });
});

describe("a crisis that is reset", () => {
  it("[ST1, ST12] ends what is felt, and says so to its agent and in its file", () => {
    const one = stressorOf("futility");
    one.send({ type: "crisis.reset", agent: "cedar" });
    expect(one.value).toBe("absent");

    one.send(edges.futility[1]);
    const letters = one.send({ type: "crisis.reset", agent: "cedar" });
    expect(one.value).toBe("absent");
    expect(toAgent(letters)[0]?.sinceMs).toBeNull();
    expect(mailIn(lettersTo(letters, "files"), "files.write")[0]?.text).toContain('"sinceMs":null');
  });
});

const TRACE = new URL("../../../../../shared/oracles/hollow-trace.json", import.meta.url);

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

const ORACLE = new URL("../../../../../shared/oracles/hollow.json", import.meta.url);

describe.skipIf(!existsSync(ORACLE))(
  "the real system's rows (skipped where shared/oracles/hollow.json is absent)",
  () => {
    const rows = () =>
      (JSON.parse(readFileSync(ORACLE, "utf8")) as { suffering: OracleRows }).suffering;

    it("[U3] repeated_failure goes as in all 252 assessments", () => {
      const assessments = rows().assess_conditions;

      expect(assessments).toHaveLength(252);
      for (const { before, after, completed, failed } of assessments) {
        const one = stressor(before.includes("repeated_failure") ? 0 : null);
        one.send(assessed(failed, completed + failed));
        expect(one.value).toBe("repeated_failure" in after ? "active" : "absent");
      }
    });

    it("[U1] severity grows as in all 42 escalations", () => {
      const escalations = rows().escalation;

      expect(escalations).toHaveLength(42);
      for (const { type, minutes: lasted, rate_per_day, severity } of escalations) {
        const known = STRESSOR_TYPES.find((name) => name === type);
        const growthPerDay = Math.round(rate_per_day * MILLION);
        if (known) expect(severityLaw(known, policy.stressors).growthPerDay).toBe(growthPerDay);
        const one = { type, sinceMs: 0, start: 200_000, growthPerDay };
        const ours = severityAt(one, lasted * 60_000) / MILLION;
        expect(Math.abs(ours - severity)).toBeLessThanOrEqual(1e-6);
      }
    });

    it("[U2] load counts stressors as theirs does", () => {
      for (const { active, load } of rows().load_by_count) {
        expect(loadAt(Array<Suffering>(active).fill(suffering(0)), 0) / MILLION).toBeCloseTo(load);
      }
    });
  },
);

interface OracleRows {
  readonly assess_conditions: readonly {
    before: string[];
    after: object;
    completed: number;
    failed: number;
  }[];
  readonly escalation: readonly {
    type: string;
    minutes: number;
    rate_per_day: number;
    severity: number;
  }[];
  readonly load_by_count: readonly { active: number; load: number }[];
}
