/** The runs that a study left in its folder, as a search for rules needs them. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import * as Schema from "effect/Schema";
import { countOf } from "../../contract/countOf.ts";
import type { PolicyValue } from "../../contract/policyTree.ts";
import { groupedBy } from "../../machines/grouped.ts";
import { shareDigits } from "../../machines/policyLeaf.ts";
import { allPoints, type Cases, type Column, countsOf } from "../../studies/discovery/cases.ts";
import { parseDuration } from "../duration.ts";
import { type BadInput, badInput } from "../errors.ts";
import { STUDY_FILES } from "./studyFiles.ts";
import { factorText } from "./studyNumbers.ts";

const units = Schema.Record(Schema.String, Schema.String);
const value = Schema.Union([
  Schema.Number,
  Schema.Boolean,
  Schema.String,
  Schema.Array(Schema.String),
]);
const decode = Schema.decodeUnknownResult(
  Schema.Struct({
    format: Schema.Literal(1),
    study: Schema.Struct({
      name: Schema.String,
      seed: Schema.Number,
      factors: Schema.Array(Schema.Struct({ name: Schema.String })),
      units: Schema.Struct({ leaves: units, outcomes: units }),
      outcomes: Schema.Array(Schema.Struct({ name: Schema.String, kind: Schema.String })),
    }),
    heldOut: Schema.optionalKey(Schema.Array(Schema.Number)),
    trials: Schema.optionalKey(Schema.Unknown),
    faults: Schema.optionalKey(
      Schema.Array(Schema.Struct({ faults: Schema.Array(Schema.String) })),
    ),
    points: Schema.Array(
      Schema.Struct({ index: Schema.Number, values: Schema.Record(Schema.String, value) }),
    ),
  }),
);

type Left = Extract<ReturnType<typeof decode>, { _tag: "Success" }>["success"];

export interface StudyCases {
  readonly study: Left["study"];
  readonly cases: Cases;
  /** What holds in a run, such as `refused >= 1`. */
  readonly asked: string;
  /** Whether the bound was chosen here, as none was given. */
  readonly isChosen: boolean;
  /** Runs of which it is not known: without a value, or with a bound alone. */
  readonly left: number;
  readonly isSearch: boolean;
}

/** Throws BadInput. */
export function studyCases(folder: string, asked: string): StudyCases {
  const { study, points, heldOut = [], ...more } = leftIn(folder);
  const names = study.outcomes.map((one) => one.name);
  const refused = (allowed: string): BadInput => outcomeError(asked, allowed, names);
  const { name, operator, bound: said } = outcomeIn(asked, refused);
  const outcome = study.outcomes.find((one) => one.name === name);
  if (outcome === undefined) throw refused(`one of ${names.join(", ")}`);
  const runsOf = (of: string) => runsIn(folder, of).filter(({ point }) => !heldOut.includes(point));
  const runs = runsOf(name);
  const values = runs.flatMap((run) => run.value ?? []);
  const bound = said === undefined ? chosenBound(values) : boundOf(said, refused);
  // Of a bound it is known only where the value, which is no less, lies on the same side.
  const isKnown = ({ value: at, isBound }: LeftRun) =>
    at !== null && (!isBound || (outcome.kind === "reduced" && at > bound));
  const byPoint = groupedBy(runs.filter(isKnown), ({ point }) => point);
  const used = points.filter(({ index }) => byPoint.has(index));
  const known = used.map(({ index }) => byPoint.get(index) ?? []);
  const holds = ({ value: at }: LeftRun) => HOLDS[operator](Number(at), bound);
  const cases: Cases = {
    columns: study.factors.map(({ name: factor }) => columnOf(study, factor, used)),
    runs: known.map((own) => own.length),
    hits: known.map((own) => own.filter(holds).length),
  };
  const { runs: total, hits } = countsOf(cases, allPoints(cases));
  const told = `${name} ${operator} ${said ?? bound}`;
  if (hits === 0 || hits === total) {
    const [least, most] = rangeOf(runs, outcome.kind);
    if (least < most)
      throw badInput(
        "--outcome",
        `${told} in ${hits} of ${total} runs, so that there is nothing to tell apart`,
        `a bound between the values of the runs, ${least} … ${most}`,
        `For example: --outcome '${name}>${least}'.`,
      );
    const [other] = study.outcomes.flatMap((one) => {
      const [low, high] = rangeOf(runsOf(one.name), one.kind);
      return low < high ? `${one.name}>${low}` : [];
    });
    throw badInput(
      "--outcome",
      alikeText(name, runs, faultOf(name, names, more.faults)),
      "an outcome whose value differs among the runs",
      other === undefined
        ? "No outcome of this study is such: play more points, or runs that go on for longer."
        : `For example: --outcome '${other}'.`,
    );
  }
  const isSearch = more.trials !== undefined;
  const left = runs.length - runs.filter(isKnown).length;
  return { study, cases, asked: told, isChosen: said === undefined, left, isSearch };
}

const HOLDS = {
  ">=": (one: number, bound: number) => one >= bound,
  ">": (one: number, bound: number) => one > bound,
  "<=": (one: number, bound: number) => one <= bound,
  "<": (one: number, bound: number) => one < bound,
} as const;

/** The least of the values that are known, and the most that is reached; the first is no less where nothing can be told apart. */
function rangeOf(runs: readonly LeftRun[], kind: string): readonly [number, number] {
  const known = runs.flatMap(({ value: at, isBound }) => (isBound ? [] : (at ?? [])));
  const reached = kind === "reduced" ? runs.flatMap(({ value: at }) => at ?? []) : known;
  return [Math.min(...known), Math.max(...reached)];
}

/** The first reason that the study noted for a run without a value; a reason that names another outcome is none. */
const faultOf = (name: string, names: readonly string[], noted: Left["faults"] = []) =>
  noted
    .flatMap(({ faults }) => faults)
    .find((one) => !names.some((other) => other !== name && one.startsWith(`${other}: `)));

/** Of runs whose values do not differ: why nothing can be told apart. */
function alikeText(name: string, runs: readonly LeftRun[], fault: string | undefined): string {
  const all = countOf(runs.length, "run");
  const [least] = rangeOf(runs, "");
  const [bounds, missing] = [
    runs.filter(({ value: at, isBound }) => isBound && at !== null).length,
    runs.filter(({ value: at }) => at === null).length,
  ];
  const why = [
    ...(bounds === 0 ? [] : [`of ${bounds} only a bound, as they ended before it`]),
    ...(missing === 0
      ? []
      : [
          `${missing} gave none${fault === undefined ? "" : `, such as: ${fault.replace(/\.$/, "")}`}`,
        ]),
  ];
  if (!Number.isFinite(least))
    return [`no value of ${name} that is known in ${all}`, ...why].join("; ");
  const known = runs.length - bounds - missing;
  return [`${name} is ${least} in all ${countOf(known, "run")} of which it is known`, ...why].join(
    "; ",
  );
}

function outcomeIn(asked: string, refused: (allowed: string) => BadInput) {
  const [, name = "", operator, bound] =
    /^\s*([^<>=\s]+)\s*(?:(>=|<=|>|<)\s*(\S+))?\s*$/.exec(asked) ?? [];
  if (name === "") throw refused("an outcome of the study, or NAME>=BOUND, >, <=, <");
  return { name, operator: (operator ?? ">=") as keyof typeof HOLDS, bound };
}

/** As files have it: a number, or a duration, which is ms. */
function boundOf(said: string, refused: (allowed: string) => BadInput): number {
  const bound = Number(said);
  const found = Number.isFinite(bound) ? bound : parseDuration(said);
  if (found === undefined) throw refused("a bound that is a number, or a duration as 1h30m");
  return found;
}

/** Ours: what is not 0, where some runs have 0; else the upper half. */
function chosenBound(known: readonly number[]): number {
  const sorted = known.toSorted((one, other) => one - other);
  const positive = sorted.find((one) => one > 0);
  if (sorted[0] === 0 && positive !== undefined) return positive;
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const outcomeError = (asked: string, allowed: string, [first = ""]: readonly string[]): BadInput =>
  badInput(
    "--outcome",
    `"${asked}"`,
    allowed,
    `Name an outcome that the study's runs have, such as --outcome '${first}>=1'.`,
  );

/** Numbers in the units of their leaves, where sums and differences are exact. */
function columnOf(study: Left["study"], name: string, points: Left["points"]): Column {
  const given = points.map(({ values }): PolicyValue => values[name] ?? "");
  const numbers = given.filter((one) => typeof one === "number");
  if (numbers.length < given.length) {
    return { kind: "category", name, values: given.map((one) => factorText(study, name, one)) };
  }
  const digits = shareDigits({ unit: study.units.leaves[name] ?? "" }) ?? 0;
  const scaled = numbers.map((one) => (digits === 0 ? one : Math.round(one * 10 ** digits)));
  return { kind: "number", name, values: scaled };
}

function leftIn(folder: string): Left {
  const file = path.join(folder, STUDY_FILES.study);
  const todo = "Name the folder of a study that was played to its end, such as runs/study-NAME.";
  const refuse = (found: string, allowed: string): BadInput =>
    badInput({ file }, found, allowed, todo);
  if (!existsSync(file)) throw refuse("no such file", "what a study left");
  const decoded = decode(parsed(readFileSync(file, "utf8")));
  if (decoded._tag === "Success") return decoded.success;
  throw refuse("no study as this version writes it", "the study.json of a study");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface LeftRun {
  readonly point: number;
  readonly value: number | null;
  readonly isBound: boolean;
}

/** Of one outcome, from the table of runs. Its last columns are the outcome's, whose names need no quotes. */
function runsIn(folder: string, outcome: string): readonly LeftRun[] {
  const file = path.join(folder, STUDY_FILES.runs);
  const [head = [], ...rows] = csvRows(existsSync(file) ? readFileSync(file, "utf8") : "");
  const at = (name: string): number => head.lastIndexOf(name);
  const [value, censored, named] = [at("value"), at("censored"), at("outcome")];
  if (Math.min(value, censored, named) < 0 || head[0] !== "point") {
    throw badInput(
      { file },
      "no table of runs",
      "the columns point, outcome, value and censored",
      "Give the study's command again: it writes its files anew and plays no run again.",
    );
  }
  return rows
    .filter((row) => row[named] === outcome)
    .map((row) => ({
      point: Number(row[0]),
      value: row[value] === "" ? null : Number(row[value]),
      isBound: row[censored] === "1",
    }));
}

/** RFC 4180, as `studyFiles.ts` writes it. */
function csvRows(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/g,
  )) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
