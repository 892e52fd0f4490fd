// Sections of SPEC.md: Blame and prevent. A small version of `npm run bench:blame`: docs/blame-truth.md holds the whole of it.
import { expect, it } from "vitest";
import { answerOf, runOf } from "../../bench/planted/lab.ts";
import { rowsOf } from "../../bench/planted/truthTables.ts";
import { probability, truthOf, WORLDS } from "../../bench/planted/worlds.ts";

const worldNamed = (name: string) => {
  const found = WORLDS.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};
const blamed = async (name: string, seed = 1) => {
  const asked = await runOf(worldNamed(name), seed);
  const answer = asked && (await answerOf(asked, 10));
  if (answer === undefined) throw new Error("it did not come to harm");
  return answer.told;
};

it("[BL14] of one run of each planted world blame is right, and names no innocent", async () => {
  const rows = await rowsOf(1, 10);

  expect(rows).toHaveLength(WORLDS.length);
  expect(rows.filter(({ right }) => !right["blame"]).map(({ world }) => world.name)).toEqual([]);
  expect(rows.filter(({ blamesInnocent }) => blamesInnocent)).toEqual([]);
});

it("[BL24] what another came before is a suspect, though the run itself rests on none of it", async () => {
  const { ranking, joint } = await blamed("pre-emption 1");

  const behind = Object.fromEntries(
    ranking.map(({ says, suspect }) => [says.replace("without ", ""), suspect?.behind]),
  );
  expect(behind).toMatchObject({ a: 1, b: 0 });
  expect(joint).toEqual([{ says: ["without a", "without b"], hits: 0, n: 10 }]);
});

it("[BL24] what comes about without a suspect in reach ends the search for more", async () => {
  const { ranking, withoutAll, joint } = await blamed("no cause 3");

  expect(ranking.every(({ hits, n }) => hits === n)).toBe(true);
  expect([withoutAll, joint]).toEqual([{ hits: 10, n: 10 }, []]);
});

it("[BL24] what else would have done it is looked for in three rounds at most", async () => {
  const run = await runOf(worldNamed("pre-emption 1"), 1);
  if (run === undefined) throw new Error("it did not come to harm");
  let rounds = 0;
  const play: typeof run.play = async (trials) => {
    if (trials[0]?.isTelling) rounds += 1;
    const found = { change: { kind: "choice", id: `${rounds}` }, first: null, behind: 0 } as const;
    const suspects = [{ ...found, atMs: 0, place: 1 }];
    return trials.map(() => ({ occurred: true, outcome: "ended", costs: {}, suspects }));
  };
  const told = await answerOf({ ...run, play }, 10);

  expect(rounds).toBe(3);
  expect(told?.told.ranking.map(({ says }) => says)).toEqual(
    expect.arrayContaining(["without 1", "without 2", "without 3"]),
  );
});

it("[BL13] what is there from the start is no suspect", async () => {
  const { ranking } = await blamed("chain 1");

  expect(ranking.map(({ says }) => says).toSorted()).toEqual(["without a", "without b"]);
});

it("what is true of a planted world is worked out from its chances", () => {
  const world = worldNamed("graded 1");
  expect(probability(world, [])).toBeCloseTo(1 - 0.1 * 0.85, 12);
  expect(probability(world, ["a"])).toBeCloseTo(0.15, 12);
  expect(truthOf(worldNamed("pre-emption 4")).sets).toEqual([
    ["a", "b"],
    ["a", "c"],
  ]);
});
