import { describe, expect, it, vi } from "vitest";
import { tryUnit } from "../../src/check.ts";
import * as naming from "../../src/machines/synthesis/name.ts";
import { synthesized } from "../../src/properties/synthesized.ts";
import { unitProperties } from "../../src/properties/unitProperties.ts";

vi.mock(import("../../src/machines/synthesis/name.ts"), async (original) => {
  const real = await original();
  return { ...real, sanitizedName: vi.fn(real.sanitizedName) };
});

const called = (id: string) => {
  const found = unitProperties.find((property) => property.id === id);
  if (found === undefined) throw new Error(`no property ${id}`);
  return found;
};

describe.each(unitProperties)("$id", (property) => {
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
