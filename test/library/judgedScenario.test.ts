// A scenario that a program changed is judged as its file would be, wherever it was changed.
import { expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import {
  isEdgeError,
  listScenarios,
  loadScenario,
  parseScenario,
  play,
  readBundle,
  record,
  replay,
  type Scenario,
  simulate,
  why,
} from "../../src/index.ts";
import { judgedScenario } from "../../src/library/judgedScenario.ts";
import { isMap } from "../../src/machines/isMap.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { newFolder } from "../folders.ts";
import { refusal } from "./refusal.ts";

const small = parseScenario(smallScenario, "small.yaml");

/** As a program without types would. */
const loosely = (value: unknown): never => value as never;

it.each<[string, object, RegExp]>([
  [
    "a section that is null",
    { synt: null },
    /^simulate scenario\.synt: found nothing; allowed: a map with executors/,
  ],
  ["a list that is null", { tools: null }, /^simulate scenario\.tools: found /],
  [
    "an unknown field",
    { runsForMS: 1 },
    /^simulate scenario\.runsForMS: found the key "runsForMS"; allowed: .*Did you mean "runsForMs"\?/,
  ],
  [
    "an unknown field inside",
    { model: { ...small.model, inturn: true } },
    /^simulate scenario\.model\.inturn: found the key "inturn"; .*Did you mean "inTurn"\?/,
  ],
  ["a time that is none", { runsForMs: -1 }, /scenario\.runsFor: found -1; allowed: a duration/],
  [
    "an agent that nobody is",
    { events: [{ id: "one", atMs: 0, does: "host.message", agent: "ceder", text: "Hello." }] },
    /scenario\.events\[0\]\.agent: found "ceder"; .*Did you mean "cedar"\?/,
  ],
  [
    "a metric that nobody measures",
    { expect: [{ ...small.expect[0], metric: "goals.complete" }] },
    /scenario\.expect\[0\]\.metric: found "goals\.complete"; .*Did you mean "goals\.completed"\?/,
  ],
  [
    "a share above 1",
    { expect: [{ ...small.expect[0], metric: "load", value: 2 }] },
    /scenario\.expect\[0\]\.value: found 2; allowed: /,
  ],
  ["a policy value", { policy: { "router.kind": "x" } }, /policy\["router\.kind"\]: found "x"/],
  ["a function", { source: () => "" }, /^simulate scenario\.source: found a function is not JSON/],
  [
    "a field that a file sets by itself",
    { model: { ...small.model, malformedPerMille: null } },
    /^simulate scenario\.model\.malformedPerMille: found null; allowed: 0, as a file/,
  ],
])("[LB17] %s is refused at its place", async (_, change, message) => {
  const changed = loosely({ ...small, ...change });

  expect(await refusal(() => simulate(changed))).toMatch(message);
  expect(await refusal(() => play(changed))).toMatch(/^play scenario\.?/);
});

it("[LB17] what a file could say is played, whoever says it", () => {
  const changed = { ...small, seed: 7, runsForMs: 1_500, synt: undefined };

  expect(simulate(loosely(changed)).outcome).toBe("ended");
  expect(simulate(small, { seed: 7, untilMs: 1_500 }).digest).toBe(
    simulate(loosely(changed)).digest,
  );
});

it("[LB17] what was judged is what its file would decode to, and no object of the program", () => {
  const given = { ...small, seed: 7 };
  const found = judgedScenario(builtIn, "scenario", given);
  given.seed = 8;

  expect(found).toEqual({ ...small, seed: 7 });
});

it("[LB17] an object is judged again once it was changed", async () => {
  const changed = { ...small };
  simulate(changed);
  changed.seed = loosely("7");

  expect(await refusal(() => simulate(changed))).toMatch(/scenario\.seed: found "7"/);
});

it("[LB17] every shipped scenario, put together anew by a program, is the same", () => {
  for (const { name } of listScenarios()) {
    const { scenario } = loadScenario(name);
    const anew = JSON.parse(JSON.stringify(scenario)) as Scenario;

    expect(() => simulate(anew, { untilMs: 0, level: "bare" })).not.toThrow();
  }
});

it("[LB17] the scenario and the manifest of a recording are judged, too", async () => {
  const folder = newFolder();
  await record(small, folder);
  const recorded = readBundle(folder);

  expect(replay({ ...recorded, scenario: { ...recorded.scenario } }).matches).toBe(true);
  const changed = { ...recorded, scenario: { ...recorded.scenario, files: null } };
  expect(await refusal(() => replay(loosely(changed)))).toMatch(
    /recorded\.scenario\.files: found /,
  );
  const sealed = { ...recorded, manifest: { ...recorded.manifest, seed: "7" } };
  expect(await refusal(() => replay(loosely(sealed)))).toMatch(
    /^replay recorded\.manifest\.seed: found "7"/,
  );
  const inputs = [...recorded.inputs, { kind: "reply", seq: 1, deliveredAt: 0 }];
  expect(await refusal(() => replay(loosely({ ...recorded, inputs })))).toMatch(
    new RegExp(`^replay recorded\\.inputs\\[${recorded.inputs.length}\\]: found .*inputs\\.jsonl`),
  );
});

it("[LB17] a log that a verb is given is judged, too", async () => {
  const { deliveries, inputs } = await play(small, { untilMs: 30_000 });
  const changed = loosely([...deliveries.slice(0, 3), { ...deliveries[3], seq: "4" }]);

  expect(await refusal(() => why(changed, inputs))).toMatch(
    /^why deliveries\[3\]: found .*; allowed: a delivery, as events\.jsonl holds it/,
  );
});

it("[LB1] a misspelt option is refused wherever options are taken", async () => {
  expect(await refusal(() => loadScenario("lessons", loosely({ foldr: "x" })))).toMatch(
    /options\.foldr: found "foldr"; allowed: folder\. Did you mean "folder"/,
  );
  expect(await refusal(() => simulate(small, loosely({ without: { event: [] } })))).toMatch(
    /without\.event: found "event"; .*Did you mean "events"/,
  );
});

type Path = readonly (string | number)[];

/** One place of each kind in a value: of the items of a list, the first. */
function* places(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, 1).map((one, index) => [index, one])
    : isMap(value)
      ? Object.entries(value).slice(0, 40)
      : [];
  for (const [key, one] of entries) yield* places(one, [...path, key]);
}

function changedAt(
  value: unknown,
  [step, ...rest]: Path,
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.with(Number(step), changedAt(value[Number(step)], rest, change));
  const map = value as { readonly [key: string]: unknown };
  return { ...map, [step]: changedAt(map[step], rest, change) };
}

const changes: readonly ((value: unknown) => unknown)[] = [
  ...[null, 5, -1, "x", {}, [], [null], [{}]].map((other) => () => other),
  (value) => (isMap(value) ? { ...value, unheardOf: 1 } : [value]),
];

const rich = ["synt-generalise", "lesson-pins", "install-ghost-author", "moltbook-ops"];

it.each(rich)("[LB17] whatever is changed anywhere in %s, it is played or refused", (name) => {
  const { scenario } = loadScenario(name);
  let refused = 0;
  for (const path of places(scenario)) {
    for (const change of changes) {
      const changed = changedAt(scenario, path, change);
      try {
        simulate(changed as Scenario, { untilMs: 0, level: "bare" });
      } catch (thrown) {
        if (!isEdgeError(thrown))
          throw new Error(`${path.join(".")}: ${canonicalJson(change(1))}`, { cause: thrown });
        refused += 1;
      }
    }
  }

  expect(refused).toBeGreaterThan(300);
});
