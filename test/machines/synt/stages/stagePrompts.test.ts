// What the stages are told, besides the facts of their slice.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../../../src/machines/letter.ts";
import type { Draft } from "../../../../src/machines/synt/contract.ts";
import { MATCHERS } from "../../../../src/machines/synt/stages/birthTests.ts";
import { WHITELISTED } from "../../../../src/machines/synt/stages/executorProfile.ts";
import { syntAnswerSchemas } from "../../../../src/machines/synt/stages/stageAnswers.ts";
import {
  type Hint,
  hintFor,
  judgeView,
  lengthOfSynt,
  renderSynt,
  stageView,
} from "../../../../src/machines/synt/stages/stagePrompts.ts";
import type { StagePurpose } from "../../../../src/machines/synt/stages/stageTiers.ts";
import { policyWith } from "../../../builtIn.ts";

const { naming } = policyWith({}).synt;

const facts = {
  need: { intent: "sort my files", name: "sort_stuff", from: null, hints: [] },
  ...{ draft: {}, faults: ["no such verb"], feedback: "By date.", strategy: "generate" as const },
  material: { members: [], chain: [], hot: null, vetoes: [], covers: [] },
  ...{ members: [], naming, hint: "Constraints: none." },
};
const told = (purpose: StagePurpose) => renderSynt(stageView(purpose, facts));

it("[SO5] naming is asked in English and in Italian, each with what every answer means", () => {
  const [english = "", italian = ""] = told("synt.naming").split("\nIT. ");

  for (const half of [english, italian]) {
    for (const word of ["{action}_{object}[_qualifier]", "revertible", "critical", "target_kind"]) {
      expect(half).toContain(word);
    }
  }
  expect(english).toContain("If no combination fits, refuse and say why.");
  expect(italian).toContain("Se nessuna combinazione va bene, rifiuta e di' perché.");
  expect(told("synt.naming")).toContain('{"name": null, "reason"}');
});

it.each(["synt.code", "synt.propose", "synt.transform"] as const)(
  "[SO5] %s names the conventions of code and what may be imported",
  (purpose) => {
    const text = told(purpose);

    for (const word of ["invoke(args)", '"ok": True', '"error_class"', "invalid_args", "Helpers"]) {
      expect(text).toContain(word);
    }
    expect(text).toContain("Read and write only what the arguments name");
    expect(text).toContain(`Import only ${WHITELISTED.join(", ")}.`);
    expect(text).toContain("Constraints: none.");
  },
);

it.each(["synt.tests", "synt.transform"] as const)(
  "[SO5] %s names the four kinds, the fixed format and every matcher",
  (purpose) => {
    const text = told(purpose);

    for (const kind of ["happy path", "empty list", "invalid arguments", "edge of the domain"]) {
      expect(text).toContain(kind);
    }
    expect(text).toContain('"name", "setup", "input", "expect", "teardown"');
    for (const matcher of MATCHERS) expect(text).toContain(matcher);
  },
);

it("[SO5] the description's chapters and bounds are named; each stage is shown faults and feedback", () => {
  const text = told("synt.description");

  for (const word of ["SCOPO:", "PATTERN:", "NON:", "OUT:", "80 to 320", "6 to 10 words"]) {
    expect(text).toContain(word);
  }
  for (const purpose of ["synt.naming", "synt.signature", "synt.tests", "synt.code"] as const) {
    expect(told(purpose)).toContain("no such verb");
    expect(told(purpose)).toContain("By date.");
  }
});

it("[SO5] who writes tests is shown the type of each argument, and no more of it", () => {
  const argsSchema = {
    type: "object",
    properties: { items: { type: "array", description: "What to sort." }, by: {} },
  };
  const view = stageView("synt.tests", { ...facts, draft: { argsSchema } });

  expect("args" in view && view.args).toEqual({ items: "array", by: "any" });
});

it.each(["synt.tests", "synt.code", "synt.transform"] as const)(
  "[SO5] the length of a text of %s is known without it",
  (purpose) => {
    const json = fc.jsonValue({ stringUnit: "grapheme" }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(fc.string(), json, fc.array(json), (hint, argsSchema, members) => {
        const draft = { argsSchema: { properties: { one: { type: argsSchema } } } };
        const view = stageView(purpose, { ...facts, hint, draft, members });

        expect(lengthOfSynt(view)).toBe(renderSynt(view).length);
      }),
    );
  },
);

it("[SO5] each stage reads so, word for word, with nothing before it and with all that came before", async () => {
  const purposes = [
    ...(["synt.naming", "synt.signature", "synt.tests", "synt.description", "synt.code"] as const),
    ...(["synt.propose", "synt.pocTests", "synt.transform"] as const),
  ];
  const draft: Partial<Draft> = {
    ...{ name: "sort_files", description: "Sorts.", revertible: true, critical: true },
    ...{ targetKind: "path_glob", capabilities: ["fs:read"], tests: [] },
    argsSchema: { properties: { items: { type: "array", description: "What." }, by: {} } },
  };
  const material = {
    ...{ members: ["a"], chain: ["a", "b"], hot: { value: "csv", uses: 3, of: 4 } },
    ...{ vetoes: ["v"], covers: ["c"] },
  };
  const small = {
    actions: new Set(["sort"]),
    objects: new Set(["files"]),
    exceptions: new Set<string>(),
  };
  const bare = { ...facts, faults: [], feedback: null, naming: small as unknown as typeof naming };
  const views = [
    ...purposes.map((purpose) => stageView(purpose, bare)),
    ...purposes
      .slice(1)
      .map((purpose) => stageView(purpose, { ...bare, draft, material, members: [{ name: "a" }] })),
    judgeView("merge", "Sort my files.", ["a", "b"], "Both are there."),
    { purpose: "synt.plan", request: "Sort.", executors: [{ name: "a", head: "Sorts." }] } as const,
  ];
  const texts = views.map(
    (view) =>
      `${view.purpose}\n\n${renderSynt(view)}\n\nschema: ${JSON.stringify(syntAnswerSchemas[view.purpose])}`,
  );

  await expect(`${texts.join("\n\n---\n\n")}\n`).toMatchFileSnapshot("stagePrompts.txt");
});

it("[SN60] each provider's own hint is that of the first pattern that fits its model, in whatever case", () => {
  const hint = (provider: string, model: string | null) => hintFor({ provider, model }, []);
  const whole = "Constraints: write the whole file, def invoke included. Never leave it empty.";
  const own = (modelPattern: string, useCase = "code_gen") => ({
    ...{ provider: "ollama", modelPattern, useCase, text: `mine ${modelPattern}` },
  });
  const mine = (model: string | null, ...users: readonly Hint[]) =>
    hintFor({ provider: "ollama", model }, users);

  expect(hint("anthropic", "Claude-3")).toBe(
    "Constraints: follow the spec. Simple regular expressions.",
  );
  expect(hint("llamacpp", null)).toBe(
    "Constraints: raw strings with one backslash. No docstrings.",
  );
  expect(hint("ollama", "qwen2.5:7b")).toBe(
    "Constraints: write the whole file. Standard library only.",
  );
  expect([hint("ollama", "qwen3:8b"), hint("openai", "gpt-5")]).toEqual([whole, whole]);
  expect([hint("ollama", "qwen25:7b"), hint("openai", "o3"), hint("mistral", null)]).toEqual([
    ...["", "", ""],
  ]);
  expect(mine("qwen3:8b", own("qwen?:*", "chat"), own("[qp]wen?:*"), own("*"))).toBe(
    "mine [qp]wen?:*",
  );
  expect(mine(null, own("?"), own("*"))).toBe("mine *");
  expect(mine("a.b", own("a+b"), own("axb"), own("a.b"))).toBe("mine a.b");
});
