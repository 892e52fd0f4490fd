/**
 * What every variant of the bench does: each actor ticks, draws a peer and a pause, and pings that
 * peer at the same instant. Integer arithmetic only, so that every variant must agree to the bit.
 *
 * Actor i of n ticks only at instants that are 1 + i modulo n. So no two ticks share an instant, the
 * order of all events is one and the same everywhere, and `trace` may depend on that order.
 */

export interface ActorState {
  readonly index: number;
  readonly actors: number;
  /** The last number drawn. */
  readonly draw: number;
  /** Until the next tick, in virtual milliseconds. */
  readonly pauseMs: number;
  readonly ticks: number;
  readonly pings: number;
  /** A hash of everything that happened to this actor, in order, with its time. */
  readonly trace: number;
}

/** A world of actors under one of the drivers. */
export interface World {
  /** Delivers that many ticks and the ping that follows each of them: two envelopes a tick. */
  advance(ticks: number): void;
  /** Of all actors, by index. */
  states(): readonly ActorState[];
  /** Writes out and closes what is still open. */
  close(): void;
}

export interface Tally {
  readonly ticks: number;
  readonly pings: number;
  readonly checksum: number;
}

export const begun = (index: number, actors: number): ActorState => {
  const draw = nextDraw(index);
  const pauseMs = 1 + index + actors * (draw >>> 30);
  return { index, actors, draw, pauseMs, ticks: 0, pings: 0, trace: index };
};

export function ticked(state: ActorState, nowMs: number): ActorState {
  const draw = nextDraw(state.draw);
  const trace = mixed(state.trace, nowMs, draw);
  return { ...state, draw, pauseMs: pauseOf(draw, state.actors), ticks: state.ticks + 1, trace };
}

export const pinged = (state: ActorState, nowMs: number, value: number): ActorState => ({
  ...state,
  pings: state.pings + 1,
  trace: mixed(state.trace, nowMs, value),
});

/** Whom an actor pings after its last draw. */
export const peerOf = ({ draw, actors }: ActorState): number => (draw >>> 8) % actors;

export const nextDraw = (draw: number): number => (Math.imul(draw, 1664525) + 1013904223) >>> 0;

/** A whole number of rounds, so that an actor keeps its instants to itself. */
export const pauseOf = (draw: number, actors: number): number => actors * (1 + (draw >>> 30));

export const mixed = (trace: number, nowMs: number, value: number): number =>
  (Math.imul(trace ^ value, 16777619) + nowMs) >>> 0;

/** What all variants must agree on. */
export function tallyOf(world: World): Tally {
  let ticks = 0;
  let pings = 0;
  let checksum = 0;
  for (const state of world.states()) {
    ticks += state.ticks;
    pings += state.pings;
    checksum = mixed(checksum, state.trace, state.draw);
  }
  return { ticks, pings, checksum };
}
