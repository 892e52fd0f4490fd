import fc from "fast-check";
import { expect, it } from "vitest";
import {
  readGoalAnswer,
  readGoalJudgement,
  readIdentityAnswer,
  readLessonAnswer,
  readPlanAnswer,
  readReflection,
  readThreatAnswer,
} from "../../src/machines/agents/model/modelAnswers.ts";
import type { AnswerSchema } from "../../src/machines/answerSchema.ts";
import {
  readAudit,
  readBuild,
  readEvaluation,
  readPlan,
  readTurn,
} from "../../src/machines/installs/crew/crewModel.ts";
import { readChallenge, readExtracted } from "../../src/machines/skills/selfPlay.ts";
import { answerFormat } from "../builtIn.ts";

/** Any value that keeps to a schema, as far as the tables use the language. */
function anyValue(schema: AnswerSchema): fc.Arbitrary<unknown> {
  const {
    type,
    enum: options,
    properties,
    items,
    required,
  } = schema as {
    type: string | string[];
    enum?: string[];
    properties?: { [name: string]: AnswerSchema };
    items?: AnswerSchema;
    required?: string[];
    minItems?: number;
    maxItems?: number;
    minLength?: number;
    pattern?: string;
  };
  if (options !== undefined) return fc.constantFrom(...options);
  if (Array.isArray(type)) return fc.option(fc.string({ minLength: 1, maxLength: 50 }));
  switch (type) {
    case "string":
      return schema["pattern"] === undefined
        ? fc.string({ minLength: 1, maxLength: 50 })
        : fc
            .stringMatching(new RegExp(String(schema["pattern"])))
            .filter((one) => one.length < 500);
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.double({ min: 0, max: 1, noNaN: true });
    case "array":
      return fc.array(anyValue(items ?? {}), {
        minLength: Number(schema["minItems"] ?? 0),
        maxLength: Number(schema["maxItems"]),
      });
    default: {
      const fields = Object.entries(properties ?? {}).map(([name, one]) => [name, anyValue(one)]);
      return fc.record<{ [name: string]: unknown }>(Object.fromEntries(fields), {
        requiredKeys: [...(required ?? [])],
      });
    }
  }
}

const schemaOf = (purpose: string): AnswerSchema => answerFormat(purpose) as AnswerSchema;

it("[LV5] whoever keeps to the schema of a goal is understood, once the goal is whole", () => {
  const answer = anyValue(schemaOf("goal.choose")) as fc.Arbitrary<{ [field: string]: unknown }>;
  fc.assert(
    fc.property(answer, (one) => {
      const read = readGoalAnswer(JSON.stringify(one));
      const isWhole =
        one["content"] !== undefined && one["artifact"] !== undefined && one["evidence"] !== "";
      expect(read !== undefined).toBe(one["action"] === "rest" || isWhole);
      const { opinions } = readReflection(JSON.stringify(one));
      expect(opinions).toEqual(one["new_opinions"] ?? []);
    }),
  );
});

it("[LV5] whoever keeps to the schema of a plan is understood", () => {
  fc.assert(
    fc.property(anyValue(schemaOf("plan")), (one) => {
      const read = readPlanAnswer(JSON.stringify(one));
      expect(read).toHaveLength((one as { steps: unknown[] }).steps.length);
    }),
  );
});

it.each<[string, (text: string) => unknown]>([
  ["judge.identity", readIdentityAnswer],
  ["judge.threat", readThreatAnswer],
  ["judge.goal", readGoalJudgement],
  ["lesson.extract", (text) => readLessonAnswer(text, 200)],
])("[LV5] whoever keeps to the schema of %s is understood", (purpose, read) => {
  fc.assert(
    fc.property(anyValue(schemaOf(purpose)), (one) => {
      const isBlank = /""|: *"\\s*"/.test(JSON.stringify(one));
      fc.pre(!isBlank && String((one as { lesson?: string }).lesson ?? "x").trim() !== "");
      expect(read(JSON.stringify(one))).not.toBeUndefined();
    }),
  );
});

it("[LV5, SK53] whoever keeps to the schemas of self-play is understood, once the validator is one", () => {
  const challenge = anyValue(schemaOf("skill.challenge")) as fc.Arbitrary<{ challenge: string }>;
  fc.assert(
    fc.property(challenge, anyValue(schemaOf("skill.extract")), (one, lesson) => {
      const whole = { ...one, setup: { "in.txt": "" }, validator: "def validate(answer): ..." };
      const { value } = readChallenge(JSON.stringify(whole));
      expect(value === undefined).toBe(one.challenge.trim() === "");
      expect(readExtracted(JSON.stringify(lesson)).fault).toBeUndefined();
    }),
  );
});

it.each<[string, (text: string) => { readonly fault?: unknown }]>([
  ["install.plan", readPlan],
  ["install.turn", readTurn],
  ["install.evaluate", readEvaluation],
])("[LV5] whoever keeps to the schema of %s is understood", (purpose, read) => {
  fc.assert(
    fc.property(anyValue(schemaOf(purpose)), (one) => {
      fc.pre(!/""|:"\s+"/.test(JSON.stringify(one)));
      expect(read(JSON.stringify(one)).fault).toBeUndefined();
    }),
  );
});

it("[LV5] whoever keeps to the schema of install.build is understood, once there is a file", () => {
  fc.assert(
    fc.property(anyValue(schemaOf("install.build")), (one) => {
      const whole = { ...(one as object), files: { "main.py": "x = 1" } };
      fc.pre(!/"\s*"[,\]]/.test(JSON.stringify(whole)));
      expect(readBuild(JSON.stringify(whole)).fault).toBeUndefined();
    }),
  );
});

it("[LV5] whoever keeps to the schema of install.audit is understood, once its kinds are some", () => {
  fc.assert(
    fc.property(anyValue(schemaOf("install.audit")), (one) => {
      const whole = { ...(one as object), inferred_capabilities: ["NetworkAccess"] };
      fc.pre(!/"\s*"[,\]}]/.test(JSON.stringify(whole)));
      expect(readAudit(JSON.stringify(whole)).fault).toBeUndefined();
    }),
  );
});

it("[LV5] a question to a tool is answered in words, one without a schema in some JSON", () => {
  expect(answerFormat("tool.chat")).toBeUndefined();
  expect(answerFormat("no.such")).toBe("json");
  expect(answerFormat("toString")).toBe("json");
  expect(answerFormat("judge.threat")).toMatchObject({ required: ["threat"] });
});
