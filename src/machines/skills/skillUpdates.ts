/** What a skill works out on its way into the store, and what it says. Source: seed 001, path A; rulings K3, K9, K10. */
import { ask, type Letter, type MailOf } from "../letter.ts";
import { normaliseCode, parseVerdict } from "./normalise.ts";
import { scriptResult, scriptRun } from "./scriptRun.ts";
import type { SkillContext, SkillEvent, SkillRefusal, SkillStage } from "./skillContext.ts";
import { skillPath, TEST_PATH } from "./skillFolders.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";
import { tddVerdict, testRefusal } from "./tdd.ts";

type Update = Partial<SkillContext>;

/** The next text to ask CPython about, the code, or what is wrong with it. */
export function considerCode({ input, verdicts }: SkillContext, policy: SkillsPolicy): Update {
  if (!policy.normalise) return { needs: null, code: input.code };
  const found = normaliseCode(input.code, new Map(verdicts), policy);
  if ("needs" in found) return { needs: found.needs };
  if ("error" in found) return { needs: null, refusal: { stage: "normalising", ...found.error } };
  return { needs: null, code: found.code, changed: found.changed };
}

/** CPython's word on the text that it was asked about. */
export function noteParse({ verdicts, needs }: SkillContext, event: SkillEvent): Update {
  if (event.type !== "python.parsed" || needs === null) return {};
  return { verdicts: [...verdicts, [needs, parseVerdict(event)]] };
}

/** Whether the test run let it through. */
export function judgeTest(event: SkillEvent, policy: SkillsPolicy): Update {
  if (event.type !== "sandbox.replied") return {};
  const verdict = tddVerdict(scriptResult(event), policy);
  if (verdict.passed) return {};
  return { refusal: { stage: "testing", ...testRefusal(verdict) } };
}

export const refuseAt = (stage: SkillStage, found: string): Update => ({
  refusal: { stage, cause: "no-answer", found, todo: "Create the skill again." },
});

export const diskFault = (event: SkillEvent): Update => ({
  refusal: {
    stage: "persisting",
    cause: "storage",
    found: ("error" in event ? event.error : undefined) ?? "the store did not take it",
    todo: "Create the skill again.",
  },
});

// What it says.

export const parseLetter = ({ needs }: SkillContext): readonly Letter[] =>
  needs === null
    ? []
    : [
        ask({
          to: "port/python.parse",
          key: "parse",
          event: { type: "python.parse", purpose: "skill", text: needs },
        }),
      ];

export const writeLetter = (key: string, path: string, text: string): Letter =>
  ask({ to: "files", key, event: { type: "files.write", path, text } });

export const testRun = ({ code, input }: SkillContext, { testLimitMs }: SkillsPolicy): Letter => {
  const event: MailOf<"sandbox.run"> = {
    type: "sandbox.run",
    purpose: "skill-test",
    limitMs: testLimitMs,
    ...scriptRun(code, TEST_PATH, [input.payload]),
  };
  return ask({ to: "port/sandbox.run", key: "test", event });
};

export const testFileRemoved: Letter = {
  to: "files",
  event: { type: "files.delete", paths: [TEST_PATH] },
};

export const codeLetter = ({ input, code }: SkillContext, store: SkillsPolicy["store"]): Letter =>
  writeLetter("code", skillPath(input.name, store), code);

export function registeringLetter({ input, code }: SkillContext): Letter {
  const { name: skill, agent, description, parametersSchema, keeper } = input;
  const row = { skill, agent, description, parametersSchema, code };
  return ask({ to: keeper, key: "row", event: { type: "skill.registering", ...row } });
}

export function steppedLetter({ input }: SkillContext, stage: SkillStage, detail: string): Letter {
  const { name: skill, agent, keeper } = input;
  return { to: keeper, event: { type: "skill.stepped", skill, agent, stage, detail } };
}

export const normalisedDetail = ({ changed }: SkillContext): string =>
  changed.length === 0 ? "its code is taken as it is" : changed.join("; ");

export function refusedLetter({ input, refusal }: SkillContext): readonly Letter[] {
  const { name: skill, agent, keeper } = input;
  const why: SkillRefusal = refusal ?? {
    stage: "asking",
    ...{ cause: "no-answer", found: "no reason given", todo: "Create the skill again." },
  };
  return [{ to: keeper, event: { type: "skill.refused", skill, agent, ...why } }];
}

/** How its row stands now. */
export function noteCounts(event: SkillEvent): Update {
  if (event.type !== "skill.counted") return {};
  const { status, usageCount, failureCount } = event;
  return { counts: { status, usageCount, failureCount } };
}
