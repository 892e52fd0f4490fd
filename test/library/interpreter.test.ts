// A program chooses what drives the statecharts: tables, or XState itself.
import { expect, it } from "vitest";
import {
  check,
  isEdgeError,
  observe,
  parseScenario,
  play,
  readBundle,
  record,
  replay,
  simulate,
} from "../../src/index.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { newFolder } from "../folders.ts";

const scenario = parseScenario(smallScenario, "small.yaml");
const xstate = { interpreter: "xstate" } as const;

it("[KN31] [LB14] every verb that plays runs the same under XState itself", async () => {
  const { digest } = simulate(scenario);

  expect(simulate(scenario, xstate).digest).toBe(digest);
  expect(simulate(scenario, { interpreter: "tables" }).digest).toBe(digest);
  expect(observe(scenario, xstate).result.digest).toBe(digest);
  expect((await play(scenario, xstate)).result.digest).toBe(digest);
});

it("[KN31] [LB14] what one interpreter recorded the other replays", async () => {
  const folder = newFolder();
  const { result } = await record(scenario, folder, xstate);
  const bundle = readBundle(folder);

  for (const options of [{}, xstate]) {
    expect(replay(bundle, undefined, options)).toMatchObject({
      ...{ matches: true, digest: result.digest },
    });
  }
});

it("[KN31] [LB14] a check finds the same under XState itself", async () => {
  const options = { runs: 2, properties: ["replay-is-exact"] };

  expect(await check(undefined, { ...options, ...xstate })).toEqual(
    await check(undefined, options),
  );
});

it("[LB1] [LB14] an interpreter that does not exist is named, by each verb", async () => {
  const folder = newFolder();
  const { bundle } = await record(scenario, folder);
  const odd = { interpreter: "tabels" as never };
  const verbs = [
    () => simulate(scenario, odd),
    () => observe(scenario, odd),
    () => play(scenario, odd),
    () => record(scenario, newFolder(), odd),
    () => check(undefined, odd),
    () => replay(readBundle(bundle), undefined, odd),
  ];
  for (const verb of verbs) {
    const refused = await (async () => verb())().catch((thrown: unknown) => thrown);
    expect(isEdgeError(refused) && refused.message).toMatch(
      /interpreter: found "tabels"; allowed: tables \| xstate/,
    );
  }
  const unknown = { onRequest: () => {} } as object;
  expect(() => replay(readBundle(bundle), undefined, unknown)).toThrow(/replay onRequest/);
});
