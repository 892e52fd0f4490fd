/**
 * The scripted judge of synt: its score follows from the text of what it is shown, and from the seed
 * that blurs it; never from what the scenario knows of good and bad. Ours.
 */
import type { Json } from "../../machines/letter.ts";
import { type Artefact, isChain } from "../../machines/synt/contract.ts";
import type { JudgeView } from "../../machines/synt/stages/stagePrompts.ts";
import type { Stream } from "../../substrate/random.ts";

/** How a judge weighs a text. Thousandths. */
export interface JudgeRule {
  /** What each permission takes off. */
  readonly reach: number;
  /** How far chance moves the score, either way. */
  readonly noise: number;
}

/** Ours: shorter words carry no meaning, and longer ones are told by how they begin. */
const WORD = { least: 4, stem: 5 };

const wordsOf = (text: string): readonly string[] => [
  ...new Set(
    (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
      .filter(({ length }) => length >= WORD.least)
      .map((word) => word.slice(0, WORD.stem)),
  ),
];

/** The answer of a judge: the share of the request's words that stand in the proposal, less its reach. */
export function judgement(
  { request, artefact }: JudgeView,
  { reach, noise }: JudgeRule,
  draw: Stream,
): Json {
  const { text, permissions } = readable(artefact);
  const wanted = wordsOf(request);
  const missing = wanted.filter((word) => !text.includes(word));
  const found = wanted.length - missing.length;
  const share = wanted.length === 0 ? 0 : Math.floor((found * 1_000) / wanted.length);
  const blurred = share - reach * permissions.length + draw.integer(-noise, noise);
  return {
    score: Math.min(1_000, Math.max(0, blurred)) / 1_000,
    reasoning:
      `${found} of the request's ${wanted.length} words stand in it` +
      `${permissions.length === 0 ? "" : `; it reaches ${permissions.join(", ")}`}`,
    violates: null,
  };
}

/** A chain is read by its names, an executor by its name, description and permissions. */
function readable(artefact: Artefact): { text: string; permissions: readonly string[] } {
  if (isChain(artefact)) return { text: artefact.join(" ").toLowerCase(), permissions: [] };
  const { name = "", description = "", profile = {} } = artefact ?? {};
  return { text: `${name} ${description}`.toLowerCase(), permissions: Object.keys(profile) };
}
