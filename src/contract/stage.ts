/** What of a scenario a run begins with. */
import type { Inhabited, OutsideEvent } from "./scenario.ts";

/** What of a scenario is put on the stage. */
export interface Stage extends Inhabited {
  /** When virtual time 0 is, in ms since 1970. */
  readonly startsAtMs: number;
  /** Texts by absolute virtual path. */
  readonly files: { readonly [path: string]: string };
  readonly events: readonly OutsideEvent[];
}
