/** What is said within the part `skills`: every event that is its own, by type. */
import type { CallOutcome, Saving, SkillRow } from "./skillBook.ts";
import type { SkillRefusal, SkillStage } from "./skillContext.ts";
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
  }
}
