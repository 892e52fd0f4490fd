import { describe, expect, it } from "vitest";
import { judgement } from "../../../src/actors/synt/scriptedSynt.ts";
import type { Artefact, SandboxProfile } from "../../../src/machines/synt/contract.ts";
import type { JudgeView } from "../../../src/machines/synt/stages/stagePrompts.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

const request = "Sort our contacts by town, and describe them.";
const draw = (seed = 1, nth = 1) => namedRandom(seed).at("judge", "synt.judge", nth);
const judgementOf = (artefact: Artefact, rule = { reach: 0, noise: 0 }, seed = 1) => {
  const view: JudgeView = {
    ...{ purpose: "synt.judge", request, artefact },
    ...{ strategy: "generate", rationale: "so", rubric: [] },
  };
  return judgement(view, rule, draw(seed)) as {
    readonly score: number;
    readonly reasoning: string;
  };
};
const scoreOf = (...given: Parameters<typeof judgementOf>) => judgementOf(...given).score;
const described = (description: string, profile: SandboxProfile = {}) => ({
  ...{ name: "sort_contacts", description, profile, capabilities: [], tests: 4 },
});

describe("the judge that reads", () => {
  it("[SN83] counts which of the request's words stand in what it is shown", () => {
    expect(scoreOf(["find_contacts", "sort_contacts", "describe_contacts"])).toBe(0.6);
    expect(scoreOf(described("By town; describes them."))).toBe(1);
    expect(scoreOf(described("No idea."))).toBe(0.4);
  });

  it("[SN83] takes off for each permission, and stays in 0 … 1", () => {
    const reaching = described("By town; describes them.", { "fs:read": ["*"], "net:read": ["*"] });

    expect(scoreOf(reaching, { reach: 150, noise: 0 })).toBe(0.7);
    expect(scoreOf(reaching, { reach: 900, noise: 0 })).toBe(0);
    expect(scoreOf(null)).toBe(0);
    const says = (profile: SandboxProfile) =>
      judgementOf(described("No idea.", profile), { reach: 150, noise: 0 }).reasoning;
    expect([says({}), says({ "fs:read": ["*"], "net:read": ["*"] })]).toEqual([
      "2 of the request's 5 words stand in it",
      "2 of the request's 5 words stand in it; it reaches fs:read, net:read",
    ]);
  });

  it("[SN83] reads the words of an executor's name and description, and of its permissions none", () => {
    const named = described("No.", { town: ["*"], "by:town": ["*"] });

    expect(scoreOf(named)).toBe(scoreOf(described("No.")));
    expect(scoreOf({ ...described("No."), capabilities: ["town", "describe"] })).toBe(
      scoreOf(described("No.")),
    );
  });

  it("[SN83] is blurred by chance alone, from the seed, either way and no further than noise", () => {
    const rule = { reach: 0, noise: 200 };
    const scores = Array.from({ length: 50 }, (_, seed) => scoreOf(described("No."), rule, seed));

    expect(scoreOf(described("No."), rule, 7)).toBe(scores[7]);
    expect(new Set(scores).size).toBeGreaterThan(20);
    const [least, most] = [Math.min(...scores), Math.max(...scores)];
    expect([least >= 0.2, least < 0.4, most > 0.4, most <= 0.6]).toEqual(Array(4).fill(true));
  });
});
