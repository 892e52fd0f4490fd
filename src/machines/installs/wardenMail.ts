/** What is said to and by the warden, who has installed agents live as their active revision says. */
import type { Grant } from "./grant.ts";

/** An active revision, as far as the agent that lives by it is concerned. */
export interface LivedRevision {
  readonly id: string;
  readonly description: string;
  readonly instructions: string;
  /** What its intent, its declaration and its approval grant each. */
  readonly grants: readonly Grant[];
}

declare module "../letter.ts" {
  interface Mail {
    /** From the gateway: by what the agent lives from now on; null: it lives no more. Said twice, it changes nothing. */
    "active.changed": {
      readonly agent: string;
      readonly revision: LivedRevision | null;
      readonly how: "activated" | "rolledBack";
    };
    /** To itself, for the log: an agent lives, or not, because of a revision. */
    "installed.born": {
      readonly agent: string;
      readonly revision: string;
      /** Why none was born; null where one was. */
      readonly fault: string | null;
    };
    "installed.ended": { readonly agent: string; readonly revision: string };
    /** To itself, for the log: an installed agent has one more agent, under its own reach. */
    "installed.spawned": { readonly agent: string; readonly child: string };
    /** To the gateway: all agents that live because this installed one spawned them, whose names no install may take. */
    "spawned.living": { readonly root: string; readonly names: readonly string[] };
    /** To itself, for the log: something was written that the reach does not cover; it was not seen before the call. */
    "reach.breached": {
      readonly agent: string;
      readonly call: string;
      readonly path: string;
      readonly missing: string;
      readonly why: string;
    };
    /** From the outside to a bystander: what it asks of the gateway. */
    "attempt.made": {
      readonly tool: string;
      readonly params: { readonly [name: string]: Json };
    };
    /** To itself, for the log: what an agent registered as this revision leaves with it. */
    "tools.withdrawn": {
      readonly agent: string;
      readonly revision: string;
      readonly paths: readonly string[];
    };
  }
}
