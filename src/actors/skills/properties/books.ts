/** What is promised of the registry of skills and of the playbook, over drawn inputs. Source: seed 001. */
import fc from "fast-check";
import { demand } from "../../../contract/demand.ts";
import { type Overrides, valuesOf } from "../../../contract/policy.ts";
import type { UnitProperty } from "../../../contract/property.ts";
import type { LessonDraft } from "../../../machines/skills/lesson.ts";
import { writeLesson } from "../../../machines/skills/playbook.ts";
import { countCall, rowOf, type SkillBook, saveSkill } from "../../../machines/skills/skillBook.ts";
import { skillsLeaves } from "../../../machines/skills/skillsPolicy.ts";
import { MILLION } from "../../../machines/units.ts";

const policyUnder = (set: Overrides) => valuesOf({ skills: skillsLeaves }, set).skills;

const recounted: UnitProperty = {
  kind: "unit",
  id: "skills-telemetry-is-a-recount",
  says: "Uses, failures in a row and the state of a skill are what a recount of its calls finds; the third failure in a row degrades it.",
  source: "seed 001, Telemetry; RULINGS K6, K7",
  expected: "holds",
  draw: () =>
    fc.property(
      fc.array(fc.constantFrom("success", "failure", "failure", "infra"), { maxLength: 30 }),
      fc.constantFrom("success", "both"),
      (outcomes, usageCounts) => {
        const by = policyUnder({ "skills.usageCounts": usageCounts });
        const skill = { name: "news", description: "d", parametersSchema: {}, code: "print(1)" };
        let { book }: { book: SkillBook } = saveSkill([], skill);
        for (const outcome of outcomes) book = countCall(book, skill.name, outcome, by);
        const row = rowOf(book, skill.name);
        const counting = outcomes.filter((one) => one !== "infra");
        const uses = counting.filter((one) => one === "success" || usageCounts === "both").length;
        const streak = counting.length - 1 - counting.lastIndexOf("success");
        const state = streak >= by.degradeAfter ? "degraded" : "active";
        const found = [row?.usageCount, row?.failureCount, row?.status];
        demand(
          found.join() === [uses, streak, state].join(),
          `the row says ${found.join(", ")}, a recount ${[uses, streak, state].join(", ")}`,
        );
      },
    ),
};

const draft = fc
  .record({ key: fc.nat(40), confidence: fc.nat(MILLION), verified: fc.boolean() })
  .map(({ key, confidence, verified }): LessonDraft => {
    const trigger = `sort${key} the numbers${key}`;
    return {
      ...{ trigger, antiPattern: "", correctPattern: "look first", domains: ["algo"], confidence },
      ...{ verified, verificationAttempted: verified, source: "self_play" },
      sourceChallengeHash: String(key),
    };
  });

const drafts = fc.record({
  drafts: fc.array(draft, { maxLength: 40 }),
  size: fc.integer({ min: 1, max: 6 }),
});

/** Whether a lesson that nothing verified pushed out one that was. */
function evictions(given: readonly LessonDraft[], set: Overrides): readonly string[] {
  const by = policyUnder(set);
  let book: ReturnType<typeof writeLesson>["book"] = [];
  return given.flatMap((one, index) => {
    const next = writeLesson(book, one, index, by);
    book = next.book;
    demand(
      book.length <= by.playbook.size,
      `the playbook has ${book.length} lessons where ${by.playbook.size} are kept`,
    );
    const pins = next.dropped.filter(({ lesson }) => lesson.verified && lesson !== next.lesson);
    return one.verified
      ? []
      : pins.map(({ lesson }) => `${one.trigger} pushed out ${lesson.trigger}`);
  });
}

const sparedPins = (
  id: string,
  expected: UnitProperty["expected"],
  overflow: "pins-block" | "utility",
): UnitProperty => ({
  kind: "unit",
  id,
  says: `The playbook never has more lessons than are kept, and where it is full (${overflow}), no unverified lesson pushes out a verified one.`,
  source: "seed 001, Retention formula; RULINGS K4",
  expected,
  draw: () =>
    fc.property(drafts, ({ drafts: given, size }) => {
      const set = { "skills.playbook.size": size, "skills.playbook.overflow": overflow };
      const [first] = evictions(given, set);
      demand(first === undefined, `${first}`);
    }),
});

export const bookProperties: readonly UnitProperty[] = [
  recounted,
  sparedPins("lessons-spare-pins", "holds", "pins-block"),
  sparedPins("K4-utility-spares-no-pins", "violated", "utility"),
];
