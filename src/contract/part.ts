/**
 * A world is made of parts. This is all that the core knows of one: whatever a run, a report, `why` or
 * `check` needs of a modelled system stands in its `Part`, and its behaviour in `src/machines/<part>/`.
 * Pure: what needs files, a terminal or plots is the part's other half, `src/contract/edge/edgePart.ts`.
 */
import type fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import type { AnswerSchema } from "../machines/answerSchema.ts";
import type { EventType, Letter, Mail } from "../machines/letter.ts";
import type { LiveIdentity, LivePolicy, Tier } from "../machines/livePolicy.ts";
import type { LeafTree } from "../machines/policyLeaf.ts";
import type { View } from "../machines/portMail.ts";
import type { AnyService } from "../machines/service.ts";
import type { Delivery, SeenDelivery } from "../substrate/envelope.ts";
import type { Log } from "../substrate/log.ts";
import type { PromptProvider, Provider } from "../substrate/port.ts";
import type { NamedRandom } from "../substrate/random.ts";
import type { Book } from "./book.ts";
import type { Counted, Figures } from "./figures.ts";
import type { Done, Fruitless } from "./fruitless.ts";
import type { Gauge, Metric, MetricName } from "./gauge.ts";
import type { Due, Otherwise } from "./otherwise.ts";
import type { Overrides, Policy } from "./policy.ts";
import type { Leaves } from "./policyNeighbours.ts";
import type { SeenParts, UnitProperty, WorldProperty } from "./property.ts";
import type { Inhabited, OutsideEvent, Scenario, Sections } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import type { TraceReader } from "./trace.ts";
import type { Words } from "./words.ts";
import type { WorldEvent, WorldSource } from "./worldSource.ts";

/**
 * What can be attached to a part, by that part's name. A part that others may attach to says how by merging
 * with this interface.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Hooks {}

/** What is attached to each part, in the order of the parts that attach it. */
export type Attached = { readonly [Name in keyof Hooks]?: readonly Hooks[Name][] };

export interface Part {
  /** One word; the name of its folder in `src/machines` and `src/actors`. */
  readonly name: string;

  /**
   * It is of logs that were read in place of a run: whoever reads such a log asks these parts alone, and whoever reads a
   * run does not ask them.
   */
  readonly ofLogs?: true;

  // What there is.

  /** Whether a world has anything of the part; every world has when absent. */
  readonly isThere?: (world: Inhabited) => boolean;
  /** Its branches of the policy tree, and what the named profiles change there. */
  readonly policy?: LeafTree;
  readonly profiles?: { readonly [profile: string]: Overrides };
  /** Those branches of its policy that are others because of what any part may attach to it. */
  readonly widened?: (attached: Attached) => LeafTree;
  /** What it attaches to other parts, and to which worlds: all of them when `attachesTo` is absent. */
  readonly attaches?: Partial<Hooks>;
  readonly attachesTo?: (policy: Policy, sections: Partial<Sections>) => boolean;
  /** The actors that may live in a world because of it, by the name under which actors are started. */
  readonly statecharts?: (
    policy: Policy,
    attached: Attached,
  ) => { readonly [machine: string]: AnyStateMachine };
  readonly services?: (
    policy: Policy,
    attached: Attached,
  ) => { readonly [machine: string]: AnyService };
  /** The ports that each of these may write to; none when it is not listed. */
  readonly ports?: { readonly [machine: string]: readonly string[] };
  readonly stage?: PartStage;

  // What answers.

  /** What its actors ask models for, by purpose. */
  readonly purposes?: { readonly [purpose: string]: Purpose };
  /** What answers the part's questions to models in a scripted run. */
  readonly scriptedModel?: (setting: Scripted) => PromptProvider<"llm.asked">;
  /** Why these live models cannot serve a world of the part; null when they can. */
  readonly liveFault?: (scenario: Scenario, policy: Policy, live: LiveIdentity) => LiveFault | null;
  /**
   * What answers at other ports in a scripted run; `before` are those of the parts before it, to which one that
   * serves a port of theirs passes on what is not the part's.
   */
  readonly scriptedPorts?: (setting: Scripted, before: Ports) => Ports;
  /** Providers that stand before those of the edge at a port, and pass on what is not the part's. */
  readonly fronts?: (setting: Scripted, edge: Ports) => Ports;

  // What is told.

  /** How each of its events reads. */
  readonly words?: Words;
  /** What only the whole log can say of a delivery; it stands in place of its own words, and empty for silence. */
  readonly hindsight?: (deliveries: Log) => Past<string>;
  readonly questions?: Questions;
  readonly trail?: Trail;
  /** Which of its deliveries are calls, results and words, in terms that every log shares; a fresh reader for each log. */
  readonly trace?: () => TraceReader;
  /** What of its events counts where two logs are compared; all of them where absent. */
  readonly compared?: (event: Delivery["event"]) => object;
  /** What its actors did and nothing came of. */
  readonly fruitless?: (done: Done) => readonly Fruitless[];
  /** What can be measured, by name; the meter measures it from the log, and from what the scenario says. */
  readonly metrics?: { readonly [metric: string]: Metric };
  readonly meter?: (sections: Partial<Sections>, gauge: Gauge) => Observer | readonly Observer[];
  /** What the log says of it so far, as facts: what a report tells is read there. */
  readonly book?: Book;
  /** Its share of the figures by which runs are compared. */
  readonly figures?: (sections: Partial<Sections>, counted: Counted) => Partial<Figures>;

  /**
   * What its actors are doing, a line each, for a person who watches; `contexts` are by address, and so are
   * those who wait for a model.
   */
  readonly glance?: (
    contexts: { readonly [address: string]: object },
    nowMs: number,
    waits: ReadonlyMap<string, Waits>,
  ) => readonly string[];

  // What is promised.

  /** Loaded by the check that tests it: no other run waits for it. */
  readonly promises?: () => Promise<PartPromises>;
}

/** Follows the log of a run, delivery by delivery. */
export interface Observer {
  readonly observe: (delivery: SeenDelivery) => void;
  /** Of a meter: all that it goes by from one delivery to the next, in plain objects, lists, maps and sets; nothing when absent. */
  readonly kept?: object;
}

/** How a world opens because of the part, and what the outside may do to it. */
export interface PartStage {
  /** Files that are there from the start, by absolute path; they win over the scenario's own. */
  readonly files?: (stage: Stage, policy: Policy) => { readonly [path: string]: string };
  /** What is posted at the opening, in order; `id` names the outside input. */
  readonly opening?: (stage: Stage) => readonly Outside[];
  /** The letter of one of its outside events; undefined for another part's. */
  readonly letterOf?: (event: OutsideEvent, stage: Stage) => Letter | undefined;
  /** The stage as the models of a live run serve it. */
  readonly served?: <T extends Partial<Sections>>(stage: T, live: LiveIdentity) => T;
  /** The stage without those of the part's own inputs that have these ids. */
  readonly without?: <T extends Partial<Sections>>(stage: T, ids: ReadonlySet<string>) => T;
}

/** As errors of the edge are told. */
export interface LiveFault {
  readonly where: { readonly path: string };
  readonly found: string;
  readonly allowed: string;
  readonly todo: string;
}

/** A question to a model that has no answer yet. */
export interface Waits {
  readonly purpose: string;
  /** Milliseconds on the wall since it was asked. */
  readonly forMs: number;
}

export interface Outside {
  readonly id: string;
  readonly letter: Letter;
}

/** One kind of question to a model. */
export interface Purpose {
  /** The whole prompt, as a live model reads it. */
  readonly render: (view: View) => string;
  /** What a live model's answer must look like; words or code when absent. */
  readonly format?: AnswerSchema | "json";
  /** … to this one question, where that depends on the world; as `format` says when undefined. */
  readonly formatOf?: (view: View) => AnswerSchema | undefined;
  /** Why its asker could not use an answer, in words; null for one that it can. `view`: the question's, where it is known. */
  readonly unusable?: (text: string, view?: View) => string | null;
  /** What is wrong with an answer that its asker could not use, for a report; that it is empty when absent. */
  readonly fault?: (text: string, view?: View) => string;
  /** Which of the live models serves it; the one that plans when absent. */
  readonly tier?: (asked: Pick<Mail["llm.asked"], "tier">, tiers: LivePolicy["tier"]) => Tier;
  /** Whether its asker counts what the answer cost. */
  readonly countsTokens?: true;
}

export interface Ports {
  readonly [port: string]: Provider;
}

/** What scripted providers are made of. */
export interface Scripted {
  readonly scenario: Scenario;
  readonly policy: Policy;
  readonly random: NamedRandom;
  /** Names of choices that no provider makes in this run. */
  readonly without: ReadonlySet<string>;
}

/** What `why` can be asked of the part. */
export interface Questions {
  /** How a user may ask, as `goal:AGENT/N`; what stands before the colon is the kind, and the part's own. */
  readonly forms: readonly string[];
  /** What is so in a log that gives no cause to ask, as parts of one sentence. */
  readonly none: readonly string[];
  /** The question that this delivery answers, when it is worth one. */
  readonly of: (delivery: Delivery) => string | undefined;
  /** The delivery that answers the question; undefined when nothing does. */
  readonly find: (deliveries: Log, question: string) => Delivery | undefined;
  /** Everything that can be asked of this log. */
  readonly all: (deliveries: Log) => readonly string[];
  /** What was wanted and did not come about, such as goals that failed: explained before any trouble. */
  readonly failures?: (deliveries: Log) => readonly Delivery[];
  /** What counts these failures, in a run of which nobody keeps a log. */
  readonly failuresAre?: MetricName;
  /** What a person wants explained first where nothing failed; undefined when nothing went wrong. */
  readonly trouble: (deliveries: Log) => Delivery | undefined;
  /** What is explained where no part knows of trouble: what follows from something else, or good news. */
  readonly symptom?: (deliveries: Log) => Delivery | undefined;
}

/** By the numbers of deliveries, what the whole log says of them: a map, or what finds it when it is asked. */
export type Past<T> = Pick<ReadonlyMap<number, T>, "get">;

/** How a chain of causes, from an effect back to its origins, goes through the part's events. */
export interface Trail {
  /** Facts that explain, by type, the most telling first; others merely preceded. */
  readonly telling?: readonly EventType[];
  /** The address that a chain is about once it passes this delivery; undefined when it tells nothing of that. */
  readonly subject?: (delivery: Delivery) => string | undefined;
  /** Those of its facts on which this delivery rests: none when nothing is behind it, undefined for all. */
  readonly behind?: (
    delivery: Delivery,
    facts: readonly Delivery[],
    subject: string | undefined,
  ) => readonly Delivery[] | undefined;
  /** By number, where only the whole log can say it: the delivery that another rests on, in place of its facts. */
  readonly rests?: (deliveries: Log) => Past<number>;
  /** Whether it is something that went wrong, and so may be what went wrong first; undefined where another part says it. */
  readonly wrong?: (delivery: Delivery) => boolean | undefined;
  /** Whether what is behind it was inferred, and is stated nowhere. */
  readonly inferred?: (delivery: Delivery) => boolean;
  /** Those of the choices in one answer that the chain is about; undefined for all. */
  readonly chosen?: (
    delivery: Delivery,
    choices: readonly string[],
    subject: string | undefined,
  ) => readonly string[] | undefined;
  /** Names that scripted answers bear where the scenario has none: there is nothing to take out. */
  readonly nobody?: readonly string[];
  /** How else a letter could be; null where no name of it would hold in another run, undefined for what is not the part's. */
  readonly otherwise?: (letter: Due) => Otherwise | null | undefined;
}

/** What is promised of the part's worlds, and how it is put to the test. */
export interface PartPromises {
  /** Of runs themselves, the core promises. */
  readonly properties?: readonly (WorldProperty | UnitProperty)[];
  /** What its properties know of a world, under the part's name: a fresh observer for each run. */
  readonly seen?: () => Partial<SeenParts>;
  readonly worlds?: PartWorlds;
}

/** The part's share of the worlds in which promises are put to the test. */
export interface PartWorlds {
  /** Random worlds of the part, by the leaves that play a part in them; `set` wins over whatever is drawn. */
  readonly random?: (leaves: Leaves, set: Overrides) => fc.Arbitrary<WorldSource>;
  /** Values of a policy leaf that are worth a try besides those beside its default. */
  readonly tried?: (path: string) => readonly number[];
  /** Changes to its section of a scenario, for worlds near it. */
  readonly near?: (source: WorldSource, endMs: number) => fc.Arbitrary<object>;
  /** The source without those of its own inputs that an earlier end cuts off. */
  readonly cut?: (source: WorldSource, isKept: (input: WorldEvent) => boolean) => WorldSource;
  /**
   * What stands in for the host of random worlds, so that hundreds of them take seconds; `before` are those of the
   * parts behind it, to which it passes on what is not the part's.
   */
  readonly standIns?: (seed: number, before: Ports) => Ports;
}
