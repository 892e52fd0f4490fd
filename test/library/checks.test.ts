import fc from "fast-check";
import { expect, it } from "vitest";
import * as library from "../../src/index.ts";
import {
  findingsOf,
  isEdgeError,
  listScenarios,
  loadScenario,
  Meter,
  observe,
  parseScenario,
  play,
  policyWith,
  record,
  type Scenario,
  simulate,
  suspectsOf,
  why,
} from "../../src/index.ts";
import { minutes } from "../../src/machines/units.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { refusal } from "./refusal.ts";

const scenario = parseScenario(smallScenario, "small.yaml");

/** As a program without types would. */
const loosely = (value: unknown): never => value as never;

it.each<[string, object, RegExp]>([
  ["option", { varient: "silent" }, /varient: found "varient"; .*Did you mean "variant"\?/],
  [
    "variant",
    { variant: "silnt" },
    /variant: found "silnt"; allowed: silent\. Did you mean "silent"/,
  ],
  ["variant", { variant: "toString" }, /variant: found "toString"/],
  ["policy path", { set: { "router.knd": "x" } }, /set router.knd: .*Did you mean "router.kind"\?/],
  ["policy value", { set: { "router.kind": "x" } }, /set router.kind: found "x"; allowed: lexical/],
  ["event", { without: { events: ["x"] } }, /without.events: found "x"; allowed: nothing/],
  ["choice", { without: { choices: ["goal:notes"] } }, /Did you mean "goal:note"\?/],
  ["seed", { seed: -1 }, /seed: found -1; allowed: a whole number 0 … 4294967295/],
  ["seed", { seed: "7" }, /seed: found "7"/],
  ["end", { untilMs: 600_001 }, /untilMs: found 600001; allowed: up to 600000/],
  ["watcher", { onDelivery: "log" }, /onDelivery: found "log"; allowed: a function/],
])(
  "[LB1] an unknown %s is an error with the nearest name, in every verb that plays: %j",
  async (_, options, message) => {
    expect(await refusal(() => simulate(scenario, options))).toMatch(message);
    expect(await refusal(() => observe(scenario, options))).toMatch(message);
    expect(await refusal(() => play(scenario, options))).toMatch(message);
  },
);

it.each<[object, RegExp]>([
  [{ "port/llm.cht": () => "" }, /ports: found "port\/llm.cht"; .*Did you mean "port\/llm.chat"\?/],
  [
    { "port/llm.chat": "http://x" },
    /ports.port\/llm.chat: found "http:\/\/x"; allowed: a function/,
  ],
  [
    { "port/llm.chat": { answer: () => "" } },
    /allowed: a function, or \{answer: a function, latencyMs/,
  ],
  [{ "port/llm.chat": { answer: () => "", latencyMs: -1 } }, /allowed: a function, or/],
  [{ "port/llm.chat": { answer: () => "", latencyMs: 1.5 } }, /allowed: a function, or/],
  [{ "port/llm.chat": { answer: () => "", latency: 1, latencyMs: 1 } }, /allowed: a function, or/],
])("[LB1] an unknown port, or one that cannot answer, is an error: %j", async (ports, message) => {
  expect(await refusal(() => play(scenario, { ports }))).toMatch(message);
});

it("[LB1] an unknown metric is an error with the nearest name, in a text, in a scenario and of a meter", async () => {
  const text = smallScenario.replace("goals.completed", "goals.complete");
  const [expectation] = scenario.expect;
  const expected = { ...scenario, expect: [{ ...expectation, metric: "goals.complet" }] };
  const meter = new Meter(["cedar"]);

  expect(await refusal(() => parseScenario(text, "x.yaml"))).toMatch(/"goals.completed"/);
  expect(await refusal(() => simulate(loosely(expected)))).toMatch(
    /Did you mean "goals.completed"/,
  );
  expect(await refusal(() => meter.series(loosely("calls.lots")))).toMatch(/"calls.lost"/);
  expect(await refusal(() => meter.valueAt("calls.lost", "ceder", 0))).toMatch(/"cedar"/);
  expect(await refusal(() => meter.valueAt("ghost.registered", "cedar", 0))).toMatch(/no actor/);
  expect(meter.valueAt("calls.lost", "world", 0)).toBe(0);
});

it("[LB1] wrong paths of a whole policy are named together", async () => {
  const message = await refusal(() => policyWith({ "router.knd": 1, "gate.mode": 1 }));

  expect(message).toMatch(/router.knd: .*\ngate.mode: /);
});

it("[LB1] a scenario that is none is a sentence", async () => {
  const { events: _, ...withoutEvents } = scenario;

  for (const given of [undefined, null, 5, "safe-file-executor", []]) {
    expect(await refusal(() => simulate(loosely(given)))).toMatch(/^simulate scenario: found /);
  }
  expect(await refusal(() => simulate(loosely({})))).toMatch(/^simulate scenario\.name: found /);
  expect(await refusal(() => simulate(loosely(withoutEvents)))).toMatch(
    /^simulate scenario\.events: found undefined; allowed: \[\], as a file would have it/,
  );
  expect(await refusal(() => simulate(loosely(loadScenario("lessons"))))).toMatch(
    /found a loaded scenario: its `scenario` is one/,
  );
});

/** What says what a thing is, what a part is made of, and `check`, which without arguments plays a hundred worlds. */
const NO_VERBS = [
  ...["blame", "prevent"], // They play for minutes; test/library/causes.goldens.ts.

  ...["Meter", "isEdgeError", "check", "parseDuration", "policyNeighbours"],
  ...["answer", "ask", "cancelAsk", "post", "startActor", "startOf", "onlyLogged"],
  ...["choice", "flag", "integer", "subset"],
  ...["arrivals", "counted", "drawn", "questionsBy", "service"],
];

it("[LB1] whatever a program hands to any verb, it gets a result or an error of ours", async () => {
  const verbs = Object.entries(library).filter(
    ([name, value]) => typeof value === "function" && !NO_VERBS.includes(name),
  ) as [string, (...given: unknown[]) => unknown][];
  const anything = fc.oneof(
    fc.anything(),
    fc.constantFrom<unknown>(scenario, () => 1, Symbol("s"), 10n, { scenario }, [scenario]),
    fc.constantFrom<unknown>(
      { meter: {}, story: {} },
      { reward: {}, stages: {} },
      "lessons",
      "/proc",
    ),
    fc.constantFrom<unknown>({ manifest: {}, scenario, inputs: [] }, [[]], [{ kind: "reply" }]),
    fc.constantFrom<unknown>({ seed: 3 }, { ports: {} }, { set: {} }, { without: {} }),
  );

  expect(verbs.length).toBeGreaterThan(10);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...verbs),
      fc.array(anything, { maxLength: 3 }),
      async ([name, verb], given) => {
        try {
          await verb(...given);
        } catch (thrown) {
          if (!isEdgeError(thrown)) throw new Error(`${name}: ${String(thrown)}`);
        }
      },
    ),
    { numRuns: 400 },
  );
});

it("[SH13, LB2] a world in which an agent calls shell_exec needs play, and says with what", () => {
  const { scenario: shipped } = loadScenario("crisis-and-locks");

  for (const verb of [simulate, observe])
    expect(() => verb(shipped)).toThrow(
      /a command line for shell_exec: echo .*, at [\d:.]+ of virtual time.*await play\(scenario, options\)/s,
    );
});

it("[LB2] every shipped scenario is played at once, or the error names play: none ends as a bug", async () => {
  const found = listScenarios().map(({ name }): [string, string] => {
    const { scenario: shipped } = loadScenario(name);
    const hasAgents = shipped.agents.length > 0;
    const untilMs = hasAgents ? Math.min(minutes(12), shipped.runsForMs) : shipped.runsForMs;
    try {
      return [name, simulate(shipped, { untilMs }).outcome];
    } catch (thrown) {
      if (!isEdgeError(thrown)) throw thrown;
      expect(thrown.message).toMatch(
        /(code that an agent wrote|a command line for shell_exec): .*await play\(scenario, options\)/s,
      );
      return [name, "play"];
    }
  });

  expect(new Set(found.map(([, outcome]) => outcome))).toEqual(new Set(["ended", "play"]));
  expect(found.filter(([, outcome]) => outcome === "play").length).toBeGreaterThan(12);
});

it("[LB2] observe says so too; what only play can have is refused by name", async () => {
  const { scenario: needy } = loadScenario("redeploy-loop");

  expect(await refusal(() => observe(needy))).toMatch(/^observe: found code .*\n.*await play/);
  for (const option of ["ports", "sandbox", "signal"]) {
    const message = await refusal(() => simulate(scenario, loosely({ [option]: {} })));
    expect(message).toMatch(new RegExp(`^simulate: found the option ${option}; .*\n.*await play`));
  }
});

it("[LB2] a recording serves every port of a run that is played at once", () => {
  const inputs: library.Input[] = [];
  const { digest } = simulate(scenario, { onInput: (one) => inputs.push(one) });

  expect(simulate(scenario, { recorded: inputs })).toMatchObject({ outcome: "ended", digest });
});

it("[LB9] a bundle is written only of the very scenario that its text says", async () => {
  const changed: Scenario = { ...scenario, seed: 2 };
  const mutated = parseScenario(smallScenario, "small.yaml");
  (mutated as { seed: number }).seed = 3;

  for (const one of [changed, mutated]) {
    expect(await refusal(() => record(one, "/tmp/never-written"))).toMatch(
      /^record scenario: found a scenario that was put together or changed by the program/,
    );
  }
  const without = { choices: ["goal:note"] };
  expect(await refusal(() => record(scenario, "/tmp/never-written", { without }))).toMatch(
    /^record scenario: found `without` beside it, which no bundle can say/,
  );
});

it("[LB10] a question that fits nothing in a run is an error that lists where to look", async () => {
  const run = await play(scenario);

  expect(await refusal(() => why(run.deliveries, run.inputs, "goal:ceder/1"))).toMatch(
    /found the question "goal:ceder\/1"; .*\n`questions\(deliveries\)` lists/s,
  );
});

it("[LB19] suspects and findings of a log are data: which delivery, who, and why", async () => {
  const { deliveries } = await play(loadScenario("null-stub").scenario);
  const [first] = suspectsOf(deliveries).suspects;
  const { occurrences } = findingsOf(deliveries);

  expect(deliveries.some(({ seq }) => seq === first?.seq)).toBe(true);
  expect(first?.reason).not.toBe("");
  expect(occurrences.map(({ finding }) => finding)).toContain("empty-success");
});
