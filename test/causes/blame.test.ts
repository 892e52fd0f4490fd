// Sections of SPEC.md: Blame and prevent.
import { describe, expect, it } from "vitest";
import { blameShown } from "../../src/edges/causes/blameText.ts";
import { type BlameOptions, blame, commitment, continuations } from "../../src/run/causes/blame.ts";
import type { Suspect } from "../../src/run/causes/suspects.ts";
import { Interrupted, type PlayTrials } from "../../src/run/causes/trial.ts";
import { NAMES, PLANTED, playing, type World } from "./planted.ts";

const suspect = (id: string, place: number): Suspect => ({
  change: { kind: "choice", id },
  ...{ first: `agent/x, plan, call ${place}`, atMs: place, place, behind: 1 },
});
const suspects = NAMES.map((id, at) => suspect(id, 10 + at));
const asked = (play: PlayTrials, more: Partial<BlameOptions> = {}): BlameOptions => ({
  ...{ seed: 1, suspects, leaves: [], from: 10, isExact: false, runs: 30, play },
  ...more,
});
const world = (name: string): World => PLANTED[name] ?? (() => false);
const blamed = (name: string, more?: Partial<BlameOptions>) =>
  blame(asked(playing(world(name)), more));

describe("planted worlds", () => {
  it.each([
    ["chain", ["a", "b", "c"]],
    ["fork", ["a"]],
    ["conjunction", ["a", "b"]],
    ["byChance", ["a"]],
    ["decoy", ["a"]],
    ["collider", []],
    ["overDetermined", []],
    ["preEmpted", []],
    ["causeless", []],
  ])("[BL14] of %s those have an effect that have one, and nothing else", async (name, causes) => {
    const { ranking } = await blamed(name);

    const telling = ranking.filter(({ effect }) => (effect?.low ?? 0) > 0).map(({ says }) => says);
    expect(telling.toSorted()).toEqual(causes.map((one) => `without ${one}`));
    expect(
      ranking
        .slice(0, causes.length)
        .map(({ says }) => says)
        .toSorted(),
    ).toEqual(telling.toSorted());
  });

  it.each([
    ["collider", [["a", "b"]]],
    ["overDetermined", [["a", "b", "c"]]],
    [
      "preEmpted",
      [
        ["a", "b"],
        ["a", "c"],
      ],
    ],
    [
      "pairOfPairs",
      [
        ["a", "c"],
        ["a", "d"],
        ["b", "c"],
        ["b", "d"],
      ],
    ],
    ["chain", []],
    ["causeless", []],
  ])("[BL16] of %s the sets are found that only work together", async (name, sets) => {
    const { joint, withoutAll } = await blamed(name);

    const found = joint.map(({ says }) =>
      says.map((one) => one.replace("without ", "")).toSorted(),
    );
    expect(found.toSorted()).toEqual(sets);
    expect(withoutAll).toEqual({ hits: name === "causeless" ? 30 : 0, n: 30 });
  });

  it("[BL14] over many seeds the cause comes first, and a world without one blames nobody", async () => {
    const rare: World = (has, chance) => (has("c") && chance("c", 600)) || chance("else", 150);
    const luck: World = (_, chance) => chance("luck", 500);
    let [first, falsely] = [0, 0];
    const worlds = 40;
    for (let seed = 1; seed <= worlds; seed += 1) {
      const told = await blame(asked(playing(rare), { seed: seed * 1_000 }));
      if (told.ranking[0]?.says === "without c") first += 1;
      const none = await blame(asked(playing(luck), { seed: seed * 1_000 }));
      if (none.ranking.some(({ effect }) => (effect?.low ?? 0) > 0)) falsely += 1;
    }

    expect(first / worlds).toBeGreaterThanOrEqual(0.95);
    expect(falsely / worlds).toBeLessThanOrEqual(0.05);
  });
});

it("[BL13] every arm goes on from the common point", async () => {
  const play = playing(world("chain"));
  await blame(asked(play));

  expect(new Set(play.asked.map(({ from }) => from))).toEqual(new Set([10]));
});

it("[BL13] each continuation has a seed of its own, the same in every arm", async () => {
  const play = playing(world("chain"));
  await blame(asked(play));

  const seedsOf = (names: readonly string[]) =>
    play.asked
      .filter(({ changes }) => changes.length === names.length)
      .filter(({ changes }) => changes.every((one) => "id" in one && names.includes(one.id)))
      .map(({ seed }) => seed);
  expect(new Set(seedsOf([])).size).toBe(30);
  expect(seedsOf(["a"]).slice(0, 30)).toEqual(seedsOf([]).slice(0, 30));
});

it("[BL15] exact asks each once under the run's own seed, yes or no, and claims no interval", async () => {
  const play = playing(world("chain"));
  const { ranking, asItWas } = await blame(asked(play, { isExact: true, seed: 7 }));

  expect(new Set(play.asked.map(({ seed }) => seed))).toEqual(new Set([7]));
  expect(asItWas).toMatchObject({ hits: 1, n: 1 });
  expect(ranking.map(({ says, hits, effect }) => [says, hits, effect])).toEqual([
    ["without a", 0, null],
    ["without b", 0, null],
    ["without c", 0, null],
    ["without d", 1, null],
    ["without decoy", 1, null],
  ]);
});

it("[BL14] intervals of a ranking are simultaneous: the more there are, the wider each", async () => {
  const few = await blamed("fork", { suspects: suspects.slice(0, 1) });
  const many = await blamed("fork");
  const widthOf = ({ ranking }: typeof few): number => {
    const { low, high } = ranking[0]?.effect ?? {};
    return (high ?? 0) - (low ?? 0);
  };

  expect([few.confidence, many.confidence]).toEqual([1 - 0.05 / 2, 1 - 0.05 / 6]);
  expect(widthOf(many)).toBeGreaterThan(widthOf(few));
});

it("[BL17] a leaf whose other values change nothing at first is left, and counted", async () => {
  const set = (value: boolean) => ({ kind: "set", path: "locks.enabled", value }) as const;
  const guarded: PlayTrials = async (trials) =>
    trials.map(({ changes }) => {
      const isOn = changes.some((one) => one.kind === "set" && one.value === true);
      return { occurred: !isOn, outcome: "ended", costs: {} };
    });
  const { ranking, indifferent } = await blame(
    asked(guarded, { suspects: [], leaves: [set(true), set(false)] }),
  );

  expect(ranking.map(({ says, hits }) => [says, hits])).toEqual([["locks.enabled: true", 0]]);
  expect(indifferent).toBe(1);
});

it("[BL17, BL62] the first four continuations say whether a leaf is tried; of some that is unknown", async () => {
  const seeds = continuations({ seed: 1, isExact: false }, 5);
  const leaf = (path: string) => ({ kind: "set", path, value: true }) as const;
  const play: PlayTrials = async (trials) =>
    trials.map(({ seed, changes: [change] }) => {
      const path = change?.kind === "set" ? change.path : "none";
      const occurred = !path.startsWith("at ") || seed !== seeds[Number(path.slice(3))];
      return { occurred, outcome: "ended", costs: {}, isUnknown: path === "unknown" };
    });
  const { ranking, indifferent, unknownValues } = await blame(
    asked(play, { suspects: [], leaves: ["at 3", "at 4", "unknown"].map(leaf) }),
  );

  expect(ranking.map(({ says, hits }) => [says, hits])).toEqual([["at 3: true", 29]]);
  expect([indifferent, unknownValues]).toEqual([1, 1]);
});

it("[BL14] a continuation that breaks down prevents nothing", async () => {
  const broken: PlayTrials = async (trials) =>
    trials.map(() => ({ occurred: false, outcome: "limit:envelopes", costs: {} }));
  const { ranking } = await blame(asked(broken));

  expect(ranking.every(({ hits, n }) => hits === n)).toBe(true);
});

it("[BL14] ranked is by the share that still comes about, however few of them are known", async () => {
  const play = playing((has, chance) => has("b") || chance("luck", 500));
  const partly: PlayTrials = async (trials) =>
    (await play(trials)).map((one, at) => {
      const [change] = trials[at]?.changes ?? [];
      return {
        ...one,
        isUnknown: change !== undefined && "id" in change && change.id === "a" && at % 5 > 0,
      };
    });
  const { ranking } = await blame(asked(partly));
  const [least, next] = ranking;

  expect([least?.says, next?.says, next?.hits === next?.n]).toEqual([
    "without b",
    "without a",
    true,
  ]);
  expect(next?.hits).toBeLessThan(least?.hits ?? 0);
});

it("[BL18] along the run it is played on from each moment, as it was", async () => {
  // Certain from the third moment on, and as likely as a coin before.
  const play: PlayTrials = async (trials) =>
    trials.map(({ seed, from = 0 }) => ({
      ...{ occurred: from >= 30 || seed % 2 === 0, outcome: "ended", costs: {} },
    }));
  const moments = [10, 20, 30, 40].map((place) => ({ atMs: place, place }));
  const curve = await commitment(moments, { seed: 1, runs: 20, play });

  expect(curve.map(({ hits }) => hits)).toEqual([10, 10, 20, 20]);
  expect(curve.map(({ atMs, n }) => [atMs, n])).toEqual([10, 20, 30, 40].map((one) => [one, 20]));
});

it("[BL14] says what it does and in how many runs; what was played is not played again", async () => {
  const steps: (readonly [string, number])[] = [];
  const found: (readonly string[])[] = [];
  const { runs, looks, asItWas, indifferent } = await blame(
    asked(playing(world("fork")), {
      onStep: (says, count) => void steps.push([says, count]),
      onFound: (says) => void found.push(says),
    }),
  );

  expect(steps).toEqual([
    ["going on as it was", 0],
    ["trying 0 values of the policy", 30],
    ["leaving out or changing 5 one by one", 30],
    ["leaving out all of them, and fewer", 180],
  ]);
  // All of them, and all but the one that is enough alone.
  expect([runs, looks, indifferent, asItWas.hits, asItWas.n]).toEqual([240, 1, 0, 30, 30]);
  expect(found.map(([first]) => first)).toEqual([
    ...["without a: 0 of 10", "without a: 0 of 20", "without a: 0 of 30"],
  ]);
  expect(found.map((says) => says.at(-1))).toEqual([
    ...["without decoy: 10 of 10", "without decoy: 20 of 20", "without decoy: 30 of 30"],
  ]);
});

it("[BL19] interrupted, what was left out by then is known", async () => {
  let found: readonly string[] = [];
  const play = playing(world("chain"));
  let rounds = 0;
  const cut: PlayTrials = async (trials) => (++rounds > 2 && trials.length > 0 ? [] : play(trials));
  const onFound = (says: readonly string[]): void => {
    found = says;
  };

  await expect(blame(asked(cut, { onFound }))).rejects.toThrow(Interrupted);
  expect(found[0]).toBe("without a: 0 of 10");
});

it("[BL19] [BL62] interrupted, plays of an unknown outcome are told beside those that are known", async () => {
  let found: readonly string[] = [];
  const play = playing(world("chain"));
  const halfUnknown: PlayTrials = async (trials) =>
    (await play(trials)).map((tried, at) =>
      trials[at]?.changes.length === 1 && at % 2 === 1 ? { ...tried, isUnknown: true } : tried,
    );
  await blame(asked(halfUnknown, { onFound: (says) => (found = says) }));

  expect(found[0]).toBe("without a: 0 of 15, unknown in 15");
});

it("[BL16] what luck brings about as well is left to it: a set does as much as leaving out all", async () => {
  // Either does it, and in one of five something else does.
  const either: World = (has, chance) => has("a") || has("b") || chance("else", 200);
  const { joint, withoutAll } = await blame(asked(playing(either)));

  expect(withoutAll?.hits).toBeGreaterThan(0);
  expect(joint).toEqual([{ says: ["without a", "without b"], ...withoutAll }]);
});

it("[BL16] beside one that is enough alone one set of others is looked for, and no more", async () => {
  // Without b and c it is gone, and without b and d likewise.
  const both: World = (has) => has("a") && (has("b") || (has("c") && has("d")));
  const { joint, ranking } = await blame(asked(playing(both)));

  expect(ranking[0]?.says).toBe("without a");
  expect(joint.map(({ says }) => says)).toEqual([["without b", "without c"]]);

  // The third of them is needed in one of ten alone: it is not looked for again with those.
  const rare: World = (has, chance) =>
    has("a") && (has("b") || has("d") || (has("c") && chance("c", 100)));
  const beside = await blame(asked(playing(rare), { runs: 60 }));
  expect(beside.joint.map(({ says }) => says)).toEqual([["without b", "without d"]]);
});

it("[BL16] sets are of what is left out alone, of this very run too, and of what is beyond chance", async () => {
  const saysOf = async (given: World, more: Partial<BlameOptions> = {}) => {
    const { joint, withoutAll } = await blame(asked(playing(given), more));
    return [joint.map(({ says }) => says.map((one) => one.at(-1)).join("")), withoutAll?.hits];
  };
  const mail = { ...suspect("m", 15), change: { kind: "mail", id: "m" } } as const;

  expect(
    await saysOf((has) => has("a") || has("b") || has("m"), { suspects: [...suspects, mail] }),
  ).toEqual([[], 30]);
  expect(await saysOf(world("overDetermined"), { isExact: true, seed: 7 })).toEqual([["abc"], 0]);
  expect(await saysOf(world("never"))).toEqual([[], undefined]);
  const [none, hits] = await saysOf((has, chance) => has("a") || has("b") || chance("else", 900));
  expect(none).toEqual([]);
  expect(hits).toBeLessThan(30);
  // Shrunk on continuations that show it, of which there is none among the first four.
  const seldom: World = (has, chance) => (has("a") || has("b")) && chance("now", 200);
  expect(await saysOf(seldom, { runs: 60 })).toEqual([["ab"], 0]);
});

it("[BL16] it is looked for again three times at most", async () => {
  const names = Array.from({ length: 24 }, (_, n) => `n${n}`);
  // One of them is needed in each continuation, whichever.
  const each: PlayTrials = async (trials) =>
    trials.map(({ seed, changes }) => {
      const needed = names[seed % 24];
      const gone = changes.flatMap((one) => ("id" in one ? [one.id] : []));
      const occurred = !gone.includes("a") || !gone.includes(needed ?? "");
      return { occurred, outcome: "ended", costs: {} };
    });
  const all = ["a", ...names].map((id, at) => suspect(id, at));
  const { joint } = await blame(asked(each, { suspects: all, runs: 60 }));

  expect(joint[0]?.says.length).toBeLessThanOrEqual(1 + 16);
  expect(joint[0]?.hits).toBeGreaterThan(0);
});

it("[BL16] a set that the first continuations make too small is looked for again with those in which it fails", async () => {
  // The third one is needed in one of ten alone, and not in the first.
  const rare: World = (has, chance) => has("a") || has("b") || (has("c") && chance("c", 100));
  const { joint } = await blame(asked(playing(rare), { runs: 60 }));

  expect(joint.map(({ says }) => says)).toEqual([["without a", "without b", "without c"]]);
});

describe("as long as there is time", () => {
  // One of them always, one in three of ten more often, and three of which nothing comes.
  const graded: World = (has, chance) =>
    (has("a") && chance("a", 700)) || (has("b") && chance("b", 300)) || chance("else", 100);
  const timed = (looks: number) => {
    let left = looks - 1;
    return { runs: 480, hasTime: () => left-- > 0 };
  };

  it("[BL26] what is decided has no more continuations, and the rest twice as many", async () => {
    const told = await blame(asked(playing(graded), timed(3)));
    const n = Object.fromEntries(told.ranking.map((one) => [one.says, one.n]));

    expect(told.looks).toBe(3);
    expect(n).toMatchObject({ "without a": 30, "without decoy": 120 });
    expect(told.asItWas.n).toBe(120);
  });

  it("[BL26] each look has less of what may go wrong, and the first the half of it", async () => {
    const once = await blame(asked(playing(graded), timed(1)));
    const twice = await blame(asked(playing(graded), timed(2)));

    expect(once.confidence).toBeCloseTo(1 - 0.05 / 6 / 2, 12);
    expect(twice.confidence).toBeCloseTo(1 - 0.05 / 6 / 6, 12);
  });

  it("[BL26] it ends where all is decided, or where there are as many as were asked for", async () => {
    const all = await blame(
      asked(playing(world("fork")), { suspects: suspects.slice(0, 1), ...timed(9) }),
    );
    const most = await blame(asked(playing(graded), { ...timed(9), runs: 50 }));

    expect(all.looks).toBe(1);
    expect([most.looks, most.asItWas.n]).toEqual([2, 50]);
  });
});

it("[VW40] a suspect that had no part in the run leads to no delivery of it", async () => {
  const [none, some] = [{ ...suspect("a", 10), behind: 0 }, suspect("b", 11)];
  const told = await blamed("fork", { suspects: [none, some] });
  const effect = { kind: "asked", question: "goal:x/1", says: "it failed" } as const;
  const of = { starts: 1, suspects: 2, unranked: 0, fromMs: 0, curve: undefined };
  const { ranking } = blameShown({ told, effect, isExact: false, shared: undefined, ...of }, []);

  expect(ranking.map(({ says, place }) => [says, place])).toEqual([
    ["without a", null],
    ["without b", 11],
  ]);
});

it("[BL62] a continuation whose outcome is unknown counts neither way, and who has no other decides nothing", async () => {
  const play = playing(world("fork"));
  const leaving: PlayTrials = async (trials) =>
    (await play(trials)).map((one, at) => {
      const { seed = 0, changes = [] } = trials[at] ?? {};
      const ids = changes.flatMap((change) => ("id" in change ? [change.id] : []));
      const isUnknown = ids.includes("b") || (ids.includes("a") && seed % 2 === 0);
      return { ...one, isUnknown };
    });
  const told = await blame(asked(leaving));
  const { ranking, asItWas, unknown = 0, withoutAll } = told;
  const curve = await commitment([{ atMs: 0, place: 0 }], {
    ...{ seed: 1, runs: 10 },
    play: async (trials) => (await play(trials)).map((one, at) => ({ ...one, isUnknown: at < 4 })),
  });
  const found = (says: string) => ranking.find((one) => one.says === says);

  expect(asItWas).toMatchObject({ hits: 30, n: 30 });
  expect(found("without a")).toMatchObject({ hits: 0, effect: { estimate: 1 } });
  expect(found("without a")?.n).toBeLessThan(30);
  expect(found("without a")?.effect?.n).toBe(found("without a")?.n);
  expect(ranking.at(-1)).toMatchObject({ says: "without b", n: 0, effect: { n: 0, low: null } });
  expect(withoutAll).toEqual({ hits: 0, n: 0 });
  expect(unknown).toBeGreaterThan(30);
  expect(curve).toMatchObject([{ hits: 6, n: 6, unknown: 4 }]);
  const unknownAll: PlayTrials = async (trials) =>
    (await play(trials)).map((one) => ({ ...one, isUnknown: true }));
  const moment = [{ atMs: 0, place: 0 }];
  expect(await commitment(moment, { seed: 1, runs: 10, play: unknownAll })).toEqual([]);
  const effect = { kind: "asked", question: "goal:x/1", says: "it failed" } as const;
  const of = { starts: 1, suspects: 5, unranked: 0, fromMs: 0, shared: undefined };
  const { head } = blameShown({ told, curve, effect, isExact: false, ...of }, []);
  expect(head).toMatch(
    new RegExp(`^The outcome of ${unknown + 4} of ${told.runs + 10} plays is unknown: `),
  );
});
