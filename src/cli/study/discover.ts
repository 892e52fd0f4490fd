/** `ghostlight discover`: which settings of a study that was played decide whether an outcome holds. */
import { EXIT } from "../../edges/exit.ts";
import { type StudyCases, studyCases } from "../../edges/studies/studyCases.ts";
import { factorText, number, plotted } from "../../edges/studies/studyNumbers.ts";
import { allPoints, type BoxFigures, countsOf } from "../../studies/discovery/cases.ts";
import { type Discovered, discover, tightened } from "../../studies/discovery/discover.ts";
import type { ShortRule } from "../../studies/discovery/shortRule.ts";
import { note, print, printJson } from "../output.ts";
import { tableOf } from "./studyTables.ts";

export async function discoverCommand(
  folder: string,
  flags: { readonly outcome: string; readonly json?: true },
): Promise<number> {
  const left = studyCases(folder, flags.outcome);
  const { study, cases, asked } = left;
  const found = discover(cases, study.units.leaves, study.seed);
  if (left.left > 0) note(`${left.left} runs are left out: of them it is not known.`);
  if (left.isChosen) note(`No bound was given; asked is ${asked}.`);
  if (left.isSearch) note("A search chose these points: shares are of what it tried.");
  if (flags.json) printJson(toldOf(left, found));
  else {
    print(
      [
        ...(found.rule === null ? [] : [ruleText(left, found.rule), ""]),
        ...boxLines(left, found.box),
        ...stabilityLines(left, found),
      ].join("\n"),
    );
  }
  return EXIT.ok;
}

function toldOf(left: StudyCases, { rule, box, stability }: Discovered): object {
  const { study, cases, asked } = left;
  const { box: limits, restricted, quasiP, ...figures } = box;
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
            ...(rule.feature.kind === "ratio"
              ? { limit: rule.limit, beyond: rule.beyond }
              : {
                  limit: scaled(rule.feature.weights[0]?.[0] ?? "", rule.limit),
                  beyond: scaled(rule.feature.weights[0]?.[0] ?? "", rule.beyond),
                }),
            ...{ points: rule.points, runs: rule.runs, hits: rule.hits, ties: rule.ties },
            ...{ coverage: rule.coverage, density: rule.density, mass: rule.mass },
          },
    box: {
      ...figures,
      limits: restricted.map((at) => {
        const limit = limits[at];
        const name = limit?.name ?? "";
        const ends = tightened(cases, box, at);
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
    },
    stability,
  };
}

/* What a search for rules found, as people read it. */

/** `refused >= 1 where the sum of A and B reaches C: …`. */
function ruleText(left: StudyCases, rule: ShortRule): string {
  const { hits } = countsOf(left.cases, allPoints(left.cases));
  const more = rule.ties === 0 ? "" : ` ${rule.ties} other limits on as many factors tell as much.`;
  return `${left.asked} where ${conditionOf(left, rule)}: in ${rule.hits} of the ${rule.runs} runs there (${rule.points} of ${left.cases.runs.length} points), and in ${hits - rule.hits} of the others.${more}`;
}

function conditionOf({ study }: StudyCases, rule: ShortRule): string {
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
  const [over, under] = [summed(plus ?? []), summed(minus ?? [])];
  if (minus?.length === 0) return `${over} is ${word} ${told(limit)}${edge(told)}`;
  // A gap that holds 0 says who reaches whom; where 0 is on its far side, who stays short.
  if (beyond !== null && Math.min(limit, beyond) <= 0 && Math.max(limit, beyond) >= 0) {
    const verb = limit === 0 || beyond !== 0 ? "reaches" : "exceeds";
    return side === "most" ? `${under} ${verb} ${over}` : `${over} ${verb} ${under}`;
  }
  return `${over} less ${under} is ${word} ${told(limit)}${edge(told)}`;
}

const summed = (names: readonly string[]): string => {
  if (names.length < 2) return names[0] ?? "";
  return `the sum of ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};

function boxLines(left: StudyCases, found: Discovered["box"]): readonly string[] {
  const { study, cases } = left;
  const rows = found.restricted.flatMap((at) => {
    const [limit, p] = [found.box[at], found.quasiP[at]];
    if (limit === undefined || p === undefined) return [];
    if (limit.kind === "category") {
      return [[limit.name, `one of ${limit.kept.join(" | ")}`, number(p.low ?? 1)]];
    }
    const ends = tightened(cases, found, at);
    const told = (value = 0): string => factorText(study, limit.name, value);
    return [
      ...(p.low === null ? [] : [[limit.name, `at least ${told(ends?.low)}`, number(p.low)]]),
      ...(p.high === null ? [] : [[limit.name, `at most ${told(ends?.high)}`, number(p.high)]]),
    ];
  });
  if (rows.length === 0)
    return ["No box of limits on single factors tells them apart beyond chance."];
  const column = (head: string, at: number, align?: "l") => ({
    ...{ head, cells: rows.map((row) => row[at] ?? "") },
    ...(align && { align }),
  });
  return [
    `The box of limits on single factors (PRIM): ${figuresText(found)}.`,
    tableOf([column("factor", 0, "l"), column("limit", 1, "l"), column("quasi-p", 2)]),
    "quasi-p: how probable so dense a box is by chance without that limit, counted in points.",
  ];
}

const figuresText = ({ coverage, density, mass, runs }: BoxFigures): string =>
  `coverage ${number(coverage)}, density ${number(density)}, ${runs} runs (${number(mass)} of all)`;

function stabilityLines({ cases }: StudyCases, { rule, stability }: Discovered): readonly string[] {
  if (stability === null)
    return ["Too few points to halve: nothing is said of how stable this is."];
  const { halves, sameRule, unseen, limited } = stability;
  const often = cases.columns.map(({ name }) => `${name} in ${limited[name] ?? 0}`).join(", ");
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
    `The box of a half limits ${often} of ${halves}.`,
  ];
}
