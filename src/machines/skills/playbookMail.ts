/** What the playbook says to itself, so that the log shows what became of each lesson. Source: seed 001, path B. */
import type { Way } from "./retrieval.ts";
import type { DropCause } from "./trim.ts";

/** What can happen to a lesson. */
export type LessonChange = "written" | "reinforced" | "credited" | "blocked" | "dropped";

declare module "../letter.ts" {
  interface Mail {
    "playbook.changed": {
      /** `lesson-3`: the third that was ever written. */
      readonly lesson: string;
      readonly how: LessonChange;
      /** Why it left; null when it did not. */
      readonly cause: DropCause | null;
      readonly trigger: string;
      readonly source: string;
      readonly challenge: string;
      readonly verified: boolean;
      /** What it is worth keeping, in millionths. */
      readonly utility: number;
      /** Of the playbook, afterwards. */
      readonly size: number;
      readonly pins: number;
    };
    /** A lesson entered a prompt; one letter for each. */
    "playbook.surfaced": {
      readonly lesson: string;
      /** By these two, a reader of the log finds out whether self-play is ever of use. */
      readonly source: string;
      readonly challenge: string;
      readonly agent: string;
      readonly n: number;
      readonly purpose: Mail["section.asked"]["purpose"];
      readonly way: Way;
      /** Millionths; null where there was no query. */
      readonly score: number | null;
      /** Whether it counts as a retrieval. */
      readonly counts: boolean;
      /** What it is worth keeping once this showing is counted, in millionths. */
      readonly utility: number;
    };
  }
}
