/** What a part measures, and the instrument with which it does. Every series is a step function of virtual time. */

import type { EventType, MailOf } from "../machines/letter.ts";
import type { Inhabited } from "./scenario.ts";

/** By how many an event changes a count, by type: `true` is one. What decides it sees the event and to whom it went. */
export type Counts = {
  readonly [K in EventType]?: number | ((event: MailOf<K>, to: string) => number | boolean);
};

/** What can be measured under one name. */
export interface Metric {
  readonly unit: string;
  /** Whether it also exists for each agent, which `actor:` then names; it does not when absent. */
  readonly perAgent?: boolean;
  /** Where it exists for each actor of another kind instead, which `actor:` then names: what one is called, and who is. */
  readonly each?: {
    readonly kind: string;
    readonly namesIn: (world: Inhabited) => readonly string[];
  };
  readonly says: string;
  /**
   * The events that count, once they are handled. One of each agent counts for the agent that the event names, else for the one
   * that it goes to. What is measured otherwise is left to the part's meter.
   */
  readonly counts?: Counts;
  /** Which way it costs somebody something; neither where absent. */
  readonly worse?: Worse;
  /** What a run comes to in which it is above 0 is unknown, neither good nor bad. */
  readonly isUnknown?: true;
}

/** More of it is worse, or less of it is. */
export type Worse = "more" | "less";

/** Makes metrics of one unit, of the world alone or of each agent too. */
export const metricsIn =
  (unit: string, per?: "agent") =>
  (says: string, counts?: Counts, worse?: Worse): Metric => ({
    ...{ unit, perAgent: per === "agent", says },
    ...(counts !== undefined && { counts }),
    ...(worse !== undefined && { worse }),
  });

/** Every metric by its name. Each part adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Metrics {}

/** The name of a metric, such as `calls.lost`. */
export type MetricName = keyof Metrics;

/** The world as an actor. */
export const WORLD = "";

/** Where a part's meter writes; an actor that is neither the world nor one of those that the metric is of is not measured. */
export interface Gauge {
  readonly agents: readonly string[];
  /** There is one more agent from now on. */
  join(agent: string, atMs: number): void;
  /** The value of one actor from this moment on. */
  set(metric: MetricName, actor: string, atMs: number, value: number): void;
  /** So many more, one when absent, of the actor and of the world. */
  add(metric: MetricName, actor: string, atMs: number, by?: number): void;
  /** The value of one actor from this moment on; the world's is the sum over all of them. */
  count(metric: MetricName, actor: string, atMs: number, value: number): void;
  /** In force at a moment. */
  at(metric: MetricName, actor: string, atMs: number): number;
}

/** `cedar` of `agent/cedar#2` and of `goal/cedar/7`. */
export const agentOf = (address: string): string => address.split(/[/#]/)[1] ?? "";
