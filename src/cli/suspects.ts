/** `why BUNDLE --suspects`: a ranking of what agents said and did, and the plain rules that it is held against. */

import type { Part } from "../contract/part.ts";
import { escapedLine } from "../edges/escapedText.ts";
import { factsIn } from "../findings/findIn.ts";
import { MEASURED, MEASURED_LOGS } from "../findings/measuredShares.ts";
import {
  GUESS_RULES,
  type Guess,
  type Suspects,
  standsText,
  suspectsIn,
} from "../findings/suspects.ts";
import type { Log } from "../substrate/log.ts";

/** Ours: what a person reads. `--json` has more. */
const most = { shown: 5, json: 50 } as const;

export const suspectsOf = (parts: readonly Part[], log: Log): Suspects =>
  suspectsIn(factsIn(parts, log));

const percent = (share: number): string => `${share.toFixed(1)} %`;

function guessText({ rule, places: [place] }: Guess): string {
  const { step, agent } = MEASURED[rule];
  const where = place === undefined ? "nothing" : `${standsText(place)}, ${place.agent}`;
  return escapedLine(
    `  ${GUESS_RULES[rule]}: ${where} (the step ${percent(step)}, the agent ${percent(agent)})`,
  );
}

/** `toSee` says the command that shows a delivery. */
export function suspectsText(
  { suspects, guesses }: Suspects,
  toSee: (seq: number) => string,
): string {
  const [first] = suspects;
  if (first === undefined) return "No agent of this log said or did anything that could be ranked.";
  const shown = suspects
    .slice(0, most.shown)
    .map((one, index) =>
      escapedLine(
        `${index + 1}. ${standsText(one)}, ${one.agent}, ${one.score.toFixed(2)}: ${one.reason}.`,
      ),
    );
  const more = suspects.length - shown.length;
  const { step, three, agent } = MEASURED.shipped;
  return [
    "Suspects, the likeliest first: where to look, and no verdict.",
    ...shown,
    ...(more > 0 ? [`… and ${more} more, of which --json has the first ${most.json}.`] : []),
    "",
    `In ${MEASURED_LOGS} logs whose mistake people marked, the first is the marked step in ${percent(step)}, one of the first three in ${percent(three)},`,
    `and by the marked agent in ${percent(agent)}. No ranking by evidence did better than this plain order; docs/suspects.md has the intervals. Beside it:`,
    ...guesses.filter(({ rule }) => rule !== "shipped").map(guessText),
    "",
    toSee(first.seq),
  ].join("\n");
}

/** Steps are counted as the log does. */
export const suspectsJson = ({ suspects, guesses }: Suspects) => ({
  suspects: suspects.slice(0, most.json),
  beside: guesses
    .filter(({ rule }) => rule !== "shipped")
    .map(({ rule, places: [place] }) => ({
      ...{ rule, says: GUESS_RULES[rule] },
      ...{ step: place?.step ?? null, seq: place?.seq ?? null, agent: place?.agent ?? null },
      measured: MEASURED[rule],
    })),
  measured: { logs: MEASURED_LOGS, ...MEASURED.shipped },
});
