// `blame` and `prevent` of the library. SPEC, "Library (LB)" and "Blame and prevent (BL)".
import { expect, it } from "vitest";
import { blame, isEdgeError, parseScenario, prevent, record } from "../../src/index.ts";
import { newFolder } from "../folders.ts";
import { scenarioRecipes } from "../scenarioRecipes.ts";

const [{ text = "" } = {}] = scenarioRecipes().filter(({ title }) => title === "A tool that lies");
/** Ten minutes hold all of it. */
const scenario = parseScenario(
  text.replace("runsFor: 20m", "runsFor: 10m").replaceAll(", to: 15m", ""),
  "lies.yaml",
);
const outcome = "calls.lost >= 1";

it("[LB18] blame ranks what decided, of a scenario as of its bundle", async () => {
  const options = { outcome, runs: 2, policy: false };
  const found = await blame(scenario, options);

  const gone = found.told.ranking.filter(({ hits }) => hits === 0).map(({ says }) => says);
  expect(found.outcome).toBe(outcome);
  expect(found.told.asItWas).toMatchObject({ hits: 2, n: 2 });
  expect(gone).toContain("without fault:silent-hour");
  expect(gone).toContain("with the fault fails@pay");

  const folder = `${newFolder()}/run`;
  await record(scenario, folder);
  expect((await blame(folder, options)).told).toEqual(found.told);
});

it("[LB18] blame takes minutes, each look of which may miss less often, and not of this very run", async () => {
  const options = { outcome, runs: 2, policy: false };
  const [plain, timed] = [
    await blame(scenario, options),
    await blame(scenario, { ...options, minutes: 1 }),
  ];

  expect(timed.told.asItWas).toEqual(plain.told.asItWas);
  expect(timed.told.confidence).toBeGreaterThan(plain.told.confidence);
  await expect(blame(scenario, { ...options, minutes: 1, exact: true })).rejects.toThrow(
    /blame minutes: found minutes for this very run/,
  );
});

it("[LB18] prevent asks of variants alone, where they are named", async () => {
  const { verified, runs } = await prevent(scenario, { outcome, variants: ["honest"], runs: 2 });

  expect(verified.map(({ variant, hits }) => [variant, hits])).toEqual([["honest", 0]]);
  expect(runs).toBeGreaterThan(3);
});

it("[LB18] an outcome that did not come about is refused, and an aborted search rejects with its reason", async () => {
  await expect(blame(scenario, { outcome: "calls.lost >= 10000" })).rejects.toThrow(
    /did not come about in this run/,
  );
  await expect(
    prevent(scenario, { outcome, signal: AbortSignal.abort(new Error("enough")) }),
  ).rejects.toThrow("enough");
});

it.each<[string, unknown, unknown, RegExp]>([
  ["a number", 3, {}, /blame of: found 3; allowed: a scenario, or the path of a bundle/],
  ["a folder that is not there", "no/such/folder", {}, /no\/such\/folder/],
  ["a bundle beside a seed", "no/such/folder", { seed: 3 }, /found seed beside a bundle/],
  ["a bundle beside a variant", "no", { variant: "honest" }, /found variant beside a bundle/],
  ["a bundle beside settings", "no", { set: {} }, /found set beside a bundle/],
  ["a misspelt metric", scenario, { outcome: "calls.lst >= 1" }, /Did you mean "calls.lost"/],
  ["no runs", scenario, { runs: 0 }, /blame runs: found 0/],
  ["a misspelt option", scenario, { rns: 1 }, /Did you mean "runs"/],
])("[LB1] blame of %s is refused in words", async (_, of, options, says) => {
  const refused = await (blame as (...given: unknown[]) => Promise<unknown>)(of, options).catch(
    (error: unknown) => error,
  );

  expect(isEdgeError(refused)).toBe(true);
  expect(String(refused)).toMatch(says);
});
