// What `scenarios --new` writes shows on any seed what it says.
import { expect, it } from "vitest";
import { firstAnswers, firstScenario } from "../../src/edges/scenario/firstScenario.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { playedBare } from "../playedBare.ts";

it.each(["silent", "ghost", "nothing"] as const)(
  "[WW12] with the trouble %s, scenario and variant show what they say on the seeds 1 to 20",
  async (trouble) => {
    const text = firstScenario({ ...firstAnswers, trouble });
    const scenario = parseScenario(text, "first.yaml");
    // The line that leads to the schema is one more.
    expect(text.trimEnd().split("\n").length).toBeLessThan(39);
    const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
    const jobs = [null, ...Object.keys(scenario.variants)].flatMap((variant) =>
      seeds.map((seed) => ({ variant, seed })),
    );

    const played = await playedBare(scenario, jobs);

    expect(played).toHaveLength(40);
    expect(
      played.filter(({ verdicts }) => !verdicts.every(({ ok }) => ok) || verdicts.length !== 1),
    ).toEqual([]);
  },
);
