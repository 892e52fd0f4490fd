/** What a check says: one line for each property, and honestly what was never put to the test. */

import { countOf } from "../contract/countOf.ts";
import { command } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import type { Line, Status, Worlds } from "../run/check/check.ts";

/** With what the command line says of it. */
export interface ShownLine extends Line {
  readonly command?: string;
  readonly bundle?: string;
}

export interface CheckReport {
  readonly scenario: string | null;
  readonly first: number;
  readonly runs: number;
  readonly played: number;
  /** What ran the Python that agents and models wrote, and how many calls there were. */
  readonly python: Worlds["python"];
  readonly pythonCalls: number;
  /** Command lines that agents gave to a shell. */
  readonly shellCalls: number;
  /** How many worlds ended in each way. */
  readonly outcomes: { readonly [outcome: string]: number };
  readonly deliveries: number;
  readonly seconds: number;
  readonly lines: readonly ShownLine[];
}

export function reportText({ lines, ...rest }: CheckReport): string {
  const sections = (
    ["broken", "held", "untested", "found", "not found", "seen", "unseen"] as const
  ).flatMap((status) => {
    const those = lines.filter((line) => line.status === status);
    return those.length === 0 ? [] : [[TITLES[status], ...those.map(lineText)].join("\n")];
  });
  return [headText(rest), ...sections].join("\n\n");
}

/** What was played, whose Python that was, and how the worlds ended. */
function headText(report: Omit<CheckReport, "lines">): string {
  const { scenario, first, runs, played, deliveries, seconds, outcomes } = report;
  const what = scenario === null ? "random worlds" : `worlds near ${scenario}`;
  const cut = played < runs ? ` of ${runs}; it was interrupted` : "";
  const ends = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  return [
    `${played} ${what}${cut}, from seed ${first} on: ${deliveries} deliveries ` +
      `in ${seconds.toFixed(1)} s; ${pythonText(report)}${shellText(report)}.`,
    `How the worlds ended: ${ends.join(", ") || "none was played"}.`,
  ].join("\n");
}

function pythonText({ python, pythonCalls }: Omit<CheckReport, "lines">): string {
  if (pythonCalls === 0) return "no Python was called";
  const calls = pythonCalls === 1 ? "1 call of Python" : `${pythonCalls} calls of Python`;
  return python === "sandbox"
    ? `${calls} ran in the sandbox`
    : `${calls} went to a stand-in, which looks at the text and runs nothing`;
}

function shellText({ python, shellCalls }: Omit<CheckReport, "lines">): string {
  if (shellCalls === 0) return "";
  const lines = countOf(shellCalls, "command line");
  return python === "sandbox"
    ? `; ${lines} ran in the shell`
    : `; ${lines} went to a stand-in, which knows echo and cat`;
}

const TITLES: { readonly [status in Status]: string } = {
  broken: "Broken:",
  held: "Held:",
  untested: "Never put to the test in these worlds:",
  found: "Found, as the sources have it:",
  "not found": "Not found in these worlds, although the sources have it:",
  seen: "Found in these worlds:",
  unseen: "Looked for, and not found in these worlds:",
};

function lineText({ property, moments, ...line }: ShownLine): string {
  const { id, kind, says, source } = property;
  const { seed, violation, command: again, bundle } = line;
  const times = kind === "unit" ? "draws" : "moments";
  const head = `  ${id}  (${moments} ${times}) ${says}`;
  if (violation === null) return head;
  const place = violation.seq === null ? "" : `, at ${clock(violation.atMs)} #${violation.seq}`;
  return [
    `${head} (${source})`,
    `    ${violation.says} (seed ${seed}${place})`,
    ...(bundle === undefined ? [] : [`    bundle: ${bundle}`]),
    ...(bundle === undefined || violation.seq === null
      ? []
      : [`    ${command`why ${bundle} ${violation.seq}`}`]),
    ...(again === undefined ? [] : [`    ${again}`]),
  ].join("\n");
}
