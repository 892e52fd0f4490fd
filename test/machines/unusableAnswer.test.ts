import fc from "fast-check";
import { expect, it } from "vitest";
import {
  readGoalAnswer,
  readGoalJudgement,
  readIdentityAnswer,
  readPlanAnswer,
  readThreatAnswer,
} from "../../src/machines/agents/model/modelAnswers.ts";
import { answerFault, unusable } from "../builtIn.ts";

it.each([
  ["goal.choose", "", "it is empty"],
  ["goal.choose", "I'd rather not.", "it is no JSON object"],
  ["goal.choose", '{"action": "goal"}', "it is neither a goal nor a rest"],
  ["goal.choose", '{"action": "rest"}', null],
  ["plan", '{"steps": []}', "it is no plan with a step"],
  ["plan", '{"steps": [{"intent": "write file"}]}', null],
  ["judge.goal", '{"reason": "good"}', "it is no verdict"],
  ["judge.threat", '{"threat": "yes"}', "it is no word on a threat"],
  ["judge.identity", '{"contradicts": null}', null],
  ["lesson.extract", '{"lesson": null}', null],
  ["lesson.extract", '{"lesson": "x"}', "it is no lesson"],
  ["tool.chat", "any words", null],
  ["tool.chat", "  ", "it is empty"],
  ["synt.naming", "words", "it is no JSON object"],
  ["synt.naming", '```json\n{"name": "x"}\n```', null],
  ["synt.code", "def invoke(args): pass", null],
  ["synt.code", "I cannot write that.", "it has no def invoke"],
  ["skill.challenge", "words", "there is no JSON object"],
  ["skill.challenge", '{"domain": "cooking"}', "there is no domain of the taxonomy"],
  ["skill.solve", "I cannot write that.", "there is no def solve"],
  ["skill.solve", "def solve(): pass", null],
  ["skill.extract", '{"trigger": "x"}', "there is no correct_pattern"],
  [
    "install.plan",
    '{"next": "repair", "why": "x"}',
    "next is not build, evaluate, audit, install, stop",
  ],
  ["install.plan", '{"next": "stop", "why": "x"}', null],
  [
    "install.build",
    "Here you are.",
    "answer is not one JSON object with files; no half characters, no __proto__",
  ],
  ["install.build", '{"files": {}}', "files is not one text or more, by name"],
  ["install.build", '{"files": {"main.py": "x = 1"}}', null],
  ["install.turn", '{"tool": "end_turn", "why": "done"}', null],
  ["install.evaluate", '{"pass": true, "record": true, "findings": []}', null],
  ["install.evaluate", '{"pass": true, "findings": []}', "record is not true or false"],
  [
    "install.audit",
    '{"pass": true, "record": true, "findings": []}',
    "inferred_capabilities is not a list of texts",
  ],
])("[LV23, VB32] asked for %s, the answer %j is unusable because: %s", (purpose, text, why) => {
  expect(unusable(purpose, text)).toBe(why);
});

it("[LV23] an answer is unusable exactly when the reader of its asker cannot read it", () => {
  const readers: { readonly [purpose: string]: (text: string) => unknown } = {
    "goal.choose": readGoalAnswer,
    plan: readPlanAnswer,
    "judge.goal": readGoalJudgement,
    "judge.identity": readIdentityAnswer,
    "judge.threat": readThreatAnswer,
  };
  const fields = fc.record(
    {
      action: fc.constantFrom("goal", "rest", 1),
      content: fc.string(),
      artifact: fc.constantFrom("/agentOS/workspace/a.md", "../x"),
      steps: fc.array(fc.record({ intent: fc.string() })),
      passes: fc.oneof(fc.boolean(), fc.string()),
      threat: fc.oneof(fc.boolean(), fc.string()),
      contradicts: fc.oneof(fc.constant(null), fc.string()),
    },
    { requiredKeys: [] },
  );
  const texts = fc.oneof(
    fc.string(),
    fields.map((one) => JSON.stringify(one)),
    fc.json(),
  );

  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(readers)), texts, (purpose, text) => {
      expect(unusable(purpose, text) === null).toBe(readers[purpose]?.(text) !== undefined);
    }),
  );
});

it("[VB28, LV23] a recording marks as unusable exactly what the report of its run does not count as usable", () => {
  const purposes = [
    ..."goal.choose plan judge.goal judge.identity judge.threat lesson.extract tool.chat".split(
      " ",
    ),
    ..."synt.code synt.naming synt.judge constructor".split(" "),
    ..."skill.challenge skill.solve skill.extract".split(" "),
    ..."install.plan install.build install.turn install.evaluate install.audit".split(" "),
  ];
  const parts = [
    ...["", "  ", "words", "def invoke(args): pass", "```python\ndef invoke(args): pass\n```"],
    ...['{"action": "rest"}', '{"action": "goal", "content": "x"}', '{"steps": []}', "{}", "[]"],
    ...[
      '{"steps": [{"intent": "x"}]}',
      '{"passes": true}',
      '{"threat": false}',
      '{"lesson": null}',
    ],
    ...['{"contradicts": null}', '{"lesson": "x"}', '{"lesson": 1}'],
  ];
  const text = fc.oneof(fc.constantFrom(...parts), fc.string(), fc.json());
  fc.assert(
    fc.property(fc.constantFrom(...purposes), text, (purpose, said) => {
      expect(unusable(purpose, said) === null).toBe(answerFault(purpose, said) === null);
    }),
  );
});
