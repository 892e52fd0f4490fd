/** What a report is made of. */

import type { Told } from "../../contract/edge/edgePart.ts";
import type { Figures } from "../../contract/figures.ts";
import type { Step } from "../../contract/picture.ts";
import type { Verdict } from "../../run/expect.ts";
import type { Explanation } from "../../run/why.ts";
import type { Input } from "../../substrate/port.ts";
import type { CauseOf } from "./pictureLanes.ts";

/** A variant that was played beside the run, as a report tells of it. */
interface PlayedBeside {
  readonly variant: string | null;
  readonly figures: Figures;
  /** The variant's own expectations. */
  readonly verdicts: readonly Verdict[];
  /** Whether an agent left its recording; not when absent. */
  readonly isUnknown?: boolean;
  /** As its part draws it; absent where nobody asked. */
  readonly series?: readonly Step[];
}

export interface ReportInput extends Told {
  /** The scenario as the user named it: a name or a path. */
  readonly called: string;
  readonly seed: number;
  /** The recording: models are told from it. */
  readonly inputs: Iterable<Input>;
  /** Who answered at each port. */
  readonly providers: { readonly [port: string]: string };
  /** What goes before everything else. */
  readonly lead?: string;
  /** The whole story first, then others worth reading. */
  readonly explanations: readonly Explanation[];
  /** What the answer to a question of `why` rests on first. */
  readonly causeOf?: CauseOf | undefined;
  /** The same world in the scenario's variants; empty when they were not run. */
  readonly counterfactuals: readonly PlayedBeside[];
  /** Where the bundle lies, as the user would type it; null when none was written. */
  readonly bundle: string | null;
}
