/**
 * How another part attaches to the agents' world without a change in it: capabilities that it executes,
 * sections of prompts, permissions, reports of what agents did, births. All of it goes by letter to the
 * addresses named here; what is not named costs nothing. Ours.
 */
import { between, choice, integer, type ValuesOf } from "../policyLeaf.ts";
import { days, seconds } from "../units.ts";

/** What one part attaches. */
export interface AgentHooks {
  readonly builtins?: readonly BroughtBuiltin[];
  readonly kinds?: readonly RegistryKind[];
  readonly sections?: readonly SectionHook[];
  readonly permissions?: readonly PermissionHook[];
  readonly reports?: readonly ReportHook[];
  /** The addresses of the actors that may have agents born. */
  readonly births?: readonly string[];
  /** Folders in which no call of an agent changes anything, whatever else it may: an actor's own books. */
  readonly closed?: readonly string[];
}

/** A builtin that an actor of the other part executes: `capability.called`, `capability.answered`. */
export interface BroughtBuiltin extends BuiltinFacts {
  readonly servedBy: string;
}

/** Entries of the registry that come and go as their keeper says: `entries.asked`, `entries.listed`. */
interface RegistryKind {
  /** One word, such as `skill`; lists of locks and of output capabilities may name it. */
  readonly kind: string;
  /** The address of the actor that knows the entries, and executes the calls to them. */
  readonly keeper: string;
}

/** An entry of such a kind. */
export interface ListedEntry {
  readonly name: string;
  /** The text that the router scores. */
  readonly description: string;
  /** The text that stands in prompts: the description when absent, none when null. */
  readonly reads?: string | null;
  /** False: there is nothing behind the entry, it is a ghost. */
  readonly runs?: boolean;
}

/** What an agent asks its model: a goal, or the steps to it. */
export type PromptPurpose = "goal.choose" | "plan";

/** Asked before each prompt of these purposes: `section.asked`, `section.answered`. */
interface SectionHook {
  readonly from: string;
  readonly purposes: readonly PromptPurpose[];
}

/** A section of a prompt; one without lines is left out. */
export interface PromptSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Stands in an agent's prompts until one of these capabilities has served it, or its goal is over. */
export interface Nudge {
  readonly text: string;
  readonly dischargedBy: readonly string[];
}

/** Asked before each call of an agent: `permission.asked`, `permission.answered`. */
interface PermissionHook {
  readonly from: string;
  /** Of every agent, or only of those that were born at the request of this actor. */
  readonly of: "every" | "own";
  /** Before calls of these capabilities; before every call when absent. */
  readonly before?: readonly string[];
}

/** Hears when a step, a call or a goal is over: `step.reported`, `call.reported`, `goal.reported`. */
interface ReportHook {
  readonly to: string;
  readonly of: readonly ("step" | "call" | "goal")[];
}

/** Everything that all parts attach. */
export type AttachedHooks = Required<AgentHooks>;

export const allHooks = (attached: readonly AgentHooks[]): AttachedHooks => ({
  builtins: attached.flatMap(({ builtins = [] }) => builtins),
  kinds: attached.flatMap(({ kinds = [] }) => kinds),
  sections: attached.flatMap(({ sections = [] }) => sections),
  permissions: attached.flatMap(({ permissions = [] }) => permissions),
  reports: attached.flatMap(({ reports = [] }) => reports),
  births: attached.flatMap(({ births = [] }) => births),
  closed: attached.flatMap(({ closed = [] }) => closed),
});

/** The addresses that hear of the end of one of these. */
export const hearersOf = (
  { reports }: AttachedHooks,
  what: ReportHook["of"][number],
): readonly string[] => reports.filter(({ of }) => of.includes(what)).map(({ to }) => to);

const wait = { unit: "ms", min: 1, max: days(1), source: "ours" };

export const hookLeaves = {
  capabilityMs: integer(seconds(100), {
    ...wait,
    says: "How long the engine waits for the actor that executes a capability of another part.",
  }),
  permissionMs: integer(seconds(10), {
    ...wait,
    says: "How long the engine waits for an actor that may refuse a call.",
  }),
  permissionSilence: choice("refuse", ["refuse", "allow"], {
    says: "What it counts as when that actor is not there, or does not answer.",
    source: "ours: what is not allowed does not happen",
  }),
  sectionMs: integer(seconds(30), {
    ...wait,
    says: "How long an agent waits for sections of a prompt; it goes on without the ones that are missing.",
  }),
  bornMax: integer(20, between(0, 1_000, "agents"), {
    says: "How many agents that were born at request live at once.",
    source: "ours",
  }),
};

export type HookPolicy = ValuesOf<typeof hookLeaves>;

/** What is said of a builtin, whichever actor executes it. */
export interface BuiltinFacts {
  readonly name: string;
  /**
   * The text the router scores. Terse and technical, as manual pages are, and that is how a plainer
   * description can outscore it. The wording of no real system is copied.
   */
  readonly description: string;
  /** Its parameters, as prompts list them where tools are called by name: `path: string, content: string`. */
  readonly takes?: string;
  /** Whether the lists of locks may name it. */
  readonly isLockable?: true;
  /** Whether its steps count as output: unless the policy says otherwise, or only if it says so. */
  readonly output?: "usual" | "possible";
  /** Whether others come to read the texts that it is given. */
  readonly isPublic?: true;
}
