// Whatever live models answer about skills and in dreams, as small ones do. In words: skillsLive.test.ts.

import { expect, it } from "vitest";
import type { MailOf } from "../../../src/machines/letter.ts";
import { CODE, creation, dreamt, lesson, played, setting, whole } from "./skillsPlayed.ts";
import type { DreamtRound } from "./skillsServer.ts";

const { test_payload: _, ...unpaid } = creation({ name: "unpaid" });

it("[SK57] one that is broken is refused: nothing of it is registered, and the next prompt says why", async () => {
  const cases: readonly (readonly [{ readonly [name: string]: unknown }, string, RegExp])[] = [
    [unpaid, "missing-argument", /no test_payload.*Allowed: name, .*Give all/],
    [
      creation({ test_payload: "{'text': 'a'}" }),
      "test-payload",
      /"\{'text': 'a'\}".*Allowed: JSON as a text/,
    ],
    [
      creation({ parameters_schema: { type: "object" } }),
      "parameters-schema",
      /\{"type":"object"\}.*Allowed: JSON as a text/,
    ],
    [
      creation({ python_code: CODE.split("\n") }),
      "no-text",
      /python_code \["import json.*Allowed: a text/,
    ],
    [
      creation({ python_code: CODE.slice(0, -8) }),
      "truncated-stream",
      /never closed.*Send the whole source again/,
    ],
    [creation({ test_payload: '{"txt": 1}' }), "test-run", /KeyError: 'text'.*Mend the code/],
    [creation({ name: "count words!" }), "name", /"count words!".*Allowed: 1 to 64/],
  ];
  const { of, prompts } = await played({ creations: cases.map(([params]) => params) });

  expect(of("skill.refused").map(({ cause }) => cause)).toEqual(cases.map(([, cause]) => cause));
  expect(of("skill.registering")).toEqual([]);
  for (const [, cause, says] of cases) {
    const told = prompts
      .flatMap((one) => one.split("\n"))
      .find((one) => one.includes(`, ${cause}: `));
    expect(told).toMatch(says);
  }
});

it("[SK58] whatever it answers, the round ends, nothing is half taken, and it is said what was found", async () => {
  const copied = 'def validate(answer): assert answer == 1, f"{answer} is another number"';
  type End = Partial<MailOf<"dream.ended">>;
  const cases: readonly (readonly [DreamtRound, End, RegExp])[] = [
    [{ challenge: "I'd rather not." }, { end: "broken" }, /found: "I'd rather.*allowed: one JSON/],
    [{ challenge: setting().slice(0, -30) }, { end: "broken" }, /no JSON object/],
    [
      { challenge: setting({ domain: "cooking" }) },
      { end: "broken" },
      /found: "cooking"; allowed: algo, bash/,
    ],
    [
      { challenge: setting({ setup: { "../../etc/passwd": "x" } }) },
      { end: "broken" },
      /etc\/passwd"; allowed: paths such as/,
    ],
    [
      { ...whole, challenge: setting({ validator: "def validate(answer):\n  assert (" }) },
      { end: "broken", attempts: 0 },
      /the validator judged nothing: SyntaxError/,
    ],
    [{ ...whole, extract: "{}" }, { end: "empty" }, /no trigger; found: nothing; allowed/],
    [
      { ...whole, extract: lesson({ confidence: "high" }) },
      { end: "empty" },
      /found: "high"; allowed: a number 0 … 1/,
    ],
    [
      {
        ...whole,
        extract: lesson({ trigger: "Return how many lines of words.txt hold herons" }),
      },
      { end: "refused" },
      /it copies "return how many lines of words" from the challenge/,
    ],
    [
      { ...whole, extract: lesson({ correct_pattern: copied }) },
      { end: "refused" },
      /it copies ".*" from the validator/,
    ],
    [{ ...whole, solve: ["No."] }, { end: "lost", attempts: 3 }, /nothing of its domain/],
    ...(["hang", "memory", "midstream", "reset", "garbage"] as const).map(
      (fault) => [{ ...whole, fault }, { end: "broken", attempts: 0 }, /\w/] as const,
    ),
  ];
  const { of, inputs } = await dreamt(cases.map(([round]) => round));

  const ends = of("dream.ended");
  expect(ends).toMatchObject(cases.map(([, end]) => end));
  for (const [index, [, , says]] of cases.entries()) expect(ends[index]?.reason).toMatch(says);
  expect(of("playbook.changed")).toEqual([]);
  expect(of("dream.tried").filter(({ error }) => error?.includes('found: "No."'))).toHaveLength(3);
  const refused = inputs.filter(
    (one) => one.kind === "reply" && one.from === "dreamer" && one.unusable,
  );
  expect(refused).toHaveLength(4 + 2 + 3);
  expect(of("goal.reported").length).toBeGreaterThan(0);
});
