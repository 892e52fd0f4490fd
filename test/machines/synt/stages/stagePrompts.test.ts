// What the stages are told, besides the facts of their slice.

import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../../../src/machines/letter.ts";
import { MATCHERS } from "../../../../src/machines/synt/stages/birthTests.ts";
import { WHITELISTED } from "../../../../src/machines/synt/stages/executorProfile.ts";
import {
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
