// Stage answers, prompts, birth tests, hints, profiles and heads against the real system's.

import { describe, expect, it } from "vitest";
import type { BirthTest, Draft } from "../../../../src/machines/synt/contract.ts";
import { testFault, testsFrom } from "../../../../src/machines/synt/stages/birthTests.ts";
import { codeFault } from "../../../../src/machines/synt/stages/executorDraft.ts";
import { profileOf } from "../../../../src/machines/synt/stages/executorProfile.ts";
import { fieldsIn, headOf, readStage } from "../../../../src/machines/synt/stages/stageAnswers.ts";
import {
  firstFit,
  hintFor,
  REVERSE_PATTERNS,
  renderSynt,
  repertoireOf,
  stageView,
} from "../../../../src/machines/synt/stages/stagePrompts.ts";
import {
  bindingsOf,
  STAGES,
  type StagePurpose,
  type SyntPurpose,
  serverOf,
} from "../../../../src/machines/synt/stages/stageTiers.ts";
import { policyWith, profiles } from "../../../builtIn.ts";
import { pythonReader } from "../../../edges/python/reader.ts";
import { caseOf, casesOf, golden, isAbsent } from "../metnosOracle.ts";

const readCode = pythonReader();

const { naming: seedNames, stages, tiers } = policyWith({}).synt;
/** The edition that the cases were recorded with. */
const { naming } = policyWith(profiles["real"] ?? {}).synt;

type Fields = { readonly [field: string]: unknown };

const read = (purpose: SyntPurpose, answer: unknown, draft: Partial<Draft> = {}) =>
  readStage(purpose, JSON.stringify(answer), { naming, stages, pool: [], draft });
const isTaken = (answer: object): boolean => !("fault" in answer);

interface Verdict {
  readonly error: string | null;
}

/** Which cases differ from ours, one way or the other. */
const differing = <I>(
  cases: readonly { readonly id: string; readonly input: I; readonly expected: Verdict }[],
  takes: (input: I) => boolean,
): string[] =>
  cases
    .filter(({ input, expected }) => takes(input) !== (expected.error === null))
    .map(({ id }) => id);

describe.skipIf(isAbsent)(golden("answers of the stages"), () => {
  it("[SO4, SO7] stage 1: a name, or none and why", () => {
    const cases = casesOf<Fields, Verdict>("stage1.validate");

    expect(cases).toHaveLength(8);
    expect(differing(cases, (input) => isTaken(read("synt.naming", input)))).toEqual([]);
  });

  it("[SO4, SO7] does not give a new executor a name of the system's own, on purpose", () => {
    const { adopt, input, expected } = caseOf<Fields, Verdict>("stage1.validate-018");

    expect([adopt, expected.error]).toEqual(["bug", null]);
    expect(read("synt.naming", input)).toEqual({ fault: expect.stringContaining("system's own") });
  });

  it.each(["naming.fewshot", "naming.fewshot_yaml_variant"])(
    "[SO7] stage 1 takes what the real prompt shows as good answers: %s",
    (kind) => {
      const cases = casesOf<Fields, Fields>(kind);

      expect(cases).toHaveLength(kind === "naming.fewshot" ? 20 : 7);
      for (const { id, expected } of cases) {
        const { name, revertible, critical, target_kind: targetKind } = expected;
        const filled = { name, revertible, critical, targetKind };
        const answer = read("synt.naming", expected);
        expect({ id, answer }).toEqual({
          id,
          answer: name === null ? { noSuchThing: expect.any(String) } : { filled },
        });
      }
    },
  );

  interface Signature {
    readonly output: {
      readonly args_properties: Fields;
      readonly args_required: readonly string[];
      readonly capabilities: readonly { readonly name: string }[] | string;
      readonly reverse_pattern: unknown;
    };
    readonly stage1: { readonly revertible: boolean };
  }

  /** Its arguments in one schema, its capabilities by name: our words for the same. */
  const signed = ({ output, stage1 }: Signature) => {
    const { args_properties: properties, args_required: required, capabilities } = output;
    const names =
      typeof capabilities === "string" ? capabilities : capabilities.map(({ name }) => name);
    const answer = {
      args_schema: { type: "object", properties, required },
      ...{ capabilities: names, reverse_pattern: output.reverse_pattern },
    };
    return read("synt.signature", answer, stage1);
  };

  it("[SO4, SO7] stage 2: a signature, with a reverse pattern where it can be undone", () => {
    const cases = casesOf<Signature, Verdict>("stage2.validate");

    expect(cases).toHaveLength(9);
    expect(differing(cases, (input) => isTaken(signed(input)))).toEqual([]);
    const [catalogue] = casesOf<unknown, string[]>("reverse.catalogue_stage2");
    expect(REVERSE_PATTERNS).toEqual(catalogue?.expected);
  });

  it("[SO7] does not take a capability outside the closed set, on purpose", () => {
    const { adopt, input, expected } = caseOf<Signature, Verdict>("stage2.validate-015");

    expect([adopt, expected.error]).toEqual(["bug", null]);
    expect(signed(input)).toEqual({ fault: expect.stringContaining("no capability") });
  });

  interface Tests {
    readonly tests?: readonly (string | { readonly expect: Fields | null })[];
  }

  /** With an expectation where theirs is empty, as an empty one expects nothing here (SN58). */
  const expecting = ({ tests }: Tests) =>
    tests?.map((one) =>
      typeof one === "string" || one.expect === null || Object.keys(one.expect).length > 0
        ? one
        : { ...one, expect: { ok: true } },
    );
  const counted = { least: 3, most: 5, kinds: false };

  it("[SO2, SO7] stage 3: tests of the fixed format; a setup is files here, no commands", () => {
    const cases = casesOf<Tests, Verdict>("stage3.validate");
    const takes = (input: Tests) => "tests" in testsFrom(expecting(input) as never, counted);

    expect(cases).toHaveLength(7);
    expect(differing(cases, takes)).toEqual(["stage3.validate-010"]);
  });

  it("[SO2, SO7] does not take tests without number, kinds or expectation, on purpose (seed 4.2.3)", () => {
    const { adopt, input } = caseOf<Tests, Verdict>("stage3.validate-003");
    const three = caseOf<Tests, Verdict>("stage3.validate-001").input;

    expect(adopt).toBe("quirk");
    expect(read("synt.tests", { tests: expecting(input) })).toEqual({
      fault: "7 tests; 4 … 6 are wanted",
    });
    expect(read("synt.tests", three)).toEqual({ fault: "3 tests; 4 … 6 are wanted" });
    expect(read("synt.tests", { tests: [...(three.tests ?? []), three.tests?.[0]] })).toEqual({
      fault: "test a expects nothing",
    });
  });

  interface Described {
    readonly description: string | null;
    readonly affinity: readonly string[] | string;
  }

  it("[SO4, SO7] stage 4: bounds of a description; it has four chapters and 6–10 words (seed 4.2.3)", () => {
    const cases = casesOf<Described, Verdict>("stage4.validate");
    const draft = { argsSchema: { type: "object", properties: { paths: { type: "array" } } } };
    // Theirs has four words at least, ours six.
    const takes = ({ affinity, ...one }: Described) => {
      const words = affinity.length === 4 && Array.isArray(affinity) ? [..."abcdef"] : affinity;
      return isTaken(read("synt.description", { ...one, affinity: words }, draft));
    };

    expect(cases).toHaveLength(8);
    expect(differing(cases, takes)).toEqual(["stage4.validate-007", "stage4.validate-009"]);
  });

  it("[SO7] JSON is found among words; what is no object is none", () => {
    const cases = casesOf<{ text: string }, object>("stage.parse_json");

    expect(cases).toHaveLength(3);
    for (const { input, expected } of cases) {
      expect(fieldsIn(input.text)).toEqual(Array.isArray(expected) ? undefined : expected);
    }
  });
});

describe.skipIf(isAbsent)(golden("the pipeline"), () => {
  /** Something that stands in one fact of a draft only. */
  const marks = {
    vocabulary: "describe",
    user_request: "the-request",
    name: "the_name",
    critical: '"critical"',
    target_kind: "the-kind",
    arg_names: "the-argument",
    arg_descriptions: "what-the-argument-is",
    capability_names: "the-capability",
    test_names: "the-test",
    test_inputs: "the-input",
    num_tests: "tests: 4",
    affinity: "the-word",
    description: "the-description",
    code: "the-code",
  };
  const test: BirthTest = {
    ...{ name: marks.test_names, setup: {}, expect: { ok: true }, teardown: [] },
    input: { text: marks.test_inputs },
  };
  const draft: Partial<Draft> = {
    ...{ name: marks.name, revertible: false, critical: true, targetKind: marks.target_kind },
    argsSchema: {
      type: "object",
      properties: { [marks.arg_names]: { type: "array", description: marks.arg_descriptions } },
    },
    ...{ capabilities: [marks.capability_names], reversePattern: null },
    tests: [test, test, test, test],
    ...{ affinity: [marks.affinity], description: marks.description, code: marks.code },
  };
  const facts = {
    need: { intent: marks.user_request, name: "wanted", from: null, hints: [] },
    ...{ draft, faults: [], feedback: null, strategy: "generate" as const, members: [] },
    material: { members: [], chain: [], hot: null, vetoes: [], covers: [] },
    ...{ naming: seedNames, hint: "" },
  };
  /** Its facts, below the task. */
  const shown = (purpose: StagePurpose): string => {
    const { purpose: _, ...view } = stageView(purpose, facts);
    return Object.entries(view)
      .map(([fact, value]) => `"${fact}" ${fact}: ${JSON.stringify(value)}`)
      .join("\n");
  };

  interface Visible {
    readonly calls: readonly {
      readonly role: string;
      readonly max_tokens: number;
      readonly sees: readonly string[];
    }[];
  }

  it("[SO5, SO7] each stage sees its slice; stage 4 is middle here (seed 4.2.3), there is no verifier", () => {
    const [visibility] = casesOf<unknown, Visible>("pipeline.stage_visibility");
    const calls = visibility?.expected.calls.filter(({ role }) => role !== "fidelity") ?? [];

    expect(calls).toHaveLength(STAGES.multistage.length);
    for (const [index, { purpose, maxTokens }] of STAGES.multistage.entries()) {
      const text = shown(purpose);
      const sees = Object.entries(marks)
        .filter(([, mark]) => text.includes(mark))
        .map(([fact]) => fact);
      const theirs = calls[index];
      expect({ purpose, maxTokens, sees: sees.sort() }).toEqual({
        purpose,
        maxTokens: theirs?.max_tokens,
        sees: [...(theirs?.sees ?? [])].sort(),
      });
      expect(renderSynt(stageView(purpose, facts))).toContain(marks.user_request);
    }
  });

  it("[SO7] who serves a stage; a description is middle's here, as no tier is called creative (seed 4.2.3)", () => {
    const [workloads] = casesOf<unknown, Record<string, readonly [string]>>("tier.workloads_synt");
    const { bindings } = bindingsOf({});
    const served = (purpose: StagePurpose) => {
      const all = [...STAGES.multistage, ...STAGES.poc];
      const found = serverOf(
        all.find((one) => one.purpose === purpose)?.stage ?? 0,
        bindings,
        tiers,
      );
      return "tier" in found ? found.tier : null;
    };
    const theirs = (workload: string) => workloads?.expected[`synt.${workload}`]?.[0];

    expect(theirs("procedural")).toBe(served("synt.naming"));
    expect(theirs("procedural")).toBe(served("synt.signature"));
    expect(theirs("procedural")).toBe(served("synt.tests"));
    expect(theirs("multistage")).toBe(served("synt.code"));
    expect(theirs("generate")).toBe(served("synt.propose"));
    expect(theirs("birth_tests")).toBe(served("synt.pocTests"));
    expect([theirs("description"), served("synt.description")]).toEqual(["creative", "middle"]);
  });

  it("[SO7] what serves a tier by default; frontier is nobody's until it is configured", () => {
    const [defaults] = casesOf<unknown, Record<string, Fields>>("tier.defaults");
    const { bindings } = bindingsOf({});
    const theirs = (tier: string) => {
      const { provider, model } = defaults?.expected[tier] ?? {};
      return { provider, model };
    };

    expect(bindings.wise).toEqual(theirs("wise"));
    expect(bindings.middle).toEqual(theirs("middle"));
    expect(bindings["local-fast"]).toEqual(theirs("fast"));
    expect([theirs("frontier").provider, bindings.frontier]).toEqual(["anthropic", undefined]);
  });

  interface Run {
    readonly s1?: Fields;
    readonly s3?: Fields;
    readonly s4?: Fields;
    readonly code?: string;
  }
  interface Ran {
    readonly stages: readonly (readonly [number, boolean])[];
    readonly final_state: string;
  }

  const good = [
    { name: "describe_places", revertible: false, critical: false, target_kind: "none" },
    {
      args_schema: { type: "object", properties: { paths: { type: "array" } } },
      ...{ capabilities: [], reverse_pattern: null },
    },
    {
      tests: [
        { name: "happy path", input: { paths: ["a"] }, expect: { ok: true } },
        { name: "empty list", input: { paths: [] }, expect: { ok: true } },
        { name: "invalid args", input: { paths: 7 }, expect: { ok: false } },
        { name: "one path", input: { paths: ["/"] }, expect: { entries_max: 1 } },
      ],
    },
    {
      description:
        "SCOPO: describes places in prose for the user. PATTERN: describe_places(paths=[1]). NON: " +
        "reading files -> read_files. OUT: {ok,entries}.",
      affinity: [..."abcdef"],
    },
  ];

  /** The stages that were run, each with whether its answer was good, up to the first that was not. */
  function ran({ s1, s3, s4, code = "def invoke(args):\n    return {}\n" }: Run) {
    const answers = [s1 ?? good[0], good[1], s3 ?? good[2], s4 ?? good[3]];
    const done: [number, boolean][] = [];
    let found: Partial<Draft> = {};
    for (const [index, { purpose }] of STAGES.multistage.entries()) {
      const text = index < answers.length ? JSON.stringify(answers[index]) : code;
      const answer = readStage(purpose, text, { naming, stages, pool: [], draft: found });
      done.push([index + 1, isTaken(answer)]);
      if (!("filled" in answer)) break;
      found = { ...found, ...answer.filled };
    }
    return done;
  }

  it("[SO4, SO7] how far a run comes; `def main` is not asked for (seed 4.2.3), and PATTERN is read in stage 4", () => {
    const cases = casesOf<Run, Ran>("pipeline.run_full");
    const differ = cases.filter(
      ({ input, expected }) => JSON.stringify(ran(input)) !== JSON.stringify(expected.stages),
    );

    expect(cases).toHaveLength(6);
    expect(differ.map(({ id }) => id)).toEqual(["pipeline.run_full-009", "pipeline.run_full-011"]);
    const [noMain, stray] = differ;
    expect(ran(noMain?.input ?? {})).toHaveLength(5);
    expect(ran(stray?.input ?? {}).at(-1)).toEqual([4, false]);
    expect(stray?.expected.final_state).toBe("rejected_lint_structural");
  });
});

describe.skipIf(isAbsent)(golden("birth tests"), () => {
  interface Matched {
    readonly actual: never;
    readonly expect: Fields;
  }

  const passes = (expected: Fields, answer: unknown): boolean => {
    const one = { name: "one", setup: {}, input: {}, teardown: [], expect: expected as never };
    return testFault(one, answer as never) === null;
  };

  it("[SN58, SO7] matchers; an empty expectation passes there and fails here (SN58)", () => {
    const cases = casesOf<Matched, { passed: boolean }>("birth_test.matchers");
    const differ = cases.filter(
      ({ input, expected }) => passes(input.expect, input.actual) !== expected.passed,
    );

    expect(cases).toHaveLength(14);
    expect(differ.map(({ id, input }) => [id, input.expect])).toEqual([
      ["birth_test.matchers-026", {}],
    ]);
  });

  interface Poc {
    readonly expect: Fields;
    readonly input: { readonly out?: unknown; readonly mode?: string };
  }

  it("[SN58, SO7] the tests of the proof of concept", () => {
    const cases = casesOf<Poc, { passed: boolean }>("birth_test.poc");

    expect(cases).toHaveLength(7);
    for (const { id, input, expected } of cases) {
      // What exits with an error or prints no JSON gives no answer.
      expect([id, passes(input.expect, input.input.out ?? null)]).toEqual([id, expected.passed]);
    }
  });

  it("[SN58, SO7] does not pass a test with a matcher that nobody knows, on purpose (ruling Y13)", () => {
    const { adopt, input, expected } = caseOf<Poc, { passed: boolean }>("birth_test.poc-010");

    expect([adopt, expected.passed, passes(input.expect, input.input.out)]).toEqual([
      ...["bug", true, false],
    ]);
  });
});

describe.skipIf(isAbsent)(golden("the prompt repertoire"), () => {
  interface Coder {
    readonly provider: string;
    readonly model: string | null;
  }

  it("[SN60, SO7] the same models are told the same thing, or nothing; 002 in another case too", () => {
    const all = [
      ...casesOf<Coder, string>("hint.lookup_bundled"),
      ...casesOf<Coder, string>("hint.lookup_no_files"),
    ];
    const cases = all.filter(({ id }) => id !== "hint.lookup_bundled-002");
    const told = new Map<string, Set<string>>();
    for (const { input, expected } of cases) {
      told.set(expected, (told.get(expected) ?? new Set()).add(hintFor(input, [])));
    }

    expect([all.length, cases.length]).toEqual([10, 9]);
    // The words are ours, so only who is told the same as whom can be compared.
    expect([...told.values()].filter((ours) => ours.size !== 1)).toEqual([]);
    expect(told.get("")).toEqual(new Set([""]));
    expect(new Set([...told.values()].flatMap((ours) => [...ours])).size).toBe(told.size);
  });

  const seeds = [
    ...[["anthropic", "claude-*"] as const, ["llamacpp", "qwen*"] as const],
    ["openai", "gpt-*"] as const,
  ].map(([provider, pattern]) =>
    [
      ...["[[hint]]", `provider = "${provider}"`, `model_pattern = "${pattern}"`],
      ...['use_case = "code_gen"', `text = "${provider.charAt(0).toUpperCase()}"`],
    ].join("\n"),
  );

  it("[SN60, SO7] the seed's three entries", () => {
    const cases = casesOf<Coder, string>("hint.lookup_seed_repertoire");
    const { entries } = repertoireOf(seeds.join("\n"));

    expect([cases.length, entries.length]).toEqual([3, 3]);
    for (const { id, input, expected } of cases) {
      expect([id, firstFit(entries, input)]).toEqual([id, expected]);
    }
  });

  it("[SN60, SO7] does not take the seed's `qwen*` for lower case only, on purpose: it means Qwen 3.6", () => {
    const quirk = caseOf<Coder, string>("hint.lookup_seed_repertoire-001");
    const claude = caseOf<Coder, string>("hint.lookup_bundled-002");
    const { entries } = repertoireOf(seeds.join("\n"));

    expect([quirk.adopt, quirk.expected, firstFit(entries, quirk.input)]).toEqual([
      "quirk",
      "",
      "L",
    ]);
    expect([claude.expected, hintFor(claude.input, [])]).toEqual([
      "",
      hintFor({ ...claude.input, model: "claude-opus" }, []),
    ]);
  });

  it("[SN60, SO7] a user's file", () => {
    const cases = casesOf<Coder & { user_file: string }, string>("hint.lookup_with_user_file");

    expect(cases).toHaveLength(1);
    for (const { input, expected } of cases) {
      expect(hintFor(input, repertoireOf(input.user_file).entries)).toBe(expected);
    }
  });
});

describe.skipIf(isAbsent)(golden("code"), () => {
  interface Profile {
    readonly net: boolean;
    readonly read_files: boolean;
    readonly write_files: boolean;
    readonly dangerous: boolean;
    readonly subprocess: boolean;
  }

  /** What code may reach in their words; null for code that is turned down. */
  const reachOf = async (code: string) => {
    const found = profileOf(await readCode(code));
    if ("fault" in found) return null;
    const has = (permission: string) => Object.hasOwn(found.profile, permission);
    return { net: has("net:read"), read_files: has("fs:read"), write_files: has("fs:write") };
  };
  const theirs = ({ net, read_files, write_files, dangerous, subprocess }: Profile) =>
    dangerous || subprocess ? null : { net, read_files, write_files };

  it("[SN59, SO6, SO7] its profile; an import off the whitelist has none here (seed 4.2.1)", async () => {
    const cases = casesOf<{ code: string; label: string }, Profile>("generate.sandbox_profile");
    const differ: (typeof cases)[number][] = [];
    for (const one of cases) {
      const ours = JSON.stringify(await reachOf(one.input.code));
      if (ours !== JSON.stringify(theirs(one.expected))) differ.push(one);
    }

    expect(cases).toHaveLength(6);
    expect(differ.map(({ id }) => id)).toEqual(["generate.sandbox_profile-007"]);
    expect(await reachOf(differ[0]?.input.code ?? "")).toBeNull();
  });

  it("[SO6, SO7] does not overlook a mode given by name nor refuse `re.compile`, on purpose", async () => {
    const bug = (id: string) => caseOf<{ code: string }, Profile>(`generate.sandbox_profile-${id}`);
    const [mode, compiled] = [bug("010"), bug("013")];

    expect([mode.adopt, compiled.adopt]).toEqual(["bug", "bug"]);
    expect([mode.expected.write_files, (await reachOf(mode.input.code))?.write_files]).toEqual([
      ...[false, true],
    ]);
    expect(theirs(compiled.expected)).toBeNull();
    expect(await reachOf(compiled.input.code)).not.toBeNull();
  });

  interface Convention {
    readonly ok: boolean;
    readonly non_stdlib: readonly string[];
  }

  it("[SN59, SO7] its conventions; a method is no invoke here, and dangerous calls fail at once", async () => {
    const cases = casesOf<{ code: string; label: string }, Convention>("generate.code_convention");
    const takes = async (code: string) =>
      codeFault({
        ...(await readCode(code)),
        at: { nowMs: 0, seq: 1, from: "port/python.parse" },
      }) === null;
    const differ: (typeof cases)[number][] = [];
    for (const one of cases) {
      const { ok, non_stdlib } = one.expected;
      if ((await takes(one.input.code)) !== (ok && non_stdlib.length === 0)) differ.push(one);
    }

    expect(cases).toHaveLength(5);
    expect(differ.map(({ input }) => input.label)).toEqual(["nested", "os.system"]);
  });

  it("[SO7] the head that planners are shown", () => {
    const cases = casesOf<{ description: string }, string>("manifest.render_head");

    expect(cases).toHaveLength(4);
    for (const { input, expected } of cases) expect(headOf(input.description)).toBe(expected);
  });
});
