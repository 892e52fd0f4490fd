/**
 * Who an agent is between two thoughts: traits, opinions, open questions, a worldview, a journal.
 * It stands in virtual files, and after a restart it is what these say; agents may write there too.
 * Source: hollow-agentOS, agent identity (dossier §1.2); ruling U8.
 */
import { cutText } from "../../cutText.ts";
import type { Json, Letter } from "../../letter.ts";
import { flag, integer, type ValuesOf } from "../../policyLeaf.ts";
import { readObject } from "../../readJson.ts";
import {
  isText,
  type Opinion,
  opinionIn,
  type Reflection,
  textsIn,
} from "../model/modelAnswers.ts";

export interface Profile {
  readonly traits: readonly string[];
  /** Oldest first, like the questions. */
  readonly opinions: readonly Opinion[];
  readonly questions: readonly string[];
  readonly worldview: string;
  /** How the last goal ended, in words. */
  readonly lastOutcome: string | null;
  /** Which source the next fallback goal is looked for in first. */
  readonly rotation: number;
}

/** What a scenario may say of an agent before it starts. */
export type StartingProfile = Pick<Profile, "traits" | "opinions" | "questions">;

export const emptyProfile: Profile = {
  traits: [],
  opinions: [],
  questions: [],
  worldview: "",
  lastOutcome: null,
  rotation: 0,
};

/** Ours: no agent has more traits than this. */
const TRAITS_MAX = 12;
/** The real system keeps 400 characters of it, in last_outcome.txt. */
const OUTCOME_CHARS_MAX = 400;
const ENTRY_CHARS_MAX = 600;

const folder = (agent: string): string => `/agentOS/memory/identity/${agent}`;
export const profilePath = (agent: string): string => `${folder(agent)}/profile.json`;
export const journalPath = (agent: string): string => `${folder(agent)}/journal.jsonl`;

/** A field that does not fit counts as empty; so do all fields of a file that is no profile. */
export function readProfile(text: string | undefined, mind: MindPolicy): Profile {
  const fields = readObject(text ?? "") ?? {};
  const { worldview, lastOutcome, rotation } = fields;
  return {
    traits: textsIn(fields["traits"]).slice(0, TRAITS_MAX),
    opinions: last(listOf(fields["opinions"]).flatMap(opinionIn), mind.opinions),
    questions: last(textsIn(fields["questions"]), mind.questions),
    worldview: typeof worldview === "string" ? cutText(worldview, mind.worldviewChars) : "",
    lastOutcome: typeof lastOutcome === "string" ? cutText(lastOutcome, OUTCOME_CHARS_MAX) : null,
    rotation: Number.isSafeInteger(rotation) && Number(rotation) >= 0 ? Number(rotation) : 0,
  };
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

/** The last `count` items; none for 0, where `slice(-0)` would give all. */
export const last = <T>(items: readonly T[], count: number): readonly T[] =>
  items.slice(Math.max(0, items.length - count));

/** The latest entries of journal.jsonl, oldest first; a line that is no entry is passed over. */
export const readJournal = (text: string | undefined): readonly string[] =>
  last(
    (text ?? "")
      .split("\n")
      .map((line) => readObject(line)?.["text"])
      .filter(isText),
    JOURNAL_MAX,
  );

/** What the model's word about itself makes of a profile. */
export function profileAfter(profile: Profile, said: Reflection, mind: MindPolicy): Profile {
  const opinions = said.opinions.slice(0, mind.newOpinions);
  const questions = said.questions.slice(0, mind.newQuestions);
  const isWorldview = (said.worldview?.length ?? 0) > mind.worldviewAbove;
  const isNew = ({ opinion }: Opinion) => opinions.every((one) => one.opinion !== opinion);
  return {
    ...profile,
    opinions: last([...profile.opinions.filter(isNew), ...opinions], mind.opinions),
    questions: last(
      [...profile.questions.filter((one) => !questions.includes(one)), ...questions],
      mind.questions,
    ),
    worldview: isWorldview ? cutText(said.worldview ?? "", mind.worldviewChars) : profile.worldview,
  };
}

export const journalAfter = (
  journal: readonly string[],
  { reasoning }: Reflection,
): readonly string[] => (reasoning === null ? journal : last([...journal, reasoning], JOURNAL_MAX));

export const outcomeText = (text: string): string => cutText(text, OUTCOME_CHARS_MAX);

export const profileText = (profile: Profile): string => `${JSON.stringify(profile)}\n`;

export const profileLetter = (agent: string, profile: Profile): Letter => ({
  to: "files",
  event: {
    type: "files.write",
    path: profilePath(agent),
    text: profileText(profile),
  },
});

export const journalLetter = (agent: string, atMs: number, text: string): Letter => ({
  to: "files",
  event: {
    type: "files.append",
    path: journalPath(agent),
    text: `${JSON.stringify({ atMs, text: cutText(text, ENTRY_CHARS_MAX) })}\n`,
  },
});

/*
 * How much an agent keeps of itself, how much one answer may change, and what its prompt shows.
 * Source: hollow-agentOS, existence loop and agent identity (dossier §1.2).
 */

/** Ours: what an agent remembers of its journal; the file keeps everything. */
const JOURNAL_MAX = 20;

const upTo = (max: number, source: string) => (value: number, unit: string, says: string) =>
  integer(value, { min: 0, max, source, unit, says });
const kept = upTo(10_000, "hollow-agentOS, agent identity");
const added = upTo(100, "hollow-agentOS, existence loop");
const shown = upTo(1_000, "hollow-agentOS, existence prompt");

export const mindLeaves = {
  worldviewChars: kept(
    600,
    "characters",
    "The longest worldview an agent keeps; the rest is cut off.",
  ),
  worldviewAbove: kept(20, "characters", "A new worldview must be longer than this to count."),
  opinions: kept(20, "opinions", "Opinions an agent keeps; the oldest goes first."),
  questions: kept(12, "questions", "Open questions an agent keeps; the oldest goes first."),
  newOpinions: added(2, "opinions", "Opinions that one answer of the model may add."),
  newQuestions: added(3, "questions", "Open questions that one answer of the model may add."),
  newStressors: added(2, "stressors", "Stressors that one answer of the model may call new."),
  newResolutions: added(2, "stressors", "Stressors that one answer of the model may call over."),
  opinionsShown: shown(6, "opinions", "The latest opinions that stand in a prompt."),
  questionsShown: shown(5, "questions", "The latest open questions that stand in a prompt."),
  messagesShown: shown(5, "messages", "The latest messages of peers that stand in a prompt."),
  journalShown: integer(5, {
    min: 0,
    max: JOURNAL_MAX,
    unit: "entries",
    says: "The latest entries of the journal that stand in a prompt.",
    source: "ours; the real system shows the end of a narrative",
  }),
  callShown: flag(false, {
    says: "The latest call and what it came to stand in a prompt for a goal.",
    source: "ours, to go on as agents did whose calls came to the same",
  }),
  rulesShown: integer(20, {
    min: 0,
    max: 1_000,
    unit: "rules",
    says: "The latest rules of the environment that stand in a prompt.",
    source: "ours; seed 004 shows them all",
  }),
};

export type MindPolicy = ValuesOf<typeof mindLeaves>;
