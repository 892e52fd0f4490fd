/** Which calls of a log were made within other calls. */
import { onceFor } from "../../machines/onceFor.ts";
import { bounds, keepLatest } from "./bounds.ts";

/** A call with its result, or the run of an agent: from its note to the last record that belongs to it. */
export interface Ran {
  /** The tool, or the agent. */
  readonly row: string;
  readonly kind: "returned" | "error" | "run";
  /** Null of a run. */
  readonly caller: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** The log's own id of its result, such as a span's, and of what the call belongs to. */
  readonly id: string | null;
  readonly parent: string | null;
  /** The seqs of its first and last delivery. */
  readonly began: number;
  readonly ended: number;
}

interface AgentRun extends Ran {
  toMs: number;
  ended: number;
  /** Its number among the runs; null where it lies in none. */
  readonly outer: number | null;
}

/** The longest first. */
export const byLength = (a: Ran, b: Ran): number =>
  b.toMs - b.fromMs - (a.toMs - a.fromMs) || a.ended - b.ended;

interface Belonging {
  readonly id: string;
  parent: string | null;
  /** The first of its parents. */
  root: string;
  /** The number of the run of an agent that it belongs to. */
  run: number | null;
}

/** What belongs to what, as the log says by ids: strict JSON. */
export interface Kinship {
  /** The latest. */
  readonly ids: Belonging[];
  readonly runs: AgentRun[];
}

export const noKinship = (): Kinship => ({ ids: [], runs: [] });

/** The same for the same facts. */
export const parentsIn = onceFor((kinship: Kinship) => new Parents(kinship));

class Parents {
  readonly #of: Map<string, Belonging>;
  readonly #ids: Belonging[];
  readonly #runs: AgentRun[];

  constructor({ ids, runs }: Kinship) {
    this.#ids = ids;
    this.#runs = runs;
    this.#of = new Map(ids.map((one) => [one.id, one]));
  }

  /** In the order of the log; `who` is the agent of a note. An agent's notes within its own run are no runs. */
  note(
    { id, parent }: Pick<Ran, "id" | "parent">,
    {
      seq,
      atMs,
      who = null,
    }: { readonly seq: number; readonly atMs: number; readonly who?: string | null },
  ): void {
    const above = parent === null ? undefined : this.#of.get(parent);
    const known = id === null ? undefined : this.#of.get(id);
    let run = (known ?? above)?.run ?? null;
    for (let one = this.#run(run); one !== undefined; one = this.#run(one.outer)) {
      [one.toMs, one.ended] = [atMs, seq];
    }
    if (id === null) return;
    const isNew = known === undefined && who !== null && this.#run(run)?.row !== who;
    if (isNew && this.#runs.length < most.runs) {
      const at = { fromMs: atMs, toMs: atMs, began: seq, ended: seq };
      const begun = { row: who, kind: "run", caller: null, id, parent, outer: run, ...at } as const;
      run = this.#runs.push(begun) - 1;
    }
    const root = this.root(parent) ?? id;
    if (known === undefined) this.#add({ id, parent, root, run });
    else Object.assign(known, { parent, root, run });
  }

  #run(nth: number | null): AgentRun | undefined {
    return nth === null ? undefined : this.#runs[nth];
  }

  #add(one: Belonging): void {
    this.#of.set(one.id, one);
    for (const { id } of keepLatest(this.#ids, one, bounds.ids)) this.#of.delete(id);
  }

  /** Those of agents that took a time, and that are no call. */
  runsBeside(calls: readonly Ran[]): readonly Ran[] {
    const ids = new Set(calls.map(({ id }) => id));
    return this.#runs.filter(({ id, fromMs, toMs }) => toMs > fromMs && !ids.has(id));
  }

  root(id: string | null): string | null {
    return id === null ? null : (this.#of.get(id)?.root ?? id);
  }

  /** Itself and what it belongs to, the nearest first. */
  *above(id: string | null): Iterable<string> {
    let at = id;
    for (let step = 0; at !== null && step < most.above; step++) {
      yield at;
      at = this.#of.get(at)?.parent ?? null;
    }
  }
}

/** Ours: ids above a call that are followed, calls at once among which one is looked for by time, and runs of agents. */
const most = { above: 64, atOnce: 200, runs: 1_000 } as const;

export interface Within {
  readonly outer: Ran;
  /** Its times say it, and no id. */
  readonly isInferred: boolean;
}

/**
 * What each call lies within: the nearest call above it that ran when it began. Where the log states no common root, the
 * last call of another agent that encloses it in time: one agent's calls at once stand side by side. Each comes before what it holds.
 */
export function withinOf(
  calls: readonly Ran[],
  parents: Parents,
): ReadonlyMap<Ran, Within | undefined> {
  const found = new Map<Ran, Within | undefined>();
  const byId = new Map<string, Ran>();
  let open: Ran[] = [];
  const inTurn = calls.toSorted(
    (a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs || b.ended - a.ended || a.began - b.began,
  );
  for (const one of inTurn) {
    open = open.filter(({ toMs }) => toMs > one.fromMs).slice(-most.atOnce);
    const above = stated(one, parents, byId);
    const outer = above ?? open.findLast((other) => encloses(other, one, parents));
    found.set(one, outer && { outer, isInferred: above === undefined });
    if (one.id !== null) byId.set(one.id, one);
    open.push(one);
  }
  return found;
}

function stated(one: Ran, parents: Parents, byId: ReadonlyMap<string, Ran>): Ran | undefined {
  for (const id of parents.above(one.parent)) {
    const outer = byId.get(id);
    if (outer !== undefined && outer.toMs > one.fromMs) return outer;
  }
  return undefined;
}

/** Ends that touch enclose nothing: calls of one answer begin at once. */
function encloses(outer: Ran, one: Ran, parents: Parents): boolean {
  if (outer.caller === null || one.caller === null || outer.caller === one.caller) return false;
  if (outer.fromMs >= one.fromMs || outer.toMs <= one.toMs) return false;
  const root = parents.root(one.parent);
  return root === null || root !== parents.root(outer.parent ?? outer.id);
}
