/**
 * What suffering takes away, and what must be earned: asked before every call. Pure.
 * Source: seed 004, "Load locks", "Earned capabilities"; rulings U2, U10, U11.
 */
import { between, flag, integer, millionths, subset, type ValuesOf } from "../../policyLeaf.ts";
import { hours, MILLION } from "../../units.ts";
import { loadAt, type Suffering } from "../suffering/severity.ts";
import { share } from "../suffering/stressorRules.ts";
import { builtins } from "./builtins.ts";

/** The builtins that a list here may name. */
const CAPABILITIES = builtins.filter(({ isLockable }) => isLockable).map(({ name }) => name);

const threshold = { unit: "millionths", min: 0, max: MILLION, source: "RULINGS U2" };
const table = "seed 004, Load locks";

export const lockLeaves = {
  enabled: flag(true, {
    says: "Whether load locks capabilities, and research_topic must be earned.",
    source: table,
  }),
  shellBypass: flag(true, {
    says: "Whether shell_exec stays open when writing files is locked.",
    source: "RULINGS U11",
  }),
  prominent: integer(350_000, { ...threshold, says: "Load from which prompts speak of it." }),
  constrained: integer(550_000, { ...threshold, says: "Load of the first lock." }),
  dominant: integer(750_000, { ...threshold, says: "Load of the second lock." }),
  crisis: integer(900_000, { ...threshold, says: "Load of a crisis; it locks nothing more." }),
  constrainedLocks: subset(["synthesize_capability"], CAPABILITIES, {
    says: "Locked from `constrained` on.",
    source: table,
  }),
  dominantLocks: subset(["fs_write", "fs_edit"], CAPABILITIES, {
    says: "Locked from `dominant` on.",
    source: table,
  }),
  pathOut: subset(
    [
      "retire_capability",
      "fs_read",
      "ollama_chat",
      "memory_set",
      "memory_get",
      "invoke_claude",
      "propose_change",
      "shell_exec",
    ],
    CAPABILITIES,
    { says: "Never locked, whatever the lists above say.", source: table },
  ),
  research: {
    loadMax: integer(150_000, millionths, {
      says: "research_topic is open up to this load …",
      source: "seed 004, Earned capabilities",
    }),
    interactionsMin: integer(1, between(0, 10_000, "interactions"), {
      says: "… and with at least so many recent peer interactions.",
      source: "seed 004, Earned capabilities",
    }),
    recentMs: integer(hours(24), between(0, hours(24) * 365, "ms"), {
      says: "How long a peer interaction is recent.",
      source: "RULINGS U10",
    }),
  },
};

export type LockPolicy = ValuesOf<typeof lockLeaves>;

/** What an agent must earn: external grounding is a carrot, not a default. */
const EARNED = "research_topic";
const BYPASS = "shell_exec";

export interface Lock {
  /** `load`: too much load; `earn`: load or peers fall short of what must be earned. */
  readonly kind: "load" | "earn";
  /** Why the call is refused, as a sentence. */
  readonly reason: string;
  /** The load from which it is refused; null when load is not what keeps it. */
  readonly at: number | null;
  /** Millionths, at this moment. */
  readonly load: number;
}

/**
 * The load from which a capability is refused; undefined when no load refuses it. Lists may name the
 * kind of an entry in place of the entry.
 */
export function lockedFrom(
  capability: string,
  { locks }: LocksInTree,
  kind?: string,
): number | undefined {
  if (!locks.enabled) return undefined;
  const isIn = (names: readonly string[]): boolean =>
    names.includes(capability) || (kind !== undefined && names.includes(kind));
  if (capability === EARNED) return locks.research.loadMax + 1;
  if (capability === BYPASS && !locks.shellBypass) return locks.dominant;
  if (isIn(locks.pathOut)) return undefined;
  const from = [
    ...(isIn(locks.constrainedLocks) ? [locks.constrained] : []),
    ...(isIn(locks.dominantLocks) ? [locks.dominant] : []),
  ];
  return from.length === 0 ? undefined : Math.min(...from);
}

/** Whether it must be earned, and is no part of the table of locks. */
export const isEarned = (capability: string): boolean => capability === EARNED;

interface LocksInTree {
  readonly locks: LockPolicy;
}

/**
 * What refuses a call at this moment, or undefined. `interactions`: when the agent read a peer's
 * artifact or answered a message.
 */
export function lockOn(
  capability: string,
  who: {
    readonly suffering: readonly Suffering[];
    readonly interactions: readonly { readonly atMs: number }[];
  },
  nowMs: number,
  policy: LocksInTree,
  kind?: string,
): Lock | undefined {
  const at = lockedFrom(capability, policy, kind);
  if (at === undefined) return undefined;
  const load = loadAt(who.suffering, nowMs);
  if (!isEarned(capability)) {
    if (load < at) return undefined;
    const reason = `${capability} is locked: your load is ${share(load)}, and ${share(at)} locks it`;
    return { kind: "load", reason, at, load };
  }
  const { loadMax, interactionsMin, recentMs } = policy.locks.research;
  if (load >= at) {
    const reason = `${capability} is not earned: your load is ${share(load)}, above ${share(loadMax)}`;
    return { kind: "earn", reason, at, load };
  }
  const recent = who.interactions.filter(({ atMs }) => nowMs - atMs <= recentMs);
  if (recent.length >= interactionsMin) return undefined;
  const reason =
    `${capability} is not earned: ${recent.length} of ${interactionsMin} peer interactions ` +
    `within ${recentMs / hours(1)} h`;
  return { kind: "earn", reason, at: null, load };
}

export type Level = "calm" | "prominent" | "constrained" | "dominant" | "crisis";

/** How far a load reaches, for prompts and reports. */
export function levelAt(load: number, { locks }: LocksInTree): Level {
  if (load >= locks.crisis) return "crisis";
  if (load >= locks.dominant) return "dominant";
  if (load >= locks.constrained) return "constrained";
  return load >= locks.prominent ? "prominent" : "calm";
}
