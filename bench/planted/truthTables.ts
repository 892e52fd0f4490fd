/** How often blame, and other ways, are right of planted worlds. */
import { proportionInterval } from "../../src/studies/statistics/proportions.ts";
import { type Kept, keptSteps } from "../keptSteps.ts";
import { contrasts, lastStep, locusOf, mostFrequentActor, ochiai, whysRoot } from "./baselines.ts";
import { answerOf, runOf } from "./lab.ts";
import { type PlantedWorld, truthOf, WORLDS } from "./worlds.ts";

/** Of a world, what is asked of an answer. */
type Asks = "one" | "set" | "none";

export const asksOf = ({ kind }: PlantedWorld): Asks => {
  if (kind === "no cause") return "none";
  return ["conjunction", "over-determination", "pre-emption"].includes(kind) ? "set" : "one";
};

interface Row {
  readonly world: PlantedWorld;
  readonly seed: number;
  readonly asks: Asks;
  /** By way: whether it was right of one cause or set; of no cause, whether it blamed nobody. */
  readonly right: { readonly [way: string]: boolean };
  /** Whether blame found an effect where there is none, beside whatever it found. */
  readonly blamesInnocent: boolean;
  readonly runs: number;
}

const sorted = (sets: readonly (readonly string[])[]): string =>
  JSON.stringify(sets.map((set) => [...set].sort()).sort());

async function rowOf(world: PlantedWorld, seed: number, runs: number): Promise<Row | undefined> {
  const asked = await runOf(world, seed);
  if (asked === undefined) return undefined;
  const answer = await answerOf(asked, runs);
  if (answer === undefined) return undefined;
  const { told } = answer;
  const name = (says: string) => says.replace("without ", "");
  const truth = truthOf(world);
  const asks = asksOf(world);
  const blamed = told.ranking
    .filter(({ effect }) => (effect?.low ?? 0) > 0)
    .map(({ says }) => name(says));
  const joint = told.joint.map(({ says }) => says.map(name));
  const first = told.ranking[0] && name(told.ranking[0].says);
  const isTop = (id: string | undefined) => id !== undefined && truth.top.includes(id);
  const isSet =
    truth.sets.length > 0
      ? sorted(joint) === sorted(truth.sets)
      : sorted([blamed]) === sorted([truth.top]);
  const locus = locusOf(await contrasts(asked, told.runs));
  const others: { readonly [way: string]: string | undefined } = {
    "last step": lastStep(asked),
    "most frequent actor": mostFrequentActor(asked),
    "root of `why`": whysRoot(asked),
    Ochiai: ochiai(asked, told.runs),
    "CAR, contrastive": locus,
  };
  const blameRight =
    asks === "one" ? isTop(first) : asks === "set" ? isSet : blamed.length + joint.length === 0;
  const right = Object.fromEntries(
    Object.entries(others).map(([way, id]) => [
      way,
      asks === "one" ? isTop(id) : asks === "none" ? id === undefined : false,
    ]),
  );
  return {
    ...{ world, seed, asks, runs: told.runs, right: { blame: blameRight, ...right } },
    blamesInnocent: blamed.some((id) => !(id in truth.effects)),
  };
}

/** The first seeds of a world that come to harm. */
async function rowsOfWorld(
  world: PlantedWorld,
  seeds: number,
  runs: number,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let seed = 1; rows.length < seeds; seed += 1) {
    const row = await rowOf(world, seed, runs);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** World by world. */
export async function rowsOf(
  seeds: number,
  runs: number,
  kept: Kept = keptSteps(undefined),
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const world of WORLDS) {
    const own = await kept(`${seeds} runs of ${world.name}`, () => rowsOfWorld(world, seeds, runs));
    rows.push(...own);
  }
  return rows;
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** A share with Wilson's interval. */
export function shareText(hits: number, n: number): string {
  if (n === 0) return "";
  const { low, high } = proportionInterval(hits, n);
  return `${percent(hits / n)} (${percent(low ?? 0)} … ${percent(high ?? 1)})`;
}

const WAYS = [
  "blame",
  ...["last step", "most frequent actor", "root of `why`", "Ochiai", "CAR, contrastive"],
];

/** The estimator draws steps of agents anew, and of the rest it can say nothing: the worlds in which it could. */
export function whereChosen(rows: readonly Row[]): string {
  const own = rows.filter(({ world, asks }) => {
    const { top } = truthOf(world);
    return asks === "one" && world.steps.some(({ id, by }) => by !== null && top.includes(id));
  });
  return shareText(own.filter(({ right }) => right["CAR, contrastive"]).length, own.length);
}

/** One line a way: top-1, sets, and worlds in which somebody is blamed though nobody did it. */
export const waysTable = (rows: readonly Row[]): readonly string[][] =>
  WAYS.map((way) => {
    const of = (asks: Asks) => rows.filter((row) => row.asks === asks);
    const right = (asks: Asks) => of(asks).filter((row) => row.right[way]).length;
    const falsely = of("none").length - right("none");
    return [
      way,
      shareText(right("one"), of("one").length),
      way === "blame" ? shareText(right("set"), of("set").length) : "names no set",
      shareText(falsely, of("none").length),
    ];
  });

/** One line a kind: how often blame is right. */
export const kindsTable = (rows: readonly Row[]): readonly string[][] =>
  [...new Set(WORLDS.map(({ kind }) => kind))].map((kind) => {
    const own = rows.filter(({ world }) => world.kind === kind);
    const right = own.filter((row) => row.right["blame"]).length;
    const innocent = own.filter(({ blamesInnocent }) => blamesInnocent).length;
    const runs = own.reduce((sum, row) => sum + row.runs, 0) / own.length;
    const worlds = WORLDS.filter((one) => one.kind === kind).length;
    const asks = { one: "the cause first", set: "the set", none: "nobody" }[own[0]?.asks ?? "none"];
    return [
      kind,
      `${worlds}`,
      asks,
      shareText(right, own.length),
      shareText(innocent, own.length),
      runs.toFixed(0),
    ];
  });

/** The misses of blame, by name. */
export const missesOf = (rows: readonly Row[]): readonly string[] =>
  rows
    .filter(({ right }) => !right["blame"])
    .map(({ world, seed }) => `${world.name}, seed ${seed}`);

/** Ours: so many continuations of each arm, and so many runs of a baseline. */
const ARMS = [2, 3, 5, 10, 20, 30];
const BUDGETS = [50, 100, 200, 400];

/** Of one way with so many runs: how often it names the one cause first. */
interface Tally {
  readonly key: string;
  readonly isRight: boolean;
  readonly runs: number;
}

async function talliesOf(world: PlantedWorld, seeds: number): Promise<readonly Tally[]> {
  const tallies: Tally[] = [];
  const { top } = truthOf(world);
  const note = (key: string, id: string | undefined, runs: number): void => {
    tallies.push({ key, isRight: id !== undefined && top.includes(id), runs });
  };
  let found = 0;
  for (let seed = 1; found < seeds; seed += 1) {
    const asked = await runOf(world, seed);
    if (asked === undefined) continue;
    found += 1;
    for (const each of ARMS) {
      const told = (await answerOf(asked, each))?.told;
      const first = told?.ranking[0]?.says.replace("without ", "");
      note(`blame, ${each} of each arm`, first, told?.runs ?? 0);
    }
    for (const runs of BUDGETS) {
      note(`CAR, ${runs}`, locusOf(await contrasts(asked, runs)), runs);
      note(`Ochiai, ${runs}`, ochiai(asked, runs), runs);
    }
  }
  return tallies;
}

/** How often each way names the one cause first, by how many runs it has. */
export async function budgetTable(seeds: number, kept: Kept): Promise<readonly string[][]> {
  const right = new Map<string, { hits: number; n: number; runs: number }>();
  for (const world of WORLDS.filter((one) => asksOf(one) === "one")) {
    const tallies = await kept(`budgets of ${seeds} runs of ${world.name}`, () =>
      talliesOf(world, seeds),
    );
    for (const { key, isRight, runs } of tallies) {
      const { hits, n, runs: before } = right.get(key) ?? { hits: 0, n: 0, runs: 0 };
      right.set(key, { hits: hits + (isRight ? 1 : 0), n: n + 1, runs: before + runs });
    }
  }
  return [...right]
    .toSorted(
      ([a], [b]) =>
        Number(b.startsWith("b")) - Number(a.startsWith("b")) ||
        Number(b.startsWith("C")) - Number(a.startsWith("C")),
    )
    .map(([way, { hits, n, runs }]) => [way, (runs / n).toFixed(0), shareText(hits, n)]);
}
