/** What a report is made of. */

import type { Told } from "../../contract/edge/edgePart.ts";
import type { Explanation } from "../../run/why.ts";
import type { Input } from "../../substrate/port.ts";
import type { Played } from "../pool/playWork.ts";

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
  /** The same world in the scenario's variants; empty when they were not run. */
  readonly counterfactuals: readonly Pick<Played, "variant" | "figures" | "verdicts">[];
  /** Where the bundle lies, as the user would type it; null when none was written. */
  readonly bundle: string | null;
}
