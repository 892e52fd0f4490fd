/** `ghostlight discover`: which settings of a study that was played decide whether an outcome holds. */
import { EXIT } from "../../edges/exit.ts";
import { type StudyCases, studyCases } from "../../edges/studies/studyCases.ts";
import { factorText, number, plotted } from "../../edges/studies/studyNumbers.ts";
import { heldLeaves, type Leaf, treeOn } from "../../studies/discovery/cart.ts";
import { allPoints, type BoxFigures, countsOf } from "../../studies/discovery/cases.ts";
import { type Discovered, discover, tightened } from "../../studies/discovery/discover.ts";
import type { Held } from "../../studies/discovery/forest.ts";
import type { ShortRule } from "../../studies/discovery/shortRule.ts";
import { type Surrogates, surrogatesOf } from "../../studies/discovery/surrogates.ts";
import { note, print, printJson } from "../output.ts";
import { tableOf } from "./studyTables.ts";

export async function discoverCommand(
  folder: string,
  flags: { readonly outcome: string; readonly importance?: true; readonly json?: true },
): Promise<number> {
  const left = studyCases(folder, flags.outcome);
  const { study, cases, asked } = left;
  const found = discover(cases, study.units.leaves, study.seed);
  const importance = flags.importance ? surrogatesOf(cases, study.seed) : undefined;
  if (left.left > 0) note(`${left.left} runs are left out: of them it is not known.`);
  if (left.isChosen) note(`No bound was given; asked is ${asked}.`);
  if (left.isSearch) note("A search chose these points: shares are of what it tried.");
  if (flags.json) {
    const told =
      importance === undefined
        ? {}
        : { importance: importance && importanceTold(left, importance) };
    printJson({ ...toldOf(left, found), ...told });
  } else {
    print(
      [
        ...(found.rule === null ? [] : [ruleText(left, found.rule), ""]),
        ...boxLines(left, found.box),
        ...treeLines(left, found.tree),
        ...stabilityLines(left, found),
        ...(importance === undefined ? [] : ["", ...importanceLines(left, importance)]),
      ].join("\n"),
    );
  }
  return EXIT.ok;
}

function toldOf(left: StudyCases, { rule, box, tree, stability }: Discovered): object {
  const { study, cases, asked } = left;
  const boxTold = ({ box: limits, restricted, quasiP, ...figures }: Leaf) => ({
    ...figures,
    limits: restricted.map((at) => {
      const limit = limits[at];
      const name = limit?.name ?? "";
      const ends = tightened(cases, { box: limits }, at);
      const p = quasiP[at];
      return limit?.kind === "category"
        ? { factor: name, kept: limit.kept, quasiP: p?.low }
        : {
            factor: name,
            ...(p?.low == null
              ? {}
              : { least: scaled(name, ends?.low ?? null), leastQuasiP: p.low }),
            ...(p?.high == null
              ? {}
              : { most: scaled(name, ends?.high ?? null), mostQuasiP: p.high }),
          };
    }),
  });
  const scaled = (name: string, value: number | string | null) =>
    typeof value === "number" ? plotted(study, name, value) : value;
  return {
    ...{ study: study.name, asked, leftOut: left.left },
    rule:
      rule === null
        ? null
        : {
            ...{ sentence: ruleText(left, rule), kind: rule.feature.kind, side: rule.side },
            weights: Object.fromEntries(rule.feature.weights),
            ...(rule.feature.largest === undefined ? {} : { largest: rule.feature.largest }),
            ...(rule.feature.kind === "ratio"
              ? { limit: rule.limit, beyond: rule.beyond }
              : {
                  limit: scaled(rule.feature.weights[0]?.[0] ?? "", rule.limit),
                  beyond: scaled(rule.feature.weights[0]?.[0] ?? "", rule.beyond),
                }),
            ...{ points: rule.points, runs: rule.runs, hits: rule.hits, ties: rule.ties },
            ...{ coverage: rule.coverage, density: rule.density, mass: rule.mass },
          },
    box: boxTold(box),
    tree: tree.length < 2 ? [] : tree.map(boxTold),
    stability,
  };
}

/* What a search for rules found, as people read it. */

/** `refused >= 1 where the sum of A and B reaches C: …`. */
export function ruleText(
  left: Pick<StudyCases, "asked" | "cases" | "study">,
  rule: ShortRule,
): string {
  const { hits } = countsOf(left.cases, allPoints(left.cases));
  const more = rule.ties === 0 ? "" : ` ${rule.ties} other limits on as many factors tell as much.`;
  return `${left.asked} where ${conditionOf(left, rule)}: in ${rule.hits} of the ${rule.runs} runs there (${rule.points} of ${left.cases.runs.length} points), and in ${hits - rule.hits} of the others.${more}`;
}

function conditionOf({ study }: Pick<StudyCases, "study">, rule: ShortRule): string {
  const { feature, side, limit, beyond } = rule;
  const [first = ""] = feature.weights[0] ?? [];
  const told = (value: number): string => factorText(study, first, value);
  const edge = (text: (value: number) => string): string =>
    beyond === null ? "" : ` (no more at ${text(beyond)})`;
  if (side === "is" || typeof limit === "string") return `${first} is ${limit}`;
  const word = side === "most" ? "at most" : "at least";
  if (feature.kind === "value") return `${first} is ${word} ${told(limit)}${edge(told)}`;
  const [plus, minus] = [1, -1].map((sign) =>
    feature.weights.filter(([, weight]) => weight === sign).map(([name]) => name),
  );
  if (feature.kind === "ratio") {
    return `${plus?.[0]} is ${word} ${number(limit)} times ${minus?.[0]}${edge(number)}`;
  }
  const [over, under] = [summed(plus ?? [], feature.largest), summed(minus ?? [])];
  if (minus?.length === 0) return `${over} is ${word} ${told(limit)}${edge(told)}`;
  // A gap that holds 0 says who reaches whom; where 0 is on its far side, who stays short.
  if (beyond !== null && Math.min(limit, beyond) <= 0 && Math.max(limit, beyond) >= 0) {
    const verb = limit === 0 || beyond !== 0 ? "reaches" : "exceeds";
    return side === "most" ? `${under} ${verb} ${over}` : `${over} ${verb} ${under}`;
  }
  return `${over} less ${under} is ${word} ${told(limit)}${edge(told)}`;
}

const summed = (names: readonly string[], largest?: number): string => {
  if (names.length < 2) return names[0] ?? "";
  const all = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  if (largest === 1) return `the largest of ${all}`;
  if (largest !== undefined) return `the sum of the ${largest} largest of ${all}`;
  return `the sum of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};

function boxLines(left: StudyCases, found: Discovered["box"]): readonly string[] {
  const limits = limitsOf(left, found);
  if (limits.length === 0)
    return ["No box of limits on single factors tells them apart beyond chance."];
  const column = (head: string, cell: (one: (typeof limits)[number]) => string, align?: "l") => ({
    ...{ head, cells: limits.map(cell) },
    ...(align && { align }),
  });
  return [
    `The box of limits on single factors (PRIM): ${figuresText(found)}.`,
    tableOf([
      column("factor", ({ factor }) => factor, "l"),
      column("limit", ({ says }) => says, "l"),
      column("quasi-p", ({ p }) => number(p)),
    ]),
    "quasi-p: how probable so dense a box is by chance without that limit, counted in points.",
  ];
}

/** The limits of a box on single factors, each end by itself, told by the values that lie within. */
function limitsOf({ study, cases }: StudyCases, { box, restricted, quasiP }: Leaf) {
  return restricted.flatMap((at) => {
    const [limit, p] = [box[at], quasiP[at]];
    if (limit === undefined || p === undefined) return [];
    const { name: factor } = limit;
    if (limit.kind === "category") {
      return [{ factor, says: `one of ${limit.kept.join(" | ")}`, p: p.low ?? 1 }];
    }
    const ends = tightened(cases, { box }, at);
    const told = (value = 0): string => factorText(study, factor, value);
    return [
      ...(p.low === null ? [] : [{ factor, says: `at least ${told(ends?.low)}`, p: p.low }]),
      ...(p.high === null ? [] : [{ factor, says: `at most ${told(ends?.high)}`, p: p.high }]),
    ];
  });
}

function treeLines(left: StudyCases, tree: readonly Leaf[]): readonly string[] {
  if (tree.length < 2) return ["No cut of a tree tells them apart."];
  const held = heldLeaves(tree).toSorted((a, b) => b.coverage - a.coverage);
  const whole = treeOn(left.cases, tree);
  return [
    `A tree of ${tree.length} leaves (CART) says it of ${held.length}: ${figuresText(whole)}.`,
    ...held.map((leaf) => {
      const limits = limitsOf(left, leaf).map(
        ({ factor, says, p }) => `${factor} ${says} (quasi-p ${number(p)})`,
      );
      return `- ${limits.join(", ")}: ${leaf.hits} of ${leaf.runs} runs, coverage ${number(leaf.coverage)}, density ${number(leaf.density)}`;
    }),
  ];
}

const figuresText = ({ coverage, density, mass, runs }: BoxFigures): string =>
  `coverage ${number(coverage)}, density ${number(density)}, ${runs} runs (${number(mass)} of all)`;

function stabilityLines({ cases }: StudyCases, { rule, stability }: Discovered): readonly string[] {
  if (stability === null)
    return ["Too few points to halve: nothing is said of how stable this is."];
  const { halves, sameRule, unseen, limited, cut, unseenTree } = stability;
  const times = (counts: { readonly [factor: string]: number }): string =>
    cases.columns.map(({ name }) => `${name} in ${counts[name] ?? 0}`).join(", ");
  const seen =
    unseen === null
      ? ""
      : ` On the points that a half had not seen its rule had coverage ${number(unseen.coverage)} and density ${number(unseen.density)}.`;
  return [
    ...(rule === null
      ? []
      : [
          `Found again on half of the points, drawn ${halves} times: the rule's factors in ${sameRule}.${seen}`,
        ]),
    `The box of a half limits ${times(limited)} of ${halves}; its tree cuts ${times(cut)}.`,
    ...(unseenTree === null
      ? []
      : [
          `The tree of a half had coverage ${number(unseenTree.coverage)} and density ${number(unseenTree.density)} on the points that it had not seen.`,
        ]),
  ];
}

function importanceTold({ study }: StudyCases, { forest, process, ...more }: Surrogates): object {
  const told = <One extends { readonly factors: Surrogates["process" | "forest"]["factors"] }>(
    one: One,
  ) => ({
    ...one,
    factors: one.factors.map(({ held, ...own }) => ({
      ...own,
      held: held.map(({ value, ...share }) => ({
        value: typeof value === "number" ? plotted(study, own.factor, value) : value,
        ...share,
      })),
    })),
  });
  return { ...told(forest), process: told(process), ...more };
}

/** Ours: what a surrogate foretells must be at least so much before its figures mean something. */
const EXPLAINED_LEAST = 0.1;

/** What is told of what matters, where anything is. */
export function importanceLines(
  { study, cases }: Pick<StudyCases, "cases" | "study">,
  found: Surrogates | null,
): readonly string[] {
  if (found === null)
    return ["Points are too few, or all have the same share: there is nothing to foretell."];
  const { forest, process, better, shapley } = found;
  const drawn = process.points < cases.runs.length ? ` of ${process.points} drawn points` : "";
  const head =
    `Of how points differ that they have not seen, a forest of ${forest.trees} trees foretells ${number(100 * forest.explained)} %, ` +
    `a Gaussian process${drawn} ${number(100 * process.explained)} %.`;
  if (found[better].explained < EXPLAINED_LEAST)
    return [`${head} So they say nothing of what matters.`];
  const rows = forest.factors
    .map((one, at) => ({ ...one, shapley: shapley?.[one.factor], ...found[better].factors[at] }))
    .sort((a, b) => (b.shapley ?? b.importance) - (a.shapley ?? a.importance));
  const column = (name: string, cell: (one: (typeof rows)[number]) => string, align?: "l") => ({
    ...{ head: name, cells: rows.map(cell) },
    ...(align && { align }),
  });
  const limits = better === "forest" ? "where nineteen of twenty trees lie" : "95 % limits";
  return [
    head,
    tableOf([
      column("factor", ({ factor }) => factor, "l"),
      column(
        "importance",
        ({ importance, deviation: by }) => `${number(importance)} ± ${number(by)}`,
      ),
      column("Shapley", (one) => one.shapley?.toFixed(2) ?? ""),
      column("share by its value", ({ factor, held }) => heldText(study, factor, held), "l"),
    ]),
    "importance: how much the forest's error grows, in variances, where the factor is shuffled.",
    `Shapley: the factor's share of how the foretold shares vary. It and the shares are of the ${better}; in brackets, ${limits}.`,
  ];
}

/** At its ends alone; --json has all values. */
function heldText(study: StudyCases["study"], factor: string, held: readonly Held[]) {
  const ends = held.length > 2 ? [held[0], held.at(-1)] : held;
  return ends
    .flatMap((one) =>
      one === undefined
        ? []
        : `${factorText(study, factor, one.value)}: ${number(one.share)} [${number(one.low)}, ${number(one.high)}]`,
    )
    .join(" … ");
}
