/**
 * What a part has to do with the YAML of a scenario: its fields, its outside events, what they demand of
 * one another, and what they are decoded to. The list of them is src/builtIn/scenarioParts.ts.
 */
import type * as Schema from "effect/Schema";
import type { Finding } from "../../edges/scenario/finding.ts";
import type { ScenarioSource } from "../../edges/scenario/scenarioSchema.ts";
import type { Given } from "../../edges/scenario/sourceFields.ts";
import type { Path } from "../../edges/scenario/yamlText.ts";
import type { FolderPolicy } from "../../machines/folders.ts";
import type { Attached } from "../part.ts";
import type { Policy } from "../policy.ts";
import type { OutsideEvent, Scenario, Sections } from "../scenario.ts";

/** The fields of the parts as they are written. Each part adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface SectionSources {}

/** What can be written of an agent besides its name; merged likewise. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface AgentSources {}

/** The outside events as they are written, under any names; merged likewise. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface EventSources {}

export type EventSource = EventSources[keyof EventSources];

type Untimed<E> = E extends unknown ? Omit<E, "at"> : never;
/** The time of an event is decoded by the core. */
export type UntimedEvent = Untimed<EventSource>;

/** For a part's `OutsideEvents`: the fields of its `EventSources`, where they are decoded as they stand. */
export type AsWritten<Sources> = {
  readonly [Does in keyof Sources]: Omit<Sources[Does], "id" | "at" | "does">;
};

/** In the order in which people read a scenario: before what it says of files, or behind it. */
interface AroundFiles<T> {
  readonly before?: T;
  readonly behind?: T;
}

export interface ScenarioPart {
  /** The same as the part's own name. */
  readonly name: string;
  readonly fields: AroundFiles<Schema.Struct.Fields>;
  /** What can be said of an agent besides its name. */
  readonly agentFields?: Schema.Struct.Fields;
  readonly events: AroundFiles<readonly Schema.Top[]>;

  /** The field that gives a world an actor, although it has no agents. */
  readonly peopledBy?: keyof SectionSources;
  /** What its fields hold in a world that another part peoples and that says nothing of agents. */
  readonly withoutAgents?: Partial<SectionSources>;
  /** What is so wrong with the whole that every other finding would be one more problem. */
  readonly wholeFindings?: (source: ScenarioSource) => Finding[];
  /** What is wrong with its fields, each of which is right. */
  readonly findings?: (source: ScenarioSource, frame: Frame) => Finding[];
  /** What is wrong with an outside event at this path; no finding for another part's. */
  readonly eventFindings?: (
    event: EventSource,
    path: Path,
    source: ScenarioSource,
    frame: Frame,
  ) => Finding[];

  /** Its fields, decoded. The caller has found nothing wrong with them. */
  readonly sectionsOf: (source: ScenarioSource) => Partial<Sections>;
  /** An event of its own, decoded, where it is not decoded as it stands. */
  readonly eventOf?: (event: UntimedEvent, atMs: number) => OutsideEvent | undefined;
  /**
   * The other way round, of whatever a program says is a scenario, and of its events without their times: what
   * is no such value stays as it is, and is found where files are judged. Without them a program can only hand
   * over sections and events that were read.
   */
  readonly sourceOf?: (scenario: Given) => object;
  readonly eventSourceOf?: (event: Given) => object | undefined;

  // Of a scenario as it is written, or as it is decoded.

  /** What its fields bring from outside: a variant leaves it out as it does events. The core checks ids and times. */
  readonly inputs?: (scenario: ScenarioSource | Scenario) => readonly InputSource[];
  /** Names of the choices that its models and people may make. */
  readonly choices?: (scenario: ScenarioSource | Scenario) => readonly string[];
  /** How often its actors ask models at most, by purpose, where what is written bounds that. */
  readonly asks?: (
    scenario: Scenario,
    planned: { readonly policy: Policy; readonly virtualMs: number },
  ) => { readonly [purpose: string]: number };

  /** How many there are of what, such as `agents`, before anything is played; nothing of an absent part. */
  readonly counts?: (scenario: Scenario) => { readonly [what: string]: number };
  /** What its actors may execute besides attached builtins: there from the start, or made by nobody's word. */
  readonly offers?: (scenario: Scenario, policy: Policy) => readonly Offered[];
  /** What is likely to come to nothing, one sentence each, before anything is played. */
  readonly foreseen?: (scenario: Scenario, played: Foreseeing) => readonly string[];
}

/** A capability as a router reads it. */
export interface Offered {
  readonly name: string;
  readonly description: string;
}

/** What is known of a run before it is played. */
export interface Foreseeing {
  readonly variant: string | null;
  readonly policy: Policy;
  /** What the parts attach to one another in this world. */
  readonly attached: Attached;
  /** What all of them offer there. */
  readonly offered: readonly Offered[];
}

/** Something that a part's fields bring from outside, such as what a user says. */
export interface InputSource {
  /** It comes from outside like an event, and shares its id with none. */
  readonly id: string;
  /** When, as it is written; absent where it has no time of its own, or is decoded. */
  readonly at?: string;
  /** The map that describes it, with its `id` and its `at`. */
  readonly path: Path;
}

/** What checks know of the whole scenario. */
export interface Frame {
  readonly endMs: number;
  /** The names of the agents. */
  readonly agents: readonly string[];
  /** The names of the builtins that there are, whether or not the scenario's policy leaves some out. */
  readonly builtins: readonly string[];
  /** Those beside /agentOS, of the scenario's policy and of each variant's. */
  readonly folders: FolderPolicy;
}
