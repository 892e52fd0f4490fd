/**
 * What properties may know of a world, followed through the event log alone: the engine's state, the
 * virtual files, everybody's stressors, which call each delivery belongs to, and what synt does.
 */
import { engineAfter } from "../engineMirror.ts";
import type { EngineState } from "../machines/agents/engine/state.ts";
import { type Suffering, severityAt } from "../machines/agents/suffering/severity.ts";
import type { FilesState } from "../machines/files.ts";
import type { Json, MailOf } from "../machines/letter.ts";
import { ownValue } from "../machines/ownValue.ts";
import { MILLION } from "../machines/units.ts";
import { withChanges } from "../substrate/changes.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Seen } from "./property.ts";
import { SyntSeen } from "./syntSeen.ts";

/** One call of a tool, from its request to its answer. */
export interface CallSeen {
  /** The request's seq: the call's name. */
  readonly seq: number;
  readonly agent: string;
  readonly cycle: number | undefined;
  readonly params: { readonly [name: string]: Json };
  capability: string | undefined;
  /** The engine as the router saw it. */
  routedOn: EngineState | undefined;
  /** Virtual files that were changed on the call's behalf. */
  readonly changed: string[];
}

/** How often so much is kept of calls that nobody answered. */
const CALLS_MAX = 1_000;

export class World {
  readonly synt = new SyntSeen();
  #engine: EngineState | undefined;
  #files: Pick<FilesState, "tree"> = { tree: {} };
  /** By who was told (an address), then by whom it is about. */
  readonly #sufferings = new Map<string, Map<string, readonly Suffering[]>>();
  readonly #calls = new Map<number, CallSeen>();
  readonly #trail = new Map<number, CallSeen>();

  /** Takes in one delivery. */
  observe(delivery: Delivery): Seen {
    const before = this.#engine;
    this.#engine = engineAfter(before, delivery);
    const call = this.#callOf(delivery, before);
    this.#observeFiles(delivery, call);
    this.#observeFeeling(delivery);
    this.synt.observe(delivery);
    return { delivery, before, after: this.#engine, call, world: this };
  }

  /** The text of a virtual file; undefined when there is none. */
  file(path: string): string | undefined {
    const slash = path.lastIndexOf("/");
    const folder = ownValue(this.#files.tree, path.slice(0, slash));
    return folder && ownValue(folder, path.slice(slash + 1))?.text;
  }

  /** What an agent suffers from, as somebody was told; by default as the engine was. */
  sufferings(agent: string, told?: string): readonly Suffering[] {
    if (told !== undefined) return this.#sufferings.get(told)?.get(agent) ?? [];
    const engines = [...this.#sufferings.keys()].filter(isEngine);
    return this.sufferings(agent, engines.at(-1) ?? "");
  }

  /** Load in millionths. Our own sum, so that the product's is put to the test. */
  load(agent: string, nowMs: number, without?: string): number {
    const sum = this.sufferings(agent)
      .filter(({ type }) => type !== without)
      .reduce((total, suffering) => total + severityAt(suffering, nowMs), 0);
    return Math.min(MILLION, sum);
  }

  /** A call by the seq of its request. */
  callBy(seq: number | undefined): CallSeen | undefined {
    return seq === undefined ? undefined : this.#calls.get(seq);
  }

  #callOf(delivery: Delivery, before: EngineState | undefined): CallSeen | undefined {
    const { seq, to, event } = delivery;
    const known = this.#trail.get(seq);
    this.#trail.delete(seq);
    const call = isEngine(to) ? this.#callAtEngine(delivery, known) : known;
    if (event.type === "call.finished") return this.callBy(delivery.re) ?? call;
    if (call === undefined) return undefined;
    for (const letter of delivery.letters) {
      if (letter.type === "call.routed") call.routedOn = before;
      if (!OUTSIDE_A_CALL.test(letter.to)) this.#trail.set(letter.seq, call);
    }
    return call;
  }

  #callAtEngine({ seq, event }: Delivery, known: CallSeen | undefined): CallSeen | undefined {
    if (event.type === "call.requested") return this.#opened(seq, event);
    if (event.type !== "call.routed") return known;
    const call = known ?? this.#calls.get(event.call) ?? this.#opened(seq, event);
    call.capability = event.capability;
    return call;
  }

  /** By its request; of a call whose request was not seen, by its routing. */
  #opened(seq: number, event: MailOf<"call.requested" | "call.routed">): CallSeen {
    const { cycle, params = {} } = event.type === "call.requested" ? event : {};
    const call: CallSeen = {
      ...{ seq, agent: event.agent, cycle, params },
      capability: undefined,
      routedOn: undefined,
      changed: [],
    };
    this.#calls.set(seq, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > CALLS_MAX && oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }

  #observeFiles(delivery: Delivery, call: CallSeen | undefined): void {
    const { to, event, changes } = delivery;
    const isBorn = to === "kernel" && event.type === "actor.start" && event.machine === "files";
    if ((to !== "files" && !isBorn) || changes.length === 0) return;
    this.#files = withChanges(isBorn ? {} : this.#files, changes) as FilesState;
    call?.changed.push(...changedFiles(delivery));
  }

  #observeFeeling({ to, event, fate }: Delivery): void {
    if (event.type !== "stressor.changed" || fate === "undeliverable") return;
    const { agent, stressor, sinceMs, start, growthPerDay } = event;
    const told = this.#sufferings.get(to) ?? new Map<string, readonly Suffering[]>();
    const others = (told.get(agent) ?? []).filter(({ type }) => type !== stressor);
    const felt = sinceMs === null ? [] : [{ type: stressor, sinceMs, start, growthPerDay }];
    told.set(agent, [...others, ...felt]);
    this.#sufferings.set(to, told);
  }
}

/** Who hears of a call's end, and is no part of it. */
const OUTSIDE_A_CALL = /^(agent|goal|goalLedger|lessons|stressor)\b/;

export const isEngine = (address: string): boolean => /^engine(#\d+)?$/.test(address);

/** The virtual files that a delivery to `files` made, changed or removed. */
export const changedFiles = ({ to, changes }: Delivery): string[] =>
  to !== "files"
    ? []
    : changes.flatMap((change) => {
        const [root, folder = "", name] = change.path;
        if (root !== "tree") return [];
        if (name !== undefined) return [`${folder}/${name}`];
        const names = "to" in change ? Object.keys((change.to ?? {}) as object) : [""];
        return names.map((one) => `${folder}/${one}`);
      });
