// Random worlds with installs: they keep every promise and put it to the test, and a rule that is broken on purpose is found.
import { afterEach, describe, expect, it, vi } from "vitest";
import { CODE_TEXTS } from "../../src/actors/installs/properties/codeTexts.ts";
import { promises } from "../../src/actors/installs/properties/promises.ts";
import { randomInstallWorld } from "../../src/actors/installs/properties/world.ts";
import type { WorldProperty } from "../../src/contract/property.ts";
import type { WorldSource } from "../../src/contract/worldSource.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { scenarioOfSource, sourceText } from "../../src/edges/scenario/scenarioFile.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { pythonFactsOf } from "../../src/machines/installs/detection/pythonFacts.ts";
import * as promotion from "../../src/machines/installs/gate/promotionGate.ts";
import { ownerFault } from "../../src/machines/installs/toolOwners.ts";
import { allowed } from "../../src/machines/installs/warden/reach.ts";
import { shrunk, tryWorld, worldOf } from "../../src/run/check/check.ts";
import { policyLeaves } from "../builtIn.ts";
import { properties, randomWorlds, worldsNear } from "../builtInPromises.ts";
import { lists } from "../builtInRuns.ts";
import { loadScenario, parseScenario } from "../builtInScenarios.ts";
import { openPython } from "../edges/wrappedPrograms.ts";
import { factsOf } from "../machines/installs/detectionFacts.ts";
import { breachesIn } from "./breachesIn.ts";

vi.mock(import("../../src/machines/installs/gate/promotionGate.ts"), async (original) => {
  const real = await original();
  return { ...real, promotable: vi.fn(real.promotable) };
});
vi.mock(import("../../src/machines/installs/toolOwners.ts"), async (original) => {
  const real = await original();
  return { ...real, ownerFault: vi.fn(real.ownerFault) };
});
vi.mock(import("../../src/machines/installs/warden/reach.ts"), async (original) => {
  const real = await original();
  return { ...real, allowed: vi.fn(real.allowed) };
});
afterEach(() => {
  const { promotable } = promotion;
  for (const one of [promotable, ownerFault, allowed]) {
    vi.mocked(one).mockReset();
  }
});

const own = (promises.properties ?? []).filter((one): one is WorldProperty => one.kind === "world");
const drawn = randomInstallWorld(policyLeaves()).map((world) => ({
  ...{ why: "w", source: "s" },
  ...world,
}));
const worlds = {
  ...randomWorlds({}),
  drawing: () => ({ drawn, tests: () => true }),
  compile: (source: object) => scenarioOfSource(lists, source, "check"),
};
const seeds = Array.from({ length: 24 }, (_, index) => index);
const kept = [...own, ...properties.filter(({ kind }) => kind === "run")];

describe("a random world with installs", () => {
  it("[INS121] is a scenario without a fault, and the same for the same seed", () => {
    for (const seed of seeds) {
      const source = worldOf(worlds, seed);

      const scenario = parseScenario(sourceText(source), "check.yaml");

      expect(scenario).toEqual(worlds.compile(source));
      expect(worldOf(worlds, seed)).toEqual(source);
    }
  });

  it("[INS121] keeps every promise, and puts each of installs to the test", async () => {
    const tried = await Promise.all(seeds.map((seed) => tryWorld(worlds, seed, kept)));

    expect(breachesIn(tried)).toEqual([]);
    const worldsThatTest = (id: string) =>
      tried.filter(({ fared }) => (fared[id]?.moments ?? 0) > 0).length;
    for (const { id } of own) {
      expect([id, worldsThatTest(id)]).toEqual([id, expect.toSatisfy((n) => n >= 2)]);
    }
  });
});

/** Worlds in which an approval lets an install through. */
const USES_AN_APPROVAL = [7, 13, 43];

it("[INS122] an approval that is used is put to the test by pinned seeds", async () => {
  const id = "installs-approval-is-used-once";
  const tried = await Promise.all(
    USES_AN_APPROVAL.map((seed) => tryWorld(worlds, seed, [named(id)])),
  );

  for (const { seed, fared } of tried) {
    expect([seed, fared[id]?.violation]).toEqual([seed, null]);
    expect([seed, fared[id]?.moments]).toEqual([seed, expect.toSatisfy((n) => n > 0)]);
  }
});

const named = (id: string) => own.find((one) => one.id === id) as WorldProperty;

/** The first seed whose world breaks the promise, and with what. */
async function firstBreach(id: string) {
  for (let seed = 0; seed < 60; seed += 1) {
    const { fared } = await tryWorld(worlds, seed, [named(id)]);
    const violation = fared[id]?.violation;
    if (violation) return { seed, says: violation.says };
  }
  return undefined;
}

describe("a rule that is broken on purpose", () => {
  it("[INS122] a gate that is always open is found, and shrunk to a short run", async () => {
    vi.mocked(promotion.promotable).mockImplementation(() => ({ ok: true }));
    const id = "installs-active-has-passed-its-gate";
    const breach = await firstBreach(id);
    expect(breach?.says).toMatch(/ becomes active without a passing record of the /);

    const options = { playsMax: 60, onPlay: () => false };
    const { world, violation } = await shrunk(worlds, named(id), breach?.seed ?? 0, options);

    expect(violation.says).toContain("without a passing record");
    const { runsForMs, installs, events } = worlds.compile(world);
    expect(runsForMs).toBe(violation.atMs);
    expect(installs?.wanted.length).toBeLessThanOrEqual(2);
    expect(events).toEqual([]);
  });

  it("[INS122] tools that anybody may call are found", async () => {
    vi.mocked(ownerFault).mockImplementation(() => null);

    expect((await firstBreach("installs-are-the-builders-alone"))?.says).toMatch(
      /^(?:architect|agent)\S* /,
    );
  });

  it("[INS122] a warden who grants whatever is asked is found", async () => {
    vi.mocked(allowed).mockImplementation(() => null);

    expect((await firstBreach("installs-granted-is-declared"))?.says).toContain(" may call ");
  });
});

describe("a world near a scenario with installs", () => {
  const { scenario, text } = loadScenario("install-resumed");
  const near = worldsNear(scenario.name, text, {}, lazySandbox({ kind: "pyodide" }), lazyShell());

  it("[INS122] has some of its wishes and another person, and an earlier end cuts wishes off", () => {
    const drawnNear = seeds.map((seed) => worldOf(near, seed));
    const compiled = drawnNear.map((source) => near.compile(source));

    expect(new Set(compiled.map(({ installs }) => installs?.person.length))).toEqual(
      new Set([0, 1]),
    );
    const times = compiled.flatMap(({ installs }) => installs?.wanted ?? []);
    expect(new Set(times.map(({ atMs }) => atMs)).size).toBeGreaterThan(2);
    expect(times.every(({ atMs }) => atMs <= scenario.runsForMs)).toBe(true);
    const [first] = drawnNear;
    const cut = near.compile(near.cut(first as WorldSource, 1));
    expect(cut.installs?.wanted.every(({ atMs }) => atMs <= 1)).toBe(true);
  });
});

describe("the stand-in for the Python that reads code", () => {
  it("[INS121] says of each text what CPython says", async () => {
    const sandbox = await openPython();
    for (const { said, text } of Object.values(CODE_TEXTS).filter((one) => "said" in one)) {
      const given = { ok: true, result: JSON.stringify(said) };
      expect([text, pythonFactsOf(given)]).toEqual([text, await factsOf(text, sandbox)]);
    }
    await sandbox.close();
  });
});
