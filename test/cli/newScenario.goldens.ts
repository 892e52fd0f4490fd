// What `scenarios --new` writes where the tool is real: its Python makes it slow.
import { expect, it } from "vitest";
import { firstAnswers, firstScenario } from "../../src/edges/firstScenario.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { playedBare } from "../playedBare.ts";

it("[WW12] where nothing goes wrong, nine in ten goals are done; without its code calls are lost", async () => {
  const scenario = parseScenario(firstScenario({ ...firstAnswers, trouble: "nothing" }), "x.yaml");
  const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
  const jobs = [null, "without-code"].flatMap((variant) =>
    seeds.map((seed) => ({ variant, seed })),
  );

  const played = await playedBare(scenario, jobs);

  expect(played).toHaveLength(40);
  expect(
    played.filter(({ verdicts }) => !verdicts.every(({ ok }) => ok) || verdicts.length !== 1),
  ).toEqual([]);
});
