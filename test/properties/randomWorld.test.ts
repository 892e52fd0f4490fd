import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withInnerLife } from "../../src/actors/agents/properties/innerLife.ts";
import { randomWorld } from "../../src/actors/agents/properties/randomWorld.ts";
import { policyNeighbours } from "../../src/contract/policyNeighbours.ts";
import { accepts } from "../../src/contract/policyTree.ts";
import * as drawing from "../../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { sourceText } from "../../src/edges/scenario/scenarioFile.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { worldOf } from "../../src/run/check/check.ts";
import { policyLeaves } from "../builtIn.ts";
import { lists, properties, randomWorlds, worldsNear } from "../builtInPromises.ts";
import { loadScenario, parseScenario } from "../builtInScenarios.ts";

const WORLDS = 60;
const seeds = Array.from({ length: WORLDS }, (_, index) => index);

describe("a random world", () => {
  const worlds = randomWorlds({});

  it("[PR4] is a scenario without a fault, and reads back from its text as it was", () => {
    for (const seed of seeds) {
      const source = worldOf(worlds, seed);

      const scenario = parseScenario(sourceText(source), "check.yaml");

      expect(scenario).toEqual(worlds.compile(source));
      expect(scenario.agents.length).toBeLessThanOrEqual(4);
      if (!scenario.synt) expect(scenario.runsForMs).toBeLessThanOrEqual(120_000);
    }
  });

  const asked = (id: string) => properties.filter((one) => one.id === id);
  const ids = {
    agents: "broken-not-routed",
    synt: "synt-caps-hold",
    skills: "skills-registry-is-a-recount",
    installs: "installs-active-has-passed-its-gate",
  };
  const parts = ["agents", "synt", "skills", "installs"] as const;
  const drawnFor = (of: ReturnType<typeof asked> | undefined) =>
    seeds.map((seed) => worldOf(randomWorlds({}, of), seed));
  const all = drawnFor(undefined);
  const kindOf = (world: (typeof all)[number]) =>
    parts.slice(1).find((one) => one !== "agents" && world[one] !== undefined) ?? "agents";
  const kinds = all.map(kindOf);

  it("[PR16] is of a part whose properties are asked for", () => {
    for (const part of parts) {
      expect(new Set(drawnFor(asked(ids[part])).map(kindOf))).toEqual(new Set([part]));
    }
  });

  it("[PR16] is as it was without the other parts, each of which takes some of the seeds", () => {
    for (const part of parts) {
      const only = drawnFor(asked(ids[part]));
      for (const [index, world] of all.entries()) {
        if (kinds[index] === part) expect(only[index]).toEqual(world);
      }
      // Nothing is drawn for that, so that many more seeds can be counted.
      const [property] = asked(ids[part]);
      const own = Array.from({ length: 2_000 }, (_, seed) => worlds.drawing(seed)).filter(
        ({ tests }) => property !== undefined && tests(property),
      );
      expect([part, own.length / 2_000]).toEqual([part, expect.closeTo(1 / 4, 1)]);
      expect(own.length).toBeGreaterThan(400);
    }
  });

  it("[PR16] puts its part's own promises to the test, and those of runs", () => {
    for (const [index, seed] of seeds.entries()) {
      const { tests } = worlds.drawing(seed);
      for (const part of parts) {
        expect(asked(ids[part]).map(tests)).toEqual([kinds[index] === part]);
      }
      expect(properties.filter(({ kind }) => kind === "run").every(tests)).toBe(true);
    }
  });

  it("[PR4] is the same for the same seed, and another for another", () => {
    const texts = seeds.map((seed) => sourceText(worldOf(worlds, seed)));

    expect(seeds.map((seed) => sourceText(worldOf(worlds, seed)))).toEqual(texts);
    expect(new Set(texts).size).toBe(WORLDS);
  });

  it("[PR4] takes what is set, whatever else is drawn", () => {
    const set = { "ghosts.nullIsFailure": false, "router.kind": "embedding" };

    const policies = seeds.map((seed) => worldOf(randomWorlds(set), seed).policy);

    for (const policy of policies) expect(policy).toMatchObject(set);

    // Also where a part's own worlds say otherwise.
    const policy = { "router.kind": "tfidf" };
    const random = () => fc.constant({ seed: 1, runsFor: "1m", policy });
    const promises = lists.promised.promises.map((one) => ({ ...one, worlds: { random } }));
    const own = { ...lists, promised: { ...lists.promised, promises } };
    expect(worldOf(drawing.randomWorlds(own, set), 1).policy).toEqual(set);
  });

  it("[PR4] has among its kind bare specs, tools without an answer, restarts and archived tools", () => {
    const texts = seeds.map((seed) => sourceText(worldOf(worlds, seed)));
    const share = (part: string) => texts.filter((text) => text.includes(part)).length / WORLDS;

    for (const part of ["dynamic/", "returns: null", "daemon.restart", "files.move"]) {
      expect(share(part)).toBeGreaterThan(0.05);
    }
  });
});

it("[PR4] half of the random worlds have an inner life, drawn after the rest, which stays as it was", () => {
  const plain = randomWorld(policyLeaves());
  const lived = withInnerLife(plain, { "planner.emptyPlans": 3 });
  const sampled = <T>(drawn: fc.Arbitrary<T>, seed: number) =>
    fc.sample(drawn, { seed, numRuns: 1, unbiased: true })[0] as T;

  const pairs = seeds.map((seed) => [sampled(plain, seed), sampled(lived, seed)] as const);

  const changed = pairs.filter(([before, after]) => sourceText(before) !== sourceText(after));
  expect(changed.length / WORLDS).toBeGreaterThan(0.3);
  expect(changed.length / WORLDS).toBeLessThan(0.9);
  for (const [before, after] of changed) {
    expect(after).toMatchObject({
      seed: before.seed,
      runsFor: before.runsFor,
      tools: before["tools"],
    });
    expect(after.policy).toMatchObject({ "planner.emptyPlans": 3 });
    expect(() =>
      parseScenario(sourceText({ why: "w", source: "s", ...after }), "check.yaml"),
    ).not.toThrow();
  }
  const texts = changed.map(([, after]) => sourceText(after));
  for (const part of ["rambling", "fallbackPlans", "outside.signal", "research a topic", "never"]) {
    expect(texts.filter((text) => text.includes(part)).length).toBeGreaterThan(2);
  }
});

it("[PR4] leaves of the policy stay within their bounds", () => {
  const leaves = new Map(policyLeaves());

  fc.assert(
    fc.property(policyNeighbours(policyLeaves(), 6, []), (overrides) => {
      for (const [path, value] of Object.entries(overrides)) {
        const leaf = leaves.get(path);
        expect(leaf !== undefined && accepts(leaf, value)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

describe("a world near a scenario", () => {
  const { scenario, text } = loadScenario("safe-file-executor");
  const worlds = worldsNear(
    scenario.name,
    text,
    { "ghosts.nullIsFailure": true },
    lazySandbox({ kind: "pyodide" }),
    lazyShell(),
  );

  it("[PR5] has some of its events, at some time of the run, and few other leaves", () => {
    const drawn = seeds.slice(0, 20).map((seed) => worlds.compile(worldOf(worlds, seed)));

    for (const { events, policy, agents, tools, model, runsForMs } of drawn) {
      expect({ agents, tools, model, runsForMs }).toEqual({
        agents: scenario.agents,
        tools: scenario.tools,
        model: scenario.model,
        runsForMs: scenario.runsForMs,
      });
      const ids = scenario.events.map(({ id }) => id);
      for (const { id, atMs } of events) {
        expect(ids).toContain(id);
        expect(atMs).toBeLessThanOrEqual(scenario.runsForMs);
      }
      expect(policy).toMatchObject({ "ghosts.nullIsFailure": true });
      const others = Object.keys(policy).filter((path) => !(path in scenario.policy));
      expect(others.length).toBeLessThanOrEqual(2);
    }
    expect(new Set(drawn.map(({ events }) => events.length))).toEqual(new Set([0, 1, 2]));
    const own = new Map(scenario.events.map(({ id, atMs }) => [id, atMs]));
    const isAsItWas = drawn.flatMap(({ events }) =>
      events.map(({ id, atMs }) => atMs === own.get(id)),
    );
    expect(new Set(isAsItWas)).toEqual(new Set([true, false]));
    expect(new Set(drawn.map(({ seed }) => seed)).size).toBeGreaterThan(5);
    expect(drawn.some(({ seed }) => seed === scenario.seed)).toBe(true);
  });

  it("[PR5, PR15] keeps the scenario's own leaves, and has limits that end it", () => {
    const own = Object.keys(scenario.policy);

    expect(own.length).toBeGreaterThan(0);
    for (const seed of seeds.slice(0, 20)) {
      const { policy, limits } = worlds.compile(worldOf(worlds, seed));
      expect(own.filter((path) => !(path in policy))).toEqual([]);
      expect(limits).toMatchObject({ envelopes: 350_000, deliveriesPerInstant: 5_000 });
    }
  });

  it("[PR5] keeps a limit of the scenario's own", () => {
    const own = worldsNear(
      scenario.name,
      `${text}\nlimits:\n  envelopes: 1234\n`,
      {},
      lazySandbox({ kind: "pyodide" }),
      lazyShell(),
    );

    expect(own.compile(worldOf(own, 1)).limits).toEqual({
      envelopes: 1_234,
      deliveriesPerInstant: 5_000,
    });
  });

  it("[PR5] an earlier end takes what would come after it away", () => {
    const source = worldOf(worlds, 1);

    const cut = worlds.compile(worlds.cut({ ...source, events: eventsAt(5, 7) }, 6));

    expect(cut.runsForMs).toBe(6);
    expect(cut.events.map(({ atMs }) => atMs)).toEqual([5]);
  });
});

const eventsAt = (...times: number[]) =>
  times.map((ms) => ({ id: `at-${ms}`, at: `${ms}ms`, does: "daemon.restart" }));
