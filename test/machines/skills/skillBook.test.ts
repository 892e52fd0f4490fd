// The registry as a value: what saving, calls and retirement make of a row.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentHash, pythonJson } from "../../../src/machines/skills/contentHash.ts";
import {
  countCall,
  retirableRows,
  retireClauses,
  rowOf,
  type SkillBook,
  saveSkill,
  withoutRow,
} from "../../../src/machines/skills/skillBook.ts";
import { policyWith } from "../../builtIn.ts";

const { skills: SEED } = policyWith({});
const skill = { name: "t", description: "d", parametersSchema: {}, code: "print(1)" };
const { book } = saveSkill([], skill);
type Outcome = Parameters<typeof countCall>[2];
const bookAfter = (outcomes: readonly Outcome[], from: SkillBook = book, policy = SEED) =>
  outcomes.reduce((now, outcome) => countCall(now, "t", outcome, policy), from);
const F = "failure" as const;

/** As Python 3 prints `json.dumps(json.loads(text), sort_keys=True)`. */
const DUMPED: readonly (readonly [string, string])[] = [
  ["1e-7", "1e-07"],
  ["0.00001", "1e-05"],
  ["0.0001", "0.0001"],
  ["-1.5E-9", "-1.5e-09"],
  ["1e16", "1e+16"],
  ["1.25e300", "1.25e+300"],
  ["9007199254740994.0", "9007199254740994.0"],
  ["1234567.125", "1234567.125"],
  ["9007199254740991", "9007199254740991"],
  ['{"\u{1d400}": 1, "\uff41": 2, "z": 3}', '{"z": 3, "\\uff41": 2, "\\ud835\\udc00": 1}'],
  ['{"ab": 1, "a": 2, "B": 3}', '{"B": 3, "a": 2, "ab": 1}'],
];

describe("saving", () => {
  it.each(DUMPED)("[SK14, SK17] hashes the schema %s as Python writes it", (text, dumped) => {
    expect(pythonJson(JSON.parse(text))).toBe(dumped);
  });

  it.each([
    ["1.0", "1"],
    ["-0.0", "0"],
    ["9007199254740993", "9007199254740992.0"],
  ])(
    "[SK17] hashes %s as %s, for JSON.parse does not tell the one from the other",
    (text, dumped) => {
      expect(pythonJson(JSON.parse(text))).toBe(dumped);
    },
  );

  it("[SK14] makes an active row without uses and failures", () => {
    expect(book).toEqual([
      {
        ...{ name: "t", description: "d", parametersSchema: {}, usageCount: 0, failureCount: 0 },
        status: "active",
        contentHash: contentHash("print(1)", {}, "d"),
      },
    ]);
  });

  it("[SK14] the same skill again changes nothing, not even its failures", () => {
    const degraded = bookAfter([F, F, F]);

    expect(saveSkill(degraded, skill)).toEqual({
      book: degraded,
      row: degraded[0],
      saving: "same",
    });
  });

  it("[SK14] a changed one is active again, and its uses stay", () => {
    const degraded = bookAfter(["success", F, F, F]);
    const { book: now, saving } = saveSkill(degraded, { ...skill, description: "other" });

    expect(saving).toBe("changed");
    expect(now).toMatchObject([{ status: "active", failureCount: 0, usageCount: 1 }]);
  });

  it("[SK14] the hash is of code, schema and description, whatever the order of members", () => {
    const one = contentHash("c", { a: 1, b: [1.5, "é\n"] }, "d");

    expect(contentHash("c", { b: [1.5, "é\n"], a: 1 }, "d")).toBe(one);
    expect(contentHash("c ", { a: 1, b: [1.5, "é\n"] }, "d")).not.toBe(one);
    expect(contentHash("", {}, "")).toBe("99914b932bd37a50b983c5e7c90ae93b");
    expect(pythonJson({ b: [1.5, "é\u2028😀"], a: null })).toBe(
      '{"a": null, "b": [1.5, "\\u00e9\\u2028\\ud83d\\ude00"]}',
    );
  });
});

describe("calls", () => {
  it("[SK15] the third failure in a row degrades, and the second does not", () => {
    expect(bookAfter([F, F])).toMatchObject([{ status: "active", failureCount: 2 }]);
    expect(bookAfter([F, F, F])).toMatchObject([{ status: "degraded", failureCount: 3 }]);
    expect(bookAfter([F, F, "success", F])).toMatchObject([{ status: "active", failureCount: 1 }]);
  });

  it("[SK15] a success of a degraded skill makes it active", () => {
    expect(bookAfter([F, F, F, "success"])).toMatchObject([{ status: "active", failureCount: 0 }]);
  });

  it("[SK15] what the machine broke off, and an unknown name, count for nothing", () => {
    expect(bookAfter(["infra"])).toBe(book);
    expect(countCall(book, "nope", F, SEED)).toBe(book);
  });

  it("[SK15] failures are uses only where the policy says so", () => {
    const calls = ["success", F] as const;

    expect(rowOf(bookAfter(calls), "t")?.usageCount).toBe(1);
    const both = calls.reduce<SkillBook>(
      (now, outcome) => countCall(now, "t", outcome, { ...SEED, usageCounts: "both" }),
      book,
    );
    expect(rowOf(both, "t")?.usageCount).toBe(2);
  });

  it("[SK15] any calls give what a recount of them gives", () => {
    const outcome = fc.constantFrom<Outcome>("success", F, "infra");
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 12 }), (outcomes) => {
        const counted = outcomes.filter((one) => one !== "infra");
        const failureCount = counted.length - 1 - counted.lastIndexOf("success");
        expect(bookAfter(outcomes)).toMatchObject([
          {
            usageCount: counted.filter((one) => one === "success").length,
            failureCount,
            status: failureCount >= 3 ? "degraded" : "active",
          },
        ]);
      }),
    );
  });
});

describe("retiring", () => {
  it("[SK16] takes what has failed three times in a row, and leaves two", () => {
    expect(retirableRows(bookAfter([F, F]), SEED)).toEqual([]);
    expect(retirableRows(bookAfter([F, F, F]), SEED)).toEqual([
      { name: "t", failures: true, failuresOfYoung: false },
    ]);
    // Either clause retires, where a policy lets the second decide.
    expect(retirableRows(bookAfter([F, F]), { ...SEED, retireYoungAfter: 2 })).toEqual([
      { name: "t", failures: false, failuresOfYoung: true },
    ]);
    expect(withoutRow(bookAfter([F, F, F]), "t")).toEqual([]);
    expect(withoutRow(book, "other")).toEqual(book);
  });

  it("[SK16] the second clause holds from five failures and below ten uses, and never alone", () => {
    const clauses = (failureCount: number, usageCount: number) =>
      retireClauses({ failureCount, usageCount }, SEED);

    expect(clauses(5, 9)).toEqual({ failures: true, failuresOfYoung: true });
    expect([clauses(4, 9), clauses(5, 10)].map((one) => one.failuresOfYoung)).toEqual([
      false,
      false,
    ]);
    for (let failures = 0; failures < 20; failures++) {
      for (let uses = 0; uses < 20; uses++) {
        const { failures: first, failuresOfYoung: second } = clauses(failures, uses);
        expect(second && !first).toBe(false);
      }
    }
  });
});
