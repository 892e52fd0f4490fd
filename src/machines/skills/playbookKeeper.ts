/**
 * The keeper of the playbook: writes what the gates let through, shows lessons to prompts and agents, credits
 * those that were shown before a success, and lets go of what never helped. A service. Source: seed 001, path B.
 */
import { answer, type Delivered, type MailOf } from "../letter.ts";
import { type Outcome, onlyLogged, type Service } from "../service.ts";
import { hours } from "../units.ts";
import type { Lesson } from "./lesson.ts";
import { creditBook, type PlaybookBy, pruneBook, writeLesson } from "./playbook.ts";
import { compareMeanings, findLessons, lessonTold, type RetrievalBy } from "./playbookRetrieval.ts";
import {
  changeLetter,
  dropLetters,
  nameOf,
  type PlaybookState,
  withBook,
  withName,
} from "./playbookState.ts";
import { trimLessons } from "./trim.ts";

export interface PlaybookInput {
  /** Those that are there from the start, the newest first. */
  readonly lessons: readonly Lesson[];
}

interface Policies {
  readonly skills: Omit<RetrievalBy, "builtins">;
  readonly engine: Pick<RetrievalBy, "builtins">;
}

type Done = Outcome<PlaybookState>;

export const playbookService = ({
  skills,
  engine: { builtins },
}: Policies): Service<PlaybookState, PlaybookInput> => serviceBy({ ...skills, builtins });

const serviceBy = (by: RetrievalBy): Service<PlaybookState, PlaybookInput> => ({
  kind: "service",
  id: "playbook",
  init: ({ lessons }, at) => openBook(lessons, at.seq, by),
  on: {
    "section.asked": (state, { agent, purpose, n, goal, at }) => {
      const query = goal ?? "";
      const one = { for: "section", agent, n, purpose, goal, query, from: at.from } as const;
      return findLessons(state, one, at, by);
    },
    "capability.called": (state, event) => answerCall(state, event, by),
    "embed.replied": (state, event) => compareMeanings(state, event, by),
    "goal.reported": (state, event) => creditGoal(state, event, by),
    "dream.began": (state, { at }) => pruneBookNow(state, at.seq, by),
    "dream.ended": (state, event) => takeLesson(state, event, by),
    "dream.challenged": onlyLogged,
    "dream.tried": onlyLogged,
    "playbook.changed": onlyLogged,
    "playbook.surfaced": onlyLogged,
  },
  ignores: [],
});

/** No playbook is fuller than it may be, not even at its start. */
function openBook(lessons: readonly Lesson[], fact: number, by: PlaybookBy): Done {
  const { kept, dropped } = trimLessons(lessons, by.playbook, by.utility);
  const empty: PlaybookState = {
    book: kept,
    named: {},
    count: 0,
    vectors: {},
    waiting: {},
    shown: {},
  };
  // The oldest was written first.
  const state = lessons.toReversed().reduce((one, lesson) => withName(one, lesson, fact), empty);
  return { state, letters: dropLetters(state, dropped, fact, by) };
}

/** A lesson that came through the gates; one that did not prove that it helps, too (K4). */
function takeLesson(
  state: PlaybookState,
  { end, lesson, challenge, at }: Delivered<"dream.ended">,
  by: PlaybookBy,
): Done {
  if (lesson === null || (end !== "verified" && end !== "unverified")) {
    return { state, letters: [] };
  }
  const draft = {
    ...lesson,
    sourceChallengeHash: challenge,
    verified: end === "verified",
    verificationAttempted: true,
    source: "self_play",
  };
  const made = writeLesson(state.book, draft, at.nowMs, by);
  const next = withBook(withName(state, made.lesson, at.seq), made.book);
  const dropped = dropLetters(next, made.dropped, at.seq, by);
  return made.outcome === "blocked"
    ? { state: next, letters: dropped }
    : {
        state: next,
        letters: [changeLetter(next, made.lesson, { how: made.outcome }, at.seq, by), ...dropped],
      };
}

/** A goal that was completed soon after a lesson was shown is the lesson's success, too. */
function creditGoal(
  state: PlaybookState,
  { status, text, at }: Delivered<"goal.reported">,
  by: PlaybookBy,
): Done {
  if (status !== "completed") return { state, letters: [] };
  const { book, credited } = creditBook(state.book, { query: text }, at.nowMs, by);
  if (credited.length === 0) return { state, letters: [] };
  const next = withBook(state, book);
  const told = credited.map((lesson) =>
    changeLetter(next, lesson, { how: "credited" }, at.seq, by),
  );
  return { state: next, letters: told };
}

function pruneBookNow(state: PlaybookState, fact: number, by: PlaybookBy): Done {
  const { book, dropped } = pruneBook(state.book, by);
  if (dropped.length === 0) return { state, letters: [] };
  const next = withBook(state, book);
  return { state: next, letters: dropLetters(next, dropped, fact, by) };
}

// What agents call.

const SCOPES = ["all", "today", "verified"] as const;
const DAY_MS = hours(24);
/** Ours: of how many lessons an agent hears that asks for no number. */
const LISTED = 10;

function answerCall(
  state: PlaybookState,
  { capability, params, at }: Delivered<"capability.called">,
  by: RetrievalBy,
): Done {
  if (capability === "recall") {
    const { query } = params;
    if (typeof query !== "string" || query.trim() === "") {
      return { state, letters: answer(at, failure("recall needs query, a text")) };
    }
    return findLessons(state, { for: "recall", query, from: at.from }, at, by);
  }
  const { scope = "all", limit = LISTED } = params;
  const known = SCOPES.find((one) => one === scope);
  if (known === undefined) {
    const reason = `scope ${JSON.stringify(scope)} is none: ${SCOPES.join(", ")}`;
    return { state, letters: answer(at, failure(reason)) };
  }
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1) {
    const reason = `limit ${JSON.stringify(limit)} is none: a whole number from 1`;
    return { state, letters: answer(at, failure(reason)) };
  }
  const within = state.book.filter(
    ({ verified, writtenAtMs }) =>
      known === "all" ||
      (known === "verified" ? verified : writtenAtMs > at.nowMs - DAY_MS && writtenAtMs > 0),
  );
  const listed = within.slice(0, limit);
  const result = { total: within.length, lessons: listed.map((one) => lessonTold(state, one)) };
  const because = listed.map((one) => nameOf(state, one).fact);
  const event: MailOf<"capability.answered"> = { type: "capability.answered", ok: true, result };
  return { state, letters: answer(at, event, { because }) };
}

const failure = (error: string): MailOf<"capability.answered"> => ({
  ...{ type: "capability.answered", ok: false, error },
});
