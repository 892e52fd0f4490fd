// The nine steps against the real parser and the real sandbox, and against recorded verdicts.

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkTool, type ToolCheck } from "../../src/actors/agents/edge/toolCheck.ts";
import type { PolicyValue } from "../../src/contract/policyTree.ts";
import { readPython } from "../../src/edges/python/parsePort.ts";
import { openSandbox, type Sandbox } from "../../src/edges/python/sandbox.ts";
import {
  patternFault,
  sanitizedName,
  structureFault,
} from "../../src/machines/agents/synthesis/qualityGate.ts";
import { policyWith } from "../builtIn.ts";
import { toolCases } from "./toolCases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: resolve("node_modules/.cache/ghostlight") });
});
afterAll(async () => sandbox?.close());

const ports = { sandbox: async () => sandbox };

const check = (
  implementation: string,
  overrides: { readonly [path: string]: PolicyValue } = {},
): Promise<ToolCheck> =>
  checkTool({ name: "t", description: "counts", implementation }, policyWith(overrides), ports);

const [py, json] = ["/agentOS/tools/dynamic/t.py", "/agentOS/tools/dynamic/t.json"];

describe("checkTool", () => {
  it("[SY14] deploys what runs and returns something, and leaves both files", async () => {
    const { verdict, step, files } = await check("def t(a=1):\n    return a");

    expect([verdict, step]).toEqual(["deployed", 9]);
    expect(Object.keys(files).sort()).toEqual([json, py]);
  });

  it("[SY5] deploys the auto-stub, whatever the description holds", async () => {
    const tool = { name: "t", description: '"""\n\\"; import os #\u2028', implementation: "" };

    const { verdict } = await checkTool(tool, policyWith({}), ports);

    expect(verdict).toBe("deployed");
  });

  it("[SY9] what does not run leaves its .py, unless both are cleaned up", async () => {
    const text = "def t():\n    return 1\nimport nowhere_to_be_found";
    const faithful = await check(text);
    const both = await check(text, { "tools.cleanup": "both" });

    expect(faithful.return).toEqual({
      ok: false,
      error: "auto-test failed: ModuleNotFoundError: No module named 'nowhere_to_be_found'",
    });
    expect(Object.keys(faithful.files)).toEqual([py]);
    expect(both.files).toEqual({});
  });

  it("[SY9] what runs for ever is stopped", async () => {
    const { verdict, steps } = await check("def t():\n    return 1\nwhile True: pass", {
      "tools.execTimeoutMs": 300,
    });

    expect(verdict).toBe("rejected");
    expect(steps.at(-1)).toMatchObject({ step: 8, rule: "time-out" });
  });

  it("[SY9] time is virtual: a tool that sleeps for an hour is late at once", async () => {
    const { steps } = await check("def t():\n    import time\n    time.sleep(3600)\n    return 1");

    expect(steps.at(-1)).toMatchObject({ step: 9, rule: "time-out" });
  });

  it("[SY10] tells None, missing arguments and an exception apart", async () => {
    const none = await check("def t():\n    return None");
    const needy = await check("def t(path):\n    return path");
    const raises = await check("def t():\n    return path");

    expect([none, needy, raises].map(({ verdict }) => verdict)).toEqual([
      "rejected",
      "untested",
      "rejected",
    ]);
    expect(none.files).toEqual({});
    expect(raises.steps.at(-1)?.detail).toContain("NameError");
  });

  it("[SY14] a lone surrogate or a NUL is an answer, not a crash", async () => {
    const odd = await check("def t():\n    return '\ud800'");
    const nul = await check("def t():\n    return 1\u0000");

    expect([odd.verdict, nul.verdict]).toEqual(["deployed", "rejected"]);
  });
});

describe("tools of ours, read literally", () => {
  it.each(toolCases)("[SY15] one that $about", async (one) => {
    const { name, named, text: implementation, gate, verdict, lenient = verdict } = one;
    const asked = { name, description: "counts", implementation };
    const by = (raisingCall: string) => policyWith({ "tools.raisingCall": raisingCall });

    const found = await checkTool(asked, policyWith({}), ports);
    const taken = await checkTool(asked, by("deploy"), ports);

    expect([sanitizedName(name), await staticVerdict(implementation)]).toEqual([named, gate]);
    expect([found.verdict, taken.verdict]).toEqual([verdict, lenient]);
  });
});

interface Recorded {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  readonly name_seed: string;
  readonly description: string;
  readonly implementation?: string;
  readonly static_seed: { readonly verdict: "accept" | "reject" };
  readonly code_seed: string;
  readonly verdict_seed: string;
  readonly verdict_seed_strict: string;
}

/** Recorded verdicts of a literal reading; they are no part of this repository. */
const file = "../shared/oracles/hollow.json";
const absent = !existsSync(file);
const recorded: readonly Recorded[] = absent
  ? []
  : JSON.parse(readFileSync(file, "utf8")).cases.filter(
      ({ implementation }: Recorded) => implementation !== undefined,
    );

/** Where a ruling decides otherwise than the recorded reading, and why. */
const exceptions: { readonly [id: string]: string } = {
  "snip/n05_spaces_only": "T2: a name of underscores only is refused",
  "snip/p10_double_pass_8sp": "T5: any number of blanks; recorded is four only",
  "snip/p11_pass_prefix_false_positive": "T5: a whole word; recorded is a prefix of `passed`",
  "syn/gap-task_queue_monitor-1776040472.py":
    "Python 3.14 reads annotations late; recorded is 3.11, where this one raises",
};

const staticVerdict = async (text: string): Promise<"accept" | "reject"> => {
  if (text === "") return "accept";
  if (patternFault(text) !== undefined) return "reject";
  const { sandbox: limits } = policyWith({});
  const syntax = await readPython(sandbox, text, "gate", limits);
  return syntax.ok && structureFault(syntax) === undefined ? "accept" : "reject";
};

describe.skipIf(absent)("recorded verdicts (left out without ../shared/oracles)", () => {
  it("[SY15] the names agree, but for the exceptions", () => {
    const other = recorded.filter(({ name, name_seed }) => sanitizedName(name) !== name_seed);

    expect(other.map(({ id }) => id)).toEqual(["snip/n05_spaces_only"]);
  });

  it("[SY15] the gate agrees, but for the exceptions", async () => {
    const other: (typeof recorded)[number][] = [];
    for (const one of recorded) {
      const verdict = await staticVerdict(one.implementation ?? "");
      if (verdict !== one.static_seed.verdict) other.push(one);
    }

    expect(other.map(({ id }) => id)).toEqual([
      "snip/p10_double_pass_8sp",
      "snip/p11_pass_prefix_false_positive",
    ]);
  });

  it.each([
    ["deploy", "verdict_seed"],
    ["reject", "verdict_seed_strict"],
  ] as const)("[SY15] raisingCall: %s agrees with %s over a sample", async (raisingCall, field) => {
    const policy = policyWith({ "tools.raisingCall": raisingCall });
    const sample = recorded.filter(
      ({ id, code_seed }, index) =>
        (id in exceptions || index % 6 === 1) && code_seed !== "exec_timeout",
    );

    const other: string[] = [];
    for (const { id, name, description, implementation = "", [field]: expected } of sample) {
      const { verdict } = await checkTool({ name, description, implementation }, policy, ports);
      if (verdict !== expected) other.push(id);
    }

    expect(sample.length).toBeGreaterThanOrEqual(40);
    expect(other.filter((id) => !(id in exceptions))).toEqual([]);
  });
});
