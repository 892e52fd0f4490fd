// A part of a program's own, from its own file: see ferryPart.ts.
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  type Delivery,
  definePart,
  type Input,
  integer,
  loadScenario,
  readBundle as readPlain,
  world,
} from "../../src/index.ts";
import { newFolder } from "../folders.ts";
import { bayText } from "./bayText.ts";
import ferry from "./ferryPart.ts";

const bay = world(ferry);
const scenario = bay.parseScenario(bayText, "bay.yaml");

it("[PT8] a part of one's own is run, measured, judged and explained", () => {
  const deliveries: Delivery[] = [];
  const inputs: Input[] = [];
  const { result, verdicts, meter } = bay.observe(scenario, {
    onDelivery: (one) => deliveries.push(one),
    onInput: (one) => inputs.push(one),
  });

  const why = bay.why(deliveries, inputs);

  expect(result.outcome).toBe("ended");
  expect(verdicts).toMatchObject([{ ok: true }]);
  expect(meter.valueAt("ferry.aboard", "world", result.virtualMs)).toBeGreaterThan(0);
  expect(why?.question).toMatch(/^car:/);
  expect(why?.chain[0]?.says).toMatch(/waits no longer and drives round the bay/);
  expect(bay.questions(deliveries)).toContain(why?.question);
  expect(bay.metricNames).toContain("ferry.round");
  expect(bay.policyWith({ "ferry.places": 3 }).ferry.places).toBe(3);
  expect(() => bay.policyWith({ "ferry.places": 99 })).toThrow(/1 … 50/);
});

it("[PT8] its runs are recorded, read and replayed; a bundle says which parts it needs", async () => {
  const folder = join(newFolder(), "run");

  const run = await bay.record(scenario, folder);

  const bundle = bay.readBundle(folder);
  expect(bundle.manifest.parts).toEqual(["ferry"]);
  expect(bay.replay(bundle)).toMatchObject({ matches: true, digest: run.result.digest });
  expect(bay.report(run)).toContain("cars were taken across");
  expect(bay.simulate(scenario).digest).toBe(run.result.digest);
  expect(() => readPlain(folder)).toThrow(
    /manifest\.json parts: found a run that had the part "ferry" .*\n.*--part FILE.*world\(part\)/,
  );
});

it("[PT8] its promises are put to the test, and a world that breaks one is made small", async () => {
  const set = { "ferry.places": 1 };
  const { properties, runs } = await bay.check(undefined, {
    ...{ runs: 30, properties: ["ferry-takes-all", "replay-is-exact"], set },
  });

  const [broken, exact] = properties;
  expect(runs).toBe(30);
  expect(broken).toMatchObject({ id: "ferry-takes-all", status: "broken" });
  expect(exact).toMatchObject({ id: "replay-is-exact", status: "held" });
  const small = bay.parseScenario(broken?.world ?? "", "small.yaml");
  expect(bay.observe(small).meter.series("ferry.round").at(-1)?.value).toBeGreaterThan(0);
  const near = await bay.check(scenario, { runs: 3, properties: ["ferry-takes-all"] });
  expect(near.runs).toBe(3);
});

it("[PT8] worlds of different parts in one program do not touch one another", () => {
  const plain = world();
  const slow = world({ ...ferry, policy: { ferry: { ...ferry.policy.ferry, everyMs: SLOW } } });

  expect(() => plain.parseScenario(bayText, "bay.yaml")).toThrow(/found "ferry"|ferry/);
  expect(plain.metricNames).not.toContain("ferry.round");
  expect(slow.policyWith({}).ferry.everyMs).toBe(SLOW.default);
  expect(bay.policyWith({}).ferry.everyMs).toBe(600_000);
  const own = slow.simulate(slow.parseScenario(bayText, "bay.yaml"));
  expect(own.digest).not.toBe(bay.simulate(scenario).digest);
  const { scenario: lessons } = loadScenario("lessons");
  expect(bay.simulate(lessons, { untilMs: 60_000 }).digest).toBe(
    plain.simulate(lessons, { untilMs: 60_000 }).digest,
  );
});

const SLOW = integer(1_200_000, {
  ...{ unit: "ms", min: 1_000, max: 86_400_000, says: "Between two ferries.", source: "ours" },
});

it.each([
  ["name", { name: "ferry" }, /the name "ferry"/],
  ["metric", { name: "quay", metrics: ferry.metrics }, /the metric "ferry\.aboard"/],
  ["machine", { name: "quay", services: ferry.services }, /the machine "ferry"/],
  ["policy", { name: "quay", policy: ferry.policy }, /the branch of the policy "ferry"/],
  ["port", { name: "quay", scriptedPorts: ferry.scriptedPorts }, /the port "port\/ferry\.weigh"/],
  ["field", { name: "quay", scenario: ferry.scenario }, /the field of a scenario "ferry"/],
  ["event", { name: "quay", scenario: ferry.scenario }, /the outside event "ferry\.hold"/],
  ["question", { name: "quay", questions: ferry.questions }, /the kind of question "car:"/],
])("[PT9] two parts cannot have one %s", (_, other, message) => {
  expect(() => world(ferry, other)).toThrow(message);
  expect(() => world(ferry, other)).toThrow(/^part (quay|ferry): found .*which the part ferry has/);
});

it("[PT9] nor one promise, of another part or of the core; nor a field of every scenario", async () => {
  const twice = world(ferry, { name: "quay", promises: ferry.promises });

  await expect(twice.check(undefined, { runs: 1 })).rejects.toThrow(
    /the property "ferry-takes-all", which the part ferry has/,
  );
  const { properties } = await ferry.promises();
  const promises = async () => ({
    properties: properties.map((one) => ({ ...one, id: "replay-is-exact" })),
  });
  await expect(world({ name: "quay", promises }).check(undefined, { runs: 1 })).rejects.toThrow(
    /the property "replay-is-exact", which the core has/,
  );
  const { fields, ...rest } = ferry.scenario;
  const seeds = { ...rest, fields: { behind: { seed: fields.behind.ferry } } };
  expect(() => world({ name: "quay", scenario: seeds })).toThrow(/"seed", which the core has/);
});

it("[PT9] what is no part is refused member by member", () => {
  const wrong = { name: "Quay!", metrics: [], wordss: {} } as unknown as { name: string };

  expect(() => definePart(wrong)).toThrow(
    /^definePart wordss: found a member that no part has.*\n.*name: found a string; allowed: one word.*\n.*metrics: found a list; allowed: a map/,
  );
  expect(() => world(null as unknown as typeof ferry)).toThrow(/^world part 1: found null/);
  expect(definePart({ name: "q".repeat(31) }).name).toHaveLength(31);
  expect(() => definePart({ name: "q".repeat(32) })).toThrow(/name: found a string; allowed: .*31/);
});

it.each([
  ["of its stage", { stage: { openings: () => [] } }, /stage\.openings: found a member that no/],
  [
    "of its questions",
    { questions: { forms: ["car:PLATE"] } },
    /questions\.trouble: found nothing/,
  ],
  ["of its scenario", { scenario: { ...ferry.scenario, peopleBy: "ferry" } }, /scenario\.peopleBy/],
  ["of its policy", { policy: { ferry: { places: 3 } } }, /policy\.ferry\.places: found a number/],
  ["of its ports", { ports: { car: "port/ferry.weigh" } }, /ports\["car"\]: .*allowed: a list/],
  ["of its words", { words: { "car.turned": "text" } }, /words\["car\.turned"\]: found a string/],
  ["of its metrics", { metrics: { a: { unit: "cars" } } }, /metrics\["a"\]: found a object/],
])("[PT9] a member %s that is misspelt or no such thing is refused", (_, wrong, message) => {
  const part = { ...ferry, ...wrong } as unknown as typeof ferry;
  expect(() => definePart(part)).toThrow(message);
});

it("[PT9] so is a port of a machine that it has not, and what is attached to no part", () => {
  const machine = { ...ferry, ports: { ferri: ["port/ferry.weigh"] } };
  expect(() => world(machine)).toThrow(/part ferry ports: found "ferri".*Did you mean "ferry"/);
  const attached = { ...ferry, attaches: { agentz: {} } } as unknown as typeof ferry;
  expect(() => world(attached)).toThrow(/attaches: found "agentz".*Did you mean "agents"/);
});

it("[PT9] a part whose own functions throw is named", () => {
  const throwing = {
    ...ferry,
    services: () => {
      throw new Error("no ferry today");
    },
  };
  expect(() => world(throwing)).toThrow(
    /^part ferry services: found Error: no ferry today \(ownPart\.test\.ts:\d+\)/,
  );
});

it("[PT8] a meter that measures what it did not declare, or no number, ends the run", () => {
  const measuring = (metric: "ferry.aboard", value: number) => {
    const own = world({
      ...ferry,
      meter: (_, gauge) => ({ observe: ({ dueMs }) => gauge.set(metric, "", dueMs, value) }),
    });
    return own.observe(own.parseScenario(bayText, "bay.yaml")).result;
  };
  const misspelt = measuring("ferry.abord" as "ferry.aboard", 1);
  expect(misspelt.error?.message).toContain("nothing is measured as ferry.abord");
  const nothing = measuring("ferry.aboard", Number.NaN);
  expect(nothing.error?.message).toContain("ferry.aboard was measured as NaN");
});
