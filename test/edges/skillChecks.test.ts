// What a scenario may not say of skills, lessons and macros that are there from the start.
import { describe, expect, it } from "vitest";
import { skillNameFault } from "../../src/machines/skills/creation.ts";
import { simulate } from "../builtIn.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { smallScenario } from "../cli/smallScenario.ts";

/** What is wrong with such a `skills:`, in the small scenario. */
function refusal(skills: object, more: object = {}): string {
  const text = [smallScenario, ...Object.entries({ skills, ...more }).map(field)].join("\n");
  try {
    parseScenario(text, "small.yaml");
    return "";
  } catch (error) {
    return String(error);
  }
}

const field = ([name, value]: [string, unknown]): string => `${name}: ${JSON.stringify(value)}`;

const skill = { name: "news", description: "Gets the news.", code: "print(1)\n" };
const step = { tool: "fs_read", intent: "read the file contents" };
const macro = { name: "twice", description: "Reads it.", steps: [step] };
const lesson = { trigger: "sum up prices", correctPattern: "look first", domains: ["sql"] };

describe("skills and macros from the start", () => {
  it("[SK10] bear names of their own: not a builtin's, whoever attaches it, nor one another's", () => {
    expect(refusal({ acquired: [skill], macros: [macro] })).toBe("");
    expect(refusal({ acquired: [{ ...skill, name: "fs_write" }] })).toContain(
      'skills.acquired[0].name: found "fs_write"; allowed: another name: a builtin has this one',
    );
    expect(refusal({ acquired: [{ ...skill, name: "create_skill" }] })).toContain("a builtin has");
    expect(refusal({ macros: [{ ...macro, name: "fs_read" }] })).toContain("a builtin has");
    expect(refusal({ acquired: [skill], macros: [{ ...macro, name: "news" }] })).toContain(
      'skills.macros[0].name: found "news"; allowed: another name: a skill has this one',
    );
    expect(
      refusal({ acquired: [skill] }, { tools: [{ name: "news", description: "d", returns: {} }] }),
    ).toContain("a tool has this one");
  });

  it.each(["constructor", "toString", "hasOwnProperty", "__proto__", "__init__", "_"])(
    "[SK10] may have the names that create_skill takes, and no other: %s",
    (name) => {
      const isRefused = refusal({ acquired: [{ ...skill, name }] }) !== "";

      expect(isRefused).toBe(skillNameFault(name) !== null);
    },
  );

  it("[SK48] overwrite no file that the scenario has", () => {
    const folder = "/agentOS/ghost/system/memory/acquired_skills";
    const beside = (name: string, acquired: readonly object[]) =>
      refusal({ acquired }, { files: { [`${folder}/${name}`]: "{torn" } });

    expect(beside("skills_registry.json", [skill])).toContain("`skills.acquired` writes this file");
    expect(beside("news.py", [skill])).toContain("`skills.acquired` writes this file");
    expect(beside("other.py", [skill])).toBe("");
    expect(beside("skills_registry.json", [{ ...skill, legacy: true }])).toBe("");
    expect(beside("skills_registry.json", [])).toBe("");
    const inSandbox = "/agentOS/ghost/sandbox/acquired_skills/news.py";
    const within = (more: object) =>
      refusal({ acquired: [skill] }, { files: { [inSandbox]: "{torn" }, ...more });
    expect(within({})).toBe("");
    expect(within({ policy: { "skills.store": "sandbox" } })).toContain("writes this file");
  });
});

describe("a macro's steps", () => {
  it("[SK33] lead to a branch that exists, under a condition", () => {
    const branches = { other: [step] };
    const of = (given: object) =>
      refusal({ macros: [{ ...macro, steps: [{ ...step, ...given }], branches }] });

    expect(of({ when: "x", branch: "other" })).toBe("");
    expect(of({ when: "x", branch: "nosuch" })).toContain(
      'skills.macros[0].steps[0].branch: found "nosuch"; allowed: the name of a branch: other',
    );
    expect(of({ when: "x" })).toContain("together with `branch`");
    expect(of({ branch: "other" })).toContain("together with `when`");
    const inBranch = { other: [{ ...step, when: "x", branch: "nosuch" }] };
    expect(refusal({ macros: [{ ...macro, branches: inBranch }] })).toContain(
      "skills.macros[0].branches.other[0].branch",
    );
  });

  it.each(["x", [1]])("[SK33] have parameters by name: %j are none", (params) => {
    expect(refusal({ macros: [{ ...macro, steps: [{ ...step, params }] }] })).toContain(
      "skills.macros[0].steps[0].params",
    );
  });
});

describe("lessons from the start", () => {
  it("[SK21] say something, and have a domain of the taxonomy", () => {
    const of = (given: object) => refusal({ playbook: [{ ...lesson, ...given }] });

    expect(of({})).toBe("");
    expect(of({ trigger: " " })).toContain("skills.playbook[0].trigger: found");
    expect(of({ correctPattern: " " })).toContain("a text that is not blank");
    expect(of({ domains: ["bogus"] })).toContain("at least one of algo, ");
    expect(of({ domains: ["bogus", "sql"] })).toBe("");
  });

  it("[SK20] are one for each trigger, whatever the order of its telling words", () => {
    const other = { ...lesson, trigger: "How do I sum prices up?" };
    expect(refusal({ playbook: [lesson, other] })).toContain("skills.playbook[1].trigger: found");
    const counted = { ...lesson, trigger: "sum up price {n}", times: 3 };
    expect(refusal({ playbook: [counted, lesson] })).toBe("");
    expect(refusal({ playbook: [counted, { ...lesson, trigger: "sum up price 2" }] })).toContain(
      "another lesson's has the same telling words",
    );
  });
});

describe("skills from the start", () => {
  const staged = (store: "memory" | "sandbox", acquired: readonly object[]) => {
    const text = [
      ...[smallScenario, field(["skills", { acquired }])],
      field(["policy", { "skills.store": store }]),
    ].join("\n");
    const found: object[] = [];
    simulate(parseScenario(text, "small.yaml"), {
      onSeen: ({ event }) => {
        if (event.type === "store.found") found.push(event);
      },
    });
    return found[0];
  };

  it.each(["memory", "sandbox"] as const)(
    "[SK107] lie where the policy keeps skills: %s",
    (store) => {
      expect(staged(store, [skill])).toMatchObject({ skills: 1, filesAlone: [], rowsAlone: [] });
    },
  );

  it("[SK107] within the sandbox they lie beside those of earlier installs", () => {
    const old = { ...skill, name: "old", legacy: true };

    expect(staged("sandbox", [skill, old])).toMatchObject({ skills: 2, migrated: [] });
    expect(staged("memory", [skill, old])).toMatchObject({ skills: 1, migrated: [] });
    expect(staged("memory", [old])).toMatchObject({ skills: 1, migrated: ["old"] });
  });
});
