/**
 * A run as a trace that Perfetto and Chrome read: a track for each actor, a slice for each delivery, a flow from what caused it, and
 * a span for each call of a tool. Source: the Trace Event Format.
 */
import { factReader } from "../../findings/findIn.ts";
import type { ExportedRun } from "./exportedRun.ts";

/** Microseconds. Deliveries of one instant follow one another within it. */
const SLICE_US = 1;
const INSTANT_US = 1_000 - SLICE_US;

/** The file, piece by piece. */
export function* chromeTrace({ parts, name, deliveries }: ExportedRun): Generator<string> {
  const tracks = new Map<string, number>();
  const factsOf = factReader(parts);
  const slices = new Map<number, readonly [track: number, us: number]>();
  const calls = new Map<number, object>();
  let [instant, within] = [-1, 0];
  yield `{"displayTimeUnit":"ms","traceEvents":[\n${line({ ph: "M", name: "process_name", args: { name } })}`;
  for (const delivery of deliveries) {
    const { seq, dueMs, to, from, cause, event, fate } = delivery;
    within = dueMs === instant ? Math.min(within + SLICE_US, INSTANT_US) : 0;
    instant = dueMs;
    const us = dueMs * 1_000 + within;
    let track = tracks.get(to);
    if (track === undefined) {
      track = tracks.size + 1;
      tracks.set(to, track);
      yield `,\n${line({ ph: "M", name: "thread_name", tid: track, args: { name: to } })}`;
    }
    slices.set(seq, [track, us]);
    const { type, ...carried } = event;
    const args = { seq, from, fate, ...carried };
    yield `,\n${line({ ph: "X", name: type, cat: "delivery", tid: track, ts: us, dur: SLICE_US, args })}`;
    const caused = cause === null ? undefined : slices.get(cause);
    if (caused !== undefined) {
      const flow = { name: "cause", cat: "cause", id: seq };
      yield `,\n${line({ ph: "s", ...flow, tid: caused[0], ts: caused[1] })}`;
      yield `,\n${line({ ph: "f", bp: "e", ...flow, tid: track, ts: us })}`;
    }
    for (const fact of factsOf(delivery)) {
      if (fact.is === "called") {
        const call = {
          cat: "call",
          id: fact.seq,
          tid: track,
          name: fact.tool ?? fact.intent ?? "",
        };
        calls.set(fact.seq, call);
        yield `,\n${line({ ph: "b", ...call, ts: us, args: { agent: fact.agent, args: fact.args } })}`;
      } else if (fact.is === "returned") {
        const call = calls.get(fact.call);
        const { result, ok, error } = fact;
        if (call !== undefined)
          yield `,\n${line({ ph: "e", ...call, ts: us, args: { result, ok, error } })}`;
      }
    }
  }
  yield "\n]}\n";
}

const line = (event: object): string => JSON.stringify({ pid: 1, ...event });
