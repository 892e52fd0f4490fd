// The scripted models of self-play: what they are shown moves what they answer, and the seed blurs it.
import { expect, it } from "vitest";
import { type DreamChallenge, scriptedModel } from "../../../src/actors/skills/scriptedDreams.ts";
import type { Scenario } from "../../../src/contract/scenario.ts";
import type { SkillView } from "../../../src/machines/skills/selfPlay.ts";
import { namedRandom } from "../../../src/substrate/random.ts";
import { policyWith } from "../../builtIn.ts";

const challenge: DreamChallenge = {
  ...{ id: "lines", weight: 1, domain: "algo", challenge: "Count the lines.", setup: {} },
  validator: "def validate(answer):\n    pass\n",
  solver: {
    ...{ right: "RIGHT", wrong: "WRONG", lacks: "split text into lines" },
    ...{ alone: 100, perError: 200, told: 600 },
  },
  lessons: [
    {
      ...{ id: "split", weight: 1, trigger: "Counting lines", antiPattern: "" },
      ...{ correctPattern: "Split it", domains: ["algo"], confidence: 500 },
    },
  ],
  copies: 300,
};

/** How many of a thousand questions with this view are answered so. */
function share(view: SkillView, choice: string, without: readonly string[] = []): number {
  const model = scriptedModel({
    // The model reads nothing else of a scenario.
    scenario: { skills: { dreams: { challenges: [challenge] } } } as unknown as Scenario,
    policy: policyWith({}),
    random: namedRandom(7),
    without: new Set(without),
  });
  const asked = Array.from({ length: 1_000 }, (_, nth) =>
    model.answer({
      ...{ port: "port/llm.chat", from: "dreamer", purpose: view.purpose, nth, seq: nth },
      ...{ nowMs: 0, request: null },
      event: { type: "llm.asked", purpose: view.purpose, view },
    }),
  );
  return asked.filter((one) => one.choice === choice).length;
}

const solving = (playbook: string, errors: readonly string[] = []): SkillView => ({
  ...{ purpose: "skill.solve", challenge: challenge.challenge, files: [], errors, playbook },
});
const extracting = (failed: number): SkillView => ({
  ...{ purpose: "skill.extract", taxonomy: ["algo"], challenge: challenge.challenge },
  attempts: Array.from({ length: failed + 1 }, (_, index) => {
    const passed = index === failed;
    return { code: "", passed, error: passed ? null : "wrong" };
  }),
});
const near = (share: number, wanted: number) => Math.abs(share - wanted) < 50;

it("[SK73] a solver that is told what it lacks, or shown its errors, succeeds more often", () => {
  const right = (view: SkillView) => share(view, "dream:lines/right");

  expect(near(right(solving("")), 100)).toBe(true);
  expect(near(right(solving("", ["wrong"])), 300)).toBe(true);
  expect(near(right(solving("", ["wrong", "wrong"])), 500)).toBe(true);
  expect(near(right(solving("Split the text")), 500)).toBe(true);
  expect(near(right(solving("Split the text into lines")), 700)).toBe(true);
});

it("[SK73] the more attempts failed, the more often the task is copied, unless that is left out", () => {
  const copied = (failed: number, without: readonly string[] = []) =>
    share(extracting(failed), "dream:lines/copied", without);

  expect(copied(0)).toBe(0);
  expect(near(copied(1), 300)).toBe(true);
  expect(near(copied(3), 900)).toBe(true);
  expect(copied(3, ["dream:lines/copied"])).toBe(0);
});
