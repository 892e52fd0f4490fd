// A model that judges a log: what it is asked by each method, and what is made of its answers. SPEC, "Blame and prevent (BL)".
import { describe, expect, it } from "vitest";
import type { AnswerSchema } from "../../src/machines/answerSchema.ts";
import {
  type Entry,
  entriesIn,
  fitted,
  type JudgeWay,
  judged,
} from "../../src/run/causes/judge.ts";
import { called, judged as marked, returned, said as spoken } from "../findings/facts.ts";

/** A person's word, and so many of agents after it. */
const talk = (count: number): readonly Entry[] =>
  entriesIn([
    spoken(1, "Count the even ones.", { speaker: "user", role: "user" }),
    ...Array.from({ length: count }, (_, at) =>
      spoken(at + 2, `I say word ${at + 2}.`, { speaker: at % 2 === 0 ? "ann" : "bob" }),
    ),
  ]);

interface Options {
  readonly entries?: readonly Entry[];
  readonly charsMax?: number;
  readonly about?: string;
}

/** Asks somebody who answers so; the prompts, and what came of it. */
async function judge(
  how: JudgeWay,
  answer: (prompt: string) => unknown,
  { entries = talk(5), charsMax = 20_000, about }: Options = {},
) {
  const prompts: string[] = [];
  const formats: AnswerSchema[] = [];
  const known: string[] = [];
  const found = await judged(entries, {
    ...{ how, charsMax, about },
    ask: async (prompt, format) => {
      prompts.push(prompt);
      formats.push(format);
      const said = answer(prompt);
      return typeof said === "string" ? said : JSON.stringify(said);
    },
    onKnown: (says) => known.push(says),
  });
  return { ...found, prompts, formats, known };
}

/** Numbers of the entries that a prompt shows. */
const shownIn = (prompt = ""): readonly number[] =>
  [...prompt.matchAll(/^\[#(\d+)\]/gm)].map(([, seq]) => Number(seq));
const lastIn = (prompt: string): number => shownIn(prompt).at(-1) ?? 0;

describe("[BL41] the questions", () => {
  it("[BL40, BL41] all-at-once asks once, with all of it and what went wrong", async () => {
    const reason = "It counted the odd ones.";
    const answer = { reason, step: 3 };
    const found = await judge("all-at-once", () => answer, { about: "the answer is 8" });

    expect(found).toMatchObject({ mistake: { seq: 3, agent: "bob", reason }, questions: 1 });
    expect(shownIn(found.prompts[0])).toEqual([1, 2, 3, 4, 5, 6]);
    expect(found.prompts[0]).toContain("What went wrong: the answer is 8\n");
    expect(found.prompts[0]).toContain("[#2] ann: I say word 2.\n");
  });

  it("[BL41] abduct-act-predict asks once, for cause, change and what would have come of it", async () => {
    const { mistake, prompts, formats } = await judge("abduct-act-predict", () => ({
      ...{ abduction: "It misread.", action: "It reads again.", prediction: "It comes out right." },
      ...{ reason: "It misread, and nobody looked.", step: 4 },
    }));

    expect(mistake?.reason).toBe("It misread, and nobody looked.");
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toMatch(/\(abduction\).*\(action\).*\(prediction\)/s);
    expect(formats[0]).toMatchObject({
      required: ["abduction", "action", "prediction", "reason", "step"],
      properties: { step: { enum: [2, 3, 4, 5, 6] } },
    });
  });

  it("[BL41] step-by-step asks at each step of an agent, up to the first that is called the mistake", async () => {
    const { mistake, prompts, known } = await judge("step-by-step", (prompt) => ({
      ...{ reason: "So it is.", mistake: lastIn(prompt) === 4 },
    }));

    expect(mistake).toEqual({ seq: 4, step: 4, agent: "ann", reason: "So it is." });
    expect(prompts.map(shownIn)).toEqual([
      [1, 2],
      [1, 2, 3],
      [1, 2, 3, 4],
    ]);
    expect(known.at(-1)).toBe("it had named none up to [#3]");
  });

  it("[BL41] step-by-step names nobody where no step is called the mistake", async () => {
    const found = await judge("step-by-step", () => ({ mistake: false }));

    expect(found).toMatchObject({ mistake: null, questions: 5, unusable: [] });
  });

  it.each([2, 3, 4, 5, 6])(
    "[BL41, BL46] binary-search halves the steps until #%d is left, and tells each time what is known",
    async (seq) => {
      const { mistake, prompts, known } = await judge("binary-search", (prompt) => {
        const [, to] = /in the first half, \[#\d+\] to \[#(\d+)\]/.exec(prompt) ?? [];
        return { reason: "There.", half: seq <= Number(to) ? "first" : "second" };
      });

      expect(mistake?.seq).toBe(seq);
      expect(prompts.length).toBeLessThanOrEqual(3);
      // The task stays in sight.
      expect(prompts.map((one) => shownIn(one)[0])).toEqual(prompts.map(() => 1));
      expect(shownIn(prompts[1]).length).toBeLessThan(shownIn(prompts[0]).length);
      expect(known).toHaveLength(prompts.length);
    },
  );

  it.each<[JudgeWay, unknown]>([
    ["all-at-once", { reason: "Only one.", step: 2 }],
    ["binary-search", { reason: "Only one.", step: "#2" }],
    ["step-by-step", { reason: "Only one.", mistake: true }],
  ])("[BL41] of a log of one step, %s asks once", async (how, answer) => {
    const found = await judge(how, () => answer, { entries: talk(1) });

    expect(found).toMatchObject({ mistake: { seq: 2, reason: "Only one." }, questions: 1 });
  });
});

describe("[BL44] answers", () => {
  const NO_STEP = 'its "step" is none that was asked for: ';

  it.each<[string, unknown, string]>([
    ["empty", " \n", "it is empty"],
    ["words", "I think that ann did it.", 'it is no JSON object: "I think that ann did it."'],
    ["a list", [2], "it is no JSON object"],
    ["nested without measure", `${'{"a":'.repeat(100)}1${"}".repeat(100)}`, "it is no JSON object"],
    ["without a step", { reason: "No idea." }, NO_STEP],
    ["a step that is no number", { step: { seq: 2 } }, NO_STEP],
    ["beyond the log", { step: 99 }, `${NO_STEP}"{\\"step\\":99}"`],
    ["before the log", { step: -1 }, NO_STEP],
    ["between two steps", { step: 2.5 }, NO_STEP],
    ["of a person", { step: 1 }, NO_STEP],
  ])("[BL44] %s cannot be used, and it is said why", async (_, answer, why) => {
    const { mistake, unusable } = await judge("all-at-once", () => answer);

    expect(mistake).toBe(null);
    expect(unusable).toEqual([expect.stringContaining(`question 1: ${why}`)]);
  });

  it("[BL44] a step that there was no room to show cannot be used", async () => {
    const entries = talk(60);
    const hidden = (prompt: string) =>
      entries.find(({ seq }) => !shownIn(prompt).includes(seq))?.seq;
    const how = { entries, charsMax: 2_000 };
    const found = await judge("all-at-once", (prompt) => ({ step: hidden(prompt) }), how);

    expect(hidden(found.prompts[0] ?? "")).toBeGreaterThan(1);
    expect(found).toMatchObject({ mistake: null, unusable: [expect.stringContaining(NO_STEP)] });
  });

  it("[BL44] words around the object and a missing reason do no harm", async () => {
    const answer = 'Here it is:\n```json\n{"step": "[#5]"}\n```';
    const found = await judge("all-at-once", () => answer);

    expect(found).toMatchObject({ mistake: { seq: 5, reason: "" }, unusable: [] });
  });

  it("[BL44] one in a row of questions is told, and the others count", async () => {
    const { mistake, unusable } = await judge("step-by-step", (prompt) =>
      lastIn(prompt) === 3 ? "what?" : { mistake: lastIn(prompt) === 5 },
    );

    expect(mistake?.seq).toBe(5);
    expect(unusable).toEqual(['question 2: it is no JSON object: "what?"']);
  });

  it("[BL44] a half that is neither ends a search, and what was known stays", async () => {
    let asked = 0;
    const { mistake, unusable, known } = await judge("binary-search", () => ({
      half: asked++ === 0 ? "second" : "third",
    }));

    expect([mistake, known]).toEqual([null, ["it was between [#5] and [#6]"]]);
    expect(unusable).toEqual([expect.stringMatching(/^question 2: its "half" is none that was/)]);
  });
});

describe("[BL45] the room in a question", () => {
  const long = (count: number, chars: number): readonly Entry[] =>
    Array.from({ length: count }, (_, at) => ({
      ...{ seq: at + 1, step: null, agent: "ann", text: `${at + 1}${"x".repeat(chars - 4)}end` },
    }));

  it("[BL45] what fits is shown whole", () => {
    expect(fitted(long(3, 100), 1_000)).toMatchObject({ isCut: false, leftOut: 0 });
    const least = 3 * (100 + 40);
    const leftOut = [least, least - 1].map((room) => fitted(long(3, 100), room).leftOut);
    expect(leftOut).toEqual([0, 1]);
  });

  it.each([1_500, 3_000, 10_000])(
    "[BL45] within %d characters the middle of long entries is cut out first",
    (charsMax) => {
      const { text, isCut, leftOut, shown } = fitted([...long(4, 8_000), ...long(1, 40)], charsMax);

      expect(text.length).toBeLessThanOrEqual(charsMax);
      expect(text.length).toBeGreaterThan(charsMax * 0.6);
      expect([isCut, leftOut, shown.length]).toEqual([true, 0, 5]);
      expect(text).toMatch(/^\[#1\] 1x+ … \d+ characters cut … x+end$/m);
      expect(text).toContain(`1${"x".repeat(36)}end`);
    },
  );

  it("[BL45] then entries are left out evenly, and the first and the last stay", () => {
    const { text, leftOut, shown } = fitted(long(1_000, 500), 20_000);

    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(shown.length + leftOut).toBe(1_000);
    expect(shown.length).toBeGreaterThan(35);
    expect([shown[0]?.seq, shown.at(-1)?.seq]).toEqual([1, 1_000]);
  });

  it("[BL45] acts and what came of them are left out together", () => {
    const pairs = long(1_000, 500).map((one) => ({
      ...one,
      agent: one.seq % 2 === 0 ? null : "ann",
    }));
    const { text, shown } = fitted(pairs, 20_000);

    expect(text.length).toBeLessThanOrEqual(20_000);
    expect(shown.length).toBeGreaterThan(70);
    for (const { seq } of shown.filter(({ agent }) => agent === "ann").slice(1))
      expect(shown.map((one) => one.seq)).toContain(seq + 1);
  });

  it("[BL45] a judgement counts what was cut, and takes no step that it did not show", async () => {
    const entries = long(1_000, 500);
    const found = await judge("all-at-once", () => ({ step: 2 }), { entries });

    expect(found.cut.questions).toBe(1);
    expect(found.cut.leftOut).toBeGreaterThan(800);
    expect(found.unusable).toEqual([expect.stringContaining('its "step" is none that was asked')]);
    expect(found.prompts[0]?.length).toBeLessThanOrEqual(20_000);
    // Cut short, with nothing left out.
    const short = await judge("all-at-once", () => ({ step: 2 }), { entries: long(4, 8_000) });
    expect(short.cut).toEqual({ questions: 1, leftOut: 0 });
    // Of several questions the one that leaves out most is told, here the first.
    const halves = await judge("binary-search", () => ({ half: "first" }), { entries });
    expect(halves.cut.questions).toBeLessThan(halves.questions);
    expect(halves.cut.leftOut).toBeGreaterThan(800);
  });

  it("[BL45] one character too many is cut out of the middle, and 200 are always shown", () => {
    const [entry] = long(1, 201);
    const most = "x".repeat(100);
    const room = 201 + 40;
    const told = (charsMax: number) => fitted(entry === undefined ? [] : [entry], charsMax);

    expect(told(room)).toMatchObject({
      isCut: false,
      text: expect.stringMatching(/^\[#1\] 1x+end$/),
    });
    expect(told(room - 1)).toMatchObject({
      ...{ isCut: true, leftOut: 0 },
      text: `[#1] 1${most.slice(1)} … 1 characters cut … ${most.slice(3)}end`,
    });
  });

  it("[BL45] in a room of nothing the first and the last stay", () => {
    expect(fitted(long(9, 500), 1)).toMatchObject({
      text: expect.stringMatching(/^\[#1\] 1x+ … 300 characters cut … x+end\n\[#9\] 9x+ … 300 .*$/),
      leftOut: 7,
    });
  });
});

it("[BL42] calls are agents', results nobody's, and people's marks are in no question", () => {
  const step = { step: null };
  const entries = entriesIn([
    spoken(1, "I look it up.", { speaker: "ann", ...step }),
    called(2, "find", { agent: "ann", ...step, args: { name: "x" } }),
    returned(3, "find", { rows: 0 }, { agent: "ann", ...step }),
    returned(4, "find", null, { agent: "ann", ...step, error: "busy" }),
    marked({ mistake: { agent: "ann", step: 1 } }),
  ]);

  expect(entries).toEqual([
    { seq: 1, step: null, agent: "ann", text: "ann: I look it up." },
    { seq: 2, step: null, agent: "ann", text: 'ann calls find: {"name":"x"}' },
    { seq: 3, step: null, agent: null, text: 'find returned to ann: {"rows":0}' },
    { seq: 4, step: null, agent: null, text: "find returned to ann, failed (busy): null" },
  ]);
});
