/** What a keeper of lessons is given and what it knows. The order is in lessonKeeper.ts. */
import type { Delivered } from "../../letter.ts";
import type { LessonView } from "../model/judgePrompts.ts";
import type { Category, Learnt, Memory } from "./lessons.ts";

export interface LessonKeeperInput {
  readonly agent: string;
  /** The address that is told of every lesson. */
  readonly ledger: string;
  /** The texts of its two files; null for no such file. */
  readonly candidates: string | null;
  readonly lessons: string | null;
}

export type LessonKeeperEvent = Delivered<
  "goal.ended" | "lessons.asked" | "llm.replied" | "llm.failed" | "ask.bounced" | "daemon.stopped"
>;

/** An ended goal that waits for its lesson. */
export interface Waiting extends Omit<LessonView, "purpose" | "agent"> {
  readonly n: number;
  /** The goal.ended that told of it. */
  readonly fact: number;
}

export interface LessonKeeperContext extends Memory {
  readonly input: LessonKeeperInput;
  readonly waiting: readonly Waiting[];
  /** What became of the last one. */
  readonly note: Note | null;
  /** The deliveries that the rules rest on: the start, and what promoted a lesson since. */
  readonly facts: readonly number[];
}

/** `dropped`: too many goals were waiting. The others are what became of the model's answer. */
export type NoteOutcome = Learnt | "none" | "unreadable" | "failed" | "late" | "dropped";

export interface Note {
  readonly n: number;
  readonly outcome: NoteOutcome;
  readonly lesson: string | null;
  readonly category: Category | null;
  readonly because: readonly number[];
}
