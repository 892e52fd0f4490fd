// What models are asked in dreams, word for word, and how much of the past they are shown.
import { expect, it } from "vitest";
import {
  renderSkill,
  type SkillView,
  skillSchemas,
} from "../../../src/machines/skills/selfPlay.ts";

const challenge: SkillView = {
  ...{ purpose: "skill.challenge", taxonomy: ["text", "files"], played: [] },
};
const solve: SkillView = {
  ...{ purpose: "skill.solve", challenge: "Sort it.", files: [], errors: [], playbook: "" },
};
const passed = { code: "def solve(): pass", error: null, passed: true };
const failed = { code: "def solve(): 1/0", error: "ZeroDivisionError", passed: false };
const extract = (attempts: readonly (typeof passed | typeof failed)[]): SkillView => ({
  ...{ purpose: "skill.extract", taxonomy: ["text", "files"], challenge: "Sort it.", attempts },
});

it("[SK58] a task, a solution and a lesson are asked for so", async () => {
  const views: readonly SkillView[] = [
    ...[challenge, { ...challenge, played: ["Sort it.", "Count it."] }, solve],
    { ...solve, files: ["a.csv", "b.csv"], errors: ["it is empty"], playbook: "PLAYBOOK:\n- so" },
    extract([failed, passed]),
  ];
  const texts = views.map(
    (view) =>
      `${view.purpose}\n\n${renderSkill(view)}\n\nschema: ${JSON.stringify(skillSchemas[view.purpose])}`,
  );

  await expect(`${texts.join("\n\n---\n\n")}\n`).toMatchFileSnapshot("selfPlayPrompts.txt");
});

it("[SK58] of the past a prompt shows so many characters, shared out among all of it", () => {
  const x = (count: number) => "x".repeat(count);
  const isCut = (view: SkillView) => renderSkill(view).includes("x …");
  const each = (least: number, of: (count: number) => SkillView) =>
    expect([least, least + 1].map((count) => isCut(of(count)))).toEqual([false, true]);

  each(2_000, (count) => ({ ...challenge, played: [x(count), ""] }));
  each(6_000, (count) => ({ ...solve, challenge: x(count) }));
  each(2_000, (count) => ({ ...solve, errors: [x(count), ""] }));
  each(4_000, (count) => extract([{ ...passed, code: x(count) }, passed]));
  each(2_000, (count) => extract([{ ...failed, error: x(count) }, passed]));
  each(6_000, (count) => ({ ...extract([]), challenge: x(count) }) as SkillView);
});
