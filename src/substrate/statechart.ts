/**
 * Drives an XState machine with XState's own interpreter and a scope of ours: no timers, no
 * microtasks, no process-wide ids. The only file that touches XState's runtime. Machines stay in
 * the subset that ARCHITECTURE.md names; an action outside it is a bug and throws.
 *
 * XState's pure `transition()` is not used: it builds an actor and re-runs the initial state at
 * every call, 140 times slower than this.
 */
import { type AnyStateMachine, createMachine } from "xstate";
import type { Carried, Json, Outbox, TimerEvent } from "../machines/letter.ts";
import { assert } from "./assert.ts";
import type { Behaviour, Effect, Step } from "./behaviour.ts";
import { canonicalJson } from "./canonicalJson.ts";
import { chartBehaviour, MICROSTEPS_MAX } from "./chartBehaviour.ts";
import { chartOf } from "./chartTables.ts";

/** As XState keeps it, as far as we read it. */
export interface Snapshot {
  readonly status: string;
  readonly value: Json;
  readonly context: object;
  readonly output: Json | undefined;
  readonly error: unknown;
}

interface Action {
  readonly type: string;
  readonly params: {
    readonly event?: Outbox | TimerEvent;
    readonly delay?: number;
    readonly id?: string;
    readonly sendId?: string;
  };
}

/** The part of XState's ActorLogic that we call, with our scope in place of its own. */
interface Logic {
  getInitialSnapshot(scope: unknown, input: object): Snapshot;
  transition(snapshot: Snapshot, event: Carried, scope: unknown): Snapshot;
  getPersistedSnapshot(snapshot: Snapshot): Json;
  restoreSnapshot(saved: Json, scope: unknown): Snapshot;
}

export const INTERPRETERS = ["tables", "xstate"] as const;
/** What drives statecharts: tables made of them, or XState itself, which is slower and decides what is right. */
export type Interpreter = (typeof INTERPRETERS)[number];

/** Which construct keeps the machine from having tables; undefined when it has them. */
export function keptFromTables(machine: AnyStateMachine): string | undefined {
  const chart = chartOf(machine);
  return typeof chart === "string" ? chart : undefined;
}

/** By its tables, or by XState itself where it is asked for or the tables do not hold the machine. */
export function statechartBehaviour(
  machine: AnyStateMachine,
  interpreter: Interpreter = "tables",
): Behaviour {
  const chart = interpreter === "tables" ? chartOf(machine) : "";
  const behaviour =
    typeof chart === "string" ? interpretedBehaviour(machine) : chartBehaviour(chart);
  return behaviour as Behaviour;
}

function interpretedBehaviour(machine: AnyStateMachine): Behaviour<Snapshot> {
  // XState types a scope by its own actor system, which no actor here has.
  const logic = bounded(machine) as unknown as Logic;
  let actions: Action[] = [];
  const scope = scopeFor((action) => actions.push(action));

  const step = (run: () => Snapshot, previous?: Snapshot): Step<Snapshot> => {
    actions = [];
    const state = run();
    if (state.status === "error") throw state.error;
    const effects = actions.flatMap(effectsOf);
    return {
      state,
      handled: state !== previous || effects.length > 0,
      effects,
      ended: state.status !== "active",
      output: state.output,
    };
  };

  const persist = (state: Snapshot): Json => {
    // XState's snapshot holds undefined of its own; what a machine keeps must be strict.
    canonicalJson(state.context, `${machine.id}: context`);
    return JSON.parse(JSON.stringify(logic.getPersistedSnapshot(state)));
  };

  return {
    id: machine.id,
    start: (_address, input, at) => step(() => logic.getInitialSnapshot(scope, { ...input, at })),
    receive: (_address, state, event) => step(() => logic.transition(state, event, scope), state),
    value: (state) => state.value,
    context: (state) => state.context,
    members: (state) => state.context,
    persist,
    shared: persist,
    restore: (_address, saved) => logic.restoreSnapshot(saved, scope),
  };
}

/** The same machine, with a bound on its steps: XState's own default is none. */
function bounded({ config, implementations }: AnyStateMachine): AnyStateMachine {
  const options = { ...config.options, maxIterations: MICROSTEPS_MAX };
  return createMachine({ ...config, options }, implementations);
}

function effectsOf({ type, params }: Action): Effect[] {
  switch (type) {
    case "xstate.emit":
      assert(params.event?.type === "outbox", "a machine speaks through its outbox only");
      return params.event.letters.map((letter) => ({ kind: "letter", letter }));
    case "xstate.raise": {
      if (params.delay === undefined) return [];
      assert(
        params.event !== undefined && params.event.type !== "outbox" && params.id !== undefined,
        "a timer has an event and an id",
      );
      return [{ kind: "timer", id: params.id, event: params.event, delayMs: params.delay }];
    }
    case "xstate.cancel":
      return [{ kind: "cancelTimer", id: params.sendId as string }];
    default:
      throw new Error(`action ${type} is outside the subset of XState that machines may use`);
  }
}

function scopeFor(actionExecutor: (action: Action) => void): object {
  const self = { id: "actor", sessionId: "actor", send: refuse, getSnapshot: refuse, on: refuse };
  return {
    self,
    id: "actor",
    sessionId: "actor",
    logger: refuse,
    defer: refuse,
    stopChild: refuse,
    emit: refuse,
    // XState reports every microstep to its inspector; there is no inspector here.
    system: { _sendInspectionEvent: () => {}, scheduler: {}, _logger: refuse, get: refuse },
    actionExecutor,
  };
}

function refuse(): never {
  throw new Error("a machine reached for XState's actor system; it may only post letters");
}
