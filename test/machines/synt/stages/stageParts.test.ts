// The parts of the stages: birth tests, hints, profiles, audit lines, families of names.

import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/machines/letter.ts";
import { sortedJson } from "../../../../src/machines/sortedJson.ts";
import { EXECUTORS_FOLDER } from "../../../../src/machines/synt/contract.ts";
import { auditPath } from "../../../../src/machines/synt/desk/deskState.ts";
import { auditLine } from "../../../../src/machines/synt/desk/syntDesk.ts";
import { isOfFamily, sharedName } from "../../../../src/machines/synt/pool/introspection.ts";
import { COLLECTED_FOLDER, collected } from "../../../../src/machines/synt/pool/pool.ts";
import type { PoolState } from "../../../../src/machines/synt/pool/poolState.ts";
import { MATCHERS, testFault, testsFrom } from "../../../../src/machines/synt/stages/birthTests.ts";
import { profileOf } from "../../../../src/machines/synt/stages/executorProfile.ts";
import { readStage } from "../../../../src/machines/synt/stages/stageAnswers.ts";
import { hintFor, repertoireOf } from "../../../../src/machines/synt/stages/stagePrompts.ts";
import { policyWith } from "../../../builtIn.ts";
import { pythonReader } from "../../../edges/python/reader.ts";
import { casesOf, golden, isAbsent } from "../metnosOracle.ts";

const read = pythonReader();

const { naming, stages } = policyWith({}).synt;

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
    [{ metadata_field_lte: { pages: 2 } }, { metadata: { pages: 2 } }, true],
    [{ metadata_field_lte: { pages: 2 } }, { metadata: { pages: 3 } }, false],
    [{ metadata_field_gte: { pages: 2 } }, { results: [{ pages: 2 }] }, true],
    [{ metadata_field_gte: { pages: 2 } }, { metadata: { pages: 1 } }, false],
    [{ metadata_field_gte: { pages: 2 } }, { metadata: { pages: "3" } }, false],
    [{ matches_contains: "b" }, { matches: ["a"] }, false],
    [{ matches_count_eq: 0 }, {}, false],
    [{ decision: "accepted" }, { decision: "refused" }, false],
    [{ ok_or_err_class: "missing" }, { ok: false, error_class: "missing" }, true],
    [{ has_field: "entries" }, {}, false],
    [{ looks_nice: true }, { looks_nice: true }, false],
    [{}, { ok: true }, false],
  ])("[SN58] %j of %j: %s", (expected, answer, passes) => {
    expect(testFault(test(expected), answer) === null).toBe(passes);
  });

  it("[SN58] a file of tests has its number and known matchers only", () => {
    const four = { least: 4, most: 6, kinds: false };
    const good = { name: "a", input: {}, expect: { ok: true } };

    expect(testsFrom([good, good, good, good], four)).toHaveProperty("tests");
    expect(testsFrom([good, good, good], four)).toHaveProperty("fault");
    expect(testsFrom([good, good, good, { ...good, expect: {} }], four)).toEqual({
      fault: "test a expects nothing",
    });
    expect(testsFrom([good, good, good, { ...good, expect: { nice: 1 } }], four)).toHaveProperty(
      "fault",
    );
    expect(testsFrom([good, good, good, { ...good, input: [] }], four)).toHaveProperty("fault");
    // Told by its place, from 1.
    expect(testsFrom([good, 7, good, good], four)).toEqual({ fault: "test 2 is no object" });
    expect(MATCHERS).toContain("ok_or_err_class");
  });
});

describe("the four kinds of birth tests", () => {
  const happy = { name: "happy path", input: { items: [1] }, expect: { ok: true } };
  const empty = { name: "empty list", input: { items: [] }, expect: { ok: true } };
  const invalid = { name: "invalid args", input: { items: 7 }, expect: { ok: false } };
  const edge = { name: "one item", input: { items: [0] }, expect: { entries_max: 1 } };
  const faultIn = (...tests: readonly object[]) => {
    const read = testsFrom(tests as never, { least: 1, most: 6, kinds: true });
    return "fault" in read ? read.fault : null;
  };

  it("[SO2] are all there, in any order, each with a test of its own", () => {
    expect(faultIn(edge, invalid, happy, empty)).toBeNull();
    expect(faultIn(happy, happy, invalid, edge)).toContain("empty list (a test whose input holds");
    expect(faultIn(happy, empty, edge, edge)).toContain("invalid arguments (a test that expects");
    expect(faultIn(edge, { ...empty, expect: { entries_max: 0 } }, invalid, edge)).toContain(
      "happy path (a test that expects ok true)",
    );
    expect(faultIn(happy, happy)).toContain("empty list");
    expect(faultIn(happy, happy)).toContain("invalid arguments");
    expect(faultIn(happy, empty, invalid)).toBe("no test for an edge of the domain");
    expect(faultIn(empty, invalid, edge, edge)).toContain("a test each");
    expect(faultIn(happy, { ...empty, expect: { ok: false } }, edge, edge)).toContain(
      "a test each",
    );
  });

  it.each([
    [{}, true],
    [{ items: [] }, true],
    [{ where: { tags: {} } }, true],
    [{ text: " " }, true],
    [{ text: "[ ]" }, true],
    [{ items: [0] }, false],
    [{ items: null, n: 0 }, false],
    [{ text: "[1]" }, false],
  ])("[SO2] %j holds something empty: %s", (input, isEmpty) => {
    const found = faultIn(happy, invalid, edge, edge, { ...empty, input });

    expect(found === null).toBe(isEmpty);
  });

  it.each([
    [{ error_contains: "list" }, true],
    [{ error_class: "invalid_args" }, true],
    [{ error_code: 2 }, true],
    [{ ok_or_err_class: "missing" }, false],
    [{ ok: true, error_class: "none" }, false],
  ])("[SO2] %j expects an error: %s", (expected, expectsError) => {
    const found = faultIn(happy, empty, edge, edge, { ...invalid, expect: expected });

    expect(found === null).toBe(expectsError);
  });

  it("[SO2] the proof of concept is not held to them", () => {
    const tests = [happy, happy, happy];
    const setting = { naming, stages, pool: [], draft: {} };

    const some = (purpose: "synt.pocTests" | "synt.tests", ...all: readonly object[]) =>
      Object.keys(readStage(purpose, JSON.stringify({ tests: all }), setting));
    const poc = (count: number) => some("synt.pocTests", ...Array(count).fill(happy));
    const stage = (count: number) =>
      some("synt.tests", ...[happy, empty, invalid, edge, edge, edge, edge].slice(0, count));
    expect([2, 3, 5, 6].flatMap(poc)).toEqual(["fault", "filled", "filled", "fault"]);
    expect([3, 4, 6, 7].flatMap(stage)).toEqual(["fault", "filled", "filled", "fault"]);
    const four = JSON.stringify({ tests: [...tests, happy] });
    expect(readStage("synt.tests", four, setting)).toHaveProperty("fault");
    const whole = JSON.stringify({ tests: [happy, empty, invalid, edge] });
    expect(readStage("synt.tests", whole, setting)).toHaveProperty("filled");
  });
});

describe("the prompt repertoire", () => {
  const entry = (...lines: readonly string[]) => ["[[hint]]", ...lines].join("\n");
  const mine = entry(
    'provider = "llamacpp" # mine',
    'model_pattern = "Qwen*"',
    'use_case = "code_gen"',
    'text = "Mine\\n."',
  );
  const given = (text: string) => repertoireOf(text);

  it("[SN60] the user's entry goes before the bundled one, and the first match wins", () => {
    const coder = { provider: "llamacpp", model: "Qwen3.6-35B" };
    const { entries } = given(mine);

    expect(hintFor(coder, entries)).toBe("Mine\n.");
    expect(hintFor(coder, [])).toContain("raw strings");
    expect(hintFor({ provider: "llamacpp", model: "gemma-5" }, entries)).toContain("raw strings");
    expect(hintFor({ provider: "mistral", model: "Qwen3" }, entries)).toBe("");
  });

  it("[SN60] a pattern is for a model's name in whatever case, and for its provider only", () => {
    const { entries } = given(mine);
    const told = (provider: string, model: string) => hintFor({ provider, model }, entries);

    expect(told("llamacpp", "qwen3.6-35b")).toBe("Mine\n.");
    expect(told("llamacpp", "QWEN3.6")).toBe("Mine\n.");
    expect(told("anthropic", "Claude-Opus")).toBe(told("anthropic", "claude-opus"));
    expect(told("ollama", "Qwen3:8B")).toBe(told("openai", "GPT-5"));
    expect(told("openai", "qwen3:8b")).toBe("");
    expect(told("ollama", "gemma3:4b")).toBe("");
  });

  it("[SO3] reads TOML: literal, multi-line and escaped strings, comments, arrays of tables", () => {
    const long = entry(
      "provider = 'a' # whom",
      "use_case = 'code_gen'",
      'text = """',
      "One line. \\",
      "  The same.",
      'Another."""',
    );
    const literal = entry("provider = 'a'", "use_case = 'plan'", "text = 'b\\n'");

    expect(given(`${long}\n\n${literal}\n`)).toEqual({
      fault: null,
      entries: [
        {
          ...{ provider: "a", modelPattern: "*", useCase: "code_gen" },
          text: "One line. The same.\nAnother.",
        },
        { provider: "a", modelPattern: "*", useCase: "plan", text: "b\\n" },
      ],
    });
    expect(given("")).toEqual({ entries: [], fault: null });
  });

  it.each([
    [`${mine}\nprovider = 3\n`, "no TOML, line 6: "],
    ['hint = "all"', "hint is no list of tables"],
    ["[hint]\nprovider = 'a'", "hint is no list of tables"],
    ["[[hints]]\nprovider = 'a'", "hints is not known"],
    [`${mine}\n${entry("use_case = 'code_gen'", "text = 'b'")}`, "hint 2: provider is no text"],
    [entry("provider = 'a'", "use_case = 'b'", "text = 1979-05-27"), "hint 1: text is no text"],
    [entry("provider = 'a'", "use_case = 'b'", "txt = 'c'"), "hint 1: txt is not known"],
    ["hint = [1]", "hint 1: provider is no text"],
  ])("[SO3] %j is turned down whole", (text, fault) => {
    expect(given(text)).toEqual({ entries: [], fault: expect.stringContaining(fault) });
  });
});

describe("the profile of code", () => {
  it.each([
    ["import json\ndef invoke(args):\n    return json.loads(args)\n", {}],
    ["def invoke(args):\n    return open(args)\n", { "fs:read": ["*"] }],
    ["open(a, 'rb')\nopen(a, mode='r', encoding='utf-8')\n", { "fs:read": ["*"] }],
    ["open(a, 'a')\n", { "fs:read": ["*"], "fs:write": ["*"] }],
    ["open(a, mode='r+')\n", { "fs:read": ["*"], "fs:write": ["*"] }],
    ["open(a, mode)\n", { "fs:read": ["*"], "fs:write": ["*"] }],
    ["open(*a)\n", { "fs:read": ["*"], "fs:write": ["*"] }],
    ["open(a, **b)\n", { "fs:read": ["*"], "fs:write": ["*"] }],
    ["from pathlib import Path\nPath(a).open('w')\n", { "fs:read": ["*"], "fs:write": ["*"] }],
    [
      "from pathlib import Path\ndef invoke(a):\n    return Path(a).read_text()\n",
      { "fs:read": ["*"] },
    ],
    ["import urllib.request\n", { "net:read": ["*"] }],
  ])("[SN59, SO6] %j", async (code, profile) => {
    expect(profileOf(await read(code))).toEqual({ profile });
  });

  it.each("system popen fork execv execve spawnv eval exec compile __import__".split(" "))(
    "[SO6] %s is refused",
    (name) => {
      const refused = { fault: `it calls ${name}` };
      const reach = { imports: ["os"], calls: ["print", name] };

      expect(profileOf(reach)).toEqual(refused);
    },
  );

  it("[SN59] what only the running code would name is refused, and each way to change a file writes", () => {
    const writing = "write_text write_bytes unlink rename remove rmtree mkdir".split(" ");

    expect(profileOf({ imports: [], calls: [], hidden: ["getattr"] })).toHaveProperty("fault");
    for (const name of writing) {
      expect(profileOf({ imports: ["shutil"], calls: [`a.${name}`] })).toEqual({
        profile: { "fs:read": ["*"], "fs:write": ["*"] },
      });
    }
  });

  it("[SO6] an open of which nobody has seen the mode may write", () => {
    expect(profileOf({ imports: [], calls: ["open"] })).toEqual({
      profile: { "fs:read": ["*"], "fs:write": ["*"] },
    });
  });

  it.each([
    "import requests\n",
    "import socket\n",
    "eval('1')\n",
    "import os\nos.system('ls')\n",
    "from os import system\nsystem('ls')\n",
    "import os as host\nhost.path.os.popen('ls')\n",
  ])("[SN59, SO6] refuses %j", async (code) => {
    expect(profileOf(await read(code))).toHaveProperty("fault");
  });
});

it("[SN65] is one line of canonical JSON; the last certifies the costs", () => {
  const stated = {
    ...{ request: "req-0001", mode: "reactive" as const, proto: null, intent: "sort it" },
    ...{ strategy: "compose" as const, rationale: "so", error: null, scored: null, weighed: [] },
    revises: null,
  };
  const facts = {
    epochMs: 1_777_000_000_000,
    costCents: 3,
    exceededCents: 0,
    budgetCents: 10,
    durationMs: 7,
    line: 2,
  };
  const open = auditLine({ ...stated, state: "composed", artefact: ["a", "b"] }, facts);
  const last = JSON.parse(auditLine({ ...stated, state: "delivered", artefact: null }, facts));

  expect(open).not.toContain("\n");
  expect(Object.keys(JSON.parse(open))).toEqual(Object.keys(JSON.parse(open)).toSorted());
  expect(JSON.parse(open)).toMatchObject({ chain: ["a", "b"], cost_cents: 3, duration_ms: 7 });
  expect(JSON.parse(open)).toMatchObject({ line: 2 });
  expect(JSON.parse(open)).not.toHaveProperty("certified");
  expect(last.certified).toEqual({ budget_cents: 10, lines: 2, within_budget: true });
  const midnight = Date.UTC(2026, 3, 24);
  expect(
    [-1, 0, 1].map((ms) => auditPath(midnight + ms).slice(-"2026-04-24.jsonl".length)),
  ).toEqual(["2026-04-23.jsonl", "2026-04-24.jsonl", "2026-04-24.jsonl"]);
  expect(auditPath(midnight)).toBe("/agentOS/workspace/.audit/synt/2026-04-24.jsonl");
});

it("[SN43] a family is what names share at both ends", () => {
  expect(sharedName(["order_image_file", "order_audio_file", "order_doc_file"])).toBe("order_file");
  expect(sharedName(["read_files", "move_files"])).toBeNull();
  expect(sharedName(["move_files", "move_dirs"])).toBeNull();
  expect(isOfFamily("order_file", "order_video_file")).toBe(true);
  expect(isOfFamily("order_file", "sort_video_file")).toBe(false);
});

describe.skipIf(isAbsent)(golden("what is written and moved"), () => {
  it("[SN65, SO7] an audit line is the same JSON with sorted keys, without blanks (canonical, issue 4)", () => {
    const cases = casesOf<{ records: Json }, string>("audit.jsonl_bytes");

    expect(cases).toHaveLength(2);
    for (const { input, expected } of cases) {
      const line = `${sortedJson(input.records)}\n`;
      expect(line).toBe(expected.replaceAll('": ', '":').replaceAll(', "', ',"'));
    }
  });

  it("[SN66, SO7] leftovers under a handcrafted name are moved, all else is left where it is", () => {
    const cases = casesOf<{ rejected: [string, string][] }, Record<string, string[]>>(
      "gc.collision",
    );
    const handcrafted = { isHandcrafted: true } as never;
    const executors = { get_processes: handcrafted, get_now: handcrafted };

    expect(cases).toHaveLength(1);
    for (const { input, expected } of cases) {
      const places = input.rejected.map(([place]) =>
        place.replace("<synth>", EXECUTORS_FOLDER).replace("<handcrafted>", "/agentOS/handcrafted"),
      );
      // The files service shows what lies below the folder that it is asked for.
      const below = places.filter((place) => place.startsWith(`${EXECUTORS_FOLDER}/`));
      const files = Object.fromEntries(below.map((place) => [`${place}/code.py`, ""]));
      const state = { executors, nights: 1 } as unknown as PoolState;
      const at = { nowMs: 0, seq: 1, from: "files" };
      const event = { type: "files.replied", ok: true, files, at } as const;
      const moved = collected(state, event).letters.map(({ event: move }) => move);
      const theirs = expected["moved_to_/tmp/metnos_synth_gc_<unix>"] ?? [];

      expect(moved).toEqual(
        theirs.map((name) => ({
          type: "files.move",
          path: `${EXECUTORS_FOLDER}/${name}/code.py`,
          to: `${COLLECTED_FOLDER}_1/${name}/code.py`,
        })),
      );
    }
  });
});
