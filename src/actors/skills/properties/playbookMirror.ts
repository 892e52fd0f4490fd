/**
 * The lessons of a playbook, recounted from the log: what was written by dreams, shown by prompts, and followed by goals
 * that were completed. What the playbook says of counts, confidence and utility is never read; which lessons it let go of is.
 */

import { startOf } from "../../../contract/startOf.ts";
import type { MailOf } from "../../../machines/letter.ts";
import { tellingWords, triggerKey } from "../../../machines/skills/lesson.ts";
import { PLAYBOOK } from "../../../machines/skills/playbookKeeper.ts";
import type { SkillsPolicy } from "../../../machines/skills/skillsPolicy.ts";
import { MILLION } from "../../../machines/units.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";

/** What utility and credit rest on. */
export interface LessonSeen {
  readonly trigger: string;
  readonly correctPattern: string;
  readonly confidence: number;
  readonly verified: boolean;
  readonly retrievals: number;
  readonly helpfulRetrievals: number;
  readonly lastRetrievedAtMs: number | null;
  readonly lastCreditedAtMs: number | null;
  readonly frequency: number;
}

export type LessonsSeen = ReadonlyMap<string, LessonSeen>;

/** What happened to the playbook, in its order; a prompt's lessons are known once its section has arrived. */
type Fact = { readonly seq: number; readonly nth: number; readonly atMs: number } & (
  | { readonly is: "shown"; readonly question: number; readonly by: string; readonly goal: number }
  | { readonly is: "done"; readonly text: string }
  | { readonly is: "written"; readonly dream: MailOf<"dream.ended"> }
);

/** A word of the playbook's own, and the facts that it must follow from. */
export interface WordSeen {
  readonly event: MailOf<"playbook.changed" | "playbook.surfaced">;
  readonly key: string;
  /** The lesson it is about, as it was; undefined where there is none. */
  readonly lesson: LessonSeen | undefined;
  /** The key of the lesson that was written at the same moment, or is the newest at the start; undefined for none. */
  readonly head: string | undefined;
  /** All lessons, after what was let go of until now. */
  readonly lessons: LessonsSeen;
  readonly isGone: boolean;
  /** Whether it is the last of what was said at that moment. */
  readonly isLast: boolean;
}

/** What is shown of a lesson begins so. */
const TRIGGER = /^TRIGGER \(.\): (.*)/;

export class PlaybookMirror {
  readonly #policy: SkillsPolicy;
  readonly #lessons = new Map<string, LessonSeen>();
  /** By its name: the key of the lesson. The third that was ever written is `lesson-3`. */
  readonly #named = new Map<string, string>();
  #facts: Fact[] = [];
  /** What was written last, and with which delivery. */
  #written = { key: "", seq: 0 };
  /** By question: the triggers that stood in the section. */
  readonly #sections = new Map<number, readonly string[]>();
  /** Who asked for a section, by the number of the question. */
  readonly #askers = new Map<number, { readonly agent: string; readonly n: number }>();
  /** The question for whose sake meanings were asked, by the number of that letter. */
  readonly #embeds = new Map<number, number>();
  /** By agent: what the prompts of its goal have shown. */
  readonly #shown = new Map<string, { readonly n: number; readonly keys: Set<string> }>();
  /** Words that are still to come, by the delivery that posted them, and which one of the playbook's that was. */
  readonly #awaited = new Map<number, { left: number; readonly nth: number }>();
  /** Numbers tell when a letter was posted: deliveries are counted in the order in which they arrive. */
  #nth = 0;

  constructor(policy: SkillsPolicy) {
    this.#policy = policy;
  }

  /** Gives the word of the playbook that arrives with this delivery, with what it must follow from. */
  observe(delivery: SeenDelivery): WordSeen | undefined {
    const { to, from, event, cause, re, seq } = delivery;
    if (to === "kernel") this.#born(delivery);
    if (from === PLAYBOOK && event.type === "section.answered" && re !== undefined) {
      const lines = event.lines.flatMap((line) => TRIGGER.exec(line)?.[1] ?? []);
      this.#sections.set(re, lines);
    }
    if (from === PLAYBOOK && event.type === "llm.embed") this.#embeds.set(seq, cause ?? 0);
    if (to !== PLAYBOOK) return undefined;
    const isWord = event.type === "playbook.changed" || event.type === "playbook.surfaced";
    if (isWord) return from === PLAYBOOK ? this.#told(event, cause ?? 0) : undefined;
    this.#happened(delivery);
    this.#awaits(seq, delivery.letters);
    return undefined;
  }

  #born({ event, seq, letters }: SeenDelivery): void {
    const start = startOf(event, "playbook");
    if (start === undefined) return;
    this.#lessons.clear();
    for (const lesson of start.lessons.toReversed()) this.#holds(lesson.trigger, lesson);
    this.#written = { key: triggerKey(start.lessons[0]?.trigger ?? ""), seq };
    this.#awaits(seq, letters);
  }

  /** Its name stays its own, even when it has left and comes back. */
  #holds(trigger: string, lesson: LessonSeen): void {
    const key = triggerKey(trigger);
    this.#lessons.set(key, lesson);
    const isNamed = [...this.#named.values()].includes(key);
    if (!isNamed) this.#named.set(`lesson-${this.#named.size + 1}`, key);
  }

  #awaits(seq: number, letters: SeenDelivery["letters"]): void {
    const words = letters.filter(({ type }) => type.startsWith("playbook."));
    if (words.length > 0) this.#awaited.set(seq, { left: words.length, nth: this.#nth });
  }

  #happened({ event, seq, dueMs: atMs, re, letters }: SeenDelivery): void {
    this.#nth += 1;
    const at = { seq, nth: this.#nth, atMs };
    if (event.type === "section.asked") this.#askers.set(seq, { agent: event.agent, n: event.n });
    const question = event.type === "embed.replied" ? this.#embeds.get(re ?? 0) : seq;
    const asker = this.#askers.get(question ?? 0);
    const isServed = letters.some(({ type }) => type === "section.answered");
    if (asker !== undefined && isServed) {
      const { agent: by, n: goal } = asker;
      this.#facts.push({ is: "shown", ...at, question: question ?? 0, by, goal });
    } else if (event.type === "goal.reported" && event.status === "completed") {
      this.#facts.push({ is: "done", ...at, text: event.text });
    } else if (event.type === "dream.ended") {
      this.#facts.push({ is: "written", ...at, dream: event });
    }
  }

  #told(event: WordSeen["event"], cause: number): WordSeen {
    const posted = this.#awaited.get(cause) ?? { left: 1, nth: this.#nth };
    this.#follow(posted.nth);
    posted.left -= 1;
    const isLast = posted.left === 0;
    if (isLast) this.#awaited.delete(cause);
    const key = this.#named.get(event.lesson) ?? "";
    const lesson = this.#lessons.get(key);
    const isGone = "how" in event && (event.how === "dropped" || event.how === "blocked");
    if (isGone) this.#lessons.delete(key);
    const head = this.#written.seq === cause ? this.#written.key : undefined;
    return { event, key, lesson, head, lessons: this.#lessons, isGone, isLast };
  }

  /** What happened until this delivery to the playbook, and with it. */
  #follow(last: number): void {
    const next = this.#facts.findIndex(({ nth }) => nth > last);
    const past = next === -1 ? this.#facts : this.#facts.slice(0, next);
    this.#facts = this.#facts.slice(past.length);
    for (const fact of past) {
      if (fact.is === "shown") this.#show(fact);
      else if (fact.is === "done") this.#credit(fact);
      else this.#write(fact);
    }
  }

  #show({ question, by, goal, atMs }: FactOf<"shown">): void {
    const keys = new Set((this.#sections.get(question) ?? []).map(triggerKey));
    this.#sections.delete(question);
    this.#askers.delete(question);
    const before = this.#shown.get(by);
    const isOnce = this.#policy.playbook.countRetrieval === "turn";
    const known = isOnce && before?.n === goal ? before.keys : new Set<string>();
    if (isOnce) this.#shown.set(by, { n: goal, keys: new Set([...known, ...keys]) });
    for (const key of keys) {
      const lesson = this.#lessons.get(key);
      if (lesson === undefined || known.has(key)) continue;
      const retrievals = lesson.retrievals + 1;
      this.#lessons.set(key, { ...lesson, retrievals, lastRetrievedAtMs: atMs });
    }
  }

  #credit({ text, atMs }: FactOf<"done">): void {
    const { creditWithinMs, creditWords, creditConfidence } = this.#policy.playbook;
    const words = new Set(tellingWords(text));
    for (const [key, lesson] of this.#lessons) {
      const { lastRetrievedAtMs: shownMs, lastCreditedAtMs: creditedMs } = lesson;
      const own = new Set([
        ...tellingWords(lesson.trigger),
        ...tellingWords(lesson.correctPattern),
      ]);
      const isDue = shownMs !== null && atMs - shownMs <= creditWithinMs;
      const isDone = shownMs !== null && creditedMs !== null && creditedMs >= shownMs;
      if (!isDue || isDone || [...words].filter((word) => own.has(word)).length < creditWords)
        continue;
      this.#lessons.set(key, {
        ...lesson,
        helpfulRetrievals: lesson.helpfulRetrievals + 1,
        confidence: held(lesson.confidence + creditConfidence),
        lastCreditedAtMs: atMs,
      });
    }
  }

  #write({ seq, dream: { end, lesson } }: FactOf<"written">): void {
    if (lesson === null || (end !== "verified" && end !== "unverified")) return;
    const { trigger, correctPattern } = lesson;
    const verified = end === "verified";
    const more = verified ? this.#policy.playbook.verifiedConfidence : 0;
    const confidence = held(lesson.confidence + more);
    const key = triggerKey(trigger);
    const known = this.#lessons.get(key);
    this.#written = { key, seq };
    if (known === undefined) {
      const counts = { retrievals: 0, helpfulRetrievals: 0, frequency: 1 };
      const times = { lastRetrievedAtMs: null, lastCreditedAtMs: null };
      this.#holds(trigger, { trigger, correctPattern, confidence, verified, ...counts, ...times });
      return;
    }
    const isLonger = correctPattern.length > known.correctPattern.length;
    const isProven = verified && !known.verified;
    this.#lessons.set(key, {
      ...known,
      correctPattern: isLonger ? correctPattern : known.correctPattern,
      confidence: isProven ? Math.max(known.confidence, confidence) : known.confidence,
      verified: known.verified || verified,
      frequency: known.frequency + 1,
    });
  }
}

type FactOf<Is extends Fact["is"]> = Extract<Fact, { readonly is: Is }>;

const held = (millionths: number): number => Math.max(0, Math.min(MILLION, millionths));
