/**
 * A property: one promise about every world, as data. A world property watches the event log of a
 * run; a unit property draws inputs for one formula or machine; a run property judges how the run
 * itself went. Some promises of the sources are broken on purpose (a ruling says so): those are
 * findings, which a check must find.
 */
import type fc from "fast-check";
import type { SeenDelivery } from "../substrate/envelope.ts";
import type { Policy } from "./policy.ts";
import type { TraceFact } from "./trace.ts";

interface Promised {
  /** Lower case and hyphens; a finding starts with its ruling. */
  readonly id: string;
  /** The promise, in one sentence. */
  readonly says: string;
  /** Seed and section, ruling, or "ours". */
  readonly source: string;
  /**
   * `violated`: a source breaks it on purpose, and a check that does not find that says so. `noted`: it is no promise but
   * a finding on any log, and says what is wrong where it is found.
   */
  readonly expected: "holds" | "violated" | "noted";
}

/**
 * What each part knows of a run, up to the delivery at hand, by the part's name. Each part adds its own
 * by merging with this interface.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface SeenParts {}

/** One delivery, and the world around it. */
export interface Seen extends SeenParts {
  readonly delivery: SeenDelivery;
  /** What the delivery is in terms that every log shares; read where a finding is watched, else empty. */
  readonly facts: readonly TraceFact[];
}

/** A sentence when the promise is broken, true where it was put to the test, else undefined. */
export type Verdict = string | true | undefined;

export interface Watch {
  (seen: Seen): Verdict;
  /** What only the whole run tells, after its last delivery. */
  readonly ended?: () => Violation | undefined;
}

export interface WorldProperty extends Promised {
  readonly kind: "world";
  /** A fresh observer for one run under this policy. */
  readonly watch: (policy: Policy) => Watch;
}

export interface UnitProperty extends Promised {
  readonly kind: "unit";
  /** Throws, with a sentence, for an input that breaks the promise. */
  readonly draw: () => fc.IProperty<unknown>;
}

/** How a run went, and how it went again from its own recording. */
export interface RunSeen {
  readonly outcome: string;
  readonly error: string | null;
  readonly digest: string;
  readonly again: () => { readonly outcome: string; readonly digest: string };
}

export interface RunProperty extends Promised {
  readonly kind: "run";
  readonly judge: (run: RunSeen) => Verdict;
}

export type Property = WorldProperty | UnitProperty | RunProperty;

/** The first moment at which a promise is broken. */
export interface Violation {
  /** Null when no single delivery breaks it. */
  readonly seq: number | null;
  readonly atMs: number;
  readonly says: string;
}
