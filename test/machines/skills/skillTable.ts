// What coverage.test.ts, wellFormed.test.ts and the differential test send to a skill.
import fc from "fast-check";
import type { MailOf } from "../../../src/machines/letter.ts";
import type { SkillContext, SkillEvent, SkillInput } from "../../../src/machines/skills/skill.ts";
import type { Table } from "../coverageTable.ts";

export const skillInput: SkillInput = {
  ...{ name: "top_news", agent: "cedar", keeper: "skills", description: "Gets the news." },
  ...{ parametersSchema: {}, code: "<![CDATA[print(1)]]>", payload: "{}", kept: null },
};

const parsed: MailOf<"python.parsed"> = {
  ...{ type: "python.parsed", ok: true, functions: [], module: "code" },
};
const ran = (exitCode: number, stdout: string): MailOf<"sandbox.replied"> => ({
  ...{ type: "sandbox.replied", ok: true, result: { exitCode, stdout, stderr: "" } },
});
const counted: MailOf<"skill.counted"> = {
  ...{ type: "skill.counted", skill: "top_news", agent: "cedar", outcome: "success", cause: null },
  ...{ status: "active", usageCount: 1, failureCount: 0 },
};
const left: MailOf<"skill.left"> = {
  ...{ type: "skill.left", skill: "top_news", how: "retired", because: "it failed too often" },
};

const skillEvents: readonly MailOf<SkillEvent["type"]>[] = [
  parsed,
  { ...parsed, ok: false, error: "invalid syntax (line 1)" },
  { type: "files.replied", ok: true },
  { type: "files.replied", ok: false, error: "no room" },
  ran(0, "1"),
  ran(0, ""),
  ran(1, ""),
  { type: "skill.registered", ok: true, status: "active", saving: "new" },
  { type: "skill.registered", ok: true, status: "degraded", saving: "same" },
  { type: "skill.registered", ok: false, error: "no room" },
  counted,
  { ...counted, outcome: "failure", cause: "KeyError: x", status: "degraded", failureCount: 3 },
  left,
  { ...left, how: "replaced" },
  { ...left, how: "lost" },
  { type: "ask.bounced", address: "skills" },
];

/** What leads on comes more often, so that some lives are long. */
export const anySkillEvent = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...skillEvents) },
  {
    weight: 7,
    arbitrary: fc.constantFrom<MailOf<SkillEvent["type"]>>(
      ...[parsed, { type: "files.replied", ok: true } as const, ran(0, "1"), counted],
      { type: "skill.registered", ok: true, status: "active", saving: "new" },
    ),
  },
);
export const anySkillInput = fc
  .constantFrom("active" as const, "degraded" as const, null, null)
  .map((kept): SkillInput => ({ ...skillInput, code: "print(1)\n", kept }));

export const skill: Table = {
  worlds: [
    { input: skillInput },
    { input: { ...skillInput, kept: "active" } },
    { input: { ...skillInput, kept: "degraded" } },
  ],
  events: skillEvents,
  facts: ({ needs, verdicts, refusal }: SkillContext) => [needs, verdicts, refusal !== null],
};
