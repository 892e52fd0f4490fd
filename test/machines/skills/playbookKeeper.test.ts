// The keeper of the playbook alone: what is written, shown, credited and dropped.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import type { Json, Letter, Mail, MailEvent } from "../../../src/machines/letter.ts";
import { type Lesson, newLesson } from "../../../src/machines/skills/lesson.ts";
import { minutes } from "../../../src/machines/units.ts";
import { policyWith } from "../../builtIn.ts";
import { services } from "../../cast.ts";
import { served } from "../served.ts";

const GOAL = "Count the herons in the notes of the month";

const lessonOf = (trigger: string, more: Partial<Lesson> = {}): Lesson => ({
  ...newLesson(
    {
      ...{ trigger, antiPattern: "", correctPattern: "Split the notes into lines" },
      ...{ domains: ["algo"], confidence: 500_000, sourceChallengeHash: "c0ffee" },
      ...{ verified: false, verificationAttempted: true, source: "self_play" },
    },
    0,
  ),
  ...more,
});

const dreamt = (
  trigger: string,
  end: Mail["dream.ended"]["end"] = "unverified",
  confidence = 500_000,
): MailEvent => ({
  ...{ type: "dream.ended", dream: 1, round: 1, challenge: "c0ffee", end, reason: null },
  attempts: 2,
  lesson: {
    ...{ trigger, antiPattern: "", correctPattern: "Split it", domains: ["algo"], confidence },
  },
});

const asked = (
  goal: string | null,
  purpose: "plan" | "goal.choose" = "plan",
  n = 1,
  agent = "cedar",
): MailEvent => ({
  ...{ type: "section.asked", agent, purpose, n, goal, notes: [] },
});
const reported = (status: Mail["goal.reported"]["status"], text: string = GOAL): MailEvent => ({
  ...{ type: "goal.reported", agent: "cedar", n: 1, status, text, artifact: "/agentOS/a.md" },
  ...{ misses: 0, failedSteps: 0, reason: null, notes: [] },
});
const called = (capability: string, params: { readonly [name: string]: Json }): MailEvent => ({
  ...{ type: "capability.called", agent: "cedar", cycle: 1, capability, intent: "", params },
});

function keeper(
  lessons: readonly Lesson[] = [],
  policy: { readonly [path: string]: PolicyValue } = {},
) {
  const service = services(policyWith(policy)).playbook;
  const self = served(service, { lessons });
  return {
    opening: service.init({ lessons }, { nowMs: 0, seq: 1, from: "kernel" }).letters,
    send: (event: MailEvent, nowMs = 0): readonly Letter[] =>
      self.send(event, { asked: true, nowMs }).letters,
    /** A question about a goal, whose meaning is every lesson's that has its first word. */
    prompts(goal: string, nowMs = 0, n = 1, agent = "cedar"): readonly Letter[] {
      const [ask] = self.send(asked(goal, "plan", n, agent), { asked: true, nowMs }).letters;
      const texts = ask?.event.type === "llm.embed" ? ask.event.texts : [];
      const first = goal.split(" ")[0] ?? "";
      const vectors = Object.fromEntries(
        texts.map((text) => [text, text.startsWith(first) ? [1, 0] : [0, 1]]),
      );
      const key = ask?.ask ?? "";
      return self.send({ type: "embed.replied", vectors }, { key, nowMs }).letters;
    },
    get book() {
      return self.state.book;
    },
  };
}

const told = <K extends keyof Mail>(letters: readonly Letter[], type: K): readonly Mail[K][] =>
  letters.flatMap(({ event }) => (event.type === type ? [event as unknown as Mail[K]] : []));

describe("what is written", () => {
  it("[SK105] a playbook that begins with more lessons than are kept lets go of the least useful", () => {
    const lessons = [
      ...[lessonOf("Newest", { confidence: 0 }), lessonOf("Weak", { confidence: 1 })],
      ...[lessonOf("Strong"), lessonOf("Proven", { confidence: 0, verified: true })],
    ];
    const here = keeper(lessons, { "skills.playbook.size": 3 });

    expect(here.book.map(({ trigger }) => trigger)).toEqual(["Newest", "Proven", "Strong"]);
    expect(told(here.opening, "playbook.changed")).toMatchObject([
      { lesson: "lesson-3", trigger: "Weak", how: "dropped", cause: "lowest-utility", size: 3 },
    ]);
  });

  it("[SK64, SK66] what proved that it helps is a pin, what did not is kept too", () => {
    const here = keeper();
    const first = here.send(dreamt("Counting lines", "verified"));
    const second = here.send(dreamt("Reading tables"));

    expect(told(first, "playbook.changed")).toMatchObject([
      { lesson: "lesson-1", how: "written", verified: true, size: 1, pins: 1 },
    ]);
    expect(told(second, "playbook.changed")).toMatchObject([
      { lesson: "lesson-2", how: "written", verified: false, size: 2, pins: 1 },
    ]);
  });

  it("[SK66] what is learnt once more keeps its name", () => {
    const here = keeper();
    here.send(dreamt("Counting lines"));

    here.send(dreamt("Reading tables"));
    expect(told(here.send(dreamt("lines, counting")), "playbook.changed")).toMatchObject([
      { lesson: "lesson-1", how: "reinforced" },
    ]);
    expect(told(here.send(dreamt("Mending nets")), "playbook.changed")).toMatchObject([
      { lesson: "lesson-3", how: "written" },
    ]);
    // Also one that had to go meanwhile.
    const small = keeper([], { "skills.playbook.size": 1 });
    for (const trigger of ["Counting lines", "Reading tables"]) small.send(dreamt(trigger));
    expect(told(small.send(dreamt("Counting lines")), "playbook.changed")[0]).toMatchObject({
      ...{ lesson: "lesson-1", how: "written" },
    });
  });

  it("[SK66] those of the start are named from the oldest on", () => {
    const both = [lessonOf("Count birds"), lessonOf("Water plants")];
    const names = (goal: string) => told(keeper(both).prompts(goal), "playbook.surfaced");

    expect(names("Water them")).toMatchObject([{ lesson: "lesson-1" }]);
    expect(names("Count them")).toMatchObject([{ lesson: "lesson-2" }]);
  });

  it.each(["refused", "empty", "mastered", "lost", "broken"] as const)(
    "[SK63] nothing of a round that ended as %s is kept",
    (end) => {
      const here = keeper();

      expect(here.send(dreamt("Counting lines", end))).toEqual([]);
      expect(here.book).toEqual([]);
    },
  );

  it("[SK66] fifty pins leave no room for an unverified one, forty-nine do", () => {
    const pins = (count: number) =>
      Array.from({ length: count }, (_, n) => lessonOf(`Sill ${n}`, { verified: true }));
    const full = keeper(pins(50)).send(dreamt("Counting lines"));
    const room = keeper(pins(49)).send(dreamt("Counting lines"));

    expect(told(full, "playbook.changed")).toMatchObject([
      { lesson: "lesson-51", how: "blocked", cause: "blocked-by-pins", size: 50 },
    ]);
    expect(told(room, "playbook.changed")).toMatchObject([{ how: "written", size: 50 }]);
  });
});

describe("what is shown", () => {
  it("[SK67, SK68] what is near the goal, with a letter to the log for each", () => {
    const here = keeper(["Count birds", "Water plants", "Count boats"].map((one) => lessonOf(one)));
    const letters = here.prompts(GOAL, 5);

    expect(told(letters, "section.answered")).toMatchObject([
      {
        title: "### SKILL PLAYBOOK",
        lines: ["Count birds", "Count boats"].map((one) => expect.stringContaining(one)),
      },
    ]);
    expect(told(letters, "playbook.surfaced")).toMatchObject([
      { lesson: "lesson-3", source: "self_play", challenge: "c0ffee", counts: true },
      { lesson: "lesson-1" },
    ]);
    expect(here.book.map(({ retrievals }) => retrievals)).toEqual([1, 0, 1]);
  });

  it("[SK67] the latest where there is no goal yet, and nothing of an empty playbook", () => {
    const many = Array.from({ length: 7 }, (_, n) => lessonOf(`Sill ${n}`));
    const [section] = told(keeper(many).send(asked(null, "goal.choose")), "section.answered");

    expect(section?.lines.map((line) => line.split("\n")[0])).toEqual(
      [0, 1, 2, 3, 4].map((n) => `TRIGGER (·): Sill ${n}`),
    );
    expect(told(keeper().send(asked(GOAL)), "section.answered")).toMatchObject([{ lines: [] }]);
  });

  it("[SK67] by words where the embedding knows no meaning", () => {
    const self = served(services(policyWith({})).playbook, {
      lessons: [lessonOf("Water plants"), lessonOf("Count herons in notes")],
    });
    const [ask] = self.send(asked(GOAL)).letters;
    const { letters } = self.send({ type: "embed.replied", vectors: {} }, { key: ask?.ask ?? "" });

    expect(told(letters, "playbook.surfaced")).toMatchObject([
      { lesson: "lesson-1", way: "keywords" },
    ]);
  });

  it("[SK67] by words where it knows the meaning of some lessons only", () => {
    const lessons = [lessonOf("Water plants"), lessonOf("Count herons in notes")];
    const self = served(services(policyWith({})).playbook, { lessons });
    const [ask] = self.send(asked(GOAL)).letters;
    const vectors = { [GOAL]: [1, 0], "Water plants": [1, 0] };
    const { letters } = self.send({ type: "embed.replied", vectors }, { key: ask?.ask ?? "" });

    expect(told(letters, "playbook.surfaced")).toMatchObject([
      { lesson: "lesson-1", way: "keywords" },
    ]);
  });

  it("[SK66] what is told of a showing is what the lesson is worth once it is counted", () => {
    const shown = { confidence: 400_000, verified: true, retrievals: 4, helpfulRetrievals: 2 };
    const here = keeper([lessonOf("Count birds", shown)]);
    const first = told(here.prompts(GOAL), "playbook.surfaced");
    const stale = keeper([lessonOf("Count birds", { ...shown, helpfulRetrievals: 1 })]);
    const again = keeper([lessonOf("Count birds", shown)], {
      "skills.playbook.countRetrieval": "turn",
    });

    // .4 · .5 + .8 · 2/5 + .3; with 1/5, below .35, it is stale besides.
    expect(first).toMatchObject([{ counts: true, utility: 820_000 }]);
    expect(told(stale.prompts(GOAL), "playbook.surfaced")).toMatchObject([{ utility: 360_000 }]);
    expect(again.prompts(GOAL) && told(again.prompts(GOAL), "playbook.surfaced")).toMatchObject([
      { counts: false, utility: 820_000 },
    ]);
  });

  it("[SK68] counts each prompt, or each goal once", () => {
    const counts = (countRetrieval: string) => {
      const here = keeper([lessonOf("Count birds")], {
        "skills.playbook.countRetrieval": countRetrieval,
      });
      for (const ms of [0, 1, 2]) here.prompts(GOAL, ms);
      return here.book.map(({ retrievals }) => retrievals);
    };

    expect(counts("injection")).toEqual([3]);
    expect(counts("turn")).toEqual([1]);
  });

  it("[SK68] counts once more for the next goal, and each prompt where nothing is said", () => {
    const here = keeper([lessonOf("Count birds")], { "skills.playbook.countRetrieval": "turn" });
    here.prompts(GOAL, 0, 1);
    here.prompts(GOAL, 0, 2);
    here.prompts(GOAL, 0, 2);
    const usual = keeper([lessonOf("Count birds")]);
    usual.prompts(GOAL);
    usual.prompts(GOAL);

    expect([here, usual].map(({ book }) => book[0]?.retrievals)).toEqual([2, 2]);
    // The goal of another agent is another goal, whatever its number.
    here.prompts(GOAL, 0, 2, "birch");
    here.prompts(GOAL, 0, 2);
    expect(here.book[0]?.retrievals).toBe(3);
  });
});

describe("credit", () => {
  it.each([
    [minutes(5), 2],
    [minutes(5) + 1, 0],
  ])(
    "[SK66, SK69] a goal that is completed %d ms after the showing credits %d",
    (afterMs, credits) => {
      const here = keeper([lessonOf("Count herons"), lessonOf("Count notes")]);
      here.prompts(GOAL, 0);

      expect(told(here.send(reported("completed"), afterMs), "playbook.changed")).toHaveLength(
        credits,
      );
    },
  );

  it("[SK69] none for a goal that was given up, for other words, or twice for one showing", () => {
    const here = keeper([lessonOf("Count herons")]);
    here.prompts(GOAL);

    expect(here.send(reported("abandoned"))).toEqual([]);
    expect(here.send(reported("completed", "Water the plants"))).toEqual([]);
    expect(here.send(reported("completed"))).toHaveLength(1);
    expect(here.send(reported("completed"))).toEqual([]);
    here.prompts(GOAL, 10);
    expect(here.send(reported("completed"), 10)).toHaveLength(1);
  });
});

describe("what agents call", () => {
  const here = () =>
    keeper([
      lessonOf("Newest", { writtenAtMs: minutes(60 * 30) }),
      lessonOf("Older", { verified: true, writtenAtMs: minutes(60 * 6) }),
      lessonOf("Oldest", { writtenAtMs: minutes(1) }),
    ]);
  const listed = (params: { readonly [name: string]: Json }) =>
    told(here().send(called("list_lessons", params), minutes(60 * 30)), "capability.answered");

  it("[SK70] list_lessons: all, of the last day, verified, up to a limit", () => {
    const of = (...triggers: string[]) => [
      { ok: true, result: { lessons: triggers.map((trigger) => ({ trigger })) } },
    ];
    expect(listed({})).toMatchObject(of("Newest", "Older", "Oldest"));
    expect(listed({ scope: "verified" })).toMatchObject(of("Older"));
    expect(listed({ limit: 1 })).toMatchObject(of("Newest"));
    // Exactly a day ago is no longer today.
    expect(listed({ scope: "today" })).toMatchObject(of("Newest"));
  });

  it("[SK70] what cannot be read is refused, with what is allowed", () => {
    expect(listed({ scope: "mine" })).toMatchObject([
      { ok: false, error: 'scope "mine" is none: all, today, verified' },
    ]);
    for (const limit of [0, 1.5, "2"]) {
      const error = `limit ${JSON.stringify(limit)} is none: a whole number from 1`;
      expect(listed({ limit })).toMatchObject([{ ok: false, error }]);
    }
    for (const params of [{}, { query: " " }]) {
      expect(told(here().send(called("recall", params)), "capability.answered")).toMatchObject([
        { ok: false, error: "recall needs query, a text" },
      ]);
    }
  });

  it("[SK70] recall: what bears on the query, and it is no retrieval", () => {
    const self = served(services(policyWith({})).playbook, { lessons: [lessonOf("Count birds")] });
    const [ask] = self.send(called("recall", { query: "birds" })).letters;
    const vectors = { birds: [1, 0], "Count birds": [1, 0] };
    const { letters } = self.send({ type: "embed.replied", vectors }, { key: ask?.ask ?? "" });

    expect(told(letters, "capability.answered")).toMatchObject([
      { ok: true, result: { lessons: [{ lesson: "lesson-1" }] } },
    ]);
    expect(self.state.book[0]?.retrievals).toBe(0);
  });
});

describe("the nudge", () => {
  const nudges = (goal: string, policy = {}) =>
    told(keeper([], policy).send(asked(goal)), "section.answered")[0]?.nudges;

  it("[SK71] for goals that speak of learning, until something is written or looked at", () => {
    expect(nudges("Say what you have learnt today")).toEqual([
      {
        text: "Did you call create_skill?",
        dischargedBy: ["create_skill", "list_lessons", "recall", "manage_skills"],
      },
    ]);
    for (const word of ["learning", "a lesson", "skills", "the playbook"]) {
      expect(nudges(`Write of ${word}`)).toHaveLength(1);
    }
    expect(nudges(GOAL)).toEqual([]);
  });

  it("[SK71] for every goal or none, and ended by writing alone, where the policy says so", () => {
    expect(nudges(GOAL, { "skills.playbook.nudge": "every" })).toHaveLength(1);
    expect(nudges("Learn", { "skills.playbook.nudge": "never" })).toEqual([]);
    expect(nudges("Learn", { "skills.playbook.nudgeEnds": "writing" })).toMatchObject([
      { dischargedBy: ["create_skill"] },
    ]);
  });

  it("[SK71] names no call that the world lacks, and is not there where none is left", () => {
    const among = (builtins: readonly string[], nudgeEnds = "surface") =>
      nudges("Learn", { "engine.builtins": builtins, "skills.playbook.nudgeEnds": nudgeEnds });

    expect(among(["fs_read", "recall", "create_skill"])).toMatchObject([
      { dischargedBy: ["create_skill", "recall"] },
    ]);
    expect(among(["fs_read", "recall"])).toMatchObject([{ text: "Did you call recall?" }]);
    expect(among(["fs_read", "recall"], "writing")).toEqual([]);
    expect(among(["fs_read"])).toEqual([]);
  });
});

it("[SK60] a dream drops what was shown five times and never helped, a quarter at most", () => {
  const idle = Array.from({ length: 8 }, (_, n) => lessonOf(`Sill ${n}`, { retrievals: 5 }));
  const used = idle.map((one) => ({ ...one, retrievals: 4 }));
  const dream: MailEvent = { type: "dream.began", dream: 1 };

  expect(told(keeper(idle).send(dream), "playbook.changed")).toMatchObject([
    { how: "dropped", cause: "never-helpful", size: 6 },
    { how: "dropped", cause: "never-helpful", size: 6 },
  ]);
  expect(keeper(used).send(dream)).toEqual([]);
});

it("[SK29, SK66, SK105] whatever happens, at most the cap is kept, every change is told, and no pin goes for an unverified one", () => {
  const happens = fc.oneof(
    fc
      .tuple(
        fc.nat(12).map((n) => `Trigger ${n}`),
        fc.constantFrom("verified" as const, "unverified" as const),
      )
      .map(([trigger, end]) => dreamt(trigger, end)),
    fc.constantFrom<MailEvent>(reported("completed", "Trigger of it"), {
      ...{ type: "dream.began", dream: 1 },
    }),
    fc.constant(asked(null, "goal.choose")),
  );
  fc.assert(
    fc.property(fc.array(happens, { maxLength: 40 }), (events) => {
      const here = keeper([], { "skills.playbook.size": 4 });
      for (const [index, event] of events.entries()) {
        const before = here.book;
        const letters = here.send(event, index * 1_000);
        const changes = told(letters, "playbook.changed");
        const pins = (book: readonly Lesson[]) => book.filter(({ verified }) => verified).length;

        expect(here.book.length).toBeLessThanOrEqual(4);
        expect(changes.filter(({ cause }) => cause !== null)).toHaveLength(
          before.length +
            (event.type === "dream.ended" && !changes.some(({ how }) => how === "reinforced")
              ? 1
              : 0) -
            here.book.length,
        );
        expect(pins(here.book)).toBeGreaterThanOrEqual(pins(before));
      }
    }),
  );
});
