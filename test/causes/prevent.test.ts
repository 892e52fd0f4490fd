// Sections of SPEC.md: Blame and prevent.
import { describe, expect, it } from "vitest";
import { answerOf, prevent, preventBy } from "../../src/run/causes/prevent.ts";
import { smallest, smallestSets } from "../../src/run/causes/smallest.ts";
import { Interrupted, type PlayTrials } from "../../src/run/causes/trial.ts";
import { pairedProportionInterval } from "../../src/studies/statistics/proportions.ts";
import { asked, PLANTED, playing, type World } from "./planted.ts";

const world = (name: string): World => PLANTED[name] ?? (() => false);

it.each([
  ["chain", ["without a", "without b", "without c"]],
  ["fork", ["without a"]],
  ["conjunction", ["without a", "without b"]],
  ["decoy", ["without a"]],
  ["byChance", ["without a"]],
])(
  "[BL4, BL5] of the planted world %s each single cause prevents it, and no sets are looked for",
  async (name, says) => {
    const { verified, togetherTried } = await prevent(asked(playing(world(name))));

    expect(verified.map((one) => one.says)).toEqual(says);
    expect(verified.map(answerOf)).toEqual(says.map(() => "gone"));
    expect(togetherTried).toBeNull();
  },
);

it.each(["limit", "bug"])(
  "[BL4] a change after which a run of the search ends by a %s is no answer, though none shows it",
  async (outcome) => {
    const play = playing(world("fork"));
    const breaking = (seed: number) =>
      prevent(
        asked(async (trials) =>
          (await play(trials)).map((one, at) =>
            trials[at]?.seed === seed && !one.occurred ? { ...one, outcome } : one,
          ),
        ),
      );
    const { searchSeeds } = await breaking(-1);

    expect((await breaking(-1)).verified.map(({ says }) => says)).toEqual(["without a"]);
    expect(searchSeeds).toHaveLength(4);
    for (const seed of searchSeeds) expect((await breaking(seed)).verified).toEqual([]);
  },
);

it.each([
  ["collider", ["without a and without b"]],
  ["overDetermined", ["without a and without b and without c"]],
  ["preEmpted", ["without a and without b", "without a and without c"]],
])(
  "[BL5] of the planted world %s only sets do, and nothing of one can be left out",
  async (name, says) => {
    const { verified, triedSingles, togetherTried } = await prevent(asked(playing(world(name))));

    expect(verified.map((one) => one.says).toSorted()).toEqual(says);
    expect([triedSingles, togetherTried]).toEqual([5, 5]);
  },
);

it("[BL5] of four sets as many as are looked for are found", async () => {
  const { verified } = await prevent(asked(playing(world("pairOfPairs"))));

  expect(verified).toHaveLength(3);
  for (const { says } of verified) expect(says).toMatch(/^without [ab] and without [cd]$/);
});

it("[BL6] where nothing in reach prevents it, that is the answer", async () => {
  const { verified, togetherTried, asItWas } = await prevent(asked(playing(world("causeless"))));

  expect(verified).toEqual([]);
  expect(togetherTried).toBe(5);
  expect(asItWas).toMatchObject({ hits: 20, n: 20 });
});

it("[BL6] where the outcome never comes about, nothing is searched", async () => {
  const play = playing(world("never"));
  const told = await prevent(asked(play));

  expect(told).toMatchObject({ searchSeeds: [], looked: 24, asItWas: null, verified: [] });
  expect(play.asked).toHaveLength(24);
});

it("[BL3] every seed of the search shows the outcome", async () => {
  const play = playing(world("byChance"));
  const { searchSeeds } = await prevent(asked(play));

  const shows = await play(searchSeeds.map((seed) => ({ seed, changes: [], isWhole: false })));
  expect(searchSeeds).toHaveLength(4);
  expect(shows.every(({ occurred }) => occurred)).toBe(true);
});

it("[BL3] no answer is verified on a seed that was searched", async () => {
  const play = playing(world("byChance"));
  const { asItWas } = await prevent(asked(play, { runs: 1_000 }));

  const searched = new Set(play.asked.filter((one) => !one.isWhole).map(({ seed }) => seed));
  const fresh = new Set(play.asked.filter((one) => one.isWhole).map(({ seed }) => seed));
  expect(fresh.size).toBe(1_000);
  expect([...fresh].filter((seed) => searched.has(seed))).toEqual([]);
  // The search chose runs that show it; the fresh ones do so as often as they do.
  expect(asItWas?.hits).toBeGreaterThan(440);
  expect(asItWas?.hits).toBeLessThan(560);
});

it("[BL62] what is unknown counts neither way, and a change of which all is unknown prevents nothing", async () => {
  const play = playing(world("fork"));
  const unknown =
    (id: string): PlayTrials =>
    async (trials) =>
      (await play(trials)).map((one, at) => {
        const { seed = 0, changes = [] } = trials[at] ?? {};
        const isLeft = changes.some((change) => "id" in change && change.id === id);
        return isLeft || (changes.length === 0 && seed % 2 === 0)
          ? { ...one, isUnknown: true }
          : one;
      });
  const variants = [{ variant: "no-a", changes: [{ kind: "choice", id: "a" }] as const }];
  const found = await prevent(asked(unknown("b")));
  const none = await prevent(asked(unknown("a")));
  const by = await preventBy(asked(unknown("a"), { variants }));
  const both = [{ kind: "choice", id: "a" } as const, { kind: "choice", id: "b" } as const];
  const joint = await prevent(
    asked(unknown("a"), { variants: [{ variant: "no-ab", changes: both }] }),
  );
  const all = await prevent(
    asked(async (trials) => (await play(trials)).map((one) => ({ ...one, isUnknown: true }))),
  );

  expect(found.verified).toMatchObject([{ says: "without a", hits: 0, still: { n: 20 } }]);
  expect(found.asItWas?.n).toBeLessThan(20);
  expect(found.asItWas?.hits).toBe(found.asItWas?.n);
  expect(found.verified[0]?.effect.n).toBe(found.asItWas?.n);
  expect(found.searchSeeds.filter((seed) => seed % 2 === 0)).toEqual([]);
  expect(none).toMatchObject({ verified: [], unknownSingles: 1, togetherTried: 4 });
  expect(by.verified.map(answerOf)).toEqual(["unknown"]);
  expect(by.verified.map(({ onFront }) => onFront)).toEqual([false]);
  expect(joint.variants).toMatchObject([{ variant: "no-ab", isUnknown: true }]);
  expect(all).toMatchObject({ asItWas: null, looked: 24, unknown: 24 });
});

it("[BL7] a change that makes it rarer is told from one that ends it, and one that does nothing", async () => {
  const rarer: World = (has, chance) => has("a") || chance("still", 300);
  const variants = ["a", "decoy"].map((id) => ({
    variant: `no-${id}`,
    changes: [{ kind: "choice", id }] as const,
  }));
  const { verified } = await preventBy(asked(playing(rarer), { variants, runs: 60 }));

  expect(verified.map(answerOf)).toEqual(["rarer", "no"]);
  const [first, second] = verified.map(({ effect }) => effect);
  expect(first?.high).toBeLessThan(0);
  expect(second).toMatchObject({
    ...{ estimate: 0, method: "paired difference of proportions, Newcombe" },
  });
  const told = [-0.01, 0].map((high) => {
    const effect = { ...pairedProportionInterval([[0, 1]], 0.95), n: 20, high };
    return answerOf({ hits: 0, effect });
  });
  expect(told).toEqual(["gone", "no"]);
  const less = { ...pairedProportionInterval([[0, 1]], 0.95), n: 20, high: -0.01 };
  expect(answerOf({ hits: 1, effect: less })).toBe("rarer");
});

it("[BL9] of a variant after which it is rarer it is said what of it suffices, too", async () => {
  const rarer: World = (has, chance) => has("a") || chance("still", 100);
  const changes = ["a", "decoy"].map((id) => ({ kind: "choice", id }) as const);
  const variants = [{ variant: "both", changes }];
  const { verified } = await preventBy(asked(playing(rarer), { variants, runs: 60 }));

  expect(verified.map((one) => [answerOf(one), one.suffices])).toEqual([["rarer", ["without a"]]]);
});

describe("what is verified", () => {
  const variants = [
    { variant: "one", changes: [{ kind: "choice", id: "a" }] as const },
    {
      variant: "both",
      changes: [
        { kind: "choice", id: "a" },
        { kind: "choice", id: "decoy" },
      ] as const,
    },
  ];
  const harmless: World = (has) => has("a");
  const found = () => preventBy(asked(playing(harmless), { variants }));

  it("[BL8] costs paired differences beyond chance", async () => {
    expect((await found()).verified[0]?.differences).toMatchObject([
      { metric: "goals.completed", asItWas: 7, changed: 9, isWorse: false },
    ]);
  });

  it("[BL8] is on the front where nothing else beats it", async () => {
    const { verified } = await found();

    expect(verified.map(({ onFront }) => onFront)).toEqual([true, false]);
    expect(verified[1]?.suffices).toEqual(["without a"]);
  });
});

it("[BL9] of a variant of several changes it is said which of them suffices", async () => {
  const change = (id: string) => ({ kind: "choice", id }) as const;
  const variants = [
    { variant: "either", changes: [change("a"), change("decoy")] },
    { variant: "neither", changes: [change("d"), change("decoy")] },
    { variant: "each", changes: [change("a"), change("decoy"), change("b")] },
  ];
  const { variants: told } = await prevent(asked(playing(world("chain")), { variants }));

  expect(told).toEqual([
    { variant: "either", prevents: true, suffices: ["without a"] },
    { variant: "neither", prevents: false, suffices: [] },
    { variant: "each", prevents: true, suffices: ["without a", "without b"] },
  ]);
});

it("[BL9] where no single part suffices the smallest set does, and one change alone is told as such", async () => {
  const change = (id: string) => ({ kind: "choice", id }) as const;
  const variants = [
    { variant: "both", changes: [change("a"), change("decoy"), change("b")] },
    { variant: "half", changes: [change("a"), change("decoy")] },
    { variant: "one", changes: [change("a")] },
  ];
  const suffices = ["without a and without b"];
  const collider = () => asked(playing(world("collider")), { variants });

  expect((await prevent(collider())).variants).toEqual([
    { variant: "both", prevents: true, suffices },
    { variant: "half", prevents: false, suffices: [] },
  ]);
  expect((await preventBy(collider())).verified.map((one) => [one.variant, one.suffices])).toEqual([
    ["both", suffices],
    ["half", undefined],
    ["one", undefined],
  ]);
  const never = await preventBy(asked(playing(world("never")), { variants }));
  expect(never.verified.map((one) => [answerOf(one), one.suffices])).toEqual(
    variants.map(() => ["no", undefined]),
  );
});

it("[BL10] says what it does and in how many runs, and what it found and did not verify", async () => {
  const steps: (readonly [string, number])[] = [];
  const onStep = (says: string, runs: number): void => void steps.push([says, runs]);
  const told = await prevent(asked(playing(world("chain")), { most: 2, onStep }));

  expect(steps).toEqual([
    ["looking for runs that show it", 0],
    ["trying 5 single changes", 4],
    // Five on the first seed, three on the other three.
    ["verifying 2 answers", 18],
  ]);
  expect(told).toMatchObject({
    ...{ searchSeeds: [1, 2, 3, 4], looked: 4, unverified: ["without c"], triedSingles: 5 },
    ...{ asItWas: { hits: 20, n: 20 }, togetherTried: null, variants: [], runs: 18 + 3 * 20 },
  });
  expect(told.verified.map(({ says, hits, effect }) => [says, hits, effect.estimate])).toEqual([
    ["without a", 0, -1],
    ["without b", 0, -1],
  ]);
});

it("[BL5, BL21] of all that is changed at once leaves have the value that a person tries first, numbers stay, and tools work", async () => {
  const set = (path: string, value: boolean | number | string[]) =>
    ({ kind: "set", path, value }) as const;
  const singles = [
    ...([
      { kind: "choice", id: "a" },
      { kind: "event", id: "b" },
    ] as const),
    ...([{ kind: "fault", does: "fails", tool: "c" }] as const),
    ...[set("p", true), set("p", false), set("q", 3), set("r", ["x"]), set("s", false)],
  ];
  const play = playing(world("causeless"));
  const { togetherTried } = await prevent(asked(play, { singles }));
  const whole = play.asked.find(({ changes }) => changes.length > 1)?.changes;

  expect(togetherTried).toBe(4);
  expect(whole).toEqual([singles[0], singles[1], set("p", true), set("s", false)]);
});

it("[BL10] interrupted, what the search found by then is known", async () => {
  const play = playing(world("chain"));
  let found: readonly string[] = [];
  const cut = asked(async (trials) => (trials.some((one) => one.isWhole) ? [] : play(trials)), {
    onFound: (says) => {
      found = says;
    },
  });

  await expect(prevent(cut)).rejects.toThrow(Interrupted);
  expect(found).toEqual(["without a", "without b", "without c"]);
});

it("[BL5] the smallest set that still does it has nothing to spare, wherever it lies", async () => {
  const whole = Array.from({ length: 40 }, (_, at) => at);
  for (const needed of [[0], [39], [3, 17], [1, 20, 38], [0, 1, 2, 3, 4]]) {
    const holds = async (sets: readonly (readonly number[])[]) =>
      sets.map((set) => needed.every((one) => set.includes(one)));

    expect(await smallest(whole, holds)).toEqual(needed);
    expect(await smallestSets(whole, holds, 5)).toEqual([needed]);
  }
});
