/** Something wrong at a path of a scenario, before its place in the text is known. */
import { BadInput, hintFor, type Problem, SHOWN_MAX } from "../errors.ts";
import type { Part, Path, YamlText } from "./yamlText.ts";

/** What is wrong at a path of a scenario: what was found there, and what is allowed. */
export interface Finding {
  readonly path: Path;
  /** The value when absent. */
  readonly part?: Part;
  readonly found: string;
  readonly allowed: string;
  readonly meant?: Meant;
}

/** For a hint: what was written, and the names it may be a slip of. */
export interface Meant {
  readonly word: string;
  readonly names: readonly string[];
}

/** All findings as one error, in the order of the lines; at least one. */
export function refusalOf(findings: readonly Finding[], yaml: YamlText, file: string): BadInput {
  const placed = findings.map((finding) => ({
    ...finding,
    where: yaml.whereOf(finding.path, finding.part ?? "value"),
  }));
  placed.sort((a, b) => order(a.where.line, b.where.line) || order(a.where.column, b.where.column));
  const problems = placed.map(({ where, found, allowed, meant }, index): Problem => {
    // Hints cost a comparison with every name.
    const hint = meant && index < SHOWN_MAX ? hintFor(meant.word, meant.names) : undefined;
    return { where, found, allowed, ...hint };
  });
  return refusal(problems, file);
}

const order = (a = 0, b = 0): number => a - b;

/** At least one problem. */
export function refusal([first, ...more]: readonly Problem[], file: string): BadInput {
  const problem = first ?? { where: { file }, found: "an unknown problem", allowed: "" };
  return new BadInput({ ...problem, more, todo: `Correct ${file} and run again.` });
}
