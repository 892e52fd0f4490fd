// Many runs and many worlds: the same in one thread as in several.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { cacheFolder } from "../../src/edges/play/keptAnswers.ts";
import { checkedLists, worldsFor } from "../../src/edges/pool/checkWorlds.ts";
import { helpers, playAll } from "../../src/edges/pool/pool.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { minutes } from "../../src/machines/units.ts";
import { propertiesOf } from "../../src/run/check/catalogue.ts";
import { checkAll } from "../../src/run/check/check.ts";
import { loadScenario } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";

const { scenario } = loadScenario("synt-chain-choice");
const jobs = [5, 6].flatMap((seed) =>
  [null, ...Object.keys(scenario.variants)].map((variant) => ({ variant, seed })),
);
const settings = { scenario, set: {}, untilMs: minutes(45), level: "recorded" } as const;
// What Python answers is kept: whether a thread runs it itself is another question.
const work = { ...settings, sandbox: "pyodide", cache: cacheFolder(undefined) } as const;

it("[VB34] runs of many seeds and variants are the same, in the same order, with one worker or with several", async () => {
  const one = await playAll(work, jobs, { threads: 1 });
  const many = await playAll(work, jobs, { threads: 2 });

  expect(one.map(({ variant, seed }) => ({ variant, seed }))).toEqual(jobs);
  expect(new Set(one.map(({ digest }) => digest)).size).toBeGreaterThan(1);
  expect(many).toEqual(one);
});

it("[VB8] of runs that are interrupted those are told that were over by then", async () => {
  const over = new AbortController();
  const { signal } = over;

  const played = await playAll(work, jobs, { threads: 1, signal, onDone: () => over.abort() });

  expect(played.length).toBeGreaterThan(0);
  expect(played.length).toBeLessThan(jobs.length);
  expect(played.map(({ variant, seed }) => ({ variant, seed }))).toEqual(
    jobs.slice(0, played.length),
  );
});

it.each([
  ["ends the process", "process.exit(0);", /ended before its command was done/],
  ["throws as it loads", 'throw new Error("adrift");', /adrift/],
])("[PT16] runs are no success with a part that %s", async (_what, does, says) => {
  const file = join(newFolder(), "broken.ts");
  writeFileSync(file, does);

  const played = playAll({ ...work, partFiles: [file] }, jobs, { threads: 2 });

  await expect(played).rejects.toThrow(says);
});

interface Asked {
  /** Besides the one that asks. */
  readonly threads: number;
  readonly runs?: number;
  /** Interrupted after so many worlds. */
  readonly stopAt?: number;
  readonly partFiles?: readonly string[];
}

/** A check of random worlds; `elsewhere` counts those that other threads played. */
async function check({ threads, runs = 4, stopAt = runs, partFiles }: Asked) {
  const lists = await checkedLists(builtIn);
  const chosen = propertiesOf(lists.promised);
  const worlds = worldsFor(
    lists,
    null,
    { set: {}, chosen },
    { sandbox: lazySandbox(), shell: lazyShell() },
  );
  const first = 40;
  const ids = chosen.map(({ id }) => id);
  const work = {
    ...{ near: null, set: {}, chosen: ids, first, runs },
    interpreter: "tables",
    cache: null,
    partFiles,
  } as const;
  const over = new AbortController();
  const sharing = helpers(work, { threads, afterMs: 0, signal: over.signal });
  const onPlay = async (plays: number): Promise<boolean> => {
    const helped = threads > 0 && partFiles === undefined;
    // A thread takes a while to start: this one waits for it, so that both play some.
    if (helped) await expect.poll(sharing.done, { interval: 10 }).toBeGreaterThan(0);
    if (plays >= stopAt) over.abort();
    return over.signal.aborted;
  };
  const plan = { worlds, chosen, first, runs, playsMax: 1 };
  const { tried, lines } = await checkAll(plan, onPlay, sharing);
  return { tried, lines, elsewhere: sharing.done() };
}

const alone = await check({ threads: 0 });

it("[PR17] a check is the same, world by world, whether other threads play some of it or none", async () => {
  expect(alone.tried.map(({ seed }) => seed)).toEqual([40, 41, 42, 43]);
  expect(alone.elsewhere).toBe(0);

  const { tried, lines, elsewhere } = await check({ threads: 2 });

  expect(elsewhere).toBeGreaterThan(0);
  expect({ tried, lines }).toEqual({ tried: alone.tried, lines: alone.lines });
});

it("[PR17] worlds that fail in another thread are played in this one", async () => {
  // A file that holds no part ends the other thread before its first world.
  const { tried, elsewhere } = await check({ threads: 1, partFiles: ["no-such-part.ts"] });

  expect(elsewhere).toBe(0);
  expect(tried).toEqual(alone.tried);
});

it("[PR11, PR17] a check that is interrupted keeps what was played, wherever it was", async () => {
  const { tried, elsewhere } = await check({ threads: 1, runs: 20, stopAt: 2 });

  expect(elsewhere).toBeGreaterThan(0);
  expect(tried.length).toBeGreaterThanOrEqual(2);
  expect(tried.length).toBeLessThan(20);
  for (const one of alone.tried.slice(0, 2)) expect(tried).toContainEqual(one);
});

it("[PR17] a thread that is still starting when no world is left is not waited for", async () => {
  const slow = join(newFolder(), "slow.ts");
  writeFileSync(slow, "for (;;);");

  const { tried, elsewhere } = await check({ threads: 1, partFiles: [slow] });

  expect(elsewhere).toBe(0);
  expect(tried).toEqual(alone.tried);
});
