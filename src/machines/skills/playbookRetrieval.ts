/** How prompts and agents get at lessons: by what they mean, else by their words, else the latest. Source: seed 001; K5, K14. */
import { ask, type Delivered, type Letter, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome } from "../service.ts";
import { type Lesson, PLAYBOOK_TITLE, renderLesson } from "./lesson.ts";
import { type NudgePolicy, nudgesFor } from "./nudge.ts";
import { countSurfacing, type PlaybookBy } from "./playbook.ts";
import { nameOf, PLAYBOOK, type PlaybookState, type Wanted } from "./playbookState.ts";
import { distanceBetween, type Found, type Retrieved, retrieveLessons } from "./retrieval.ts";
import { utilityOf } from "./utility.ts";

type Done = Outcome<PlaybookState>;
export interface RetrievalBy extends PlaybookBy {
  readonly playbook: PlaybookBy["playbook"] & NudgePolicy;
  /** Names of the capabilities that the world has from its start. */
  readonly builtins: readonly string[];
}
type By = RetrievalBy;

/** Asks for the meanings that it does not know; at once where there is nothing to compare. */
export function findLessons(
  state: PlaybookState,
  one: Wanted,
  at: { readonly seq: number; readonly nowMs: number },
  by: By,
): Done {
  if (state.book.length === 0 || one.query.trim() === "") {
    return serveLessons(
      state,
      one,
      at.seq,
      retrieveLessons(one.query, state.book, null, by.playbook),
      at,
      by,
    );
  }
  const unknown = state.book
    .map(({ trigger }) => trigger)
    .filter((trigger) => ownValue(state.vectors, trigger) === undefined);
  const event: MailOf<"llm.embed"> = {
    type: "llm.embed",
    purpose: "playbook.compare",
    texts: [...new Set([one.query, ...unknown])],
  };
  const waiting = { ...state.waiting, [String(at.seq)]: one };
  const letters = [ask({ to: "port/llm.embed", key: `playbook:${at.seq}`, event })];
  return { state: { ...state, waiting }, letters };
}

/** The meanings are known; without them, words alone are compared. */
export function compareMeanings(
  state: PlaybookState,
  { vectors, at }: Delivered<"embed.replied">,
  by: By,
): Done {
  const question = Number(at.key?.slice("playbook:".length));
  const one = ownValue(state.waiting, String(question));
  if (one === undefined) return { state, letters: [] };
  const { [String(question)]: _, ...waiting } = state.waiting;
  const known = Object.fromEntries(
    state.book.flatMap(({ trigger }) => {
      const vector = ownValue(state.vectors, trigger) ?? ownValue(vectors, trigger);
      return vector === undefined ? [] : [[trigger, vector]];
    }),
  );
  const distances = distancesOf(state.book, ownValue(vectors, one.query), known);
  const found = retrieveLessons(one.query, state.book, distances, by.playbook);
  return serveLessons({ ...state, waiting, vectors: known }, one, question, found, at, by);
}

/** Null where not everything has a meaning of the same kind. */
function distancesOf(
  book: readonly Lesson[],
  query: readonly number[] | undefined,
  known: { readonly [trigger: string]: readonly number[] },
): readonly number[] | null {
  const distances = book.flatMap(({ trigger }) => {
    const vector = ownValue(known, trigger);
    return query === undefined || vector?.length !== query.length
      ? []
      : [distanceBetween(query, vector)];
  });
  return distances.length === book.length ? distances : null;
}

function serveLessons(
  state: PlaybookState,
  one: Wanted,
  question: number,
  found: Retrieved,
  at: { readonly nowMs: number },
  by: By,
): Done {
  const because = found.found.map(({ lesson }) => nameOf(state, lesson).fact);
  if (one.for === "recall") {
    const lessons = found.found.map(({ lesson }) => lessonTold(state, lesson));
    const event: MailOf<"capability.answered"> = {
      ...{ type: "capability.answered", ok: true, result: { lessons } },
    };
    return { state, letters: [{ to: one.from, event, re: question, because }] };
  }
  const event: MailOf<"section.answered"> = {
    type: "section.answered",
    title: PLAYBOOK_TITLE,
    lines: found.found.map(({ lesson }) => renderLesson(lesson)),
    nudges: nudgesFor(one.goal, by.playbook, (name) => by.builtins.includes(name)),
  };
  const section: Letter = { to: one.from, event, re: question, because };
  const { fresh, shown } = countShown(state, one, found.found, by);
  const book = countSurfacing(state.book, new Set(fresh), at.nowMs);
  const letters = found.found.map((each) => {
    // What is told of a showing is what it has left behind.
    const after = book[state.book.indexOf(each.lesson)] ?? each.lesson;
    return surfacedLetter(state, one, found.way, each, { after, fresh, question }, by);
  });
  return { state: { ...state, book, shown }, letters: [section, ...letters] };
}

type Section = Extract<Wanted, { for: "section" }>;

/** The lessons that this prompt counts for: all of them, or those that no earlier prompt of the goal has shown. */
function countShown(
  state: PlaybookState,
  { agent, n }: Section,
  found: readonly Found[],
  { playbook }: By,
): { readonly fresh: readonly Lesson[]; readonly shown: PlaybookState["shown"] } {
  const lessons = found.map(({ lesson }) => lesson);
  if (playbook.countRetrieval === "injection") return { fresh: lessons, shown: state.shown };
  const before = ownValue(state.shown, agent);
  const known = before?.n === n ? before.lessons : [];
  const fresh = lessons.filter((lesson) => !known.includes(nameOf(state, lesson).id));
  const now = [...known, ...fresh.map((lesson) => nameOf(state, lesson).id)];
  return { fresh, shown: { ...state.shown, [agent]: { n, lessons: now } } };
}

interface Showing {
  /** The lesson, once this showing is counted. */
  readonly after: Lesson;
  readonly fresh: readonly Lesson[];
  readonly question: number;
}

function surfacedLetter(
  state: PlaybookState,
  { agent, n, purpose }: Section,
  way: Retrieved["way"],
  { lesson, score }: Found,
  { after, fresh, question }: Showing,
  by: By,
): Letter {
  const { id, fact } = nameOf(state, lesson);
  const { source, sourceChallengeHash: challenge } = lesson;
  const counts = fresh.includes(lesson);
  const utility = utilityOf(after, by.utility).total;
  return {
    to: PLAYBOOK,
    event: {
      ...{ type: "playbook.surfaced", lesson: id, source, challenge, agent, n, purpose, way },
      ...{ score, counts, utility },
    },
    because: [question, fact],
  };
}

/** A lesson as an agent reads it. */
export const lessonTold = (state: PlaybookState, lesson: Lesson) => ({
  lesson: nameOf(state, lesson).id,
  trigger: lesson.trigger,
  pattern: lesson.correctPattern,
  verified: lesson.verified,
});
