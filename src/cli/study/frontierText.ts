/** What a frontier found, as people read it. */

import type { PolicyValue } from "../../contract/policyTree.ts";
import type { SweptFrontier } from "../../edges/studies/playStudy.ts";
import type { StudyLeft } from "../../edges/studies/studyFiles.ts";
import { factorText } from "../../edges/studies/studyNumbers.ts";
import type { RunCounts } from "../../edges/studies/studyRuns.ts";
import { type FrontierAt, type Threshold, toldThreshold } from "../../studies/frontier.ts";
import type { Setting } from "../../studies/study.ts";
import { fittedTables } from "./studyTables.ts";
import { sweepTail } from "./sweepText.ts";

export function frontierText(
  { swept, found: { design, combinations } }: SweptFrontier,
  counts: RunCounts,
  left: StudyLeft,
  width: number,
): string {
  const { along, outcome, at } = design;
  const { study } = swept.plan;
  const others = study.factors.map(({ name }) => name).filter((name) => name !== along);
  const shown = (name: string, value: PolicyValue): string => factorText(study, name, value);
  const axis = (value: number): string => shown(along, Math.round(value));
  const column = (head: string, cell: (one: FrontierAt) => string) => ({
    ...{ head, cells: combinations.map(cell) },
  });
  const [runs, gridRuns] = [
    sum(combinations.map((one) => one.runs)),
    sum(combinations.map((one) => one.gridRuns)),
  ];
  const bent = combinations.filter(({ threshold }) => threshold.kind === "notMonotone");
  return [
    ...fittedTables({
      width,
      number: column("", (one) => String(combinations.indexOf(one) + 1)),
      settings: others.map((name) => column(name, (one) => shown(name, one.setting[name] ?? ""))),
      more: [],
      blocks: [
        {
          columns: [
            column(`${along} at P(${outcome}) = ${at}`, (one) => thresholdText(one, axis)),
            column("monotone", (one) => monotoneText(one.threshold)),
            column("runs", (one) => String(one.runs)),
            column("of a grid", (one) => String(one.gridRuns)),
          ],
        },
      ],
    }),
    "",
    `In brackets, values at which the outcome is surely rarer or commoner (95 % for each line; Wilson, ${study.replicates.count} replicates on the same seeds).`,
    `${runs} runs where a grid takes ${gridRuns}.`,
    ...bent.flatMap((one) => [
      `Not monotone at ${settingText(one.setting, shown)}, so all values were played:`,
      `  ${one.looks.map((look) => lookText(look, axis)).join(" · ")}`,
    ]),
    ...sweepTail(swept, counts, left),
  ].join("\n");
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const settingText = (
  setting: Setting,
  shown: (name: string, value: PolicyValue) => string,
): string =>
  Object.entries(setting)
    .map(([name, value]) => `${name} ${shown(name, value)}`)
    .join(", ") || "the study's own policy";

const lookText = (
  { value, hits, replicates }: FrontierAt["looks"][number],
  axis: (value: number) => string,
): string => `${axis(value)}: ${hits} of ${replicates}`;

function thresholdText({ threshold, looks }: FrontierAt, axis: (value: number) => string): string {
  switch (threshold.kind) {
    case "between":
      return `${axis(toldThreshold(threshold))} [${axis(threshold.low)}, ${axis(threshold.high)}]`;
    case "notMonotone":
      return "none: see below";
    case "noValue":
      return `none: ${threshold.runs} runs gave neither 0 nor 1`;
    case "beyond": {
      const ends = [looks[0], looks.at(-1)].flatMap((look) =>
        look === undefined ? [] : [lookText(look, axis)],
      );
      return `${BEYOND[threshold.side]} (${ends.join(" · ")})`;
    }
  }
}

const BEYOND = {
  rarer: "none: rarer at both ends",
  commoner: "none: commoner at both ends",
  undecided: "none: an end is undecided",
} as const;

/** Where bisection had no middle to look at, nothing was tested. */
const monotoneText = ({ kind }: Threshold): string =>
  kind === "between" ? "yes" : kind === "notMonotone" ? "no" : "not tested";
