/** What a check says: one line for each property, and honestly what was never put to the test. */

import type { Property, Violation } from "../actors/property.ts";
import type { Fared, Tried, Worlds } from "../check.ts";
import { clock } from "../edges/duration.ts";

/** `found`: broken as a ruling says it is; `not found`: it should be, and no world showed it. */
export type Status = "held" | "untested" | "broken" | "found" | "not found";

export interface Line {
  readonly property: Property;
  readonly status: Status;
  /** How often it was put to the test. */
  readonly moments: number;
  /** The seed of the first world or draw that broke it; `brokenIn` says how many did. */
  readonly seed: number | null;
  readonly violation: Violation | null;
  readonly brokenIn: number;
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
  readonly lines: readonly Line[];
}

/** `unit` is how a property of drawn inputs fared; the others fared in the worlds. */
export function lineOf(property: Property, tried: readonly Tried[], unit?: Fared): Line {
  const first = tried[0]?.seed ?? 0;
  const all = unit
    ? [{ seed: first, ...unit }]
    : tried.flatMap(({ seed, fared }) => {
        const one = fared[property.id];
        return one === undefined ? [] : [{ seed, ...one }];
      });
  const moments = all.reduce((sum, one) => sum + one.moments, 0);
  const broken = all.filter(({ violation }) => violation !== null);
  const { seed = null, violation = null } = broken[0] ?? {};
  const isFinding = property.expected === "violated";
  const status =
    violation !== null
      ? isFinding
        ? "found"
        : "broken"
      : isFinding
        ? "not found"
        : moments > 0
          ? "held"
          : "untested";
  return { property, status, moments, seed, violation, brokenIn: broken.length };
}

export function reportText({ lines, ...rest }: CheckReport): string {
  const sections = (["broken", "held", "untested", "found", "not found"] as const).flatMap(
    (status) => {
      const those = lines.filter((line) => line.status === status);
      return those.length === 0 ? [] : [[TITLES[status], ...those.map(lineText)].join("\n")];
    },
  );
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
  const lines = shellCalls === 1 ? "1 command line" : `${shellCalls} command lines`;
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
};

function lineText({ property, moments, ...line }: Line): string {
  const { id, kind, says, source } = property;
  const { seed, violation, command, bundle } = line;
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
      : [`    npx ghostlight why ${bundle} ${violation.seq}`]),
    ...(command === undefined ? [] : [`    ${command}`]),
  ].join("\n");
}
