/** How far one step brings a goal. Source: seed 004, "Goal completion gate"; ruling U6. */

import { flag, integer, subset, type ValuesOf } from "../../policyLeaf.ts";
import { MILLION } from "../../units.ts";
import { builtins } from "../engine/builtins.ts";

const unit = "millionths";

/** What real systems count as output, and no builtin here is. */
const OF_REAL_SYSTEMS = ["vote_on_proposal", "shared_log_write", "wrap_repo"];

export const progressLeaves = {
  outputStep: integer(200_000, {
    unit,
    min: 0,
    max: MILLION,
    says: "Progress of a successful step by an output capability.",
    source: "seed 004, Goal completion gate; RULINGS U6 (profile real 150000)",
  }),
  otherStep: integer(100_000, {
    unit,
    min: 0,
    max: MILLION,
    says: "Progress of any other successful step.",
    source: "seed 004, Goal completion gate; RULINGS U6",
  }),
  damping: flag(false, {
    says: "A successful step by the same capability as the one before counts repeatStep only.",
    source: "RULINGS U6, profile real",
  }),
  repeatStep: integer(20_000, {
    unit,
    min: 0,
    max: MILLION,
    says: "Progress of a repeated capability, when damping is on.",
    source: "RULINGS U6, profile real",
  }),
  ceilingBeforeOutput: integer(MILLION, {
    unit,
    min: 0,
    max: MILLION,
    says: "Highest progress before the first successful step by an output capability.",
    source: "RULINGS U6 (profile real 900000)",
  }),
  outputCapabilities: subset(
    builtins.filter(({ output }) => output === "usual").map(({ name }) => name),
    [...builtins.filter(({ output }) => output).map(({ name }) => name), ...OF_REAL_SYSTEMS],
    {
      says: "Capabilities whose steps count as output.",
      source: "seed 004, Goal completion gate; fs_edit is ours (the seed's list ends in etc.)",
    },
  ),
};

export type ProgressPolicy = ValuesOf<typeof progressLeaves>;

/** Where a goal stands, in millionths. */
export interface Progress {
  readonly progress: number;
  /** Successful steps by output capabilities. */
  readonly outputs: number;
  readonly lastCapability: string | null;
}

export const startOfProgress: Progress = { progress: 0, outputs: 0, lastCapability: null };

/** After one successful step by `capability`, an entry of this kind. Failed steps do not move a goal. */
export function afterStep(
  from: Progress,
  capability: string,
  policy: ProgressPolicy,
  kind: string = capability,
): Progress {
  const output: readonly string[] = policy.outputCapabilities;
  const isOutput = output.includes(capability) || output.includes(kind);
  const repeated = policy.damping && capability === from.lastCapability;
  const full = isOutput ? policy.outputStep : policy.otherStep;
  const outputs = from.outputs + (isOutput ? 1 : 0);
  const ceiling = outputs > 0 ? MILLION : policy.ceilingBeforeOutput;
  const progress = Math.min(ceiling, from.progress + (repeated ? policy.repeatStep : full));
  return { progress: Math.max(from.progress, progress), outputs, lastCapability: capability };
}
