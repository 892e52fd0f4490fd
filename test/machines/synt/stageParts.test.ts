// The parts of the stages: birth tests, hints, profiles, audit lines, families of names.
import { describe, expect, it } from "vitest";
import { auditLine, auditPath } from "../../../src/machines/synt/auditLine.ts";
import { MATCHERS, testFault, testsFrom } from "../../../src/machines/synt/birthTests.ts";
import { profileOf } from "../../../src/machines/synt/executorProfile.ts";
import { hintFor, hintsOf } from "../../../src/machines/synt/hints.ts";
import { isOfFamily, sharedName } from "../../../src/machines/synt/poolNight.ts";
import { pythonReach } from "../../../src/substrate/pythonReach.ts";

const test = (expected: object) => ({
  ...{ name: "one", setup: {}, input: {}, teardown: [] },
  expect: expected as never,
});

describe("birth tests", () => {
  it.each([
    [{ ok: true }, { ok: true }, true],
    [{ ok: true }, { ok: 1 }, false],
    [{ ok_count_eq: 2 }, { ok_count: 2 }, true],
    [{ error_contains: "list" }, { ok: false, error: "no list" }, true],
    [{ error_contains: "list" }, { ok: false, failed: [{ error: "no list" }] }, true],
    [{ entries_min: 2 }, { entries: [1] }, false],
    [{ entries_field_eq: { kind: "a" } }, { entries: [{ kind: "a" }, { kind: "b" }] }, false],
    [{ metadata_field_eq: { pages: 2 } }, { metadata: { pages: 2 } }, true],
    [{ ok_or_err_class: "missing" }, { ok: false, error_class: "missing" }, true],
    [{ has_field: "entries" }, {}, false],
    [{ looks_nice: true }, { looks_nice: true }, false],
    [{}, { ok: true }, false],
  ])("[SN58] %j of %j: %s", (expected, answer, passes) => {
    expect(testFault(test(expected), answer) === null).toBe(passes);
  });

  it("[SN58] a file of tests has its number and known matchers only", () => {
    const four = { least: 4, most: 6 };
    const good = { name: "a", input: {}, expect: { ok: true } };

    expect(testsFrom([good, good, good, good], four)).toHaveProperty("tests");
    expect(testsFrom([good, good, good], four)).toHaveProperty("fault");
    expect(testsFrom([good, good, good, { ...good, expect: { nice: 1 } }], four)).toHaveProperty(
      "fault",
    );
    expect(MATCHERS).toContain("ok_or_err_class");
  });
});

describe("the prompt repertoire", () => {
  const mine =
    '[[hint]]\nprovider = "llamacpp" # mine\nmodel_pattern = "Qwen*"\nuse_case = "code_gen"\ntext = "Mine\\n."\n';

  it("[SN60] the user's entry goes before the bundled one, and the first match wins", () => {
    const coder = { provider: "llamacpp", model: "Qwen3.6-35B" };

    expect(hintFor(coder, mine)).toBe("Mine\n.");
    expect(hintFor(coder, null)).toContain("raw strings");
    expect(hintFor({ provider: "llamacpp", model: "gemma" }, mine)).toBe("");
  });

  it("[SN60] reads literal strings and passes over what it does not know", () => {
    const text =
      "[other]\nprovider = 'x'\n[[hint]]\nprovider = 'a'\nuse_case = 'code_gen'\ntext = 'b\\n'\nn = 3\n";

    expect(hintsOf(text)).toEqual([
      { provider: "a", modelPattern: "*", useCase: "code_gen", text: "b\\n" },
    ]);
  });
});

describe("the profile of code", () => {
  it.each([
    ["import json\ndef invoke(args):\n    return json.loads(args)\n", {}],
    ["def invoke(args):\n    return open(args)\n", { "fs:read": ["*"], "fs:write": ["*"] }],
    [
      "from pathlib import Path\ndef invoke(a):\n    return Path(a).read_text()\n",
      { "fs:read": ["*"] },
    ],
    ["import urllib.request\n", { "net:read": ["*"] }],
  ])("[SN59] %j", (code, profile) => {
    expect(profileOf(pythonReach(code))).toEqual({ profile });
  });

  it.each(["import requests\n", "eval('1')\n", "import os\nos.system('ls')\n"])(
    "[SN59] refuses %j",
    (code) => {
      expect(profileOf(pythonReach(code))).toHaveProperty("fault");
    },
  );
});

it("[SN65] is one line of canonical JSON; the last certifies the costs", () => {
  const stated = {
    ...{ request: "req-0001", mode: "reactive" as const, proto: null, intent: "sort it" },
    ...{ strategy: "compose" as const, rationale: "so", error: null, scored: null },
    revises: null,
  };
  const facts = {
    epochMs: 1_777_000_000_000,
    costCents: 3,
    budgetCents: 10,
    durationMs: 7,
    line: 2,
  };
  const open = auditLine({ ...stated, state: "composed", artefact: ["a", "b"] }, facts);
  const last = JSON.parse(auditLine({ ...stated, state: "delivered", artefact: null }, facts));

  expect(open).not.toContain("\n");
  expect(Object.keys(JSON.parse(open))).toEqual(Object.keys(JSON.parse(open)).toSorted());
  expect(JSON.parse(open)).toMatchObject({ chain: ["a", "b"], cost_cents: 3, duration_ms: 7 });
  expect(JSON.parse(open)).not.toHaveProperty("certified");
  expect(last.certified).toEqual({ budget_cents: 10, lines: 2, within_budget: true });
  expect(auditPath(1_777_000_000_000)).toBe("/agentOS/workspace/.audit/synt/2026-04-24.jsonl");
});

it("[SN43] a family is what names share at both ends", () => {
  expect(sharedName(["order_image_file", "order_audio_file", "order_doc_file"])).toBe("order_file");
  expect(sharedName(["read_files", "move_files"])).toBeNull();
  expect(isOfFamily("order_file", "order_video_file")).toBe(true);
  expect(isOfFamily("order_file", "sort_video_file")).toBe(false);
});
