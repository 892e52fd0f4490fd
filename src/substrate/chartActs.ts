/** What a machine of XState does and asks of its context, as functions that its tables call. */
import type { AnyStateMachine } from "xstate";
import type { Carried, Json, Outbox, TimerEvent } from "../machines/letter.ts";

/** What XState hands to actions, guards and delays; the one of a chart is used again for each event. */
export interface Given {
  context: object;
  event: Carried;
}

/** What an action does, in place of XState's. */
export interface Doing {
  readonly given: Given;
  /** A function that returns nothing changes nothing, and still counts as having acted. */
  assign(update: object | undefined): void;
  letters(outbox: Outbox): void;
  timer(id: string, event: TimerEvent, delayMs: number): void;
  cancel(id: string): void;
  /** An event of the machine for itself, taken before anything else is delivered. */
  raise(event: Carried): void;
  /** The machine has ended, and this is what it leaves. */
  end(output: Json | undefined): void;
}

export type Act = (doing: Doing) => void;
export type Guard = (given: Given) => boolean;

/** Thrown while compiling: the construct that the tables do not hold. */
export class Outside extends Error {}

export const outside = (what: string): never => {
  throw new Outside(what);
};

export const resolved = (output: unknown, given: object): unknown =>
  typeof output === "function" ? output(given) : output;

/** A machine's own functions are called with what XState would hand them. */
type Make<T> = (given: Given) => T;

interface Built {
  readonly type?: string;
  readonly assignment?: Make<object | undefined> | { readonly [key: string]: unknown };
  readonly event?: Make<Outbox> | TimerEvent;
  readonly id?: string;
  readonly delay?: unknown;
  readonly sendId?: string;
}

export const actsIn =
  ({ implementations }: AnyStateMachine) =>
  (actions: readonly unknown[]): readonly Act[] =>
    actions.map((action) => {
      const found = typeof action === "string" ? implementations.actions[action] : action;
      if (typeof action === "object") outside("an action has parameters");
      const built = found as Built | undefined;
      switch (built?.type) {
        case "xstate.assign":
          return assigning(built.assignment);
        case "xstate.emit": {
          const { event } = built;
          if (typeof event !== "function") return outside("an event is emitted that is no outbox");
          return (doing) => doing.letters(event(doing.given));
        }
        case "xstate.raise":
          return raising(built, implementations.delays);
        case "xstate.cancel": {
          const { sendId } = built;
          if (typeof sendId !== "string") return outside("a timer is cancelled by a function");
          return (doing) => doing.cancel(sendId);
        }
        default:
          return outside(`an action is of type ${built?.type ?? "function"}`);
      }
    });

function assigning(assignment: Built["assignment"]): Act {
  if (typeof assignment === "function") return (doing) => doing.assign(assignment(doing.given));
  const entries = Object.entries(assignment ?? {});
  return (doing) =>
    doing.assign(
      Object.fromEntries(
        entries.map(([key, value]) => [
          key,
          typeof value === "function" ? value(doing.given) : value,
        ]),
      ),
    );
}

function raising({ event, id, delay }: Built, delays: { readonly [name: string]: unknown }): Act {
  if (typeof event !== "object" || id === undefined) return outside("an event is raised");
  const length = typeof delay === "string" ? delays[delay] : delay;
  if (typeof length === "number") return (doing) => doing.timer(id, event, length);
  if (typeof length !== "function") return outside(`the delay ${String(delay)} is no number`);
  return (doing) => {
    const ms = length(doing.given) as number | undefined;
    if (ms === undefined) doing.raise(event);
    else doing.timer(id, event, ms);
  };
}

export function guardOf({ implementations }: AnyStateMachine, guard: unknown): Guard | undefined {
  if (guard === undefined) return undefined;
  const found = typeof guard === "string" ? implementations.guards[guard] : guard;
  if (typeof found !== "function" || "check" in found) {
    return outside("a guard has parameters, or is made of others");
  }
  return found as unknown as Guard;
}

/** Makes the first context. */
export function beginning({ config }: AnyStateMachine): (given: Given, input: unknown) => object {
  const { context } = config as { readonly context?: unknown };
  if (typeof context !== "function") return () => ({ ...(context as object | undefined) });
  const spawn = (): never => {
    throw new Error("a machine may not start actors: it posts `actor.start`");
  };
  return (_given, input) => ({ ...context({ input, spawn }) });
}
