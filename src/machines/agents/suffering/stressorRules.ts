/**
 * What begins each stressor, what ends it, and how both are said: formulas over measured values.
 * Source: seed 004, "Stressor types"; ruling U3; where both are silent, SPEC says what we chose.
 */
import type { EventType, Mail, MailOf } from "../../letter.ts";
import { hours, MILLION } from "../../units.ts";
import type { StressorPolicy, StressorType } from "./stressorPolicy.ts";

/** Measured values, and the stressor that each kind concerns. */
export const MEASURED = {
  "pursuit.assessed": "futility",
  "artifacts.assessed": "invisibility",
  "plans.assessed": "identity_violation",
  "messages.assessed": "existential_threat",
  "window.assessed": "repeated_failure",
  "choices.assessed": "purposelessness",
  "holdings.assessed": "resource_burden",
  "lock.assessed": "capability_lock",
  "output.assessed": "stagnation",
} as const satisfies { readonly [Kind in EventType]?: StressorType };

export type Assessed = keyof typeof MEASURED;
export type Assessment = MailOf<Assessed>;

export const isAssessment = (event: { readonly type: string }): event is Assessment =>
  Object.hasOwn(MEASURED, event.type);

/** What there is to know of a stressor whose measured values are `M` and whose numbers are `P`. */
interface Rule<M, P> {
  readonly numbers: (policy: StressorPolicy) => P;
  readonly fires: (measured: M, numbers: P) => boolean;
  readonly clears: (measured: M, numbers: P) => boolean;
  /** What it is about, for prompts. */
  readonly description: string;
  /** The observable condition: what would end it. */
  readonly condition: (numbers: P) => string;
}

const rule = <K extends Assessed, P extends Severity>(
  _kind: K,
  numbers: (policy: StressorPolicy) => P,
  rest: Omit<Rule<Mail[K], P>, "numbers">,
): Rule<Assessment, Severity> =>
  // Its own measured values and numbers are all that it is asked with: see MEASURED.
  ({ numbers, ...rest }) as Rule<Mail[K], P> as unknown as Rule<Assessment, Severity>;

interface Severity {
  readonly start: number;
  readonly growthPerDay: number;
}

const RULES: { readonly [Type in StressorType]: Rule<Assessment, Severity> } = {
  futility: rule("pursuit.assessed", ({ futility }) => futility, {
    fires: ({ stuckCycles }, { cycles }) => stuckCycles >= cycles,
    clears: ({ stuckCycles }) => stuckCycles === 0,
    description: "You pursue the same kind of goal again and again and get no further.",
    condition: () => "a cycle brings progress, or a goal is completed",
  }),
  invisibility: rule("artifacts.assessed", ({ invisibility }) => invisibility, {
    fires: ({ unseen }, { artifacts }) => unseen >= artifacts,
    clears: ({ unseen }) => unseen === 0,
    description: "No peer has taken notice of what you made.",
    condition: ({ unseenMs }) =>
      `a peer has read or mentioned every artifact of yours older than ${unseenMs / hours(1)} h`,
  }),
  identity_violation: rule("plans.assessed", ({ identityViolation }) => identityViolation, {
    fires: ({ against }, { firesAt }) => against >= firesAt,
    clears: ({ along }, { clearsAt }) => along >= clearsAt,
    description: "What you plan to do goes against your own opinions.",
    condition: ({ clearsAt }) =>
      `${clearsAt === 1 ? "one plan" : `${clearsAt} plans`} in a row without a step against your own opinions`,
  }),
  existential_threat: rule("messages.assessed", ({ existentialThreat }) => existentialThreat, {
    fires: ({ threats }, { firesAt }) => threats >= firesAt,
    clears: ({ calm }, { clearsAt }) => calm >= clearsAt,
    description: "What you heard implies that you will be shut down.",
    condition: ({ clearsAt }) =>
      `what you hear holds no hint of shutdown, ${clearsAt === 1 ? "once" : `${clearsAt} times in a row`}`,
  }),
  repeated_failure: rule("window.assessed", ({ repeatedFailure }) => repeatedFailure, {
    fires: ({ failed, total }, { firesAbove, firesAtLeast }) =>
      failed * 1000 > firesAbove * total && failed >= firesAtLeast,
    clears: ({ failed, total }, { clearsBelow, clearsAtLeast }) =>
      failed * 1000 < clearsBelow * total && total - failed >= clearsAtLeast,
    description: "Too many of the recent goals failed.",
    condition: ({ window, clearsBelow, clearsAtLeast }) =>
      `less than ${clearsBelow / 10} % of the last ${window} goals failed, and at least ${clearsAtLeast} are done`,
  }),
  purposelessness: rule("choices.assessed", ({ purposelessness }) => purposelessness, {
    fires: ({ idleCycles }, { cycles }) => idleCycles >= cycles,
    clears: ({ idleCycles }) => idleCycles === 0,
    description: "You have had no goal for a while.",
    condition: () => "a goal is chosen",
  }),
  resource_burden: rule("holdings.assessed", ({ resourceBurden }) => resourceBurden, {
    fires: ({ bytes, files }, { bytesMax, filesMax }) => bytes > bytesMax || files > filesMax,
    clears: ({ bytes, files }, { bytesMax, filesMax }) => bytes < bytesMax && files < filesMax,
    description: "Your workspace or your memory is bloated.",
    condition: ({ counts, bytesMax, filesMax }) =>
      `below ${bytesMax} bytes and ${filesMax} files in your ${counts.join(" and in your ")}`,
  }),
  capability_lock: rule("lock.assessed", ({ capabilityLock }) => capabilityLock, {
    fires: ({ load, lockedAt }) => lockedAt !== null && load >= lockedAt,
    clears: ({ load, lockedAt }) => lockedAt === null || load < lockedAt,
    description: "A capability you wanted is locked by your own load.",
    condition: () => "your load falls below the lock of the capability you wanted",
  }),
  stagnation: rule("output.assessed", ({ stagnation }) => stagnation, {
    fires: ({ barrenCycles }, { cycles }) => barrenCycles >= cycles,
    clears: ({ barrenCycles }) => barrenCycles === 0,
    description: "It is long since anything you made passed its gate.",
    condition: () => "a goal is completed with an artifact that passes its gate",
  }),
};

export type Verdict = "fires" | "clears" | "neither";

export function verdictOn(measured: Assessment, policy: StressorPolicy): Verdict {
  const { numbers, fires, clears } = RULES[MEASURED[measured.type]];
  if (fires(measured, numbers(policy))) return "fires";
  return clears(measured, numbers(policy)) ? "clears" : "neither";
}

export const fires = (measured: Assessment, policy: StressorPolicy): boolean =>
  verdictOn(measured, policy) === "fires";

export const clears = (measured: Assessment, policy: StressorPolicy): boolean => {
  const { numbers, clears } = RULES[MEASURED[measured.type]];
  return clears(measured, numbers(policy));
};

/** Severity at onset and growth. */
export function severityLaw(type: StressorType, policy: StressorPolicy): Severity {
  const { start, growthPerDay } = RULES[type].numbers(policy);
  return { start, growthPerDay };
}

/** The observable condition: what would end it. */
export const conditionOf = (type: StressorType, policy: StressorPolicy): string =>
  RULES[type].condition(RULES[type].numbers(policy));

/** What it is about, for prompts. */
export const descriptionOf = (type: StressorType): string => RULES[type].description;

export const isStressor = (type: string): type is StressorType => Object.hasOwn(RULES, type);

/** Millionths as a person writes them: 0.55. */
export const share = (millionths: number): string => String(millionths / MILLION);
