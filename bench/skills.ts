/**
 * `node bench/skills.ts`: skills checked a second, as create_skill does it: normalised, read by CPython, run in the sandbox with
 * a payload, described. Of ten, two are clean, six wrapped and two refused. Absolute numbers belong to the machine.
 */
import os from "node:os";
import { checkedSkill } from "../src/actors/skills/edge/skillCheck.ts";
import { parts } from "../src/builtIn/parts.ts";
import { policyWith } from "../src/contract/policyTree.ts";
import { openSandbox } from "../src/edges/python/sandbox.ts";

const SKILLS = 300;

const program = (index: number): string => `import json, sys
def main(given):
    """Adds ${index}, unless it is < 0."""
    return given["a"] + ${index} if given["a"] > 0 else None
if __name__ == "__main__":
    print(json.dumps({"sum": main(json.loads(sys.argv[1]))}))
`;

const encoded = (code: string): string =>
  code.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const WRAPS: readonly ((code: string) => string)[] = [
  (code) => code,
  (code) => code.trimEnd(),
  (code) => `<![CDATA[\n${code}]]>`,
  (code) => `<![CDATA[\n${code}`,
  (code) => `\`\`\`python\n${code}\`\`\``,
  (code) => `Here it is:\n\`\`\`python\n${code}\`\`\`\nIt adds.`,
  encoded,
  (code) => `<![CDATA[\`\`\`python\n${encoded(code)}\`\`\`]]>`,
  (code) => code.slice(0, -20),
  (code) => code.replace("print(", "int("),
];

async function main(): Promise<void> {
  const sandbox = await openSandbox();
  const policy = policyWith(parts, {});
  const counts = { registered: 0, refused: 0 };
  const started = performance.now();
  for (let index = 0; index < SKILLS; index++) {
    const code = WRAPS[index % WRAPS.length]?.(program(index)) ?? "";
    const args = {
      ...{ name: `skill_${index}`, description: "adds", parameters_schema: '{"type": "object"}' },
      ...{ python_code: code, test_payload: '{"a": 1}' },
    };
    counts[(await checkedSkill(args, sandbox, policy)).verdict] += 1;
  }
  const ms = performance.now() - started;
  await sandbox.close();
  const result = {
    node: process.version,
    processors: os.availableParallelism(),
    ...{ skills: SKILLS, ...counts, ms: Math.round(ms) },
    skillsPerSecond: Math.round((SKILLS * 1_000) / ms),
  };
  console.log(JSON.stringify(result, null, 2));
}

await main();
