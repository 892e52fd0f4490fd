/** What the warden knows of the agents that live because they were installed. Ours. */
import type { At } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { choice, type ValuesOf } from "../policyLeaf.ts";
import type { Outcome } from "../service.ts";
import type { ReachPolicy } from "./reach.ts";
import type { LivedRevision } from "./wardenMail.ts";

/** The warden's own address. */
export const WARDEN = "warden";
export const DAEMON = "daemon";

export const wardenLeaves = {
  tools: choice("withdrawn", ["withdrawn", "kept"], {
    says: "What becomes of tools that an agent registered as a revision, once that revision is rolled back.",
    source:
      "ours: a rollback ends what the revision did to all (withdrawn); seed 003 names no such case",
  }),
};

export interface WardenPolicy {
  readonly warden: ValuesOf<typeof wardenLeaves>;
  readonly reach: ReachPolicy;
}

/** JSON, so no interfaces. */
export type Household = {
  /** By what it is to live; null: not at all. */
  readonly wanted: LivedRevision | null;
  readonly how: "activated" | "rolledBack";
  /** The fact that says so. */
  readonly fact: number;
  /** By what it was born; null before it ever was. */
  readonly born: LivedRevision | null;
  readonly life: "none" | "asked" | "lives" | "ending";
  readonly children: readonly string[];
  /** Specs and code in the tools folder that were written as the revision it was born by. */
  readonly tools: readonly string[];
  /** The reports of those writes. */
  readonly toolFacts: readonly number[];
};

/** A child that is being born for a call. */
export type Spawning = { readonly root: string; readonly at: At };

export interface WardenState {
  readonly households: { readonly [agent: string]: Household };
  /** By the name of an agent that was spawned: the installed agent whose household it belongs to. */
  readonly roots: { readonly [child: string]: string };
  readonly spawning: { readonly [child: string]: Spawning };
}

export type WardenDone = Outcome<WardenState>;

export const NO_HOUSEHOLDS: WardenState = { households: {}, roots: {}, spawning: {} };

export const householdOf = (state: WardenState, agent: string): Household | undefined =>
  ownValue(state.households, agent);

/** The installed agent under whose reach this one lives: itself, or the one that had it spawned. */
export const rootOf = (state: WardenState, agent: string): string =>
  ownValue(state.roots, agent) ?? agent;

export const withHousehold = (
  state: WardenState,
  agent: string,
  household: Household,
): WardenState => ({ ...state, households: { ...state.households, [agent]: household } });

/** Those that live and those that are being born count alike: a limit that only the living meet is none. */
export const childrenOf = (state: WardenState, root: string): number =>
  (householdOf(state, root)?.children.length ?? 0) +
  Object.values(state.spawning).filter((one) => one.root === root).length;

/** It lives as what it is to live by; anything else is on its way out. */
export const isSettled = ({ life, wanted, born }: Household): boolean =>
  life === "lives" && wanted !== null && wanted.id === born?.id;
