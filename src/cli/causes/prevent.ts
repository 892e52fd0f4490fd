/** `ghostlight prevent`: the least changes after which an outcome is gone. */

import { markdownTable } from "markdown-table";
import { countOf, percent } from "../../contract/countOf.ts";
import { interval, unknownText } from "../../edges/causes/blameText.ts";
import { command, commandSaid, optionWords } from "../../edges/command.ts";
import { EXIT } from "../../edges/exit.ts";
import { tableCell } from "../../edges/report/tableCell.ts";
import { preventOf } from "../../run/causes/asked.ts";
import { type Difference, relative } from "../../run/causes/costs.ts";
import type { Effect } from "../../run/causes/effect.ts";
import {
  answerOf,
  type OfVariant,
  type Prevented,
  type Verified,
} from "../../run/causes/prevent.ts";
import { Interrupted } from "../../run/causes/trial.ts";
import { variantOption } from "../options.ts";
import { note, print, printJson } from "../output.ts";
import { list, type SearchFlags, searching } from "./searching.ts";

export interface PreventFlags extends SearchFlags {
  readonly try?: readonly string[];
  readonly most?: number;
}

export async function preventCommand(
  named: string,
  outcome: string | undefined,
  flags: PreventFlags,
): Promise<number> {
  let found: readonly string[] = [];
  try {
    const told = await searching(named, outcome, flags, async (search) => {
      const { world, effect } = search;
      const { scenario, recorded } = world;
      const by = flags.try?.map((name) => variantOption(scenario, name));
      const onFound = (says: readonly string[]) => (found = says);
      const result = await preventOf({ ...search, onFound }, { ...flags, by });
      const asked = by !== undefined;
      return { named, isBundle: recorded !== null, scenario: scenario.name, effect, result, asked };
    });
    if (flags.json) printJson(preventJson(told));
    else print(preventText(told));
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    return toldUnverified(named, found, flags);
  }
}

/** What the search had found when it was interrupted; gives the exit code. */
export function toldUnverified(
  named: string,
  found: readonly string[],
  { json }: Pick<PreventFlags, "json">,
): number {
  if (json) printJson({ named, interrupted: true, foundUnverified: found });
  else if (found.length > 0) print(`In the search, and not verified, it was gone:\n${list(found)}`);
  note("interrupted before an answer was verified.");
  return EXIT.interrupted;
}

/* What `prevent` says, as a person reads it and as a program does. */

interface ToldPrevention {
  /** The scenario or bundle as the user named it. */
  readonly named: string;
  readonly isBundle: boolean;
  readonly scenario: string;
  readonly effect: Effect;
  readonly result: Prevented;
  /** Named variants alone were asked about. */
  readonly asked: boolean;
}

/** Ours: how many costs of one change a cell names. */
const COSTS_SHOWN = 3;
const CELL_CHARS_MAX = 160;

function preventText(told: ToldPrevention): string {
  const { result } = told;
  const { asItWas, verified, runs, unknown = 0 } = result;
  if (asItWas === null) return `${unknownText(unknown, runs)}${absentText(told)}`;
  const n = asItWas.n;
  const lines = [
    `${unknownText(unknown, runs)}${headText(told)}`,
    `As it was, it came about in ${asItWas.hits} of ${n} fresh runs ${interval(asItWas.share)}.`,
  ];
  if (verified.length > 0) lines.push(table(verified));
  const variants = [...result.variants.map(variantText), ...verified.flatMap(sufficientText)];
  if (variants.length > 0) lines.push(variants.join("\n"));
  if (result.unverified.length > 0) {
    const more = list(result.unverified);
    lines.push(
      `So did ${countOf(result.unverified.length, "other change")} in the search, which --most left unverified:\n${more}`,
    );
  }
  const next = nextText(told);
  if (next !== undefined) lines.push(next);
  lines.push(
    `${countOf(runs, "run")}. "Still there" and "effect" have 95 % intervals (Wilson, and Newcombe for pairs of one seed), each by itself. ` +
      "Costs and gains are means over the fresh seeds, where the paired difference is beyond chance. * marks what nothing else in the table beats.",
  );
  return lines.join("\n\n");
}

/** How to see one of them for oneself: the first that is a value of the policy. */
function nextText({ named, isBundle, result }: ToldPrevention): string | undefined {
  for (const one of result.verified) {
    if (answerOf(one) !== "gone") continue;
    const set = one.changes.flatMap((change) =>
      change.kind === "set" ? [`${change.path}=${[change.value].flat().join(",")}`] : [],
    );
    if (set.length < one.changes.length) continue;
    const verb = isBundle ? "replay" : "run";
    return `To see it: ${commandSaid`${verb} ${named} ${optionWords({ set })}`}.`;
  }
  return undefined;
}

const absentText = ({ result: { looked, unknown = 0 } }: ToldPrevention): string =>
  `In none of ${countOf(looked - unknown, "run")}${unknown > 0 ? " of which it is known" : ""} did it come about: there is nothing to prevent.`;

function headText({ result, asked }: ToldPrevention): string {
  const { verified, triedSingles, togetherTried } = result;
  const gone = verified.filter((one) => answerOf(one) === "gone").length;
  if (asked) {
    const unknown = verified.filter((one) => answerOf(one) === "unknown").length;
    return `Of ${countOf(verified.length, "variant")}, ${gone} ${gone === 1 ? "prevents" : "prevent"} it${openText(unknown)}.`;
  }
  const { unknownSingles = 0 } = result;
  const tried = `${countOf(triedSingles, "single change")}${unknownSingles > 0 ? ` (of ${unknownSingles} it is unknown)` : ""}`;
  if (togetherTried === null) {
    return gone > 0
      ? `Of ${tried}, ${countOf(gone, "one")} that ${gone === 1 ? "was" : "were"} verified ${gone === 1 ? "prevents" : "prevent"} it:`.replace(
          /\bones that/,
          "that",
        )
      : `Of ${tried} none prevents it for certain; these did in the search:`;
  }
  return verified.length > 0
    ? `None of ${tried} prevents it alone. Together these do, and none of them can be left out:`
    : `Nothing in reach ${unknownSingles > 0 ? "is known to prevent" : "prevents"} it: none of ${tried}, and not ${togetherTried} of them together.`;
}

/** Of how many it is unknown what they come to. */
const openText = (unknown: number): string => (unknown > 0 ? `; of ${unknown} it is unknown` : "");

function table(verified: readonly Verified[]): string {
  const rows = verified.map((one) => [
    one.onFront ? "*" : "",
    tableCell(
      one.variant === undefined ? one.says : `${one.variant} (${one.says})`,
      CELL_CHARS_MAX,
    ),
    ...(answerOf(one) === "unknown"
      ? ["unknown", "unknown", "unknown", "unknown"]
      : [
          `${one.hits} of ${one.still.n} ${interval(one.still)}`,
          `${percent(one.effect.estimate)} ${interval(one.effect)}`,
          differencesText(one.differences, true),
          differencesText(one.differences, false),
        ]),
  ]);
  const head = ["", "Change", "Still there", "Effect", "Costs", "Gains"];
  return markdownTable([head, ...rows], { align: ["l", "l", "r", "r", "l", "l"] });
}

function differencesText(all: readonly Difference[], isWorse: boolean): string {
  const own = all
    .filter((one) => one.isWorse === isWorse)
    .sort((a, b) => relative(b) - relative(a) || (a.metric < b.metric ? -1 : 1));
  if (own.length === 0) return "none seen";
  const shown = own
    .slice(0, COSTS_SHOWN)
    .map(({ metric, asItWas, changed }) => `${metric} ${number(asItWas)} → ${number(changed)}`);
  const more = own.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

const variantText = ({ variant, prevents, isUnknown, suffices }: OfVariant): string =>
  isUnknown
    ? `Whether the variant ${variant} prevents it is unknown.`
    : prevents
      ? `The variant ${variant} prevents it${enough(suffices)}.`
      : `The variant ${variant} does not prevent it.`;

const sufficientText = ({ variant, suffices }: Verified): readonly string[] =>
  suffices === undefined ? [] : [`Of the variant ${variant}${enough(suffices).replace(";", ":")}.`];

function enough(suffices: readonly string[]): string {
  if (suffices.length === 0) return "; on the seeds of the search not every time";
  if (suffices.length > 1) return `; each of these suffices alone: ${suffices.join("; ")}`;
  return `; it is enough to have ${suffices[0]}`;
}

const number = (value: number): string => `${Math.round(value * 100) / 100}`;

function preventJson({ named, scenario, effect, result }: ToldPrevention): object {
  const { verified, asItWas, ...rest } = result;
  return {
    ...{ of: named, scenario, outcome: effect.says },
    answer:
      asItWas === null
        ? "absent"
        : verified.some((one) => answerOf(one) === "gone")
          ? "prevented"
          : verified.length > 0 && verified.every((one) => answerOf(one) === "unknown")
            ? "unknown"
            : "nothing",
    asItWas,
    verified: verified.map((one) => ({ ...one, answer: answerOf(one) })),
    ...rest,
    again: command`prevent ${named}`,
  };
}
