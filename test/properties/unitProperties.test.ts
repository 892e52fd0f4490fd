import { describe, expect, it, vi } from "vitest";
import { synthesized } from "../../src/actors/agents/properties/synthesized.ts";
import { synthesisUnitProperties } from "../../src/actors/agents/properties/unit.ts";
import { syntUnitProperties } from "../../src/actors/synt/properties/unit.ts";
import * as naming from "../../src/machines/agents/synthesis/qualityGate.ts";
import * as locks from "../../src/machines/synt/desk/locks.ts";
import * as reward from "../../src/machines/synt/score/reward.ts";
import { tryUnit } from "../../src/run/check/check.ts";

vi.mock(import("../../src/machines/agents/synthesis/qualityGate.ts"), async (original) => {
  const real = await original();
  return { ...real, sanitizedName: vi.fn(real.sanitizedName) };
});

vi.mock(import("../../src/machines/synt/score/reward.ts"), async (original) => {
  const real = await original();
  return { ...real, reachable: vi.fn(real.reachable), reward: vi.fn(real.reward) };
});
vi.mock(import("../../src/machines/synt/desk/locks.ts"), async (original) => {
  const real = await original();
  return { ...real, isLocked: vi.fn(real.isLocked) };
});

const called = (id: string) => {
  const found = synthesisUnitProperties.find((property) => property.id === id);
  if (found === undefined) throw new Error(`no property ${id}`);
  return found;
};

describe.each(synthesisUnitProperties)("$id", (property) => {
  it("[PR3] fares over drawn inputs as it is expected to", () => {
    const { violation, moments } = tryUnit(property, 1, 500);

    expect(violation === null).toBe(property.expected === "holds");
    expect(moments).toBeGreaterThan(0);
  });
});

it("[PR3] the dedup window ends between 89,999 and 90,000 ms", () => {
  const verdictAt = (ageMs: number) => synthesized({ writtenMs: 5, nowMs: 5 + ageMs }).verdict;

  expect(verdictAt(89_999)).toBe("already_deployed");
  expect(verdictAt(90_000)).not.toBe("already_deployed");
});

it("[PR3] a broken rule is found, with the input that shows it", () => {
  vi.mocked(naming.sanitizedName).mockImplementation((given) => given.toLowerCase());

  const { violation } = tryUnit(called("sanitised-names-are-plain"), 1, 500);

  expect(violation?.says).toMatch(/becomes .* \(for \[/s);
  vi.mocked(naming.sanitizedName).mockReset();
});

it("[PR3] a failed step 9 leaves nothing, a failed step 8 the code", () => {
  const left = (answers: Parameters<typeof synthesized>[0], policy = {}) =>
    synthesized(answers, policy).files;

  expect(left({ call: "value" })).toEqual([".py", ".json"]);
  expect(left({ call: "none" })).toEqual([]);
  expect(left({ execFails: true })).toEqual([".py"]);
  expect(left({ execFails: true }, { "tools.cleanup": "both" })).toEqual([]);
});

describe.each(syntUnitProperties)("$id", (property) => {
  it("[SP13] holds over drawn inputs", () => {
    const { violation, moments } = tryUnit(property, 1, 300);

    expect(violation).toBeNull();
    expect(moments).toBe(300);
  });
});

describe("a broken formula of synt", () => {
  const breach = (id: string) => {
    const found = syntUnitProperties.find((one) => one.id === id);
    return found && tryUnit(found, 1, 300).violation?.says;
  };

  it("[SP13] a bonus that orders the strategies otherwise is found", async () => {
    const real = (await vi.importActual(
      "../../src/machines/synt/score/reward.ts",
    )) as typeof reward;
    vi.mocked(reward.reward).mockImplementation((measured, by) =>
      real.reward(measured, { ...by, bonus: { ...by.bonus, generalise: 900 } }),
    );

    expect(breach("synt-bonus-orders")).toMatch(/^R rises at generalise under profile/);
    vi.mocked(reward.reward).mockReset();
  });

  it("[SP13] a range that is too wide is found", () => {
    vi.mocked(reward.reachable).mockReturnValue({ least: [0, 1], most: [1, 1] });

    expect(breach("synt-range-is-reached")).toMatch(/^the range of \w+ is given as 0\/1 …/);
    vi.mocked(reward.reachable).mockReset();
  });

  it("[SP13] a lock that ends a millisecond late is found", () => {
    vi.mocked(locks.isLocked).mockImplementation((all, key, nowMs) => nowMs <= (all[key] ?? -1));

    expect(breach("synt-locks-last-to-the-millisecond")).toMatch(/^0 ms from the end .+ refused/);
    vi.mocked(locks.isLocked).mockReset();
  });
});
