/** Sentences of the seed that the formulas do not bear out under a policy; each is tried, and told only when it fails. */

import { type Lesson, newLesson } from "../../machines/skills/lesson.ts";
import { guardRefusal } from "../../machines/skills/lessonGate.ts";
import { pruneLessons, trimLessons, utilityOf } from "../../machines/skills/retention.ts";
import { saveSkill } from "../../machines/skills/skillBook.ts";
import type { SkillsPolicy } from "../../machines/skills/skillsPolicy.ts";

export interface BackedSentence {
  readonly id: string;
  /** As the seed has it. */
  readonly sentence: string;
  readonly says: string;
}

export const sentencesBy = (
  policy: SkillsPolicy,
  books: readonly (readonly Lesson[])[],
): readonly BackedSentence[] => [
  ...sharedRetention(policy),
  ...pinsHold(policy, books),
  ...prunedHelpful(policy, books),
  ...copiedConstants(policy),
  ...boundedLog(policy),
];

/** The fields that the formula reads of a lesson, and those of them that a skill has. */
function sharedRetention({ utility }: SkillsPolicy): readonly BackedSentence[] {
  const read = new Set<string>();
  const lesson = newLesson(
    {
      ...{ trigger: "", antiPattern: "", correctPattern: "", domains: [], confidence: 0 },
      ...{ sourceChallengeHash: "", verified: false, verificationAttempted: false, source: "" },
    },
    0,
  );
  const watched = new Proxy(lesson, {
    get: (target, field) => {
      read.add(String(field));
      return Reflect.get(target, field);
    },
  });
  utilityOf(watched, utility);
  const skill = { name: "a", description: "", parametersSchema: {}, code: "" };
  const row = saveSkill([], skill).book[0] ?? {};
  const had = [...read].filter((field) => Object.hasOwn(row, field));
  return had.length > 0
    ? []
    : [
        {
          id: "retention",
          sentence: "Both flow into the same utility-ranked retention.",
          says:
            `Utility is made of ${[...read].toSorted().join(", ")}; a skill has none of them. Skills leave by ` +
            "being retired, lessons by utility (K12).",
        },
      ];
}

function pinsHold(
  { playbook, utility }: SkillsPolicy,
  books: readonly (readonly Lesson[])[],
): readonly BackedSentence[] {
  const broken = books.filter((book) => {
    const { kept, dropped } = trimLessons(book, { ...playbook, size: 20 }, utility);
    return dropped.some(({ lesson }) => lesson.verified) && kept.some(({ verified }) => !verified);
  });
  return broken.length === 0
    ? []
    : [
        {
          id: "pins",
          sentence: "Verified lessons pin in the playbook regardless of retrieval stats.",
          says: `In ${broken.length} of ${books.length} full playbooks an unverified lesson outlives a verified one (K4).`,
        },
      ];
}

function prunedHelpful(
  { playbook, utility }: SkillsPolicy,
  books: readonly (readonly Lesson[])[],
): readonly BackedSentence[] {
  const broken = books.filter((book) =>
    pruneLessons(book, playbook, utility).dropped.some(
      ({ lesson }) => lesson.helpfulRetrievals > 0,
    ),
  );
  return broken.length === 0
    ? []
    : [
        {
          id: "prune",
          sentence: "Drops lessons that have been surfaced many times but never marked helpful.",
          says: `In ${broken.length} of ${books.length} playbooks a pruning drops a lesson that helped (K8).`,
        },
      ];
}

function copiedConstants({ dream }: SkillsPolicy): readonly BackedSentence[] {
  const constants = Array.from({ length: 3 * dream.ngram }, (_, index) => 1_000 + index).join(" ");
  const refusal = guardRefusal(
    { trigger: "a class of tasks", correctPattern: constants, domains: dream.domains },
    { challenge: "", setup: constants, validator: constants },
    dream,
  );
  return refusal !== null
    ? []
    : [
        {
          id: "constants",
          sentence: "Rejects lessons that copy-paste constants from the setup / validator.",
          says: `${3 * dream.ngram} numbers in a row, all copied, pass: the guard sees words, and numbers are none (K15).`,
        },
      ];
}

function boundedLog({ utility }: SkillsPolicy): readonly BackedSentence[] {
  const worth = (frequency: number) =>
    utilityOf(
      { confidence: 1, retrievals: 0, helpfulRetrievals: 0, verified: false, frequency },
      utility,
    ).terms.frequency;
  const [many, more] = [worth(1_000_000), worth(2_000_000)];
  return many < more || many === 0
    ? []
    : [
        {
          id: "log",
          sentence: "log(freq)·0.1",
          says: `The logarithm ends: from some frequency on the term stays ${many / 1_000_000} (K2).`,
        },
      ];
}
