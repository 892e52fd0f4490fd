/** An analysis in sentences: each holds by what was tried under the policy at hand, or is not said. */
import { MILLION } from "../../machines/units.ts";
import type { PlaybookAnalysis } from "./playbookAnalysis.ts";

export interface Finding {
  /** The same in every analysis. */
  readonly id: string;
  readonly says: string;
}

export const playbookFindings = (analysis: PlaybookAnalysis): readonly Finding[] => [
  ...deadClauses(analysis),
  ...deadTerms(analysis),
  ...negative(analysis),
  ...starved(analysis),
  ...halved(analysis),
  ...analysis.sentences.map(({ id, sentence, says }) => ({
    id,
    says: `“${sentence}” is not borne out: ${says}`,
  })),
];

const shareText = (millionths: number): string => String(millionths / MILLION);

const deadClauses = ({ clauses }: PlaybookAnalysis): readonly Finding[] =>
  clauses
    .filter(({ decides }) => decides === 0)
    .map(({ id, says, holds, tried }) => ({
      id,
      says:
        holds === 0
          ? `“${says}” never holds, in ${tried} cases tried.`
          : `“${says}” never decides: it holds in ${holds} of ${tried} cases tried, and nothing ends otherwise without it${id === "retire-young" ? " (K1)" : ""}.`,
    }));

const deadTerms = ({ terms, form }: PlaybookAnalysis): readonly Finding[] =>
  terms
    .filter(({ term, decides }) => decides === 0 && term !== "stale")
    .map(({ term, tried }) => ({
      id: "dead-term",
      says: `The term ${term} of the form ${form} never decides what is kept, in ${tried} playbooks tried.`,
    }));

const negative = ({ total }: PlaybookAnalysis): readonly Finding[] =>
  total.least >= 0
    ? []
    : [
        {
          id: "negative",
          says: `Utility falls to ${shareText(total.least)}, below nothing at all.`,
        },
      ];

function starved({ cap }: PlaybookAnalysis): readonly Finding[] {
  const { size, useful } = cap;
  const full = cap.rows.find(({ pins }) => pins === size);
  if (full === undefined || full.starved === 0) return [];
  return [
    {
      id: "starved",
      says:
        `The cap of ${size} starves ${full.starved} of ${useful} useful lessons that come once ${size} verified ones ` +
        "are there, however useless these are (K4).",
    },
  ];
}

function halved({ turns }: PlaybookAnalysis): readonly Finding[] {
  const { newest, kept, countedPerTurn, hitRateMost, staleBelowTurns } = turns;
  if (countedPerTurn === 1 || newest === 0) return [];
  const isOfAll = newest === kept;
  return [
    {
      id: "two-prompts",
      says:
        "A lesson that both prompts of a turn show counts twice and is credited once: its hit_rate is " +
        `${shareText(hitRateMost)} at most, and ` +
        (staleBelowTurns === null
          ? "it is always stale. "
          : `it is stale unless it helps in ${Number(staleBelowTurns.toFixed(4))} of these turns. `) +
        (isOfAll
          ? "The prompt for a goal shows every lesson (K14)."
          : `The prompt for a goal shows the ${newest} newest; an older one that the plan alone shows counts once (K14).`),
    },
  ];
}
