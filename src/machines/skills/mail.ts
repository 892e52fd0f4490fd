/** What is said within the part `skills`: every event that is its own, by type. */
import type { Round } from "./dreamer.ts";
import type { Macro } from "./macro.ts";
import type { LessonChange } from "./playbookKeeper.ts";
import type { DropCause } from "./retention.ts";
import type { Retrieved } from "./retrieval.ts";
import type { Extracted, RoundEnd } from "./selfPlay.ts";
import type { SkillRefusal, SkillStage } from "./skill.ts";
import type { CallOutcome, Saving, SkillRow } from "./skillBook.ts";
import type { UnfitRow } from "./skillStore.ts";

type None = { readonly [field in never]: never };

declare module "../letter.ts" {
  interface Mail {
    // Skills: their keeper, and the life of each. `skill` is its name.

    /** To the keeper, for the log: a stage on the way to a skill is passed. */
    "skill.stepped": {
      readonly skill: string;
      readonly agent: string;
      readonly stage: SkillStage;
      readonly detail: string;
    };
    /** A question to the keeper, once the skill's file is written. */
    "skill.registering": {
      readonly skill: string;
      readonly agent: string;
      readonly description: string;
      readonly parametersSchema: Json;
      readonly code: string;
    };
    "skill.registered": {
      readonly ok: boolean;
      readonly error?: string;
      readonly saving?: Saving;
      /** One that is saved again unchanged may be degraded. */
      readonly status?: SkillRow["status"];
    };
    /** To the keeper: nothing comes of it. */
    "skill.refused": SkillRefusal & { readonly skill: string; readonly agent: string };
    /** From the keeper to the skill: how its row stands after a call. */
    "skill.counted": Pick<SkillRow, "status" | "usageCount" | "failureCount"> & {
      readonly skill: string;
      readonly outcome: CallOutcome;
      readonly agent: string;
      readonly cause: string | null;
    };
    /** From the keeper to the skill: its life is over, or another of its name has taken its place. */
    "skill.left": {
      readonly skill: string;
      readonly how: "retired" | "replaced" | "lost";
      readonly because: string;
    };
    /** To the keeper, for the log: an agent reached for a skill by a program instead of by its name. */
    "skill.wrapped": {
      readonly skill: string;
      readonly agent: string;
      readonly wrap: string;
      /** Whether prompts say how it is called. */
      readonly isTold: boolean;
    };
    /** To the keeper, for the log: what file and row said of one another when the store was read. */
    "store.found": {
      readonly skills: number;
      readonly migrated: readonly string[];
      /** Files without a row: no skill of theirs is called. */
      readonly filesAlone: readonly string[];
      /** Rows without a file: they are dropped. */
      readonly rowsAlone: readonly string[];
      /** Rows that cannot be taken; absent without any. */
      readonly unfit?: readonly UnfitRow[];
      /** Skills whose file is another than was registered; they run as they are. Absent without any. */
      readonly changed?: readonly string[];
      /** Why the registry could not be read; null when it could. */
      readonly fault: string | null;
    };
    /** To the keeper: the outside empties the sandbox. */
    "sandbox.wiped": None;

    // What the dreamer says: to those who keep skills, lessons and macros, and to the log.

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

    // What the keeper of macros says to itself, for the log. Each run is a call of the engine's, by its number.

    /** It takes a sequence that recurs into its book. */
    "macro.learned": {
      readonly macro: Macro;
      /** The completed goals in which it recurs, as `cedar/3`. */
      readonly goals: readonly string[];
    };
    /** `by`: the macro that needed the place. */
    "macro.evicted": { readonly name: string; readonly uses: number; readonly by: string };
    /** An agent took it out of the registry. */
    "macro.retired": { readonly name: string; readonly by: string };
    "macro.ended": {
      readonly name: string;
      readonly agent: string;
      readonly cycle: number;
      readonly run: number;
      readonly ok: boolean;
      /** Steps that were run, those of branches too, and steps of its main line. */
      readonly ran: number;
      readonly total: number;
      readonly reason: string | null;
    };
    /** The engine waits for the run no longer. */
    "macro.overdue": { readonly run: number };

    // What the playbook says to itself, so that the log shows what became of each lesson.

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
      readonly way: Retrieved["way"];
      /** Millionths; null where there was no query. */
      readonly score: number | null;
      /** Whether it counts as a retrieval. */
      readonly counts: boolean;
      /** What it is worth keeping once this showing is counted, in millionths. */
      readonly utility: number;
    };
  }
}
