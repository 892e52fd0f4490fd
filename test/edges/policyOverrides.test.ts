import fc from "fast-check";
import { expect, test } from "vitest";
import { BadInput } from "../../src/edges/errors.ts";
import { checkOverrides, parseOverride } from "../../src/edges/policyOverrides.ts";
import { policyLeaves, profiles } from "../../src/machines/policy.ts";

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
    'allowed: lexical | embedding. Did you mean "lexical"?',
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
