import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namedRandom, SEED_MAX } from "../../src/substrate/random.ts";

const draws = (seed: number, address: string, purpose: string, key: string | number) => {
  const stream = namedRandom(seed).at(address, purpose, key);
  return Array.from({ length: 4 }, () => stream.integer(0, 999_999));
};

describe("namedRandom", () => {
  it.each<[number, string, string, string | number, number[]]>([
    [0, "agent/cedar", "plan", 1, [25645, 233169, 178180, 657026]],
    [7, "agent/cedar", "plan", 1, [478884, 429991, 866931, 164484]],
    [7, "agent/cedar", "plan", 2, [237856, 673441, 372500, 243401]],
    [7, "agent/cedar", "goal.choose", 1, [305029, 323951, 650520, 522777]],
    [7, "agent/vault#2", "plan", 1, [46876, 97384, 702718, 825536]],
    [7, "agent/cedar", "plan", "1", [419429, 149631, 476002, 493873]],
    [SEED_MAX, "", "", "", [179768, 36935, 901984, 528329]],
  ])("[KN17] seed %d, %s, %s, call %s", (seed, address, purpose, key, expected) => {
    expect(draws(seed, address, purpose, key)).toEqual(expected);
  });

  it("[KN17] a stream does not depend on the others or on when it is drawn from", () => {
    const name = fc.tuple(fc.string(), fc.string(), fc.nat());

    fc.assert(
      fc.property(
        name,
        fc.array(name, { maxLength: 10 }),
        fc.nat(SEED_MAX),
        (one, others, seed) => {
          const alone = draws(seed, ...one);
          const random = namedRandom(seed);
          const stream = random.at(...one);

          const among = alone.map((_, index) => {
            for (const other of others.slice(index)) random.at(...other).integer(0, 9);
            return stream.integer(0, 999_999);
          });

          expect(among).toEqual(alone);
        },
      ),
    );
  });

  it("[KN17] the parts of a name do not run together", () => {
    expect(draws(1, "a", "b c", 1)).not.toEqual(draws(1, "a b", "c", 1));
    expect(draws(1, "a", "bc", 1)).not.toEqual(draws(1, "ab", "c", 1));
  });

  it("[KN17] draws whole numbers from both ends of the range and nothing outside", () => {
    const stream = namedRandom(3).at("a", "b", 1);

    const drawn = new Set(Array.from({ length: 1_000 }, () => stream.integer(-2, 2)));

    expect([...drawn].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2]);
  });

  it("[KN17] draws in proportion to the weights", () => {
    const stream = namedRandom(11).at("a", "weights", 1);
    const counts = [0, 0, 0, 0];

    for (let count = 0; count < 10_000; count++) {
      const index = stream.weighted([1, 0, 3, 6]);
      counts[index] = (counts[index] ?? 0) + 1;
    }

    expect(counts[1]).toBe(0);
    // Four standard deviations of 10,000 draws are at most 200.
    expect(Math.abs((counts[0] ?? 0) - 1_000)).toBeLessThan(120);
    expect(Math.abs((counts[2] ?? 0) - 3_000)).toBeLessThan(184);
    expect(Math.abs((counts[3] ?? 0) - 6_000)).toBeLessThan(196);
  });

  it("[KN17] draws evenly over many names", () => {
    const random = namedRandom(5);
    const counts = new Array<number>(10).fill(0);

    for (let key = 0; key < 10_000; key++) {
      const value = random.at("agent/cedar", "plan", key).integer(0, 9);
      counts[value] = (counts[value] ?? 0) + 1;
    }

    // Four standard deviations of a binomial with n = 10,000 and p = 0.1.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });

  it("[KN17] refuses weights that are all zero", () => {
    expect(() => namedRandom(1).at("a", "b", 1).weighted([0, 0])).toThrow("all be zero");
  });

  it.each([0, SEED_MAX])("[KN17] takes the seed %d", (seed) => {
    expect(() => namedRandom(seed)).not.toThrow();
  });

  it.each([-1, SEED_MAX + 1, 0.5, Number.NaN])("[KN17] refuses the seed %d", (seed) => {
    expect(() => namedRandom(seed)).toThrow("a seed is 0 … 2³²−1");
  });
});
