/** `scenarios --new NAME`: a first scenario of one's own, after a few questions on a terminal. */

import { existsSync } from "node:fs";
import { policyWith } from "../contract/policyTree.ts";
import { command } from "../edges/command.ts";
import { EXIT } from "../edges/exit.ts";
import type { ReadingLists } from "../edges/parts/partLists.ts";
import { type FirstAnswers, firstAnswers, firstScenario } from "../edges/scenario/firstScenario.ts";
import { parseScenario } from "../edges/scenario/scenarioFile.ts";
import { withReference } from "../edges/scenario/schemaReference.ts";
import { readingLists } from "./chosenParts.ts";
import { asPath, namedFile, writeNew } from "./newFile.ts";
import { note, print, printJson } from "./output.ts";

export interface NewScenarioFlags {
  readonly yes?: true;
  readonly out?: string;
  readonly json?: true;
}

export async function newScenario(name: string, flags: NewScenarioFlags): Promise<number> {
  const example = command`scenarios --new first`;
  const named = namedFile(name, "--new", example);
  const file = flags.out === undefined ? named : namedFile(flags.out, "--out", example);
  // Before anybody is asked anything.
  if (existsSync(file)) writeNew(file, "", flags.out === undefined ? "--new" : "--out");
  const lists = await readingLists({});
  const answers = await answersFor(lists, flags);
  if (answers === undefined) {
    note("Nothing was written.");
    return EXIT.badInput;
  }
  const text = withReference(firstScenario(answers), file);
  const { variants } = parseScenario(lists, text, file);
  writeNew(file, text, flags.out === undefined ? "--new" : "--out");
  const path = asPath(file);
  const next = [
    command`run ${path} --dry-run`,
    command`run ${path}`,
    ...Object.keys(variants).map((variant) => command`run ${path} --variant ${variant}`),
  ];
  if (flags.json) printJson({ scenario: file, answers, next });
  else {
    print(`${file} is a scenario that works: change it.`);
    print(`Next:\n${next.map((line) => `  ${line}`).join("\n")}`);
  }
  return EXIT.ok;
}

/** Undefined where somebody left before the end. */
async function answersFor(
  { parts }: ReadingLists,
  { yes, json }: NewScenarioFlags,
): Promise<FirstAnswers | undefined> {
  const isAsked = !yes && !json && process.stdin.isTTY && process.stderr.isTTY;
  if (!isAsked) return firstAnswers;
  return (await import("./firstQuestions.ts")).askFirst(policyWith(parts, {}).engine.builtins);
}
