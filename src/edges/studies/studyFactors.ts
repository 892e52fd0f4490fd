/** What varies in a study: values as people write them, in units of the leaves, and what is wrong with them. */

import { type PolicyValue, policyLeaves } from "../../contract/policyTree.ts";
import { isMap } from "../../machines/isMap.ts";
import type { Json } from "../../machines/letter.ts";
import { isList, type Leaf, shareDigits } from "../../machines/policyLeaf.ts";
import type {
  Constraint,
  Factor,
  ListFactor,
  NumberFactor,
  Setting,
  Shape,
} from "../../studies/study.ts";
import { ITSELF, SCENARIO, VARIANT } from "../../studies/study.ts";
import type { ReadingLists } from "../parts/partLists.ts";
import type { Finding } from "../scenario/finding.ts";
import { reference } from "../scenario/findingParts.ts";
import { foundValue, inUnits, setValue, shownValue } from "../scenario/leafValue.ts";
import { checkedOverride } from "../scenario/policyOverrides.ts";
import type { Path } from "../scenario/yamlText.ts";
import type { ConstraintSource } from "./studySchema.ts";

/** Gathers what is wrong, so that all of it is said at once. */
export interface Reading {
  readonly lists: ReadingLists;
  /** Names of the scenarios that vary, and of the variants that all of them have. */
  readonly scenarios: readonly string[];
  readonly variants: readonly string[];
  readonly findings: Finding[];
}

/** As it was written: a number with a point came as a text. */
const wrongValue = (path: Path, written: unknown, allowed: string): Finding => ({
  path,
  found: foundValue(written),
  allowed,
});

type Written = { readonly [name: string]: unknown };

export interface Varied {
  readonly factors: readonly Factor[];
  /** Those that stay. */
  readonly set: { readonly [path: string]: PolicyValue };
}

/** A list varies, and so does a range; a single value stays. */
export function variedIn(reading: Reading, written: Written): Varied {
  const factors: Factor[] = [];
  const set: { [path: string]: PolicyValue } = {};
  for (const [name, value] of Object.entries(written)) {
    const at = ["factors", name];
    if (leafOf(reading, name) === undefined)
      reading.findings.push(...unknownPath(reading, name, at));
    else if (Array.isArray(value) || isMap(value as Json)) {
      const factor = Array.isArray(value)
        ? listFactor(reading, name, value, at)
        : Object.hasOwn(value as Written, "values")
          ? weighedList(reading, name, value as Written, at)
          : numberFactor(reading, name, value as Written, at);
      if (factor !== undefined) factors.push(factor);
    } else {
      const stays = writtenValue(reading, name, value, at);
      if (stays !== undefined) set[name] = stays;
    }
  }
  return { factors, set };
}

/** `variants`, where several are played. */
export function variantFactor(reading: Reading, names: readonly string[]): Factor | undefined {
  return listFactor(reading, VARIANT, names, ["variants"]);
}

/** `scenario`, where several are played. */
export const scenarioFactor = (reading: Reading): Factor | undefined =>
  listFactor(reading, SCENARIO, reading.scenarios, ["scenario"]);

function listFactor(
  reading: Reading,
  name: string,
  written: readonly unknown[],
  at: Path,
): ListFactor | undefined {
  if (written.length === 0) {
    reading.findings.push({ path: at, found: "an empty list", allowed: "at least one value" });
    return undefined;
  }
  const values = written.map((one, index) =>
    writtenValue(reading, name, one, [...at, index], written),
  );
  const known = values.flatMap((value) => (value === undefined ? [] : [value]));
  const texts = values.map((value) => JSON.stringify(value));
  texts.forEach((text, index) => {
    if (text === undefined || texts.indexOf(text) === index) return;
    const found = { ...wrongValue([...at, index], written[index], "each value once") };
    reading.findings.push({ ...found, found: `${found.found} again` });
  });
  if (known.length < values.length) return undefined;
  const isOrdered = known.every((value) => typeof value === "number");
  const ordered = isOrdered ? known.toSorted((one, other) => Number(one) - Number(other)) : known;
  return { kind: "list", name, values: ordered, isOrdered };
}

/** A list, and how likely each of its values is. */
function weighedList(
  reading: Reading,
  name: string,
  written: Written,
  at: Path,
): ListFactor | undefined {
  const { values, weights, ...others } = written;
  const { findings } = reading;
  for (const key of Object.keys(others)) {
    const slip = { found: `the key "${key}"`, meant: { word: key, names: ["weights"] } };
    findings.push({ path: [...at, key], part: "key", allowed: "values, weights", ...slip });
  }
  const list = Array.isArray(values) ? values : [];
  const given = Array.isArray(weights) ? weights.map(Number) : [];
  const isWeight = (one: number) => Number.isFinite(one) && one >= 0 && one <= WEIGHT_MOST;
  if (given.length !== list.length || !given.every(isWeight) || !given.some((one) => one > 0)) {
    const allowed = `a number from 0 to ${WEIGHT_MOST} for each value, not all 0`;
    findings.push(wrongValue([...at, "weights"], weights, allowed));
  }
  const factor = listFactor(reading, name, list, [...at, "values"]);
  if (factor === undefined || factor.values.length !== given.length) return undefined;
  // Numbers were sorted, and their weights go with them.
  const places = list.map((_, place) => place);
  if (factor.isOrdered) {
    const known = list.map((one, place) => writtenValue(reading, name, one, [...at, place], list));
    places.sort((a, b) => Number(known[a]) - Number(known[b]));
  }
  return { ...factor, weights: places.map((place) => given[place] ?? 0) };
}

/** Ours. */
const WEIGHT_MOST = 1_000_000;

const RANGE = ["low", "high", "step", "log", "normal", "triangular"];

function numberFactor(
  reading: Reading,
  name: string,
  range: Written,
  at: Path,
): NumberFactor | undefined {
  const { findings } = reading;
  const before = findings.length;
  const refuse = (key: string, allowed: string): void =>
    void findings.push(wrongValue([...at, key], range[key], allowed));
  const leaf = leafOf(reading, name);
  if (leaf?.kind !== "integer") {
    findings.push({ path: at, found: "a range", allowed: "a list of values: it is no number" });
    return undefined;
  }
  for (const key of Object.keys(range)) {
    if (RANGE.includes(key)) continue;
    const slip = { found: `the key "${key}"`, meant: { word: key, names: RANGE } };
    findings.push({ path: [...at, key], part: "key", allowed: RANGE.join(", "), ...slip });
  }
  for (const key of ["low", "high"]) {
    if (range[key] !== undefined) continue;
    const allowed = `the ${key}est value`;
    findings.push({ path: [...at, key], found: "nothing, but it is required", allowed });
  }
  const bound = (key: string) =>
    range[key] === undefined
      ? undefined
      : writtenValue(reading, name, range[key], [...at, key], [range["low"], range["high"]]);
  const [low, high] = [bound("low"), bound("high")].map(Number) as [number, number];
  const step = range["step"] === undefined ? 1 : inUnits(leaf, range["step"]);
  if (typeof step !== "number" || !Number.isSafeInteger(step) || step < 1) {
    refuse("step", "a step of at least one unit of the leaf");
  }
  const isLog = range["log"] ?? false;
  if (typeof isLog !== "boolean") refuse("log", "true | false");
  if (findings.length > before) return undefined;
  if (low >= high) refuse("high", "a value above low");
  if (isLog === true && low <= 0) refuse("low", "a value above 0, where log is true");
  if (low < high && Number(step) > high - low)
    refuse("step", "a step that fits between low and high");
  if (findings.length > before) return undefined;
  const shape = shapeOf(reading, name, range, { low, high }, at);
  if (findings.length > before) return undefined;
  const made = { name, low, high, isLog: isLog === true, step: Number(step) };
  return { kind: "number", ...made, ...(shape && { shape }) };
}

function shapeOf(
  reading: Reading,
  name: string,
  { log, normal, triangular }: Written,
  { low, high }: { readonly low: number; readonly high: number },
  at: Path,
): Shape | undefined {
  const given = Object.entries({ normal, triangular }).filter(([, one]) => one !== undefined);
  const [kind = ""] = given[0] ?? [];
  const refuse = (path: Path, written: unknown, allowed: string): undefined =>
    void reading.findings.push(wrongValue(path, written, allowed));
  if (given.length === 0) return undefined;
  const path = [...at, kind];
  if (given.length > 1 || log === true) {
    return refuse(path, kind, "one of log, normal and triangular");
  }
  const within = (written: unknown, own: Path): number | undefined => {
    const value = writtenValue(reading, name, written, own, [written]);
    if (typeof value !== "number") return undefined;
    return value >= low && value <= high ? value : refuse(own, written, "a value from low to high");
  };
  if (kind === "triangular") {
    const mode = within(triangular, path);
    return mode === undefined ? undefined : { kind: "triangular", mode };
  }
  if (!isMap(normal as Json)) return refuse(path, normal, "a map with mean and deviation");
  const { mean, deviation, ...others } = normal as Written;
  for (const key of Object.keys(others)) refuse([...path, key], key, "mean, deviation");
  const middle = within(mean, [...path, "mean"]);
  const leaf = leafOf(reading, name);
  const spread = leaf?.kind === "integer" ? inUnits(leaf, deviation) : undefined;
  if (typeof spread !== "number" || !(spread > 0)) {
    return refuse([...path, "deviation"], deviation, "a value above 0, as the leaf takes it");
  }
  return middle === undefined ? undefined : { kind: "normal", mean: middle, deviation: spread };
}

const leavesIn = ({ lists }: Reading): ReadonlyMap<string, Leaf> =>
  new Map(policyLeaves(lists.parts));

export const leafOf = (reading: Reading, path: string): Leaf | undefined =>
  leavesIn(reading).get(path);

export const unknownPath = (reading: Reading, name: string, at: Path): Finding[] =>
  reference(
    at,
    name,
    leavesIn(reading).keys(),
    "path of the policy (`ghostlight policy` lists them)",
  ).map((finding) => ({ ...finding, part: "key" as const }));

/** Without a point a number is millionths: few of them are hardly ever meant, nor is any beside one that has a point. */
const isSlip = (leaf: Leaf, written: unknown, beside: readonly unknown[]): written is number =>
  leaf.kind === "integer" &&
  shareDigits(leaf) !== undefined &&
  typeof written === "number" &&
  written !== 0 &&
  (Math.abs(written) <= MILLIONTHS_HARDLY_MEANT || beside.some((one) => typeof one === "string"));

/** Ours: sums of a few shares are written with such numbers, too. */
const MILLIONTHS_HARDLY_MEANT = 100;

const pointAllowed = (leaf: Leaf, written: number): string =>
  `with a point, ${written}.0; as it stands it is ${shownValue(leaf, written)}`;

/** The value of a factor, in the leaf's unit, `beside` others of it; what is wrong with it goes to the findings. */
export function writtenValue(
  reading: Reading,
  name: string,
  written: unknown,
  at: Path,
  beside: readonly unknown[] = [],
): PolicyValue | undefined {
  if (name === VARIANT) {
    const names = [ITSELF, ...reading.variants];
    const found = reference(at, String(written), names, "variant of the scenario");
    reading.findings.push(...found);
    return found.length > 0 ? undefined : String(written);
  }
  if (name === SCENARIO) {
    const found = reference(at, String(written), reading.scenarios, "scenario of the study");
    reading.findings.push(...found);
    return found.length > 0 ? undefined : String(written);
  }
  const leaf = leafOf(reading, name);
  if (leaf !== undefined && isSlip(leaf, written, beside)) {
    reading.findings.push(wrongValue(at, written, pointAllowed(leaf, written)));
    return undefined;
  }
  // As `--set` has it: a list for a subset may be written with commas.
  const isNames = leaf !== undefined && isList(leaf) && typeof written === "string";
  const given = isNames ? written.split(",").map((one) => one.trim()) : written;
  const checked = checkedOverride(reading.lists.parts, name, given);
  if ("value" in checked) return checked.value;
  reading.findings.push({ path: at, ...checked });
  return undefined;
}

/** A setting of factors; of all of them where `isWhole`. */
export function settingIn(
  reading: Reading,
  factors: readonly Factor[],
  written: Written,
  at: Path,
  isWhole: boolean,
): Setting {
  const names = factors.map(({ name }) => name);
  const setting: { [name: string]: PolicyValue } = {};
  for (const [name, value] of Object.entries(written)) {
    const found = reference([...at, name], name, names, "factor that varies");
    reading.findings.push(...found.map((one) => ({ ...one, part: "key" as const })));
    const known = found.length > 0 ? undefined : writtenValue(reading, name, value, [...at, name]);
    if (known !== undefined) setting[name] = known;
  }
  const missing = names.filter((name) => !Object.hasOwn(written, name));
  if (isWhole && missing.length > 0) {
    reading.findings.push({
      ...{ path: at, found: `no value of ${missing.join(", ")}` },
      allowed: "a value of every factor",
    });
  }
  return setting;
}

/** Factors of one unit, added; bounds are written as the factors are. */
export function constraintIn(
  reading: Reading,
  factors: readonly Factor[],
  { sum, ...bounds }: ConstraintSource,
  at: Path,
): Constraint {
  const { findings } = reading;
  const weights = Array.isArray(sum)
    ? Object.fromEntries(sum.map((name: string) => [name, 1]))
    : (sum as { readonly [factor: string]: number });
  const numbers = factors.filter((one) => one.kind === "number" || one.isOrdered);
  const names = numbers.map(({ name }) => name);
  Object.keys(weights).forEach((name, index) => {
    const place = [...at, "sum", Array.isArray(sum) ? index : name];
    findings.push(...reference(place, name, names, "factor that is a number"));
  });
  const leaves = Object.keys(weights).map((name) => leafOf(reading, name));
  const units = new Set(leaves.map((leaf) => (leaf?.kind === "integer" ? leaf.unit : "")));
  if (units.size > 1) {
    const found = `factors in ${[...units].join(" and ")}`;
    findings.push({ path: [...at, "sum"], found, allowed: "factors of one unit" });
  }
  const bound = (key: "is" | "least" | "most"): number | undefined => {
    const written = bounds[key];
    if (written === undefined) return undefined;
    const [leaf] = leaves;
    const value = leaf === undefined ? 0 : inUnits(leaf, written);
    const isSlipped = leaf !== undefined && isSlip(leaf, written, Object.values(bounds));
    if (!isSlipped && typeof value === "number" && Number.isSafeInteger(value)) return value;
    const allowed = isSlipped ? pointAllowed(leaf, written) : "a value as the factors have them";
    findings.push(wrongValue([...at, key], written, allowed));
    return undefined;
  };
  const [is, least, most] = [bound("is"), bound("least"), bound("most")];
  if (
    Object.keys(bounds).length === 0 ||
    (bounds.is !== undefined && Object.keys(bounds).length > 1)
  ) {
    findings.push({ path: at, found: "no one bound", allowed: "is alone, or least, most or both" });
  }
  const [unit] = units;
  const text = (value: number | undefined): string =>
    value === undefined ? "" : setValue(unit, value);
  const [low, high] = [is ?? least, is ?? most];
  const told = { least: text(low), most: text(high) };
  return { weights, least: low ?? null, most: high ?? null, told };
}
