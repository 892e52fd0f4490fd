// Programs, what models wrap them in, and skills: what is held against the real parser and the real sandbox.
import { resolve } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { checkedSkill, normalisedSkill } from "../../src/actors/skills/edge/skillCheck.ts";
import { readPython } from "../../src/edges/python/parsePort.ts";
import { openSandbox, type Sandbox } from "../../src/edges/python/sandbox.ts";
import type { CreationArgs } from "../../src/machines/skills/creation.ts";
import { policyWith } from "../builtIn.ts";

const seed = policyWith({ "skills.testLimitMs": 500 });

export const openPython = (): Promise<Sandbox> =>
  openSandbox({ cacheFolder: resolve("node_modules/.cache/ghostlight") });

export const normalise = (sandbox: Sandbox, code: string) => normalisedSkill(code, sandbox, seed);

export const createdSkill = (sandbox: Sandbox, python_code: string, more: CreationArgs = {}) =>
  checkedSkill(
    {
      ...{ name: "t", description: "d", parameters_schema: "{}", python_code, test_payload: "{}" },
      ...more,
    },
    sandbox,
    seed,
  );

export const PROGRAMS = [
  "print(1)\n",
  'import sys, json\nprint(json.loads(sys.argv[1])["a"] < 3 and "é")',
  'def main():\n    """Doc.\n\n    ```python\n    main()\n    ```\n    """\n    return 1\nprint(main())\n',
  's = "&quot;&lt;"\nprint(s, "]]>", "<![CDATA[")\n',
  "print(\"a\\nb\\tc\")\nprint('it\\'s')\n",
  "x = 1  # ends ]]>",
  "if 1:\n\tprint(2)\n\n\n",
];
/** Each leaves of any of them a text that holds it whole. */
export const WRAPS: { readonly [name: string]: (code: string) => string } = {
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

/** Normalising twice is normalising once, and what is left is Python: of so many programs, wrapped at random. */
export async function expectTwiceIsOnce(sandbox: Sandbox, numRuns: number): Promise<void> {
  const wraps = fc.array(fc.constantFrom(...Object.keys(WRAPS)), { maxLength: 4 });
  const wrapped = fc
    .tuple(fc.constantFrom(...PROGRAMS), wraps)
    .map(([code, names]) => names.reduce((text, name) => WRAPS[name]?.(text) ?? text, code));
  await fc.assert(
    fc.asyncProperty(wrapped, async (text) => {
      const once = await normalise(sandbox, text);
      if (once.code === null) {
        expect(once.refusal?.todo).toMatch(/^(Send|Mend) /);
      } else {
        const { ok } = await readPython(sandbox, once.code, "test", seed.sandbox);
        expect(ok).toBe(true);
        expect(await normalise(sandbox, once.code)).toMatchObject({
          verdict: "clean",
          code: once.code,
        });
      }
    }),
    { numRuns },
  );
}

export async function expectRefused(
  sandbox: Sandbox,
  code: string,
  exitCode: number,
  found: string,
): Promise<void> {
  const said = await createdSkill(sandbox, code);

  expect(said).toMatchObject({ verdict: "refused", state: "testing", run: { exitCode } });
  expect(said.refusal?.found).toContain(found);
  expect(said.refusal?.found).not.toContain("\n");
}
