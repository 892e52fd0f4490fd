/** What the keeper of macros says to itself, for the log. Each run is a call of the engine's, by its number. */
import type { Macro } from "./macro.ts";

declare module "../letter.ts" {
  interface Mail {
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
  }
}
