// What is found of a world before it is played: at load, and by a dry run.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { BadInput } from "../../src/edges/errors.ts";
import { foreseen as foreseenBy } from "../../src/edges/scenario/foreseen.ts";
import { parseYaml } from "../../src/edges/scenario/yamlText.ts";
import { loadScenario, parseScenario } from "../builtInScenarios.ts";
import { byNameScenario } from "../byName.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { newFolder } from "../folders.ts";

const changed = (from: string, to: string): string => {
  expect(smallScenario).toContain(from);
  return smallScenario.replace(from, to);
};

/** `path: found; allowed` of each thing that is wrong. */
function refused(text: string): string[] {
  try {
    parseScenario(text, "small.yaml");
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return [error, ...(error.more ?? [])].map(
      ({ where, found, allowed }) => `${where.path}: ${found}; ${allowed}`,
    );
  }
  return [];
}

const foreseen = (text: string, variant: string | null = null) =>
  foreseenBy(builtIn, parseScenario(text, "small.yaml"), { variant, set: {} });

describe("places in braces", () => {
  const goalsOnly = "{claim} is filled in only in what a goal says";
  const ofPlans = "{agent} {n} {slug} {goal} {artifact} {evidence}";

  it("[WW2] a word that is filled in elsewhere only is refused: in what a goal says, in a plan", () => {
    expect(refused(changed("Write a page (goal {n})", "Write {artifact}"))).toEqual([
      'model.goals[0].text: "Write {artifact}"; a text of 1 … 10000 characters, with no place but {agent} {n} {slug} {claim}',
    ]);
    expect(refused(changed("# A page", "# {claim}"))).toEqual([
      `model.goals[0].plans[0].steps[0].params.content: {claim}; a text with no place but ${ofPlans}: ${goalsOnly}`,
      // The alias of it.
      `model.goals[0].plans[0].steps[2].params.content: {claim}; a text with no place but ${ofPlans}: ${goalsOnly}`,
    ]);
  });

  it("[WW2] in a condition nothing is filled in", () => {
    expect(
      refused(changed("weight: 1\n", 'weight: 1\n      heard: "{agent}, write"\n'))[0],
    ).toMatch(/^model\.goals\[0\]\.heard: .*it is compared as it stands$/);
  });

  it("[WW1] what is filled in there is taken: in what a goal says, in its plans", () => {
    expect(refused(changed("(goal {n})", "by {agent}, {n} {slug} {claim}"))).toEqual([]);
    expect(
      refused(changed("# A page", "# {goal} by {agent}, {n} {slug} {artifact} {evidence}")),
    ).toEqual([]);
  });

  it("[WW1] braces around anything else stay as they are", () => {
    const json = 'x {"n": {"claim": [1, {}]}} $ {agent_1} {N} { n } {}';

    expect(refused(changed("# A page", json))).toEqual([]);
    expect(foreseen(changed("# A page", json))).toEqual([]);
  });

  it("[WW2] parameters that are code are not looked at", () => {
    const written = (params: string) =>
      refused(changed('params: { path: "{artifact}" }', `params: ${params}`)).length;

    for (const key of ["code", "implementation", "command"]) {
      expect(written(`{ path: "{artifact}", ${key}: "f'{claim}'" }`)).toBe(0);
    }
    expect(written('{ path: /agentOS/workspace/x.py, content: "{claim}" }')).toBe(0);
    expect(written('{ path: /agentOS/workspace/x.md, content: "{claim}" }')).toBe(1);
    expect(written('{ path: /agentOS/workspace/x.py, note: "{claim}" }')).toBe(1);
  });

  it("[WW3] a dry run says what nothing fills, with the nearest word", () => {
    expect(foreseen(changed("# A page", "# A page on {artefact}"))).toEqual([
      `plan note/only: nothing fills {artefact}; what there is: ${ofPlans}. Did you mean {artifact}?`,
    ]);
    const step =
      '{ intent: "write file on {artefact}", params: { path: "{artifact}", content: x } }';
    const fallback = `  fallbackPlans: [{ id: other, weight: 1, steps: [${step}] }]`;
    expect(foreseen(changed("\nexpect:", `\n${fallback}\nexpect:`))).toEqual([
      `plan fallback/other: nothing fills {artefact}; what there is: ${ofPlans}. Did you mean {artifact}?`,
    ]);
    const shown = 'evidence: "/agentOS/workspace/{agnt}.md"\n      plans:';
    expect(foreseen(changed("plans:", shown))[0]).toContain("goal note: nothing fills {agnt}; ");
    for (const says of [
      ...['reasoning: "as {agnt}"', 'worldview: "as {agnt}"', 'questions: ["as {agnt}"]'],
      'opinions: [{ opinion: "as {agnt}", domain: files }]',
    ]) {
      expect(foreseen(changed("plans:", `says: { ${says} }\n      plans:`))).toEqual([
        "goal note: nothing fills {agnt}; what there is: {agent} {n} {slug}. Did you mean {agent}?",
      ]);
    }
  });
});

describe("texts without quotes", () => {
  /** `line:column: found; allowed`. */
  const problems = (text: string): string[] => {
    const parsed = parseYaml(text, "x.yaml");
    return "problems" in parsed
      ? parsed.problems.map(
          ({ where, found, allowed }) => `${where.line}:${where.column}: ${found}; ${allowed}`,
        )
      : [];
  };
  const quote = (text: string) => `a text that begins with { must be quoted: "${text}"`;

  it.each([
    ["artifact: {agent}/x\n", `1:11: "{agent}/x"; ${quote("{agent}/x")}`],
    [
      "a:\n  - text: {n} of them\n    b: [1\nc: 2\n",
      `2:11: "{n} of them"; ${quote("{n} of them")}`,
    ],
    ["a: { b: 1, text: {n} of them }\n", `1:18: "{n} of them"; ${quote("{n} of them")}`],
    ["a: [x, {agent}/x]\n", `1:8: "{agent}/x"; ${quote("{agent}/x")}`],
    [
      "a: [read {n}, b]\n",
      '1:5: "read {n}"; a text that holds { within [ ] or { } must be quoted: "read {n}"',
    ],
    [
      "a: { b: q, c: read {n} }\n",
      '1:15: "read {n}"; a text that holds { within [ ] or { } must be quoted: "read {n}"',
    ],
    [
      "a: [q,\n  so far: this\n  is: that]\n",
      '2:3: "so far: this"; a text that holds ": " must be quoted: "so far: this"',
    ],
    ["why: a: b\n", '1:6: "a: b"; a text that holds ": " must be quoted: "a: b"'],
    // The parser notices it a line below.
    ["a: {agent}: b\n- d\n", `1:4: "{agent}: b"; ${quote("{agent}: b")}`],
  ])("[WW4] %j is one problem at its place, and says to quote it", (text, problem) => {
    expect(problems(text)).toEqual([problem]);
  });

  it("[WW4] a tab at the start of a line is called one", () => {
    expect(problems("a:\n\tb: 1\n")).toEqual([
      "2:1: a tab at the start of a line; spaces: YAML indents with them",
    ]);
  });

  it("[WW4] two slips are two problems, and what is no slip is the parser's", () => {
    expect(problems("a: {n} x\nb: {n}/y\n")).toHaveLength(2);
    expect(problems("a: 'b\n")[0]).toContain("valid YAML 1.2.");
    expect(problems('a: { b: {} }\nc: {n: 1}\nd: ["{n}", x]\n')).toEqual([]);
  });

  it("[WW5] {n} alone, which YAML reads as a map, is refused as a text, as a parameter too", () => {
    expect(refused(changed("Write a page (goal {n})", "{n}"))).toEqual([
      "model.goals[0].text: {n}, which YAML reads as a map; a text of 1 … 10000 characters, with no place but " +
        '{agent} {n} {slug} {claim}; a text that begins with { must be quoted: "{n}"',
    ]);
    expect(
      refused(changed('params: { path: "{artifact}" }', "params: { path: {artifact} }")),
    ).toEqual([
      "model.goals[0].plans[0].steps[1].params.path: {artifact}, which YAML reads as a map; " +
        'a text that begins with { in quotes: "{artifact}"',
    ]);
    expect(
      refused(
        changed('params: { path: "{artifact}" }', 'params: { path: "{artifact}", x: { y: } }'),
      ),
    ).toEqual([]);
  });
});

describe("expectations", () => {
  it("[WW6] a scenario from a file must name metrics that exist, and hears which are alike", () => {
    const file = join(newFolder(), "mine.yaml");
    writeFileSync(
      file,
      changed('metric: goals.completed, op: ">="', 'metric: goals.failed, op: ">="'),
    );

    expect(() => loadScenario(file)).toThrow(
      /found "goals.failed"; allowed: the name of a metric .*, such as goals.completed, goals.abandoned/,
    );
  });

  it("[WW6] a share, a load and a severity are compared with 0 to 1", () => {
    const share = (value: string, metric = "goals.doneShare"): string[] =>
      refused(
        changed(
          'metric: goals.completed, op: ">=", value: 1,',
          `metric: ${metric}, op: ">=", value: ${value},`,
        ),
      );
    for (const metric of ["goals.doneShare", "load", "stressor.futility"]) {
      expect(share("1.01", metric)).toEqual([
        `expect[0].value: 1.01; a number 0 … 1, which ${metric} always is`,
      ]);
    }
    expect(share("1.01", "calls.lost")).toEqual([]);
    expect(share("1.01, actor: cedar", "load")).toEqual([
      "expect[0].value: 1.01; a number 0 … 1, which load always is",
    ]);

    expect([share("0"), share("1")]).toEqual([[], []]);
    expect(share("90")).toEqual([
      "expect[0].value: 90; a number 0 … 1, which goals.doneShare always is",
    ]);
    expect(share("-0.1")).toHaveLength(1);
    const ofVariant = changed('goals.completed, op: "="', 'goals.failed, op: "="');
    expect(refused(ofVariant)[0]).toContain('variants.silent.expect[0].metric: "goals.failed"');
  });
});

describe("what can never be drawn", () => {
  const goal = (condition: string): string =>
    changed("weight: 1\n", `weight: 1\n      ${condition}\n`);
  const event = (does: string) => `events: [{ id: e, at: 1m, ${does} }]\n`;

  it.each([
    ["knows: a\n      lacks: a", "lacks"],
    ["broken: a\n      notBroken: a", "notBroken"],
    ["lesson: a\n      withoutLesson: a", "withoutLesson"],
    ["section: a\n      withoutSection: a", "withoutSection"],
    ["nudge: a\n      withoutNudge: a", "withoutNudge"],
    ["whenLoad: { atLeast: 0.5, below: 0.5 }", "whenLoad"],
  ])("[WW7] %j, which excludes itself, is refused", (conditions, key) => {
    const plan = conditions.replace("      ", "          ");

    expect(refused(goal(conditions))[0]).toContain(`model.goals[0].${key}: `);
    expect(refused(changed("- id: only\n", `- id: only\n          ${plan}\n`))[0]).toContain(
      `model.goals[0].plans[0].${key}: `,
    );
  });

  it("[WW7] what does not exclude itself is taken: another name, another text, a load above its lower bound", () => {
    const names = "knows: a\n      lacks: b\n      broken: a\n      notBroken: b";
    const texts = "lesson: a\n      withoutLesson: b\n      nudge: a\n      withoutNudge: b";

    expect(refused(goal(`${names}\n      ${texts}`))).toEqual([]);
    expect(refused(goal("whenLoad: { atLeast: 0.49, below: 0.5 }"))).toEqual([]);
    expect(refused(goal("whenLoad: { below: 0.5 }"))).toEqual([]);
  });

  it.each([
    ['heard: "write, please"', "no host.message to who may think of it holds that"],
    ["claimBelow: /agentOS/workspace/vault", "no goal of another agent has its artifact there"],
    ["claimBelow: /agentOS/workspace", "no goal of another agent has its artifact there"],
    ["knows: fs_wrte", "nothing offers a tool of that name (did you mean fs_write?)"],
    ["broken: price_feed", "there is no tool of that name"],
    ["lesson: look first", "no lesson holds that"],
    ["section: Playbook", "no part gives sections in this world"],
    ["nudge: Playbook", "no part gives nudges in this world"],
    ["signal: alarm", "no outside.signal holds that"],
    ["stressor: futilty", "no such stressor is enabled (did you mean futility?)"],
  ])("[WW8] a goal with %s is never chosen, and why", (condition, why) => {
    const [found, ...others] = foreseen(goal(condition));

    expect(found).toMatch(/^goal note is never chosen: /);
    expect(found).toContain(`, and ${why}.`);
    expect(others).toEqual([]);
  });

  it("[WW8] likewise a plan; a condition that is met in a variant alone is no finding", () => {
    expect(
      foreseen(changed("- id: only\n", "- id: only\n          knows: price_feed\n"))[0],
    ).toMatch(/^plan note\/only is never drawn: knows: price_feed, and nothing offers/);
    const heard = goal('heard: "write, please"');
    const says = event("does: host.message, agent: cedar, text: 'write, please'");
    expect(foreseen(heard + says)).toEqual([]);
    expect(foreseen(heard.replace("    why: Nobody", `    ${says}    why: Nobody`))).toEqual([]);
    expect(foreseen(goal("knows: retire_capability"))).toEqual([]);
    const learns =
      "  lessons: [{ id: l, match: x, lesson: look first, category: planning, confidence: low, weight: 1 }]";
    expect(
      foreseen(goal("lesson: look first").replace("\nexpect:", `\n${learns}\nexpect:`)),
    ).toEqual([]);
    expect(
      foreseen(goal("knows: price_feed").replace("# A page", "# A page of price_feed")),
    ).toEqual([]);
    const others = heard.replace("agents: [cedar]", "agents: [cedar, vault]");
    const toVault = says.replace("cedar", "vault");
    expect(foreseen(others + toVault)).toEqual([]);
    expect(
      foreseen(others.replace("weight: 1\n", "weight: 1\n      agents: [cedar]\n") + toVault),
    ).toHaveLength(1);
    const silent = `${goal("message: hello")}policy: { engine.builtins: [fs_read, fs_write] }\n`;
    expect(foreseen(goal("message: hello"))).toEqual([]);
    expect(foreseen(silent)).toEqual([
      'goal note is never chosen: message: "hello", and agents send no messages without message_send.',
    ]);
    const off = `${goal("stressor: futility")}policy: { stressors.enabled: [stagnation] }\n`;
    const on = "    policy: { stressors.enabled: [futility] }\n    why: Nobody";
    expect(foreseen(off)).toHaveLength(1);
    expect(foreseen(off.replace("    why: Nobody", on))).toEqual([]);
  });
});

describe("where steps go", () => {
  it("[WW9] a step that its builtin refuses is found, by parameters and by the folder it writes into", () => {
    expect(foreseen(changed('params: { path: "{artifact}" }', "params: {}"))).toEqual([
      'plan note/only: "read the file contents" goes to fs_read, which refuses it (TypeError: expects path).',
    ]);
    const inRoot = changed('path: "{artifact}"\n', 'path: "{agent}/{n}.md"\n');
    expect(foreseen(inRoot)[0]).toContain(
      '"write file" goes to fs_write, which refuses it (cedar/1.md is no path below /agentOS/).',
    );
    const closed = changed('path: "{artifact}"\n', "path: /agentOS/agents/{agent}/x.md\n");
    expect(foreseen(closed)[0]).toContain("(PermissionError: /agentOS/agents/ is read-only)");
  });

  it("[WW9] a step that goes to no tool is found, where the router compares words", () => {
    const lost = changed("read the file contents", "paint fresco");

    expect(foreseen(lost)).toEqual([
      'plan note/only: no tool serves "paint fresco", which shares no word with any.',
    ]);
    expect(foreseen(`${lost}policy: { router.kind: embedding }\n`)).toEqual([]);
  });

  it("[WW9] a step that brings a file and goes to a tool of the scenario is found", () => {
    const reader =
      "tools: [{ name: safe_read, description: read the file contents now, returns: 1 }]\n";
    expect(
      foreseen(
        smallScenario.replace("read the file contents", "read the file contents now") + reader,
      ),
    ).toEqual([]);
    const tools = "tools: [{ name: safe_write, description: write file safely, returns: null }]\n";

    expect(foreseen(smallScenario + tools)).toEqual([
      'plan note/only: "write file" goes to safe_write, not to fs_write, which its path and content fit.',
    ]);
  });

  it("[TB12] a step that calls a builtin by name is held to what the builtin takes and where it may write", () => {
    const called = (params: string) =>
      foreseen(byNameScenario.replace('params: { path: "{artifact}" }', `params: ${params}`));

    expect(called('{ path: "{artifact}" }')).toEqual([]);
    expect(called("{}")).toEqual([
      "plan note/only: fs_read refuses the step (TypeError: expects path).",
    ]);
    expect(called("{ path: pages/1.md }")).toEqual([
      "plan note/only: fs_read refuses the step (pages/1.md is no path below /agentOS/).",
    ]);
    const closed = byNameScenario.replace('path: "{artifact}"\n', "path: /agentOS/agents/x.md\n");
    expect(foreseen(closed)[0]).toContain(
      "fs_write refuses the step (PermissionError: /agentOS/agents/ is read-only)",
    );
  });

  it("[TB12] a step that calls a tool otherwise than its parameters say is found, and one that its table does not know", () => {
    const called = (params: string, otherwise = "otherwise: { error: no such city }") =>
      foreseen(
        byNameScenario
          .replace("params: { city: Rome }", `params: ${params}`)
          .replace("otherwise: { error: no such city }", otherwise),
      );

    expect(called("{ town: Rome }")[0]).toContain(
      'weather is called otherwise than its parameters say. Instance does not have required property "city".',
    );
    expect(called("{ city: 5 }")[0]).toContain('city: Instance type "number" is invalid.');
    const knowing = (name: string) =>
      byNameScenario
        .replace("params: { city: Rome }", "params: { city: 5 }")
        .replace("        - id: only\n", `$&          knows: ${name}\n`);
    expect(foreseen(knowing("weather"))[0]).toContain("weather is called otherwise");
    expect(foreseen(knowing("almanac")).join()).not.toContain("weather is called otherwise");
    expect(called("{ city: Oslo }")).toEqual([]);
    expect(called("{ city: Oslo }", "failsPerMille: 1")).toEqual([
      'plan note/only: weather has no answer for {"city":"Oslo"}, and no otherwise.',
    ]);
    // The next goal's text may be another.
    expect(called('{ city: "Oslo {n}" }', "failsPerMille: 1")).toEqual([]);
    const plain = byNameScenario.replace(/ {4}answers:[\s\S]*?such city }\n/, "    returns: 1\n");
    expect(foreseen(plain)).toEqual([]);
    expect(foreseen(plain.replace("{ city: Rome }", "{ city: 5 }"))).toHaveLength(1);
  });

  it("[TB12] a goal is found of which no step counts as output, unless its gate does not ask for that", () => {
    const reading = byNameScenario
      .replace("tool: fs_write", "tool: weather_report")
      .replace(
        "model:",
        "  - { name: weather_report, description: Writes it down., returns: 1 }\nmodel:",
      );

    expect(foreseen(reading)).toEqual([
      "goal note: no step calls what counts as output (fs_write, fs_edit, memory_set, propose_change, create_skill), " +
        "which its gate asks for; see progress.outputCapabilities and gate.parts.",
    ]);
    const set = "gate.parts: [mechanical], router.kind: name";
    expect(foreseen(reading.replace("router.kind: name", set))).toEqual([]);
    const write = '{ tool: fs_write, params: { path: "{artifact}", content: x } }';
    const other = `        - { id: other, weight: 1, steps: [${write}] }\nexpect:`;
    expect(foreseen(reading.replace("expect:", other))).toEqual([]);
    // Where a step in words goes is not known from its name.
    const worded = reading
      .replace("router.kind: name", "router.kind: embedding")
      .replace("tool: fs_read", "intent: read the file");
    expect(foreseen(worded)).toEqual([]);
  });

  it("[WW10] a plan of more steps than agents take is found", () => {
    const steps = (count: number) =>
      byNameScenario.replace(/( +- tool: fs_read\n.*\n)/, (step: string) => step.repeat(count - 2));

    expect(foreseen(steps(20))).toEqual([]);
    expect(foreseen(steps(21))).toEqual([
      "plan note/only: agents take the first 20 of its 21 steps and no more.",
    ]);
  });

  it("[WW10] a goal whose artifact no step names is found", () => {
    const elsewhere = changed(
      'path: "{artifact}"\n',
      "path: /agentOS/workspace/other.md\n",
    ).replace('params: { path: "{artifact}" }', "params: { path: /agentOS/workspace/other.md }");

    expect(foreseen(elsewhere)).toEqual([
      "goal note: no step of its plans names its artifact, /agentOS/workspace/{n}.md; as a step's path, {artifact} does.",
    ]);
    expect(foreseen(elsewhere.replace(/other\.md/, "{n}.md"))).toEqual([]);
    const memory = elsewhere.replace(
      "artifact: /agentOS/workspace/{n}.md",
      "artifact: /agentOS/tools/dynamic/{n}.json",
    );
    expect(foreseen(memory)).toEqual([]);
  });
});
