// What can be asked of a log of lessons.
import { expect, it } from "vitest";
import { questions as ofSkills } from "../../../src/actors/skills/questions.ts";
import type { Mail, MailEvent } from "../../../src/machines/letter.ts";
import { newLesson } from "../../../src/machines/skills/lesson.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { questions, why } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";

const given = (trigger: string) =>
  newLesson(
    {
      ...{ trigger, antiPattern: "", correctPattern: "", domains: [], confidence: 0 },
      ...{ sourceChallengeHash: "", verified: true, verificationAttempted: true, source: "" },
    },
    0,
  );
const start = delivery({
  ...{ seq: 1, to: "kernel", from: "outside/skills", cause: null },
  event: {
    ...{ type: "actor.start", machine: "playbook", address: "playbook" },
    input: { lessons: [given("plants"), given("bread")] },
  },
});
const inPlaybook = (seq: number, event: MailEvent, because?: readonly number[]) =>
  delivery({ ...{ seq, to: "playbook", from: "playbook", event }, ...(because && { because }) });
const shown = (seq: number, lesson: string) =>
  inPlaybook(
    seq,
    {
      ...{ type: "playbook.surfaced", lesson, source: "self_play", challenge: "c" },
      ...{ agent: "cedar", n: 1, purpose: "plan", way: "recent", score: null, counts: true },
      utility: 500_000,
    },
    [1],
  );
const changed = (seq: number, how: Mail["playbook.changed"]["how"], because?: readonly number[]) =>
  inPlaybook(
    seq,
    {
      ...{ type: "playbook.changed", lesson: "lesson-3", how, cause: null, trigger: "sums" },
      ...{ source: "self_play", challenge: "c", verified: true, utility: 1, size: 3, pins: 3 },
    },
    because,
  );
const reported = (seq: number) =>
  delivery({
    ...{ seq, to: "playbook" },
    event: {
      ...{ type: "goal.reported", agent: "cedar", n: seq, status: "completed", text: "Sum" },
      ...{ artifact: "/a.md", misses: 0, failedSteps: 0, reason: null, notes: [] },
    },
  });

const log = [start, shown(2, "lesson-1"), shown(3, "lesson-1"), changed(4, "written")];
const saysOf = (deliveries: readonly Delivery[], question: string) =>
  why(deliveries, [], question)?.chain.map(({ says }) => says);

it("[SK51] why lesson:ID says how often a lesson was shown, and the goals it was credited with", () => {
  const credited = [5, 7, 9, 11].flatMap((seq) => [
    reported(seq),
    changed(seq + 1, "credited", [seq]),
  ]);

  expect(saysOf([...log, shown(13, "lesson-3"), ...credited], "lesson:lesson-3")?.[0]).toBe(
    'lesson-3 ("sums") came into the playbook, verified; it has 3. In this run it was shown 1 time, ' +
      "and credited with 4 goals (cedar/5, cedar/7, cedar/9, …).",
  );
  expect(saysOf([...log, changed(13, "dropped")], "lesson:lesson-3")?.[0]).toBe(
    'lesson-3 ("sums") left the playbook. In this run it was shown 0 times, and never credited.',
  );
});

it("[SK51] a lesson that was there from the start answers too, shown or not", () => {
  const opening = "The playbook began with 2 lessons, 2 of them verified: lesson-1 to lesson-2.";

  expect(questions(log)).toEqual(["lesson:lesson-1", "lesson:lesson-2", "lesson:lesson-3"]);
  expect(saysOf(log, "lesson:lesson-2")).toEqual([opening]);
  expect(saysOf(log, "lesson:lesson-1")).toEqual([
    'lesson-1 ("bread") was there from the start; it was shown 2 times, and never credited, the last time in cedar\'s prompt (plan).',
    opening,
  ]);
});

it("[SK51] an answer begins where a lesson came, went or found no room, and at nothing else", () => {
  const ways = ["written", "blocked", "dropped", "credited", "reinforced"] as const;

  expect(ways.map((how) => ofSkills.of(changed(4, how)))).toEqual([
    ...["lesson:lesson-3", "lesson:lesson-3", "lesson:lesson-3", undefined, undefined],
  ]);
  expect(ofSkills.of({ ...changed(4, "written"), fate: "ignored" })).toBeUndefined();
  expect(ofSkills.of(shown(4, "lesson-3"))).toBeUndefined();
});

it("[SK51] what found no room leaves its name to the next lesson", () => {
  const next = [shown(5, "lesson-3"), changed(6, "blocked"), changed(7, "written")];

  expect(
    why([...log, ...next, shown(8, "lesson-3")], [], "lesson:lesson-3")?.chain[0],
  ).toMatchObject({
    seq: 7,
    says: expect.stringContaining("shown 1 time"),
  });
  // A log that was made up may credit what it never told of.
  expect(questions([changed(4, "credited")])).toEqual(["lesson:lesson-3"]);
});
