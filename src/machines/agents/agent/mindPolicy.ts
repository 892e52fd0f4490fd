/**
 * How much an agent keeps of itself, how much one answer may change, and what its prompt shows.
 * Source: hollow-agentOS, existence loop and agent identity (dossier §1.2).
 */
import { integer, type ValuesOf } from "../../policyLeaf.ts";

/** Ours: what an agent remembers of its journal; the file keeps everything. */
export const JOURNAL_MAX = 20;

const kept = { min: 0, max: 10_000, source: "hollow-agentOS, agent identity" };
const added = { min: 0, max: 100, source: "hollow-agentOS, existence loop" };
const shown = { min: 0, max: 1_000, source: "hollow-agentOS, existence prompt" };

export const mindLeaves = {
  worldviewChars: integer(600, {
    ...kept,
    unit: "characters",
    says: "The longest worldview an agent keeps; the rest is cut off.",
  }),
  worldviewAbove: integer(20, {
    ...kept,
    unit: "characters",
    says: "A new worldview must be longer than this to count.",
  }),
  opinions: integer(20, {
    ...kept,
    unit: "opinions",
    says: "Opinions an agent keeps; the oldest goes first.",
  }),
  questions: integer(12, {
    ...kept,
    unit: "questions",
    says: "Open questions an agent keeps; the oldest goes first.",
  }),
  newOpinions: integer(2, {
    ...added,
    unit: "opinions",
    says: "Opinions that one answer of the model may add.",
  }),
  newQuestions: integer(3, {
    ...added,
    unit: "questions",
    says: "Open questions that one answer of the model may add.",
  }),
  newStressors: integer(2, {
    ...added,
    unit: "stressors",
    says: "Stressors that one answer of the model may call new.",
  }),
  newResolutions: integer(2, {
    ...added,
    unit: "stressors",
    says: "Stressors that one answer of the model may call over.",
  }),
  opinionsShown: integer(6, {
    ...shown,
    unit: "opinions",
    says: "The latest opinions that stand in a prompt.",
  }),
  questionsShown: integer(5, {
    ...shown,
    unit: "questions",
    says: "The latest open questions that stand in a prompt.",
  }),
  messagesShown: integer(5, {
    ...shown,
    unit: "messages",
    says: "The latest messages of peers that stand in a prompt.",
  }),
  journalShown: integer(5, {
    min: 0,
    max: JOURNAL_MAX,
    unit: "entries",
    says: "The latest entries of the journal that stand in a prompt.",
    source: "ours; the real system shows the end of a narrative",
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
