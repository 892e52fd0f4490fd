// Skills against the real parser and the real sandbox: mixtures of wrappers, and test runs.
import { resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedSkill, normalisedSkill } from "../../src/actors/skills/edge/skillCheck.ts";
import { SKILL_TEXTS, standInSkills } from "../../src/actors/skills/properties/standIn.ts";
import { readPython } from "../../src/edges/python/parsePort.ts";
import { openSandbox, type Sandbox } from "../../src/edges/python/sandbox.ts";
import type { MailOf } from "../../src/machines/letter.ts";
import { contentHash } from "../../src/machines/skills/contentHash.ts";
import type { CreationArgs } from "../../src/machines/skills/creation.ts";
import { scriptResult, scriptRun } from "../../src/machines/skills/scriptRun.ts";
import { policyWith } from "../builtIn.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: resolve("node_modules/.cache/ghostlight") });
});
afterAll(async () => sandbox?.close());

const seed = policyWith({ "skills.testLimitMs": 500 });
const normalise = (code: string) => normalisedSkill(code, sandbox, seed);

const PROGRAMS = [
  "print(1)\n",
  'import sys, json\nprint(json.loads(sys.argv[1])["a"] < 3 and "é")',
  'def main():\n    """Doc.\n\n    ```python\n    main()\n    ```\n    """\n    return 1\nprint(main())\n',
  's = "&quot;&lt;"\nprint(s, "]]>", "<![CDATA[")\n',
  "print(\"a\\nb\\tc\")\nprint('it\\'s')\n",
  "x = 1  # ends ]]>",
  "if 1:\n\tprint(2)\n\n\n",
];
/** Each leaves of any of them a text that holds it whole. */
const WRAPS: { readonly [name: string]: (code: string) => string } = {
  cdata: (code) => `<![CDATA[\n${code}\n]]>`,
  opener: (code) => ` <![CDATA[${code}`,
  closer: (code) => `${code}\n]]>\n`,
  fence: (code) => `\`\`\`python\n${code}\n\`\`\``,
  prose: (code) => `Here is the tool:\n\n\`\`\`py\n${code}\n\`\`\`\n\nIt prints.\n`,
  entities: (code) =>
    code
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;"),
  control: (code) => `\0${code}\b`,
  space: (code) => `\n\n  ${code}\n\n`,
  mashed: (code) => code.replaceAll("\n", "\\n"),
  cut: (code) => code.slice(0, Math.ceil(code.length * 0.7)),
};

describe("normalisation by real Python", () => {
  it.each(PROGRAMS)("[SK1] clean Python stays byte for byte: %j", async (code) => {
    expect(await normalise(code)).toEqual({ verdict: "clean", code, changed: [], refusal: null });
  });

  it("[SK9] twice is once, whatever wrappers lie within one another; and what is left is Python", async () => {
    const wraps = fc.array(fc.constantFrom(...Object.keys(WRAPS)), { maxLength: 4 });
    const wrapped = fc
      .tuple(fc.constantFrom(...PROGRAMS), wraps)
      .map(([code, names]) => names.reduce((text, name) => WRAPS[name]?.(text) ?? text, code));
    await fc.assert(
      fc.asyncProperty(wrapped, async (text) => {
        const once = await normalise(text);
        if (once.code === null) {
          expect(once.refusal?.todo).toMatch(/^(Send|Mend) /);
        } else {
          const { ok } = await readPython(sandbox, once.code, "test", seed.sandbox);
          expect(ok).toBe(true);
          expect(await normalise(once.code)).toMatchObject({ verdict: "clean", code: once.code });
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each(["cdata", "opener", "fence", "prose", "entities"])(
    "[SK2] of any program the wrapper alone is taken off: %s",
    async (wrap) => {
      const spoilt: string[] = [];
      // With an opener before it, or an entity in its comment, that last closer cannot be told from a wrapper's.
      for (const program of PROGRAMS.filter((one) => !one.endsWith("]]>"))) {
        const { code } = await normalise(WRAPS[wrap]?.(program) ?? "");
        if (code?.trim() !== program.trim()) spoilt.push(program);
      }

      expect(spoilt).toEqual([]);
    },
  );
});

const skill = (python_code: string, more: CreationArgs = {}) =>
  checkedSkill(
    {
      ...{ name: "t", description: "d", parameters_schema: "{}", python_code, test_payload: "{}" },
      ...more,
    },
    sandbox,
    seed,
  );

describe("create_skill on the real sandbox", () => {
  it("[SK11, SK19] gives the payload as sys.argv[1], runs as __main__, and says what would be registered", async () => {
    const code = `import json, sys
if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    print(given["a"] + 1, len(sys.argv), sys.argv[0])
    sys.exit()
`;
    const said = await skill(code, { test_payload: '{"a": 2}' });

    expect(said).toMatchObject({
      ...{ verdict: "registered", state: "registering", refusal: null },
      run: { exitCode: 0, stdout: "3 2 test_skill.py\n", stderr: "" },
      registered: { row: { name: "t", status: "active", contentHash: contentHash(code, {}, "d") } },
    });
  });

  it.each([
    ["an exception", "int('a')", 1, "ValueError: invalid literal for int() with base 10: 'a'"],
    ["a code of its own", "import sys; print(1); sys.exit(7)", 7, "1"],
    ["a word at the end", "import sys; sys.exit('no way')", 1, "no way"],
    ["silence", "x = 1", 0, "script exited 0 but printed nothing to stdout"],
    [
      "stderr alone",
      "import sys; print(1, file=sys.stderr)",
      0,
      "script exited 0 but printed nothing to stdout",
    ],
    ["what never ends", "while True: pass", 124, "stopped at the limit"],
    ["a killed process", "raise MemoryError('full')", 137, "MemoryError: full"],
  ])("[SK11, SK12] refuses %s, with its cause on one line", async (_, code, exitCode, found) => {
    const said = await skill(code);

    expect(said).toMatchObject({ verdict: "refused", state: "testing", run: { exitCode } });
    expect(said.refusal?.found).toContain(found);
    expect(said.refusal?.found).not.toContain("\n");
  });

  it("[SK11] a traceback names the skill's own lines, and none of what ran it", async () => {
    const { run } = await skill("def f():\n    return 1 / 0\nf()");

    expect(run?.stderr).toContain('File "test_skill.py", line 2, in f');
    expect(run?.stderr).not.toContain("exec(");
  });

  it("[SK104] says of every text of random worlds what the stand-in says of it", async () => {
    const standIn = standInSkills(1, undefined);
    for (const { text } of Object.values(SKILL_TEXTS)) {
      for (const payload of ["{}", '{"fail": true}']) {
        const { run } = await skill(text, { test_payload: payload });
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
    const { state, refusal, run } = await skill("<![CDATA[print((1");

    expect([state, refusal?.cause, run]).toEqual(["normalising", "truncated-stream", null]);
  });
});
