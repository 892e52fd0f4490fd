// Sections of SPEC.md: Blame and prevent, on shares.
import { expect, it } from "vitest";
import { shares } from "../../src/run/causes/shares.ts";
import { NAMES, PLANTED, playing, type World } from "./planted.ts";

const sharesIn = (world: World, names: readonly string[], runs: number) =>
  shares({
    changes: names.map((id) => ({ kind: "choice", id }) as const),
    ...{ seed: 1, from: 10, runs, play: playing(world) },
  });
const world = (name: string): World => PLANTED[name] ?? (() => false);
const FILLERS = Array.from({ length: 8 }, (_, at) => `decoy${at}`);

/** By hand, from what each set is worth. */
const KNOWN: readonly (readonly [string, { readonly [name: string]: number }])[] = [
  ["chain", { a: 1 / 3, b: 1 / 3, c: 1 / 3 }],
  ["fork", { a: 1 }],
  ["collider", { a: 1 / 2, b: 1 / 2 }],
  ["conjunction", { a: 1 / 2, b: 1 / 2 }],
  ["overDetermined", { a: 1 / 3, b: 1 / 3, c: 1 / 3 }],
  ["preEmpted", { a: 2 / 3, b: 1 / 6, c: 1 / 6 }],
  ["pairOfPairs", { a: 1 / 4, b: 1 / 4, c: 1 / 4, d: 1 / 4 }],
  ["causeless", {}],
  ["never", {}],
];

it.each(KNOWN)(
  "[BL22] of %s the shares over all subsets are those known by hand",
  async (name, known) => {
    const { shares: told, whole, isExact } = await sharesIn(world(name), NAMES, 3);

    expect(isExact).toBe(true);
    for (const { says, share } of told) {
      expect(share.estimate).toBeCloseTo(known[says.replace("without ", "")] ?? 0, 12);
    }
    expect(whole).toBeCloseTo(Object.keys(known).length === 0 ? 0 : 1, 12);
  },
);

it("[BL22] six are shared over all subsets, seven over drawn orders", async () => {
  const of = async (count: number) =>
    (await sharesIn(world("fork"), ["a", ...FILLERS].slice(0, count), 2)).isExact;

  expect([await of(6), await of(7)]).toEqual([true, false]);
});

it.each(KNOWN)(
  "[BL22] of %s the shares over drawn orders hold the exact ones in their intervals",
  async (name, known) => {
    const { shares: told, n } = await sharesIn(world(name), [...NAMES, ...FILLERS], 400);

    expect(n).toBe(400);
    for (const { says, share } of told) {
      const own = known[says.replace("without ", "")] ?? 0;
      // Where all continuations agree there is no interval, and the estimate is all there is.
      expect(share.low ?? share.estimate).toBeLessThanOrEqual(own + 1e-12);
      expect(share.high ?? share.estimate).toBeGreaterThanOrEqual(own - 1e-12);
    }
  },
);

it("[BL22] by chance the shares add up to what leaving all of them out takes", async () => {
  const { shares: told, whole } = await sharesIn(world("byChance"), NAMES.toReversed(), 300);

  expect(told[0]).toMatchObject({ says: "without a" });
  expect(told[0]?.share.low).toBeGreaterThan(0.3);
  expect(told[0]?.share.low).toBeLessThan(0.5);
  expect(told[0]?.share.high).toBeGreaterThan(0.5);
  expect(whole).toBeCloseTo(told[0]?.share.estimate ?? 0, 12);
});

it("[BL22] a run that broke down counts as the world as it was", async () => {
  const broken = await shares({
    changes: [{ kind: "choice", id: "a" }],
    ...{ seed: 1, from: 0, runs: 2 },
    play: async (trials) =>
      trials.map(({ changes }) => ({
        ...{ occurred: changes.length === 0, costs: {} },
        outcome: changes.length === 0 ? "ended" : "limit:envelopes",
      })),
  });

  expect(broken.whole).toBe(0);
});

it.each([
  [6, 4],
  [7, 4],
  [6, 8],
  [7, 8],
])(
  "[BL62] of %i suspects continuations of an unknown outcome share out nothing, %i of 8",
  async (count, left) => {
    const play = playing(world("fork"));
    const seeds = new Set<number>();
    const names = ["a", ...FILLERS].slice(0, count);
    const told = await shares({
      changes: names.map((id) => ({ kind: "choice", id }) as const),
      ...{ seed: 1, from: 10, runs: 8 },
      play: async (trials) => {
        for (const { seed } of trials) seeds.add(seed);
        const unknown = new Set([...seeds].slice(0, left));
        return (await play(trials)).map((one, at) => ({
          ...one,
          isUnknown: unknown.has(trials[at]?.seed ?? 0) && trials[at]?.changes.length === 1,
        }));
      },
    });

    expect(told.n).toBe(8 - left);
    expect(told.unknown).toBeGreaterThanOrEqual(left);
    expect(told.whole).toBeCloseTo(left === 8 ? 0 : 1, 12);
  },
);
