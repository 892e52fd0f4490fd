/**
 * A world is made of parts. This is all that the core knows of one: whatever a run, a report, `why` or
 * `check` needs of a modelled system stands in its `Part`, and its behaviour in `src/machines/<part>/`.
 * Pure: what needs files, a terminal or plots is the part's other half, `src/edges/edgePart.ts`.
 */
import type fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import type { AnswerSchema } from "../machines/answerSchema.ts";
import type { Letter } from "../machines/letter.ts";
import type { LiveIdentity } from "../machines/livePolicy.ts";
import type { LeafTree } from "../machines/policyLeaf.ts";
import type { View } from "../machines/portMail.ts";
import type { AnyService } from "../machines/service.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { PromptProvider, Provider } from "../substrate/port.ts";
import type { NamedRandom } from "../substrate/random.ts";
import type { Counted, Figures } from "./figures.ts";
import type { Gauge, Metric } from "./gauge.ts";
import type { Overrides, Policy } from "./policy.ts";
import type { Property } from "./property.ts";
import type { OutsideEvent, Scenario, Sections } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import type { Moment, Stories } from "./story.ts";
import type { Words } from "./words.ts";
import type { WorldSource } from "./worldSource.ts";

export interface Part {
  /** One word; the name of its folder in `src/machines` and `src/actors`. */
  readonly name: string;

  // What there is.

  /** Its branches of the policy tree, and what the named profiles change there. */
  readonly policy?: LeafTree;
  readonly profiles?: { readonly [profile: string]: Overrides };
  /** Who may live in a world because of it, by the name under which actors are started. */
  readonly statecharts?: (policy: Policy) => { readonly [machine: string]: AnyStateMachine };
  readonly services?: (policy: Policy) => { readonly [machine: string]: AnyService };
  /** The ports that each of these may write to; none when it is not listed. */
  readonly ports?: { readonly [machine: string]: readonly string[] };
  readonly stage?: PartStage;

  // Who answers.

  /** What its actors ask models for, by purpose. */
  readonly purposes?: { readonly [purpose: string]: Purpose };
  /** Who answers the part's questions to models in a scripted run. */
  readonly scriptedModel?: (setting: Scripted) => PromptProvider<"llm.asked">;
  /** Who answers at other ports in a scripted run. */
  readonly scriptedPorts?: (setting: Scripted) => Ports;
  /** Who stands before what the edge provides at a port, and passes on what is not the part's. */
  readonly fronts?: (setting: Scripted, edge: Ports) => Ports;

  // What is told.

  /** How each of its events reads. */
  readonly words?: Words;
  readonly questions?: Questions;
  /** What can be measured, by name; the meter measures it from the log, and from what the scenario says. */
  readonly metrics?: { readonly [metric: string]: Metric };
  readonly meter?: (sections: Partial<Sections>, gauge: Gauge) => Observer;
  /** Gathers what a report tells; to the moments of the whole world it may add. */
  readonly story?: (moments: Moment[]) => Teller;
  /** Its share of the figures by which runs are compared. */
  readonly figures?: (counted: Counted) => Partial<Figures>;

  // What is promised.

  readonly properties?: readonly Property[];
  /** What its properties know of a world: a fresh observer for each run, and its record. */
  readonly seen?: () => { observe(delivery: Delivery): unknown };
  readonly worlds?: PartWorlds;
}

/** Follows the log of a run, delivery by delivery. */
export interface Observer {
  observe(delivery: Delivery): void;
}

/** Tells a part's share of the story of a run. */
export interface Teller extends Observer {
  /** Grows with every delivery. */
  readonly told: Partial<Stories>;
  /** Whether it tells of this input from outside itself: then it is no moment that everybody hears of. */
  tellsOf?(delivery: Delivery): boolean;
}

/** How a world opens because of the part, and what the outside may do to it. */
export interface PartStage {
  /** Files that are there from the start, by absolute path; they win over the scenario's own. */
  readonly files?: (stage: Stage) => { readonly [path: string]: string };
  /** What is posted at the opening, in order; `id` names the outside input. */
  readonly opening?: (stage: Stage) => readonly Outside[];
  /** The letter of one of its outside events; undefined for another part's. */
  readonly letterOf?: (event: OutsideEvent, stage: Stage) => Letter | undefined;
  /** The scenario without those of the part's own inputs that have these ids. */
  /** The stage as the models of a live run serve it. */
  readonly served?: <T extends Partial<Sections>>(stage: T, live: LiveIdentity) => T;
  readonly without?: <T extends Partial<Sections>>(stage: T, ids: ReadonlySet<string>) => T;
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
  /** Why its asker could not use an answer, in words; null for one that it can. */
  readonly unusable?: (text: string) => string | null;
  /** What is wrong with an answer that its asker could not use, for a report; that it is empty when absent. */
  readonly fault?: (text: string) => string;
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
  /** Names of choices that nobody makes in this run. */
  readonly without: ReadonlySet<string>;
}

/** What `why` can be asked of the part. */
export interface Questions {
  /** The kinds it knows, as `goal` in `goal:cedar/7`. */
  readonly kinds: readonly string[];
  /** The question that this delivery answers, when it is worth one. */
  readonly of: (delivery: Delivery) => string | undefined;
  /** The delivery that answers the question; undefined when nothing does. */
  readonly find: (deliveries: readonly Delivery[], question: string) => Delivery | undefined;
  /** Everything that can be asked of this log. */
  readonly all: (deliveries: readonly Delivery[]) => readonly string[];
  /** What a person wants explained first; undefined when nothing went wrong. */
  readonly trouble: (deliveries: readonly Delivery[]) => Delivery | undefined;
}

/** The part's share of the worlds in which promises are put to the test. */
export interface PartWorlds {
  /** Random worlds of the part; `set` wins over whatever is drawn. */
  readonly random?: (set: Overrides) => fc.Arbitrary<WorldSource>;
  /** Changes to its section of a scenario, for worlds near it. */
  readonly near?: (source: WorldSource, endMs: number) => fc.Arbitrary<object>;
  /** The source without what would come after an earlier end. */
  readonly cut?: (source: WorldSource, endMs: number) => WorldSource;
}
