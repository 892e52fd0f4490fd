/** What a frontier found, as people read it. */
import { markdownTable } from "markdown-table";
import { shortValue } from "../edges/leafValue.ts";
import type { SweptFrontier } from "../edges/studies/playFrontier.ts";
import type { StudyLeft } from "../edges/studies/studyFiles.ts";
import type { RunCounts } from "../edges/studies/studyRuns.ts";
import type { Leaf } from "../machines/policyLeaf.ts";
import type { PolicyValue } from "../policy.ts";
import type { FrontierAt, Threshold } from "../studies/frontier.ts";
import type { Setting } from "../studies/study.ts";
import { sweepTail } from "./sweepText.ts";

export function frontierText(
  { swept, found: { design, combinations } }: SweptFrontier,
  leaves: ReadonlyMap<string, Leaf>,
  counts: RunCounts,
  left: StudyLeft,
): string {
  const { along, outcome, at } = design;
  const { study } = swept.plan;
  const others = study.factors.map(({ name }) => name).filter((name) => name !== along);
  const shown = (name: string, value: PolicyValue): string => shortValue(leaves.get(name), value);
  const cellsOf = (setting: Setting) => others.map((name) => shown(name, setting[name] ?? ""));
  const axis = (value: number): string => shown(along, Math.round(value));
  const head = [...others, `${along} at P(${outcome}) = ${at}`, "monotone", "runs", "of a grid"];
  const rows = combinations.map((one) => [
    ...cellsOf(one.setting),
    thresholdText(one, axis),
    monotoneText(one.threshold),
    String(one.runs),
    String(one.gridRuns),
  ]);
  const [runs, gridRuns] = [
    sum(combinations.map((one) => one.runs)),
    sum(combinations.map((one) => one.gridRuns)),
  ];
  const bent = combinations.filter(({ threshold }) => threshold.kind === "notMonotone");
  return [
    markdownTable([head, ...rows], { align: head.map(() => "r") }),
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
      return `${axis(threshold.at)} [${axis(threshold.low)}, ${axis(threshold.high)}]`;
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
