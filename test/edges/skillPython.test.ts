// Skills against the real parser and the real sandbox: mixtures of wrappers, and test runs.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SKILL_TEXTS, standInSkills } from "../../src/actors/skills/properties/standIn.ts";
import type { Sandbox } from "../../src/edges/python/sandbox.ts";
import type { MailOf } from "../../src/machines/letter.ts";
import { contentHash } from "../../src/machines/skills/contentHash.ts";
import { scriptResult, scriptRun } from "../../src/machines/skills/scriptRun.ts";
import {
  createdSkill,
  expectRefused,
  expectTwiceIsOnce,
  normalise,
  openPython,
  PROGRAMS,
  WRAPS,
} from "./wrappedPrograms.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openPython();
});
afterAll(async () => sandbox?.close());

describe("normalisation by real Python", () => {
  it.each(PROGRAMS)("[SK1] clean Python stays byte for byte: %j", async (code) => {
    expect(await normalise(sandbox, code)).toEqual({
      verdict: "clean",
      code,
      changed: [],
      refusal: null,
    });
  });

  it("[SK9] twice is once, whatever wrappers lie within one another; and what is left is Python", async () => {
    await expectTwiceIsOnce(sandbox, 8);
  });

  it.each(["cdata", "opener", "fence", "prose", "entities"])(
    "[SK2] of any program the wrapper alone is taken off: %s",
    async (wrap) => {
      const spoilt: string[] = [];
      // With an opener before it, or an entity in its comment, that last closer cannot be told from a wrapper's.
      for (const program of PROGRAMS.filter((one) => !one.endsWith("]]>"))) {
        const { code } = await normalise(sandbox, WRAPS[wrap]?.(program) ?? "");
        if (code?.trim() !== program.trim()) spoilt.push(program);
      }

      expect(spoilt).toEqual([]);
    },
  );
});

describe("create_skill on the real sandbox", () => {
  it("[SK11, SK19] gives the payload as sys.argv[1], runs as __main__, and says what would be registered", async () => {
    const code = `import json, sys
if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    print(given["a"] + 1, len(sys.argv), sys.argv[0])
    sys.exit()`;
    // Registered is what was tested, not what was sent.
    const sent = WRAPS["cdata"]?.(code) ?? "";
    const said = await createdSkill(sandbox, sent, { test_payload: '{"a": 2}' });
    const row = { name: "t", status: "active", contentHash: contentHash(code, {}, "d") };

    expect(said).toMatchObject({
      ...{ verdict: "registered", state: "registering", refusal: null },
      run: { exitCode: 0, stdout: "3 2 test_skill.py\n", stderr: "" },
      registered: { row, code },
    });
  });

  it.each([
    ["an exception", "int('a')", 1, "ValueError: invalid literal for int() with base 10: 'a'"],
    ["a code of its own", "import sys; print(1); sys.exit(7)", 7, "1"],
    ["a word at the end", "import sys; sys.exit('no way')", 1, "no way"],
    [
      "an end of the interpreter",
      "import os; print(1); os._exit(7)",
      7,
      "InterpreterLeft: the code ended the interpreter with exit code 7",
    ],
    [
      "an end of the interpreter that says that all went well",
      "import os; print(1); os._exit(0)",
      0,
      "script exited 0 but printed nothing to stdout",
    ],
    ["an interrupt", "raise KeyboardInterrupt('no')", 130, "KeyboardInterrupt: no"],
    ["an abort", "import os; os.abort()", 134, "SandboxBreach: reached for the host: abort"],
    [
      "memory that is misused",
      "import types\ncode = (lambda: 0).__code__.replace(co_code=bytes([1, 255] * 200), co_stacksize=1, co_consts=())\ntypes.FunctionType(code, {})()",
      139,
      "InterpreterCrashed",
    ],
    [
      "a hand on the host",
      "import _imp, importlib.machinery as m\nexec('_imp.exec_builtin(_imp.create_builtin(m.ModuleSpec(\"_ctypes\", m.BuiltinImporter)))')",
      159,
      "SandboxBreach: reached for the host: ffi_closure_alloc_js",
    ],
    [
      "a kill",
      "import os; os.kill(os.getpid(), 9)",
      137,
      "InterpreterLeft: the code ended the interpreter with exit code 137",
    ],
    ["no memory", "x = [b'1'] * 10**9", 137, "MemoryError"],
    ["an exception that is none of the usual", "raise GeneratorExit(1)", 1, "GeneratorExit: 1"],
    ["a closed stderr", "import sys; sys.stderr.close(); sys.exit('no way')", 1, "no way"],
    ["an exception without words", "raise ValueError", 1, "ValueError"],
    [
      "a dotted one",
      "import json; json.loads('x')",
      1,
      "json.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    ],
    ["a bare assert behind words", "print('loading'); assert 1 == 2", 1, "AssertionError"],
    ["one of its own", "class Boom(Exception): pass\nraise Boom('x y')", 1, "Boom: x y"],
    [
      "a word behind others",
      "import sys; print('warming up'); sys.exit('boom: no key')",
      1,
      "boom: no key",
    ],
    [
      "one with a long message",
      "raise ValueError('x' * 20_000)",
      1,
      `ValueError: ${"x".repeat(188)}`,
    ],
    ["a code past 64 bits", "import sys; print(1); sys.exit(2**63)", 255, "1"],
    ["a code of a byte and more", "import sys; print(1); sys.exit(456 - 2**40)", 200, "1"],
    ["silence", "x = 1", 0, "script exited 0 but printed nothing to stdout"],
    [
      "stderr alone",
      "import sys; print(1, file=sys.stderr)",
      0,
      "script exited 0 but printed nothing to stdout",
    ],
  ])(
    "[SK11, SK12, SK19, SK44] refuses %s, with its cause on one line",
    async (_, code, exitCode, found) => {
      await expectRefused(sandbox, code, exitCode, found);
    },
  );

  it("[SK11] what a program printed counts also when it closes its stdout", async () => {
    const said = await createdSkill(sandbox, "import sys; print(1); sys.stdout.close()");

    expect(said).toMatchObject({ verdict: "registered", run: { exitCode: 0, stdout: "1\n" } });
  });

  it("[SK11] a traceback names the skill's own lines, and none of what ran it", async () => {
    const { run } = await createdSkill(sandbox, "def f():\n    return 1 / 0\nf()");

    expect(run?.stderr).toContain('File "test_skill.py", line 2, in f');
    expect(run?.stderr).not.toContain("exec(");
  });

  it("[SB4] says of every text of random worlds what the stand-in says of it", async () => {
    const standIn = standInSkills(1, undefined);
    for (const { text } of Object.values(SKILL_TEXTS)) {
      for (const payload of ["{}", '{"fail": true}']) {
        const { run } = await createdSkill(sandbox, text, { test_payload: payload });
        const event: MailOf<"sandbox.run"> = {
          ...{ type: "sandbox.run", purpose: "skill-test", limitMs: 500 },
          ...scriptRun(text, "test_skill.py", [payload]),
        };
        const asked = { port: "port/sandbox.run", from: "skill/t", purpose: "skill-test", nth: 1 };
        const reply = standIn.answer({ ...asked, seq: 1, nowMs: 0, request: null, event })?.event;
        const stood = reply?.type === "sandbox.replied" ? scriptResult(reply) : undefined;

        expect([text, stood?.exitCode, stood?.stdout]).toEqual([text, run?.exitCode, run?.stdout]);
      }
    }
  });

  it("[SK7, SK19] refuses what is broken before it runs", async () => {
    const { state, refusal, run } = await createdSkill(sandbox, "<![CDATA[print((1");

    expect([state, refusal?.cause, run]).toEqual(["normalising", "truncated-stream", null]);
  });
});
