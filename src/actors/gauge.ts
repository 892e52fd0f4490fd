/** What a part measures, and the instrument with which it does. Every series is a step function of virtual time. */

/** What can be measured under one name. */
export interface Metric {
  readonly unit: string;
  /** Whether it also exists for each agent; `actor:` names one. */
  readonly perAgent: boolean;
  readonly says: string;
  /** Before anything was measured; 0 when absent. */
  readonly from?: number;
}

/** The world as an actor. */
export const WORLD = "";

/** Where a part's meter writes. A metric that no part lists, or an actor that is none, is a bug and throws. */
export interface Gauge {
  readonly agents: readonly string[];
  /** The value of one actor from this moment on. */
  set(metric: string, actor: string, atMs: number, value: number): void;
  /** One more, of the actor and of the world. */
  add(metric: string, actor: string, atMs: number): void;
  /** The value of one agent from this moment on; the world's is the sum over all agents. */
  count(metric: string, agent: string, atMs: number, value: number): void;
  /** In force at a moment. */
  at(metric: string, actor: string, atMs: number): number;
}
