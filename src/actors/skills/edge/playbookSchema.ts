/** What a scenario says of lessons and dreams: the fields, and what they are decoded to. */
import * as Schema from "effect/Schema";
import type { Finding } from "../../../edges/scenario/finding.ts";
import { idsOf, namesFindings, wrong } from "../../../edges/scenario/findingParts.ts";
import {
  anyText,
  id,
  listOf,
  mapOf,
  optional,
  says,
  sentence,
  text,
  WEIGHT_MAX,
  whole,
} from "../../../edges/scenario/scenarioFields.ts";
import { type Given, present } from "../../../edges/scenario/sourceFields.ts";
import { DOMAINS, type Lesson, newLesson, triggerKey } from "../../../machines/skills/lesson.ts";
import type { Dreams } from "../stage.ts";

const perMille = whole(0, 1_000);
const domain = Schema.Literals(DOMAINS).annotate({ expected: DOMAINS.join(" | ") });
const counts = whole(0, 1_000_000);

const worded = {
  trigger: says(sentence, "The class of tasks that it is for. {n} counts, with times."),
  antiPattern: optional(sentence, "What goes wrong. Nothing if absent."),
  correctPattern: says(sentence, "What to do. {n} counts, with times."),
  domains: says(listOf(Schema.String, 1, 10), `Of ${DOMAINS.join(", ")}; another is none.`),
  confidence: optional(perMille, "In thousandths. 500 if absent."),
};

const lesson = Schema.Struct({
  ...worded,
  times: optional(whole(1, 1_000), "So many lessons like it. 1 if absent."),
  verified: optional(Schema.Boolean, "Whether it is a pin. False if absent."),
  frequency: optional(whole(1, 1_000_000), "How often it was learnt. 1 if absent."),
  retrievals: optional(counts, "How often it was shown. 0 if absent."),
  helpful: optional(counts, "How often that helped. 0 if absent."),
}).annotate({ identifier: "Lesson", expected: "a map with trigger, correctPattern and domains" });

const solver = Schema.Struct({
  right: says(text, "The Python that it writes when it knows how: def solve()."),
  wrong: says(text, "The Python that it writes when it does not."),
  lacks: says(sentence, "What it lacks, in words: a playbook that says these tells it."),
  alone: says(perMille, "Of a thousand attempts, in how many it knows how by itself."),
  perError: optional(perMille, "What each error before adds. 0 if absent."),
  told: optional(perMille, "What a playbook that says it all adds. 0 if absent."),
}).annotate({ expected: "a map with right, wrong, lacks and alone" });

const idea = Schema.Struct({
  id: says(id, "Unique; `dream:CHALLENGE/<id>` is the choice's name."),
  weight: optional(whole(1, WEIGHT_MAX), "How often it is drawn. 1 if absent."),
  ...worded,
}).annotate({ identifier: "DreamLesson", expected: "a map with id, trigger and correctPattern" });

const challenge = Schema.Struct({
  id: says(id, "Unique; `dream:<id>` is the choice's name."),
  weight: optional(whole(1, WEIGHT_MAX), "How often it is drawn. 1 if absent."),
  domain: says(domain, "The class of tasks that it is of."),
  challenge: says(sentence, "The task, in words."),
  setup: optional(
    mapOf(/^[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}$/u, "paths", anyText),
    "Files that are there. None if absent.",
  ),
  validator: says(text, "Python with def validate(answer), which raises where it is wrong."),
  solver: says(solver, "How solvers fare with it."),
  lessons: optional(listOf(idea, 0, 100), "Lessons that may come to mind."),
  copies: optional(
    perMille,
    "Of a thousand extractions, how many copy the task, for each attempt that failed. 0 if absent.",
  ),
}).annotate({
  identifier: "DreamChallenge",
  expected: "a map with id, challenge, validator, solver",
});

export const playbookFields = {
  playbook: optional(listOf(lesson, 0, 1_000), "Lessons there from the start, the newest first."),
  dreams: optional(
    Schema.Struct({
      challenges: says(listOf(challenge, 1, 500), "What the dreamer may set itself."),
    }).annotate({ expected: "a map with challenges" }),
    "What the models of self-play may think of. Nobody dreams if absent.",
  ),
};

const section = Schema.Struct(playbookFields);
type Source = typeof section.Type;

export const dreamsOf = ({ dreams }: Source): Dreams | null =>
  dreams === undefined
    ? null
    : {
        challenges: dreams.challenges.map(
          ({ weight = 1, setup = {}, lessons = [], copies = 0, solver: given, ...rest }) => ({
            ...{ ...rest, weight, setup, copies },
            solver: { perError: 0, told: 0, ...given },
            lessons: lessons.map((one) => ({
              ...{ weight: 1, antiPattern: "", confidence: 500 },
              ...one,
            })),
          }),
        ),
      };

export const lessonsOf = ({ playbook = [] }: Source): readonly Lesson[] =>
  playbook.flatMap(({ times = 1, ...one }) =>
    Array.from({ length: times }, (_, index) => lessonOf(one, index + 1)),
  );

function lessonOf(
  source: Omit<NonNullable<Source["playbook"]>[number], "times">,
  n: number,
): Lesson {
  const { trigger, antiPattern = "", correctPattern, domains, confidence = 500 } = source;
  const { verified = false, frequency = 1, retrievals = 0, helpful = 0 } = source;
  const counted = (text: string): string => text.replaceAll("{n}", String(n));
  const draft = {
    ...{ trigger: counted(trigger), correctPattern: counted(correctPattern) },
    ...{ antiPattern: counted(antiPattern), domains, confidence: confidence * 1_000, verified },
    ...{ sourceChallengeHash: "", verificationAttempted: verified, source: "scenario" },
  };
  return { ...newLesson(draft, 0), frequency, retrievals, helpfulRetrievals: helpful };
}

/** The other way round, one by one: what the YAML would say. */
export const lessonSaid = ({ confidence, helpfulRetrievals, ...lesson }: Given): object => {
  const { trigger, antiPattern, correctPattern, domains, verified, frequency, retrievals } = lesson;
  return present({
    ...{ trigger, correctPattern, domains, verified, frequency, retrievals },
    ...{ antiPattern: antiPattern === "" ? undefined : antiPattern, helpful: helpfulRetrievals },
    confidence: typeof confidence === "number" ? confidence / 1_000 : confidence,
  });
};

export function playbookFindings({ playbook = [], dreams }: Source): Finding[] {
  const challenges = dreams?.challenges ?? [];
  const own = ["skills", "dreams", "challenges"] as const;
  return [
    ...playbook.flatMap(({ times = 1, trigger, retrievals = 0, helpful = 0 }, index) => [
      ...(times > 1 && !trigger.includes("{n}")
        ? [wrong(["skills", "playbook", index, "trigger"], trigger, "a text with {n}")]
        : []),
      ...(helpful > retrievals
        ? [wrong(["skills", "playbook", index, "helpful"], helpful, "at most the retrievals")]
        : []),
    ]),
    ...guardFindings(playbook),
    ...sameFindings(playbook),
    ...namesFindings(idsOf(challenges, "id"), (index) => [...own, index, "id"]),
    ...challenges.flatMap(({ lessons = [] }, index) =>
      namesFindings(idsOf(lessons, "id"), (nth) => [...own, index, "lessons", nth, "id"]),
    ),
  ];
}

type LessonSource = NonNullable<Source["playbook"]>[number];

/** What the guard of self-play refuses in any lesson (SK21) is none at the start either. */
const guardFindings = (playbook: readonly LessonSource[]): Finding[] =>
  playbook.flatMap((one, index) => [
    ...(["trigger", "correctPattern"] as const).flatMap((field) =>
      one[field].trim() === ""
        ? [wrong(["skills", "playbook", index, field], one[field], "a text that is not blank")]
        : [],
    ),
    ...(one.domains.some((name) => DOMAINS.some((known) => known === name))
      ? []
      : [
          wrong(
            ["skills", "playbook", index, "domains"],
            one.domains,
            `at least one of ${DOMAINS.join(", ")}`,
          ),
        ]),
  ]);

/** Of one trigger there is one lesson (SK20); how often it was learnt is its frequency. */
function sameFindings(playbook: readonly LessonSource[]): Finding[] {
  const seen = new Set<string>();
  return playbook.flatMap((one, index) => {
    const isSecond = lessonsOf({ playbook: [one] }).some(({ trigger }) => {
      const key = triggerKey(trigger);
      const isKnown = seen.has(key);
      seen.add(key);
      return isKnown;
    });
    const path = ["skills", "playbook", index, "trigger"];
    const allowed = "a trigger of its own: another lesson's has the same telling words";
    return isSecond ? [wrong(path, one.trigger, allowed)] : [];
  });
}

/** Names under which a variant may leave out what comes to mind. */
export const dreamChoices = (
  challenges: readonly {
    readonly id: string;
    readonly lessons?: readonly { readonly id: string }[];
  }[],
): string[] =>
  challenges.flatMap(({ id: name, lessons = [] }) => [
    ...[`dream:${name}`, `dream:${name}/copied`],
    ...lessons.map((one) => `dream:${name}/${one.id}`),
  ]);
