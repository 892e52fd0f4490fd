// What models answer in self-play: taken whole, or refused with what was found and what is allowed.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../src/contract/anyText.ts";
import {
  faultText,
  type Read,
  readChallenge,
  readExtracted,
  readSolution,
  renderSkill,
  type SkillView,
} from "../../../src/machines/skills/selfPlay.ts";
import { CHALLENGE, challengeText, extractedText, SETUP, VALIDATOR } from "./dreamAnswers.ts";

const told = ({ fault }: Read<unknown>): string => (fault === undefined ? "" : faultText(fault));

const challengeWith = (fields: object): string =>
  JSON.stringify({ ...JSON.parse(challengeText), ...fields });
const lessonWith = (fields: object): string =>
  JSON.stringify({ ...JSON.parse(extractedText({})), ...fields });

describe("a challenge", () => {
  it("[SK53] is read out of the words around it, and of more members only those that were asked of", () => {
    const { value } = readChallenge(
      `Sure! ${challengeWith({ difficulty: 3, verified: true })} Enjoy.`,
    );

    expect(value).toEqual({
      ...{ domain: "algo", text: CHALLENGE, setup: { "words.txt": SETUP }, validator: VALIDATOR },
    });
    expect(
      readChallenge(challengeWith({ validator: `\`\`\`python\n${VALIDATOR}\`\`\`` })).value,
    ).toEqual(value);
  });

  it.each<[string, object, string, string]>([
    ["of a domain of its own", { domain: "cooking" }, '"cooking"', "algo, bash, concurrency"],
    ["without a task", { challenge: " " }, '" "', "a text"],
    ["whose setup is a list", { setup: ["a"] }, '["a"]', "a map of texts by path"],
    [
      "whose file is an object",
      { setup: { "a.json": { n: 1 } } },
      'a.json: {"n":1}',
      "a map of texts",
    ],
    ["with a path outside", { setup: { "/etc/passwd": "x" } }, '"/etc/passwd"', "data/input.csv"],
    ["with a path upwards", { setup: { "a/../../b": "x" } }, '"a/../../b"', "data/input.csv"],
    ["with a folder for a file", { setup: { "a/": "x" } }, '"a/"', "data/input.csv"],
    ["with a file that is a folder", { setup: { a: "x", "a/b": "y" } }, "a", "one of the two"],
    [
      "whose validator is words",
      { validator: "it must be 7" },
      '"it must be 7"',
      "def validate(answer)",
    ],
    ["without a validator", { validator: undefined }, "nothing", "def validate(answer)"],
    ["past all measure", { challenge: "x".repeat(30_000) }, "30", "20000 in all"],
  ])("[SK53] %s is refused whole", (_, fields, found, allowed) => {
    const read = readChallenge(challengeWith(fields));

    expect(read.value).toBeUndefined();
    expect(told(read)).toContain(`found: ${found}`);
    expect(told(read).split("allowed: ")[1]).toContain(allowed);
  });

  it("[SK53] that is no JSON, or half of it, is refused", () => {
    for (const text of ["I'd rather not.", challengeText.slice(0, -20), "[]", "null", "{"]) {
      expect(told(readChallenge(text))).toContain("no JSON object; found: ");
    }
  });
});

describe("a solution", () => {
  it("[SK53] is taken out of the fence that holds it", () => {
    const code = "def solve():\n    return 1\n";

    expect(
      readSolution(`Run it so:\n\`\`\`sh\npython x.py\n\`\`\`\n\`\`\` Python\n${code}\`\`\``).value,
    ).toBe(code);
    expect(readSolution(code).value).toBe(code);
  });

  it("[SK53] a line begins where Python begins one: not behind U+2028 in a literal", () => {
    const literal = 's = "a\u2028def solve(items):"';
    expect(readSolution(literal).value).toBeUndefined();
    expect(readSolution(`${literal}\ndef solve(items):\n    return s`).value).toContain("return s");
  });

  it("[SK53] without def solve is refused", () => {
    expect(told(readSolution("I cannot help with that."))).toBe(
      'there is no def solve; found: "I cannot help with that."; allowed: Python with def solve()',
    );
    expect(readSolution("class A:\n    def solve(self): ...").value).toBeUndefined();
    expect(readSolution('def solve():\n    return "\ud800"').value).toBeUndefined();
  });
});

describe("a lesson", () => {
  it.each<[string, object, string, string]>([
    ["without a trigger", { trigger: undefined }, "nothing", "a text"],
    ["whose pattern is a list", { correct_pattern: ["do"] }, '["do"]', "a text"],
    ["whose anti-pattern is a number", { anti_pattern: 1 }, "1", "a text"],
    ["with a domain for domains", { domains: "algo" }, '"algo"', "a list of algo, bash"],
    ["with a number among its domains", { domains: ["algo", 7] }, '["algo",7]', "a list of algo"],
    ["that is confident in words", { confidence: "high" }, '"high"', "a number 0 … 1"],
    ["that is more than sure", { confidence: 1.001 }, "1.001", "a number 0 … 1"],
    ["that is less than unsure", { confidence: -0.001 }, "-0.001", "a number 0 … 1"],
    ["with a fourth domain", { domains: ["algo", "bash", "sql", "web"] }, "4", "at most 3"],
    ["for everything", { domains: Array(10_000).fill("sql") }, "10000", "at most 3"],
    ["with a domain past all measure", { domains: ["x".repeat(101)] }, '["xxx', "a list of algo"],
    ["past all measure", { trigger: "x".repeat(4_001) }, '"xxx', "4000 characters"],
  ])("[SK53] %s is refused whole", (_, fields, found, allowed) => {
    const read = readExtracted(lessonWith(fields));

    expect(read.value).toBeUndefined();
    expect(told(read)).toContain(`found: ${found}`);
    expect(told(read).split("allowed: ")[1]).toContain(allowed);
  });

  it("[SK53] has nothing of members that were not asked of; nothing went wrong where nothing is said of it", () => {
    expect(readExtracted(lessonWith({ verified: true, utility: 9 })).value).toEqual(
      readExtracted(extractedText({})).value,
    );
    expect(readExtracted(lessonWith({ anti_pattern: null })).value?.antiPattern).toBe("");
    const three = ["algo", "bash", "sql"];
    expect(readExtracted(lessonWith({ domains: three })).value?.domains).toEqual(three);
    for (const [confidence, millionths] of [
      [0, 0],
      [1, 1_000_000],
    ]) {
      expect(readExtracted(lessonWith({ confidence })).value?.confidence).toBe(millionths);
    }
  });
});

it("[SK53] whatever is said, there is a value or a fault, and no fault runs on", () => {
  const members = ["domain", "challenge", "setup", "validator", "trigger", "confidence", "domains"];
  const text = fc.oneof(
    anyText(),
    fc.json(),
    fc.dictionary(fc.constantFrom(...members), fc.jsonValue()).map((one) => JSON.stringify(one)),
    fc
      .tuple(fc.constantFrom(challengeText, extractedText({})), fc.nat(400))
      .map(([one, at]) => one.slice(at)),
  );
  fc.assert(
    fc.property(text, fc.constantFrom(readChallenge, readSolution, readExtracted), (said, read) => {
      const answer = read(said);

      expect((answer.value === undefined) !== (answer.fault === undefined)).toBe(true);
      expect(told(answer).length).toBeLessThan(400);
    }),
  );
});

it("[SK54] a prompt of self-play stays within a model's context, however much there was before it", () => {
  const long = "word ".repeat(4_000);
  const attempts = Array.from({ length: 20 }, () => ({ code: long, passed: false, error: long }));
  const many = attempts.map(({ error }) => error);
  const views: readonly SkillView[] = [
    { purpose: "skill.challenge", taxonomy: ["algo"], played: many },
    { purpose: "skill.solve", challenge: long, files: ["a"], errors: many, playbook: "" },
    { purpose: "skill.extract", taxonomy: ["algo"], challenge: long, attempts },
  ];

  // 8,192 tokens without the 1,024 of the answer, three characters to a token.
  for (const view of views) expect(renderSkill(view).length).toBeLessThan(21_500);
});

it("[SK54] what there is nothing of has no list, and one item alone has one", () => {
  const of = (files: readonly string[], errors: readonly string[]) =>
    renderSkill({ purpose: "skill.solve", challenge: "Add.", files, errors, playbook: "" });

  expect(of([], [])).not.toMatch(/Files|wrong|^$|\n{3}/);
  expect(of(["a.csv"], ["too small"])).toContain(
    "\n\nFiles:\n- a.csv\n\nWhat went wrong so far:\n- too small\n\n",
  );
});
