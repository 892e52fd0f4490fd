/** The two worlds by which the contrastive estimator's own package tests it (tests/test_attribution.py), planted here. */
import { contrasts, locusOf } from "./baselines.ts";
import { runOf } from "./lab.ts";
import type { PlantedWorld, Step } from "./worlds.ts";

const step = (id: string, at: number, perMille: number): Step => ({
  id,
  by: "agent",
  at,
  perMille,
});
/** Its middle step decides, and goes wrong in three of ten. */
const pivotal: PlantedWorld = {
  ...{ name: "pivotal", kind: "CAR" },
  steps: [step("lookup", 1, 1_000), step("refund", 2, 300), step("final", 3, 1_000)],
  harm: [{ all: ["refund"] }],
  delayMinutes: 5,
};
/** Wrong where both of two steps go wrong. */
const interaction: PlantedWorld = {
  ...{ name: "interaction", kind: "CAR" },
  steps: [step("bad-a", 1, 300), step("bad-b", 2, 300), step("final", 3, 1_000)],
  harm: [{ all: ["bad-a", "bad-b"] }],
  delayMinutes: 5,
};
const SAMPLES = 80;

async function contrastsIn(world: PlantedWorld) {
  for (let seed = 1; ; seed += 1) {
    const asked = await runOf(world, seed);
    if (asked !== undefined) return contrasts(asked, SAMPLES * world.steps.length);
  }
}

/** In one sentence. Throws where it does not say what its own tests say. */
export async function carsOwnExamples(): Promise<string> {
  const [one, both] = [await contrastsIn(pivotal), await contrastsIn(interaction)];
  const total = both.reduce((sum, { bad }) => sum + 1 - bad, 0);
  if (
    locusOf(one) !== "refund" ||
    one.at(-1)?.isRescuing ||
    locusOf(both) !== "bad-b" ||
    total <= 1.2
  ) {
    throw new Error("the estimator does not say what its own tests say");
  }
  return `Checked against the two worlds by which its own package tests it: it finds the pivotal step, and of two that interact the later, where its effects add up to ${total.toFixed(2)} (more than 1.2, as there). Its printed Shapley values are of another game than ours, and were not reproduced.`;
}
