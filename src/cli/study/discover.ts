/** `ghostlight discover`: which settings of a study that was played decide whether an outcome holds. */
import { EXIT } from "../../edges/exit.ts";
import { type StudyCases, studyCases } from "../../edges/studies/studyCases.ts";
import { plotted } from "../../edges/studies/studyNumbers.ts";
import { type Discovered, discover, tightened } from "../../studies/discovery/discover.ts";
import { note, print, printJson } from "../output.ts";
import { boxLines, ruleText, stabilityLines } from "./discoverText.ts";

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
