// Settings that do well in every scenario.
import { describe, expect, it } from "vitest";
import { robustSettings } from "../../src/studies/robust.ts";
import type { Factor, Robust } from "../../src/studies/study.ts";
import { numberStudy } from "./numberStudy.ts";

const list = (name: string, values: readonly string[], weights?: readonly number[]): Factor => ({
  ...{ kind: "list", name, values, isOrdered: false },
  ...(weights && { weights }),
});
const ROBUST: Robust = { outcome: "y", direction: "maximise", over: ["world"] };

/** By way and world: a value, and what luck adds in even replicates, which have none where it is null. */
type Table = {
  readonly [way: string]: { readonly [world: string]: readonly [number, number | null] | null };
};
const TABLE: Table = {
  bold: { calm: [10, 0], wild: [0, 0] },
  even: { calm: [7, 0], wild: [5, 0] },
  shy: { calm: [2, 0], wild: [6, 0] },
};

function valueIn([value, luck]: readonly [number, number | null], replicate: number) {
  if (replicate % 2 === 1) return value;
  return luck === null ? null : value + luck;
}

function found(
  table: Table,
  robust = ROBUST,
  weights?: readonly number[],
  ways?: readonly number[],
) {
  const worlds = Object.keys(Object.values(table)[0] ?? {});
  const factors = [list("way", Object.keys(table), ways), list("world", worlds, weights)];
  const cells = Object.entries(table).flatMap(([way, row]) =>
    Object.entries(row).map(([world, made]) => ({ values: { way, world }, made })),
  );
  const points = cells.map(({ values }, index) => ({ index, values }));
  const runs = cells.flatMap(({ made }, point) =>
    [0, 1, 2, 3].map((replicate) => ({
      ...{ point, replicate, seed: replicate, variant: null, outcome: "ended" },
      values: { y: made && valueIn(made, replicate) },
      ...{ faults: [], censored: [] },
    })),
  );
  return robustSettings(numberStudy({ factors }), robust, points, runs);
}
const regrets = (...of: Parameters<typeof found>) => found(...of).map(({ maxRegret }) => maxRegret);

describe("robust settings", () => {
  it("[ST240] lose at most so much to the best of each scenario", () => {
    expect(found(TABLE).map(({ setting }) => setting["way"])).toEqual(["bold", "even", "shy"]);
    expect(regrets(TABLE)).toEqual([6, 3, 8]);
    expect(regrets(TABLE, { ...ROBUST, direction: "minimise" })).toEqual([8, 5, 6]);
  });

  it("[ST240] a scenario is one setting of all the factors in `over`", () => {
    const made = { bold: [10, 0, 5, 5], even: [4, 3, 5, 5] };
    const worlds = ["calm", "wild"].flatMap((world) =>
      ["low", "high"].map((load) => ({ world, load })),
    );
    const points = Object.keys(made).flatMap((way, own) =>
      worlds.map((values, at) => ({ index: 4 * own + at, values: { way, ...values } })),
    );
    const runs = Object.values(made)
      .flat()
      .flatMap((y, point) =>
        [0, 1].map((replicate) => ({
          ...{ point, replicate, seed: replicate, variant: null, outcome: "ended" },
          ...{ values: { y }, faults: [], censored: [] },
        })),
      );
    const factors = [
      list("way", Object.keys(made)),
      ...[list("world", ["calm", "wild"]), list("load", ["low", "high"])],
    ];
    const robust = { ...ROBUST, over: ["world", "load"] };

    expect(
      robustSettings(numberStudy({ factors }), robust, points, runs).map((one) => one.maxRegret),
    ).toEqual([3, 6]);
  });

  it("[ST241] what luck made the best of even replicates is judged by odd ones", () => {
    const lucky = { ...TABLE, shy: { calm: [2, 20], wild: [6, 0] } } as const;

    // Chosen is shy in the calm world, and it is worth 2 there.
    expect(regrets(lucky)).toEqual([6, 1, 0]);
  });

  it("[ST242] satisfy in a share of the scenarios, by the weights of their factors", () => {
    const share = (robust: Robust, weights?: readonly number[]) =>
      found(TABLE, robust, weights).map(({ satisfied }) => satisfied);

    expect(share({ ...ROBUST, atLeast: 5 })).toEqual([0.5, 1, 0.5]);
    expect(share({ ...ROBUST, atLeast: 5 }, [3, 1])).toEqual([0.75, 1, 0.25]);
    expect(share({ ...ROBUST, atLeast: 5, atMost: 6 })).toEqual([0, 0.5, 0.5]);
    expect(share(ROBUST)).toEqual([null, null, null]);
    // With a second factor in `over` the weights of both are multiplied.
    const both = { ...ROBUST, over: ["world", "way"], atLeast: 5 };
    expect(found(TABLE, both, [3, 1], [1, 1, 2])[0]?.satisfied).toBe(9 / 16);
  });

  it("[ST243] have no regret where a scenario has no value, and satisfy nothing there", () => {
    const table = { ...TABLE, even: { calm: null, wild: [5, 0] } } as const;

    expect(regrets(table)).toEqual([6, null, 8]);
    expect(regrets({ ...TABLE, shy: { wild: [6, 0] } })).toEqual([6, 3, null]);
    expect(found(table, { ...ROBUST, atLeast: 5 })[1]?.satisfied).toBe(0.5);
    // Nor where some of its runs have none.
    const half = { ...TABLE, even: { calm: [7, null], wild: [5, 0] } } as const;
    expect(found(half, { ...ROBUST, atLeast: 5 })[1]?.satisfied).toBe(0.5);
    // Of listed points one may be missing.
    const listed = { ...TABLE, shy: { wild: [6, 0] } } as const;
    const share = (weights?: readonly number[]) =>
      found(listed, { ...ROBUST, atLeast: 5 }, weights)[2]?.satisfied;
    expect([share(), share([3, 1])]).toEqual([0.5, 0.25]);
  });
});
