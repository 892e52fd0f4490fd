/** `ghostlight import --explain FILE`: what a file holds, as far as it can be told, and a mapping where it cannot. */

import type { JsonFlag } from "../../../../cli/bundles.ts";
import { note, print, printJson } from "../../../../cli/output.ts";
import { command } from "../../../../edges/command.ts";
import { BadInput } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { DETECTION, type Explained, explainLogs } from "../readLogs.ts";

export async function explain(
  sources: readonly string[],
  { json }: Pick<JsonFlag, "json">,
): Promise<number> {
  const all: Explained[] = [];
  for await (const one of explainLogs(sources)) all.push(one);
  if (json) printJson({ files: all, detection: DETECTION });
  else if (all.length > 0) print(all.map(explained).join("\n\n"));
  if (all.every(({ format, guess }) => format === null && guess === null)) throw nothing(sources);
  if (!json && all.some(({ format }) => format === null)) {
    note("Save the mapping to a file, mend it, and import with --map FILE.");
  }
  return EXIT.ok;
}

/** What is no mapping is a comment, so that the whole can be saved as one. */
function explained({ file, format, because, guess }: Explained): string {
  const name = escapedLine(file);
  if (format !== null) {
    const value = because === null ? "" : `: value ${because.value} holds ${because.words}`;
    return `# ${name} is read as ${format}${value}\n# ${command`import ${file}`}`;
  }
  const rules = DETECTION.map((rule) => `#   ${rule.format}: ${rule.words}`);
  const head = [`# ${name} is in no known format. These are looked for:`, ...rules];
  return guess === null
    ? [...head, "# and no field of it looks like what a log of agents has."].join("\n")
    : [...head, "# A mapping that was guessed; mend what is wrong:", guess.yaml.trimEnd()].join(
        "\n",
      );
}

const nothing = (sources: readonly string[]): BadInput =>
  new BadInput({
    where: { path: "--explain" },
    found: `nothing in ${sources.join(" ")} that looks like a log of agents`,
    allowed: "a file in a known format, or JSON lines with fields",
    todo: "Write a mapping by hand and import with --map FILE.",
  });
