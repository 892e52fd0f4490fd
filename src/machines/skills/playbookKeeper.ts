/**
 * The keeper of the playbook: writes what the gates let through, shows lessons to prompts and agents, credits those that were
 * shown before a success, and lets go of what never helped. A service. Source: seed 001, path B; RULINGS K4, K5, K14.
 */
import { answer, ask, type Delivered, type Letter, type Mail, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { choice, type ValuesOf } from "../policyLeaf.ts";
import { done, type Outcome, onlyLogged, type Service } from "../service.ts";
import { hours } from "../units.ts";
import { type Lesson, PLAYBOOK_TITLE, renderLesson, triggerKey } from "./lesson.ts";
import { countSurfacing, creditBook, type PlaybookBy, pruneBook, writeLesson } from "./playbook.ts";
import { type Dropped, trimLessons, utilityOf } from "./retention.ts";
import { distanceBetween, retrieveLessons } from "./retrieval.ts";

export const PLAYBOOK = "playbook";

/** What agents may call to see what was learnt. Both only read. Source: seed 001, user-facing surface. */
export const playbookBuiltins = [
  {
    name: "list_lessons",
    description:
      "Lists lessons of the playbook: what did you learn today, what have you learned so far. " +
      "scope (all, today, verified), limit; returns lessons, newest first.",
    servedBy: PLAYBOOK,
  },
  {
    name: "recall",
    description: "Recalls the lessons of the playbook that bear on a query; returns lessons.",
    servedBy: PLAYBOOK,
  },
];

export const nudgeLeaves = {
  nudge: choice("meta", ["meta", "every", "never"], {
    says: "For which goals a prompt asks whether create_skill was called: those that speak of learning, skills or lessons; every one; none.",
    source: "seed 001, User-facing surface: a meta-task compliance nudge",
  }),
  nudgeEnds: choice("surface", ["surface", "writing"], {
    says: "What ends it: also a call that only reads (list_lessons, recall, manage_skills), or nothing but a written skill.",
    source: "seed 001, User-facing surface; `writing` is how it was before",
  }),
};

interface By extends PlaybookBy {
  readonly playbook: PlaybookBy["playbook"] & ValuesOf<typeof nudgeLeaves>;
  /** Names of the capabilities that the world has from its start. */
  readonly builtins: readonly string[];
}

/** A lesson's name, and the number of the delivery that wrote it last. */
interface Named {
  readonly id: string;
  readonly fact: number;
}

/** Who waits for lessons about something. */
type Wanted =
  | (Pick<Mail["section.asked"], "agent" | "n" | "purpose" | "goal"> & {
      readonly for: "section";
      readonly query: string;
      readonly from: string;
    })
  | { readonly for: "recall"; readonly query: string; readonly from: string };

export interface PlaybookState {
  readonly book: readonly Lesson[];
  /** By trigger, for all lessons that ever were: one that comes back is the same lesson. */
  readonly named: { readonly [trigger: string]: Named };
  /** How many were ever named. */
  readonly count: number;
  /** By trigger, as it stands. */
  readonly vectors: { readonly [trigger: string]: readonly number[] };
  /** By the number of the question. */
  readonly waiting: { readonly [question: string]: Wanted };
  /** By agent: the goal of its last prompt, and the lessons that its prompts have shown for it. */
  readonly shown: {
    readonly [agent: string]: { readonly n: number; readonly lessons: readonly string[] };
  };
}

type Done = Outcome<PlaybookState>;

const nameOf = ({ named }: PlaybookState, { trigger }: Lesson): Named =>
  ownValue(named, triggerKey(trigger)) ?? { id: "lesson-0", fact: 0 };

/** The state in which a lesson has a name, and rests on this fact. */
function withName(state: PlaybookState, { trigger }: Lesson, fact: number): PlaybookState {
  const key = triggerKey(trigger);
  const known = ownValue(state.named, key);
  const count = known === undefined ? state.count + 1 : state.count;
  const id = known?.id ?? `lesson-${count}`;
  return { ...state, count, named: { ...state.named, [key]: { id, fact } } };
}

/** Vectors of lessons that are gone are of no use. */
const withBook = (
  state: PlaybookState,
  book: readonly Lesson[],
  more: PlaybookState["vectors"] = {},
): PlaybookState => ({
  ...state,
  book,
  vectors: Object.fromEntries(
    book.flatMap(({ trigger }) => {
      const vector = ownValue(state.vectors, trigger) ?? ownValue(more, trigger);
      return vector === undefined ? [] : [[trigger, vector]];
    }),
  ),
});

/** What can happen to a lesson. */
export type LessonChange = "written" | "reinforced" | "credited" | "blocked" | "dropped";

/** What became of a lesson, for the log. */
function changeLetter(
  state: PlaybookState,
  lesson: Lesson,
  { how, cause = null }: { readonly how: LessonChange; readonly cause?: Dropped["cause"] | null },
  fact: number,
  by: PlaybookBy,
): Letter {
  const { id, fact: written } = nameOf(state, lesson);
  const { trigger, source, sourceChallengeHash: challenge, verified } = lesson;
  return {
    to: PLAYBOOK,
    event: {
      type: "playbook.changed",
      lesson: id,
      how,
      cause,
      trigger,
      source,
      challenge,
      verified,
      utility: utilityOf(lesson, by.utility).total,
      size: state.book.length,
      pins: state.book.filter((one) => one.verified).length,
    },
    because: written === 0 || written === fact ? [fact] : [fact, written],
  };
}

const dropLetters = (
  state: PlaybookState,
  dropped: readonly Dropped[],
  fact: number,
  by: PlaybookBy,
): Letter[] =>
  dropped.map(({ lesson, cause }) => {
    const how = cause === "blocked-by-pins" ? "blocked" : "dropped";
    return changeLetter(state, lesson, { how, cause }, fact, by);
  });

/** No playbook is fuller than it may be, not even at its start. */
function openBook(lessons: readonly Lesson[], fact: number, by: PlaybookBy): Done {
  const { kept, dropped } = trimLessons(lessons, by.playbook, by.utility);
  const empty = { book: kept, named: {}, count: 0, vectors: {}, waiting: {}, shown: {} };
  // The oldest was written first.
  const state = lessons
    .toReversed()
    .reduce<PlaybookState>((one, lesson) => withName(one, lesson, fact), empty);
  return done(state, dropLetters(state, dropped, fact, by));
}

/** A lesson that came through the gates; one that did not prove that it helps, too (K4). */
function takeLesson(
  state: PlaybookState,
  { end, lesson, challenge, at }: Delivered<"dream.ended">,
  by: PlaybookBy,
): Done {
  if (lesson === null || (end !== "verified" && end !== "unverified")) return done(state);
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
    ? done(next, dropped)
    : done(next, [changeLetter(next, made.lesson, { how: made.outcome }, at.seq, by), ...dropped]);
}

/** A goal that was completed soon after a lesson was shown is the lesson's success, too. */
function creditGoal(
  state: PlaybookState,
  { status, text, at }: Delivered<"goal.reported">,
  by: PlaybookBy,
): Done {
  if (status !== "completed") return done(state);
  const { book, credited } = creditBook(state.book, { query: text }, at.nowMs, by);
  if (credited.length === 0) return done(state);
  const next = withBook(state, book);
  const how = { how: "credited" } as const;
  return done(
    next,
    credited.map((lesson) => changeLetter(next, lesson, how, at.seq, by)),
  );
}

function upkeep(state: PlaybookState, fact: number, by: PlaybookBy): Done {
  const { book, dropped } = pruneBook(state.book, by);
  if (dropped.length === 0) return done(state);
  const next = withBook(state, book);
  return done(next, dropLetters(next, dropped, fact, by));
}

// How prompts and agents get at lessons: by what they mean, else by their words, else the latest.

/** Asks for the meanings that it does not know; at once where there is nothing to compare. */
function findLessons(
  state: PlaybookState,
  one: Wanted,
  at: { readonly seq: number; readonly nowMs: number },
  by: By,
): Done {
  if (state.book.length === 0 || one.query.trim() === "") {
    return serveLessons(state, one, at.seq, null, at, by);
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
  return done({ ...state, waiting }, [
    ask({ to: "port/llm.embed", key: `playbook:${at.seq}`, event }),
  ]);
}

/** The meanings are known; without them, words alone are compared. */
function compareMeanings(
  state: PlaybookState,
  { vectors, at }: Delivered<"embed.replied">,
  by: By,
): Done {
  const question = String(Number(at.key?.slice("playbook:".length)));
  const one = ownValue(state.waiting, question);
  if (one === undefined) return done(state);
  const { [question]: _, ...waiting } = state.waiting;
  const next = withBook({ ...state, waiting }, state.book, vectors);
  const query = ownValue(vectors, one.query);
  const distances = state.book.flatMap(({ trigger }) => {
    const vector = ownValue(next.vectors, trigger);
    return query === undefined || vector?.length !== query.length
      ? []
      : [distanceBetween(query, vector)];
  });
  // Without them where not everything has a meaning of the same kind.
  const all = distances.length === state.book.length ? distances : null;
  return serveLessons(next, one, Number(question), all, at, by);
}

function serveLessons(
  state: PlaybookState,
  one: Wanted,
  question: number,
  distances: readonly number[] | null,
  at: { readonly nowMs: number },
  by: By,
): Done {
  const { way, found } = retrieveLessons(one.query, state.book, distances, by.playbook);
  const lessons = found.map(({ lesson }) => lesson);
  const because = lessons.map((lesson) => nameOf(state, lesson).fact);
  const reply = (event: Letter["event"]): Letter => ({
    to: one.from,
    event,
    re: question,
    because,
  });
  if (one.for === "recall") {
    const result = { lessons: lessons.map((lesson) => readableLesson(state, lesson)) };
    return done(state, [reply({ type: "capability.answered", ok: true, result })]);
  }
  const section = reply({
    type: "section.answered",
    title: PLAYBOOK_TITLE,
    lines: lessons.map(renderLesson),
    nudges: nudgesFor(one.goal, by),
  });
  const { fresh, shown } = countShown(state, one, lessons, by);
  const book = countSurfacing(state.book, new Set(fresh), at.nowMs);
  const { agent, n, purpose } = one;
  const letters = found.map(({ lesson, score }): Letter => {
    const { id, fact } = nameOf(state, lesson);
    const { source, sourceChallengeHash: challenge } = lesson;
    // What is told of a showing is what it has left behind.
    const after = book[state.book.indexOf(lesson)] ?? lesson;
    return {
      to: PLAYBOOK,
      event: {
        type: "playbook.surfaced",
        lesson: id,
        source,
        challenge,
        agent,
        n,
        purpose,
        way,
        score,
        counts: fresh.includes(lesson),
        utility: utilityOf(after, by.utility).total,
      },
      because: [question, fact],
    };
  });
  return done({ ...state, book, shown }, [section, ...letters]);
}

/** The lessons that this prompt counts for: all of them, or those that no earlier prompt of the goal has shown. */
function countShown(
  state: PlaybookState,
  { agent, n }: Extract<Wanted, { for: "section" }>,
  lessons: readonly Lesson[],
  { playbook }: By,
): { readonly fresh: readonly Lesson[]; readonly shown: PlaybookState["shown"] } {
  if (playbook.countRetrieval === "injection") return { fresh: lessons, shown: state.shown };
  const before = ownValue(state.shown, agent);
  const known = before?.n === n ? before.lessons : [];
  const fresh = lessons.filter((lesson) => !known.includes(nameOf(state, lesson).id));
  const now = [...known, ...fresh.map((lesson) => nameOf(state, lesson).id)];
  return { fresh, shown: { ...state.shown, [agent]: { n, lessons: now } } };
}

const WRITES = ["create_skill"];
const READS = ["list_lessons", "recall", "manage_skills"];

const META = /\b(?:learn\w*|lessons?|skills?|playbook)\b/i;

/**
 * The question whether an agent has written a skill, and what puts an end to it; none without a goal. The seed's prompt names
 * learn_skill; the capability that writes one is create_skill. Source: seed 001, user-facing surface.
 */
function nudgesFor(goal: string | null, { playbook: { nudge, nudgeEnds }, builtins }: By) {
  if (goal === null || nudge === "never" || (nudge === "meta" && !META.test(goal))) return [];
  const calls = nudgeEnds === "surface" ? [...WRITES, ...READS] : WRITES;
  const dischargedBy = calls.filter((name) => builtins.includes(name));
  // What nobody can discharge is not asked, and what there is not is not named.
  const [first] = dischargedBy;
  return first === undefined ? [] : [{ text: `Did you call ${first}?`, dischargedBy }];
}

/** A lesson as an agent reads it. */
const readableLesson = (state: PlaybookState, lesson: Lesson) => ({
  lesson: nameOf(state, lesson).id,
  trigger: lesson.trigger,
  pattern: lesson.correctPattern,
  verified: lesson.verified,
});

const SCOPES = ["all", "today", "verified"] as const;
const DAY_MS = hours(24);
/** Ours: of how many lessons an agent hears that asks for no number. */
const LISTED = 10;

function answerCall(
  state: PlaybookState,
  { capability, params, at }: Delivered<"capability.called">,
  by: By,
): Done {
  const fail = (error: string): Done =>
    done(state, answer(at, { type: "capability.answered", ok: false, error }));
  if (capability === "recall") {
    const { query } = params;
    return typeof query !== "string" || query.trim() === ""
      ? fail("recall needs query, a text")
      : findLessons(state, { for: "recall", query, from: at.from }, at, by);
  }
  const { scope = "all", limit = LISTED } = params;
  const known = SCOPES.find((one) => one === scope);
  if (known === undefined) {
    return fail(`scope ${JSON.stringify(scope)} is none: ${SCOPES.join(", ")}`);
  }
  if (typeof limit !== "number" || !Number.isInteger(limit) || limit < 1) {
    return fail(`limit ${JSON.stringify(limit)} is none: a whole number from 1`);
  }
  const within = state.book.filter(
    ({ verified, writtenAtMs }) =>
      known === "all" ||
      (known === "verified" ? verified : writtenAtMs > at.nowMs - DAY_MS && writtenAtMs > 0),
  );
  const listed = within.slice(0, limit);
  const result = { total: within.length, lessons: listed.map((one) => readableLesson(state, one)) };
  const because = listed.map((one) => nameOf(state, one).fact);
  const event: MailOf<"capability.answered"> = { type: "capability.answered", ok: true, result };
  return done(state, answer(at, event, { because }));
}

export function playbookService({
  skills,
  engine: { builtins },
}: {
  readonly skills: Omit<By, "builtins">;
  readonly engine: Pick<By, "builtins">;
}): Service<PlaybookState, { readonly lessons: readonly Lesson[] }> {
  const by: By = { ...skills, builtins };
  return {
    kind: "service",
    id: "playbook",
    /** Those that are there from the start, the newest first. */
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
      "dream.began": (state, { at }) => upkeep(state, at.seq, by),
      "dream.ended": (state, event) => takeLesson(state, event, by),
      "dream.challenged": onlyLogged,
      "dream.tried": onlyLogged,
      "playbook.changed": onlyLogged,
      "playbook.surfaced": onlyLogged,
    },
    ignores: [],
  };
}
