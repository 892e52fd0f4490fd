// A part of a program's own, from its own file: see ferryPart.ts.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
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
import ferry from "./ferryPart.ts";

const text = `why: "Cars come to a ferry that takes too few."
source: ours
startsAt: 2026-01-01T00:00:00Z
seed: 7
runsFor: 2h
ferry:
  cars:
    - { id: ann, at: 1m }
    - { id: ben, at: 2m }
    - { id: cat, at: 3m }
    - { id: dan, at: 4m }
events:
  - { id: fog, at: 5m, does: ferry.hold }
policy:
  ferry.places: 1
expect:
  - { name: some drive round, metric: ferry.round, op: ">", value: 0 }
variants:
  larger: { why: "A larger ferry.", policy: { ferry.places: 4 }, expect: inherit }
`;

const bay = world(ferry);
const scenario = bay.parseScenario(text, "bay.yaml");

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

  expect(() => plain.parseScenario(text, "bay.yaml")).toThrow(/found "ferry"|ferry/);
  expect(plain.metricNames).not.toContain("ferry.round");
  expect(slow.policyWith({}).ferry.everyMs).toBe(SLOW.default);
  expect(bay.policyWith({}).ferry.everyMs).toBe(600_000);
  const own = slow.simulate(slow.parseScenario(text, "bay.yaml"));
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

it("[PT9] nor one promise; nor a field of every scenario", async () => {
  const twice = world(ferry, { name: "quay", promises: ferry.promises });

  await expect(twice.check(undefined, { runs: 1 })).rejects.toThrow(
    /the property "ferry-takes-all", which the part ferry has/,
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
    return own.observe(own.parseScenario(text, "bay.yaml")).result;
  };
  const misspelt = measuring("ferry.abord" as "ferry.aboard", 1);
  expect(misspelt.error?.message).toContain("nothing is measured as ferry.abord");
  const nothing = measuring("ferry.aboard", Number.NaN);
  expect(nothing.error?.message).toContain("ferry.aboard was measured as NaN");
});

const run = promisify(execFile);
const part = ["--part", "test/library/ferryPart.ts"];

/** The command line in a process of its own. */
async function cli(
  ...args: readonly string[]
): Promise<{ code: number; out: string; err: string }> {
  const done = run(process.execPath, ["src/cli/main.ts", ...args], { encoding: "utf8" });
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  );
}

it("[PT10] the command line plays and reads it with --part, workers too", async () => {
  const folder = newFolder();
  const file = join(folder, "bay.yaml");
  const out = join(folder, "run");
  writeFileSync(file, text);

  const played = await cli("run", file, ...part, "--out", out, "--compare");
  expect(played).toMatchObject({ code: 0 });
  expect(played.out).toMatch(/4 cars, seed 7: \d cars were taken across/);
  expect(played.out).toContain("larger");
  expect(existsSync(join(out, "picture.svg"))).toBe(true);
  expect(readFileSync(join(out, "report.md"), "utf8")).toContain("drove round the bay");
  const seeds = await cli("run", file, ...part, "--seeds", "1..3", "--json");
  expect(JSON.parse(seeds.out)).toMatchObject({ worlds: [{ world: "as it is" }, {}] });

  expect(await cli("replay", out, ...part)).toMatchObject({ code: 0 });
  expect((await cli("why", out, ...part)).out).toMatch(/Why car:/);
  expect((await cli("check", file, ...part, "--runs", "2", "--list")).out).toContain(
    "ferry-takes-all",
  );
  const without = await cli("replay", out);
  expect(without.code).toBe(2);
  expect(without.err).toMatch(/found a run that had the part "ferry".*\n.*--part FILE/);
});

it("[PT10] a part whose runs break is no part whose expectations fail", async () => {
  const folder = newFolder();
  const bay = join(folder, "bay.yaml");
  writeFileSync(bay, text);
  const broken = join(folder, "broken.ts");
  writeFileSync(
    broken,
    `import ferry from ${JSON.stringify(resolve("test/library/ferryPart.ts"))};
export default { ...ferry, meter: () => ({ observe: () => { throw new Error("lost"); } }) };`,
  );

  const seeds = await cli("run", bay, "--part", broken, "--seeds", "1..2");
  expect(seeds).toMatchObject({ code: 70 });
  expect(seeds.err).toContain("4 of 4 runs ended by a bug, of ghostlight or of a part of --part");
});

it("[PT10] a file that holds no part is refused, with what to write in it", async () => {
  const folder = newFolder();
  const file = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const refusal = async (path: string) => (await cli("policy", "--part", path)).err;

  expect(await refusal(join(folder, "none.js"))).toMatch(
    /--part: found no such file; .*\nWrite `export/,
  );
  expect(await refusal(file("bare.mjs", "export const a = 1;"))).toContain(
    "without a default export",
  );
  expect(await refusal(file("broken.mjs", "export default ;"))).toContain("does not load: ");
  expect(await refusal(file("other.mjs", "export default 5;"))).toContain("found a number");
  expect(await refusal(file("throws.mjs", "throw Object.create(null);"))).toContain("has no text");
  const wrong = "export default { name: 'x', stage: { openings: 1 } };";
  expect(await refusal(file("wrong.mjs", wrong))).toContain("stage.openings");
  const twice = await cli("policy", ...part, ...part);
  expect(twice.err).toContain('the name "ferry", which the part ferry has');
});
