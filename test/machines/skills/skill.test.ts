// A skill on its way into the store, and its life after that.
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import type { MailOf } from "../../../src/machines/letter.ts";
import type { SkillContext, SkillInput } from "../../../src/machines/skills/skill.ts";
import { skillMachine } from "../../../src/machines/skills/skill.ts";
import { skillPath, TEST_PATH } from "../../../src/machines/skills/skillStore.ts";
import { policyWith } from "../../builtIn.ts";
import { driven } from "../driven.ts";
import { skillInput } from "./skillTable.ts";

const skill = (
  input: Partial<SkillInput> = {},
  set: { readonly [path: string]: PolicyValue } = {},
) => driven<SkillContext>(skillMachine(policyWith(set)), { ...skillInput, ...input });

const parsed = (ok: boolean): MailOf<"python.parsed"> => ({
  ...{ type: "python.parsed", ok, functions: [], module: "code" },
  ...(!ok && { error: "invalid syntax (line 1)" }),
});
const written = { type: "files.replied", ok: true } as const;
const ran = (stdout: string): MailOf<"sandbox.replied"> => ({
  ...{ type: "sandbox.replied", ok: true, result: { exitCode: 0, stdout, stderr: "" } },
});
const counted = (failureCount: number): MailOf<"skill.counted"> => ({
  ...{ type: "skill.counted", skill: "top_news", agent: "cedar", outcome: "failure" },
  ...{ cause: "KeyError: x", usageCount: 1, failureCount },
  status: failureCount < 3 ? "active" : "degraded",
});

const typesOf = (letters: readonly { readonly event: { readonly type: string } }[]) =>
  letters.map(({ event }) => event.type);

describe("on its way into the store", () => {
  it("[SK40] it is normalised, then tested, then written, and its row comes last", () => {
    const one = skill({ code: "<![CDATA[print(1)]]>" });
    const code = "print(1)";

    expect(one.value).toEqual({ normalising: "parsing" });
    one.send(parsed(false));
    expect(one.send(parsed(true))).toContainEqual({
      ...{ to: "files", ask: "transient" },
      event: {
        ...{ type: "files.write", path: "/agentOS/ghost/sandbox/test_skill.py", text: code },
      },
    });
    expect(one.value).toEqual({ testing: "writing" });
    const [run] = one.send(written).filter(({ event }) => event.type === "sandbox.run");
    expect(run?.event).toMatchObject({ params: { code, path: TEST_PATH } });
    const stored = one.send(ran("1"));
    expect(stored).toContainEqual({
      to: "files",
      event: { type: "files.delete", paths: [TEST_PATH] },
    });
    expect(stored).toContainEqual({
      ...{ to: "files", ask: "code" },
      event: { type: "files.write", path: skillPath("top_news", "memory"), text: code },
    });
    expect(typesOf(one.send(written))).toContain("skill.registering");
    one.send({ type: "skill.registered", ok: true, status: "active", saving: "new" });
    expect(one.value).toBe("active");
  });

  it("[SK40] what cannot be read is refused before anything is written", () => {
    const one = skill({ code: "print(<![CDATA[1)" });

    const all: string[] = [];
    while (one.value !== "refused") all.push(...typesOf(one.send(parsed(false))));
    expect(all).not.toContain("files.write");
    expect(all).toContain("skill.refused");
  });

  it("[SK40] what its test run refuses leaves no file in the store, and no transient one", () => {
    const one = skill({ code: "pass\n" });
    one.send(parsed(true));
    one.send(written);

    const letters = one.send(ran(""));
    expect(one.value).toBe("refused");
    expect(typesOf(letters)).not.toContain("files.write");
    expect(typesOf(letters)).toContain("files.delete");
  });

  it("[SK40] it is tested as it came when nothing is normalised", () => {
    const one = skill({}, { "skills.normalise": false });

    expect(one.value).toEqual({ testing: "writing" });
    expect(one.context.code).toBe(skillInput.code);
  });

  it("[SK41] the keeper hears the stage, the cause, what was found and what to do", () => {
    const one = skill({ code: "pass\n" });
    one.send(parsed(true));
    one.send(written);

    expect(one.send(ran(""))).toContainEqual({
      to: "skills",
      event: {
        ...{ type: "skill.refused", skill: "top_news", agent: "cedar", stage: "testing" },
        ...{ cause: "test-run", found: expect.any(String), todo: expect.any(String) },
      },
    });
  });

  it("[SK41] it waits for no answer without end", () => {
    const one = skill({ code: "pass\n" });

    expect(typesOf(one.fire("answerTimeout"))).toContain("skill.refused");
    expect(one.value).toBe("refused");
  });

  it("[SK14] saved again unchanged, it stays degraded", () => {
    const one = skill({ code: "pass\n" });
    for (const event of [parsed(true), written, ran("1"), written]) one.send(event);

    one.send({ type: "skill.registered", ok: true, status: "degraded", saving: "same" });
    expect(one.value).toBe("degraded");
  });
});

describe("in the store", () => {
  it("[SK44] it is degraded by the third failure in a row, not by the second", () => {
    const one = skill({ kept: "active" });

    one.send(counted(2));
    expect(one.value).toBe("active");
    one.send(counted(3));
    expect(one.value).toBe("degraded");
  });

  it.each([
    ["retired", "retired"],
    ["replaced", "replaced"],
    ["lost", "lost"],
  ] as const)("[SK45] it ends when it is %s", (how, state) => {
    for (const kept of ["active", "degraded"] as const) {
      const one = skill({ kept });
      one.send({ type: "skill.left", skill: "top_news", how, because: "it is time" });
      expect(one.value).toBe(state);
    }
  });
});
