import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../../src/contract/anyText.ts";
import {
  emptyProfile,
  journalAfter,
  journalLetter,
  profileAfter,
  profileText,
  readJournal,
  readProfile,
} from "../../../../src/machines/agents/agent/profile.ts";
import {
  type Reflection,
  readReflection,
} from "../../../../src/machines/agents/model/modelAnswers.ts";
import { canonicalJson } from "../../../../src/substrate/canonicalJson.ts";
import { policyWith } from "../../../builtIn.ts";
import { mailOf } from "../../../mail.ts";

const { mind } = policyWith({});
const nothing = readReflection("");
const reflection = (changes: Partial<Reflection>): Reflection => ({ ...nothing, ...changes });
const texts = (count: number) => Array.from({ length: count }, (_, at) => `text ${at + 1}`);
const opinionsOf = (list: readonly string[]) =>
  list.map((opinion) => ({ opinion, domain: "general" }));

it("[IN1, IN8] the last outcome is cut at 400 characters in a file, too", () => {
  const text = JSON.stringify({ ...emptyProfile, lastOutcome: "x".repeat(401) });

  expect(readProfile(text, mind).lastOutcome).toBe("x".repeat(400));
});

describe("what an answer adds", () => {
  it("[IN2] two opinions and three questions at most, the first ones", () => {
    const said = reflection({ opinions: opinionsOf(texts(3)), questions: texts(4) });
    const { opinions, questions } = profileAfter(emptyProfile, said, mind);

    expect(opinions.map(({ opinion }) => opinion)).toEqual(["text 1", "text 2"]);
    expect(questions).toEqual(["text 1", "text 2", "text 3"]);
  });

  it("[IN2] of more than 20 opinions and 12 questions the oldest go", () => {
    const full = { ...emptyProfile, opinions: opinionsOf(texts(20)), questions: texts(12) };
    const said = reflection({ opinions: opinionsOf(["new"]), questions: ["new"] });
    const { opinions, questions } = profileAfter(full, said, mind);

    expect(opinions).toHaveLength(20);
    expect(opinions[0]?.opinion).toBe("text 2");
    expect(opinions.at(-1)?.opinion).toBe("new");
    expect(questions).toEqual([...texts(12).slice(1), "new"]);
  });

  it("[IN2] what it holds already becomes the latest, and does not stand twice", () => {
    const held = { ...emptyProfile, opinions: opinionsOf(texts(3)), questions: texts(3) };
    const said = reflection({
      opinions: [{ opinion: "text 1", domain: "files" }],
      questions: ["text 2"],
    });
    const { opinions, questions } = profileAfter(held, said, mind);

    expect(opinions).toEqual([
      ...opinionsOf(["text 2", "text 3"]),
      { opinion: "text 1", domain: "files" },
    ]);
    expect(questions).toEqual(["text 1", "text 3", "text 2"]);
  });

  it("[IN2] a worldview must have more than 20 characters and is cut at 600", () => {
    const worldviewOf = (length: number, limits = mind) =>
      profileAfter(
        { ...emptyProfile, worldview: "before" },
        reflection({ worldview: "x".repeat(length) }),
        limits,
      ).worldview;

    expect(worldviewOf(20)).toBe("before");
    expect(worldviewOf(21)).toHaveLength(21);
    expect(worldviewOf(600)).toHaveLength(600);
    expect(worldviewOf(601)).toHaveLength(600);
    expect(worldviewOf(30, policyWith({ "mind.worldviewChars": 25 }).mind)).toHaveLength(25);
  });

  it("[IN2] the policy may let in nothing, and keep nothing", () => {
    const none = policyWith({ "mind.opinions": 0, "mind.newQuestions": 0 }).mind;
    const said = reflection({ opinions: opinionsOf(["new"]), questions: ["new"] });

    expect(profileAfter(emptyProfile, said, none)).toEqual(emptyProfile);
  });

  it("[IN2] the journal remembers the last 20 reasons", () => {
    expect(journalAfter(texts(20), reflection({ reasoning: "new" }))).toEqual([
      ...texts(20).slice(1),
      "new",
    ]);
    expect(journalAfter(texts(2), nothing)).toEqual(texts(2));
  });
});

describe("what files say", () => {
  it("[IN1] a profile is read as it was written", () => {
    const profile = {
      traits: ["curious"],
      opinions: opinionsOf(["less is more"]),
      questions: ["why?"],
      worldview: "All is well.",
      lastOutcome: "[COMPLETED] Write a page",
      rotation: 3,
    };

    expect(readProfile(profileText(profile), mind)).toEqual(profile);
    expect(readProfile(undefined, mind)).toEqual(emptyProfile);
  });

  it.each([
    ["", {}],
    ["{", {}],
    ["[]", {}],
    ['{"traits":"curious","opinions":7,"questions":{},"worldview":7,"rotation":-1}', {}],
    ['{"rotation":1.5,"lastOutcome":[]}', {}],
    ['{"opinions":["bare",{"opinion":""},{"opinion":"o","domain":7}]}', {}],
    [
      '{"opinions":[{"opinion":"o"}],"traits":["a","a",7]}',
      { opinions: opinionsOf(["o"]), traits: ["a"] },
    ],
  ])("[IN1] of %s only what fits counts", (text, read) => {
    expect(readProfile(text, mind)).toEqual({ ...emptyProfile, ...read });
  });

  it("[IN1] the caps hold for files too", () => {
    const text = JSON.stringify({
      traits: texts(30),
      opinions: opinionsOf(texts(30)),
      questions: texts(30),
      worldview: "x".repeat(1_000),
      lastOutcome: "x".repeat(1_000),
    });
    const read = readProfile(text, mind);

    expect(read.traits).toHaveLength(12);
    expect(read.opinions).toHaveLength(20);
    expect(read.opinions.at(-1)?.opinion).toBe("text 30");
    expect(read.questions).toHaveLength(12);
    expect(read.worldview).toHaveLength(600);
    expect(read.lastOutcome).toHaveLength(400);
  });

  it("[IN1] a journal is its readable lines, the last 20", () => {
    const { event } = journalLetter("cedar", 5, "because");
    expect(event).toMatchObject({ type: "files.append", path: expect.stringMatching(/jsonl$/) });

    const lines = [...texts(25).map((text) => JSON.stringify({ text })), "{torn", '{"text":7}', ""];
    expect(readJournal(lines.join("\n"))).toEqual(texts(25).slice(5));
    expect(readJournal(mailOf({ event }, "files.append").text)).toEqual(["because"]);
    expect(readJournal(undefined)).toEqual([]);
  });

  it("[IN1] whatever stands there, reading gives strict JSON and writing it back loses nothing", () => {
    const anything = fc.oneof(
      anyText(),
      fc.json(),
      fc
        .record({
          traits: fc.jsonValue(),
          opinions: fc.array(fc.record({ opinion: fc.jsonValue(), domain: fc.jsonValue() })),
          questions: fc.array(anyText()),
          worldview: anyText({ maxLength: 700 }),
          rotation: fc.double(),
        })
        .map((value) => JSON.stringify(value)),
    );

    fc.assert(
      fc.property(anything, (text) => {
        const read = readProfile(text, mind);
        canonicalJson(read);
        canonicalJson(readJournal(text));
        expect(readProfile(profileText(read), mind)).toEqual(read);
      }),
      { numRuns: 300 },
    );
  });
});
