import fc from "fast-check";
import { expect, test } from "vitest";
import { BadInput } from "../../src/edges/errors.ts";
import { shownValue } from "../../src/edges/scenario/leafValue.ts";
import { isTime, shareDigits } from "../../src/machines/policyLeaf.ts";
import { policyLeaves, profiles } from "../builtIn.ts";
import { checkOverrides, parseOverride, shownOverrides } from "../builtInScenarios.ts";

/** UTF-16 units of every kind, half pairs and control characters too. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

function refusalOf(run: () => unknown): BadInput {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof BadInput) return thrown;
    throw thrown;
  }
  throw new Error("nothing was refused");
}

test.each([
  ["router.kind=embedding", ["router.kind", "embedding"]],
  [" router.kind = embedding ", ["router.kind", "embedding"]],
  ["ghosts.nullIsFailure=false", ["ghosts.nullIsFailure", false]],
  ["planner.stepsPerCycle=8", ["planner.stepsPerCycle", 8]],
  ["model.gpuMs=6s", ["model.gpuMs", 6_000]],
  ["model.gpuMs=6000", ["model.gpuMs", 6_000]],
  ["registry.rescan=300s", ["registry.rescan", "300s"]],
  [
    "progress.outputCapabilities=[fs_write, fs_edit]",
    ["progress.outputCapabilities", ["fs_write", "fs_edit"]],
  ],
  [
    "progress.outputCapabilities=fs_write, fs_edit",
    ["progress.outputCapabilities", ["fs_write", "fs_edit"]],
  ],
  ["stressors.enabled=[]", ["stressors.enabled", []]],
  ["stressors.enabled=repeated_failure", ["stressors.enabled", ["repeated_failure"]]],
])("%s", (text, override) => {
  expect(parseOverride(text)).toEqual(override);
});

test.each([
  ["locks.constrained=.55", 550_000],
  ["locks.constrained=0.55", 550_000],
  ["locks.constrained=+0.550000000", 550_000],
  ["locks.constrained=1.0", 1_000_000],
  ["locks.constrained=1.", 1_000_000],
  ["locks.constrained=0.000001", 1],
  ["locks.constrained=1", 1],
  ["locks.constrained=-0.0", 0],
  // In floats 0.000123 * 1000000 falls short of 123.
  ["locks.constrained=0.000123", 123],
  ["stressors.repeatedFailure.clearsBelow=.29", 290],
  ["synt.reward.gate=.57", 570],
  ["live.temperature=1.5", 1_500],
  ["stressors.futility.growthPerDay=.025", 25_000],
])("[SC5] %s: a point means a share, an integer the leaf's unit", (text, value) => {
  expect(parseOverride(text)[1]).toBe(value);
});

test.each([
  [
    "locks.constrained=0.5500001",
    "found 0.5500001; allowed: a whole number 0 … 1000000",
    "6 digits",
  ],
  ["locks.constrained=0.0000001", "found 0.0000001", "6 digits"],
  ["synt.reward.gate=0.6501", "found 0.6501", "a share 0.0 … 1.0, at most 3 digits"],
  ["locks.constrained=1.5", "found 1.5", "0.0 … 1.0"],
  ["locks.constrained=-.5", "found -.5", "0.0 … 1.0"],
  ["locks.constrained=.", "found .", "share"],
  ["locks.constrained=5.5e-1", "found 5.5e-1", "share"],
  ["planner.stepsPerCycle=8.0", "found 8.0", "(steps), without a point: its unit is no share"],
  ["live.pricePerMillion=0.5", "found 0.5", "without a point: its unit is no share"],
  ["model.gpuMs=1.5", "found 1.5", "or a duration such as 6s"],
])("[SC5] %s is refused, and says what a point may mean", (text, ...says) => {
  const { message } = refusalOf(() => parseOverride(text));

  for (const words of says) expect(message).toContain(words);
});

test("[SC5] of a program, too, a number with a point is a share", () => {
  const set = { "locks.constrained": 0.55, "locks.dominant": 1 };

  expect(checkOverrides(set)).toEqual({ "locks.constrained": 550_000, "locks.dominant": 1 });
});

test("[SC5] every share is taken exactly as it is shown, and so is every time", () => {
  const numbers = policyLeaves().filter(([, leaf]) => leaf.kind === "integer");
  const value = fc.constantFrom(...numbers).chain(([path, leaf]) =>
    leaf.kind === "integer"
      ? fc.record({
          path: fc.constant(path),
          leaf: fc.constant(leaf),
          units: fc.integer({ min: leaf.min, max: leaf.max }),
        })
      : fc.constant(undefined),
  );

  fc.assert(
    fc.property(value, (drawn) => {
      if (drawn === undefined) return;
      const { path, leaf, units } = drawn;
      const [, shown] = /\((.*)\)$/.exec(shownValue(leaf, units)) ?? [];
      const again = isTime(leaf) ? shown?.replace(/ min/g, "m").replaceAll(" ", "") : shown;

      expect(shown === undefined).toBe(!isTime(leaf) && shareDigits(leaf) === undefined);
      expect(parseOverride(`${path}=${again ?? units}`)).toEqual([path, units]);
      expect(parseOverride(`${path}=${units}`)).toEqual([path, units]);
    }),
    { numRuns: 2_000 },
  );
});

test("[SC6] every leaf that is a time takes a duration", () => {
  const times = policyLeaves().filter(([path]) => /(?<!Per)Ms$/.test(path));

  expect(times.length).toBeGreaterThan(30);
  for (const [path, leaf] of times) {
    if (leaf.kind !== "integer") throw new Error(`${path} is no number`);
    expect([path, isTime(leaf)]).toEqual([path, true]);
    expect(parseOverride(`${path}=${leaf.max}ms`)).toEqual([path, leaf.max]);
    expect(refusalOf(() => parseOverride(`${path}=soon`)).message).toContain(
      "a duration such as 6s",
    );
  }
  expect(parseOverride("synt.locks.rejectMs=30d")[1]).toBe(2_592_000_000);
  expect(parseOverride("synt.night.atMs=1h30m")[1]).toBe(5_400_000);
  expect(parseOverride("live.timeoutMs=90s")[1]).toBe(90_000);
});

test("[SC5, SC6] the echo shows the leaf's unit and what was written", () => {
  const written = ["locks.constrained=.55", "model.gpuMs=90s", "router.kind=embedding"];
  const taken = Object.fromEntries([...written, "planner.stepsPerCycle=8"].map(parseOverride));

  expect(shownOverrides(taken)).toEqual([
    "locks.constrained = 550000 millionths (0.55)",
    "model.gpuMs = 90000 ms (1 min 30 s)",
    "router.kind = embedding",
    "planner.stepsPerCycle = 8 steps",
  ]);
});

test("a default of every leaf is taken as it is printed", () => {
  for (const [path, leaf] of policyLeaves()) {
    expect(parseOverride(`${path}=${JSON.stringify(leaf.default)}`)).toEqual([path, leaf.default]);
  }
});

test.each([
  "",
  "=",
  "=1",
  "router.kind",
  "router.kind=",
  "router.kind=Lexical",
  "router=1",
  "__proto__=1",
  "planner.stepsPerCycle=0",
  "planner.stepsPerCycle=1001",
  "planner.stepsPerCycle=8.5",
  "planner.stepsPerCycle=8s",
  "planner.stepsPerCycle='8'",
  "planner.stepsPerCycle=1e999",
  "ghosts.nullIsFailure=yes",
  "ghosts.nullIsFailure=1",
  "stressors.enabled=[repeated_failure, repeated_failure]",
  "stressors.enabled=*a",
  "stressors.enabled=[*a]",
  "stressors.enabled=!!js x",
  "stressors.enabled=[",
  "stressors.enabled=&a [*a]",
  "model.gpuMs=2h",
  "router.kind=\u0000",
])("%j is refused", (text) => {
  expect(refusalOf(() => parseOverride(text)).exitCode).toBe(2);
});

test("a wrong path comes with the nearest one", () => {
  expect(refusalOf(() => parseOverride("ghosts.preExecutionChek=true")).message).toBe(
    '--set: found "ghosts.preExecutionChek"; allowed: a path of the policy tree. ' +
      'Did you mean "ghosts.preExecutionCheck"?\n' +
      "`ghostlight policy` prints every path with what it allows.",
  );
});

test("a wrong value comes with what is allowed, and its unit", () => {
  expect(refusalOf(() => parseOverride("model.gpuMs=fast")).message).toContain(
    '--set model.gpuMs: found "fast"; allowed: a whole number 0 … 3600000 (ms), or a duration such as 6s\n',
  );
  expect(refusalOf(() => parseOverride("router.kind=lexicl")).message).toContain(
    'allowed: lexical | embedding | name. Did you mean "lexical"?',
  );
});

test("a record of overrides is taken whole or every fault is named", () => {
  expect(checkOverrides({ ...profiles["real"], "model.gpuMs": "1m" })).toEqual({
    ...profiles["real"],
    "model.gpuMs": 60_000,
  });
  const refused = refusalOf(() => checkOverrides({ "a.b": 1, "router.b": -1, "router.k1": 1 }));

  expect([refused, ...(refused.more ?? [])].map(({ where }) => where.path)).toEqual([
    "a.b",
    "router.b",
  ]);
});

test("any text is an override or refused", () => {
  const paths = policyLeaves().map(([path]) => path);
  const text = fc.oneof(
    anyText,
    fc.tuple(fc.constantFrom(...paths), fc.string()).map(([path, value]) => `${path}=${value}`),
  );
  fc.assert(
    fc.property(text, (written) => {
      try {
        const [path] = parseOverride(written);

        expect(paths).toContain(path);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(BadInput);
      }
    }),
  );
});
