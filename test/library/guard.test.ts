// A part of a program's own that throws: whose code it was.
import fc from "fast-check";
import { expect, it } from "vitest";
import { createMachine } from "xstate";
import { guardedPart } from "../../src/edges/parts/guardedPart.ts";
import { type OwnPart, world } from "../../src/index.ts";
import { newFolder } from "../folders.ts";
import ferry from "./ferryPart.ts";

const text = `why: "Cars come."
source: ours
startsAt: 2026-01-01T00:00:00Z
seed: 7
runsFor: 2h
ferry: { cars: [{ id: ann, at: 1m }] }
`;

const fail = (): never => {
  throw new TypeError("no ferry today");
};

const played = (broken: Partial<OwnPart>) => {
  const bay = world({ ...ferry, ...broken });
  return bay.observe(bay.parseScenario(text, "bay.yaml"));
};

const thrower = (member: string): RegExp =>
  new RegExp(
    `^part ferry ${member}: found TypeError: no ferry today \\(guard\\.test\\.ts:\\d+\\);`,
  );

it.each<[member: string, broken: Partial<OwnPart>]>([
  ["meter", { meter: fail }],
  ["stage.opening", { stage: { ...ferry.stage, opening: fail } }],
  ["scriptedPorts", { scriptedPorts: fail }],
  ["scenario.sectionsOf", { scenario: { ...ferry.scenario, sectionsOf: fail } }],
  ["book.start", { book: { start: fail, step: () => {} } }],
  ["statecharts", { statecharts: fail }],
])("[PT15] what %s throws names the part, the function and the place", (member, broken) => {
  expect(() => played(broken)).toThrow(thrower(member));
});

it("[PT15] so does what an observer, a provider or a service throws during a run, which ends there", () => {
  const observer = played({ meter: () => ({ observe: fail }) });
  const provider = played({ scriptedPorts: () => ({ "port/ferry.weigh": { answer: fail } }) });
  const service = played({
    services: () => ({
      ferry: { kind: "service", id: "ferry", ignores: [], on: {}, init: fail },
    }),
  });

  for (const { result } of [observer, provider, service]) expect(result.outcome).toBe("bug");
  expect(observer.result.error?.message).toMatch(thrower("meter\\.observe"));
  expect(provider.result.error?.message).toMatch(
    thrower('scriptedPorts\\["port/ferry\\.weigh"\\]\\.answer'),
  );
  expect(service.result.error?.message).toMatch(thrower("machine ferry, as ferry"));
  expect(observer.result.error?.message).not.toMatch(/\n {4}at /);
});

it("[PT15] so does what it promises and does not give", async () => {
  const serve = () => Promise.reject(new TypeError("no ferry today"));
  const guarded = guardedPart({ ...ferry, edge: { serve } });

  await expect(guarded.edge.serve()).rejects.toThrow(thrower("edge\\.serve"));
});

it("[PT15] an observer of a class with private fields observes as it did", () => {
  class Count {
    #seen = 0;
    observe(): void {
      if (++this.#seen > 3) fail();
    }
  }

  const { result } = played({ meter: () => new Count() });

  expect(result.error?.message).toMatch(thrower("meter\\.observe"));
});

it.each<[string, object]>([
  ["by its tables", {}],
  // A construct of which the tables know nothing.
  ["by XState", { on: { "*": { target: ".here" } } }],
])("[PT15] a machine that never comes to rest is named, played %s", (_, more) => {
  const restless = createMachine({
    ...{ id: "car", initial: "here", ...more },
    states: { here: { always: "there" }, there: { always: "here" } },
  });

  const { result } = played({ statecharts: () => ({ car: restless }) });

  expect(result.error?.message).toMatch(
    /^part ferry machine car, as car\/ann: found a machine that never comes to rest/,
  );
});

it("[PT15] mail to a port that nothing serves names the machine and how a provider is given", () => {
  const unserved = played({ scriptedPorts: () => ({}) });
  const unlisted = played({ ports: {} });

  expect(unserved.result.error?.message).toMatch(
    /^part ferry machine car, as car\/ann: found a letter to port\/ferry\.weigh, which nothing serves.*\n.*`scriptedPorts`/,
  );
  expect(unlisted.result.error?.message).toMatch(/`ports` does not list for car/);
});

it("[PT15] a random world that is no scenario is its part's", async () => {
  const promises = async () => ({
    ...(await ferry.promises()),
    worlds: { random: () => fc.constant({ seed: 1, runsFor: "soon" }) },
  });
  const bay = world({ ...ferry, promises });

  await expect(bay.check(undefined, { runs: 1, properties: ["ferry-takes-all"] })).rejects.toThrow(
    /^part ferry promises\.worlds\.random: found a world that is no scenario: /,
  );
});

it("[PT15] so is what a property's watch throws, and a bundle of such a run is kept", async () => {
  const { properties, worlds } = await ferry.promises();
  const promises = async () => ({
    worlds,
    properties: properties.map((one) => ({ ...one, watch: () => fail })),
  });
  const bay = world({ ...ferry, promises });
  const broken = world({ ...ferry, meter: () => ({ observe: fail }) });
  const folder = newFolder();

  const run = await broken.record(broken.parseScenario(text, "bay.yaml"), folder);

  expect(run.result.error?.message).toMatch(thrower("meter\\.observe"));
  expect(broken.readBundle(folder).manifest.final?.outcome).toBe("bug");
  const { outcomes } = await bay.check(undefined, { runs: 1, properties: ["ferry-takes-all"] });
  expect(outcomes).toEqual({ bug: 1 });
  const [guarded] = (await guardedPart({ ...ferry, promises }).promises()).properties;
  expect(() => guarded?.watch()()).toThrow(
    thrower('promises\\.properties\\["ferry-takes-all"\\]\\.watch'),
  );
});
