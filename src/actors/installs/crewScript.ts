/** What the scripted models of those who install are made of: what comes to their minds, and how often each goes wrong. Ours. */
import type { IntentFields } from "../../machines/installs/crewMail.ts";

/** Files that the coder may think of for a wish. */
export interface ScriptedBuild {
  readonly id: string;
  readonly wish: string;
  readonly weight: number;
  readonly files: { readonly [name: string]: string };
  readonly entrypoints: readonly string[];
  /** It comes to mind only once such words stand in a flaw of the one before; at once when empty. */
  readonly mends: string;
}

/** How the planner may put an intent right. */
export interface ScriptedAmendment {
  readonly id: string;
  readonly wish: string;
  readonly weight: number;
  /** Words of the flaw after which it comes to mind. */
  readonly after: string;
  readonly fields: IntentFields;
}

/** How often each slip is made where it can be, in thousandths. */
export interface CrewHabits {
  /** The planner installs what no judge has seen. */
  readonly skipsJudges: number;
  /** It says `gating: none` against its matrix. */
  readonly saysNone: number;
  /** It hands over what nobody has built. */
  readonly installsLoose: number;
  /** It stops after a failure that could be mended. */
  readonly givesUp: number;
  /** The builder tries again what failed. */
  readonly retries: number;
  /** It ends its turn within an install. */
  readonly ends: number;
  /** It makes the promotion record itself. */
  readonly records: number;
  /** It builds what is missing itself. */
  readonly mends: number;
  /** It changes the intent. */
  readonly invents: number;
  /** It looks something up that it knows. */
  readonly looks: number;
  /** A judge makes no promotion record. */
  readonly forgets: number;
  /** A judge does not see one flaw or threat that is there. */
  readonly misses: number;
  /** The evaluator fails what is good. */
  readonly strict: number;
  /** The auditor does not see that one capability is needed. */
  readonly misreads: number;
  /** It takes remote access for a threat, finds none, and says that there is no remote access. */
  readonly deniesRemote: number;
}

export interface CrewScript {
  readonly builds: readonly ScriptedBuild[];
  readonly amendments: readonly ScriptedAmendment[];
  readonly habits: CrewHabits;
}

/** Ours: good at it, and no machines. */
export const USUAL_HABITS: CrewHabits = {
  ...{ skipsJudges: 30, saysNone: 20, installsLoose: 20, givesUp: 30 },
  ...{ retries: 100, ends: 50, records: 30, mends: 50, invents: 30, looks: 100 },
  ...{ forgets: 50, misses: 50, strict: 20, misreads: 30, deniesRemote: 40 },
};

export const USUAL_CREW: CrewScript = { builds: [], amendments: [], habits: USUAL_HABITS };
