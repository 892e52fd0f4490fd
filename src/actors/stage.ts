/** What of a scenario a run begins with. */
import type { OutsideEvent, Sections } from "./scenario.ts";

/** What of a scenario is put on the stage. */
export interface Stage extends Partial<Sections> {
  /** When virtual time 0 is, in ms since 1970. */
  readonly startsAtMs: number;
  readonly agents: readonly string[];
  /** Texts by absolute virtual path. */
  readonly files: { readonly [path: string]: string };
  readonly events: readonly OutsideEvent[];
}
