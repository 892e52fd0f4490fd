import { expect, it } from "vitest";
import { Bisection } from "../../../src/studies/search/bisection.ts";
import { proportionInterval } from "../../../src/studies/statistics/proportions.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

function searched(event: (level: number, luck: number) => boolean) {
  const search = new Bisection({ levels: 1001, replicates: 100 });
  let asked = 0;
  for (let level = search.ask(); level !== null; level = search.ask()) {
    const at = level;
    const luck = (one: number) => namedRandom(1).at("test", "luck", one).integer(0, 1000);
    search.tell(
      level,
      Array.from({ length: 100 }, (_, one) => event(at, luck(one))),
    );
    asked += 1;
  }
  return { asked, found: search.result() };
}

it("[ST84] finds where an event has probability one half, with an interval, from few levels", () => {
  const { asked, found } = searched((level, luck) => level + (luck - 500) / 2 > 400);

  expect(asked).toBeLessThan(25);
  expect(found).toMatchObject({ kind: "between" });
  if (found.kind !== "between") return;
  expect(found.low).toBeLessThanOrEqual(400);
  expect(found.high).toBeGreaterThanOrEqual(400);
  expect(found.high - found.low).toBeLessThan(300);
  expect(Math.abs(found.at - 400)).toBeLessThan(75);
});

it("[ST84] says where one half is not within the levels", () => {
  expect(searched(() => false).found).toEqual({ kind: "beyond", side: "rarer" });
  expect(searched((level, luck) => level < 500 || luck < 990).found.kind).toBe("beyond");
});

it("[ST85] where the event grows rarer on the same seeds, every level is asked for", () => {
  const falling = searched((level, luck) => luck < 900 - level / 2);

  expect(falling).toMatchObject({ asked: 1001, found: { kind: "notMonotone" } });
});

it("[ST85] a dip between levels that were not asked for stays unseen", () => {
  const { asked, found } = searched((level) => level > 100 && level < 700);

  expect(found.kind).toBe("beyond");
  expect(asked).toBe(2);

  const bent = searched((level) => level === 1000 || (level > 200 && level < 600));
  expect(bent.asked).toBeLessThan(20);
});

it("[ST84] takes two levels and one replicate, and no fewer", () => {
  const of = (levels: number, replicates: number) => () => new Bisection({ levels, replicates });

  expect(of(2, 1)().ask()).toBe(0);
  expect(of(1, 1)).toThrow("two levels and a replicate");
  expect(of(2, 0)).toThrow("two levels and a replicate");
});

it("[ST58, ST84] the upper end is the first commoner level above the last rarer one, whatever lies below it", () => {
  const search = new Bisection({ levels: 8, replicates: 40 });
  const told = (level: number, from: number, to: number) =>
    search.tell(
      level,
      Array.from({ length: 40 }, (_, seed) => seed >= from && seed < to),
    );
  told(0, 0, 0);
  told(1, 0, 2);
  for (const level of [3, 4]) told(level, 29, 40);
  for (const level of [5, 6, 7]) told(level, 0, 40);
  // By luck the event is commoner at level 2, on other seeds than those of level 3.
  told(2, 0, 29);

  expect(search.shares().map(({ side }) => side)).toEqual([
    ...["rarer", "rarer", "commoner", "rarer", "rarer", "commoner", "commoner", "commoner"],
  ]);
  // On the line from 2 of 40 at level 1 to 29 of 40 at level 2.
  const at = expect.closeTo(1 + (20 - 2) / (29 - 2), 12);
  expect(search.result()).toMatchObject({ kind: "between", low: 4, high: 5, at });
});

it("[ST58, ST84] shares the error of its intervals over the levels that it looks at, and asks on both ends", () => {
  // Of eight levels three are bisected for each end, beside the two ends.
  const replicates = 1_000;
  for (let hits = 440; hits <= 560; hits += 1) {
    const search = new Bisection({ levels: 8, replicates });
    search.tell(
      0,
      Array.from({ length: replicates }, (_, at) => at < hits),
    );
    const { low, high } = proportionInterval(hits, replicates, 1 - 0.05 / 8);
    const side = (high ?? 1) < 0.5 ? "rarer" : (low ?? 0) > 0.5 ? "commoner" : "undecided";
    expect(search.shares()).toEqual([{ level: 0, hits, replicates, side }]);
  }
});

it("[ST84] says that the upper end is not surely commoner", () => {
  const search = new Bisection({ levels: 8, replicates: 100 });
  search.tell(
    0,
    Array.from({ length: 100 }, () => false),
  );
  search.tell(
    7,
    Array.from({ length: 100 }, (_, at) => at < 50),
  );

  expect(search.result()).toEqual({ kind: "beyond", side: "undecided" });
});

it("[ST85] takes for chance what one pair of three would lose by chance", () => {
  const lost = (count: number) => {
    const search = new Bisection({ levels: 3, replicates: 40 });
    search.tell(
      0,
      Array.from({ length: 40 }, (_, at) => at < count),
    );
    search.tell(
      2,
      Array.from({ length: 40 }, () => true),
    );
    search.tell(
      1,
      Array.from({ length: 40 }, () => false),
    );
    return search.isMonotone();
  };

  // One in 32 is no less than a third of 0.05, one in 64 is.
  expect([lost(5), lost(6)]).toEqual([true, false]);
});

it("[ST85] what two levels said beyond chance stays said, though more pairs are looked at", () => {
  const search = new Bisection({ levels: 3, replicates: 40 });
  const told = (level: number, hits: number) => {
    search.tell(
      level,
      Array.from({ length: 40 }, (_, at) => at < hits),
    );
    return search.isMonotone();
  };

  // One in 32 is less than 0.05, and no less than a third of it.
  expect([told(0, 5), told(2, 0), told(1, 5)]).toEqual([true, false, false]);
  expect(search.result()).toMatchObject({ kind: "notMonotone" });
});
