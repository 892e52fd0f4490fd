/** What the dreamer says: to those who keep skills, lessons and macros, and to the log. Source: seed 001, path B. */
import type { Extracted, RoundEnd } from "./selfPlay.ts";

/** Which round of self-play: the dream, the round in it, and the challenge by its hash. */
export interface Round {
  readonly dream: number;
  readonly round: number;
  /** Empty while there is no challenge. */
  readonly challenge: string;
}

declare module "../letter.ts" {
  interface Mail {
    /** To skills, playbook and macros: the time for upkeep. */
    "dream.began": { readonly dream: number };
    /** To the playbook, for the log. */
    "dream.challenged": Round & { readonly domain: string; readonly text: string };
    /** One try of the solver, to the playbook, for the log. */
    "dream.tried": Round & {
      readonly attempt: number;
      /** Whether it was shown the lesson that is put to the test. */
      readonly isVerification: boolean;
      readonly passed: boolean;
      readonly error: string | null;
    };
    /** To the playbook, which writes what the gates let through. */
    "dream.ended": Round & {
      readonly end: RoundEnd;
      readonly reason: string | null;
      readonly attempts: number;
      /** What was extracted, refused or not. */
      readonly lesson: Extracted | null;
    };
  }
}
