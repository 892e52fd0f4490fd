// Random worlds with synt: what they hold, that they keep every promise, and that a rule of the
// product which is broken on purpose is found and named in them.

import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { syntNear } from "../../src/actors/synt/properties/near.ts";
import { anySyntWorld } from "../../src/actors/synt/properties/promises.ts";
import type { WorldProperty } from "../../src/contract/property.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { scenarioOfSource, sourceText } from "../../src/edges/scenario/scenarioFile.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import * as budget from "../../src/machines/synt/desk/budget.ts";
import * as locks from "../../src/machines/synt/desk/locks.ts";
import * as compose from "../../src/machines/synt/pool/compose.ts";
import * as pool from "../../src/machines/synt/pool/pool.ts";
import { shrunk, tryWorld, worldOf } from "../../src/run/check/check.ts";
import { policyLeaves } from "../builtIn.ts";
import { properties, randomWorlds, worldsNear } from "../builtInPromises.ts";
import { lists } from "../builtInRuns.ts";
import { loadScenario, parseScenario } from "../builtInScenarios.ts";
import { breachesIn } from "./breachesIn.ts";

vi.mock(import("../../src/machines/synt/desk/locks.ts"), async (original) => {
  const real = await original();
  return { ...real, isLocked: vi.fn(real.isLocked) };
});
vi.mock(import("../../src/machines/synt/desk/budget.ts"), async (original) => {
  const real = await original();
  return { ...real, reserve: vi.fn(real.reserve) };
});
vi.mock(import("../../src/machines/synt/pool/compose.ts"), async (original) => {
  const real = await original();
  return { ...real, chainsFrom: vi.fn(real.chainsFrom) };
});
vi.mock(import("../../src/machines/synt/pool/pool.ts"), async (original) => {
  const real = await original();
  return { ...real, poolService: vi.fn(real.poolService) };
});
afterEach(() => {
  for (const one of [locks.isLocked, budget.reserve, compose.chainsFrom, pool.poolService]) {
    vi.mocked(one).mockReset();
  }
});

/** As a check draws them. */
const drawn = anySyntWorld(policyLeaves()).map((world) => ({ why: "w", source: "s", ...world }));
const worlds = {
  ...randomWorlds({}),
  drawing: () => ({ drawn, tests: () => true }),
  compile: (source: object) => scenarioOfSource(lists, source, "check"),
};
const seeds = Array.from({ length: 60 }, (_, index) => index);
const kept = properties.filter(({ kind, expected }) => kind !== "unit" && expected === "holds");
const called = (id: string) => properties.find((one) => one.id === id) as WorldProperty;

describe("a random world with synt", () => {
  it("[SP9] is a scenario without a fault, and the same for the same seed", () => {
    for (const seed of seeds.slice(0, 30)) {
      const source = worldOf(worlds, seed);

      const scenario = parseScenario(sourceText(source), "check.yaml");

      expect(scenario).toEqual(worlds.compile(source));
      expect(worldOf(worlds, seed)).toEqual(source);
      expect(scenario.synt).toBeDefined();
    }
  });

  it("[SP9] has failing, late and senseless models, late people, caps, prices, tampering, nights and six hops among its kind", () => {
    const texts = seeds.map((seed) => sourceText(worldOf(worlds, seed)));
    const share = (part: string) => texts.filter((text) => text.includes(part)).length;

    for (const part of [
      ...["fails:", "after: 3d", ".json.sig", "synt.revise", "synt.homeostasis", "runsFor: 9d"],
      ...["to: share_files", "provider: none", "person: []", "23:59:30Z", "violates: It"],
      ...["I would rather not.", "after: 90m", "files.write", "budget.hardCents: 3", "price:"],
    ]) {
      expect([part, share(part)]).toEqual([part, expect.toSatisfy((count) => count > 1)]);
    }
  });

  it("[SP10] keeps every promise, whatever pools, gates, prices and clocks", async () => {
    const tried = await Promise.all(seeds.slice(0, 25).map((seed) => tryWorld(worlds, seed, kept)));

    expect(breachesIn(tried)).toEqual([]);
    const moments = (id: string) =>
      tried.reduce((sum, { fared }) => sum + (fared[id]?.moments ?? 0), 0);
    for (const id of ["synt-audit-replays", "synt-caps-hold", "synt-gate-and-signature"]) {
      expect(moments(id)).toBeGreaterThan(5);
    }
  });

  it("[SP10] is drawn by a check without a scenario, beside those of agents, skills and installs", () => {
    const drawn = seeds.map((seed) => worldOf(randomWorlds({}), seed));
    const withSynt = drawn.filter((source) => source["synt"] !== undefined);

    expect(withSynt.length).toBeGreaterThan(5);
    expect(withSynt.length).toBeLessThan(35);
  });
});

/** The first seed whose world breaks the promise, and with what. */
async function firstBreach(id: string, from = 0) {
  const property = called(id);
  for (let seed = from; seed < from + 150; seed += 1) {
    const { fared } = await tryWorld(worlds, seed, [property]);
    const violation = fared[id]?.violation;
    if (violation) return { seed, says: violation.says };
  }
  return undefined;
}

describe("a rule that is broken on purpose", () => {
  it("[SP11] locks that lock nothing are found, and shrunk to two who want the same", async () => {
    vi.mocked(locks.isLocked).mockReturnValue(false);
    const found = await firstBreach("synt-locks-are-exact");
    expect(found?.says).toMatch(/^req-\d+ begins on “.+” at \d+ ms, locked until \d+ ms\.$/);

    const property = called("synt-locks-are-exact");
    const options = { playsMax: 40, onPlay: () => false };
    const { world, violation } = await shrunk(worlds, property, found?.seed ?? 0, options);

    expect(violation.says).toContain("begins on");
    expect(worlds.compile(world).runsForMs).toBe(violation.atMs);
  });

  it("[SP11] money that is never refused is found", async () => {
    const real = (await vi.importActual("../../src/machines/synt/desk/budget.ts")) as typeof budget;
    vi.mocked(budget.reserve).mockImplementation((accounts, call, policy) => {
      const account = accounts.requests.get(call.request);
      const rich = account && {
        ...accounts,
        requests: accounts.requests.with(call.request, { ...account, cap: 1e15 }),
      };
      return real.reserve(rich ?? accounts, call, policy);
    });

    expect((await firstBreach("synt-caps-hold"))?.says).toMatch(
      /^req-\d+ has spent .+; its cap is/,
    );
  });

  it("[SP11] a walk that finds nothing is found", async () => {
    vi.mocked(compose.chainsFrom).mockReturnValue({ chains: [], isCut: false });

    expect((await firstBreach("synt-composes-first"))?.says).toMatch(
      /generates, and read_files → .+ is there/,
    );
  });

  it("[SP11] a pool that takes a broken signature for a right one is found", async () => {
    const real = (await vi.importActual("../../src/machines/synt/pool/pool.ts")) as typeof pool;
    vi.mocked(pool.poolService).mockImplementation((policy) => {
      const service = real.poolService(policy);
      const { "sign.verified": verified } = service.on;
      const on: typeof service.on = {
        ...service.on,
        "sign.verified": (state, event) =>
          verified?.(state, { ...event, ok: true }) ?? { state, letters: [] },
      };
      return { ...service, on };
    });

    expect((await firstBreach("synt-tampered-is-refused"))?.says).toMatch(
      /was changed at \d+ ms, and the pool/,
    );
  });
});

describe("a world near a scenario with synt", () => {
  const sandbox = lazySandbox({ kind: "pyodide" });
  afterAll(() => sandbox.close());

  it.each(["synt-six-hops", "synt-merge"])("[SP12] keeps every promise near %s", async (name) => {
    const { scenario, text } = loadScenario(name);
    const near = worldsNear(scenario.name, text, {}, sandbox, lazyShell());

    const tried = await Promise.all(seeds.slice(0, 4).map((seed) => tryWorld(near, seed, kept)));

    const fared = tried.flatMap((one) => Object.values(one.fared));
    expect(fared.flatMap(({ violation }) => violation ?? [])).toEqual([]);
  });

  it("[SP12] has turns at other times and with other caps, calls that fail or come late, people who decide otherwise or never, another morning", () => {
    const { scenario, text } = loadScenario("synt-budget");
    const near = worldsNear(scenario.name, text, {}, sandbox, lazyShell());
    const drawn = seeds.map((seed) => near.compile(worldOf(near, seed)));
    const of = ({ synt, startsAt }: typeof scenario) => ({
      turns: synt?.turns ?? [],
      answers: synt?.repertoire.answers ?? [],
      person: synt?.repertoire.person ?? [],
      startsAt,
    });
    const own = of(scenario);
    const like = (value: unknown) => JSON.stringify(value);
    const among = <T>(part: (world: ReturnType<typeof of>) => readonly T[], field: keyof T) => {
      const known = part(own).map((one) => like(one[field]));
      return drawn.filter((one) =>
        part(of(one)).some((drawnOne) => !known.includes(like(drawnOne[field]))),
      ).length;
    };
    const worldsWith = (test: (world: ReturnType<typeof of>) => boolean) =>
      drawn.filter((one) => test(of(one))).length;

    const seen = {
      otherTimes: among(({ turns }) => turns, "atMs"),
      otherCaps: among(({ turns }) => turns, "budgetCents"),
      failing: worldsWith(({ answers }) => answers.some(({ fails }) => fails !== null)),
      late: among(({ answers }) => answers, "afterMs"),
      otherDecisions: among(({ person }) => person, "decision"),
      nobodyDecides: worldsWith(({ person }) => person.length === 0),
      otherMornings: worldsWith(({ startsAt }) => startsAt !== own.startsAt),
    };

    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeLessThan(60);
  });

  it("[SP12] has some of its turns, one at least", () => {
    const turns = ["a", "b", "c"].map((id) => ({ id, at: "1s", says: "Sort my files." }));
    const drawn = fc.sample(syntNear({ seed: 1, runsFor: "1h", synt: { turns } }, 1_000), 60) as {
      readonly synt: { readonly turns: readonly object[] };
    }[];

    expect(new Set(drawn.map(({ synt }) => synt.turns.length))).toEqual(new Set([1, 2, 3]));
  });

  it("[SP12] has other turns, answers and decisions at times", () => {
    const { scenario, text } = loadScenario("synt-budget");
    const near = worldsNear(scenario.name, text, {}, sandbox, lazyShell());
    const drawn = seeds.map((seed) => near.compile(worldOf(near, seed)));
    const differing = (of: (one: typeof scenario) => unknown) =>
      drawn.filter((one) => JSON.stringify(of(one)) !== JSON.stringify(of(scenario))).length;

    for (const of of [
      (one: typeof scenario) => one.synt?.turns,
      (one: typeof scenario) => one.synt?.repertoire.answers,
      (one: typeof scenario) => one.synt?.repertoire.person,
      (one: typeof scenario) => one.startsAt,
    ]) {
      expect(differing(of)).toBeGreaterThan(3);
      expect(differing(of)).toBeLessThan(60);
    }
    expect(drawn.every((one) => one.synt?.pool === undefined || one.agents.length === 0)).toBe(
      true,
    );
  });
});
