import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import {
  type LessonKeeperInput,
  lessonKeeperMachine,
} from "../../../../src/machines/agents/lessons/lessonKeeper.ts";
import {
  candidatesPath,
  lessonsPath,
  lessonsText,
  readLessons,
} from "../../../../src/machines/agents/lessons/lessons.ts";
import type { Letter, Mail, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import { minutes } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying, mailIn, strangeEvent } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

interface Context {
  readonly candidates: readonly { readonly lesson: string }[];
  readonly lessons: readonly { readonly lesson: string }[];
  readonly waiting: readonly { readonly n: number }[];
}

const keeperOf = (
  changes: Partial<LessonKeeperInput> = {},
  overrides: { readonly [path: string]: PolicyValue } = {},
) =>
  driven<Context>(lessonKeeperMachine(policyWith(overrides)), {
    agent: "cedar",
    ledger: "goalLedger",
    candidates: null,
    lessons: null,
    ...changes,
  });

const completed = (n: number, more: Partial<Mail["goal.ended"]> = {}): MailOf<"goal.ended"> => ({
  type: "goal.ended",
  agent: "cedar",
  n,
  status: "completed",
  text: `Goal ${n}`,
  artifact: `/agentOS/workspace/cedar/${n}.md`,
  reason: null,
  notes: [],
  misses: 0,
  failedSteps: 0,
  facts: [],
  ...more,
});
const failed = (n: number, more: Partial<Mail["goal.ended"]> = {}) =>
  completed(n, { status: "abandoned", reason: "out of chances", ...more });
const lesson = (text: string, category = "tools", confidence = "low"): MailOf<"llm.replied"> => ({
  type: "llm.replied",
  text: JSON.stringify({ lesson: text, category, confidence }),
});
const garbage: MailOf<"llm.replied"> = { type: "llm.replied", text: "{" };
const nothing: MailOf<"llm.replied"> = { type: "llm.replied", text: '{"lesson":null}' };

const noted = (letters: readonly Letter[]) => carrying(letters, "lesson.noted")[0];
const writes = (letters: readonly Letter[]) => mailIn(lettersTo(letters, "files"), "files.write");
const written = (letters: readonly Letter[]) => writes(letters).map(({ path }) => path);
const asks = (letters: readonly Letter[]) => lettersTo(letters, "port/llm.chat");

describe("a goal that ended", () => {
  it("[LE1] completed: the model is asked once, with what is told of it", () => {
    const keeper = keeperOf();

    const letters = keeper.send(completed(1, { notes: ["too short"] }));

    expect(asks(letters)).toEqual([
      {
        to: "port/llm.chat",
        ask: "lesson",
        because: [keeper.seq],
        event: {
          type: "llm.asked",
          purpose: "lesson.extract",
          view: {
            purpose: "lesson.extract",
            agent: "cedar",
            goal: "Goal 1",
            status: "completed",
            reason: null,
            notes: ["too short"],
          },
        },
      },
    ]);
    expect(keeper.timers().map(({ delayMs }) => delayMs)).toEqual([minutes(10)]);
  });

  it.each([
    [{ misses: 1 }, 1],
    [{ failedSteps: 1 }, 1],
    [{ misses: 0, failedSteps: 0 }, 0],
  ])("[LE1] given up with %j: asked %i times", (more, times) => {
    expect(asks(keeperOf().send(failed(1, more)))).toHaveLength(times);
  });

  it("[LE1] ended in a way that nobody knows: not asked", () => {
    const ended = strangeEvent("goal.ended", { ...failed(1, { misses: 1 }), status: "stopped" });

    expect(asks(keeperOf().send(ended))).toHaveLength(0);
  });

  it("[LE1] waits for its turn", () => {
    const keeper = keeperOf();
    keeper.send(completed(1));

    expect(asks(keeper.send(completed(2)))).toEqual([]);
    expect(keeper.context.waiting.map(({ n }) => n)).toEqual([1, 2]);

    const letters = keeper.send(nothing);
    expect(asks(letters)[0]?.event).toMatchObject({ view: { goal: "Goal 2" } });
    keeper.send(nothing);
    expect(keeper.value).toBe("idle");
    expect(keeper.context.waiting).toEqual([]);
  });

  it("[LE1] too many are dropped, and said to be", () => {
    const keeper = keeperOf({}, { "lessons.queueMax": 2 });
    keeper.send(completed(1));
    expect(noted(keeper.send(completed(2)))).toBeUndefined();

    const letters = keeper.send(completed(3));

    expect(noted(letters)?.event).toMatchObject({ n: 3, outcome: "dropped", lesson: null });
    expect(noted(letters)?.because).toEqual([keeper.seq]);
    expect(keeper.context.waiting.map(({ n }) => n)).toEqual([1, 2]);
    expect(noted(keeper.send(failed(4)))).toBeUndefined();
  });
});

describe("what the model says", () => {
  it("[LE4, U12] a candidate is written down and told, resting on goal and answer", () => {
    const keeper = keeperOf();
    keeper.send(completed(1));
    const fact = keeper.seq;

    const letters = keeper.send(lesson("Rest at night"));

    expect(written(letters)).toEqual([candidatesPath("cedar")]);
    expect(readLessons(writes(letters)[0]?.text, 9)).toEqual([
      { lesson: "Rest at night", category: "tools", confidence: "low", observations: [1] },
    ]);
    expect(noted(letters)).toEqual({
      to: "goalLedger",
      because: [fact, keeper.seq],
      event: {
        type: "lesson.noted",
        agent: "cedar",
        n: 1,
        outcome: "candidate",
        lesson: "Rest at night",
        category: "tools",
        candidates: 1,
        promoted: 0,
      },
    });
  });

  it("[LE4, U12] the second goal with it makes a rule of it, in both files", () => {
    const keeper = keeperOf();
    keeper.send(completed(1));
    keeper.send(lesson("Rest at night"));
    keeper.send(failed(2, { misses: 1 }));

    const letters = keeper.send(lesson("At night rest"));

    expect(written(letters)).toEqual([candidatesPath("cedar"), lessonsPath("cedar")]);
    expect(noted(letters)?.event).toMatchObject({
      outcome: "promoted",
      lesson: "Rest at night",
      candidates: 0,
      promoted: 1,
    });
  });

  const silences = [
    ["none", (keeper: ReturnType<typeof keeperOf>) => keeper.send(nothing)],
    ["unreadable", (keeper: ReturnType<typeof keeperOf>) => keeper.send(garbage)],
    [
      "failed",
      (keeper: ReturnType<typeof keeperOf>) => keeper.send({ type: "llm.failed", error: "no" }),
    ],
    ["late", (keeper: ReturnType<typeof keeperOf>) => keeper.fire("modelTimeout")],
  ] as const;

  it.each(silences)("[LE6] %s is told by that name and changes no file", (outcome, happens) => {
    const keeper = keeperOf();
    keeper.send(completed(1));

    const letters = happens(keeper);

    expect(noted(letters)?.event).toMatchObject({ n: 1, outcome, lesson: null, candidates: 0 });
    expect(written(letters)).toEqual([]);
    expect(keeper.value).toBe("idle");
    expect(lettersTo(letters, "kernel").map(({ event }) => event)).toEqual([
      { type: "ask.cancelled", key: "lesson" },
    ]);
  });

  it("[LE2] what is known already changes no file, and keeps its wording", () => {
    const keeper = keeperOf();
    keeper.send(completed(1));
    keeper.send(lesson("Rest at night", "environment", "high"));
    keeper.send(completed(2));

    const letters = keeper.send(lesson("At night, rest"));

    expect(noted(letters)?.event).toMatchObject({
      ...{ outcome: "known", lesson: "Rest at night", promoted: 1 },
    });
    expect(written(letters)).toEqual([]);
  });
});

describe("the rules", () => {
  const rulesOf = (letters: readonly Letter[]) =>
    mailIn(lettersTo(letters, "peer"), "lessons.answered")[0]?.rules;

  it("[LE5] come in the order of their promotion, also while one is being drawn", () => {
    const keeper = keeperOf();
    expect(rulesOf(keeper.send({ type: "lessons.asked" }))).toEqual([]);
    const facts = [1];
    const all = "Walk Rest Sing Swim Climb Paint Bake Dig Mend Row Knit".split(" ");
    for (const [at, text] of all.entries()) {
      keeper.send(completed(at + 1));
      keeper.send(lesson(text, "constraints", "high"));
      facts.push(keeper.seq);
    }
    // A candidate promotes nothing.
    keeper.send(completed(20));
    keeper.send(lesson("Whisper"));
    keeper.send(completed(21));

    const letters = keeper.send({ type: "lessons.asked" });

    expect(rulesOf(letters)).toEqual(all);
    expect(lettersTo(letters, "peer")[0]?.because).toEqual(facts.slice(-8));
    expect(keeper.value).toBe("extracting");
  });

  it("[LE4] survive a restart with the candidates, which go on from there", () => {
    const before = keeperOf();
    const files = new Map<string, string>();
    const keep = (letters: readonly Letter[]) => {
      for (const { path, text } of writes(letters)) files.set(path, text);
    };
    before.send(completed(1));
    keep(before.send(lesson("Walk", "environment", "high")));
    before.send(completed(2));
    keep(before.send(lesson("Rest")));

    const after = keeperOf({
      candidates: files.get(candidatesPath("cedar")) ?? null,
      lessons: files.get(lessonsPath("cedar")) ?? null,
    });

    expect(lettersTo(after.letters, "goalLedger").map(({ event }) => event)).toEqual([
      { type: "lessons.read", agent: "cedar", candidates: 1, promoted: 1 },
    ]);
    expect(rulesOf(after.send({ type: "lessons.asked" }))).toEqual(["Walk"]);
    after.send(completed(3));
    expect(noted(after.send(lesson("Rest")))?.event.outcome).toBe("promoted");
    expect(rulesOf(after.send({ type: "lessons.asked" }))).toEqual(["Walk", "Rest"]);
  });

  it("[LE4] a damaged file is none, and is written anew", () => {
    const keeper = keeperOf({ candidates: "{torn", lessons: "[7]" });
    keeper.send(completed(1));

    const letters = keeper.send(lesson("Rest"));

    expect(keeper.context.lessons).toEqual([]);
    expect(writes(letters)[0]?.text).toBe(
      lessonsText([{ lesson: "Rest", category: "tools", confidence: "low", observations: [1] }]),
    );
  });
});

it("[LE1] stops with its daemon and forgets its question", () => {
  const keeper = keeperOf();
  keeper.send(completed(1));

  const letters = keeper.send({ type: "daemon.stopped" });

  expect(keeper.ended).toBe(true);
  expect(letters.map(({ event }) => event)).toEqual([{ type: "ask.cancelled", key: "lesson" }]);
});

it("[LE9, LE1] whatever happens: each telling goal is asked about once, and the files say what is known", () => {
  const event = fc.oneof(
    fc.record({ n: fc.nat(30), misses: fc.nat(1), isDone: fc.boolean() }),
    fc.constantFrom<MailEvent>(
      lesson("Walk"),
      lesson("Rest", "environment", "high"),
      lesson("Verify path exists"),
      lesson("Check the file exists", "constraints", "low"),
      nothing,
      garbage,
      { type: "llm.failed", error: "" },
      { type: "lessons.asked" },
      { type: "ask.bounced", address: "port/llm.chat" },
    ),
  );

  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      const keeper = keeperOf(
        {},
        { "lessons.queueMax": 3, "lessons.observations": 3, "lessons.lessonsMax": 2 },
      );
      const files = new Map<string, string>();
      let [telling, asked, dropped, rules] = [0, 0, 0, 0];
      for (const each of events) {
        const isGoal = "isDone" in each;
        if (isGoal && (each.isDone || each.misses > 0)) telling += 1;
        const letters = keeper.send(
          isGoal
            ? each.isDone
              ? completed(each.n)
              : failed(each.n, { misses: each.misses })
            : each,
        );
        asked += asks(letters).length;
        if (noted(letters)?.event.outcome === "dropped") dropped += 1;
        for (const { path, text } of writes(letters)) files.set(path, text);
        expect(keeper.context.lessons.length).toBeGreaterThanOrEqual(rules);
        rules = keeper.context.lessons.length;
      }
      const waiting = keeper.context.waiting.length;
      expect(asked + dropped + Math.max(0, waiting - 1)).toBe(telling);
      for (const [path, known] of [
        [candidatesPath("cedar"), keeper.context.candidates],
        [lessonsPath("cedar"), keeper.context.lessons],
      ] as const) {
        expect(readLessons(files.get(path) ?? null, 99)).toEqual(known);
      }
    }),
  );
});
